//! The encodings of a move stream.

use tabiya_chess::{Color, Position, Square, Variant};

use super::{
    error::ErrorKind,
    tables::{self, Table},
};

/// How the moves of a record are encoded: a number from 0 to 11 in the first byte of the record.
///
/// | mode | encoder | counter | order | chess |
/// |---|---|---|---|---|
/// | 0, 2 | compact | pre | normal, reversed scan | regular |
/// | 1, 3 | simple | pre | from-to, to-from | regular |
/// | 4, 6 | compact | post | normal, reversed scan | regular |
/// | 5, 7 | simple | post | from-to, to-from | regular |
/// | 8, 9 | compact | post | normal, reversed scan | losing chess |
/// | 10, 11 | compact | post | normal, reversed scan | Chess960 |
///
/// ```
/// use tabiya_chess::{Position, Variant};
/// use tabiya_chessbase::moves::Mode;
///
/// assert_eq!(Mode::for_start(&Position::initial()), Mode::REGULAR);
/// assert_eq!(Mode::CHESS960.variant(), Variant::Chess960);
/// assert!(Mode::new(16).unwrap_err().to_string().contains("Makruk"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Mode(u8);

impl Mode {
    /// What ChessBase writes for regular chess.
    pub const REGULAR: Mode = Mode(0);
    /// Losing chess.
    pub const LOSING: Mode = Mode(8);
    /// What ChessBase writes for Chess960.
    pub const CHESS960: Mode = Mode(10);

    /// All modes that can be read and written.
    pub fn all() -> impl Iterator<Item = Mode> {
        (0..12).map(Mode)
    }

    /// The mode of a number.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownMode`] for 12 and more.
    pub const fn new(number: u8) -> Result<Mode, ErrorKind> {
        match number {
            0..12 => Ok(Mode(number)),
            _ => Err(ErrorKind::UnknownMode { mode: number }),
        }
    }

    /// The mode in which a game from a position is written. Castling from unusual squares needs
    /// Chess960, whatever the game is called.
    #[must_use]
    pub fn for_start(start: &Position) -> Mode {
        match start.variant() {
            Variant::Antichess => Mode::LOSING,
            Variant::Chess960 => Mode::CHESS960,
            Variant::Standard if has_unusual_castling(start) => Mode::CHESS960,
            Variant::Standard => Mode::REGULAR,
        }
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The rules of its games.
    #[must_use]
    pub const fn variant(self) -> Variant {
        match self.0 {
            8 | 9 => Variant::Antichess,
            10 | 11 => Variant::Chess960,
            _ => Variant::Standard,
        }
    }

    /// Whether every move takes two bytes, with the starts and ends of variations in them.
    #[must_use]
    pub const fn is_simple(self) -> bool {
        matches!(self.0, 1 | 3 | 5 | 7)
    }

    /// Whether pieces are numbered from h8 down to a1, or, in a simple mode, a move's two squares
    /// are swapped.
    #[must_use]
    pub const fn is_reversed(self) -> bool {
        matches!(self.0, 2 | 3 | 6 | 7 | 9 | 11)
    }

    pub(super) const fn cipher(self) -> Cipher {
        let pre = self.0 < 4;
        Cipher {
            decode: tables::DECODE[self.0 as usize],
            encode: tables::ENCODE[self.0 as usize],
            pre: if pre { 0xff } else { 0 },
            post: if pre { 0 } else { 0xff },
        }
    }
}

/// Whether a castling right is not that of a king on its e-file with a rook in its corner.
fn has_unusual_castling(start: &Position) -> bool {
    start.castling_rooks().into_iter().any(|rook| {
        let (color, king) = match rook.rank() == Color::White.back_rank() {
            true => (Color::White, Square::E1),
            false => (Color::Black, Square::E8),
        };
        let is_corner = [Square::A1, Square::H1, Square::A8, Square::H8].contains(&rook);
        !is_corner || start.board().king(color) != Some(king)
    })
}

/// A substitution that turns with the number of moves.
///
/// The number is taken away from a byte before the table is asked, or from its answer: one of the
/// two masks is 0, which spares the hot loop a branch.
#[derive(Clone, Copy)]
pub(super) struct Cipher {
    decode: &'static Table,
    encode: &'static Table,
    pre: u8,
    post: u8,
}

impl Cipher {
    /// That of a quoted game.
    pub(super) const QUOTATION: Cipher = Cipher {
        decode: &tables::QUOTATION,
        encode: tables::QUOTATION_ENCODE,
        pre: 0xff,
        post: 0,
    };

    /// The code of a byte after `count` moves.
    #[inline(always)]
    pub(super) fn decode(&self, byte: u8, count: u8) -> u8 {
        self.decode[usize::from(byte.wrapping_sub(count & self.pre))]
            .wrapping_sub(count & self.post)
    }

    /// The byte of a code after `count` moves.
    #[inline]
    pub(super) fn encode(&self, code: u8, count: u8) -> u8 {
        self.encode[usize::from(code.wrapping_add(count & self.post))]
            .wrapping_add(count & self.pre)
    }
}
