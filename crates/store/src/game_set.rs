//! Sets of entries.

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

    /// The numbers of a range, in order.
    pub(crate) fn iter_in(&self, numbers: std::ops::Range<u64>) -> impl Iterator<Item = u64> + '_ {
        self.0.bitmaps().flat_map(move |(high, bitmap)| {
            let base = u64::from(high) << 32;
            let low = |number: u64| number.saturating_sub(base).min(1 << 32);
            let (start, end) = (low(numbers.start), low(numbers.end));
            // An empty range is none that can be asked for.
            let range = (start < end).then(|| bitmap.range(start as u32..=(end - 1) as u32));
            range
                .into_iter()
                .flatten()
                .map(move |low| base + u64::from(low))
        })
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
