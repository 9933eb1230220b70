//! Games beside a repertoire.

use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, RecordBatch, StringArray,
    builder::{ListBuilder, StringBuilder},
};
use arrow_schema::{Field, Schema};
use pyo3::prelude::*;
use tabiya::{
    Color, Error, ErrorKind, Filter,
    repertoire::{Ending, Followed, Repertoire},
    search::Hit,
};

use crate::{
    duplicates::Given,
    error::bad_value,
    filter::Keywords,
    position::Position,
    values::{side, text, words},
    work::Signal,
};

/// The first games that are wanted, where each leaves the repertoire, and how many there are.
pub struct Departures {
    pub games: Vec<(Hit, Departure)>,
    pub total: u64,
}

/// Which games are wanted beside a repertoire.
pub struct Beside {
    repertoire: Given,
    colour: Option<Color>,
    left_by: Vec<Ending>,
}

impl Beside {
    /// What keywords ask of a repertoire, if they name one.
    pub fn asked(keywords: &Keywords<'_>) -> PyResult<Option<Beside>> {
        let repertoire = keywords.one("repertoire", Given::one)?;
        let colour = keywords.one("colour", |name, value| side(name, &text(name, value)?))?;
        let left_by = keywords.one("left_by", endings)?.unwrap_or_default();
        match repertoire {
            Some(repertoire) => Ok(Some(Beside {
                repertoire,
                colour,
                left_by,
            })),
            None if colour.is_some() => Err(bad_value("colour", "it belongs to repertoire")),
            None if !left_by.is_empty() => Err(bad_value("left_by", "it belongs to repertoire")),
            None => Ok(None),
        }
    }

    /// The games that are wanted; `None` if nobody says whose repertoire it is. Not to be called with
    /// Python's lock.
    pub fn find(
        &self,
        database: &tabiya::Database,
        filter: &Filter,
        limit: usize,
        signal: &Arc<Signal>,
    ) -> Result<Option<Departures>, Error> {
        let repertoire = signal.hush(self.repertoire.lease(signal)?);
        let repertoire = Repertoire::read(&repertoire)?;
        let Some(side) = self.colour.or_else(|| repertoire.side()) else {
            return Ok(None);
        };
        let (mut games, mut total) = (Vec::new(), 0);
        repertoire.follow(side, database, filter, |game| {
            if game.is_wanted(&self.left_by) {
                total += 1;
                if games.len() < limit {
                    games.push(answer(&repertoire, game));
                }
            }
            Ok::<_, Error>(())
        })?;
        Ok(Some(Departures { games, total }))
    }
}

/// Why nobody can tell what a repertoire says of games.
pub fn nobody_says_whose() -> PyErr {
    bad_value("colour", "whose repertoire is it? Say white or black")
}

fn answer(repertoire: &Repertoire, game: Followed) -> (Hit, Departure) {
    let before = game.position;
    let san = |play: tabiya::Move| before.san(play).to_string();
    let expected = repertoire.moves(&before).unwrap_or_default();
    let departure = Departure {
        left_by: game.ending,
        position: Position(before),
        played: game.played.map(san),
        expected: expected.iter().copied().map(san).collect(),
    };
    let mut hit = Hit::new(game.number, game.tags, game.result);
    hit.ply = Some(game.plies);
    (hit, departure)
}

fn endings(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Ending>> {
    let words = words(name, value)?;
    words.iter().map(|word| ending(name, word)).collect()
}

fn ending(name: &str, word: &str) -> PyResult<Ending> {
    Ending::named(word).ok_or_else(|| {
        let words = format_args!("expected me, opponent, line or game, not {word:?}");
        bad_value(name, words)
    })
}

/// Where a game leaves a repertoire, or ends within it.
///
/// >>> import tabiya, tempfile, pathlib
/// >>> mine = pathlib.Path(tempfile.mkdtemp(), "mine.pgn")
/// >>> _ = mine.write_text("1. e4 e5 (1... c5 2. c3) 2. Nc3 *")
/// >>> famous = tabiya.open("samples/famous.pgn")
/// >>> famous.search(repertoire=mine, left_by="me", limit=1)[0].departure
/// Departure('me', played='Nf3', expected=['c3'])
#[pyclass(frozen, eq, from_py_object, module = "tabiya")]
#[derive(Clone, PartialEq)]
pub struct Departure {
    left_by: Ending,
    position: Position,
    played: Option<String>,
    expected: Vec<String>,
}

/// What `pickle` keeps of it.
type Kept = (&'static str, Position, Option<String>, Vec<String>);

#[pymethods]
impl Departure {
    /// Who has left it: me, the side whose repertoire it is, played something else; opponent played what
    /// it has no answer to; line, it ends there; game, the game ends there, or goes on with a null move or a
    /// ply that it leaves out.
    #[getter]
    fn left_by(&self) -> &'static str {
        self.left_by.name()
    }

    /// The last position that the repertoire has, after `ply` plies of the game, as the repertoire has it:
    /// the game's own, whose counters of moves may be others, is `positions[hit.ply]` of the game.
    #[getter]
    fn position(&self) -> Position {
        self.position
    }

    /// The move that was played there, in SAN; None if there is none.
    #[getter]
    fn played(&self) -> Option<&str> {
        self.played.as_deref()
    }

    /// What the repertoire has there, in SAN: nothing at the end of a line.
    #[getter]
    fn expected(&self) -> Vec<String> {
        self.expected.clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Kept)> {
        let restore = py.get_type::<Departure>().getattr("_restore")?;
        let Departure {
            left_by,
            position,
            played,
            expected,
        } = self.clone();
        Ok((restore, (left_by.name(), position, played, expected)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(
        left_by: &str,
        position: Position,
        played: Option<String>,
        expected: Vec<String>,
    ) -> PyResult<Departure> {
        Ok(Departure {
            left_by: ending("left_by", left_by)?,
            position,
            played,
            expected,
        })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let repr = |value: Bound<'_, PyAny>| value.repr().map(|text| text.to_string());
        Ok(format!(
            "Departure('{}', played={}, expected={})",
            self.left_by.name(),
            repr(self.played.as_deref().into_pyobject(py)?.into_any())?,
            repr(self.expected.clone().into_pyobject(py)?.into_any())?
        ))
    }
}

/// Rows of games, with columns of where they leave a repertoire.
pub fn beside<'d>(
    rows: RecordBatch,
    departures: impl Iterator<Item = &'d Departure> + Clone,
) -> Result<RecordBatch, Error> {
    let mut expected = ListBuilder::new(StringBuilder::new());
    for departure in departures.clone() {
        expected.append_value(departure.expected.iter().map(Some));
    }
    let left_by = departures.clone().map(|it| Some(it.left_by.name()));
    let played = departures.clone().map(|it| it.played.as_deref());
    let fens = departures.map(|it| Some(it.position.0.to_setup().to_string()));
    let more: [(&str, ArrayRef, bool); 4] = [
        ("left_by", Arc::new(left_by.collect::<StringArray>()), false),
        ("played", Arc::new(played.collect::<StringArray>()), true),
        ("expected", Arc::new(expected.finish()), false),
        ("fen", Arc::new(fens.collect::<StringArray>()), false),
    ];
    let mut fields = rows.schema().fields().to_vec();
    let mut columns = rows.columns().to_vec();
    for (name, column, may_lack) in more {
        fields.push(Arc::new(Field::new(
            name,
            column.data_type().clone(),
            may_lack,
        )));
        columns.push(column);
    }
    let rows = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns);
    rows.map_err(|error| Error::new(ErrorKind::Internal, error))
}
