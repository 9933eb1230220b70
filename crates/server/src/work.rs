//! Questions are worked on beside those who talk to clients, few at a time, and only for as long as
//! somebody waits for the answer.

use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use crate::{failure::Failure, options::Limits, shelf::Opened};

/// Where questions wait and are worked on.
pub struct Desk {
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
    limits: Limits,
}

/// What somebody who works on a question has.
pub struct Work {
    /// The database as it was when the question came.
    pub opened: Arc<Opened>,
    /// Is set when nobody waits for the answer any more.
    pub cancel: Arc<AtomicBool>,
    /// On how many threads a search may run.
    pub jobs: usize,
}

impl Work {
    /// Whether somebody still waits for the answer.
    pub fn go_on(&self) -> ControlFlow<()> {
        match self.cancel.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// Sets the flag when it is dropped: when the client has gone, or has waited too long.
struct Waits(Arc<AtomicBool>);

impl Drop for Waits {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Counts somebody who waits for a place.
struct Queued<'d>(&'d AtomicUsize);

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Desk {
    pub fn new(limits: Limits) -> Desk {
        Desk {
            places: Arc::new(Semaphore::new(limits.work.max(1))),
            waiting: AtomicUsize::new(0),
            limits,
        }
    }

    /// How many questions are worked on, and how many wait.
    pub fn load(&self) -> (usize, usize) {
        let worked_on = self.limits.work.max(1) - self.places.available_permits();
        (worked_on, self.waiting.load(Ordering::Relaxed))
    }

    /// Works on a question about a state of the database.
    pub async fn ask<T: Send + 'static>(
        &self,
        opened: Arc<Opened>,
        work: impl FnOnce(&Work) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        self.ask_within(self.limits.time, opened, work).await
    }

    /// The same for what makes or reads files.
    pub async fn ask_files<T: Send + 'static>(
        &self,
        opened: Arc<Opened>,
        work: impl FnOnce(&Work) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        self.ask_within(self.limits.file_time, opened, work).await
    }

    async fn ask_within<T: Send + 'static>(
        &self,
        time: Duration,
        opened: Arc<Opened>,
        work: impl FnOnce(&Work) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let place = self.place().await?;
        let cancel = Arc::new(AtomicBool::new(false));
        let _waits = Waits(Arc::clone(&cancel));
        let jobs = self.limits.work.max(1);
        let worker = tokio::task::spawn_blocking(move || {
            // The place is free when the work ends, and not when somebody stops waiting for it.
            let _place: OwnedSemaphorePermit = place;
            work(&Work {
                opened,
                cancel,
                jobs,
            })
        });
        match timeout(time, worker).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(Failure::internal("the work on the question broke off")),
            Err(_) => {
                let seconds = time.as_secs();
                Err(Failure::busy(format!(
                    "no answer within {seconds} s: ask for less"
                )))
            }
        }
    }

    async fn place(&self) -> Result<OwnedSemaphorePermit, Failure> {
        let busy = || Failure::busy("too many questions at once: ask again soon");
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= self.limits.waiting {
            drop(Queued(&self.waiting));
            return Err(busy());
        }
        let _queued = Queued(&self.waiting);
        let place = timeout(self.limits.time, Arc::clone(&self.places).acquire_owned()).await;
        place.ok().and_then(Result::ok).ok_or_else(busy)
    }
}
