//! Long work: without Python's lock, and ended by Ctrl-C.

use std::{
    ops::ControlFlow,
    panic::{self, AssertUnwindSafe},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use pyo3::prelude::*;
use tabiya::{Error, ErrorKind};

use crate::error::{panicked, raised};

/// How often somebody looks whether Ctrl-C was pressed, and tells how far the work has come.
pub const TICK: Duration = Duration::from_millis(50);

/// How far a piece of work has come, and whether it shall end: between the thread that works and the
/// one that waits.
#[derive(Default)]
pub struct Signal {
    state: Mutex<State>,
    answered: Condvar,
}

#[derive(Default)]
struct State {
    cancelled: bool,
    news: Option<Progress>,
    /// Bytes so far: who reads a file once more does not fall back.
    bytes: u64,
    listener: Listener,
    /// The work reads what others may never write, from a pipe for example.
    depends_on_others: bool,
}

/// Who hears how far it is.
#[derive(Default, PartialEq)]
enum Listener {
    #[default]
    Nobody,
    /// Somebody who has not heard anything yet. The work waits for the first answer, so that whoever
    /// says no is heard before something is written, however quick the work is.
    Unheard,
    Heard,
}

impl Signal {
    /// The work ends as soon as it looks.
    pub fn cancel(&self) {
        self.state().cancelled = true;
        self.answered.notify_all();
    }

    /// The work reads what others may never write.
    pub fn depend_on_others(&self) {
        self.state().depends_on_others = true;
    }

    /// Whether nobody knows if it ever ends.
    pub fn depends_on_others(&self) -> bool {
        self.state().depends_on_others
    }

    /// Whether to go on.
    pub fn flow(&self) -> ControlFlow<()> {
        self.state().flow()
    }

    /// The same for work that ends with an error.
    pub fn check(&self) -> Result<(), Error> {
        match self.flow() {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::new(ErrorKind::Cancelled, "cancelled")),
        }
    }

    /// The work has come so far; whether to go on.
    pub fn tell(&self, progress: Progress) -> ControlFlow<()> {
        let mut state = self.state();
        state.bytes = state.bytes.max(progress.bytes);
        state.news = Some(Progress {
            bytes: state.bytes,
            ..progress
        });
        let waits = |state: &mut State| state.listener == Listener::Unheard && !state.cancelled;
        let state = self.answered.wait_while(state, waits);
        state.unwrap_or_else(PoisonError::into_inner).flow()
    }

    /// A database whose reading tells how far it is, and ends when the work shall end.
    pub fn watch(self: &Arc<Signal>, database: tabiya::Database) -> tabiya::Database {
        let signal = Arc::clone(self);
        database.watch(move |progress| {
            signal.tell(Progress {
                games: None,
                bytes: progress.read(),
                total: progress.total(),
            })
        })
    }

    /// The same of several that are one piece of work.
    pub fn watch_all(
        self: &Arc<Signal>,
        databases: Vec<tabiya::Database>,
    ) -> Vec<tabiya::Database> {
        let totals: Vec<_> = databases.iter().map(|it| it.progress().total()).collect();
        let total: Option<u64> = totals.iter().copied().sum();
        let mut before = 0;
        let watched = databases.into_iter().zip(totals).map(|(database, own)| {
            let (signal, first) = (Arc::clone(self), before);
            before += own.unwrap_or_default();
            database.watch(move |progress| {
                signal.tell(Progress {
                    games: None,
                    bytes: first + progress.read(),
                    total,
                })
            })
        });
        watched.collect()
    }

    /// A database whose reading ends when the work shall end, and is no part of what is told.
    pub fn hush(self: &Arc<Signal>, database: tabiya::Database) -> tabiya::Database {
        let signal = Arc::clone(self);
        database.watch(move |_| signal.flow())
    }

    /// What has been told since this was last asked.
    fn news(&self) -> Option<Progress> {
        self.state().news.take()
    }

    /// Somebody listens from now on.
    fn listen(&self) {
        self.state().listener = Listener::Unheard;
    }

    /// Whoever listens has heard something, or will never.
    fn answer(&self) {
        self.state().listener = Listener::Heard;
        self.answered.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn flow(&self) -> ControlFlow<()> {
        match self.cancelled {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// What `pickle` keeps of how far it is.
type KeptProgress = (Option<u64>, u64, Option<u64>);

/// How far a piece of work has come: what `progress=` is called with.
///
/// >>> import tabiya, tempfile, pathlib
/// >>> target = pathlib.Path(tempfile.mkdtemp(), "games.si5")
/// >>> told = []
/// >>> _ = tabiya.convert("samples/famous.pgn", target, progress=told.append)
/// >>> told[-1].games, told[-1].fraction
/// (34, 1.0)
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, KeptProgress)> {
        let restore = py.get_type::<Progress>().getattr("_restore")?;
        Ok((restore, (self.games, self.bytes, self.total)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(games: Option<u64>, bytes: u64, total: Option<u64>) -> Progress {
        Progress {
            games,
            bytes,
            total,
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
/// is. What `progress` raises ends the work, as Ctrl-C does; so does a returned False. Once the work is
/// done, neither takes it back: see [`Done`].
pub fn run<T: Send>(
    py: Python<'_>,
    signal: &Arc<Signal>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<Done<T>> {
    if progress.is_some() {
        signal.listen();
    }
    let (done, finished) = mpsc::channel::<()>();
    let (result, interrupted) = py.detach(move || {
        thread::scope(move |scope| {
            let worker = thread::Builder::new().spawn_scoped(scope, move || {
                let result = work();
                // Whoever waits hears at once that it is over.
                drop(done);
                result
            });
            let worker = match worker {
                Ok(worker) => worker,
                Err(error) => return (Err(Error::new(ErrorKind::Io, error)), None),
            };
            let mut interrupted = None;
            // Soon at first: what is quick shall not wait long for its first answer.
            let mut tick = Duration::from_millis(1);
            while let Err(RecvTimeoutError::Timeout) = finished.recv_timeout(tick) {
                tick = (2 * tick).min(TICK);
                if interrupted.is_none() {
                    interrupted = Python::attach(|py| look(py, signal, progress)).err();
                }
                if interrupted.is_some() {
                    signal.cancel();
                }
            }
            let result = worker.join().unwrap_or_else(|_| Err(panicked()));
            (result, interrupted)
        })
    });
    match (result, interrupted) {
        // What is done is done, whoever did not want it.
        (Ok(value), interrupted) => {
            let told = match interrupted {
                Some(error) => Err(error),
                // The last of it, which nobody may have heard.
                None => tell(py, signal, progress),
            };
            Ok(Done { value, told })
        }
        (Err(_), Some(error)) => Err(error),
        (Err(error), None) => Err(raised(&error)),
    }
}

/// Work that is done, though whoever was told of its end may have raised something.
#[must_use]
pub struct Done<T> {
    value: T,
    told: PyResult<()>,
}

impl<T> Done<T> {
    /// What the work has made.
    pub fn get(self) -> PyResult<T> {
        self.told.map(|()| self.value)
    }

    /// The same after something that was done in any case.
    pub fn after(self, then: PyResult<()>) -> PyResult<T> {
        then?;
        self.get()
    }
}

/// The same for work that nobody watches.
pub fn run_unwatched<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<T> {
    // Nothing that has panicked is used again: what it worked on is dropped, or guarded by locks.
    let result = py.detach(|| panic::catch_unwind(AssertUnwindSafe(work)));
    let result = result.unwrap_or_else(|_| Err(panicked()));
    result.map_err(|error| raised(&error))
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
    signal.answer();
    Ok(())
}
