//! Numbers that look random and are the same everywhere.

use std::ops::RangeInclusive;

/// The golden ratio in 64 bits, the step of SplitMix64.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64: a counter and a mixing function (Steele, Lea and Flood, 2014). Its numbers are part
/// of what a seed means: another generator gives other games.
#[derive(Clone, Debug)]
pub(super) struct Random {
    state: u64,
}

impl Random {
    /// The numbers of one game of a seed, which no other game needs to be known for.
    pub(super) fn new(seed: u64, game: u64) -> Random {
        Random {
            state: mix(mix(seed).wrapping_add(mix(game.wrapping_add(STEP)))),
        }
    }

    #[inline]
    pub(super) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// A number below a limit; 0 if the limit is 0.
    #[inline]
    pub(super) fn below(&mut self, limit: u32) -> u32 {
        // The high bits of the product: even enough for games, and without division.
        (((self.next() >> 32) * u64::from(limit)) >> 32) as u32
    }

    /// A number of a range; its start if it is empty.
    pub(super) fn within(&mut self, range: &RangeInclusive<u32>) -> u32 {
        let size = range.end().saturating_sub(*range.start());
        range.start() + self.below(size.saturating_add(1))
    }

    /// True once in so many times.
    #[inline]
    pub(super) fn once_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    /// One of several.
    pub(super) fn pick<T: Copy, const N: usize>(&mut self, choices: &[T; N]) -> T {
        const { assert!(N > 0, "there must be something to pick") };
        choices[self.below(N as u32) as usize]
    }
}

/// Spreads a number over all 64 bits.
#[inline]
pub(super) fn mix(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        // The first numbers of the reference implementation with the seed 1234567.
        let mut random = Random { state: 1_234_567 };
        let numbers = [random.next(), random.next(), random.next()];
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
            ]
        );
    }

    #[test]
    fn ranges_are_reached_from_end_to_end() {
        let mut random = Random::new(1, 1);
        let mut seen = [0; 4];
        for _ in 0..1_000 {
            seen[random.within(&(1..=3)) as usize] += 1;
        }
        assert!(
            seen[0] == 0 && seen[1..].iter().all(|&n| n > 250),
            "{seen:?}"
        );
        assert_eq!(random.within(&(5..=5)), 5);
        assert_eq!((random.below(0), random.below(1)), (0, 0));
        #[allow(clippy::reversed_empty_ranges, reason = "an empty range is its start")]
        let empty = 9..=3;
        assert_eq!(random.within(&empty), 9);
        // No overflow at the far end.
        random.within(&(0..=u32::MAX));
    }
}
