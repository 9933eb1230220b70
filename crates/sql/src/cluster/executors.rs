//! What the executors have: cores, and parts of jobs.
//!
//! Ballista goes on with a job whose executor is lost, but not well. It forgets the cores of tasks that it
//! gives up, and with the last one the job stands still. Parts that were done are done once more, and
//! counted twice. So it is kept here who has which cores, until he says that a task has ended or nobody
//! wants the job any more; and a job that has lost something is [begun anew](super::watch).
//!
//! Ballista takes an executor back that it has given up. Here it stays away, for it does not know what has
//! become of its tasks meanwhile: it is refused until it ends.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use ballista_core::{
    JobId,
    error::{BallistaError, Result},
    serde::{
        protobuf::{ExecutorHeartbeat, TaskStatus, failed_task::FailedReason, task_status},
        scheduler::{ExecutorData, ExecutorMetadata},
    },
};
use ballista_scheduler::{
    cluster::{BoundTask, ClusterState, ClusterStateEventStream, ExecutorSlot},
    config::TaskDistributionPolicy,
    state::task_manager::JobInfoCache,
};
use tokio::sync::watch;

/// The executors, as Ballista knows them, and what they have.
pub(super) struct Executors {
    state: Arc<dyn ClusterState>,
    /// Whoever has it gives tasks to executors, or changes who they are.
    turn: tokio::sync::Mutex<()>,
    taken: Mutex<HashMap<String, Taken>>,
    jobs: Mutex<HashMap<String, Job>>,
    /// Those that were given up, or have ended.
    gone: Mutex<HashSet<String>>,
}

/// A job that somebody waits for.
#[derive(Default)]
struct Job {
    /// Who has worked for it.
    executors: HashSet<String>,
    lost: watch::Sender<Option<Loss>>,
}

/// A job that is followed.
pub(super) struct Followed {
    executors: Arc<Executors>,
    pub job: String,
    /// Tells a loss before Ballista hears of it.
    pub lost: watch::Receiver<Option<Loss>>,
}

impl Drop for Followed {
    fn drop(&mut self) {
        self.executors.jobs().remove(&self.job);
    }
}

/// What a job has lost.
#[derive(Clone, Debug)]
pub(super) enum Loss {
    /// An executor, with all that it has done.
    Executor(String),
    /// Something that could not be fetched from an executor, and why.
    Part(String),
    /// What an executor has said of a task that has ended.
    Word(String),
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Loss::Executor(executor) => write!(f, "the executor {executor} is lost"),
            Loss::Part(why) => write!(
                f,
                "an executor could not fetch what another has made: {why}"
            ),
            Loss::Word(executor) => {
                write!(
                    f,
                    "what the executor {executor} has said of a task did not come"
                )
            }
        }
    }
}

impl Job {
    /// The first loss is told.
    fn lose(&self, loss: Loss) {
        self.lost.send_if_modified(|known| {
            let is_first = known.is_none();
            known.get_or_insert(loss);
            is_first
        });
    }
}

/// The cores of an executor that are taken.
#[derive(Default)]
struct Taken {
    /// How many, as far as Ballista knows.
    count: u32,
    tasks: HashMap<Task, u32>,
}

#[derive(PartialEq, Eq, Hash)]
struct Task {
    job: String,
    step: usize,
    number: usize,
}

impl Taken {
    /// Forgets the tasks of other jobs than these. How many cores are free that Ballista does not know
    /// of comes back.
    fn settle(&mut self, jobs: &HashMap<JobId, JobInfoCache>) -> u32 {
        self.tasks
            .retain(|task, _| jobs.contains_key(&JobId::new(task.job.as_str())));
        let count = self.tasks.values().sum();
        let free = self.count.saturating_sub(count);
        self.count = count;
        free
    }
}

impl Executors {
    pub fn new(state: Arc<dyn ClusterState>) -> Executors {
        Executors {
            state,
            turn: tokio::sync::Mutex::default(),
            taken: Mutex::default(),
            jobs: Mutex::default(),
            gone: Mutex::default(),
        }
    }

    fn gone(&self) -> MutexGuard<'_, HashSet<String>> {
        self.gone.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn jobs(&self) -> MutexGuard<'_, HashMap<String, Job>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Follows a job, as long as what comes back lives.
    pub fn follow(self: &Arc<Self>, job: &str) -> Followed {
        let mut jobs = self.jobs();
        let lost = jobs.entry(job.to_owned()).or_default().lost.subscribe();
        Followed {
            executors: Arc::clone(self),
            job: job.to_owned(),
            lost,
        }
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<String, Taken>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of tasks that have ended. What was news comes back: of other tasks nothing is expected,
    /// and Ballista would count their rows twice.
    pub fn ended(&self, executor: &str, mut statuses: Vec<TaskStatus>) -> Vec<TaskStatus> {
        let mut taken = self.taken();
        let tasks = taken.get_mut(executor).map(|taken| &mut taken.tasks);
        let Some(tasks) = tasks else {
            return Vec::new();
        };
        statuses.retain(|status| {
            let task = Task {
                job: status.job_id.clone(),
                step: status.stage_id as usize,
                number: status.task_id as usize,
            };
            has_ended(status) && tasks.remove(&task).is_some()
        });
        for status in &statuses {
            if let Some(loss) = loss(executor, status)
                && let Some(job) = self.jobs().get(&status.job_id)
            {
                job.lose(loss);
            }
        }
        statuses
    }
}

fn has_ended(status: &TaskStatus) -> bool {
    use task_status::Status::{Failed, Successful};
    matches!(status.status, Some(Failed(_) | Successful(_)))
}

/// What is lost by the end of a task, if that is why it failed.
fn loss(executor: &str, status: &TaskStatus) -> Option<Loss> {
    let Some(task_status::Status::Failed(failed)) = &status.status else {
        return None;
    };
    match failed.failed_reason {
        Some(FailedReason::FetchPartitionError(_)) => Some(Loss::Part(failed.error.clone())),
        Some(FailedReason::ResultLost(_)) => Some(Loss::Word(executor.to_owned())),
        _ => None,
    }
}

#[tonic::async_trait]
impl ClusterState for Executors {
    async fn init(&self) -> Result<()> {
        self.state.init().await
    }

    async fn bind_schedulable_tasks(
        &self,
        distribution: TaskDistributionPolicy,
        active_jobs: Arc<HashMap<JobId, JobInfoCache>>,
        executors: Option<HashSet<String>>,
    ) -> Result<Vec<BoundTask>> {
        let _turn = self.turn.lock().await;
        let settle = |(executor, taken): (&String, &mut Taken)| {
            let free = taken.settle(&active_jobs);
            (free > 0).then(|| (executor.clone(), free))
        };
        let free: Vec<ExecutorSlot> = self.taken().iter_mut().filter_map(settle).collect();
        self.state.unbind_tasks(free).await?;
        let bound = self
            .state
            .bind_schedulable_tasks(distribution, active_jobs, executors)
            .await?;
        let (mut all, mut jobs) = (self.taken(), self.jobs());
        for (executor, task) in &bound {
            if let Some(job) = jobs.get_mut(task.key.job_id.as_str()) {
                job.executors.insert(executor.clone());
            }
            let taken = all.entry(executor.clone()).or_default();
            let key = Task {
                job: task.key.job_id.to_string(),
                step: task.key.stage_id,
                number: task.key.task_id,
            };
            taken.tasks.insert(key, task.vcores_consumed);
            taken.count += task.vcores_consumed;
        }
        Ok(bound)
    }

    /// Nothing: cores are given back before the next ones are taken.
    async fn unbind_tasks(&self, _: Vec<ExecutorSlot>) -> Result<()> {
        Ok(())
    }

    async fn register_executor(
        &self,
        metadata: ExecutorMetadata,
        spec: ExecutorData,
    ) -> Result<()> {
        let _turn = self.turn.lock().await;
        if self.gone().contains(&metadata.id) {
            let words = format!("the executor {} was given up", metadata.id);
            return Err(BallistaError::General(words));
        }
        self.state.register_executor(metadata, spec).await
    }

    async fn save_executor_metadata(&self, metadata: ExecutorMetadata) -> Result<()> {
        self.state.save_executor_metadata(metadata).await
    }

    async fn get_executor_metadata(&self, executor: &str) -> Result<ExecutorMetadata> {
        self.state.get_executor_metadata(executor).await
    }

    async fn registered_executor_metadata(&self) -> Vec<ExecutorMetadata> {
        self.state.registered_executor_metadata().await
    }

    async fn save_executor_heartbeat(&self, heartbeat: ExecutorHeartbeat) -> Result<()> {
        self.state.save_executor_heartbeat(heartbeat).await
    }

    async fn remove_executor(&self, executor: &str) -> Result<()> {
        let _turn = self.turn.lock().await;
        for job in self.jobs().values() {
            if job.executors.contains(executor) {
                job.lose(Loss::Executor(executor.to_owned()));
            }
        }
        self.taken().remove(executor);
        self.gone().insert(executor.to_owned());
        self.state.remove_executor(executor).await
    }

    fn executor_heartbeats(&self) -> HashMap<String, ExecutorHeartbeat> {
        self.state.executor_heartbeats()
    }

    fn get_executor_heartbeat(&self, executor: &str) -> Option<ExecutorHeartbeat> {
        self.state.get_executor_heartbeat(executor)
    }

    async fn cluster_state_events(&self) -> Result<ClusterStateEventStream> {
        self.state.cluster_state_events().await
    }
}

#[cfg(test)]
mod tests {
    use ballista_core::serde::protobuf::{
        FailedTask, FetchPartitionError, ResultLost, RunningTask, SuccessfulTask,
    };
    use ballista_scheduler::{cluster::BallistaCluster, config::SchedulerConfig};

    use super::*;

    async fn executors() -> Arc<Executors> {
        let cluster = BallistaCluster::new_from_config(&SchedulerConfig::default()).await;
        Arc::new(Executors::new(cluster.expect("a cluster").cluster_state()))
    }

    fn task(job: &str, number: usize) -> Task {
        Task {
            job: job.to_owned(),
            step: 1,
            number,
        }
    }

    /// An executor begins the first task of a job.
    fn begin(executors: &Executors, executor: &str, job: &str) {
        let mut taken = executors.taken();
        let taken = taken.entry(executor.to_owned()).or_default();
        taken.tasks.insert(task(job, 0), 1);
        taken.count += 1;
    }

    /// What is told of the first task of a job.
    fn told(job: &str, status: task_status::Status) -> Vec<TaskStatus> {
        vec![TaskStatus {
            job_id: job.to_owned(),
            stage_id: 1,
            status: Some(status),
            ..TaskStatus::default()
        }]
    }

    fn failed(job: &str, reason: FailedReason) -> Vec<TaskStatus> {
        let failed = FailedTask {
            error: "3 of 5 rows came".to_owned(),
            failed_reason: Some(reason),
            ..FailedTask::default()
        };
        told(job, task_status::Status::Failed(failed))
    }

    fn unfetched() -> FailedReason {
        FailedReason::FetchPartitionError(FetchPartitionError::default())
    }

    fn lost(followed: &Followed) -> Option<String> {
        followed.lost.borrow().as_ref().map(Loss::to_string)
    }

    #[tokio::test]
    async fn only_whoever_has_worked_for_a_job_is_lost_to_it() {
        let executors = executors().await;
        let (one, other) = (executors.follow("one"), executors.follow("other"));
        let worked = |job: &str, executor: &str| {
            let mut jobs = executors.jobs();
            let job = jobs.get_mut(job).expect("it is followed");
            job.executors.insert(executor.to_owned());
        };
        worked("one", "a");
        worked("one", "b");
        worked("other", "b");
        executors.remove_executor("a").await.expect("no more");
        assert!(matches!(&*one.lost.borrow(), Some(Loss::Executor(executor)) if executor == "a"));
        assert!(other.lost.borrow().is_none());
        executors.remove_executor("b").await.expect("no more");
        assert_eq!(
            lost(&one).as_deref(),
            Some("the executor a is lost"),
            "the first one is told"
        );
        assert!(other.lost.borrow().is_some());
        drop((one, other));
        assert!(executors.jobs().is_empty(), "nobody follows them");
    }

    #[tokio::test]
    async fn what_cannot_be_fetched_is_lost_and_what_fails_otherwise_is_not() {
        let executors = executors().await;
        let followed = executors.follow("one");
        let otherwise = FailedReason::ExecutionError(Default::default());
        for (job, reason) in [("one", otherwise), ("another", unfetched())] {
            begin(&executors, "a", job);
            executors.ended("a", failed(job, reason));
            assert_eq!(lost(&followed), None);
        }
        begin(&executors, "a", "one");
        executors.ended("a", failed("one", unfetched()));
        let told = lost(&followed).expect("a loss");
        assert!(told.ends_with("3 of 5 rows came"), "{told}");
    }

    #[tokio::test]
    async fn an_end_that_was_not_told_is_a_loss() {
        let executors = executors().await;
        let followed = executors.follow("one");
        let said_again = || failed("one", FailedReason::ResultLost(ResultLost {}));
        begin(&executors, "a", "one");
        let done = told(
            "one",
            task_status::Status::Successful(SuccessfulTask::default()),
        );
        assert_eq!(executors.ended("a", done).len(), 1);
        assert!(executors.ended("a", said_again()).is_empty(), "it is known");
        assert_eq!(lost(&followed), None);
        begin(&executors, "a", "one");
        executors.ended("a", said_again());
        let told = lost(&followed).expect("a loss");
        assert!(told.contains("the executor a has said"), "{told}");
    }

    #[tokio::test]
    async fn only_the_first_end_of_a_task_that_was_given_counts() {
        let executors = executors().await;
        let done = || {
            told(
                "one",
                task_status::Status::Successful(SuccessfulTask::default()),
            )
        };
        assert!(executors.ended("a", done()).is_empty(), "nobody knows a");
        begin(&executors, "a", "one");
        assert!(executors.ended("b", done()).is_empty(), "it is a's");
        let running = task_status::Status::Running(RunningTask::default());
        assert!(executors.ended("a", told("one", running)).is_empty());
        let mut nothing = done();
        nothing[0].status = None;
        assert!(executors.ended("a", nothing).is_empty(), "no status");
        let mut other = done();
        other[0].task_id = 7;
        assert!(executors.ended("a", other).is_empty(), "no such task");
        assert_eq!(executors.ended("a", done()), done());
        assert!(executors.ended("a", done()).is_empty(), "once more");
    }

    #[tokio::test]
    async fn whoever_was_given_up_stays_away() {
        let executors = executors().await;
        let register = async |id: &str| {
            let metadata = ExecutorMetadata {
                id: id.to_owned(),
                host: "127.0.0.1".to_owned(),
                port: 1,
                grpc_port: 2,
                specification: Default::default(),
                os_info: Default::default(),
            };
            let spec = ExecutorData {
                executor_id: id.to_owned(),
                total_vcores: 1,
                available_vcores: 1,
            };
            executors.register_executor(metadata, spec).await
        };
        register("a").await.expect("a new one");
        executors.remove_executor("a").await.expect("no more");
        register("a").await.expect_err("it was given up");
        register("b").await.expect("another");
    }

    #[test]
    fn cores_of_jobs_that_are_over_are_free() {
        let mut taken = Taken::default();
        taken
            .tasks
            .extend([(task("one", 0), 1), (task("one", 1), 2)]);
        taken.count = 3;
        // One that has ended.
        taken.tasks.remove(&task("one", 0));
        let nobody = HashMap::new();
        assert_eq!(taken.settle(&nobody), 3);
        assert_eq!((taken.count, taken.tasks.len()), (0, 0));
        assert_eq!(taken.settle(&nobody), 0);
    }
}
