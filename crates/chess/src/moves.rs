//! A move in sixteen bits, and lists of moves.
//!
//! ```
//! use tabiya_chess::{Move, Role, Square};
//!
//! let promotion = Move::promotion(Square::E7, Square::E8, Role::Queen);
//! assert_eq!(promotion.to(), Square::E8);
//! assert_eq!(promotion.promoted(), Some(Role::Queen));
//! ```

use std::{fmt, ops::Deref};

use smallvec::SmallVec;

use crate::{Role, Square};

/// A move: where from, where to, and what a pawn becomes.
///
/// Castling is written as the king taking its own rook: the king's square and the rook's square.
/// That says which rook it is in every kind of Chess960, and no other move goes to a square held
/// by a piece of the same side. En passant is a pawn moving diagonally to an empty square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// A move that is not a promotion; castling goes to the rook's square.
    #[inline]
    #[must_use]
    pub const fn new(from: Square, to: Square) -> Move {
        Move(from.index() as u16 | (to.index() as u16) << 6)
    }

    /// A pawn's move to the last rank.
    #[inline]
    #[must_use]
    pub const fn promotion(from: Square, to: Square, role: Role) -> Move {
        Move(from.index() as u16 | (to.index() as u16) << 6 | (role as u16) << 12)
    }

    /// The square it starts on.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Square {
        Square::from_index(self.0 as u8)
    }

    /// The square it ends on; of castling, the rook's square.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::from_index((self.0 >> 6) as u8)
    }

    /// What the pawn becomes.
    #[inline]
    #[must_use]
    pub const fn promoted(self) -> Option<Role> {
        // Nearly no move: one question for all others.
        if self.0 < 1 << 12 {
            return None;
        }
        Some(match self.0 >> 12 {
            1 => Role::Knight,
            2 => Role::Bishop,
            3 => Role::Rook,
            4 => Role::Queen,
            5 => Role::King, // antichess only
            _ => return None,
        })
    }

    /// Its sixteen bits: from, to (six bits each), promotion (0 none, 1 knight … 5 king).
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// The move of sixteen bits; promotion codes that do not exist count as none.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u16) -> Move {
        if bits >> 12 > 5 {
            Move(bits & 0xfff)
        } else {
            Move(bits)
        }
    }
}

/// `e2e4`, `e7e8q`, and `e1h1` for castling.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promoted() {
            Some(role) => write!(f, "{}", role.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A list of moves, a slice to read.
///
/// 256 moves fit without allocation, more than any position that can arise in a game (218).
/// Composed set-ups can have more; those spill to the heap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveList(SmallVec<[Move; 256]>);

impl MoveList {
    /// How many moves fit without allocation.
    pub const CAPACITY: usize = 256;

    /// An empty list.
    #[inline]
    #[must_use]
    pub fn new() -> MoveList {
        MoveList::default()
    }

    /// Adds a move.
    #[inline]
    pub fn push(&mut self, play: Move) {
        self.0.push(play);
    }

    /// Removes all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Puts the moves in the order of their bits, so that lists can be compared.
    pub fn sort(&mut self) {
        self.0.sort_unstable();
    }

    /// Whether the list has outgrown its inline capacity.
    #[must_use]
    pub fn is_on_heap(&self) -> bool {
        self.0.spilled()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_round_trip() {
        for from in Square::all() {
            for to in Square::all() {
                let play = Move::new(from, to);
                assert_eq!((play.from(), play.to(), play.promoted()), (from, to, None));
                assert_eq!(Move::from_bits(play.to_bits()), play);
            }
        }
        let play = Move::promotion(Square::A7, Square::B8, Role::Knight);
        assert_eq!(play.promoted(), Some(Role::Knight));
        assert_eq!(play.to_string(), "a7b8n");
    }

    #[test]
    fn unknown_promotion_bits_are_dropped() {
        assert_eq!(Move::from_bits(0xffff).promoted(), None);
    }

    #[test]
    fn a_list_grows_beyond_its_capacity() {
        let mut list = MoveList::new();
        for _ in 0..=MoveList::CAPACITY {
            list.push(Move::new(Square::E2, Square::E4));
        }
        assert_eq!(list.len(), 257);
        assert!(list.is_on_heap());
    }
}
