//! Games that are in a collection more than once.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use pyo3::{exceptions::PyTypeError, prelude::*, types::PyDict};
use tabiya::{
    Error, Filter, Open,
    duplicates::{How, Preference, find, plan},
};

use crate::{
    database::Database,
    error::{bad_value, usage},
    filter::filter,
    plan::Plan,
    values::{arguments, each, wrong_type},
    work::{self, Signal},
};

/// Databases, by their paths or as they are open.
pub enum Given {
    Path(PathBuf),
    Open(Py<Database>),
}

impl Given {
    /// One.
    pub fn one(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Given> {
        if let Ok(database) = given.cast::<Database>() {
            return Ok(Given::Open(database.clone().unbind()));
        }
        match given.extract::<PathBuf>() {
            Err(error) if error.is_instance_of::<PyTypeError>(given.py()) => {
                Err(wrong_type(name, "a path or a Database", given))
            }
            path => path.map(Given::Path),
        }
    }

    /// One, or several: games are chosen by keywords, and those that are deleted cannot be changed.
    pub fn all(given: &Bound<'_, PyAny>) -> PyResult<Vec<Given>> {
        each("databases", given, |item| {
            let given = Given::one("databases", item)?;
            let Given::Open(database) = &given else {
                return Ok(given);
            };
            let database = database.get();
            if !database.wanted().is_empty() {
                let words =
                    "this Database has filters, which are keywords here: give it without them";
                return Err(usage(words));
            }
            if database.reading().deleted {
                let words = "this Database has deleted games, too, which no plan changes: open it \
                             without deleted";
                return Err(usage(words));
            }
            Ok(given)
        })
    }

    /// Where it is.
    fn path(&self) -> &Path {
        match self {
            Given::Path(path) => path,
            Given::Open(database) => database.get().place(),
        }
    }

    /// Open for one piece of work. Not to be called with Python's lock.
    pub fn lease(&self, signal: &Arc<Signal>) -> Result<tabiya::Database, Error> {
        match self {
            Given::Open(database) => database.get().lease(signal),
            Given::Path(path) => Ok(signal.watch(Open::new().open(path)?)),
        }
    }

    /// The same of all of them.
    pub fn lease_all(all: &[Given], signal: &Arc<Signal>) -> Result<Vec<tabiya::Database>, Error> {
        let all: Result<Vec<_>, _> = all.iter().map(|given| given.lease(signal)).collect();
        Ok(signal.watch_all(all?))
    }
}

/// Games that are in databases more than once: to the letter, or nearly.
///
/// `databases` are paths or Databases, one or several, each once. `exact` finds only games that are the
/// same to the letter. `prefer` says which copy is kept, the most important first: longest, annotated,
/// header, newest, or the path of one of the databases. Other keywords are filters.
///
/// >>> import tabiya
/// >>> found = tabiya.duplicates("samples/famous.pgn")
/// >>> found.copies, len(found.plan)
/// (0, 0)
#[pyfunction]
#[pyo3(signature = (databases, *, exact=false, prefer=Vec::new(), progress=None, **filters))]
pub fn duplicates(
    py: Python<'_>,
    databases: &Bound<'_, PyAny>,
    exact: bool,
    #[pyo3(from_py_with = arguments::prefer)] prefer: Vec<PathBuf>,
    progress: Option<Py<PyAny>>,
    filters: Option<&Bound<'_, PyDict>>,
) -> PyResult<Duplicates> {
    let given = Given::all(databases)?;
    let filter = filter(&Filter::default(), filters)?;
    let how = match exact {
        true => How::Exact,
        false => How::Near,
    };
    let databases = given.iter().map(|given| given.path().to_owned());
    let databases: Vec<PathBuf> = databases.collect();
    let prefer = prefer.iter().map(|which| preference(which, &databases));
    let prefer: Vec<Preference> = prefer.collect::<PyResult<_>>()?;
    let signal = Arc::new(Signal::default());
    work::run(py, &signal, progress.as_ref(), || {
        let databases = Given::lease_all(&given, &signal)?;
        let found = find(&databases, &filter, how)?;
        let plan = plan(&databases, &found, &prefer)?;
        let paths = databases.iter().map(|database| database.path().to_owned());
        Ok(Duplicates {
            found,
            plan,
            paths: paths.collect(),
        })
    })?
    .get()
}

/// What is preferred: a word, or the path of one of the databases.
fn preference(which: &Path, databases: &[PathBuf]) -> PyResult<Preference> {
    let known = Preference::named(which, databases.iter().map(PathBuf::as_path));
    known.ok_or_else(|| {
        let which = which.display();
        let expected = "expected longest, annotated, header, newest or one of the databases";
        bad_value("prefer", format_args!("{which}: {expected}"))
    })
}

/// Games that are in databases more than once: what `tabiya.duplicates` returns.
///
/// >>> import tabiya, tempfile, pathlib
/// >>> store = tabiya.Store(pathlib.Path(tempfile.mkdtemp(), "games.tabiya"), create=True)
/// >>> _ = store.import_(["samples/famous.pgn", "samples/famous.pgn"])
/// >>> store.duplicates()
/// Duplicates(games=68, copies=34)
#[pyclass(frozen, module = "tabiya")]
pub struct Duplicates {
    found: tabiya::duplicates::Found,
    plan: tabiya::plan::Plan,
    paths: Vec<PathBuf>,
}

#[pymethods]
impl Duplicates {
    /// Games that were looked at.
    #[getter]
    fn games(&self) -> u64 {
        self.found.games
    }

    /// Games that could go.
    #[getter]
    fn copies(&self) -> u64 {
        self.found.copies()
    }

    /// Games that are one: each a list of paths and numbers.
    #[getter]
    fn groups(&self) -> Vec<Vec<(PathBuf, u64)>> {
        let place =
            |game: &tabiya::duplicates::GameRef| (self.paths[game.database].clone(), game.number);
        let groups = self.found.groups.iter();
        groups
            .map(|group| group.iter().map(place).collect())
            .collect()
    }

    /// Which copies go, and what those that stay take of them.
    #[getter]
    fn plan(&self) -> Plan {
        Plan(self.plan.clone())
    }

    fn __repr__(&self) -> String {
        let (games, copies) = (self.found.games, self.found.copies());
        format!("Duplicates(games={games}, copies={copies})")
    }
}
