//! How tasks are worked on: by Ballista's engine, but so that they can be stopped.

use std::{
    any::Any,
    fmt::{self, Display},
    num::NonZeroUsize,
    panic::AssertUnwindSafe,
    sync::Arc,
};

use ballista_core::{
    JobId,
    error::BallistaError,
    serde::protobuf::{
        RuntimeStatsReport, ShuffleWritePartition, TaskColumnStats, WindowStateReport,
    },
};
use ballista_executor::execution_engine::{
    DefaultExecutionEngine, ExecutionEngine, QueryStageExecutor,
};
use datafusion::{
    error::{DataFusionError, Result},
    execution::{
        TaskContext,
        memory_pool::{MemoryLimit, MemoryPool},
        runtime_env::RuntimeEnvBuilder,
    },
    physical_plan::{ExecutionPlan, metrics::MetricsSet},
    prelude::SessionConfig,
};
use futures::FutureExt;

use super::{
    employer::{Employer, Task},
    failure::{fault, told},
};
use crate::{
    Options,
    files::{Files, files},
    memory::Bounded,
    pauses::{Stop, pausing},
};

/// Ballista's engine, but for its errors, and with tasks that can be stopped.
pub(super) struct Engine {
    pub ballistas: DefaultExecutionEngine,
    pub employer: Employer,
}

impl ExecutionEngine for Engine {
    fn create_query_stage_exec(
        &self,
        job_id: JobId,
        stage_id: usize,
        task_id: usize,
        global_output_partition_ids: Vec<usize>,
        plan: Arc<dyn ExecutionPlan>,
        work_dir: &str,
        config: &SessionConfig,
    ) -> Result<Arc<dyn QueryStageExecutor>> {
        let task = Task {
            employer: self.employer.clone(),
            job: job_id.to_string(),
            step: stage_id,
            number: task_id,
        };
        let (files, stop) = (files(&plan), Stop::default());
        let ids = global_output_partition_ids;
        let stage = self.ballistas.create_query_stage_exec(
            job_id,
            stage_id,
            task_id,
            ids,
            pausing(plan, &stop)?,
            work_dir,
            config,
        )?;
        Ok(Arc::new(Stage {
            stage,
            files,
            stop,
            task,
        }))
    }
}

#[derive(Debug)]
struct Stage {
    stage: Arc<dyn QueryStageExecutor>,
    files: Files,
    stop: Stop,
    task: Task,
}

impl Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.stage, f)
    }
}

#[tonic::async_trait]
impl QueryStageExecutor for Stage {
    async fn execute_query_stage(
        &self,
        task_id: usize,
        context: Arc<TaskContext>,
    ) -> Result<Vec<ShuffleWritePartition>> {
        // Before anything else: a first batch of rows may take long.
        if self.task.is_unwanted().await {
            return Err(BallistaError::Cancelled.into_datafusion());
        }
        let _waits = self.stop.on_drop();
        let executed = self.stage.execute_query_stage(task_id, fitted(context)?);
        tokio::select! {
            executed = AssertUnwindSafe(executed).catch_unwind() => {
                let executed = executed.unwrap_or_else(|panic| {
                    let fault = fault(words(&*panic));
                    Err(DataFusionError::External(Box::new(fault)))
                });
                executed.map_err(|error| told(error, &self.files))
            }
            () = self.task.unwanted() => Err(BallistaError::Cancelled.into_datafusion()),
        }
    }

    fn collect_plan_metrics(&self) -> Vec<MetricsSet> {
        self.stage.collect_plan_metrics()
    }

    fn collect_runtime_stats_reports(&self) -> Vec<RuntimeStatsReport> {
        self.stage.collect_runtime_stats_reports()
    }

    fn collect_window_state_reports(&self) -> Result<Vec<WindowStateReport>> {
        self.stage.collect_window_state_reports()
    }

    fn collect_column_stats(&self) -> Vec<TaskColumnStats> {
        self.stage.collect_column_stats()
    }
}

/// The same, where sorts take what they reserve of the memory that there is, and leave some to others.
fn fitted(context: Arc<TaskContext>) -> Result<Arc<TaskContext>> {
    let runtime = context.runtime_env();
    let MemoryLimit::Finite(bytes) = runtime.memory_pool.memory_limit() else {
        return Ok(context);
    };
    let fitting = Options {
        memory: Some(bytes),
        threads: NonZeroUsize::new(1),
        ..Options::default()
    };
    let fitting = fitting.config();
    let reserved = fitting.options().execution.sort_spill_reservation_bytes;
    let config = context.session_config().clone();
    let config = config
        .with_sort_spill_reservation_bytes(reserved)
        .with_batch_size(fitting.batch_size());
    let pool: Arc<dyn MemoryPool> = Arc::new(Bounded::new(bytes));
    let runtime = RuntimeEnvBuilder::from_runtime_env(&runtime).with_memory_pool(pool);
    let context = TaskContext::new(
        context.task_id(),
        context.session_id(),
        config,
        context.scalar_functions().clone(),
        context.higher_order_functions().clone(),
        context.aggregate_functions().clone(),
        context.window_functions().clone(),
        runtime.build_arc()?,
    );
    Ok(Arc::new(context))
}

/// What a panic says.
fn words(panic: &(dyn Any + Send)) -> &str {
    let words = panic.downcast_ref::<&str>().copied();
    let words = words.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    words.unwrap_or("a panic")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use datafusion::{
        execution::memory_pool::{FairSpillPool, MemoryConsumer},
        prelude::SessionContext,
    };

    use super::{
        super::{client::Address, failure::of_job},
        *,
    };
    use crate::ErrorKind;

    #[derive(Debug)]
    struct Panics;

    impl Display for Panics {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("Panics")
        }
    }

    #[tonic::async_trait]
    impl QueryStageExecutor for Panics {
        async fn execute_query_stage(
            &self,
            _: usize,
            _: Arc<TaskContext>,
        ) -> Result<Vec<ShuffleWritePartition>> {
            let offsets: Vec<i32> = Vec::new();
            panic!("offset overflow at {}", offsets.len())
        }

        fn collect_plan_metrics(&self) -> Vec<MetricsSet> {
            Vec::new()
        }
    }

    #[tokio::test]
    async fn a_panic_is_told_as_a_fault_of_the_program() {
        let scheduler = Address::parse("127.0.0.1:1").expect("an address");
        let employer = Employer::new("a", &scheduler, Duration::from_secs(1));
        let stage = Stage {
            stage: Arc::new(Panics),
            files: Files::default(),
            stop: Stop::default(),
            task: Task {
                employer: employer.expect("an address"),
                job: "7".to_owned(),
                step: 1,
                number: 0,
            },
        };
        let context = SessionContext::new().task_ctx();
        let error = stage.execute_query_stage(0, context).await;
        let sent = format!("Job 7 failed: {:?}", error.expect_err("a panic"));
        let error = of_job(&sent).expect("an error");
        assert_eq!(error.kind(), ErrorKind::Internal, "{sent}");
        assert_eq!(
            error.to_string(),
            "a fault of the program: offset overflow at 0"
        );
    }

    #[test]
    fn sorts_reserve_a_part_of_a_small_memory() {
        let context = |bytes: usize| {
            let pool: Arc<dyn MemoryPool> = Arc::new(FairSpillPool::new(bytes));
            let runtime = RuntimeEnvBuilder::new().with_memory_pool(pool);
            let config = SessionConfig::new();
            let session =
                SessionContext::new_with_config_rt(config, runtime.build_arc().expect("a runtime"));
            fitted(session.task_ctx()).expect("a context")
        };
        let usual = SessionConfig::new();
        let usual = usual.options().execution.sort_spill_reservation_bytes;
        for (bytes, least) in [(8 << 20, 1 << 19), (1 << 30, usual)] {
            let context = context(bytes);
            let config = context.session_config();
            let reserved = config.options().execution.sort_spill_reservation_bytes;
            assert!((least..=usual).contains(&reserved), "{bytes}: {reserved}");
            let sort = MemoryConsumer::new("sort").with_can_spill(true);
            let sort = sort.register(context.memory_pool());
            sort.try_grow(reserved).expect("it is there");
            assert!(
                matches!(context.memory_pool().memory_limit(), MemoryLimit::Finite(it) if it == bytes)
            );
        }
    }
}
