//! Why a record is not a game, or not to its end.

use std::fmt;

use tabiya_chess::{Color, Move, NotAPosition, Role};
use tabiya_game::GameErrorKind;

/// What is wrong with a record, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("byte {offset} of the record: {kind}")]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// The byte from the start of the record at which reading stopped.
    pub offset: usize,
}

/// What is wrong with a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The record ends before its head, its position or a move does.
    #[error("the record ends too early: {expected} bytes expected, {found} found")]
    TruncatedGame {
        /// How many bytes there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A game of a kind whose encoding is not known.
    #[error("mode {mode}{} cannot be read", ModeName(*mode))]
    UnknownMode {
        /// Its number.
        mode: u8,
    },
    /// A code for a piece that is not there.
    #[error("ply {ply}: {color} has no {role} number {number}")]
    NoSuchPiece {
        /// The ply in its line, from 1.
        ply: u32,
        /// Whose piece.
        color: Color,
        /// What it would be.
        role: Role,
        /// Which of them, from 1.
        number: u8,
    },
    /// A move that the rules do not allow.
    #[error("ply {ply}: {play} is not legal")]
    IllegalMove {
        /// The ply in its line, from 1.
        ply: u32,
        /// The move; castling goes to the king's target.
        play: Move,
    },
    /// The stored position is none.
    #[error("bad set-up: {0}")]
    BadSetup(SetupFault),
    /// The stored position has more than 32 pieces.
    #[error("bad set-up: more than 32 pieces")]
    TooManyPieces,
    /// The game does not fit in a record, whose length has three bytes.
    #[error("the game takes {size} bytes, more than a record can hold")]
    TooLong {
        /// How many bytes it takes.
        size: usize,
    },
    /// A word that stands for no move, or not at this place.
    #[error("word {word:04x} is no move here")]
    BadMoveWord {
        /// The word.
        word: u16,
    },
    /// A move of the side whose turn it is not.
    #[error("ply {ply}: {play} is a move of {color}, whose turn it is not")]
    WrongSide {
        /// The ply in its line, from 1.
        ply: u32,
        /// Whose move it is.
        color: Color,
        /// The move.
        play: Move,
    },
    /// A piece moves that does not stand there.
    #[error("ply {ply}: there is no {color} {role} for {play}")]
    NoPieceThere {
        /// The ply in its line, from 1.
        ply: u32,
        /// Whose piece.
        color: Color,
        /// What it would be.
        role: Role,
        /// The move.
        play: Move,
    },
    /// Something else is captured than the move says.
    #[error("ply {ply}: {play} does not capture what it says")]
    CaptureMismatch {
        /// The ply in its line, from 1.
        ply: u32,
        /// The move.
        play: Move,
    },
    /// Whoever is in check cannot pass.
    #[error("ply {ply}: a null move in check")]
    NullInCheck {
        /// The ply in its line, from 1.
        ply: u32,
    },
    /// A record of a kind that is not known.
    #[error("a record with the tag {tag} is not known")]
    UnknownTag {
        /// The tag.
        tag: u16,
    },
    /// More lines are left open than any game has.
    #[error("more than {limit} lines are left open")]
    NestingTooDeep {
        /// How many may be open.
        limit: usize,
    },
}

/// Why a stored position is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupFault {
    /// A piece that does not exist.
    #[error("piece code {0} does not exist")]
    PieceCode(u8),
    /// A word that is no piece, or a square that two pieces stand on.
    #[error("word {0:04x} has no place")]
    Word(u16),
    /// There is no such start of Chess960.
    #[error("Chess960 has no position {0}")]
    Chess960(u16),
    /// A position from which no moves can be generated.
    #[error("{0}")]
    NotAPosition(#[from] NotAPosition),
}

impl ErrorKind {
    /// Its name, as the errors of streams have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ErrorKind::TruncatedGame { .. } => "TruncatedGame",
            ErrorKind::UnknownMode { .. } => "UnknownMode",
            ErrorKind::NoSuchPiece { .. } => "NoSuchPiece",
            ErrorKind::IllegalMove { .. } | ErrorKind::NullInCheck { .. } => "IllegalMove",
            ErrorKind::BadSetup(_) => "BadSetup",
            ErrorKind::TooManyPieces => "TooManyPieces",
            ErrorKind::TooLong { .. } => "TooLong",
            ErrorKind::BadMoveWord { .. } => "BadMoveWord",
            ErrorKind::WrongSide { .. } => "WrongSide",
            ErrorKind::NoPieceThere { .. } => "NoSuchPiece",
            ErrorKind::CaptureMismatch { .. } => "CaptureMismatch",
            ErrorKind::UnknownTag { .. } => "UnknownTag",
            ErrorKind::NestingTooDeep { .. } => "NestingTooDeep",
        }
    }

    /// What it is in the events of a game.
    #[must_use]
    pub const fn game_error(self) -> GameErrorKind {
        match self {
            ErrorKind::IllegalMove { .. }
            | ErrorKind::WrongSide { .. }
            | ErrorKind::NoPieceThere { .. }
            | ErrorKind::CaptureMismatch { .. }
            | ErrorKind::NullInCheck { .. } => GameErrorKind::IllegalMove,
            ErrorKind::UnknownMode { .. } | ErrorKind::UnknownTag { .. } => {
                GameErrorKind::UnknownVariant
            }
            ErrorKind::BadSetup(_) | ErrorKind::TooManyPieces => GameErrorKind::BadStart,
            ErrorKind::TooLong { .. } | ErrorKind::NestingTooDeep { .. } => GameErrorKind::Limit,
            ErrorKind::TruncatedGame { .. }
            | ErrorKind::NoSuchPiece { .. }
            | ErrorKind::BadMoveWord { .. } => GameErrorKind::Unreadable,
        }
    }

    pub(crate) const fn at(self, offset: usize) -> Error {
        Error { kind: self, offset }
    }
}

/// What is known of a mode that cannot be read.
struct ModeName(u8);

impl fmt::Display for ModeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            12 | 13 => " (Chatrang)",
            14 | 15 => " (Twins)",
            16 | 17 => " (Makruk)",
            18 | 19 => " (Pawns)",
            63 => " (illegal positions)",
            _ => "",
        })
    }
}
