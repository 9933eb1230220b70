//! Work that goes ahead of whoever takes its results, in a thread of its own.

use std::{
    ops::ControlFlow,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread::{self, JoinHandle},
};

use pyo3::prelude::*;
use tabiya::Error;

use crate::{
    error::{panicked, raised},
    process::Own,
    work::{Signal, TICK},
};

/// So many results wait at most, besides the one that is being made: each may be large.
const AHEAD: usize = 1;

/// Results of work that is under way. The work has ended when this is dropped, unless it waits for others.
pub struct Background<T>(Own<Work<T>>);

struct Work<T> {
    /// Locked by whoever takes a result, never while Python's lock is held. Nothing when nobody wants
    /// more of them.
    results: Mutex<Option<Receiver<Result<T, Error>>>>,
    signal: Arc<Signal>,
    worker: Mutex<Worker>,
}

/// The thread that works, or how it ended.
enum Worker {
    Works(JoinHandle<()>),
    Ended { panicked: bool },
}

impl<T: Send + 'static> Background<T> {
    /// Begins work that hands its results to a function, until that breaks.
    pub fn start(
        signal: Arc<Signal>,
        work: impl FnOnce(&mut dyn FnMut(T) -> ControlFlow<()>) -> Result<(), Error> + Send + 'static,
    ) -> Result<Background<T>, Error> {
        let (sender, results) = mpsc::sync_channel(AHEAD);
        let worker = thread::Builder::new().spawn(move || {
            let mut hand_out = |result| match sender.send(Ok(result)) {
                Ok(()) => ControlFlow::Continue(()),
                // Nobody is there any more.
                Err(_) => ControlFlow::Break(()),
            };
            if let Err(error) = work(&mut hand_out) {
                // Nobody is there to hear it, or somebody hears it.
                let _ = sender.send(Err(error));
            }
        });
        let worker = worker.map_err(|error| Error::new(tabiya::ErrorKind::Io, error))?;
        Ok(Background(Own::new(Work {
            results: Mutex::new(Some(results)),
            signal,
            worker: Mutex::new(Worker::Works(worker)),
        })))
    }

    /// The next result, for whoever has Python's lock, and looks after Ctrl-C meanwhile; `None` at the
    /// end.
    pub fn next(&self, py: Python<'_>) -> PyResult<Option<T>> {
        let work = self.0.here()?;
        loop {
            let received = py.detach(|| match &*work.receiver() {
                Some(results) => results.recv_timeout(TICK),
                None => Err(RecvTimeoutError::Disconnected),
            });
            match received {
                Ok(result) => return result.map(Some).map_err(|error| raised(&error)),
                Err(RecvTimeoutError::Disconnected) => {
                    let ended = py.detach(|| work.end());
                    return ended.map(|()| None).map_err(|error| raised(&error));
                }
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            }
        }
    }

    /// The next result, for whoever has nothing to do with Python.
    pub fn wait(&self) -> Option<Result<T, Error>> {
        let work = match self.0.get() {
            Ok(work) => work,
            Err(error) => return Some(Err(error)),
        };
        let received = work.receiver().as_ref()?.recv();
        match received {
            Ok(result) => Some(result),
            Err(_) => work.end().err().map(Err),
        }
    }

    /// Ends the work and waits until it has ended, so that its files are closed and its memory is
    /// free. Without Python's lock, if this thread has it.
    pub fn stop(&self) {
        let Ok(work) = self.0.get() else {
            return;
        };
        let ended = Python::try_attach(|py| py.detach(|| work.stop()));
        if ended.is_none() {
            work.stop();
        }
    }
}

impl<T> Work<T> {
    /// The work is over. If it panicked, results stop early, which nobody shall take for the end.
    fn end(&self) -> Result<(), Error> {
        let mut worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut *worker, Worker::Ended { panicked: false });
        let has_panicked = match before {
            Worker::Works(thread) => thread.join().is_err(),
            Worker::Ended { panicked } => panicked,
        };
        *worker = Worker::Ended {
            panicked: has_panicked,
        };
        match has_panicked {
            true => Err(panicked()),
            false => Ok(()),
        }
    }

    fn stop(&self) {
        self.signal.cancel();
        // First of all, so that a worker with a result to hand out goes on.
        *self.receiver() = None;
        // Whoever is silent may be so for ever; the thread ends with the next bytes, and does nothing more.
        if self.signal.depends_on_others() {
            return;
        }
        // Nobody is there to hear of a panic.
        let _ = self.end();
    }

    fn receiver(&self) -> MutexGuard<'_, Option<Receiver<Result<T, Error>>>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Drop for Work<T> {
    /// Whoever drops it may be a thread of another library, which must not wait for Python's lock.
    fn drop(&mut self) {
        self.stop();
    }
}
