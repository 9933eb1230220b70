//! Jobs whose clients have gone are cancelled.
//!
//! Ballista's own scheduler works on until a job is done, whether or not somebody waits for it. A client
//! follows its job by a stream, and whatever becomes of the client, the stream ends with it: so the
//! stream is what is watched here.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use ballista_core::serde::protobuf::{
    CancelJobParams, CancelJobResult, CleanJobDataParams, CleanJobDataResult,
    CreateUpdateSessionParams, CreateUpdateSessionResult, ExecuteQueryParams, ExecuteQueryResult,
    ExecutorRegistration, ExecutorStoppedParams, ExecutorStoppedResult, GetJobMetricsParams,
    GetJobMetricsResult, GetJobStatusParams, GetJobStatusResult, HeartBeatParams, HeartBeatResult,
    PollWorkParams, PollWorkResult, RegisterExecutorParams, RegisterExecutorResult,
    RemoveSessionParams, RemoveSessionResult, UpdateTaskStatusParams, UpdateTaskStatusResult,
    job_status, scheduler_grpc_server::SchedulerGrpc,
};
use ballista_scheduler::scheduler_server::SchedulerServer;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use futures::{Stream, StreamExt};
use tokio::time::sleep;
use tonic::{Request, Response, Status};

/// Ballista's scheduler.
pub(super) type Server = SchedulerServer<LogicalPlanNode, PhysicalPlanNode>;
type Statuses = <Server as SchedulerGrpc>::ExecuteQueryPushStream;
type Answer<T> = Result<Response<T>, Status>;

/// Ballista's scheduler, but for jobs that nobody waits for.
pub(super) struct Watched(pub Server);

/// What becomes of a job, for the client that waits for it.
pub(super) struct Job {
    server: Server,
    /// Not there only while the job is dropped.
    statuses: Option<Statuses>,
    id: Option<String>,
    is_over: bool,
}

impl Stream for Job {
    type Item = Result<GetJobStatusResult, Status>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(statuses) = &mut self.statuses else {
            return Poll::Ready(None);
        };
        let polled = statuses.poll_next_unpin(context);
        if let Poll::Ready(Some(Ok(result))) = &polled
            && let Some(status) = &result.status
        {
            self.id.get_or_insert_with(|| status.job_id.clone());
            self.is_over |= is_over(status.status.as_ref());
        }
        polled
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        let (server, id, statuses) = (self.server.clone(), self.id.take(), self.statuses.take());
        tokio::spawn(async move {
            let id = match id {
                Some(id) => Some(id),
                None => first_id(statuses).await,
            };
            if let Some(id) = id {
                cancel(&server, &id).await;
            }
        });
    }
}

/// The name of a job whose client went before it was told.
async fn first_id(statuses: Option<Statuses>) -> Option<String> {
    let first = statuses?.next().await?.ok()?;
    Some(first.status?.job_id)
}

/// Cancels a job until it is: one that is still being planned has nothing yet to be cancelled.
async fn cancel(server: &Server, id: &str) {
    let job_id = || id.to_owned();
    loop {
        let cancelled =
            SchedulerGrpc::cancel_job(server, Request::new(CancelJobParams { job_id: job_id() }));
        if cancelled.await.is_err() {
            return;
        }
        sleep(Duration::from_millis(200)).await;
        let status = server.get_job_status(Request::new(GetJobStatusParams { job_id: job_id() }));
        match status.await.map(|answer| answer.into_inner().status) {
            Ok(Some(status)) if !is_over(status.status.as_ref()) => {}
            _ => return,
        }
    }
}

fn is_over(status: Option<&job_status::Status>) -> bool {
    use job_status::Status::{Failed, Successful};
    matches!(status, Some(Failed(_) | Successful(_)))
}

/// Executors say by which name others reach them: it is not guessed from connections.
fn named(registration: Option<&ExecutorRegistration>) -> Result<(), Status> {
    match registration {
        Some(registration) if registration.host.is_none() => {
            Err(Status::invalid_argument("an executor without a name"))
        }
        _ => Ok(()),
    }
}

#[tonic::async_trait]
impl SchedulerGrpc for Watched {
    type ExecuteQueryPushStream = Job;

    async fn execute_query_push(&self, request: Request<ExecuteQueryParams>) -> Answer<Job> {
        let server = self.0.clone();
        // A task of its own: it is not dropped with the connection, but its result then is, a job that
        // has been accepted and has to be cancelled.
        let accepted = tokio::spawn(async move {
            let answer = server.execute_query_push(request).await?;
            Ok(answer.map(|statuses| Job {
                server,
                statuses: Some(statuses),
                id: None,
                is_over: false,
            }))
        });
        accepted
            .await
            .unwrap_or_else(|error| Err(Status::internal(error.to_string())))
    }

    async fn poll_work(&self, request: Request<PollWorkParams>) -> Answer<PollWorkResult> {
        named(request.get_ref().metadata.as_ref())?;
        self.0.poll_work(request).await
    }

    async fn register_executor(
        &self,
        request: Request<RegisterExecutorParams>,
    ) -> Answer<RegisterExecutorResult> {
        named(request.get_ref().metadata.as_ref())?;
        self.0.register_executor(request).await
    }

    async fn heart_beat_from_executor(
        &self,
        request: Request<HeartBeatParams>,
    ) -> Answer<HeartBeatResult> {
        named(request.get_ref().metadata.as_ref())?;
        self.0.heart_beat_from_executor(request).await
    }

    async fn update_task_status(
        &self,
        request: Request<UpdateTaskStatusParams>,
    ) -> Answer<UpdateTaskStatusResult> {
        SchedulerGrpc::update_task_status(&self.0, request).await
    }

    async fn create_update_session(
        &self,
        request: Request<CreateUpdateSessionParams>,
    ) -> Answer<CreateUpdateSessionResult> {
        self.0.create_update_session(request).await
    }

    async fn remove_session(
        &self,
        request: Request<RemoveSessionParams>,
    ) -> Answer<RemoveSessionResult> {
        self.0.remove_session(request).await
    }

    async fn execute_query(
        &self,
        request: Request<ExecuteQueryParams>,
    ) -> Answer<ExecuteQueryResult> {
        self.0.execute_query(request).await
    }

    async fn get_job_status(
        &self,
        request: Request<GetJobStatusParams>,
    ) -> Answer<GetJobStatusResult> {
        self.0.get_job_status(request).await
    }

    async fn get_job_metrics(
        &self,
        request: Request<GetJobMetricsParams>,
    ) -> Answer<GetJobMetricsResult> {
        self.0.get_job_metrics(request).await
    }

    async fn executor_stopped(
        &self,
        request: Request<ExecutorStoppedParams>,
    ) -> Answer<ExecutorStoppedResult> {
        self.0.executor_stopped(request).await
    }

    async fn cancel_job(&self, request: Request<CancelJobParams>) -> Answer<CancelJobResult> {
        SchedulerGrpc::cancel_job(&self.0, request).await
    }

    async fn clean_job_data(
        &self,
        request: Request<CleanJobDataParams>,
    ) -> Answer<CleanJobDataResult> {
        self.0.clean_job_data(request).await
    }
}
