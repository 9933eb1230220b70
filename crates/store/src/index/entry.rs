//! Positions of games, while an index is made.

use super::{
    player::MOST_PLIES,
    run::{NO_MOVE, Visit},
};

/// A position of a game: 16 bytes that sort by key, then by what is on the board, row and ply.
///
/// Two positions are taken for one if their keys are equal and 14 bits of a hash of the whole board
/// too: 78 bits, of which 14 nobody can foresee. A million games have some 7 * 10^7 different positions,
/// so two are mixed up in about one of 10^8 indexes of that size; and in one of 16,384 where somebody
/// has made two positions of one key on purpose.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Entry {
    /// The bits of the key that count, and more of what is on the board.
    key: u64,
    /// 14 bits of what is on the board, 25 of the row, 10 of the ply, 15 of the move.
    rest: u64,
}

/// How many rows an index can have.
pub(super) const MOST_ROWS: usize = 1 << ROW_BITS;

const ROW_BITS: u32 = 25;
const PLY_BITS: u32 = 10;
const MOVE_BITS: u32 = 15;
const _: () = assert!(MOST_PLIES < 1 << PLY_BITS);

impl Entry {
    /// Of so many bits of a key, a hash of the board, and where that is.
    pub fn new(key: u64, key_bits: u8, hash: u64, row: u32, ply: u32) -> Entry {
        let check = hash >> (ROW_BITS + PLY_BITS + MOVE_BITS);
        let place = (check << ROW_BITS | u64::from(row)) << PLY_BITS | u64::from(ply);
        let mask = u64::MAX << (64 - u32::from(key_bits));
        Entry {
            key: key & mask | hash & !mask,
            rest: place << MOVE_BITS | u64::from(NO_MOVE),
        }
    }

    /// So many bits of the key.
    pub fn key(&self, key_bits: u8) -> u64 {
        self.key & (u64::MAX << (64 - u32::from(key_bits)))
    }

    /// Says what is played there.
    pub fn set_play(&mut self, play: u16) {
        self.rest = self.rest >> MOVE_BITS << MOVE_BITS | u64::from(play);
    }

    /// Whether both are of one position.
    pub fn is_same(&self, other: &Entry) -> bool {
        self.key == other.key && self.check() == other.check()
    }

    fn check(&self) -> u64 {
        self.rest >> (ROW_BITS + PLY_BITS + MOVE_BITS)
    }

    pub fn row(&self) -> u32 {
        (self.rest >> (PLY_BITS + MOVE_BITS)) as u32 & ((1 << ROW_BITS) - 1)
    }

    pub fn visit(&self) -> Visit {
        Visit {
            play: self.rest as u16 & ((1 << MOVE_BITS) - 1),
            row: self.row(),
            ply: (self.rest >> MOVE_BITS) as u16 & ((1 << PLY_BITS) - 1),
        }
    }
}
