//! What is wrong with a database.

use std::sync::Arc;

use pyo3::prelude::*;
use tabiya::{
    Error, Event, Flow, GameSink, Needs,
    check::{self, Checker, Severity},
};

use crate::{database::Database, work::Signal};

/// What is wrong with a database: what `Database.check` returns.
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
            true => database.lease(signal)?,
            false => {
                database.check_open()?;
                let how = database.how().clone().salvage(true);
                let opened = how.open(database.place())?;
                signal.watch(opened.filter(database.wanted().clone()))
            }
        };
        let mut bench = Bench(Checker::default());
        leased.tell(&mut bench)?;
        let mut damage = leased.damage().to_vec();
        if leased.format().format.name == tabiya::store::FORMAT.name {
            damage.extend(tabiya::store::Store::salvage(leased.path())?.examine());
            damage.dedup();
        }
        let Bench(mut checker) = bench;
        let findings = checker.take_findings();
        let findings = Python::attach(|py| {
            let findings = findings
                .into_iter()
                .map(|finding| Py::new(py, Finding(finding)));
            findings.collect::<PyResult<Vec<_>>>()
        });
        Ok(Check {
            games: checker.games(),
            broken: checker.broken(),
            faulty: checker.faulty(),
            damage,
            findings: findings.map_err(|error| Error::new(tabiya::ErrorKind::Internal, error))?,
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

/// Something that is wrong with a game.
#[pyclass(frozen, module = "tabiya")]
pub struct Finding(check::Finding);

#[pymethods]
impl Finding {
    /// The number of the game.
    #[getter]
    fn game(&self) -> u64 {
        self.0.game
    }

    /// How bad it is: error, warning or note.
    #[getter]
    fn severity(&self) -> &'static str {
        self.0.kind.severity().name()
    }

    /// What kind of thing it is: illegal move, results differ and others.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind.name()
    }

    /// What exactly.
    #[getter]
    fn message(&self) -> &str {
        &self.0.message
    }

    /// The byte of the file, from 0.
    #[getter]
    fn offset(&self) -> u64 {
        self.0.place.offset
    }

    /// The line, from 1; None where the format has no lines.
    #[getter]
    fn line(&self) -> Option<u64> {
        (self.0.place.line > 0).then_some(self.0.place.line)
    }

    /// The column, from 1.
    #[getter]
    fn column(&self) -> Option<u32> {
        (self.0.place.column > 0).then_some(self.0.place.column)
    }

    fn __repr__(&self) -> String {
        let severity: Severity = self.0.kind.severity();
        format!(
            "Finding(game={}, {severity}, {:?})",
            self.0.game, self.0.message
        )
    }
}
