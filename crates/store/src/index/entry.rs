//! Positions of games, while an index is made.

use tabiya_chess::Move;

use super::run::{NO_MOVE, Visit};
use crate::movetext::MOST_PLIES;

/// A position of a game.
///
/// Two positions are taken for one if their keys are equal, and their checks: 64 bits that everybody
/// can reckon, and 64 bits of a hash of the whole board that nobody can foresee.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Entry {
    pub key: u64,
    check: u64,
    /// 15 bits of the move, 25 of the row, 10 of the ply: the order of visits in a run.
    place: u64,
}

/// How many rows an index can have.
pub(super) const MOST_ROWS: usize = 1 << ROW_BITS;

const ROW_BITS: u32 = 25;
const PLY_BITS: u32 = 10;
const _: () = assert!(MOST_PLIES < 1 << PLY_BITS);

impl Entry {
    /// Of a key and a check, and where that is.
    #[inline]
    pub fn new(key: u64, check: u64, row: u32, ply: u32) -> Entry {
        let place = u64::from(row) << PLY_BITS | u64::from(ply);
        Entry { key, check, place }
    }

    /// Says what is played there, which is not known before.
    #[inline]
    pub fn set_play(&mut self, play: Option<Move>) {
        let play = play.map_or(NO_MOVE, Move::to_bits);
        self.place |= u64::from(play) << (ROW_BITS + PLY_BITS);
    }

    /// Whether both are of one position.
    #[inline]
    pub fn is_same(&self, other: &Entry) -> bool {
        self.identity() == other.identity()
    }

    /// What positions are told apart by.
    #[inline]
    pub fn identity(&self) -> (u64, u64) {
        (self.key, self.check)
    }

    #[inline]
    pub fn row(&self) -> u32 {
        (self.place >> PLY_BITS) as u32 & ((1 << ROW_BITS) - 1)
    }

    fn visit(place: u64) -> Visit {
        Visit {
            play: (place >> (ROW_BITS + PLY_BITS)) as u16,
            row: (place >> PLY_BITS) as u32 & ((1 << ROW_BITS) - 1),
            ply: place as u16 & ((1 << PLY_BITS) - 1),
        }
    }
}

/// Puts the visits of a position in their order, each row once an edge: the first time counts.
pub(super) fn visits(position: &[Entry], places: &mut Vec<u64>, visits: &mut Vec<Visit>) {
    places.clear();
    places.extend(position.iter().map(|entry| entry.place));
    places.sort_unstable();
    places.dedup_by_key(|place| *place >> PLY_BITS);
    visits.clear();
    visits.extend(places.iter().map(|place| Entry::visit(*place)));
}

/// Puts the entries of a shard in the order of their keys; those of one key stay in theirs. They
/// come in several parts, and leave in one, that is as long as all of them.
pub(super) fn sort<'a>(
    parts: &[&[Entry]],
    shard_bits: u8,
    sorted: &'a mut Vec<Entry>,
) -> &'a mut [Entry] {
    /// So many entries are sorted at once.
    const FEW: usize = 4;
    let len: usize = parts.iter().map(|part| part.len()).sum();
    if sorted.len() < len {
        sorted.resize(len, Entry::default());
    }
    let sorted = &mut sorted[..len];
    let bits = (len / FEW).max(2).ilog2().min(16);
    let bucket = |entry: &Entry| (entry.key << shard_bits >> (64 - bits)) as usize;
    // Where each bucket begins, then where its next entry goes, then where it ends.
    let mut places = vec![0u32; (1 << bits) + 1];
    for part in parts {
        for entry in *part {
            places[bucket(entry) + 1] += 1;
        }
    }
    for at in 1..places.len() {
        places[at] += places[at - 1];
    }
    for part in parts {
        for entry in *part {
            let next = &mut places[bucket(entry)];
            sorted[*next as usize] = *entry;
            *next += 1;
        }
    }
    let mut start = 0;
    for end in places {
        let end = end as usize;
        sorted[start..end].sort_by_key(|entry| entry.key);
        start = end;
    }
    sorted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_bit_of_key_and_check_tells_positions_apart() {
        let entry = Entry::new(5, 9, 1, 2);
        assert!(entry.is_same(&Entry::new(5, 9, 3, 4)));
        for bit in 0..64 {
            assert!(!entry.is_same(&Entry::new(5 ^ 1 << bit, 9, 1, 2)));
            assert!(!entry.is_same(&Entry::new(5, 9 ^ 1 << bit, 1, 2)));
        }
    }

    proptest! {
        #[test]
        fn entries_are_sorted_by_key_and_stay_in_order(
            keys in prop::collection::vec(0u64..300, 0..2_000),
            cut in 0usize..2_000,
            shard_bits in 0u8..3,
        ) {
            let spread = |key: u64| (key % 7) << 58 | key << 3;
            let entries: Vec<Entry> = (0..).zip(&keys).map(|(row, key)| Entry::new(spread(*key), 1, row, 0)).collect();
            let (first, second) = entries.split_at(cut.min(entries.len()));
            let mut buffer = vec![Entry::new(9, 9, 9, 9); 5];
            let sorted = sort(&[first, second], shard_bits, &mut buffer).to_vec();
            let mut expected = entries;
            expected.sort_by_key(|entry| (entry.key, entry.row()));
            prop_assert_eq!(sorted, expected);
        }
    }
}
