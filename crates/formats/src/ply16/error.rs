//! What can be wrong with words and with the files around them.

use std::fmt;

use tabiya_chess::{Color, Role, Square};
use tabiya_game::{GameErrorKind, Place};

use crate::stream::{StreamError, StreamPlace};

/// Why bytes are not a game of the format, or a move cannot be a word of it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Half a word at the end.
    #[error("half a word: a ply has two bytes")]
    OddLength,
    /// A piece byte that names no piece.
    #[error("piece byte {piece:02X} names no piece")]
    BadPieceCode {
        /// The byte.
        piece: u8,
    },
    /// There are not so many pieces of the kind on the board.
    #[error("there is no {color} {role} number {index}")]
    NoSuchPiece {
        /// Whose piece.
        color: Color,
        /// Its kind.
        role: Role,
        /// How many of its kind should stand on lower squares.
        index: u8,
    },
    /// An action byte that means nothing for its piece.
    #[error("action byte {action:02X} means nothing for a {role}")]
    BadAction {
        /// The byte.
        action: u8,
        /// The kind of piece.
        role: Role,
    },
    /// A step off the board.
    #[error("action byte {action:02X} leads off the board from {from}")]
    OffBoard {
        /// Where the piece stands.
        from: Square,
        /// The byte.
        action: u8,
    },
    /// A move that the rules do not allow.
    #[error("{play} is not legal here")]
    IllegalMove {
        /// The move, from square to square.
        play: String,
    },
    /// The bits for capture, check and mate do not say what the board says.
    #[error("the flags of action byte {action:02X} are wrong: expected {expected}")]
    FlagMismatch {
        /// The byte.
        action: u8,
        /// What the flags should be.
        expected: super::Flags,
    },
    /// Words behind the one that ends the game.
    #[error("there are words behind the one that ends the game")]
    DataAfterTerminator,
    /// More pieces of a kind than a word can count.
    #[error("{color} {role} number {index} cannot be named: at most {most} can")]
    TooManyPieces {
        /// Whose piece.
        color: Color,
        /// Its kind.
        role: Role,
        /// How many of its kind stand on lower squares.
        index: u8,
        /// How many of the kind a word can tell apart.
        most: u8,
    },
    /// Castling of Chess960, for which a word has no room.
    #[error("castling needs the king on the e-file and the rook in the corner")]
    Chess960Unsupported,
    /// Something else that a word cannot hold.
    #[error("{what} has no word")]
    NotRepresentable {
        /// What it is.
        what: &'static str,
    },
    /// The file ends too early.
    #[error("the file ends within a game")]
    Truncated,
    /// Nothing that is known of such files fits.
    #[error("not a file of this format, or one that is cut off: header and games do not fit")]
    UnrecognisedContainer,
    /// The index says something else about a game than the game itself.
    #[error("the index and the game do not agree")]
    BadIndex,
    /// A tag names a string that does not exist.
    #[error("tag {tag} is string {id}, of {strings}")]
    BadTagId {
        /// The tag.
        tag: &'static str,
        /// The number it names.
        id: u32,
        /// How many strings there are.
        strings: u32,
    },
    /// A line break in a tag, where one ends every string.
    #[error("line breaks in the tag {tag}")]
    TagContainsNewline {
        /// The tag.
        tag: &'static str,
    },
    /// More plies than the file can count.
    #[error("more than {most} plies")]
    TooManyPlies {
        /// How many it can count.
        most: usize,
    },
    /// The bytes of a game are not those that were written.
    #[error("the checksum is {found:08X}: expected {expected:08X}")]
    BadChecksum {
        /// That of the bytes.
        found: u32,
        /// That which was written with them.
        expected: u32,
    },
    /// Bytes where a game should begin.
    #[error("no game begins here")]
    NoRecord,
    /// A field that says something impossible.
    #[error("unexpected {field}")]
    BadField {
        /// The field.
        field: &'static str,
    },
}

impl ErrorKind {
    /// The name of the kind.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            ErrorKind::OddLength => "OddLength",
            ErrorKind::BadPieceCode { .. } => "BadPieceCode",
            ErrorKind::NoSuchPiece { .. } => "NoSuchPiece",
            ErrorKind::BadAction { .. } => "BadAction",
            ErrorKind::OffBoard { .. } => "OffBoard",
            ErrorKind::IllegalMove { .. } => "IllegalMove",
            ErrorKind::FlagMismatch { .. } => "FlagMismatch",
            ErrorKind::DataAfterTerminator => "DataAfterTerminator",
            ErrorKind::TooManyPieces { .. } => "TooManyPieces",
            ErrorKind::Chess960Unsupported => "Chess960Unsupported",
            ErrorKind::NotRepresentable { .. } => "NotRepresentable",
            ErrorKind::Truncated => "Truncated",
            ErrorKind::UnrecognisedContainer => "UnrecognisedContainer",
            ErrorKind::BadIndex => "BadIndex",
            ErrorKind::BadTagId { .. } => "BadTagId",
            ErrorKind::TagContainsNewline { .. } => "TagContainsNewline",
            ErrorKind::TooManyPlies { .. } => "TooManyPlies",
            ErrorKind::BadChecksum { .. } => "BadChecksum",
            ErrorKind::NoRecord => "NoRecord",
            ErrorKind::BadField { .. } => "BadField",
        }
    }

    /// What it is among the errors of games.
    pub(super) fn in_game(&self) -> GameErrorKind {
        match self {
            ErrorKind::IllegalMove { .. } => GameErrorKind::IllegalMove,
            ErrorKind::BadTagId { .. } => GameErrorKind::BadTag,
            _ => GameErrorKind::Unreadable,
        }
    }

    /// The error of a stream.
    pub(super) fn at(&self, place: StreamPlace) -> StreamError {
        StreamError {
            name: self.name(),
            place,
            message: self.to_string(),
        }
    }
}

/// What is wrong, and at which byte of the file or stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// What.
    pub kind: ErrorKind,
    /// Where, from 0.
    pub offset: u64,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.kind)
    }
}

impl std::error::Error for Error {}

impl From<Error> for tabiya_game::Error {
    fn from(error: Error) -> tabiya_game::Error {
        let place = Place::at_byte(error.offset);
        tabiya_game::Error::new(tabiya_game::ErrorKind::Damaged, error.kind).at(place)
    }
}
