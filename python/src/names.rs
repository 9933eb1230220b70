//! Names that are spelled in several ways.

use std::{path::PathBuf, sync::Arc};

use pyo3::{prelude::*, types::PyDict};
use tabiya::{
    Filter,
    names::{Group, Kind, Level, Proposals},
};

use crate::{
    duplicates::Given,
    error::bad_value,
    filter::filter,
    plan::Plan,
    values::{arguments, at_least_one},
    work::{self, Signal},
};

/// Spellings of names that are one player, one event or one site.
///
/// `databases` are paths or Databases, one or several, each once. `kinds` are players, events and sites;
/// `all` proposes what is only perhaps one, too. `spelling` is a file as Scid has them, `fide` the list
/// that FIDE publishes. Other keywords are filters.
///
/// >>> import tabiya
/// >>> tabiya.names("samples/famous.pgn", kinds=["players"]).groups
/// []
#[pyfunction]
#[pyo3(signature = (databases, *, kinds=None, all=false, spelling=None, fide=None, progress=None, **filters))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub fn names(
    py: Python<'_>,
    databases: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = arguments::kinds)] kinds: Option<Vec<String>>,
    all: bool,
    spelling: Option<PathBuf>,
    fide: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
    filters: Option<&Bound<'_, PyDict>>,
) -> PyResult<Names> {
    let given = Given::all(databases)?;
    let filter = filter(&Filter::default(), filters)?;
    let kinds = match kinds {
        Some(kinds) => at_least_one("kinds", kinds)?
            .iter()
            .map(|kind| read_kind(kind))
            .collect::<PyResult<Vec<_>>>()?,
        None => Kind::ALL.to_vec(),
    };
    let least = if all { Level::Perhaps } else { Level::Likely };
    let mut names = tabiya::names::Names::new().kinds(&kinds).least(least);
    if let Some(path) = spelling {
        names = names.spelling(path);
    }
    if let Some(path) = fide {
        names = names.fide(path);
    }
    let signal = Arc::new(Signal::default());
    work::run(py, &signal, progress.as_ref(), || {
        let databases = Given::lease_all(&given, &signal)?;
        names.propose(&databases, &filter).map(Names)
    })?
    .get()
}

fn read_kind(name: &str) -> PyResult<Kind> {
    match name {
        "players" => Ok(Kind::Player),
        "events" => Ok(Kind::Event),
        "sites" => Ok(Kind::Site),
        _ => Err(bad_value("kinds", "expected players, events or sites")),
    }
}

/// Spellings that are one: what `tabiya.names` returns.
///
/// >>> import tabiya, tempfile, pathlib
/// >>> path = pathlib.Path(tempfile.mkdtemp(), "games.pgn")
/// >>> with tabiya.create(path) as games:
/// ...     for year, white in enumerate(["Kasparov, Garry"] * 3 + ["Garry Kasparov"], 1980):
/// ...         tags = {"White": white, "Black": "Karpov, Anatoly", "Date": f"{year}.??.??"}
/// ...         _ = games.add(tabiya.Game("1. e4", tags={**tags, "WhiteElo": "2700"}))
/// >>> group = tabiya.names(path, kinds=["players"]).groups[0]
/// >>> group.name, [spelling.name for spelling in group.spellings]
/// ('Kasparov, Garry', ['Garry Kasparov'])
#[pyclass(frozen, module = "tabiya")]
pub struct Names(Proposals);

#[pymethods]
impl Names {
    /// Games that were looked at.
    #[getter]
    fn games(&self) -> u64 {
        self.0.games()
    }

    /// Names with other spellings.
    #[getter]
    fn groups(&self) -> Vec<NameGroup> {
        self.0.groups.iter().map(NameGroup::new).collect()
    }

    /// Names that look alike and are not one, and why.
    #[getter]
    fn apart(&self) -> Vec<(Vec<String>, String)> {
        let apart = self.0.apart.iter();
        apart
            .map(|apart| (apart.names.clone(), apart.reason.clone()))
            .collect()
    }

    /// How many spellings are only perhaps one, and not proposed.
    #[getter]
    fn perhaps(&self) -> usize {
        self.0.perhaps
    }

    /// What is to be changed so that each has one name.
    fn plan(&self, py: Python<'_>) -> PyResult<Plan> {
        work::run_unwatched(py, || self.0.plan()).map(Plan)
    }

    fn __repr__(&self) -> String {
        format!("Names({} groups)", self.0.groups.len())
    }
}

/// A name, and its other spellings.
#[pyclass(frozen, get_all, module = "tabiya")]
pub struct NameGroup {
    /// What it names: player, event or site.
    kind: &'static str,
    /// The name that all get.
    name: String,
    /// What is known of who has it.
    known: String,
    /// The other spellings.
    spellings: Vec<Spelling>,
}

impl NameGroup {
    fn new(group: &Group) -> NameGroup {
        let spellings = group.spellings.iter().map(|spelling| Spelling {
            name: spelling.name.clone(),
            games: spelling.games,
            level: spelling.level.name(),
            reason: spelling.reason.clone(),
        });
        NameGroup {
            kind: group.kind.name(),
            name: group.name.clone(),
            known: group.known.clone(),
            spellings: spellings.collect(),
        }
    }
}

#[pymethods]
impl NameGroup {
    fn __repr__(&self) -> String {
        format!(
            "NameGroup({:?}, {} spellings)",
            self.name,
            self.spellings.len()
        )
    }
}

/// Another spelling of a name.
#[pyclass(frozen, get_all, module = "tabiya")]
#[derive(Clone)]
pub struct Spelling {
    /// The spelling.
    name: String,
    /// Games that have it.
    games: u64,
    /// How sure it is: sure, likely or perhaps.
    level: &'static str,
    /// Why.
    reason: String,
}

#[pymethods]
impl Spelling {
    fn __repr__(&self) -> String {
        format!(
            "Spelling({:?}, {}, games={})",
            self.name, self.level, self.games
        )
    }
}
