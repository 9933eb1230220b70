//! Why a text is not a move.

use crate::{Role, SanText, Square};

/// Why a text is not a move of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SanError {
    /// The text is not built like a move.
    #[error("{0:?} is not a move")]
    Syntax(String),
    /// No piece of that kind can go there.
    #[error("no {role} can go to {to}")]
    NoPiece {
        /// What should move.
        role: Role,
        /// Where to.
        to: Square,
    },
    /// No piece stands where the move is said to start.
    #[error("no piece of the side to move stands on {0}")]
    EmptySquare(Square),
    /// A piece could go there, but its king would be left in check.
    #[error("the {role} cannot go to {to}: the king would be in check")]
    Check {
        /// What should move.
        role: Role,
        /// Where to.
        to: Square,
    },
    /// Other captures are forced, as in antichess.
    #[error("the {role} cannot go to {to}: a capture is forced")]
    MustCapture {
        /// What should move.
        role: Role,
        /// Where to.
        to: Square,
    },
    /// Castling is not possible.
    #[error("castling on the {} is not possible", if *h_side { "h side" } else { "a side" })]
    Castling {
        /// Towards the h file (`O-O`) or the a file (`O-O-O`).
        h_side: bool,
    },
    /// A pawn reaches the last rank and the text does not say what it becomes.
    #[error("a promotion to {0} must say which piece the pawn becomes")]
    PromotionMissing(Square),
    /// The piece named cannot be what a pawn becomes there.
    #[error("no promotion to {1} on {0}")]
    PromotionWrong(Square, Role),
    /// Several moves fit.
    #[error("several moves fit: {}", list(.0))]
    Ambiguous(Vec<SanText>),
}

fn list(moves: &[SanText]) -> String {
    let moves: Vec<&str> = moves.iter().map(SanText::as_str).collect();
    moves.join(", ")
}
