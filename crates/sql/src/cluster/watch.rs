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

use ballista_core::{
    JobId,
    serde::protobuf::{
        CancelJobParams, CancelJobResult, CleanJobDataParams, CleanJobDataResult,
        CreateUpdateSessionParams, CreateUpdateSessionResult, ExecuteQueryParams,
        ExecuteQueryResult, ExecutorRegistration, ExecutorStoppedParams, ExecutorStoppedResult,
        FailedJob, GetJobMetricsParams, GetJobMetricsResult, GetJobStatusParams,
        GetJobStatusResult, HeartBeatParams, HeartBeatResult, JobStatus, PollWorkParams,
        PollWorkResult, RegisterExecutorParams, RegisterExecutorResult, RemoveSessionParams,
        RemoveSessionResult, UpdateTaskStatusParams, UpdateTaskStatusResult, job_status,
        scheduler_grpc_server::SchedulerGrpc,
    },
};
use ballista_scheduler::{
    cluster::JobState,
    scheduler_server::{JobIdGenerator, SchedulerServer},
};
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use futures::{
    StreamExt,
    stream::{self, BoxStream},
};
use log::{error, warn};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
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
    pub jobs: Arc<dyn JobState>,
    /// Whether Ballista's scheduler has broken down: then nothing becomes of any job.
    pub broken: CancellationToken,
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
    watched: Watched,
    followed: Followed,
    statuses: Statuses,
}

impl Job {
    /// What becomes of it in the end, or what it has lost: then nothing that is told of it counts.
    async fn end(&mut self) -> Result<Told, Loss> {
        loop {
            let told = tokio::select! {
                told = self.statuses.next() => told,
                Ok(_) = self.followed.lost.changed() => None,
            };
            if let Some(loss) = &*self.followed.lost.borrow() {
                return Err(loss.clone());
            }
            let Some(told) = told else {
                let words = "planning it ended in a panic, of which the scheduler's log tells";
                self.watched.fail_unplanned(&self.id(), words).await;
                return Ok(Ok(failed(self.followed.job.clone(), words.to_owned())));
            };
            let Ok(GetJobStatusResult { status, .. }) = &told else {
                return Ok(told);
            };
            let Some(status) = status else {
                continue;
            };
            // Another name could neither be cancelled nor begun anew.
            if status.job_id != self.followed.job {
                let words = format!("{} goes by {}", self.followed.job, status.job_id);
                return Ok(Err(Status::internal(words)));
            }
            if is_over(status.status.as_ref()) {
                return Ok(told);
            }
        }
    }

    fn id(&self) -> JobId {
        JobId::new(self.followed.job.as_str())
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        let (watched, id) = (self.watched.clone(), self.id());
        tokio::spawn(async move { watched.see_off(&id).await });
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
            Loss::Executor(_) | Loss::Word(_) => self.executors += 1,
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
    async fn end(mut self, mut job: Job) -> Told {
        loop {
            let loss = match job.end().await {
                Ok(told) => return told,
                Err(loss) => loss,
            };
            let id = job.followed.job.clone();
            // Nobody works for it while its successor is waited for.
            drop(job);
            if self.losses.add(&loss) {
                let words = format!("it was begun anew too often; at last, {loss}");
                return Ok(failed(id, words));
            }
            warn!("Job {id} is begun anew: {loss}");
            sleep(self.losses.pause()).await;
            let request = (self.metadata.clone(), self.params.clone());
            match self.watched.accept(request).await {
                Ok(accepted) => job = accepted.into_inner(),
                Err(status) => return Err(status),
            }
        }
    }
}

/// What is told of a job that has failed.
fn failed(id: String, error: String) -> GetJobStatusResult {
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
        let (watched, id) = (self.clone(), self.names.next());
        let followed = self.executors.follow(&id);
        let request = Request::from_parts(metadata, Extensions::default(), params);
        // A task of its own: it is not dropped with the connection, but its result then is, a job that
        // has been accepted and has to be cancelled.
        let accepted = tokio::spawn(ACCEPTED.scope(id, async move {
            let answer = watched.server.execute_query_push(request).await?;
            Ok(answer.map(|statuses| Job {
                watched,
                followed,
                statuses,
            }))
        }));
        accepted
            .await
            .unwrap_or_else(|error| Err(Status::internal(error.to_string())))
    }
}

/// How often it is looked what has become of a job that nobody waits for, and how often at most: for an
/// hour, and no planning takes as long.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);
const MOST_LOOKS: u32 = 18_000;

impl Watched {
    /// Sees to it that a job ends that nobody waits for, and that it is forgotten: Ballista cannot cancel
    /// one that is still being planned, and keeps for ever what could not be planned.
    async fn see_off(&self, id: &JobId) {
        use job_status::Status::{Failed, Queued, Running, Successful};
        for _ in 0..MOST_LOOKS {
            let status = self.server.state.task_manager.get_job_status(id).await;
            match status.ok().flatten().and_then(|it| it.status) {
                None | Some(Queued(_)) => {}
                Some(Running(_)) => {
                    if let Err(error) = self.server.cancel_job(id.clone()).await {
                        warn!("Job {id} is not cancelled: {error}");
                    }
                }
                Some(Failed(failed)) if failed.started_at == 0 => return self.forget(id).await,
                Some(Failed(_) | Successful(_)) => return,
            }
            sleep(BETWEEN_LOOKS).await;
        }
        self.fail_unplanned(id, "planning it did not end").await;
        self.forget(id).await;
    }

    /// A job that waits to be planned does so no longer.
    async fn fail_unplanned(&self, id: &JobId, words: &str) {
        let failed = self.jobs.fail_unscheduled_job(id, words.to_owned());
        if let Err(error) = failed.await {
            warn!("Job {id}: {words}: {error}");
        }
    }

    async fn forget(&self, id: &JobId) {
        if let Err(error) = self.jobs.remove_job(id).await {
            warn!("Job {id} is not forgotten: {error}");
        }
    }
}

pub(super) fn is_over(status: Option<&job_status::Status>) -> bool {
    use job_status::Status::{Failed, Successful};
    matches!(status, Some(Failed(_) | Successful(_)))
}

/// Executors say all of themselves that Ballista takes for said; and by which name others reach them, for
/// it is not guessed from connections.
fn whole(registration: Option<&ExecutorRegistration>) -> Result<(), Status> {
    match registration {
        Some(ExecutorRegistration {
            host: Some(_),
            specification: Some(_),
            os_info: Some(_),
            ..
        })
        | None => Ok(()),
        Some(_) => Err(Status::invalid_argument(
            "an executor without a name, or which says nothing of its machine",
        )),
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
        Ok(job.map(|job| stream::once(question.end(job)).boxed()))
    }

    async fn poll_work(&self, request: Request<PollWorkParams>) -> Answer<PollWorkResult> {
        whole(request.get_ref().metadata.as_ref())?;
        self.server.poll_work(request).await
    }

    async fn register_executor(
        &self,
        request: Request<RegisterExecutorParams>,
    ) -> Answer<RegisterExecutorResult> {
        whole(request.get_ref().metadata.as_ref())?;
        self.server.register_executor(request).await
    }

    async fn heart_beat_from_executor(
        &self,
        request: Request<HeartBeatParams>,
    ) -> Answer<HeartBeatResult> {
        whole(request.get_ref().metadata.as_ref())?;
        self.server.heart_beat_from_executor(request).await
    }

    async fn update_task_status(
        &self,
        request: Request<UpdateTaskStatusParams>,
    ) -> Answer<UpdateTaskStatusResult> {
        let told = request.into_inner();
        let news = UpdateTaskStatusParams {
            task_status: self.executors.ended(&told.executor_id, told.task_status),
            executor_id: told.executor_id,
        };
        let answer = SchedulerGrpc::update_task_status(&self.server, Request::new(news)).await;
        if let Err(status) = &answer {
            error!("{}", status.message());
            self.broken.cancel();
        }
        answer
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
    use ballista_core::{BALLISTA_PROTOCOL_VERSION, serde::protobuf::TaskStatus};
    use tonic::Code;

    use super::{
        super::scheduler::{self, SchedulerOptions},
        *,
    };

    #[test]
    fn a_question_is_begun_anew_a_few_times_only() {
        for (loss, most) in [
            (Loss::Executor("a".to_owned()), Losses::MOST_EXECUTORS),
            (Loss::Word("a".to_owned()), Losses::MOST_EXECUTORS),
            (Loss::Part("broken".to_owned()), Losses::MOST_PARTS),
        ] {
            let mut losses = Losses::default();
            for time in 0..most {
                assert!(!losses.add(&loss), "{loss}");
                assert_eq!(losses.pause(), Duration::from_secs(time.into()));
            }
            assert!(losses.add(&loss), "{loss}");
        }
    }

    async fn watched() -> Watched {
        let options = SchedulerOptions::default();
        let watched = scheduler::watched(&options, "127.0.0.1".to_owned(), options.bind).await;
        watched.expect("a scheduler")
    }

    #[tokio::test]
    async fn a_job_whose_planning_ends_in_a_panic_fails_and_is_forgotten() {
        let watched = watched().await;
        let id = JobId::new("job");
        watched.jobs.accept_job(&id, "", 1).expect("a job");
        let mut job = Job {
            followed: watched.executors.follow(id.as_str()),
            // As a subscription ends whose other end is dropped.
            statuses: Box::pin(stream::empty()),
            watched: watched.clone(),
        };
        let told = job.end().await.expect("no loss").expect("a status");
        let status = told.status.and_then(|it| it.status);
        assert!(
            matches!(&status, Some(job_status::Status::Failed(failed)) if failed.error.contains("panic")),
            "{status:?}"
        );
        watched.see_off(&id).await;
        let known = watched.jobs.get_job_status(&id).await.expect("an answer");
        assert!(known.is_none(), "{known:?}");
    }

    #[tokio::test]
    async fn an_executor_says_all_that_ballista_takes_for_said() {
        let whole = ExecutorRegistration {
            id: "a".to_owned(),
            host: Some("127.0.0.1".to_owned()),
            specification: Some(Default::default()),
            os_info: Some(Default::default()),
            ballista_protocol_version: BALLISTA_PROTOCOL_VERSION,
            ..ExecutorRegistration::default()
        };
        let watched = watched().await;
        for metadata in [
            ExecutorRegistration {
                host: None,
                ..whole.clone()
            },
            ExecutorRegistration {
                specification: None,
                ..whole.clone()
            },
            ExecutorRegistration {
                os_info: None,
                ..whole.clone()
            },
        ] {
            let metadata = Some(metadata);
            let registration = RegisterExecutorParams {
                metadata: metadata.clone(),
            };
            let refused = watched.register_executor(Request::new(registration)).await;
            let code = refused.map_err(|status| status.code()).err();
            assert_eq!(code, Some(Code::InvalidArgument), "{metadata:?}");
            let heartbeat = HeartBeatParams {
                executor_id: "a".to_owned(),
                metadata,
                ..HeartBeatParams::default()
            };
            let refused = watched.heart_beat_from_executor(Request::new(heartbeat));
            let code = refused.await.map_err(|status| status.code()).err();
            assert_eq!(code, Some(Code::InvalidArgument));
        }
    }

    #[tokio::test]
    async fn what_strangers_say_of_tasks_is_not_believed() {
        let watched = watched().await;
        let status = TaskStatus {
            job_id: "job".to_owned(),
            task_id: u32::MAX,
            ..TaskStatus::default()
        };
        let told = UpdateTaskStatusParams {
            executor_id: "a".to_owned(),
            task_status: vec![status],
        };
        let answer = SchedulerGrpc::update_task_status(&watched, Request::new(told)).await;
        answer.expect("nothing is amiss");
        assert!(!watched.broken.is_cancelled());
    }
}
