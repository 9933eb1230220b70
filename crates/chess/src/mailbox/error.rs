//! Why bytes are not a board, or a set-up cannot become bytes.

use super::geometry::square_of;
use crate::FenField;

/// What is wrong with a stored board, and at which byte.
///
/// A reader checks in this order: length, border, cells, side, flags, en passant, move number,
/// castling.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Neither 120 nor 128 bytes, or not as many as the profile has.
    #[error("{found} bytes, expected {expected}")]
    BadLength {
        /// How many there are.
        found: usize,
        /// How many the profile has.
        expected: usize,
    },
    /// A cell of the frame is not `FF`, or a cell of the board is.
    #[error("cell {at} holds {byte:02X}: FF must be in the frame and nowhere else")]
    BadBorder {
        /// Which cell.
        at: usize,
        /// What it holds.
        byte: u8,
    },
    /// A cell holds neither a piece nor nothing.
    #[error("cell {at} ({}) holds {byte:02X}, which is no piece of this profile", square_of(*at))]
    BadCell {
        /// Which cell.
        at: usize,
        /// What it holds.
        byte: u8,
    },
    /// The side to move is neither White nor Black.
    #[error("byte {at} holds {byte:02X}, expected 08 (White to move) or 10 (Black)")]
    BadSide {
        /// Which byte.
        at: usize,
        /// What it holds.
        byte: u8,
    },
    /// An unknown flag, or rook files without the flag that announces them.
    #[error("byte {at} holds {byte:02X}, which does not fit the flags")]
    BadFlags {
        /// Which byte.
        at: usize,
        /// What it holds.
        byte: u8,
    },
    /// The en-passant flag is where no pawn can just have made a double step, or is there twice.
    #[error("cell {at} ({}) cannot be captured en passant", square_of(*at))]
    BadEnPassant {
        /// Which cell.
        at: usize,
    },
    /// The move number is 0.
    #[error("move number at byte {at} is 0, expected 1 or more")]
    BadMoveNumber {
        /// Which byte.
        at: usize,
    },
    /// A castling file without a rook of that side there, or on the wrong side of the king.
    #[error("byte {at} holds {byte:02X}: no such castling rook")]
    BadCastlingFile {
        /// Which byte.
        at: usize,
        /// What it holds.
        byte: u8,
    },
    /// A clock or move number does not fit in its field.
    #[error("{field} {value} does not fit, expected {least} to 65535")]
    OutOfRange {
        /// Which clock.
        field: FenField,
        /// Its value.
        value: u32,
        /// The smallest that would fit; the largest is 65535.
        least: u32,
    },
    /// The profile cannot hold all of the set-up, and the caller has not said that is fine.
    #[error("{} would be lost", names(.lost))]
    LossyConversion {
        /// What would be lost.
        lost: Vec<FenField>,
    },
}

impl Error {
    /// The byte at fault, where it is one.
    #[must_use]
    pub fn at(&self) -> Option<usize> {
        match *self {
            Error::BadBorder { at, .. }
            | Error::BadCell { at, .. }
            | Error::BadSide { at, .. }
            | Error::BadFlags { at, .. }
            | Error::BadEnPassant { at }
            | Error::BadMoveNumber { at }
            | Error::BadCastlingFile { at, .. } => Some(at),
            _ => None,
        }
    }
}

fn names(fields: &[FenField]) -> String {
    let names: Vec<_> = fields.iter().map(FenField::to_string).collect();
    names.join(", ")
}
