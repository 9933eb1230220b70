//! What can be wrong with the files of a database, with a game, or with a wish to write one.

use std::{fmt, io};

use tabiya_chess::Role;
use tabiya_game::{GameErrorKind, Place};

/// One of the three files of a database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum File {
    /// The index, `.si4` or `.si5`.
    Index,
    /// The names, `.sn4` or `.sn5`.
    Names,
    /// The games, `.sg4` or `.sg5`.
    Games,
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            File::Index => "index",
            File::Names => "name file",
            File::Games => "game file",
        })
    }
}

/// Something is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}, byte {offset}: {kind}")]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// In which file.
    pub file: File,
    /// At which byte of it, from 0.
    pub offset: u64,
}

impl From<Error> for tabiya_game::Error {
    fn from(error: Error) -> tabiya_game::Error {
        let message = format!("{}: {}", error.file, error.kind);
        let place = Place::at_byte(error.offset);
        tabiya_game::Error::new(tabiya_game::ErrorKind::Damaged, message).at(place)
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, error)
    }
}

/// Why bytes are not a database or a game, or a game cannot be one of a database.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file does not begin as it should.
    #[error("it does not begin as the {0} of a Scid database does")]
    BadMagic(File),
    /// A version that is not known.
    #[error("version {0}, expected 400, or 300 for the layout before it")]
    BadVersion(u16),
    /// The index does not end with a whole record.
    #[error("{bytes} bytes behind the last whole record")]
    TornRecord {
        /// How many.
        bytes: u64,
    },
    /// The index has more games than its header says.
    #[error("there are {found} games, of which its header says {declared}")]
    TooManyRecords {
        /// How many there are.
        found: u64,
        /// How many there should be.
        declared: u64,
    },
    /// The index has fewer games than its header says.
    #[error("it ends after {found} games, of which its header says {declared}")]
    TooFewRecords {
        /// How many there are.
        found: u64,
        /// How many there should be.
        declared: u64,
    },
    /// The name file ends within a name.
    #[error("it ends within a name")]
    TornName,
    /// A kind of name that does not exist.
    #[error("kind {0} of name, of which there are 0 to 4")]
    BadNameKind(u8),
    /// The number of a name is not below the number of names, or was there before.
    #[error("the name number {0} is too large or was there before")]
    BadNameId(u32),
    /// A name shares more bytes with the one before it than there are.
    #[error("a name of {length} bytes shares {shared} with one of {before}")]
    BadPrefix {
        /// How long the name is.
        length: u8,
        /// How many bytes it shares.
        shared: u8,
        /// How long the name before is.
        before: u8,
    },
    /// A game names somebody or something that the name file does not have.
    #[error("there is no {kind} number {id}")]
    NoSuchName {
        /// The kind of name.
        kind: &'static str,
        /// Its number.
        id: u32,
    },
    /// The game file ends before a game does.
    #[error("the game should have {length} bytes here, the file ends before")]
    OutsideFile {
        /// The length of its record.
        length: u32,
    },
    /// The record ends within something.
    #[error("the record ends within {0}")]
    Truncated(&'static str),
    /// The start position cannot be used.
    #[error("{0}")]
    BadStart(String),
    /// The variant is not known.
    #[error("{0}")]
    UnknownVariant(String),
    /// A piece that was captured or never was.
    #[error("there is no piece number {0} to move")]
    NoSuchPiece(u8),
    /// A code that the piece does not have.
    #[error("code {code} means nothing to a {role}")]
    BadCode {
        /// The kind of piece.
        role: Role,
        /// The code.
        code: u8,
    },
    /// A move off the board.
    #[error("code {code} leads a {role} off the board")]
    OffBoard {
        /// The kind of piece.
        role: Role,
        /// The code.
        code: u8,
    },
    /// The second byte of a diagonal move of a queen.
    #[error("{0:02X} is no second byte of a queen: expected 40 to 7F")]
    BadSecondByte(u8),
    /// Castling without a right.
    #[error("there is no right to castle on that side")]
    NoCastling,
    /// A move that is not legal.
    #[error("{0} is not legal here")]
    IllegalMove(String),
    /// A variation that replaces nothing.
    #[error("a variation before any move of its line")]
    VariationAtStart,
    /// A variation ends that has not begun.
    #[error("a variation ends that has not begun")]
    VariationUnderflow,
    /// The game ends within a variation.
    #[error("the game ends within a variation")]
    UnclosedVariation,
    /// Variations are nested too deep.
    #[error("variations nested more than {0} deep")]
    TooDeep(usize),
    /// Fewer comments than marks.
    #[error("{0} comments are marked but not there")]
    MissingComments(usize),
    /// Bytes behind the last comment.
    #[error("{0} bytes behind the last comment that is marked")]
    TrailingData(usize),
    /// A record that is too long.
    #[error("a record of {0} bytes, of which 131,071 fit")]
    RecordTooLong(usize),
    /// A game that only the newer version can hold.
    #[error("a Chess960 game, which only si5 can hold")]
    Chess960,
}

impl ErrorKind {
    /// Puts the error to its place.
    #[must_use]
    pub const fn at(self, file: File, offset: u64) -> Error {
        Error {
            kind: self,
            file,
            offset,
        }
    }

    /// The same in the words of all formats.
    pub(super) const fn in_a_game(&self) -> GameErrorKind {
        match self {
            ErrorKind::IllegalMove(_) | ErrorKind::NoCastling => GameErrorKind::IllegalMove,
            ErrorKind::BadStart(_) => GameErrorKind::BadStart,
            ErrorKind::UnknownVariant(_) => GameErrorKind::UnknownVariant,
            ErrorKind::NoSuchName { .. } => GameErrorKind::BadTag,
            ErrorKind::VariationAtStart
            | ErrorKind::VariationUnderflow
            | ErrorKind::UnclosedVariation => GameErrorKind::Unbalanced,
            ErrorKind::TooDeep(_) => GameErrorKind::Limit,
            _ => GameErrorKind::Unreadable,
        }
    }
}
