//! Squares, files and ranks.
//!
//! ```
//! use tabiya_chess::{File, Rank, Square};
//!
//! let e4: Square = "e4".parse()?;
//! assert_eq!(e4, Square::E4);
//! assert_eq!((e4.file(), e4.rank()), (File::E, Rank::Fourth));
//! assert_eq!(e4.to_string(), "e4");
//! assert!(e4.is_light());
//! # Ok::<(), tabiya_chess::ParseSquareError>(())
//! ```

use std::{fmt, str::FromStr};

/// A file of the board, `a` to `h`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)] // the letters say it
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl File {
    /// All files, from `a` to `h`.
    pub const ALL: [File; 8] = [
        File::A,
        File::B,
        File::C,
        File::D,
        File::E,
        File::F,
        File::G,
        File::H,
    ];

    /// The file of an index, `a` = 0; only the three lowest bits count.
    #[inline]
    #[must_use]
    pub const fn from_index(index: u8) -> File {
        // A match of all values costs nothing; a look-up in ALL would be a load.
        match index & 7 {
            0 => File::A,
            1 => File::B,
            2 => File::C,
            3 => File::D,
            4 => File::E,
            5 => File::F,
            6 => File::G,
            _ => File::H,
        }
    }

    /// The file named by a letter of either case.
    #[inline]
    #[must_use]
    pub const fn from_letter(letter: u8) -> Option<File> {
        let index = (letter | 0x20).wrapping_sub(b'a');
        if index < 8 {
            Some(File::from_index(index))
        } else {
            None
        }
    }

    /// Its letter, lower case.
    #[inline]
    #[must_use]
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A rank of the board, 1 to 8, seen from White.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)] // the ordinals say it
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

impl Rank {
    /// All ranks, from the first to the eighth.
    pub const ALL: [Rank; 8] = [
        Rank::First,
        Rank::Second,
        Rank::Third,
        Rank::Fourth,
        Rank::Fifth,
        Rank::Sixth,
        Rank::Seventh,
        Rank::Eighth,
    ];

    /// The rank of an index, first = 0; only the three lowest bits count.
    #[inline]
    #[must_use]
    pub const fn from_index(index: u8) -> Rank {
        // A match of all values costs nothing; a look-up in ALL would be a load.
        match index & 7 {
            0 => Rank::First,
            1 => Rank::Second,
            2 => Rank::Third,
            3 => Rank::Fourth,
            4 => Rank::Fifth,
            5 => Rank::Sixth,
            6 => Rank::Seventh,
            _ => Rank::Eighth,
        }
    }

    /// The rank named by a digit, `1` to `8`.
    #[inline]
    #[must_use]
    pub const fn from_digit(digit: u8) -> Option<Rank> {
        let index = digit.wrapping_sub(b'1');
        if index < 8 {
            Some(Rank::from_index(index))
        } else {
            None
        }
    }

    /// Its digit, `1` to `8`.
    #[inline]
    #[must_use]
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.digit())
    }
}

/// A square as its 0..64 index: a1 = 0, b1 = 1, h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// The text is not a square, `a1` to `h8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a square: expected a file letter a-h and a rank digit 1-8")]
pub struct ParseSquareError;

impl Square {
    /// The square of an index; only the six lowest bits count.
    #[inline]
    #[must_use]
    pub const fn from_index(index: u8) -> Square {
        Square(index & 63)
    }

    /// The square where a file and a rank cross.
    #[inline]
    #[must_use]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square(file as u8 | (rank as u8) << 3)
    }

    /// The square named by two ASCII bytes such as `e4`.
    #[inline]
    #[must_use]
    pub const fn from_ascii(file: u8, rank: u8) -> Option<Square> {
        match (File::from_letter(file), Rank::from_digit(rank)) {
            (Some(file), Some(rank)) => Some(Square::new(file, rank)),
            _ => None,
        }
    }

    /// Its index, 0..64. The mask is for the optimiser, which then drops the bounds check.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// Its file.
    #[inline]
    #[must_use]
    pub const fn file(self) -> File {
        File::from_index(self.0)
    }

    /// Its rank.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> Rank {
        Rank::from_index(self.0 >> 3)
    }

    /// The square on the other side of the board's horizontal middle: e2 and e7.
    #[inline]
    #[must_use]
    pub const fn flip(self) -> Square {
        Square(self.0 ^ 56)
    }

    /// The square `files` to the right and `ranks` up, if it is on the board.
    #[inline]
    #[must_use]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = (self.0 & 7) as i8 + files;
        let rank = (self.0 >> 3) as i8 + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            None
        } else {
            Some(Square((rank * 8 + file) as u8))
        }
    }

    /// Whether it is a light square, as h1 is.
    #[inline]
    #[must_use]
    pub const fn is_light(self) -> bool {
        (self.0 ^ (self.0 >> 3)) & 1 == 1
    }

    /// All squares, a1, b1, … h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64).map(Square)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match *text.as_bytes() {
            [file, rank] => Square::from_ascii(file, rank).ok_or(ParseSquareError),
            _ => Err(ParseSquareError),
        }
    }
}

macro_rules! name_squares {
    ($($name:ident)*) => {
        #[allow(missing_docs)] // each constant is the square of its name
        impl Square {
            name_squares!(@ 0; $($name)*);
        }
    };
    (@ $index:expr; $name:ident $($rest:ident)*) => {
        pub const $name: Square = Square($index);
        name_squares!(@ $index + 1; $($rest)*);
    };
    (@ $index:expr;) => {};
}

name_squares! {
    A1 B1 C1 D1 E1 F1 G1 H1
    A2 B2 C2 D2 E2 F2 G2 H2
    A3 B3 C3 D3 E3 F3 G3 H3
    A4 B4 C4 D4 E4 F4 G4 H4
    A5 B5 C5 D5 E5 F5 G5 H5
    A6 B6 C6 D6 E6 F6 G6 H6
    A7 B7 C7 D7 E7 F7 G7 H7
    A8 B8 C8 D8 E8 F8 G8 H8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_indices_agree() {
        assert_eq!(Square::A1.index(), 0);
        assert_eq!(Square::H1.index(), 7);
        assert_eq!(Square::A8.index(), 56);
        assert_eq!(Square::H8.index(), 63);
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
        }
    }

    #[test]
    fn half_the_squares_are_light() {
        assert_eq!(Square::all().filter(|s| s.is_light()).count(), 32);
        assert!(Square::H1.is_light() && Square::A8.is_light() && !Square::A1.is_light());
    }

    #[test]
    fn offsets_stop_at_the_edge() {
        assert_eq!(Square::A1.offset(1, 2), Some(Square::B3));
        assert_eq!(Square::A1.offset(-1, 0), None);
        assert_eq!(Square::H8.offset(0, 1), None);
    }

    #[test]
    fn other_texts_are_no_squares() {
        for text in ["", "e", "e9", "i1", "e44", "44"] {
            assert_eq!(text.parse::<Square>(), Err(ParseSquareError), "{text}");
        }
    }
}
