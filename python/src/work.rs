//! Long work: without Python's lock, and ended by Ctrl-C.

use std::{
    ops::ControlFlow,
    panic,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use pyo3::prelude::*;
use tabiya::Error;

use crate::error::raised;

/// How often somebody looks whether Ctrl-C was pressed, and tells how far the work has come.
pub const TICK: Duration = Duration::from_millis(50);

/// How far a piece of work has come, and whether it shall end: between the thread that works and the
/// one that waits.
#[derive(Default)]
pub struct Signal {
    cancelled: AtomicBool,
    progress: Mutex<Option<Progress>>,
}

impl Signal {
    /// The work ends as soon as it looks.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether to go on.
    pub fn flow(&self) -> ControlFlow<()> {
        match self.cancelled.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// The work has come so far; whether to go on.
    pub fn tell(&self, progress: Progress) -> ControlFlow<()> {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
        self.flow()
    }

    /// What has been told since this was last asked.
    fn news(&self) -> Option<Progress> {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.take()
    }
}

/// How far a piece of work has come.
#[pyclass(frozen, get_all, module = "tabiya")]
#[derive(Clone, Copy)]
pub struct Progress {
    /// Games so far, where they are counted.
    pub games: Option<u64>,
    /// Bytes of the inputs that have been read.
    pub bytes: u64,
    /// Bytes of all inputs, if that is known.
    pub total: Option<u64>,
}

#[pymethods]
impl Progress {
    /// Which part of the bytes has been read, from 0 to 1; None if nobody knows.
    #[getter]
    fn fraction(&self) -> Option<f64> {
        match self.total {
            Some(0) => Some(1.0),
            Some(total) => Some((self.bytes as f64 / total as f64).min(1.0)),
            None => None,
        }
    }

    fn __repr__(&self) -> String {
        let games = self
            .games
            .map_or("None".to_owned(), |games| games.to_string());
        let total = self
            .total
            .map_or("None".to_owned(), |total| total.to_string());
        format!(
            "Progress(games={games}, bytes={}, total={total})",
            self.bytes
        )
    }
}

/// Does work in another thread, while this one looks after signals and tells `progress` how far it
/// is. What `progress` raises ends the work, as Ctrl-C does; so does a returned False.
pub fn run<T: Send>(
    py: Python<'_>,
    signal: &Arc<Signal>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<T> {
    let (done, finished) = mpsc::channel::<()>();
    let (result, interrupted) = py.detach(move || {
        thread::scope(move |scope| {
            let worker = scope.spawn(move || {
                let result = work();
                // Whoever waits hears at once that it is over.
                drop(done);
                result
            });
            let mut interrupted = None;
            while let Err(RecvTimeoutError::Timeout) = finished.recv_timeout(TICK) {
                if interrupted.is_none() {
                    interrupted = Python::attach(|py| look(py, signal, progress)).err();
                }
                if interrupted.is_some() {
                    signal.cancel();
                }
            }
            (worker.join(), interrupted)
        })
    });
    if let Some(error) = interrupted {
        return Err(error);
    }
    let value = result
        .unwrap_or_else(|panic| panic::resume_unwind(panic))
        .map_err(|error| raised(&error))?;
    // The last of it, which nobody may have heard.
    tell(py, signal, progress)?;
    Ok(value)
}

/// The same for work that nobody watches.
pub fn run_unwatched<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<T> {
    py.detach(work).map_err(|error| raised(&error))
}

fn look(py: Python<'_>, signal: &Signal, progress: Option<&Py<PyAny>>) -> PyResult<()> {
    py.check_signals()?;
    tell(py, signal, progress)
}

fn tell(py: Python<'_>, signal: &Signal, progress: Option<&Py<PyAny>>) -> PyResult<()> {
    let (Some(callback), Some(news)) = (progress, signal.news()) else {
        return Ok(());
    };
    let answer = callback.call1(py, (news,))?;
    if answer
        .bind(py)
        .extract::<bool>()
        .is_ok_and(|goes_on| !goes_on)
    {
        signal.cancel();
    }
    Ok(())
}
