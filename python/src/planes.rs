//! Positions as NumPy arrays.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::{prelude::*, types::PyDict};
use tabiya::Filter;

use crate::{
    background::Background,
    database::Database,
    positions::{BOARDS, Data, Plies, Subject, start},
};

const SUBJECTS: [Subject; 13] = [
    Subject::Game,
    Subject::Ply,
    Subject::Bitboards,
    Subject::Turn,
    Subject::Castling,
    Subject::EnPassant,
    Subject::Move,
    Subject::Result,
    Subject::WhiteElo,
    Subject::BlackElo,
    Subject::Clock,
    Subject::Evaluation,
    Subject::Mate,
];

/// Positions as NumPy arrays, batch by batch: dictionaries of `game`, `ply`, `bitboards` (12 of 64
/// bits, White's pawns, knights, bishops, rooks, queens and king first), `turn` (0 White, 1 Black),
/// `castling` (bits 1 2 4 8: KQkq), `move` (from in the lowest 6 bits, to in 6, and promotion in 4: 1 to 5 for
/// knight, bishop, rook, queen and king; castling is king takes rook, e1h1; 0 is the null move), and, as float32 with NaN where nobody knows or there is none,
/// `en_passant` (a square from 0 to 63 where a pawn can be taken now, which is less often than
/// `Position.en_passant` has one), `result` (1, 0, -1), `white_elo`, `black_elo`, `clock` (milliseconds, exact
/// up to 4 hours 39 minutes), `evaluation` (centipawns for White) and `mate`.
///
/// >>> import tabiya
/// >>> batch = next(tabiya.open("samples/famous.pgn").position_arrays(batch_size=100))
/// >>> batch["bitboards"].shape, batch["ply"][:3].tolist()
/// ((100, 12), [1, 2, 3])
#[pyclass(frozen, module = "tabiya")]
pub struct PositionArrays(Background<Plies>);

impl PositionArrays {
    pub fn start(
        py: Python<'_>,
        database: &Database,
        filter: Filter,
        batch_size: usize,
    ) -> PyResult<PositionArrays> {
        // An ImportError where it is missing; arrays would panic.
        PyModule::import(py, "numpy")?;
        start(py, database, filter, SUBJECTS.to_vec(), batch_size, Ok).map(PositionArrays)
    }
}

impl Drop for PositionArrays {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[pymethods]
impl PositionArrays {
    fn __iter__(slf: PyRef<'_, PositionArrays>) -> PyRef<'_, PositionArrays> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(plies) = self.0.next(py)? else {
            return Ok(None);
        };
        let arrays = PyDict::new(py);
        for (subject, data) in plies.0 {
            arrays.set_item(subject.name(), array(py, data)?)?;
        }
        Ok(Some(arrays))
    }
}

/// An array that takes the values over; what may be unknown becomes a float.
fn array<'py>(py: Python<'py>, data: Data) -> PyResult<Bound<'py, PyAny>> {
    Ok(match data {
        Data::Long(values) => PyArray1::from_vec(py, values).into_any(),
        Data::Key(values) => PyArray1::from_vec(py, values).into_any(),
        Data::Int(values) => PyArray1::from_vec(py, values).into_any(),
        Data::Byte(values) => PyArray1::from_vec(py, values).into_any(),
        Data::Word(values) => PyArray1::from_vec(py, values).into_any(),
        Data::MaybeTiny(values) => floats(py, values, f32::from),
        Data::MaybeInt(values) => floats(py, values, |value| value as f32),
        Data::MaybeLong(values) => floats(py, values, |value| value as f32),
        Data::Text(values) => values.into_pyobject(py)?.into_any(),
        Data::Boards(values) => {
            let rows = values.len();
            let flat = PyArray1::from_vec(py, values.into_flattened());
            flat.reshape([rows, BOARDS])?.into_any()
        }
    })
}

fn floats<'py, T>(
    py: Python<'py>,
    values: Vec<Option<T>>,
    float: impl Fn(T) -> f32,
) -> Bound<'py, PyAny> {
    let values = values
        .into_iter()
        .map(|value| value.map_or(f32::NAN, &float));
    PyArray1::from_vec(py, values.collect()).into_any()
}
