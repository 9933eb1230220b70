//! New databases.

use std::{
    ffi::CString,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use pyo3::{exceptions::PyResourceWarning, prelude::*};
use tabiya::{Create, NewDatabase, Settings, WriteOptions};

use crate::{
    database::format_of,
    error::{bad_value, usage, warn},
    game::Game,
    loss::Loss,
    process::Own,
    work,
};

/// What is written of games, as keywords say it.
pub struct Writing<'a> {
    pub comments: bool,
    pub variations: bool,
    pub nags: bool,
    pub memory: Option<&'a str>,
    pub index: bool,
    pub one_line: bool,
    pub keep_raw: bool,
}

impl Writing<'_> {
    /// The same for the library.
    pub fn options(&self) -> PyResult<WriteOptions> {
        let mut settings = Settings::new()
            .with(&tabiya_formats::pgn::ONE_LINE, self.one_line)
            .with(&tabiya_formats::pgn::KEEP_RAW, self.keep_raw);
        if let Some(memory) = self.memory {
            tabiya::store::memory_size(memory).map_err(|error| bad_value("memory", error))?;
            settings.set(&tabiya::store::MEMORY, memory);
        }
        if !self.index {
            settings.set(&tabiya::store::NO_INDEX, true);
        }
        Ok(WriteOptions {
            comments: self.comments,
            variations: self.variations,
            nags: self.nags,
            settings,
        })
    }
}

/// Begins a database, in place of what is there; its name says of which format it will be.
///
/// >>> import tabiya, tempfile, pathlib
/// >>> path = pathlib.Path(tempfile.mkdtemp(), "games.si5")
/// >>> with tabiya.create(path) as games:
/// ...     losses = games.add(tabiya.Game("1. e4 e5", tags={"White": "Réti"}))
/// >>> losses
/// []
/// >>> tabiya.open(path)[1].white
/// 'Réti'
///
/// It appears when it is finished: at the end of a `with` that no exception has left. It gets games only:
/// texts that are no games get from one file into another by `tabiya.convert`.
#[pyfunction]
#[pyo3(signature = (path, *, format=None, append=false, password=None, comments=true, variations=true,
                    nags=true, memory=None, index=true, one_line=false, keep_raw=false))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub fn create(
    py: Python<'_>,
    path: PathBuf,
    format: Option<&str>,
    append: bool,
    password: Option<&str>,
    comments: bool,
    variations: bool,
    nags: bool,
    memory: Option<&str>,
    index: bool,
    one_line: bool,
    keep_raw: bool,
) -> PyResult<Writer> {
    let writing = Writing {
        comments,
        variations,
        nags,
        memory,
        index,
        one_line,
        keep_raw,
    };
    let mut create = Create::new().append(append).options(writing.options()?);
    if let Some(format) = format {
        create = create.format(format_of(format)?);
    }
    if let Some(password) = password {
        create = create.password(password);
    }
    // What is there is copied, if more is to be added.
    let database = work::run_unwatched(py, || create.create(&path))?;
    Ok(Writer {
        path: database.path().map_or(path, Path::to_owned),
        format: database.format().to_string(),
        state: Own::new(Mutex::new(State {
            database: Some(database),
            added: 0,
            warnings: Vec::new(),
        })),
    })
}

/// A database that is being made: what `tabiya.create` returns.
///
/// >>> import tabiya, tempfile, pathlib
/// >>> path = pathlib.Path(tempfile.mkdtemp(), "games.pgn")
/// >>> games = tabiya.create(path)
/// >>> _ = games.add(tabiya.Game("1. e4 e5"))
/// >>> games.added, path.exists()
/// (1, False)
/// >>> games.finish()
/// []
#[pyclass(frozen, module = "tabiya")]
pub struct Writer {
    /// Where it will be.
    #[pyo3(get)]
    path: PathBuf,
    /// Its format.
    #[pyo3(get)]
    format: String,
    state: Own<Mutex<State>>,
}

struct State {
    database: Option<NewDatabase>,
    added: u64,
    /// What may be a problem with the database, once it is finished.
    warnings: Vec<String>,
}

impl Drop for Writer {
    /// Whoever forgets to finish it, loses all games, and hears of it.
    fn drop(&mut self) {
        // The files of another process are not this one's to remove.
        let Ok(state) = self.state.get() else {
            return;
        };
        let Some(database) = lock(state).database.take() else {
            return;
        };
        Python::try_attach(|py| {
            // An exception may be under way, which is neither to be seen by a warning nor lost.
            let under_way = PyErr::take(py);
            py.detach(|| drop(database));
            let words = format!(
                "{} was never finished, and is given up",
                self.path.display()
            );
            let words = CString::new(words).unwrap_or_default();
            let kind = py.get_type::<PyResourceWarning>();
            if let Err(error) = PyErr::warn(py, &kind, &words, 1) {
                error.write_unraisable(py, None);
            }
            if let Some(exception) = under_way {
                exception.restore(py);
            }
        });
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Writer {
    fn closed(&self) -> PyErr {
        usage(format_args!(
            "{} is finished or given up",
            self.path.display()
        ))
    }
}

#[pymethods]
impl Writer {
    /// Adds a game, and tells what of it the format cannot hold.
    fn add(&self, py: Python<'_>, game: &Bound<'_, Game>) -> PyResult<Vec<Loss>> {
        let game = &game.get().0;
        let state = self.state.here()?;
        let losses = work::run_unwatched(py, || {
            let mut state = lock(state);
            let Some(mut database) = state.database.take() else {
                return Ok(None);
            };
            let added = database.add(&game.tree);
            // Not after a panic: nobody knows what is in it then, and it is given up.
            state.database = Some(database);
            state.added += u64::from(added.is_ok());
            added.map(Some)
        })?;
        let losses = losses.ok_or_else(|| self.closed())?;
        Ok(Loss::all(&losses, |_| None))
    }

    /// How many games have been added.
    #[getter]
    fn added(&self, py: Python<'_>) -> PyResult<u64> {
        let state = self.state.here()?;
        Ok(py.detach(|| lock(state).added))
    }

    /// Makes the database complete and gives it its name. Returns what may be a problem with it.
    fn finish(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let state = self.state.here()?;
        let database = py.detach(|| lock(state).database.take());
        let database = database.ok_or_else(|| self.closed())?;
        let warnings = work::run_unwatched(py, || database.finish())?;
        py.detach(|| lock(state).warnings.clone_from(&warnings));
        Ok(warnings)
    }

    /// What may be a problem with the database, once it is finished. At the end of a `with`, these are
    /// warnings of Python, too.
    #[getter]
    fn warnings(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let state = self.state.here()?;
        Ok(py.detach(|| lock(state).warnings.clone()))
    }

    /// Gives it up: what was there before stays.
    fn abandon(&self, py: Python<'_>) -> PyResult<()> {
        let state = self.state.here()?;
        py.detach(|| drop(lock(state).database.take()));
        Ok(())
    }

    fn __enter__(slf: PyRef<'_, Writer>) -> PyRef<'_, Writer> {
        slf
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        exception: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let Ok(state) = self.state.get() else {
            // Its maker leaves it, too.
            return Ok(());
        };
        let is_open = py.detach(|| lock(state).database.is_some());
        match (is_open, exception.is_none()) {
            (true, true) => {
                let warnings = self.finish(py)?;
                warnings.iter().try_for_each(|words| warn(py, words))
            }
            (true, false) => self.abandon(py),
            (false, _) => Ok(()),
        }
    }

    fn __repr__(&self) -> String {
        format!("Writer({:?}, format={:?})", self.path, self.format)
    }
}
