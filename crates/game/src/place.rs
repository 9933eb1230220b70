//! Where something stands in an input.

use std::fmt;

/// A place in an input file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Place {
    /// The byte, from 0.
    pub offset: u64,
    /// The line, from 1; 0 where the format has no lines.
    pub line: u64,
    /// The column in characters, from 1; 0 where the format has no lines.
    pub column: u32,
    /// The number of the entry that begins here, as its file counts entries from 1; 0 where
    /// nothing begins, or the reader knows no number. A game without one is counted by whoever
    /// reads the file from its beginning; a text without one belongs to the whole database.
    pub number: u64,
}

impl Place {
    /// A place in a binary file.
    #[must_use]
    pub const fn at_byte(offset: u64) -> Place {
        Place {
            offset,
            line: 0,
            column: 0,
            number: 0,
        }
    }

    /// The place in a binary file where the entry of a number begins.
    #[must_use]
    pub const fn of_entry(number: u64, offset: u64) -> Place {
        Place {
            number,
            ..Place::at_byte(offset)
        }
    }
}

/// `line:column`, or `byte N` where there are no lines.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(f, "byte {}", self.offset)
        } else {
            write!(f, "{}:{}", self.line, self.column)
        }
    }
}
