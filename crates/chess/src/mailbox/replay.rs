//! Playing moves on trust: the loop under every search.

use super::{
    board::{DEAD, Mailbox, NOBODY},
    byte,
    geometry::{Cell, PADDED},
    keys,
    movegen::castled,
};
use crate::{Move, Role};

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

impl Mailbox {
    /// Plays a move that is known to be legal here.
    ///
    /// Nothing is checked. A move that is not legal leaves a meaningless board, but does no other
    /// harm: everything can still be called on it.
    #[inline]
    pub fn play(&mut self, play: Move) {
        let (from, to) = (Cell::from_square(play.from()), Cell::from_square(play.to()));
        self.apply(from.index(), to.index(), (play.to_bits() >> 12) as u8);
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
        let (from, to) = (from & (PADDED - 1), to & (PADDED - 1));
        let piece = self.cells[from];
        let taken = self.cells[to];
        let is_pawn = piece & byte::TYPE == byte::PAWN;

        // One branch for all that is rare; the rest of the function has none.
        let takes_own_rook = piece & taken & byte::COLOR != 0;
        let double_or_en_passant = (from.abs_diff(to) == 20) | (to == self.ep as usize);
        if takes_own_rook | (promotion != 0) | (is_pawn & double_or_en_passant) {
            return self.apply_special(from, to, promotion);
        }

        let id = self.ids[from];
        let victim = self.ids[to];
        self.places[victim as usize & (PADDED - 1)] = DEAD;
        self.places[id as usize & (PADDED - 1)] = to as u8;
        self.ids[from] = NOBODY;
        self.ids[to] = id;
        self.cells[from] = byte::FREE;
        self.cells[to] = piece;
        self.pieces_key ^= keys::piece(piece, from) ^ keys::piece(piece, to);
        self.pieces_key ^= keys::piece(taken, to);
        self.rights &= self.keep[from] & self.keep[to];
        self.ep = DEAD;
        self.ep_key = 0;
        self.plies += 1;
        if is_pawn | (taken != byte::FREE) {
            self.quiet_since = self.plies;
        }
    }

    /// Double steps, en passant, promotions and castling.
    #[inline(never)]
    fn apply_special(&mut self, from: usize, to: usize, promotion: u8) {
        let piece = self.cells[from & (PADDED - 1)];
        let taken = self.cells[to & (PADDED - 1)];
        let passed = self.ep as usize;
        self.rights &= self.keep[from & (PADDED - 1)] & self.keep[to & (PADDED - 1)];
        self.ep = DEAD;
        self.ep_key = 0;
        self.plies += 1;
        if piece & taken & byte::COLOR != 0 {
            return self.castle(from, to);
        }
        self.quiet_since = self.plies;
        self.remove(to);
        self.shift(from, to);
        if promotion != 0 {
            let becomes = piece & byte::COLOR | PROMOTED[promotion as usize & 7];
            self.pieces_key ^= keys::piece(piece, to) ^ keys::piece(becomes, to);
            self.cells[to & (PADDED - 1)] = becomes;
        } else if to == passed {
            // The pawn stands behind the cell it passed, on the row the capturer comes from.
            self.remove(from / 10 * 10 + to % 10);
        } else {
            self.set_en_passant((from + to) / 2, to);
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

    /// Moves a piece to a free cell.
    #[inline]
    fn shift(&mut self, from: usize, to: usize) {
        let piece = self.lift(from);
        self.put(to, piece);
    }

    /// Takes a captured piece off the board.
    #[inline]
    fn remove(&mut self, cell: usize) {
        let (_, id) = self.lift(cell);
        self.places[id as usize & (PADDED - 1)] = DEAD;
    }

    /// Takes what stands on a cell into the hand: its byte and its number.
    #[inline]
    fn lift(&mut self, cell: usize) -> (u8, u8) {
        let cell = cell & (PADDED - 1);
        let piece = std::mem::replace(&mut self.cells[cell], byte::FREE);
        let id = std::mem::replace(&mut self.ids[cell], NOBODY);
        self.pieces_key ^= keys::piece(piece, cell);
        (piece, id)
    }

    #[inline]
    fn put(&mut self, cell: usize, (piece, id): (u8, u8)) {
        let cell = cell & (PADDED - 1);
        self.cells[cell] = piece;
        self.ids[cell] = id;
        self.places[id as usize & (PADDED - 1)] = cell as u8;
        self.pieces_key ^= keys::piece(piece, cell);
    }
}
