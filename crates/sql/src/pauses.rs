//! Work that can be stopped.
//!
//! A task can only be stopped where it pauses. DataFusion lets it pause after 128 batches of rows that
//! were read, and what a function makes of a million rows may take minutes; and a join makes millions of
//! rows of a few that it has read. Ballista stops whoever waits for a task, but not all that works for
//! him: so that is told to stop, too.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use datafusion::{
    common::{
        exec_err,
        tree_node::{Transformed, TreeNode, TreeNodeRecursion},
    },
    config::ConfigOptions,
    datasource::source::DataSourceExec,
    error::Result,
    execution::{SendableRecordBatchStream, TaskContext},
    physical_expr::PhysicalExpr,
    physical_optimizer::PhysicalOptimizerRule,
    physical_plan::{
        ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties,
        ReplaceChildrenOptions,
        joins::{CrossJoinExec, HashJoinExec, NestedLoopJoinExec, SortMergeJoinExec},
        stream::RecordBatchStreamAdapter,
    },
};
use futures::{TryStreamExt, stream};

/// Whether work is to be stopped.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Stops the work when this is dropped: done or given up.
    pub fn on_drop(&self) -> StopOnDrop {
        StopOnDrop(self.clone())
    }

    fn is_asked_for(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What waits for work that is not to go on without it.
pub(crate) struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// Lets a plan pause between the batches that it reads or joins, and end where it is stopped.
pub(crate) fn pausing(plan: Arc<dyn ExecutionPlan>, stop: &Stop) -> Result<Arc<dyn ExecutionPlan>> {
    let pausing = plan.transform_up(|plan| {
        Ok(if makes_rows(&*plan) {
            let stop = stop.clone();
            Transformed::yes(Arc::new(Pausing { plan, stop }) as _)
        } else {
            Transformed::no(plan)
        })
    })?;
    Ok(pausing.data)
}

fn makes_rows(plan: &dyn ExecutionPlan) -> bool {
    plan.is::<DataSourceExec>()
        || plan.is::<NestedLoopJoinExec>()
        || plan.is::<CrossJoinExec>()
        || plan.is::<HashJoinExec>()
        || plan.is::<SortMergeJoinExec>()
}

/// The same as a rule for plans of this process: the last one, for others would not know what pauses.
#[derive(Debug)]
pub(crate) struct Pauses;

impl PhysicalOptimizerRule for Pauses {
    fn name(&self) -> &'static str {
        "pauses"
    }

    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        // DataFusion itself stops all that works for whoever no longer waits.
        pausing(plan, &Stop::default())
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// A part of a plan that pauses between batches.
#[derive(Debug)]
struct Pausing {
    plan: Arc<dyn ExecutionPlan>,
    stop: Stop,
}

impl DisplayAs for Pausing {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl ExecutionPlan for Pausing {
    fn name(&self) -> &'static str {
        "Pausing"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.plan.properties()
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.plan]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(match children.pop() {
            Some(plan) => {
                let stop = self.stop.clone();
                Arc::new(Pausing { plan, stop })
            }
            None => self,
        })
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
        self.replace_children(children, options)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let batches = self.plan.execute(partition, context)?;
        let (schema, stop) = (batches.schema(), self.stop.clone());
        let next = move |(mut batches, mut pause): (SendableRecordBatchStream, Pause)| {
            let stop = stop.clone();
            async move {
                pause.take().await;
                if stop.is_asked_for() {
                    return exec_err!("nobody waits for the answer");
                }
                let batch = batches.try_next().await?;
                Ok(batch.map(|batch| (batch, (batches, pause))))
            }
        };
        let batches = stream::try_unfold((batches, Pause::new()), next);
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, batches)))
    }
}

/// How long work goes on without a pause, but for the batch that it is at.
const BETWEEN_PAUSES: Duration = Duration::from_millis(20);

const LONGEST_PAUSE: Duration = Duration::from_millis(5);

/// Somebody who works and has to pause now and then.
pub(crate) struct Pause(Instant);

impl Pause {
    /// Somebody who begins.
    pub fn new() -> Pause {
        Pause(Instant::now())
    }

    /// Pauses, if that is due.
    pub async fn take(&mut self) {
        if self.0.elapsed() > BETWEEN_PAUSES {
            // To be woken by another thread: who wakes himself is called again before those who wait
            // for the same thread, and so before whoever wants him to stop. All other threads may wait
            // for him: then time wakes him.
            tokio::select! {
                _ = tokio::task::spawn_blocking(|| ()) => {}
                () = tokio::time::sleep(LONGEST_PAUSE) => {}
            }
            self.0 = Instant::now();
        }
    }
}
