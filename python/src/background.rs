//! Work that goes ahead of whoever takes its results, in a thread of its own.

use std::{
    ops::ControlFlow,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
};

use pyo3::prelude::*;
use tabiya::Error;

use crate::{
    error::raised,
    work::{Signal, TICK},
};

/// So many results wait at most.
const AHEAD: usize = 4;

/// Results of work that is under way. The work ends when this is dropped.
pub struct Background<T> {
    /// Locked by whoever takes a result, never while Python's lock is held.
    results: Mutex<Receiver<Result<T, Error>>>,
    signal: Arc<Signal>,
}

impl<T: Send + 'static> Background<T> {
    /// Begins work that hands its results to a function, until that breaks.
    pub fn start(
        signal: Arc<Signal>,
        work: impl FnOnce(&mut dyn FnMut(T) -> ControlFlow<()>) -> Result<(), Error> + Send + 'static,
    ) -> Background<T> {
        let (sender, results) = mpsc::sync_channel(AHEAD);
        thread::spawn(move || {
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
        Background {
            results: Mutex::new(results),
            signal,
        }
    }

    /// The next result, for whoever has Python's lock, and looks after Ctrl-C meanwhile; `None` at the
    /// end.
    pub fn next(&self, py: Python<'_>) -> PyResult<Option<T>> {
        loop {
            let received = py.detach(|| self.receiver().recv_timeout(TICK));
            match received {
                Ok(result) => return result.map(Some).map_err(|error| raised(&error)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            }
        }
    }

    /// The next result, for whoever has nothing to do with Python.
    pub fn wait(&self) -> Option<Result<T, Error>> {
        self.receiver().recv().ok()
    }

    fn receiver(&self) -> std::sync::MutexGuard<'_, Receiver<Result<T, Error>>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        self.signal.cancel();
    }
}
