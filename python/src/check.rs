//! What is wrong with a database.

use std::{ops::ControlFlow, sync::Arc};

use pyo3::prelude::*;
use tabiya::{
    Error, ErrorKind, Event, Flow, GameSink, Needs,
    check::{self, Checker},
};

use crate::{database::Database, work::Signal};

/// What is wrong with a database: what `Database.check` returns.
///
/// >>> import tabiya
/// >>> tabiya.open("samples/famous.pgn").check()
/// Check(games=34, broken=0, faulty=0)
#[pyclass(frozen, get_all, module = "tabiya")]
pub struct Check {
    /// Games that were looked at.
    games: u64,
    /// Games of which something could not be read.
    broken: u64,
    /// Games with errors or warnings.
    faulty: u64,
    /// What is wrong with the files, in sentences.
    damage: Vec<String>,
    /// What is wrong with games, in their order.
    findings: Vec<Py<Finding>>,
}

impl Check {
    /// Looks at all games; what is damaged is a finding like others, and the rest is looked at, too.
    pub fn of(database: &Database, signal: &Arc<Signal>) -> Result<Check, Error> {
        let leased = match tabiya::is_read_once(database.place()) {
            true => database.lease_strictly(signal)?,
            false => {
                database.check_open()?;
                let how = database.how().clone().salvage(true);
                let opened = how.open(database.place())?;
                signal.watch(opened.filter(database.wanted().clone()))
            }
        };
        let (mut counts, mut findings) = ([0; 3], Vec::new());
        let told = leased.par_numbered(Bench::default, |Bench(mut checker), before| {
            for mut finding in checker.take_findings() {
                finding.game += before;
                findings.push(finding);
            }
            let more = [checker.games(), checker.broken(), checker.faulty()];
            counts
                .iter_mut()
                .zip(more)
                .for_each(|(all, more)| *all += more);
            ControlFlow::Continue(())
        });
        let [games, broken, faulty] = counts;
        let mut damage = leased.damage().to_vec();
        match told {
            // It ends there for whoever salvages it.
            Err(error) if database.reading().salvage && error.kind() != ErrorKind::Cancelled => {
                damage.push(error.to_string());
            }
            told => told?,
        }
        if leased.format().format.name == tabiya::store::FORMAT.name {
            for words in tabiya::store::Store::salvage(leased.path())?.examine() {
                // Whoever opened it may have seen it, too.
                if !damage.contains(&words) {
                    damage.push(words);
                }
            }
        }
        let findings = Python::attach(|py| {
            let findings = findings
                .into_iter()
                .map(|finding| Py::new(py, Finding::of(finding)));
            findings.collect::<PyResult<Vec<_>>>()
        });
        Ok(Check {
            games,
            broken,
            faulty,
            damage,
            findings: findings.map_err(|error| Error::new(ErrorKind::Internal, error))?,
        })
    }
}

#[pymethods]
impl Check {
    /// Whether no game is broken, and no file damaged.
    #[getter]
    fn ok(&self) -> bool {
        self.broken == 0 && self.damage.is_empty()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, KeptCheck)> {
        let restore = py.get_type::<Check>().getattr("_restore")?;
        let findings = self.findings.iter().map(|finding| finding.clone_ref(py));
        let counts = (self.games, self.broken, self.faulty);
        Ok((restore, (counts, self.damage.clone(), findings.collect())))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(counts: (u64, u64, u64), damage: Vec<String>, findings: Vec<Py<Finding>>) -> Check {
        let (games, broken, faulty) = counts;
        Check {
            games,
            broken,
            faulty,
            damage,
            findings,
        }
    }

    fn __repr__(&self) -> String {
        let Check {
            games,
            broken,
            faulty,
            ..
        } = self;
        format!("Check(games={games}, broken={broken}, faulty={faulty})")
    }
}

/// A checker that hears of the numbers that games have in their file.
#[derive(Default)]
struct Bench(Checker);

impl GameSink for Bench {
    fn needs(&mut self) -> Needs {
        self.0.needs()
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::GameStart(place) = event {
            self.0.set_next_number(place.number);
        }
        self.0.event(event)
    }
}

/// What `pickle` keeps: counts, damage, findings.
type KeptCheck = ((u64, u64, u64), Vec<String>, Vec<Py<Finding>>);
/// What it keeps of a finding.
type Kept = (u64, String, String, String, u64, Option<u64>, Option<u32>);

/// Something that is wrong with a game.
///
/// >>> import tabiya, tempfile, pathlib
/// >>> path = pathlib.Path(tempfile.mkdtemp(), "broken.pgn")
/// >>> _ = path.write_text("1. e4 e5 2. Ke3 1-0")
/// >>> for finding in tabiya.open(path).check().findings:
/// ...     print(finding.game, finding.severity, finding.kind, finding.column)
/// 1 warning missing tags 1
/// 1 note incomplete roster 1
/// 1 error illegal move 13
#[pyclass(frozen, get_all, module = "tabiya")]
#[derive(Clone)]
pub struct Finding {
    /// The number of the game.
    game: u64,
    /// How bad it is: error, warning or note.
    severity: String,
    /// What kind of thing it is: illegal move, results differ and others.
    kind: String,
    /// What exactly.
    message: String,
    /// The byte of the file, from 0.
    offset: u64,
    /// The line, from 1; None where the format has no lines.
    line: Option<u64>,
    /// The column, from 1.
    column: Option<u32>,
}

impl Finding {
    fn of(finding: check::Finding) -> Finding {
        let place = finding.place;
        Finding {
            game: finding.game,
            severity: finding.kind.severity().name().to_owned(),
            kind: finding.kind.name().to_owned(),
            message: finding.message,
            offset: place.offset,
            line: (place.line > 0).then_some(place.line),
            column: (place.column > 0).then_some(place.column),
        }
    }
}

#[pymethods]
impl Finding {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Kept,))> {
        let restore = py.get_type::<Finding>().getattr("_restore")?;
        let Finding {
            game,
            severity,
            kind,
            message,
            offset,
            line,
            column,
        } = self.clone();
        let kept = (game, severity, kind, message, offset, line, column);
        Ok((restore, (kept,)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(kept: Kept) -> Finding {
        let (game, severity, kind, message, offset, line, column) = kept;
        Finding {
            game,
            severity,
            kind,
            message,
            offset,
            line,
            column,
        }
    }

    fn __repr__(&self) -> String {
        let Finding {
            game,
            severity,
            message,
            ..
        } = self;
        format!("Finding(game={game}, {severity}, {message:?})")
    }
}
