//! What is said about moves.

use std::time::Duration;

use pyo3::{IntoPyObjectExt, prelude::*, types::PyBytes};
use tabiya::{GameTree, Item, Place};
use tabiya_game::{Annotation as Known, Score, command};

use crate::{error::usage, game::Game};

/// What `pickle` keeps of a comment.
type KeptComment = (String, bool, Option<String>);
/// What it keeps of an evaluation.
type KeptEvaluation = (Option<i32>, Option<i32>, Option<u16>);

/// A comment.
///
/// >>> import tabiya
/// >>> comment = tabiya.Game.from_pgn("1. e4 {Best. [%clk 0:01:30]} *")[0].comments[0]
/// >>> comment.text
/// 'Best. [%clk 0:01:30]'
/// >>> comment.words
/// 'Best.'
#[pyclass(frozen, get_all, eq, module = "tabiya")]
#[derive(Clone, PartialEq)]
pub struct Comment {
    /// The text as it stands in the game.
    text: String,
    /// Whether it stands before its move.
    before: bool,
    /// Its language, where the format knows it: "eng", "deu".
    language: Option<String>,
}

impl Comment {
    pub fn new(text: &str, before: bool, language: Option<&str>) -> Comment {
        Comment {
            text: text.to_owned(),
            before,
            language: language.map(str::to_owned),
        }
    }
}

#[pymethods]
impl Comment {
    /// The text without the commands for programs, such as [%clk 0:01:30].
    #[getter]
    pub fn words(&self) -> String {
        let texts = command::parts(&self.text).filter_map(|part| match part {
            command::Part::Text(text) => Some(text.trim()),
            command::Part::Command(_) => None,
        });
        let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
        texts.join(" ")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, KeptComment)> {
        let restore = py.get_type::<Comment>().getattr("_restore")?;
        let kept = (self.text.clone(), self.before, self.language.clone());
        Ok((restore, kept))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(text: String, before: bool, language: Option<String>) -> Comment {
        Comment {
            text,
            before,
            language,
        }
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("Comment({:?})", self.text)
    }
}

/// What an engine thinks of a position, for White.
///
/// >>> import tabiya
/// >>> tabiya.Game.from_pgn("1. e4 {[%eval 0.25,20]} *")[0].evaluation
/// Evaluation(+0.25)
#[pyclass(frozen, get_all, eq, module = "tabiya")]
#[derive(Clone, Copy, PartialEq)]
pub struct Evaluation {
    /// Hundredths of a pawn; None where a mate is seen.
    centipawns: Option<i32>,
    /// Mate in so many moves, negative if Black mates.
    mate: Option<i32>,
    /// How deep it has looked.
    depth: Option<u16>,
}

impl Evaluation {
    pub fn of(score: Score, depth: Option<u16>) -> Evaluation {
        let (centipawns, mate) = match score {
            Score::Centipawns(value) => (Some(value), None),
            Score::Mate(moves) => (None, Some(moves)),
        };
        Evaluation {
            centipawns,
            mate,
            depth,
        }
    }
}

#[pymethods]
impl Evaluation {
    /// The same in pawns; None where a mate is seen.
    #[getter]
    fn pawns(&self) -> Option<f64> {
        self.centipawns.map(|value| f64::from(value) / 100.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, KeptEvaluation)> {
        let restore = py.get_type::<Evaluation>().getattr("_restore")?;
        Ok((restore, (self.centipawns, self.mate, self.depth)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(centipawns: Option<i32>, mate: Option<i32>, depth: Option<u16>) -> Evaluation {
        Evaluation {
            centipawns,
            mate,
            depth,
        }
    }

    fn __repr__(&self) -> String {
        match (self.centipawns, self.mate) {
            (Some(value), _) => format!("Evaluation({:+.2})", f64::from(value) / 100.0),
            (None, mate) => format!("Evaluation(#{})", mate.unwrap_or_default()),
        }
    }
}

/// An annotation whose meaning is known: a clock, arrows, an evaluation and others.
///
/// >>> import tabiya
/// >>> tabiya.Game.from_pgn("1. e4 {[%cal Ge2e4,Rd1d8]} *")[0].annotations
/// [Annotation("arrows", ['Ge2e4', 'Rd1d8'])]
#[pyclass(frozen, eq, module = "tabiya")]
#[derive(Clone, PartialEq)]
pub struct Annotation(pub Known);

#[pymethods]
impl Annotation {
    /// What it is: clock, time spent, evaluation, arrows, squares, medals and others.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.0 {
            Known::Squares(_) => "squares",
            Known::Arrows(_) => "arrows",
            Known::Clock(_) => "clock",
            Known::TimeSpent(_) => "time spent",
            Known::MechanicalClock(_) => "mechanical clock",
            Known::Evaluation(_) => "evaluation",
            Known::EvaluationProfile(_) => "evaluation profile",
            Known::EvaluationDepths(_) => "evaluation depths",
            Known::Medals(_) => "medals",
            Known::CriticalPosition(_) => "critical position",
            Known::Training(_) => "training",
            Known::Quotation(_) => "quotation",
            Known::WebLink { .. } => "link",
            Known::VariationColor(_) => "variation color",
            Known::Raw { .. } => "raw",
            _ => "other",
        }
    }

    /// The annotation as a command in a comment of PGN; None if it has none.
    #[getter]
    fn command(&self) -> Option<String> {
        self.0.to_command()
    }

    /// What it says: seconds, an Evaluation, texts such as "Ge2e4" or "Rd5", names, a text, bytes.
    #[getter]
    fn value(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match &self.0 {
            Known::Squares(marks) => texts(marks).into_py_any(py),
            Known::Arrows(arrows) => texts(arrows).into_py_any(py),
            Known::Clock(time) | Known::TimeSpent(time) | Known::MechanicalClock(time) => {
                seconds(*time).into_py_any(py)
            }
            Known::Evaluation(value) => Evaluation::of(value.score, value.depth).into_py_any(py),
            Known::EvaluationProfile(profile) => {
                let scores = profile.scores();
                let scores = scores.map(|score| score.map(|score| Evaluation::of(score, None)));
                scores.collect::<Vec<_>>().into_py_any(py)
            }
            Known::EvaluationDepths(depths) => {
                let depths: Vec<u32> = depths.iter().map(|depth| u32::from(*depth)).collect();
                depths.into_py_any(py)
            }
            Known::Medals(medals) => medals.names().collect::<Vec<_>>().into_py_any(py),
            Known::Quotation(quoted) => quoted.text.as_str().into_py_any(py),
            Known::WebLink { url, text } => (url.as_str(), text.as_str()).into_py_any(py),
            Known::VariationColor(color) => {
                let [r, g, b] = color.rgb;
                format!("#{r:02x}{g:02x}{b:02x}").into_py_any(py)
            }
            Known::Raw {
                format,
                code,
                bytes,
            } => (format.as_str(), *code, PyBytes::new(py, bytes)).into_py_any(py),
            other => other.to_command().into_py_any(py),
        }
    }

    /// As a game that has nothing but it: games know how to be kept.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Game,))> {
        let restore = py.get_type::<Annotation>().getattr("_restore")?;
        let game = GameTree {
            items: vec![Item::Annotation(self.0.clone())],
            ..GameTree::default()
        };
        Ok((restore, (game.into(),)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(game: &Bound<'_, Game>) -> PyResult<Annotation> {
        match game.get().0.tree.items.as_slice() {
            [Item::Annotation(annotation)] => Ok(Annotation(annotation.clone())),
            _ => Err(usage("this is no pickled annotation")),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let value = self.value(py)?;
        Ok(format!(
            "Annotation({:?}, {})",
            self.kind(),
            value.bind(py).repr()?
        ))
    }
}

fn texts(items: &[impl ToString]) -> Vec<String> {
    items.iter().map(ToString::to_string).collect()
}

/// A duration as Python counts it.
pub fn seconds(time: Duration) -> f64 {
    // One division, so that 19.673 s is the number that is written so.
    time.as_nanos() as f64 / 1e9
}

/// Byte, line and column, as an error names its place.
type Origin = (u64, Option<u64>, Option<u32>);
/// What `pickle` keeps of an error.
type KeptError = (String, String, String, Origin, Origin);

/// Something in a game that could not be read.
///
/// >>> import tabiya
/// >>> error = tabiya.Game.from_pgn("1. e4 e5 2. Ke3 1-0").errors[0]
/// >>> error.kind, error.raw, error.column
/// ('illegal move', 'Ke3', 13)
#[pyclass(frozen, get_all, eq, module = "tabiya")]
#[derive(Clone, PartialEq)]
pub struct GameError {
    /// What kind of thing is wrong: illegal move, bad tag and others.
    kind: String,
    /// A sentence.
    message: String,
    /// The text as it stood in the input.
    raw: String,
    /// The byte, from 0.
    offset: u64,
    /// The line, from 1; None where the format has no lines.
    line: Option<u64>,
    /// The column, from 1.
    column: Option<u32>,
    /// Offset, line and column where it first stood, in the file from which the game was converted;
    /// the same as here if it was not.
    origin: Origin,
}

/// A place without lines where the format has none.
fn told(place: Place) -> Origin {
    let line = (place.line > 0).then_some(place.line);
    let column = (place.column > 0).then_some(place.column);
    (place.offset, line, column)
}

impl GameError {
    pub fn message(&self) -> &str {
        &self.message
    }

    pub fn of(item: &tabiya::Item) -> Option<GameError> {
        let tabiya::Item::Error {
            kind,
            message,
            raw,
            place,
            first,
        } = item
        else {
            return None;
        };
        let (offset, line, column) = told(*place);
        Some(GameError {
            kind: kind.name().to_owned(),
            message: message.clone(),
            raw: raw.clone(),
            offset,
            line,
            column,
            origin: told(first.unwrap_or(*place)),
        })
    }
}

#[pymethods]
impl GameError {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, KeptError)> {
        let restore = py.get_type::<GameError>().getattr("_restore")?;
        let GameError {
            kind,
            message,
            raw,
            offset,
            line,
            column,
            origin,
        } = self.clone();
        let place = (offset, line, column);
        Ok((restore, (kind, message, raw, place, origin)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(
        kind: String,
        message: String,
        raw: String,
        place: Origin,
        origin: Origin,
    ) -> GameError {
        let (offset, line, column) = place;
        GameError {
            kind,
            message,
            raw,
            offset,
            line,
            column,
            origin,
        }
    }

    fn __str__(&self) -> &str {
        &self.message
    }

    fn __repr__(&self) -> String {
        format!("GameError({:?}, {:?})", self.kind, self.message)
    }
}
