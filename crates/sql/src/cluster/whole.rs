//! Answers of a cluster, whole: a connection that breaks while rows are fetched can look like their end.

use std::sync::Arc;

use ballista_core::{
    execution_plans::DistributedQueryExec,
    serde::protobuf::{GetJobStatusParams, JobStatus, job_status::Status},
};
use datafusion::{
    arrow::array::RecordBatch,
    common::exec_err,
    error::{DataFusionError, Result},
    execution::{SendableRecordBatchStream, TaskContext},
    physical_plan::{ExecutionPlan, execute_stream, stream::RecordBatchStreamAdapter},
};
use datafusion_proto::protobuf::LogicalPlanNode;
use futures::{TryStreamExt, stream};

use super::client::Address;

/// The rows of a plan. If a cluster works on it, they are counted, and fewer than there are is an error.
pub(crate) fn execute(
    plan: Arc<dyn ExecutionPlan>,
    context: Arc<TaskContext>,
) -> Result<SendableRecordBatchStream> {
    let scheduler = context.session_config().get_extension::<Address>();
    let batches = execute_stream(Arc::clone(&plan), context)?;
    let Some(scheduler) = scheduler.filter(|_| job(&*plan).is_some()) else {
        return Ok(batches);
    };
    let schema = batches.schema();
    let fetched = Fetched {
        batches,
        plan,
        scheduler,
        rows: 0,
    };
    let batches = stream::try_unfold(fetched, |mut fetched| async {
        Ok(fetched.next().await?.map(|batch| (batch, fetched)))
    });
    Ok(Box::pin(RecordBatchStreamAdapter::new(schema, batches)))
}

fn job(plan: &dyn ExecutionPlan) -> Option<&DistributedQueryExec<LogicalPlanNode>> {
    plan.downcast_ref()
}

/// Rows that are fetched from executors.
struct Fetched {
    batches: SendableRecordBatchStream,
    plan: Arc<dyn ExecutionPlan>,
    scheduler: Arc<Address>,
    /// How many have come.
    rows: u64,
}

impl Fetched {
    async fn next(&mut self) -> Result<Option<RecordBatch>> {
        let batch = self.batches.try_next().await.map_err(broken)?;
        match &batch {
            Some(batch) => self.rows += batch.num_rows() as u64,
            None => self.check_all_came().await?,
        }
        Ok(batch)
    }

    async fn check_all_came(&mut self) -> Result<()> {
        let job = job(&*self.plan).and_then(DistributedQueryExec::job_id);
        let job = GetJobStatusParams {
            job_id: job.map(|id| id.to_string()).unwrap_or_default(),
        };
        let unknown = |why: String| {
            let words = format!("whether all rows came is not known: {why}; ask again");
            DataFusionError::Execution(words)
        };
        let mut scheduler = self.scheduler.call().await.map_err(unknown)?;
        let told = scheduler.get_job_status(job).await;
        let told = told.map_err(|status| unknown(status.message().to_owned()))?;
        let status = told.into_inner().status;
        let made = made(status).ok_or_else(|| unknown("the scheduler has no such job".into()))?;
        let rows = self.rows;
        match made == rows {
            true => Ok(()),
            false => exec_err!("{rows} of {made} rows came: a connection broke; ask again"),
        }
    }
}

/// What is said of a connection that broke, of which its library speaks to programmers.
fn broken(error: DataFusionError) -> DataFusionError {
    let words = error.strip_backtrace();
    let by_network = ["h2 protocol error", "transport error", "tcp connect error"];
    match by_network.iter().any(|it| words.contains(it)) {
        true => {
            let words = format!("a connection to the cluster broke: {words}; ask again");
            DataFusionError::Execution(words)
        }
        false => error,
    }
}

/// How many rows the executors have made, if the job is known and done.
fn made(job: Option<JobStatus>) -> Option<u64> {
    let Some(Status::Successful(done)) = job?.status else {
        return None;
    };
    let rows = done.partition_location.into_iter();
    rows.map(|part| u64::try_from(part.partition_stats?.num_rows).ok())
        .sum()
}

#[cfg(test)]
mod tests {
    use ballista_core::serde::protobuf::{PartitionLocation, PartitionStats, SuccessfulJob};

    use super::*;

    fn done(rows: &[i64]) -> Option<JobStatus> {
        let part = |rows: &i64| PartitionLocation {
            partition_stats: Some(PartitionStats {
                num_rows: *rows,
                ..PartitionStats::default()
            }),
            ..PartitionLocation::default()
        };
        let done = SuccessfulJob {
            partition_location: rows.iter().map(part).collect(),
            ..SuccessfulJob::default()
        };
        Some(JobStatus {
            status: Some(Status::Successful(done)),
            ..JobStatus::default()
        })
    }

    #[test]
    fn rows_of_all_parts_count_if_each_is_known() {
        assert_eq!(made(done(&[])), Some(0));
        assert_eq!(made(done(&[3, 0, 4])), Some(7));
        assert_eq!(made(done(&[3, -1])), None);
        assert_eq!(made(Some(JobStatus::default())), None);
        assert_eq!(made(None), None);
    }
}
