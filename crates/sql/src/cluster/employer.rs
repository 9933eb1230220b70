//! What passes between an executor and its scheduler beside what Ballista says.
//!
//! Ballista cancels a task by one call, which misses those that have not begun, and tells the end of a task
//! by one call, which may be lost. So whoever works asks whether somebody waits for his job, and who has
//! ended says so again when that should long be known: a scheduler that did not know it has lost the task.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use ballista_core::serde::protobuf::{
    FailedTask, GetJobStatusParams, ResultLost, TaskStatus, UpdateTaskStatusParams,
    failed_task::FailedReason, job_status::Status, scheduler_grpc_client::SchedulerGrpcClient,
    task_status,
};
use log::warn;
use tokio::{runtime::Handle, time::sleep};
use tonic::transport::Channel;

use super::{Error, client::Address, scheduler::LARGEST_MESSAGE, watch::is_over};

/// The scheduler of an executor.
#[derive(Clone, Debug)]
pub(super) struct Employer {
    /// Who works for it.
    executor: String,
    scheduler: SchedulerGrpcClient<Channel>,
    heartbeat: Duration,
    /// Not that of the tasks, which may be busy.
    runtime: Handle,
}

/// In heartbeats: how long after the end of a task it is said again, when Ballista has told it or given up.
const SAID_AGAIN: u32 = 4;
/// In heartbeats: how often folders of jobs are removed that nobody knows.
const BETWEEN_SWEEPS: u32 = 30;

impl Employer {
    /// The scheduler at an address, which is called when there is something to say.
    pub fn new(
        executor: &str,
        scheduler: &Address,
        heartbeat: Duration,
    ) -> Result<Employer, Error> {
        let channel = scheduler.endpoint()?.connect_lazy();
        Ok(Employer {
            executor: executor.to_owned(),
            scheduler: SchedulerGrpcClient::new(channel).max_decoding_message_size(LARGEST_MESSAGE),
            heartbeat,
            runtime: Handle::current(),
        })
    }

    /// What has become of a job; `None` if the scheduler does not know it.
    async fn status(&self, job: &str) -> Result<Option<Status>, tonic::Status> {
        let job_id = job.to_owned();
        let mut scheduler = self.scheduler.clone();
        let told = scheduler.get_job_status(GetJobStatusParams { job_id });
        let status = told.await?.into_inner().status;
        Ok(status.and_then(|it| it.status))
    }

    /// Removes folders of jobs again and again, if the jobs have failed or are forgotten: Ballista asks
    /// for that once, when a task may still write there.
    pub async fn sweep(&self, jobs: &Path) {
        loop {
            sleep(self.heartbeat.saturating_mul(BETWEEN_SWEEPS)).await;
            if let Err(error) = self.remove_unknown(jobs).await {
                warn!("{}: {error}", jobs.display());
            }
        }
    }

    async fn remove_unknown(&self, jobs: &Path) -> io::Result<()> {
        let folders: io::Result<Vec<PathBuf>> =
            fs::read_dir(jobs)?.map(|entry| Ok(entry?.path())).collect();
        for folder in folders? {
            let job = folder.file_name().and_then(|name| name.to_str());
            let Some(job) = job else { continue };
            if let Ok(None | Some(Status::Failed(_))) = self.status(job).await {
                let removed = folder.clone();
                let removed = self
                    .runtime
                    .spawn_blocking(|| fs::remove_dir_all(removed))
                    .await?;
                if let Err(error) = removed {
                    // Others can be removed all the same.
                    warn!("{}: {error}", folder.display());
                }
            }
        }
        Ok(())
    }
}

/// A task that is worked on until this is dropped.
#[derive(Debug)]
pub(super) struct Task {
    pub employer: Employer,
    pub job: String,
    pub step: usize,
    pub number: usize,
}

impl Task {
    /// Whether nobody waits for it; as long as nobody says so, somebody does.
    pub async fn is_unwanted(&self) -> bool {
        let status = self.employer.status(&self.job).await;
        status.is_ok_and(|status| status.is_none() || is_over(status.as_ref()))
    }

    /// Waits until nobody waits for it.
    pub async fn unwanted(&self) {
        while !self.is_unwanted().await {
            sleep(self.employer.heartbeat).await;
        }
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        let failed = FailedTask {
            failed_reason: Some(FailedReason::ResultLost(ResultLost {})),
            ..FailedTask::default()
        };
        let ended = UpdateTaskStatusParams {
            executor_id: self.employer.executor.clone(),
            task_status: vec![TaskStatus {
                job_id: self.job.clone(),
                stage_id: self.step as u32,
                task_id: self.number as u32,
                status: Some(task_status::Status::Failed(failed)),
                ..TaskStatus::default()
            }],
        };
        let employer = self.employer.clone();
        self.employer.runtime.spawn(async move {
            let mut scheduler = employer.scheduler;
            sleep(employer.heartbeat.saturating_mul(SAID_AGAIN)).await;
            while scheduler.update_task_status(ended.clone()).await.is_err() {
                sleep(employer.heartbeat).await;
            }
        });
    }
}
