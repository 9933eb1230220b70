//! Profile `plain`: the note as written, 120 bytes.

use super::{
    Error,
    board::EMPTY_CELLS,
    byte,
    geometry::{CELLS, Cell},
};
use crate::{Board, FenField, Setup};

/// A board of 120 bytes: where the pieces stand, and nothing else.
///
/// ```
/// use tabiya_chess::{FenField, Setup, mailbox::{Error, Plain}};
///
/// // The castling rights of the start of a game have no place here.
/// let error = Plain::from_setup(&Setup::INITIAL).unwrap_err();
/// assert_eq!(error, Error::LossyConversion { lost: vec![FenField::Castling] });
///
/// let (plain, lost) = Plain::from_setup_lossy(&Setup::INITIAL);
/// assert_eq!(lost, [FenField::Castling]);
/// assert_eq!(plain.to_setup().board, Setup::INITIAL.board);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Plain([u8; CELLS]);

impl Plain {
    /// What a reader cannot know and fills in with `w - - 0 1`.
    pub const LOST: [FenField; 5] = [
        FenField::Turn,
        FenField::Castling,
        FenField::EnPassant,
        FenField::HalfmoveClock,
        FenField::FullmoveNumber,
    ];

    /// Checks 120 bytes.
    ///
    /// # Errors
    ///
    /// The first of [`Error::BadLength`], [`Error::BadBorder`] and [`Error::BadCell`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Plain, Error> {
        let cells: [u8; CELLS] = bytes.try_into().map_err(|_| Error::BadLength {
            found: bytes.len(),
            expected: CELLS,
        })?;
        check_cells(&cells, 0)?;
        Ok(Plain(cells))
    }

    /// Its bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; CELLS] {
        &self.0
    }

    /// The board of a set-up of which nothing is lost: White to move, no rights, clocks at their
    /// start.
    ///
    /// # Errors
    ///
    /// [`Error::LossyConversion`] for any other set-up.
    pub fn from_setup(setup: &Setup) -> Result<Plain, Error> {
        match Plain::from_setup_lossy(setup) {
            (plain, lost) if lost.is_empty() => Ok(plain),
            (_, lost) => Err(Error::LossyConversion { lost }),
        }
    }

    /// The board of any set-up, and what of it is lost.
    #[must_use]
    pub fn from_setup_lossy(setup: &Setup) -> (Plain, Vec<FenField>) {
        let plain = Plain(cells_of(&setup.board));
        let read = plain.to_setup();
        let differs = [
            setup.turn != read.turn,
            setup.castling_rooks != read.castling_rooks,
            setup.ep_square != read.ep_square,
            setup.halfmove_clock != read.halfmove_clock,
            setup.fullmove_number != read.fullmove_number,
        ];
        let lost = Plain::LOST.into_iter().zip(differs);
        (
            plain,
            lost.filter_map(|(field, d)| d.then_some(field)).collect(),
        )
    }

    /// The pieces with `w - - 0 1`; those five fields ([`Plain::LOST`]) are a guess.
    #[must_use]
    pub fn to_setup(&self) -> Setup {
        Setup {
            board: board_of(&self.0),
            ..Setup::EMPTY
        }
    }
}

/// Checks border and cells; `flags` are the bits that a piece may have besides type and colour.
pub(super) fn check_cells(cells: &[u8; CELLS], flags: u8) -> Result<(), Error> {
    let cells = || (0..CELLS).zip(cells.iter().copied());
    for (at, byte) in cells() {
        let framed = Cell::new(at as u8).is_none();
        if framed != (byte == byte::OFF_BOARD) {
            return Err(Error::BadBorder { at, byte });
        }
    }
    for (at, byte) in cells() {
        let is_piece =
            byte::piece(byte).is_some() && byte & !(byte::TYPE | byte::COLOR | flags) == 0;
        if byte != byte::FREE && byte != byte::OFF_BOARD && !is_piece {
            return Err(Error::BadCell { at, byte });
        }
    }
    Ok(())
}

/// The cells of a board, without flags.
pub(super) fn cells_of(board: &Board) -> [u8; CELLS] {
    let mut cells: [u8; CELLS] = std::array::from_fn(|cell| EMPTY_CELLS[cell] as u8);
    for (square, piece) in board.iter() {
        cells[Cell::from_square(square).index()] = byte::of(piece);
    }
    cells
}

/// The pieces of cells that have been checked.
pub(super) fn board_of(cells: &[u8; CELLS]) -> Board {
    let mut board = Board::EMPTY;
    for cell in Cell::all() {
        if let Some(piece) = byte::piece(cells[cell.index()]) {
            board.put(cell.square(), piece);
        }
    }
    board
}
