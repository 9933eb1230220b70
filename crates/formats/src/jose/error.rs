//! Why bytes are not a game, or a game cannot be bytes.

use tabiya_chess::{Move, Role};
use tabiya_game::{GameErrorKind, Limits};

use crate::stream::{StreamError, StreamPlace};

/// What is wrong with a stream or a game, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {kind}")]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// At which byte of a stream that is read, or at which ply of a game that is written.
    pub place: StreamPlace,
}

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The stream ends within a code, or without `FF`.
    #[error("the stream ends too early: FF is missing")]
    UnexpectedEnd,
    /// There is something behind `FF`.
    #[error("{bytes} bytes follow the end of data")]
    TrailingData {
        /// How many bytes.
        bytes: usize,
    },
    /// A code without a meaning in the profile.
    #[error("code {code:02X} has no meaning here")]
    ReservedCode {
        /// The code.
        code: u8,
    },
    /// A code names a piece that was captured, was never there, or is still or no longer a pawn.
    #[error("there is no {piece} number {index} to move")]
    NoSuchPiece {
        /// What kind of piece is named.
        piece: Role,
        /// Its number, from 0.
        index: u8,
    },
    /// A move that leaves the board, or goes nowhere.
    #[error("the move leaves the board or ends where it starts")]
    OffBoard,
    /// A move that cannot be played, or, for a strict reader, that is not legal.
    #[error("{play} is not legal")]
    IllegalMove {
        /// The move.
        play: Move,
    },
    /// Castling without the right to it.
    #[error("there is no right to castle on this side")]
    NoCastling,
    /// The second byte of a promotion or of a promoted piece is 0.
    #[error("the second byte of the move is 0")]
    ZeroSecondByte,
    /// A variation where there is no move that it could replace.
    #[error("a variation before any move of its line")]
    VariationAtStart,
    /// The end of a variation that has not begun.
    #[error("a variation ends that has not begun")]
    VariationUnderflow,
    /// A variation without an end.
    #[error("a variation without an end")]
    UnclosedVariation,
    /// More variations within variations than a reader takes.
    #[error("variations nested more than {limit} deep")]
    NestingTooDeep {
        /// See [`Limits::depth`].
        limit: usize,
    },
    /// The second stream has no text for a marker.
    #[error("there is no text for this marker")]
    TextMissing,
    /// The second stream has more texts than the first has markers.
    #[error("{bytes} bytes of text without a marker")]
    TextLeftOver {
        /// How many bytes.
        bytes: usize,
    },
    /// A text that is not UTF-8.
    #[error("a text that is not UTF-8")]
    BadText,
    /// A text with a zero character, which would end it.
    #[error("a text with a zero character in it")]
    TextContainsNul,
    /// A NAG above 255.
    #[error("NAG {nag} is out of range: expected 0 to 255")]
    NagOutOfRange {
        /// The NAG.
        nag: u16,
    },
    /// A move by a piece without a number, or otherwise without a code.
    #[error("{play} has no code")]
    NotRepresentable {
        /// The move.
        play: Move,
    },
    /// An item of the `store` profile whose bytes are not as its kind wants them.
    #[error("bad data of kind {kind}")]
    BadData {
        /// The kind.
        kind: u8,
    },
}

impl ErrorKind {
    /// Its name, without the particulars.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            ErrorKind::UnexpectedEnd => "UnexpectedEnd",
            ErrorKind::TrailingData { .. } => "TrailingData",
            ErrorKind::ReservedCode { .. } => "ReservedCode",
            ErrorKind::NoSuchPiece { .. } => "NoSuchPiece",
            ErrorKind::OffBoard => "OffBoard",
            ErrorKind::IllegalMove { .. } | ErrorKind::NoCastling => "IllegalMove",
            ErrorKind::ZeroSecondByte => "ZeroSecondByte",
            ErrorKind::VariationAtStart => "VariationAtStart",
            ErrorKind::VariationUnderflow => "VariationUnderflow",
            ErrorKind::UnclosedVariation => "UnclosedVariation",
            ErrorKind::NestingTooDeep { .. } => "NestingTooDeep",
            ErrorKind::TextMissing => "TextMissing",
            ErrorKind::TextLeftOver { .. } => "TextLeftOver",
            ErrorKind::BadText => "BadText",
            ErrorKind::TextContainsNul => "TextContainsNul",
            ErrorKind::NagOutOfRange { .. } => "NagOutOfRange",
            ErrorKind::NotRepresentable { .. } => "NotRepresentable",
            ErrorKind::BadData { .. } => "BadData",
        }
    }

    /// The kind of error that it is in a game.
    #[must_use]
    pub const fn in_game(&self) -> GameErrorKind {
        match self {
            ErrorKind::IllegalMove { .. } | ErrorKind::NoCastling => GameErrorKind::IllegalMove,
            ErrorKind::VariationAtStart
            | ErrorKind::VariationUnderflow
            | ErrorKind::UnclosedVariation => GameErrorKind::Unbalanced,
            ErrorKind::NestingTooDeep { .. } => GameErrorKind::Limit,
            _ => GameErrorKind::Unreadable,
        }
    }

    /// Whether nobody can tell where the next code begins.
    pub(super) const fn is_fatal(&self) -> bool {
        matches!(
            self,
            ErrorKind::UnexpectedEnd | ErrorKind::ReservedCode { .. }
        )
    }

    pub(super) const fn too_deep(limits: &Limits) -> ErrorKind {
        ErrorKind::NestingTooDeep {
            limit: limits.depth,
        }
    }

    /// The error at a byte.
    pub(super) const fn at_byte(self, at: usize) -> Error {
        Error {
            kind: self,
            place: StreamPlace::Byte(at as u64),
        }
    }
}

impl From<Error> for StreamError {
    fn from(error: Error) -> StreamError {
        StreamError {
            name: error.kind.name(),
            place: error.place,
            message: error.kind.to_string(),
        }
    }
}
