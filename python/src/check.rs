//! What is wrong with a database.

use std::{borrow::Cow, ops::ControlFlow, sync::Arc};

use pyo3::prelude::*;
use tabiya::{
    Error, Event, Flow, GameSink, Needs,
    check::{self, Checker, Severity},
};

use crate::{database::Database, error::bad_value, work::Signal};

/// What is wrong with a database: what `Database.check` returns.
///
/// >>> import tabiya
/// >>> tabiya.open("samples/famous.pgn").check()
/// Check(games=34, broken=0, faulty=0)
#[pyclass(frozen, get_all, eq, hash, module = "tabiya")]
#[derive(Default, PartialEq, Hash)]
pub struct Check {
    /// Games that were looked at.
    games: u64,
    /// Games of which something could not be read.
    broken: u64,
    /// Games with errors or warnings.
    faulty: u64,
    /// Entries that are no games, texts for example, and are damaged.
    damaged: u64,
    /// How many findings there are, kept or not.
    total: u64,
    /// What is wrong with the files, in sentences.
    damage: Vec<String>,
    /// What is wrong with games, in their order: the first of them, if there was a limit.
    findings: Vec<Finding>,
}

impl Check {
    /// Looks at all games, and keeps so many findings; what is damaged is a finding like others, and the
    /// rest is looked at, too.
    pub fn of(
        database: &Database,
        limit: Option<usize>,
        signal: &Arc<Signal>,
    ) -> Result<Check, Error> {
        let leased = match tabiya::is_read_once(database.place()) {
            true => database.lease_strictly(signal)?,
            false => {
                database.check_open()?;
                let how = database.how().clone().salvage(true);
                let opened = how.open(database.place())?;
                signal.watch(opened.filter(database.wanted().clone()))
            }
        };
        let limit = limit.unwrap_or(usize::MAX);
        let mut check = Check {
            damage: leased.damage().to_vec(),
            ..Check::default()
        };
        let told = leased.par_numbered(Bench::default, |Bench(checker), before| {
            check.add(checker, before, limit);
            ControlFlow::Continue(())
        });
        match told {
            Err(error) if tabiya::is_damage(&error) => {
                check.damage.push(error.to_string());
            }
            told => told?,
        }
        Ok(check)
    }

    /// What was found in a part, before which there are so many games.
    fn add(&mut self, mut checker: Checker, before: u64, limit: usize) {
        self.games += checker.games();
        self.broken += checker.broken();
        self.faulty += checker.faulty();
        self.damaged += checker.damaged();
        let findings = checker.take_findings();
        self.total += findings.len() as u64;
        let wanted = limit - self.findings.len();
        let findings = findings.into_iter().take(wanted);
        self.findings
            .extend(findings.map(|finding| Finding::of(finding, before)));
    }
}

#[pymethods]
impl Check {
    /// Whether no game is broken, and neither another entry nor a file damaged.
    #[getter]
    fn ok(&self) -> bool {
        self.broken == 0 && self.damaged == 0 && self.damage.is_empty()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, KeptCheck)> {
        let restore = py.get_type::<Check>().getattr("_restore")?;
        let findings = self.findings.iter().cloned().map(Finding::keep);
        let Check {
            games,
            broken,
            faulty,
            damaged,
            total,
            ..
        } = *self;
        let counts = (games, broken, faulty, damaged, total);
        Ok((restore, (counts, self.damage.clone(), findings.collect())))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(counts: Counts, damage: Vec<String>, findings: Vec<Kept>) -> PyResult<Check> {
        let (games, broken, faulty, damaged, total) = counts;
        let findings = findings.into_iter().map(Finding::_restore);
        Ok(Check {
            games,
            broken,
            faulty,
            damaged,
            total,
            damage,
            findings: findings.collect::<PyResult<_>>()?,
        })
    }

    fn __repr__(&self) -> String {
        let Check {
            games,
            broken,
            faulty,
            ..
        } = self;
        let more = [
            ("damaged", self.damaged),
            ("damage", self.damage.len() as u64),
        ];
        let more = more.into_iter().filter(|(_, count)| *count > 0);
        let more: String = more
            .map(|(name, count)| format!(", {name}={count}"))
            .collect();
        format!("Check(games={games}, broken={broken}, faulty={faulty}{more})")
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

/// How many games, broken ones and faulty ones, damaged entries, and findings.
type Counts = (u64, u64, u64, u64, u64);
/// What `pickle` keeps: counts, damage, findings.
type KeptCheck = (Counts, Vec<String>, Vec<Kept>);
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
#[pyclass(frozen, get_all, eq, hash, module = "tabiya")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Finding {
    /// The number of the game.
    game: u64,
    /// How bad it is: error, warning or note.
    severity: &'static str,
    /// What kind of thing it is: illegal move, results differ and others.
    kind: Cow<'static, str>,
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
    /// What was found in a part, before which there are so many games.
    fn of(finding: check::Finding, before: u64) -> Finding {
        let place = finding.place;
        Finding {
            game: finding.game + before,
            severity: finding.kind.severity().name(),
            kind: finding.kind.name().into(),
            message: finding.message,
            offset: place.offset,
            line: (place.line > 0).then_some(place.line),
            column: (place.column > 0).then_some(place.column),
        }
    }

    fn keep(self) -> Kept {
        let Finding {
            game,
            severity,
            kind,
            message,
            offset,
            line,
            column,
        } = self;
        let (severity, kind) = (severity.to_owned(), kind.into_owned());
        (game, severity, kind, message, offset, line, column)
    }
}

#[pymethods]
impl Finding {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Kept,))> {
        let restore = py.get_type::<Finding>().getattr("_restore")?;
        Ok((restore, (self.clone().keep(),)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(kept: Kept) -> PyResult<Finding> {
        let (game, severity, kind, message, offset, line, column) = kept;
        let known = Severity::ALL.map(Severity::name);
        let known = known.into_iter().find(|known| *known == severity);
        Ok(Finding {
            game,
            severity: known.ok_or_else(|| bad_value("severity", severity))?,
            kind: kind.into(),
            message,
            offset,
            line,
            column,
        })
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
