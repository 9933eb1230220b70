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

/// Makes tables. The memory that one takes serves the next: pages of new memory cost as much as
/// what is done with them.
#[derive(Default)]
pub(super) struct Filler {
    hashes: Vec<(u64, u32)>,
    places: Vec<Place>,
    waiting: Waiting,
    /// Keys in the order in which they were found alone: hash, number, and which of its places.
    order: Vec<(u64, u32, u32)>,
    table: Vec<u32>,
}

impl Filler {
    /// Makes a table of keys, all different, and their numbers: its shape, and the number at each
    /// place.
    pub fn build(&mut self, keys: &[(u64, u32)]) -> (Shape, &[u32]) {
        for seed in 0.. {
            let shape = Shape::for_keys(keys.len(), seed);
            if self.sort_out(&shape, keys) {
                self.decide(&shape);
                return (shape, &self.table);
            }
        }
        unreachable!("with enough places every key has one of its own")
    }

    /// Hashes keys, and puts those together whose places are near each other, so that a cache has
    /// them.
    fn gather(&mut self, shape: &Shape, keys: &[(u64, u32)]) {
        let bits = shape.segments.ilog2().clamp(1, 12);
        let bucket = |hash: u64| (hash >> (64 - bits)) as usize;
        let mut places = vec![0u32; (1 << bits) + 1];
        for &(key, _) in keys {
            places[bucket(shape.hash(key)) + 1] += 1;
        }
        for at in 1..places.len() {
            places[at] += places[at - 1];
        }
        self.hashes.clear();
        self.hashes.resize(keys.len(), (0, 0));
        for &(key, value) in keys {
            let hash = shape.hash(key);
            let next = &mut places[bucket(hash)];
            self.hashes[*next as usize] = (hash, value);
            *next += 1;
        }
    }

    /// Looks for an order in which each key is alone in one of its places when those before it
    /// are gone; says whether there is one.
    fn sort_out(&mut self, shape: &Shape, keys: &[(u64, u32)]) -> bool {
        self.gather(shape, keys);
        let Filler {
            hashes,
            places,
            waiting,
            order,
            ..
        } = self;
        places.clear();
        places.resize(shape.places() as usize, Place::default());
        for &(hash, value) in &*hashes {
            for (way, at) in shape.places_of(hash).into_iter().enumerate() {
                let place = &mut places[at];
                place.count += 4;
                place.change(hash, value, way);
            }
        }
        order.clear();
        waiting.begin(places.len());
        for (at, place) in places.iter().enumerate() {
            waiting.push_if(place.is_alone(), at);
        }
        while let Some(place) = waiting.pop() {
            let place = places[place];
            if !place.is_alone() {
                continue;
            }
            let (hash, value) = (place.hashes, place.values);
            order.push((hash, value, place.count & 3));
            for (way, at) in shape.places_of(hash).into_iter().enumerate() {
                let place = &mut places[at];
                place.count -= 4;
                place.change(hash, value, way);
                waiting.push_if(place.is_alone(), at);
            }
        }
        order.len() == keys.len()
    }

    /// Decides the places of keys, the last that was found alone first.
    fn decide(&mut self, shape: &Shape) {
        let table = &mut self.table;
        table.clear();
        table.resize(shape.places() as usize, 0);
        for &(hash, value, way) in self.order.iter().rev() {
            let places = shape.places_of(hash);
            let sum = places.iter().fold(value, |sum, place| sum ^ table[*place]);
            table[places[way as usize]] = sum;
        }
    }
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

impl Place {
    /// Whether one key is here.
    #[inline]
    fn is_alone(&self) -> bool {
        self.count >> 2 == 1
    }

    /// A key comes or goes.
    #[inline]
    fn change(&mut self, hash: u64, value: u32, way: usize) {
        self.hashes ^= hash;
        self.values ^= value;
        self.count ^= way as u32;
    }
}

/// Places to look at. None waits more than once: how many keys a place has comes down to one once.
#[derive(Default)]
struct Waiting {
    places: Vec<u32>,
    count: usize,
}

impl Waiting {
    /// Nothing of so many places waits.
    fn begin(&mut self, places: usize) {
        self.count = 0;
        if self.places.len() <= places {
            self.places.resize(places + 1, 0);
        }
    }

    /// Whether a place has to wait, nobody can foresee: it is written in any case.
    #[inline]
    fn push_if(&mut self, condition: bool, place: usize) {
        self.places[self.count] = place as u32;
        self.count += usize::from(condition);
    }

    #[inline]
    fn pop(&mut self) -> Option<usize> {
        self.count = self.count.checked_sub(1)?;
        Some(self.places[self.count] as usize)
    }
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
            let mut filler = Filler::default();
            filler.build(&[(5, 9)]);
            let (shape, table) = filler.build(&keys);
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
        let mut filler = Filler::default();
        let (shape, table) = filler.build(&keys);
        assert!(shape.seed < TRIES);
        assert!(table.len() < keys.len() * 112 / 100, "{}", table.len());
    }
}
