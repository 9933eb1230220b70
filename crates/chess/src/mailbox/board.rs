//! The live board: cells, piece lists, state.

use std::fmt;

use super::{
    byte,
    geometry::{CELLS, Cell, PADDED, pawn_steps, square_of},
    keys,
};
use crate::{Bitboard, Board, Color, Key, NotAPosition, Piece, Rank, Role, Setup, Square};

/// What a cell holds: the note's byte in the low half and the piece's number in the high half.
///
/// One load tells what stands there and who it is, and one store moves it; apart, they cost replay
/// a tenth of its speed.
pub(super) type Slot = u16;

/// The 120 cells and eight more of the same frame.
pub(super) type Cells = [Slot; PADDED];

/// A free square: nobody stands there.
pub(super) const FREE: Slot = slot(byte::FREE, NOBODY);

/// A cell of the frame.
const OFF_BOARD: Slot = slot(byte::OFF_BOARD, NOBODY);

const fn slot(byte: u8, id: u8) -> Slot {
    byte as Slot | (id as Slot) << 8
}

/// A piece's number, for as long as the game lasts.
///
/// The kings are 1 (White) and 2 (Black); the others are numbered as they stand at the start, a1,
/// b1, … h8. A promoted pawn keeps its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PieceId(u8);

impl PieceId {
    /// The piece of a number.
    #[inline]
    #[must_use]
    pub const fn new(number: u8) -> PieceId {
        PieceId(number)
    }

    /// Its number.
    #[inline]
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// The number of the nobody that stands on free cells and in the frame: capturing it is harmless.
/// It is 0, so that a free slot is 0 too.
const NOBODY: u8 = 0;

/// The bit of `state` that is set when it is Black's move.
pub(super) const BLACK_TO_MOVE: u16 = 16;

/// What of `state` outlives a move, unless a right is lost: the rights and the turn.
pub(super) const LASTING: u16 = 31;

/// Where the en-passant file, from 1, begins in `state`, for the key.
pub(super) const EP_FILE: u32 = 5;

/// Where the cell that a pawn has passed begins in `state`.
const EP_CELL: u32 = 9;

/// Where captured pieces are: a cell of the frame, of neither colour.
pub(super) const DEAD: u8 = 0;

/// A game's board that can be played on.
///
/// It has one king a side and no pawns on the back ranks; nothing else is promised.
#[derive(Clone)]
pub struct Mailbox {
    pub(super) cells: Cells,
    /// Where a piece stands. As long as a number can be, which saves replay two masks.
    pub(super) places: [u8; 256],
    /// What of `state` is left when a piece leaves or reaches a cell.
    pub(super) keep: [u16; PADDED],
    /// The combined numbers of the pieces; [`Mailbox::key`] adds the rest.
    pub(super) pieces_key: u64,
    /// Twice the move number, and 1 more when it is Black's move.
    pub(super) plies: u64,
    /// What `plies` was after the last capture or pawn move.
    pub(super) quiet_since: u64,
    /// Castling rights (bit 0 White's h side, 1 White's a side, 2 and 3 Black's), the turn
    /// ([`BLACK_TO_MOVE`]), the en-passant file where Polyglot counts it ([`EP_FILE`]) and the
    /// cell that a pawn has just passed: together, so that one look-up gives their part of the
    /// key and one mask forgets what lasts for a single move.
    pub(super) state: u16,
    /// The cell of the rook of each right.
    pub(super) rooks: [u8; 4],
    /// The last number that was given to a piece; the first is 1.
    pub(super) last_id: u8,
}

impl Mailbox {
    /// The board of a set-up. Castling rights and en-passant squares that are impossible are left
    /// out, as [`Setup::warnings`] tells.
    ///
    /// # Errors
    ///
    /// Without exactly one king a side, or with a pawn on a back rank.
    pub fn from_setup(setup: &Setup) -> Result<Mailbox, NotAPosition> {
        let pawns = setup.board.pieces(Role::Pawn) & Bitboard::BACK_RANKS;
        if let Some(square) = pawns.first() {
            return Err(NotAPosition::PawnOnLastRank(square));
        }
        let (white, black) = (king(setup, Color::White)?, king(setup, Color::Black)?);
        let plies = 2 * u64::from(setup.fullmove_number.max(1)) + setup.turn as u64;
        let mut board = Mailbox {
            cells: EMPTY_CELLS,
            places: [DEAD; 256],
            keep: [LASTING; PADDED],
            pieces_key: 0,
            plies,
            quiet_since: plies.wrapping_sub(u64::from(setup.halfmove_clock)),
            state: match setup.turn {
                Color::White => 0,
                Color::Black => BLACK_TO_MOVE,
            },
            rooks: [DEAD; 4],
            last_id: NOBODY,
        };
        board.add(white, Role::King.of(Color::White));
        board.add(black, Role::King.of(Color::Black));
        for (square, piece) in setup.board.iter() {
            if piece.role != Role::King {
                board.add(square, piece);
            }
        }
        for rook in setup.sound_castling_rooks() {
            let (color, king) = if rook.rank() == Rank::First {
                (Color::White, white)
            } else {
                (Color::Black, black)
            };
            board.allow_castling(color, king, rook);
        }
        if let Some(passed) = setup.sound_ep_square() {
            let passed = Cell::from_square(passed);
            let pawn = passed.index() as isize + isize::from(pawn_steps(!setup.turn).push);
            board.set_en_passant(passed.index(), pawn as usize);
        }
        Ok(board)
    }

    fn add(&mut self, square: Square, piece: Piece) {
        let cell = Cell::from_square(square).index();
        self.last_id += 1;
        self.cells[cell] = slot(byte::of(piece), self.last_id);
        self.places[self.last_id as usize] = cell as u8;
        self.pieces_key ^= keys::piece(byte::of(piece), cell);
    }

    fn allow_castling(&mut self, color: Color, king: Square, rook: Square) {
        let right = 2 * color as usize + usize::from(rook < king);
        self.state |= 1 << right;
        self.rooks[right] = Cell::from_square(rook).index() as u8;
        for home in [king, rook] {
            self.keep[Cell::from_square(home).index()] &= !(1 << right);
        }
    }

    /// Notes that a pawn has just passed one cell and come to another. Polyglot counts that only
    /// when an enemy pawn stands beside it, be its capture legal or not.
    #[inline]
    pub(super) fn set_en_passant(&mut self, passed: usize, pawn: usize) {
        self.state |= (passed as u16) << EP_CELL;
        let byte_at = |cell: usize| self.cells[cell & (PADDED - 1)] as u8;
        let enemy = byte_at(pawn) ^ byte::COLOR;
        let (left, right) = (byte_at(pawn.wrapping_sub(1)), byte_at(pawn + 1));
        if (left == enemy) | (right == enemy) {
            // The files are numbered 1 to 8 as the last digit of the cell.
            self.state |= (passed as u16 % 10) << EP_FILE;
        }
    }

    /// The cell a pawn has just passed by a double step, or [`DEAD`].
    #[inline]
    pub(super) fn ep(&self) -> u8 {
        (self.state >> EP_CELL) as u8
    }

    /// What stands where, whose move it is, and so on. The en-passant square is given after every
    /// double step, as FEN has it.
    #[must_use]
    pub fn to_setup(&self) -> Setup {
        let mut board = Board::EMPTY;
        for cell in Cell::all() {
            if let Some(piece) = self.piece_at(cell) {
                board.put(cell.square(), piece);
            }
        }
        Setup {
            board,
            turn: self.turn(),
            castling_rooks: self.castling_rooks(),
            ep_square: Cell::new(self.ep()).map(Cell::square),
            halfmove_clock: self.halfmove_clock(),
            fullmove_number: self.fullmove_number(),
        }
    }

    /// The 120 cells as the note has them.
    #[must_use]
    pub fn to_cells(&self) -> [u8; CELLS] {
        std::array::from_fn(|cell| self.cells[cell] as u8)
    }

    /// What stands where, in as few numbers as it takes: one for each rank, from the first to the
    /// eighth, with the note's bytes of the files a, e, b, f, c, g, d and h from low to high.
    #[inline]
    #[must_use]
    pub fn to_ranks(&self) -> [u64; 8] {
        // Four slots are one load.
        let four = |at: usize| {
            let slots = (0..4).map(|place| u64::from(self.cells[at + place]) << (16 * place));
            slots.fold(0, |four, slot| four | slot) & 0x00ff_00ff_00ff_00ff
        };
        std::array::from_fn(|rank| four(21 + 10 * rank) | four(25 + 10 * rank) << 8)
    }

    /// The piece on a cell.
    #[inline]
    #[must_use]
    pub fn piece_at(&self, cell: Cell) -> Option<Piece> {
        byte::piece(self.cells[cell.index()] as u8)
    }

    /// Who stands on a cell.
    #[inline]
    #[must_use]
    pub fn id_at(&self, cell: Cell) -> Option<PieceId> {
        match (self.cells[cell.index()] >> 8) as u8 {
            NOBODY => None,
            id => Some(PieceId(id)),
        }
    }

    /// Where a piece stands; nowhere once it is captured.
    #[inline]
    #[must_use]
    pub fn cell_of(&self, id: PieceId) -> Option<Cell> {
        if (1..=self.last_id).contains(&id.0) {
            Cell::new(self.places[id.0 as usize])
        } else {
            None
        }
    }

    /// All pieces that have not been captured, in the order of their numbers.
    pub fn ids(&self) -> impl Iterator<Item = (PieceId, Cell)> + '_ {
        (1..=self.last_id).filter_map(|id| Some((PieceId(id), self.cell_of(PieceId(id))?)))
    }

    /// The cell of a side's king, or of the frame where a meaningless move has captured it.
    #[inline]
    pub(super) fn king(&self, color: Color) -> usize {
        self.places[1 + color as usize] as usize & (PADDED - 1)
    }

    /// Whose move it is.
    #[inline]
    #[must_use]
    pub fn turn(&self) -> Color {
        if self.state & BLACK_TO_MOVE == 0 {
            Color::White
        } else {
            Color::Black
        }
    }

    /// The squares of the rooks with which castling is still allowed.
    #[inline]
    #[must_use]
    pub fn castling_rooks(&self) -> Bitboard {
        let mut castling_rooks = Bitboard::EMPTY;
        for (right, &rook) in self.rooks.iter().enumerate() {
            if self.has_right(right) {
                castling_rooks |= square_of(rook as usize).into();
            }
        }
        castling_rooks
    }

    /// Whether a pawn has just passed one that stands ready to capture it, pinned or not: the key
    /// then counts the file.
    #[inline]
    #[must_use]
    pub fn has_ep_in_reach(&self) -> bool {
        self.state >> EP_FILE & 15 != 0
    }

    /// Whether a castling right, as numbered in `state`, is left.
    #[inline]
    pub(super) fn has_right(&self, right: usize) -> bool {
        self.state >> (right & 3) & 1 == 1
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    #[must_use]
    pub fn halfmove_clock(&self) -> u32 {
        self.plies.wrapping_sub(self.quiet_since) as u32
    }

    /// The number of the move, counted up after Black's move.
    #[inline]
    #[must_use]
    pub fn fullmove_number(&self) -> u32 {
        (self.plies >> 1) as u32
    }

    /// The Polyglot key.
    ///
    /// Only the pieces' part is carried from move to move; rights, turn and en passant are one
    /// table away and cheaper to look up than to update.
    #[inline]
    #[must_use]
    pub fn key(&self) -> Key {
        Key(self.pieces_key ^ keys::state(self.state))
    }

    /// The part of the key that the pieces make: boards on which the same pieces stand share it, whoever
    /// is to move and may castle.
    #[inline]
    #[must_use]
    pub fn pieces_key(&self) -> u64 {
        self.pieces_key
    }

    /// The same as [`Mailbox::key`], but en passant counts only where the capture is legal: positions with the same
    /// moves share it.
    #[inline]
    #[must_use]
    pub fn exact_key(&self) -> Key {
        match self.has_ep_in_reach() {
            true if !self.has_legal_ep() => {
                Key(self.pieces_key ^ keys::state(self.state & !(15 << EP_FILE)))
            }
            _ => self.key(),
        }
    }
}

/// The FEN.
impl fmt::Debug for Mailbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mailbox({})", self.to_setup())
    }
}

fn king(setup: &Setup, color: Color) -> Result<Square, NotAPosition> {
    let kings = setup.board.of(color, Role::King);
    kings.single().ok_or(match kings.is_empty() {
        true => NotAPosition::NoKing(color),
        false => NotAPosition::SeveralKings(color),
    })
}

/// A board without pieces.
pub(super) const EMPTY_CELLS: Cells = {
    let mut cells = [OFF_BOARD; PADDED];
    let mut square = 0;
    while square < 64 {
        cells[Cell::from_square(Square::from_index(square)).index()] = FREE;
        square += 1;
    }
    cells
};
