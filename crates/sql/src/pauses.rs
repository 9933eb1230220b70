//! Work that can be stopped.
//!
//! A task can only be stopped where it pauses. DataFusion lets it pause after 128 batches of rows that
//! were read, and what a function makes of a million rows may take minutes; and a join makes millions of
//! rows of a few that it has read. Ballista stops whoever waits for a task, but not all that works for
//! him: so that is told to stop, too. And where work was cut off, by that or by a connection that broke, what
//! there is of it is not taken for the whole.

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use ballista_core::{
    error::BallistaError,
    execution_plans::{RangeShuffleReaderExec, ShuffleReaderExec, stats_for_partitions},
    serde::scheduler::PartitionLocation,
};

use datafusion::{
    arrow::array::RecordBatch,
    common::{
        exec_err,
        tree_node::{Transformed, TreeNode, TreeNodeRecursion},
    },
    config::ConfigOptions,
    datasource::source::DataSourceExec,
    error::{DataFusionError, Result},
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
use tokio_util::sync::{CancellationToken, DropGuard};

/// Whether work is to be stopped.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(CancellationToken);

impl Stop {
    /// Stops the work when what comes back is dropped: done or given up.
    pub fn on_drop(&self) -> DropGuard {
        self.0.clone().drop_guard()
    }

    /// Whether nobody waits any more.
    pub fn is_asked_for(&self) -> bool {
        self.0.is_cancelled()
    }

    /// Waits until nobody waits any more.
    async fn asked_for(&self) {
        self.0.cancelled().await;
    }
}

/// Lets a plan pause between the batches that it reads or joins. Where it is stopped it fails, even if it
/// has come to an end: what others work for it may have been cut off before.
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
        || plan.is::<ShuffleReaderExec>()
        || plan.is::<RangeShuffleReaderExec>()
        || plan.is::<NestedLoopJoinExec>()
        || plan.is::<CrossJoinExec>()
        || plan.is::<HashJoinExec>()
        || plan.is::<SortMergeJoinExec>()
}

/// What others have said that they have for a part of a plan.
#[derive(Debug)]
struct Promise {
    rows: usize,
    /// One of those who have it.
    location: PartitionLocation,
}

impl Promise {
    /// What is promised, if a plan reads what others have made.
    fn of(plan: &dyn ExecutionPlan, partition: usize) -> Option<Promise> {
        let reader = plan.downcast_ref::<ShuffleReaderExec>()?;
        let partition = if reader.broadcast { 0 } else { partition };
        let locations = reader.partition.get(partition)?;
        let promised = stats_for_partitions(0, locations.iter().map(|it| it.partition_stats));
        Some(Promise {
            rows: promised.num_rows.get_value().copied()?,
            location: locations.first()?.clone(),
        })
    }

    /// It was not kept: Ballista and the scheduler know that by this error.
    fn broken(&self, why: String) -> DataFusionError {
        let PartitionLocation {
            executor_meta,
            partition_id,
            ..
        } = &self.location;
        let (executor, stage) = (executor_meta.id.clone(), partition_id.stage_id);
        BallistaError::FetchFailed(executor, stage, partition_id.partition_id, why)
            .into_datafusion()
    }
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
        let schema = batches.schema();
        let reader = Reader {
            batches,
            stop: self.stop.clone(),
            pause: Pause::new(),
            promise: Promise::of(&*self.plan, partition),
            rows: 0,
        };
        let batches = stream::try_unfold(reader, |mut reader| async {
            Ok(reader.next().await?.map(|batch| (batch, reader)))
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, batches)))
    }
}

/// Reads batches, and pauses between them.
struct Reader {
    batches: SendableRecordBatchStream,
    stop: Stop,
    pause: Pause,
    promise: Option<Promise>,
    /// How many have been read.
    rows: usize,
}

impl Reader {
    async fn next(&mut self) -> Result<Option<RecordBatch>> {
        self.pause.take().await;
        let batch = tokio::select! {
            batch = self.batches.try_next() => batch.map_err(|error| self.broken_off(error))?,
            () = self.stop.asked_for() => None,
        };
        if self.stop.is_asked_for() {
            return exec_err!("nobody waits for the answer");
        }
        match &batch {
            Some(batch) => self.rows += batch.num_rows(),
            None => self.check_all_came()?,
        }
        Ok(batch)
    }

    /// A connection that breaks before the first rows is no failure to fetch for Ballista.
    fn broken_off(&self, error: DataFusionError) -> DataFusionError {
        let is_broken = match &error {
            DataFusionError::ArrowError(..) => true,
            DataFusionError::External(error) => {
                matches!(error.downcast_ref(), Some(BallistaError::ArrowError(_)))
            }
            _ => false,
        };
        match &self.promise {
            Some(promise) if is_broken => promise.broken(error.strip_backtrace()),
            _ => error,
        }
    }

    /// A connection that breaks can look like an end.
    fn check_all_came(&self) -> Result<()> {
        match &self.promise {
            Some(promise) if promise.rows != self.rows => {
                let (rows, promised) = (self.rows, promise.rows);
                Err(promise.broken(format!("{rows} of {promised} rows came")))
            }
            _ => Ok(()),
        }
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

#[cfg(test)]
mod tests {
    use std::fs;

    use ballista_core::serde::scheduler::{
        ExecutorMetadata, ExecutorOperatingSystemSpecification, ExecutorSpecification, PartitionId,
        PartitionStats,
    };
    use datafusion::{
        arrow::{
            array::Int64Array,
            datatypes::{DataType, Field, Schema},
            ipc::writer::StreamWriter,
        },
        physical_plan::Partitioning,
        prelude::SessionContext,
    };
    use tempfile::TempDir;

    use super::*;

    /// What a step is given by another that has made three rows and promised so many.
    fn batches(
        promised: Option<u64>,
        stop: &Stop,
        folder: &TempDir,
    ) -> Result<SendableRecordBatchStream> {
        let work = folder.path().to_str().expect("a name").to_owned();
        let location = PartitionLocation {
            map_partition_id: 0,
            partition_id: PartitionId::new(&"job".into(), 1, 0),
            executor_meta: ExecutorMetadata {
                id: "executor".to_owned(),
                host: String::new(),
                port: 0,
                grpc_port: 0,
                specification: ExecutorSpecification::default(),
                os_info: ExecutorOperatingSystemSpecification::default(),
            },
            partition_stats: PartitionStats::new(promised, None, None),
            file_id: Some(0),
            is_sort_shuffle: false,
        };
        let schema = Arc::new(Schema::new(vec![Field::new("n", DataType::Int64, false)]));
        let numbers = Int64Array::from(vec![1, 2, 3]);
        let batch = RecordBatch::try_new(schema.clone(), vec![Arc::new(numbers)])?;
        let path = location.path(&work)?;
        fs::create_dir_all(path.parent().expect("a folder"))?;
        let mut file = StreamWriter::try_new(fs::File::create(path)?, &schema)?;
        file.write(&batch)?;
        file.finish()?;
        let one = Partitioning::UnknownPartitioning(1);
        let reader = ShuffleReaderExec::try_new(1, vec![vec![location]], schema, one)?;
        let plan = pausing(Arc::new(reader.with_work_dir(work)), stop)?;
        plan.execute(0, SessionContext::new().task_ctx())
    }

    async fn read(promised: Option<u64>) -> Result<usize> {
        let folder = tempfile::tempdir()?;
        let batches = batches(promised, &Stop::default(), &folder)?;
        let batches: Vec<RecordBatch> = batches.try_collect().await?;
        Ok(batches.iter().map(RecordBatch::num_rows).sum())
    }

    #[tokio::test]
    async fn rows_that_were_promised_have_to_come() {
        assert_eq!(read(Some(3)).await.expect("all came"), 3);
        assert_eq!(read(None).await.expect("nothing was said"), 3);
        let error = read(Some(5)).await.expect_err("two are missing");
        assert!(error.to_string().contains("3 of 5 rows"), "{error}");
        let DataFusionError::External(error) = error else {
            panic!("{error}");
        };
        let error = error.downcast_ref().expect("an error of Ballista");
        assert!(
            matches!(error, BallistaError::FetchFailed(executor, 1, 0, _) if executor == "executor"),
            "{error}"
        );
    }

    #[tokio::test]
    async fn what_is_stopped_does_not_end_well() {
        let stop = Stop::default();
        let folder = tempfile::tempdir().expect("a folder");
        let mut batches = batches(Some(3), &stop, &folder).expect("a reader");
        assert!(batches.try_next().await.expect("rows").is_some());
        drop(stop.on_drop());
        let error = batches.try_next().await.expect_err("it was stopped");
        assert!(error.to_string().contains("nobody waits"), "{error}");
    }
}
