//! Where the cells are and how pieces step over them.

use std::fmt;

use crate::{Color, Square};

/// How many cells the board has: 12 rows of 10.
pub(super) const CELLS: usize = 120;

/// Arrays by cell are padded to a power of two, so that a mask takes the place of a bounds check.
pub(super) const PADDED: usize = 128;

/// The steps of a knight.
pub const KNIGHT_STEPS: [i8; 8] = [-21, -19, -12, -8, 8, 12, 19, 21];

/// The steps of a bishop, any number of times.
pub const BISHOP_STEPS: [i8; 4] = [-11, -9, 9, 11];

/// The steps of a rook, any number of times.
pub const ROOK_STEPS: [i8; 4] = [-10, -1, 1, 10];

/// The steps of a king, and of a queen any number of times.
pub const KING_STEPS: [i8; 8] = [-11, -10, -9, -1, 1, 9, 10, 11];

/// How the pawns of a side step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PawnSteps {
    /// One step forward.
    pub push: i8,
    /// Two steps forward, from the second rank.
    pub double: i8,
    /// The captures.
    pub captures: [i8; 2],
}

/// The steps of a side's pawns.
#[inline]
#[must_use]
pub const fn pawn_steps(color: Color) -> PawnSteps {
    match color {
        Color::White => PawnSteps {
            push: 10,
            double: 20,
            captures: [9, 11],
        },
        Color::Black => PawnSteps {
            push: -10,
            double: -20,
            captures: [-9, -11],
        },
    }
}

/// A cell that is a square, as its index in the 120 cells: a1 = 21, h1 = 28, h8 = 98.
///
/// The cells of the frame are no `Cell`: nothing can be put on them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The cell of an index, if it is on the board.
    ///
    /// ```
    /// use tabiya_chess::mailbox::Cell;
    ///
    /// assert_eq!(Cell::new(55).map(|cell| cell.to_string()).as_deref(), Some("e4"));
    /// assert_eq!(Cell::new(29), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn new(index: u8) -> Option<Cell> {
        if (index as usize) < PADDED && SQUARES[index as usize] != NO_SQUARE {
            Some(Cell(index))
        } else {
            None
        }
    }

    /// The cell of a square: 21 + file + 10 * rank.
    #[inline]
    #[must_use]
    pub const fn from_square(square: Square) -> Cell {
        Cell(CELL_OF[square.index()])
    }

    /// The square it is.
    #[inline]
    #[must_use]
    pub const fn square(self) -> Square {
        square_of(self.index())
    }

    /// Its index. The mask is for the optimiser, which then drops the bounds check.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize & (PADDED - 1)
    }

    /// The cell a step away, if that is on the board.
    #[inline]
    #[must_use]
    pub const fn step(self, step: i8) -> Option<Cell> {
        match self.0.checked_add_signed(step) {
            Some(index) => Cell::new(index),
            None => None,
        }
    }

    /// Whether it is a light square: row and column are both odd or both even.
    ///
    /// The note has it the other way round, which would make a1 light (spec 7.3).
    #[inline]
    #[must_use]
    pub const fn is_light(self) -> bool {
        ((self.0 / 10) ^ self.0) & 1 == 0
    }

    /// All 64 cells, a1, b1, … h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator {
        Square::all().map(Cell::from_square)
    }
}

impl From<Square> for Cell {
    #[inline]
    fn from(square: Square) -> Cell {
        Cell::from_square(square)
    }
}

impl From<Cell> for Square {
    #[inline]
    fn from(cell: Cell) -> Square {
        cell.square()
    }
}

/// The name of the square.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.square().fmt(f)
    }
}

/// `55 (e4)`.
impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({self})", self.0)
    }
}

const NO_SQUARE: u8 = 0xff;

/// The cell of each square. Computing it takes replay half a nanosecond longer than looking it up.
static CELL_OF: [u8; 64] = {
    let mut cells = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        cells[square] = 21 + file as u8 + 10 * rank as u8;
        square += 1;
    }
    cells
};

/// The square of each cell.
static SQUARES: [u8; PADDED] = {
    let mut squares = [NO_SQUARE; PADDED];
    let mut index = 0;
    while index < 64 {
        let cell = Cell::from_square(Square::from_index(index));
        squares[cell.0 as usize] = index;
        index += 1;
    }
    squares
};

/// The square of an index that is known to be on the board.
#[inline]
pub(super) const fn square_of(index: usize) -> Square {
    Square::from_index(SQUARES[index & (PADDED - 1)])
}

/// The index a step further. It wraps at 128, which lands in the frame or in the padding beyond
/// it, never outside the array.
#[inline]
pub(super) const fn go(index: usize, step: i8) -> usize {
    index.wrapping_add_signed(step as isize) & (PADDED - 1)
}
