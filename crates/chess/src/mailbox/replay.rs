//! Playing moves on trust: the loop under every search.

use std::hint::select_unpredictable;

use super::{
    board::{BLACK_TO_MOVE, DEAD, FREE, LASTING, Mailbox, PieceId, Slot},
    byte,
    geometry::{Cell, PADDED},
    keys,
    movegen::castled,
};
use crate::{Move, Role, Square};

/// The type bits of a promotion code (the code of [`Move::to_bits`], and of [`Role`]).
const PROMOTED: [u8; 8] = [
    byte::PAWN,
    byte::KNIGHT,
    byte::BISHOP,
    byte::ROOK,
    byte::QUEEN,
    byte::KING,
    byte::PAWN,
    byte::PAWN,
];

/// Where pieces go, by where they stand: one row of a format's table of moves.
///
/// ```
/// use tabiya_chess::{Setup, Square, mailbox::{Cell, Mailbox, Targets}};
///
/// const E4: Targets = Targets::NOWHERE.with(
///     Cell::from_square(Square::E2),
///     Cell::from_square(Square::E4),
/// );
/// let mut board = Mailbox::from_setup(&Setup::INITIAL)?;
/// let pawn = board.mover_at(Square::E2.into());
/// assert!(board.play_to(pawn, &E4));
/// assert_eq!(board.cell_of(pawn.id()), Some(Square::E4.into()));
/// # Ok::<(), tabiya_chess::NotAPosition>(())
/// ```
#[derive(Clone, Debug)]
pub struct Targets([u8; PADDED]);

impl Targets {
    /// From no cell to any.
    pub const NOWHERE: Targets = Targets([DEAD; PADDED]);

    /// The same, and from one cell to another.
    #[must_use]
    pub const fn with(mut self, from: Cell, to: Cell) -> Targets {
        self.0[from.index()] = to.index() as u8;
        self
    }
}

/// A piece and what it is: with both known, [`Mailbox::play_to`] need not look at its cell. It is of use until the piece is promoted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mover(Slot);

impl Mover {
    /// Nobody, who goes nowhere.
    pub const NOBODY: Mover = Mover(FREE);

    /// The piece.
    #[inline]
    #[must_use]
    pub const fn id(self) -> PieceId {
        PieceId::new((self.0 >> 8) as u8)
    }
}

impl Mailbox {
    /// Who stands on a cell and what it is; nobody on a free one.
    #[must_use]
    pub fn mover_at(&self, cell: Cell) -> Mover {
        Mover(self.cells[cell.index()])
    }

    /// Moves a piece from where it stands to where a table says; `false`, and nothing is changed,
    /// if the piece was captured or the table does not know its cell.
    ///
    /// As with [`play`](Mailbox::play), whether the move is legal is not checked. Promotions are
    /// not played so.
    #[inline]
    pub fn play_to(&mut self, mover: Mover, targets: &Targets) -> bool {
        let from = self.places[id(mover.0)] as usize & (PADDED - 1);
        let to = targets.0[from] as usize;
        // Tables know nothing of the cell where captured pieces are.
        if to == DEAD as usize {
            return false;
        }
        self.apply_slot(mover.0, from, to, 0);
        true
    }

    /// Castles towards the h-file or the a-file; `false`, and nothing is changed, if the right is
    /// not there. Whether castling is legal otherwise is not checked.
    pub fn castle_towards(&mut self, h_side: bool) -> bool {
        let us = self.turn();
        let right = 2 * us as usize + usize::from(!h_side);
        let allowed = self.has_right(right);
        if allowed {
            self.apply(self.king(us), self.rooks[right].into(), 0);
        }
        allowed
    }

    /// The move of [`castle_towards`](Mailbox::castle_towards): the king's square and the rook's.
    #[must_use]
    pub fn castling_move(&self, h_side: bool) -> Option<Move> {
        let us = self.turn();
        let right = 2 * us as usize + usize::from(!h_side);
        let square = |cell: usize| Cell::new(cell as u8).map(Cell::square);
        let squares = (square(self.king(us))?, square(self.rooks[right].into())?);
        self.has_right(right)
            .then(|| Move::new(squares.0, squares.1))
    }

    /// Passes the move: nothing can be captured en passant then.
    pub fn play_null(&mut self) {
        self.state = self.state & LASTING ^ BLACK_TO_MOVE;
        self.plies += 1;
    }

    /// Plays a move that is known to be legal here.
    ///
    /// Nothing is checked. A move that is not legal leaves a meaningless board, but does no other
    /// harm: everything can still be called on it.
    #[inline]
    pub fn play(&mut self, play: Move) {
        // Reckoned, not looked up: the compiler sees that the result is a cell and drops masks.
        let cell = |square: Square| 21 + square.index() + 2 * (square.index() >> 3);
        self.apply(
            cell(play.from()),
            cell(play.to()),
            (play.to_bits() >> 12) as u8,
        );
    }

    /// Plays a move given as cells; castling goes from the king's cell to the rook's.
    ///
    /// As with [`play`](Mailbox::play), nothing is checked.
    #[inline]
    pub fn play_cells(&mut self, from: Cell, to: Cell, promotion: Option<Role>) {
        let promotion = promotion.map_or(0, |role| role as u8);
        self.apply(from.index(), to.index(), promotion);
    }

    /// Plays a move; a promotion of 0 means none.
    #[inline(always)]
    fn apply(&mut self, from: usize, to: usize, promotion: u8) {
        self.apply_slot(self.cells[from & (PADDED - 1)], from, to, promotion);
    }

    /// Plays a move of what is known to stand on the first cell.
    #[inline(always)]
    fn apply_slot(&mut self, mover: Slot, from: usize, to: usize, promotion: u8) {
        let (from, to) = (from & (PADDED - 1), to & (PADDED - 1));
        let victim = self.cells[to];
        let (piece, taken) = (mover as u8, victim as u8);

        // Conditions are numbers that are 0 when they hold, joined by `|`: written as booleans they
        // become branches on whether a pawn moves, which nobody can predict.
        let not_pawn = usize::from(piece & byte::TYPE ^ byte::PAWN);
        let not_en_passant = not_pawn | to ^ self.ep() as usize;
        let takes_own_rook = piece & taken & byte::COLOR;
        if (takes_own_rook | promotion != 0) | (not_en_passant == 0) {
            return self.apply_rare(from, to, promotion);
        }

        self.places[id(victim)] = DEAD;
        self.places[id(mover)] = to as u8;
        self.cells[from] = FREE;
        self.cells[to] = mover;
        self.pieces_key ^= keys::piece(piece, from) ^ keys::piece(piece, to);
        self.pieces_key ^= keys::piece(taken, to);
        self.start_ply(from, to);
        let resets = (not_pawn == 0) | (victim != FREE);
        self.quiet_since = select_unpredictable(resets, self.plies, self.quiet_since);
        if not_pawn | not_double(from, to) == 0 {
            self.set_en_passant((from + to) / 2, to);
        }
    }

    /// What every move does to the state.
    #[inline(always)]
    fn start_ply(&mut self, from: usize, to: usize) {
        let kept = self.state & self.keep[from & (PADDED - 1)] & self.keep[to & (PADDED - 1)];
        self.state = kept ^ BLACK_TO_MOVE;
        self.plies += 1;
    }

    /// En passant, promotions and castling: one ply in thirty.
    #[inline(never)]
    fn apply_rare(&mut self, from: usize, to: usize, promotion: u8) {
        self.start_ply(from, to);
        let colors = self.cells[from & (PADDED - 1)] & self.cells[to & (PADDED - 1)];
        if colors as u8 & byte::COLOR != 0 {
            return self.castle(from, to);
        }
        self.quiet_since = self.plies;
        self.remove(to);
        let mover = self.lift(from);
        if promotion != 0 {
            let role = PROMOTED[promotion as usize & 7];
            self.put(to, mover & !Slot::from(byte::TYPE) | Slot::from(role));
        } else {
            self.put(to, mover);
            // The captured pawn stands on the row the capturer comes from.
            self.remove(from / 10 * 10 + to % 10);
        }
    }

    /// Puts king and rook where castling takes them, from wherever they stand.
    fn castle(&mut self, king: usize, rook: usize) {
        let (king_to, rook_to) = castled(king, rook);
        // In Chess960 each may end where the other started: lift both, then put both.
        let (king, rook) = (self.lift(king), self.lift(rook));
        self.put(king_to, king);
        self.put(rook_to, rook);
    }

    /// Takes a captured piece off the board.
    #[inline]
    fn remove(&mut self, cell: usize) {
        let victim = self.lift(cell);
        self.places[id(victim)] = DEAD;
    }

    /// Takes what stands on a cell into the hand.
    #[inline]
    fn lift(&mut self, cell: usize) -> Slot {
        let cell = cell & (PADDED - 1);
        let slot = std::mem::replace(&mut self.cells[cell], FREE);
        self.pieces_key ^= keys::piece(slot as u8, cell);
        slot
    }

    #[inline]
    fn put(&mut self, cell: usize, slot: Slot) {
        let cell = cell & (PADDED - 1);
        self.cells[cell] = slot;
        self.places[id(slot)] = cell as u8;
        self.pieces_key ^= keys::piece(slot as u8, cell);
    }
}

/// The number of the piece in a slot, as an index.
#[inline]
fn id(slot: Slot) -> usize {
    (slot >> 8) as usize
}

/// 0 if a pawn's move is a double step: the difference is -20 or 20. So it is for -12 and 12, but
/// no pawn moves so.
#[inline]
fn not_double(from: usize, to: usize) -> usize {
    from.wrapping_sub(to).wrapping_add(20) & !40
}
