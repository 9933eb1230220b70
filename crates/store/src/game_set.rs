//! Sets of entries.

use std::ops::{Range, RangeInclusive};

use roaring::{RoaringBitmap, RoaringTreemap};

use crate::select::bits::Bits;

/// A set of entries of a store, by their numbers. It is small however many there are.
///
/// ```
/// use tabiya_store::GameSet;
///
/// let one: GameSet = [1, 5, 7].into_iter().collect();
/// let other: GameSet = (5..100).collect();
/// assert_eq!((&one & &other).iter().collect::<Vec<_>>(), [5, 7]);
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameSet(RoaringTreemap);

impl GameSet {
    /// The numbers whose bits are set.
    pub(crate) fn from_bits(bits: &Bits) -> GameSet {
        // So many bits have a bitmap of their own.
        const WORDS: usize = 1 << (u32::BITS - u64::BITS.ilog2());
        let bitmaps = bits.words().chunks(WORDS).enumerate().map(|(high, words)| {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            (high as u32, RoaringBitmap::from_lsb0_bytes(0, &bytes))
        });
        GameSet(RoaringTreemap::from_bitmaps(bitmaps))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an entry is in it.
    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        self.0.contains(number)
    }

    /// Adds an entry.
    pub fn insert(&mut self, number: u64) {
        self.0.insert(number);
    }

    /// Adds all entries of a range.
    ///
    /// ```
    /// let mut set = tabiya_store::GameSet::default();
    /// set.insert_range(5..=1_000_000);
    /// assert_eq!(set.len(), 999_996);
    /// ```
    pub fn insert_range(&mut self, numbers: RangeInclusive<u64>) {
        self.0.insert_range(numbers);
    }

    /// Calls with the numbers of a range, in order. They come many at a time: one by one they take
    /// several times as long.
    pub(crate) fn for_each_in(&self, numbers: Range<u64>, mut tell: impl FnMut(u64)) {
        let mut some = [0; 256];
        for (high, bitmap) in self.0.bitmaps() {
            let base = u64::from(high) << 32;
            let low = |number: u64| number.saturating_sub(base).min(1 << 32);
            let (start, end) = (low(numbers.start), low(numbers.end));
            // An empty range is none that can be asked for.
            if start >= end {
                continue;
            }
            let mut range = bitmap.range(start as u32..=(end - 1) as u32);
            loop {
                let some = range.next_many(&mut some);
                if some.is_empty() {
                    break;
                }
                some.iter().for_each(|low| tell(base + u64::from(*low)));
            }
        }
    }

    /// The numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter()
    }
}

impl FromIterator<u64> for GameSet {
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> GameSet {
        GameSet(numbers.into_iter().collect())
    }
}

impl std::ops::BitAnd for &GameSet {
    type Output = GameSet;

    fn bitand(self, other: &GameSet) -> GameSet {
        GameSet(&self.0 & &other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_range_are_told_in_order_wherever_it_lies() {
        const FAR: u64 = 1 << 32;
        let numbers = (0..2_000).map(|index| FAR - 3_000 + 3 * index);
        let set: GameSet = numbers.clone().collect();
        for (start, end) in [(0, u64::MAX), (FAR - 10, FAR + 10), (FAR, FAR), (5, 1)] {
            let mut told = Vec::new();
            set.for_each_in(start..end, |number| told.push(number));
            let expected = numbers
                .clone()
                .filter(|number| (start..end).contains(number));
            assert_eq!(told, expected.collect::<Vec<_>>(), "{start}..{end}");
        }
    }
}
