//! Which piece is "the second rook": the numbers by which one-byte codes name pieces.
//!
//! Pieces are numbered as they stand at the start, up the files from a1 to h8 or the other way
//! round. A side has numbers for eight pawns, a king and three pieces of each other kind. When a
//! piece is captured, those of its kind after it move up; a fourth piece has no number and never
//! gets one, but a pawn that promotes later takes the first that is free. Pawns keep their numbers
//! for life, wherever they go.

use tabiya_chess::{Board, Capture, Color, Move, Position, Role, Square};

use super::codes;

/// The place of a piece in its side's list.
pub(super) type Slot = u8;

pub(super) const PAWNS: Slot = 0;
pub(super) const QUEENS: Slot = 8;
pub(super) const ROOKS: Slot = 11;
pub(super) const BISHOPS: Slot = 14;
pub(super) const KNIGHTS: Slot = 17;
pub(super) const KING: Slot = 20;
/// A slot that is always empty.
pub(super) const NOBODY: Slot = 21;

/// What an empty slot holds instead of a square.
const EMPTY: u8 = 64;

/// The kind of piece in a slot.
#[inline]
pub(super) const fn role(slot: Slot) -> Role {
    match slot {
        PAWNS..QUEENS => Role::Pawn,
        QUEENS..ROOKS => Role::Queen,
        ROOKS..BISHOPS => Role::Rook,
        BISHOPS..KNIGHTS => Role::Bishop,
        KNIGHTS..KING => Role::Knight,
        _ => Role::King,
    }
}

/// The number of a slot among those of its kind, from 1.
pub(super) fn number(slot: Slot) -> u8 {
    slot - first(role(slot)) as Slot + 1
}

#[inline]
const fn first(role: Role) -> usize {
    (match role {
        Role::Pawn => PAWNS,
        Role::Queen => QUEENS,
        Role::Rook => ROOKS,
        Role::Bishop => BISHOPS,
        Role::Knight => KNIGHTS,
        Role::King => KING,
    }) as usize
}

#[inline]
const fn size(role: Role) -> usize {
    match role {
        Role::Pawn => 8,
        Role::King => 1,
        _ => 3,
    }
}

/// Room for the slots of a side: a power of two, so that no slot needs to be checked.
const ROOM: usize = 32;

/// The slots of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slots([[u8; ROOM]; 2]);

impl Slots {
    /// The numbers at the start of most games, for counting them costs as much as ten moves.
    const INITIAL: Slots = Slots::initial();

    const fn initial() -> Slots {
        let mut slots = [[EMPTY; ROOM]; 2];
        let mut color = 0;
        while color < 2 {
            let mut file = 0;
            while file < 8 {
                slots[color][file] = [8, 48][color] + file as u8;
                file += 1;
            }
            let home = [0, 56][color];
            let pieces = [
                (QUEENS, 3),
                (ROOKS, 0),
                (ROOKS + 1, 7),
                (BISHOPS, 2),
                (BISHOPS + 1, 5),
                (KNIGHTS, 1),
                (KNIGHTS + 1, 6),
                (KING, 4),
            ];
            let mut piece = 0;
            while piece < pieces.len() {
                let (slot, file) = pieces[piece];
                slots[color][slot as usize] = home + file;
                piece += 1;
            }
            color += 1;
        }
        Slots(slots)
    }

    /// Numbers the pieces of a board.
    pub(super) fn of(board: &Board, reversed: bool) -> Slots {
        match *board == Board::INITIAL && !reversed {
            true => Slots::INITIAL,
            false => Slots::count(board, reversed),
        }
    }

    fn count(board: &Board, reversed: bool) -> Slots {
        let mut slots = Slots([[EMPTY; ROOM]; 2]);
        for number in 0..64 {
            let number = if reversed { 63 - number } else { number };
            let square = codes::square_of(number);
            if let Some(piece) = board.piece_at(square) {
                slots.add(piece.color, piece.role, square);
            }
        }
        slots
    }

    /// Moves the pieces of a legal move, with slots or without.
    pub(super) fn play(&mut self, before: &Position, play: Move) {
        let us = before.turn();
        let (from, to) = (play.from(), play.to());
        let Some(role) = before.board().role_at(from) else {
            return;
        };
        if before.is_castling(play) {
            let (king_to, rook_to) = Position::castling_targets(from, to);
            self.go(us, Role::King, from, king_to);
            self.go(us, Role::Rook, to, rook_to);
            return;
        }
        let capture = match before.board().role_at(to) {
            Some(role) => Capture::Piece(role),
            None if before.is_en_passant(play) => Capture::EnPassant,
            None => Capture::Nothing,
        };
        self.capture(!us, capture, play);
        match play.promoted() {
            Some(promoted) => {
                self.remove(us, role, from);
                self.add(us, promoted, to);
            }
            None => self.go(us, role, from, to),
        }
    }

    /// Takes away the piece that a move has captured.
    #[inline(always)]
    pub(super) fn capture(&mut self, them: Color, capture: Capture, play: Move) {
        match capture {
            Capture::Nothing => {}
            Capture::Piece(role) => self.remove(them, role, play.to()),
            Capture::EnPassant => {
                let taken = Square::new(play.to().file(), play.from().rank());
                self.remove(them, Role::Pawn, taken);
            }
        }
    }

    /// Where the piece in a slot stands.
    #[inline(always)]
    pub(super) fn square(&self, color: Color, slot: Slot) -> Option<u8> {
        let square = self.0[color as usize][usize::from(slot) % ROOM];
        (square < EMPTY).then_some(square)
    }

    /// Which slot holds the piece on a square, if it has one.
    pub(super) fn find(&self, color: Color, role: Role, square: Square) -> Option<Slot> {
        let index = self.position(color, role, square)?;
        Some((first(role) + index) as Slot)
    }

    /// The piece in a slot goes to a square.
    #[inline(always)]
    pub(super) fn set(&mut self, color: Color, slot: Slot, to: u8) {
        self.0[color as usize][usize::from(slot) % ROOM] = to;
    }

    /// A piece with or without a slot goes from one square to another.
    fn go(&mut self, color: Color, role: Role, from: Square, to: Square) {
        if let Some(slot) = self.find(color, role, from) {
            self.set(color, slot, to.index() as u8);
        }
    }

    /// A piece comes on the board: it takes the first free slot of its kind, if there is one.
    fn add(&mut self, color: Color, role: Role, square: Square) {
        let slots = self.kind_mut(color, role);
        if let Some(free) = slots.iter_mut().find(|slot| **slot == EMPTY) {
            *free = square.index() as u8;
        }
    }

    /// A piece leaves the board. A pawn's slot stays empty; else the later pieces move up.
    #[inline]
    fn remove(&mut self, color: Color, role: Role, square: Square) {
        let Some(index) = self.position(color, role, square) else {
            return;
        };
        let slots = self.kind_mut(color, role);
        if role != Role::Pawn {
            slots.copy_within(index + 1.., index);
            slots[slots.len() - 1] = EMPTY;
        } else {
            slots[index] = EMPTY;
        }
    }

    #[inline]
    fn position(&self, color: Color, role: Role, square: Square) -> Option<usize> {
        let kind = &self.0[color as usize][first(role)..first(role) + size(role)];
        kind.iter()
            .position(|&slot| usize::from(slot) == square.index())
    }

    #[inline]
    fn kind_mut(&mut self, color: Color, role: Role) -> &mut [u8] {
        &mut self.0[color as usize][first(role)..first(role) + size(role)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_initial_numbers_are_those_that_counting_gives() {
        assert_eq!(Slots::INITIAL, Slots::count(&Board::INITIAL, false));
    }
}
