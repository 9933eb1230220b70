//! A move.

use std::fmt;

use pyo3::{prelude::*, types::PyString};
use tabiya::{Action, Role, Square};

use crate::{error::illegal, position::Position};

/// A move: two squares, and what a pawn becomes. Made by a `Position`, which knows what is legal.
///
/// >>> import tabiya
/// >>> move = tabiya.Position().parse("Nf3")
/// >>> move
/// Move('g1f3')
/// >>> move.from_square, move.to_square, move.promotion
/// ('g1', 'f3', None)
///
/// Castling is `e1g1`, and in Chess960 king takes rook, as engines have it; the null move is `0000`.
#[pyclass(frozen, eq, hash, from_py_object, module = "tabiya")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    pub action: Action,
    /// As UCI spells it in the position of the move.
    uci: Option<Squares>,
}

/// What `pickle` keeps: the bits of the move, and its text.
type Kept = (Option<u16>, String);

/// Where from, where to, and what a pawn becomes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Squares(Square, Square, Option<Role>);

impl Move {
    /// A move of a position.
    pub fn new(before: &tabiya::Position, action: Action) -> Move {
        let uci = action.to_move().map(|play| {
            let target = match before.is_castling(play) && !is_rook_named(before, play) {
                true => tabiya::Position::castling_targets(play.from(), play.to()).0,
                false => play.to(),
            };
            Squares(play.from(), target, play.promoted())
        });
        Move { action, uci }
    }

    /// What a move, or a text of one, means in a position.
    pub fn read(before: &tabiya::Position, given: &Bound<'_, PyAny>) -> PyResult<Action> {
        if let Ok(given) = given.extract::<Move>() {
            return match given.action {
                Action::Move(play) if !before.is_legal(play) => {
                    Err(illegal(format_args!("{given} is not legal here")))
                }
                action => Ok(action),
            };
        }
        let Ok(text) = given.cast::<PyString>() else {
            return Err(crate::values::wrong_type("move", "a Move or a str", given));
        };
        let text = text.to_str()?;
        match before.parse_uci(text) {
            Ok(action) => Ok(action),
            Err(_) => before.parse_san(text).map_err(illegal),
        }
    }
}

/// Whether UCI names the rook of castling instead of the king's square: as [`tabiya::Position::uci`].
fn is_rook_named(before: &tabiya::Position, play: tabiya::Move) -> bool {
    before.uci(play).to_string() == play.to_string()
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.uci {
            None => f.write_str("0000"),
            Some(Squares(from, to, promotion)) => {
                write!(f, "{from}{to}")?;
                match promotion {
                    Some(role) => write!(f, "{}", role.of(tabiya::Color::Black).letter()),
                    None => Ok(()),
                }
            }
        }
    }
}

#[pymethods]
impl Move {
    /// The move in the notation of engines: e2e4, e7e8q, 0000.
    #[getter]
    fn uci(&self) -> String {
        self.to_string()
    }

    /// The square it starts on; None of the null move.
    #[getter]
    #[pyo3(name = "from_square")]
    fn origin(&self) -> Option<String> {
        self.uci.map(|Squares(from, ..)| from.to_string())
    }

    /// The square it ends on; None of the null move.
    #[getter]
    #[pyo3(name = "to_square")]
    fn target(&self) -> Option<String> {
        self.uci.map(|Squares(_, to, _)| to.to_string())
    }

    /// What a pawn becomes: q, r, b, n, and k in antichess; None if no pawn becomes anything.
    #[getter]
    fn promotion(&self) -> Option<char> {
        let Squares(.., promotion) = self.uci?;
        promotion.map(|role| role.of(tabiya::Color::Black).letter())
    }

    /// Whether the turn only passes.
    #[getter]
    fn is_null(&self) -> bool {
        self.uci.is_none()
    }

    fn __str__(&self) -> String {
        self.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move('{self}')")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Kept)> {
        let restore = py.get_type::<Move>().getattr("_restore")?;
        let bits = self.action.to_move().map(tabiya::Move::to_bits);
        Ok((restore, (bits, self.to_string())))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(bits: Option<u16>, uci: &str) -> PyResult<Move> {
        let Some(bits) = bits else {
            return Ok(Move {
                action: Action::Null,
                uci: None,
            });
        };
        let play = tabiya::Move::from_bits(bits);
        let to = uci.get(2..4).and_then(|square| square.parse().ok());
        let to = to.ok_or_else(|| crate::error::usage("this is no pickled move"))?;
        Ok(Move {
            action: Action::Move(play),
            uci: Some(Squares(play.from(), to, play.promoted())),
        })
    }
}

/// Makes Python's moves of all of a list.
pub fn all(before: &Position, plays: impl Iterator<Item = tabiya::Move>) -> Vec<Move> {
    plays
        .map(|play| Move::new(&before.0, Action::Move(play)))
        .collect()
}
