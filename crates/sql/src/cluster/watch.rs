//! Jobs whose clients have gone are cancelled.
//!
//! Ballista's own scheduler works on until a job is done, whether or not somebody waits for it. A client
//! follows its job by a stream, and whatever becomes of the client, the stream ends with it: so the
//! stream is what is watched here.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
    time::{Duration, UNIX_EPOCH},
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
use ballista_scheduler::scheduler_server::{JobIdGenerator, SchedulerServer};
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use futures::{Stream, StreamExt};
use tokio::time::sleep;
use tonic::{Request, Response, Status};

/// Ballista's scheduler.
pub(super) type Server = SchedulerServer<LogicalPlanNode, PhysicalPlanNode>;
type Statuses = <Server as SchedulerGrpc>::ExecuteQueryPushStream;
type Answer<T> = Result<Response<T>, Status>;

/// Ballista's scheduler, but for jobs that nobody waits for.
pub(super) struct Watched {
    pub server: Server,
    pub names: Arc<Names>,
}

tokio::task_local! {
    /// The name of the job that is being accepted.
    static ACCEPTED: String;
}

/// Names for jobs. Ballista tells the name of a job with its first news, and these may come only when
/// the job is done: so it is asked to take ours.
pub(super) struct Names {
    /// When the scheduler was started, for executors still have results of earlier ones.
    started: u128,
    given: AtomicU64,
}

impl Names {
    pub fn new() -> Names {
        let started = UNIX_EPOCH.elapsed().unwrap_or_default();
        Names {
            started: started.as_millis(),
            given: AtomicU64::new(0),
        }
    }

    fn next(&self) -> String {
        let number = self.given.fetch_add(1, Ordering::Relaxed);
        format!("{:x}-{number}", self.started)
    }
}

#[tonic::async_trait]
impl JobIdGenerator for Names {
    async fn next_id(&self) -> String {
        ACCEPTED
            .try_with(String::clone)
            .unwrap_or_else(|_| self.next())
    }
}

/// What becomes of a job, for the client that waits for it.
pub(super) struct Job {
    server: Server,
    id: String,
    statuses: Statuses,
    is_over: bool,
}

impl Stream for Job {
    type Item = Result<GetJobStatusResult, Status>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let polled = self.statuses.poll_next_unpin(context);
        if let Poll::Ready(Some(Ok(result))) = &polled
            && let Some(status) = &result.status
        {
            self.is_over |= is_over(status.status.as_ref());
        }
        polled
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if !self.is_over {
            let (server, id) = (self.server.clone(), self.id.clone());
            tokio::spawn(async move { cancel(&server, &id).await });
        }
    }
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
        let (server, id) = (self.server.clone(), self.names.next());
        // A task of its own: it is not dropped with the connection, but its result then is, a job that
        // has been accepted and has to be cancelled.
        let accepted = tokio::spawn(ACCEPTED.scope(id.clone(), async move {
            let answer = server.execute_query_push(request).await?;
            Ok(answer.map(|statuses| Job {
                server,
                id,
                statuses,
                is_over: false,
            }))
        }));
        accepted
            .await
            .unwrap_or_else(|error| Err(Status::internal(error.to_string())))
    }

    async fn poll_work(&self, request: Request<PollWorkParams>) -> Answer<PollWorkResult> {
        named(request.get_ref().metadata.as_ref())?;
        self.server.poll_work(request).await
    }

    async fn register_executor(
        &self,
        request: Request<RegisterExecutorParams>,
    ) -> Answer<RegisterExecutorResult> {
        named(request.get_ref().metadata.as_ref())?;
        self.server.register_executor(request).await
    }

    async fn heart_beat_from_executor(
        &self,
        request: Request<HeartBeatParams>,
    ) -> Answer<HeartBeatResult> {
        named(request.get_ref().metadata.as_ref())?;
        self.server.heart_beat_from_executor(request).await
    }

    async fn update_task_status(
        &self,
        request: Request<UpdateTaskStatusParams>,
    ) -> Answer<UpdateTaskStatusResult> {
        SchedulerGrpc::update_task_status(&self.server, request).await
    }

    async fn create_update_session(
        &self,
        request: Request<CreateUpdateSessionParams>,
    ) -> Answer<CreateUpdateSessionResult> {
        self.server.create_update_session(request).await
    }

    async fn remove_session(
        &self,
        request: Request<RemoveSessionParams>,
    ) -> Answer<RemoveSessionResult> {
        self.server.remove_session(request).await
    }

    async fn execute_query(
        &self,
        request: Request<ExecuteQueryParams>,
    ) -> Answer<ExecuteQueryResult> {
        self.server.execute_query(request).await
    }

    async fn get_job_status(
        &self,
        request: Request<GetJobStatusParams>,
    ) -> Answer<GetJobStatusResult> {
        self.server.get_job_status(request).await
    }

    async fn get_job_metrics(
        &self,
        request: Request<GetJobMetricsParams>,
    ) -> Answer<GetJobMetricsResult> {
        self.server.get_job_metrics(request).await
    }

    async fn executor_stopped(
        &self,
        request: Request<ExecutorStoppedParams>,
    ) -> Answer<ExecutorStoppedResult> {
        self.server.executor_stopped(request).await
    }

    async fn cancel_job(&self, request: Request<CancelJobParams>) -> Answer<CancelJobResult> {
        SchedulerGrpc::cancel_job(&self.server, request).await
    }

    async fn clean_job_data(
        &self,
        request: Request<CleanJobDataParams>,
    ) -> Answer<CleanJobDataResult> {
        self.server.clean_job_data(request).await
    }
}
