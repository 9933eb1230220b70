//! How tasks are worked on: by Ballista's engine, but so that they can be stopped.

use std::{
    fmt::{self, Display},
    sync::Arc,
};

use ballista_core::{
    JobId,
    serde::protobuf::{
        RuntimeStatsReport, ShuffleWritePartition, TaskColumnStats, WindowStateReport,
    },
};
use ballista_executor::execution_engine::{
    DefaultExecutionEngine, ExecutionEngine, QueryStageExecutor,
};
use datafusion::{
    error::Result,
    execution::TaskContext,
    physical_plan::{ExecutionPlan, metrics::MetricsSet},
    prelude::SessionConfig,
};

use super::failure::told;
use crate::{
    files::{Files, files},
    pauses::{Stop, pausing},
};

/// Ballista's engine, but for its errors, and with tasks that can be stopped.
pub(super) struct Engine(pub DefaultExecutionEngine);

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
        let (files, stop) = (files(&plan), Stop::default());
        let ids = global_output_partition_ids;
        let stage = self.0.create_query_stage_exec(
            job_id,
            stage_id,
            task_id,
            ids,
            pausing(plan, &stop)?,
            work_dir,
            config,
        )?;
        Ok(Arc::new(Stage { stage, files, stop }))
    }
}

#[derive(Debug)]
struct Stage {
    stage: Arc<dyn QueryStageExecutor>,
    files: Files,
    stop: Stop,
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
        let _waits = self.stop.on_drop();
        let executed = self.stage.execute_query_stage(task_id, context).await;
        executed.map_err(|error| told(error, &self.files))
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
