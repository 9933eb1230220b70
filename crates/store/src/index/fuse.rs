//! A table that knows a small number for each of many keys, and not the keys.
//!
//! It is a binary fuse filter (Graf and Lemire, 2022) with four places a key, whose fingerprints
//! are the numbers themselves: a key's number is the sum, without carry, of what stands in its four
//! places. Keys that were not put in have a number too, any one: whoever asks confirms it.

use super::bits::BitWriter;

/// How many places a key has.
const ARITY: u32 = 4;
/// How often other places are tried before there are more of them.
const TRIES: u32 = 8;

/// Where the places of keys are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    /// Changes all places.
    pub seed: u32,
    /// The places of a key are in neighbouring segments of 2 to the power of this.
    pub segment_bits: u32,
    /// In how many segments the first place of a key can be.
    pub segments: u32,
}

impl Shape {
    /// The shape for so many keys, and some more in later tries.
    fn for_keys(count: usize, seed: u32) -> Shape {
        let keys = count.max(2) as f64;
        // The measures of the paper for four places.
        let segment_bits = (keys.ln() / 2.91f64.ln() - 0.5).floor().clamp(1.0, 16.0) as u32;
        let factor = (0.77 + 0.305 * 600_000f64.ln() / keys.ln()).max(1.075);
        let more = 1.0 + f64::from(seed / TRIES) * 0.1;
        let capacity = (keys * factor * more).ceil() as u64;
        let segments = capacity.div_ceil(1 << segment_bits);
        Shape {
            seed,
            segment_bits,
            segments: (segments as u32).saturating_sub(ARITY - 1).max(1),
        }
    }

    /// How many places there are.
    pub fn places(&self) -> u64 {
        (u64::from(self.segments) + u64::from(ARITY - 1)) << self.segment_bits
    }

    /// A number that is as good as random.
    #[inline]
    fn hash(&self, key: u64) -> u64 {
        let mut hash = key.wrapping_add(u64::from(self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        hash = (hash ^ hash >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
        hash = (hash ^ hash >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        hash ^ hash >> 33
    }

    #[inline]
    fn places_of(&self, hash: u64) -> [usize; 4] {
        let within = u64::from(self.segments) << self.segment_bits;
        let first = ((u128::from(hash) * u128::from(within)) >> 64) as u64;
        let mask = (1 << self.segment_bits) - 1;
        let bits = hash.wrapping_mul(0xd6e8_feb8_6659_fd93);
        let place = |index: u32| {
            let neighbour = first + (u64::from(index) << self.segment_bits);
            (neighbour ^ (bits >> (16 * (index - 1)) & mask)) as usize
        };
        [first as usize, place(1), place(2), place(3)]
    }

    /// Where to look for the number of a key.
    #[inline]
    pub fn look(&self, key: u64) -> [usize; 4] {
        self.places_of(self.hash(key))
    }
}

/// Makes a table of keys, all different, and their numbers: its shape, and the number at each place.
pub(super) fn build(keys: &[(u64, u32)]) -> (Shape, Vec<u32>) {
    for seed in 0.. {
        let shape = Shape::for_keys(keys.len(), seed);
        if let Some(table) = fill(&shape, keys) {
            return (shape, table);
        }
    }
    unreachable!("with enough places every key has one of its own")
}

/// What is known of a place while keys look for theirs.
#[derive(Clone, Copy, Default)]
struct Place {
    /// The hashes of the keys here, combined.
    hashes: u64,
    /// And their numbers.
    values: u32,
    /// How many they are, times four, with the ways they came here combined in the lowest bits.
    count: u32,
}

/// Hashes keys, and puts those together whose places are near each other, so that a cache has them.
fn gather(shape: &Shape, keys: &[(u64, u32)]) -> Vec<(u64, u32)> {
    let bits = shape.segments.ilog2().clamp(1, 12);
    let bucket = |hash: u64| (hash >> (64 - bits)) as usize;
    let mut places = vec![0u32; (1 << bits) + 1];
    for &(key, _) in keys {
        places[bucket(shape.hash(key)) + 1] += 1;
    }
    for at in 1..places.len() {
        places[at] += places[at - 1];
    }
    let mut hashes = vec![(0, 0); keys.len()];
    for &(key, value) in keys {
        let hash = shape.hash(key);
        let next = &mut places[bucket(hash)];
        hashes[*next as usize] = (hash, value);
        *next += 1;
    }
    hashes
}

fn fill(shape: &Shape, keys: &[(u64, u32)]) -> Option<Vec<u32>> {
    let mut places = vec![Place::default(); shape.places() as usize];
    for (hash, value) in gather(shape, keys) {
        for (way, place) in shape.places_of(hash).into_iter().enumerate() {
            let place = &mut places[place];
            place.hashes ^= hash;
            place.values ^= value;
            place.count = (place.count + 4) ^ way as u32;
        }
    }
    // A key that is alone in one of its places is decided there, when all others are.
    let mut order: Vec<(u64, u32, u32)> = Vec::with_capacity(keys.len());
    let alone = |place: &Place| place.count >> 2 == 1;
    let mut waiting: Vec<u32> = (0..places.len() as u32)
        .filter(|place| alone(&places[*place as usize]))
        .collect();
    while let Some(place) = waiting.pop() {
        let Place {
            hashes: hash,
            values: value,
            count,
        } = places[place as usize];
        if count >> 2 != 1 {
            continue;
        }
        order.push((hash, value, count & 3));
        for (way, place) in shape.places_of(hash).into_iter().enumerate() {
            let other = &mut places[place];
            other.hashes ^= hash;
            other.values ^= value;
            other.count = (other.count - 4) ^ way as u32;
            if alone(other) {
                waiting.push(place as u32);
            }
        }
    }
    (order.len() == keys.len()).then(|| decide(shape, &order))
}

/// Decides the places of keys, the last that was found alone first.
fn decide(shape: &Shape, order: &[(u64, u32, u32)]) -> Vec<u32> {
    let mut table = vec![0; shape.places() as usize];
    for &(hash, value, way) in order.iter().rev() {
        let places = shape.places_of(hash);
        let sum = places.iter().fold(value, |sum, place| sum ^ table[*place]);
        table[places[way as usize]] = sum;
    }
    table
}

/// The numbers of a table, each of so many bits.
pub(super) fn pack(table: &[u32], width: u32) -> Vec<u8> {
    let mut bits = BitWriter::default();
    for &value in table {
        bits.put(value.into(), width);
    }
    bits.into_bytes()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_key_has_its_number(keys: std::collections::BTreeMap<u64, u32>) {
            let keys: Vec<(u64, u32)> = keys.into_iter().collect();
            let (shape, table) = build(&keys);
            for (key, value) in keys {
                let sum = shape.look(key).into_iter().fold(0, |sum, place| sum ^ table[place]);
                prop_assert_eq!(sum, value);
            }
        }
    }

    #[test]
    fn a_tenth_of_the_places_is_free() {
        let keys: Vec<(u64, u32)> = (0..200_000u32)
            .map(|key| (u64::from(key) << 40, key))
            .collect();
        let (shape, table) = build(&keys);
        assert!(shape.seed < TRIES);
        assert!(table.len() < keys.len() * 112 / 100, "{}", table.len());
    }
}
