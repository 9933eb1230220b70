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
    /// For files, which take minutes: questions do not wait for them.
    file_places: Arc<Semaphore>,
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
            file_places: Arc::new(Semaphore::new(limits.work.saturating_sub(1).max(1))),
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
        self.ask_within(&self.places, self.limits.time, opened, work)
            .await
    }

    /// The same for what makes or reads files.
    pub async fn ask_files<T: Send + 'static>(
        &self,
        opened: Arc<Opened>,
        work: impl FnOnce(&Work) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        self.ask_within(&self.file_places, self.limits.file_time, opened, work)
            .await
    }

    async fn ask_within<T: Send + 'static>(
        &self,
        places: &Arc<Semaphore>,
        time: Duration,
        opened: Arc<Opened>,
        work: impl FnOnce(&Work) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let place = self.place(places).await?;
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

    async fn place(&self, places: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Failure> {
        let busy = || Failure::busy("too many questions at once: ask again soon");
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= self.limits.waiting {
            drop(Queued(&self.waiting));
            return Err(busy());
        }
        let _queued = Queued(&self.waiting);
        let place = timeout(self.limits.time, Arc::clone(places).acquire_owned()).await;
        place.ok().and_then(Result::ok).ok_or_else(busy)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::shelf::Shelf;

    fn desk(work: usize, waiting: usize, time: Duration) -> Arc<Desk> {
        Arc::new(Desk::new(Limits {
            work,
            waiting,
            time,
            ..Limits::default()
        }))
    }

    /// A database with nothing in it.
    fn opened() -> Arc<Opened> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.tabiya");
        let importer = tabiya::store::Store::import(&path).expect("a store");
        importer.finish().expect("a store");
        Shelf::open(&path).expect("a store").now()
    }

    /// Works until nobody waits any more, and says so.
    fn endless(ended: Arc<AtomicBool>) -> impl FnOnce(&Work) -> Result<(), Failure> + Send {
        move |work| {
            let patience = Instant::now() + Duration::from_secs(20);
            while !work.cancel.load(Ordering::Relaxed) && Instant::now() < patience {
                std::thread::sleep(Duration::from_millis(5));
            }
            ended.store(work.cancel.load(Ordering::Relaxed), Ordering::Relaxed);
            Ok(())
        }
    }

    async fn wait_for(flag: &AtomicBool) {
        for _ in 0..400 {
            if flag.load(Ordering::Relaxed) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("it never ended");
    }

    #[tokio::test]
    async fn work_ends_when_its_client_has_gone() {
        let desk = desk(1, 5, Duration::from_secs(60));
        let ended = Arc::new(AtomicBool::new(false));
        let question = desk.ask(opened(), endless(Arc::clone(&ended)));
        // Whoever stops asking drops the question.
        let asked = timeout(Duration::from_millis(50), question).await;
        assert!(asked.is_err());
        wait_for(&ended).await;
        assert!(
            desk.ask(opened(), |_| Ok(())).await.is_ok(),
            "its place is free again"
        );
        assert_eq!(desk.load(), (0, 0));
    }

    #[tokio::test]
    async fn work_that_takes_too_long_ends() {
        let desk = desk(1, 5, Duration::from_millis(50));
        let ended = Arc::new(AtomicBool::new(false));
        assert!(
            desk.ask(opened(), endless(Arc::clone(&ended)))
                .await
                .is_err()
        );
        wait_for(&ended).await;
    }

    #[tokio::test]
    async fn only_so_many_wait() {
        let desk = desk(1, 1, Duration::from_secs(60));
        let opened = opened();
        let ask = || {
            let (desk, opened) = (Arc::clone(&desk), Arc::clone(&opened));
            let ended = Arc::new(AtomicBool::new(false));
            tokio::spawn(async move { desk.ask(opened, endless(ended)).await })
        };
        let (first, second) = (ask(), ask());
        for _ in 0..400 {
            if desk.load() == (1, 1) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(desk.load(), (1, 1));
        assert!(desk.ask(Arc::clone(&opened), |_| Ok(())).await.is_err());
        first.abort();
        second.abort();
        for _ in 0..400 {
            if desk.load() == (0, 0) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("places are not free: {:?}", desk.load());
    }
}
