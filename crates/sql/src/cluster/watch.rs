//! Jobs whose clients have gone are cancelled, and jobs whose executors have gone are begun anew.
//!
//! Ballista's own scheduler works on until a job is done, whether or not somebody waits for it. A client
//! follows its job by a stream, and whatever becomes of the client, the stream ends with it: so the
//! stream is what is watched here.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, UNIX_EPOCH},
};

use ballista_core::serde::protobuf::{
    CancelJobParams, CancelJobResult, CleanJobDataParams, CleanJobDataResult,
    CreateUpdateSessionParams, CreateUpdateSessionResult, ExecuteQueryParams, ExecuteQueryResult,
    ExecutorRegistration, ExecutorStoppedParams, ExecutorStoppedResult, FailedJob,
    GetJobMetricsParams, GetJobMetricsResult, GetJobStatusParams, GetJobStatusResult,
    HeartBeatParams, HeartBeatResult, JobStatus, PollWorkParams, PollWorkResult,
    RegisterExecutorParams, RegisterExecutorResult, RemoveSessionParams, RemoveSessionResult,
    UpdateTaskStatusParams, UpdateTaskStatusResult, job_status,
    scheduler_grpc_server::SchedulerGrpc,
};
use ballista_scheduler::scheduler_server::{JobIdGenerator, SchedulerServer};
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use futures::{
    StreamExt, future,
    stream::{self, BoxStream},
};
use log::warn;
use tokio::time::sleep;
use tonic::{Extensions, Request, Response, Status, metadata::MetadataMap};

use super::executors::{Executors, Followed, Loss};

/// Ballista's scheduler.
pub(super) type Server = SchedulerServer<LogicalPlanNode, PhysicalPlanNode>;
type Statuses = <Server as SchedulerGrpc>::ExecuteQueryPushStream;
type Answer<T> = Result<Response<T>, Status>;
type Told = Result<GetJobStatusResult, Status>;

/// Ballista's scheduler, but for jobs that nobody waits for, or that have lost something.
#[derive(Clone)]
pub(super) struct Watched {
    pub server: Server,
    pub names: Arc<Names>,
    pub executors: Arc<Executors>,
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

/// A job that somebody waits for, and what becomes of it.
struct Job {
    server: Server,
    followed: Followed,
    statuses: Statuses,
    is_over: bool,
}

impl Job {
    /// What becomes of it in the end, or what it has lost: then nothing that is told of it counts.
    async fn end(&mut self) -> Result<Option<Told>, Loss> {
        loop {
            let told = tokio::select! {
                told = self.statuses.next() => told,
                Ok(_) = self.followed.lost.changed() => None,
            };
            if let Some(loss) = &*self.followed.lost.borrow() {
                return Err(loss.clone());
            }
            let Some(Ok(result)) = &told else {
                return Ok(told);
            };
            let Some(status) = &result.status else {
                continue;
            };
            // Another name could neither be cancelled nor begun anew.
            if status.job_id != self.followed.job {
                let words = format!("{} goes by {}", self.followed.job, status.job_id);
                return Ok(Some(Err(Status::internal(words))));
            }
            if is_over(status.status.as_ref()) {
                self.is_over = true;
                return Ok(told);
            }
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if !self.is_over {
            let (server, id) = (self.server.clone(), self.followed.job.clone());
            tokio::spawn(async move { cancel(&server, &id).await });
        }
    }
}

/// A question, which may take several jobs to be answered.
struct Question {
    watched: Watched,
    metadata: MetadataMap,
    params: ExecuteQueryParams,
    losses: Losses,
}

/// How often a question was begun anew.
#[derive(Default)]
struct Losses {
    executors: u32,
    parts: u32,
}

impl Losses {
    /// Executors come and go.
    const MOST_EXECUTORS: u32 = 10;
    /// What cannot be fetched from somebody who is there will not be fetched the next time either.
    const MOST_PARTS: u32 = 4;

    /// Whether that is enough.
    fn add(&mut self, loss: &Loss) -> bool {
        match loss {
            Loss::Executor(_) => self.executors += 1,
            Loss::Part(_) => self.parts += 1,
        }
        self.executors > Losses::MOST_EXECUTORS || self.parts > Losses::MOST_PARTS
    }

    /// How long to wait before the next time: perhaps others are lost, too, and nobody knows it yet.
    fn pause(&self) -> Duration {
        Duration::from_secs(u64::from(self.executors + self.parts) - 1)
    }
}

impl Question {
    /// What becomes of it in the end. Clients hear of nothing else: they would take the first job for the
    /// only one.
    async fn end(mut self, mut job: Job) -> Option<Told> {
        loop {
            let loss = match job.end().await {
                Ok(told) => return told,
                Err(loss) => loss,
            };
            let id = job.followed.job.clone();
            // Nobody works for it while its successor is waited for.
            drop(job);
            if self.losses.add(&loss) {
                return Some(Ok(failed(id, &loss)));
            }
            warn!("Job {id} is begun anew: {loss}");
            sleep(self.losses.pause()).await;
            let request = (self.metadata.clone(), self.params.clone());
            match self.watched.accept(request).await {
                Ok(accepted) => job = accepted.into_inner(),
                Err(status) => return Some(Err(status)),
            }
        }
    }
}

/// What is told of a job that loses too much.
fn failed(id: String, loss: &Loss) -> GetJobStatusResult {
    let error = format!("it was begun anew too often; at last, {loss}");
    let failed = FailedJob {
        error,
        ..FailedJob::default()
    };
    GetJobStatusResult {
        status: Some(JobStatus {
            job_id: id,
            status: Some(job_status::Status::Failed(failed)),
            ..JobStatus::default()
        }),
        ..GetJobStatusResult::default()
    }
}

impl Watched {
    /// Begins a job.
    async fn accept(&self, (metadata, params): (MetadataMap, ExecuteQueryParams)) -> Answer<Job> {
        let (server, id) = (self.server.clone(), self.names.next());
        let followed = self.executors.follow(&id);
        let request = Request::from_parts(metadata, Extensions::default(), params);
        // A task of its own: it is not dropped with the connection, but its result then is, a job that
        // has been accepted and has to be cancelled.
        let accepted = tokio::spawn(ACCEPTED.scope(id, async move {
            let answer = server.execute_query_push(request).await?;
            Ok(answer.map(|statuses| Job {
                server,
                followed,
                statuses,
                is_over: false,
            }))
        }));
        accepted
            .await
            .unwrap_or_else(|error| Err(Status::internal(error.to_string())))
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
    type ExecuteQueryPushStream = BoxStream<'static, Told>;

    async fn execute_query_push(
        &self,
        request: Request<ExecuteQueryParams>,
    ) -> Answer<Self::ExecuteQueryPushStream> {
        let (metadata, _, params) = request.into_parts();
        let job = self.accept((metadata.clone(), params.clone())).await?;
        let question = Question {
            watched: self.clone(),
            metadata,
            params,
            losses: Losses::default(),
        };
        Ok(job.map(|job| {
            let end = stream::once(question.end(job));
            end.filter_map(future::ready).boxed()
        }))
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
        let UpdateTaskStatusParams {
            executor_id,
            task_status,
        } = request.get_ref();
        self.executors.ended(executor_id, task_status);
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

    /// Refused: nobody could begin such a job anew.
    async fn execute_query(&self, _: Request<ExecuteQueryParams>) -> Answer<ExecuteQueryResult> {
        Err(Status::unimplemented("ask by execute_query_push"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_begun_anew_a_few_times_only() {
        for (loss, most) in [
            (Loss::Executor("a".to_owned()), Losses::MOST_EXECUTORS),
            (Loss::Part("broken".to_owned()), Losses::MOST_PARTS),
        ] {
            let mut losses = Losses::default();
            for time in 0..most {
                assert!(!losses.add(&loss), "{loss}");
                assert_eq!(losses.pause(), Duration::from_secs(time.into()));
            }
            assert!(losses.add(&loss), "{loss}");
            let told = failed("7".to_owned(), &loss).status.expect("a status");
            assert!(is_over(told.status.as_ref()));
            let Some(job_status::Status::Failed(failed)) = told.status else {
                panic!("{told:?}");
            };
            assert!(
                failed.error.starts_with("it was begun anew too often"),
                "{failed:?}"
            );
            assert!(failed.error.ends_with(&loss.to_string()), "{failed:?}");
        }
    }
}
