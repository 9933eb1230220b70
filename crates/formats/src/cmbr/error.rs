//! What can be wrong with words, files and games.

use tabiya_chess::Square;
use tabiya_game::{GameErrorKind, Place};

use super::word::Fields;

/// Something is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("byte {offset}: {kind}")]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// The byte of the file or stream, from 0.
    pub offset: u64,
}

impl From<Error> for tabiya_game::Error {
    fn from(error: Error) -> tabiya_game::Error {
        let place = Place::at_byte(error.offset);
        tabiya_game::Error::new(tabiya_game::ErrorKind::Damaged, error.kind).at(place)
    }
}

/// Why bytes are not a game, or a game cannot be bytes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file does not begin as a container does.
    #[error(
        "not a file of cmbr games: expected 63 6D 62 72 and 04 or 05; a memory image of the later \
         Rust program (CMBR!) cannot be read either, convert the PGN it was made of"
    )]
    BadMagic,
    /// A section does not begin with its marker.
    #[error("expected the {section}, {marker:02X} {marker:02X}, but found {found}")]
    BadSection {
        /// What should stand here.
        section: &'static str,
        /// The byte that should stand here twice.
        marker: u8,
        /// What stands here, in hexadecimal digits.
        found: String,
    },
    /// The file ends within a game.
    #[error("the file ends within {within}")]
    Truncated {
        /// The part of the game that is cut.
        within: &'static str,
    },
    /// A stream that does not end with a whole word.
    #[error("the stream does not end with a whole word of {size} bytes")]
    OddLength {
        /// The bytes of a word.
        size: usize,
    },
    /// Castling with bits that castling does not have.
    #[error("{word:04X} is no castling: only 0006 and 0007 are")]
    BadCastlingWord {
        /// The word.
        word: u16,
    },
    /// A word of 24 bits that is neither a move nor a glyph nor a pointer.
    #[error("{word:06X} is no move, glyph or variation")]
    BadWord {
        /// The word.
        word: u32,
    },
    /// No legal move fits a word.
    #[error("no legal move is {0}")]
    NoLegalOrigin(Fields),
    /// Several legal moves fit a word.
    #[error("several legal moves are {0}")]
    AmbiguousOrigin(Fields),
    /// Two origins that neither a file nor a rank tells apart.
    #[error(
        "neither the file nor the rank tells which piece goes from {from} to {to}, and the \
         document has no third way"
    )]
    DoublyAmbiguous {
        /// Where the piece comes from.
        from: Square,
        /// Where it goes.
        to: Square,
    },
    /// A word as the original program writes them, from which the move cannot be told for sure.
    #[error(
        "move {number}: {word:04X} is a defective word of the original program, whose moves \
         cannot be told for sure"
    )]
    DefectiveWords {
        /// The number of the move.
        number: u32,
        /// The word.
        word: u16,
    },
    /// A move that is not legal.
    #[error("{what} is not legal here")]
    IllegalMove {
        /// The move.
        what: String,
    },
    /// A null move, for which there is no word.
    #[error("there is no word for a null move")]
    NullMoveUnsupported,
    /// A flag before a word that is not 0.
    #[error("flag {flag} before a move: variations were declared, but never defined")]
    UnsupportedFlag {
        /// The flag.
        flag: u8,
    },
    /// A result that is none of the four letters.
    #[error("{byte:02X} is no result: expected w, b, d or u")]
    BadResult {
        /// The byte.
        byte: u8,
    },
    /// More tags than the container counts.
    #[error("more than {most} tags")]
    TooManyTags {
        /// How many fit.
        most: usize,
    },
    /// More plies than the container counts.
    #[error("more than {most} plies")]
    TooManyMoves {
        /// How many fit.
        most: usize,
    },
    /// A text longer than the container counts.
    #[error("{length} bytes, of which {most} fit")]
    StringTooLong {
        /// How many bytes it has.
        length: usize,
        /// How many fit.
        most: usize,
    },
    /// Something for which there is no word.
    #[error("there is no word for {what}")]
    NotRepresentable {
        /// What.
        what: &'static str,
    },
}

impl ErrorKind {
    /// Its name, as it stands in this type.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            ErrorKind::BadMagic => "BadMagic",
            ErrorKind::BadSection { .. } => "BadSection",
            ErrorKind::Truncated { .. } => "Truncated",
            ErrorKind::OddLength { .. } => "OddLength",
            ErrorKind::BadCastlingWord { .. } => "BadCastlingWord",
            ErrorKind::BadWord { .. } => "BadWord",
            ErrorKind::NoLegalOrigin(_) => "NoLegalOrigin",
            ErrorKind::AmbiguousOrigin(_) => "AmbiguousOrigin",
            ErrorKind::DoublyAmbiguous { .. } => "DoublyAmbiguous",
            ErrorKind::DefectiveWords { .. } => "DefectiveWords",
            ErrorKind::IllegalMove { .. } => "IllegalMove",
            ErrorKind::NullMoveUnsupported => "NullMoveUnsupported",
            ErrorKind::UnsupportedFlag { .. } => "UnsupportedFlag",
            ErrorKind::BadResult { .. } => "BadResult",
            ErrorKind::TooManyTags { .. } => "TooManyTags",
            ErrorKind::TooManyMoves { .. } => "TooManyMoves",
            ErrorKind::StringTooLong { .. } => "StringTooLong",
            ErrorKind::NotRepresentable { .. } => "NotRepresentable",
        }
    }

    /// The same in the words of all formats.
    pub(super) const fn in_a_game(&self) -> GameErrorKind {
        match self {
            ErrorKind::NoLegalOrigin(_) | ErrorKind::IllegalMove { .. } => {
                GameErrorKind::IllegalMove
            }
            ErrorKind::AmbiguousOrigin(_) => GameErrorKind::AmbiguousMove,
            _ => GameErrorKind::Unreadable,
        }
    }
}
