//! Games by chance.

use std::{cmp::Ordering, collections::BinaryHeap};

use tabiya_game::generate;

use super::row::Row;

/// Keeps so many of the rows it sees, each with the same chance.
///
/// Every row draws a number that depends on the seed and its place alone, and those with the lowest
/// are kept: so the choice is the same however the rows come.
pub struct Sample {
    size: usize,
    seed: u64,
    seen: u64,
    kept: BinaryHeap<Drawn>,
}

/// A row with its number.
struct Drawn {
    number: u64,
    place: u64,
    row: Row,
}

impl Drawn {
    fn key(&self) -> (u64, u64) {
        (self.number, self.place)
    }
}

impl PartialEq for Drawn {
    fn eq(&self, other: &Drawn) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Drawn {}

impl PartialOrd for Drawn {
    fn partial_cmp(&self, other: &Drawn) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Drawn {
    fn cmp(&self, other: &Drawn) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Sample {
    pub fn new(size: usize, seed: u64) -> Sample {
        Sample {
            size,
            seed,
            seen: 0,
            kept: BinaryHeap::new(),
        }
    }

    pub fn take(&mut self, row: Row) {
        self.seen += 1;
        let number = generate::number(self.seed, self.seen);
        let place = self.seen;
        self.kept.push(Drawn { number, place, row });
        if self.kept.len() > self.size {
            self.kept.pop();
        }
    }

    /// Those that were kept, in the order in which they came.
    pub fn finish(self) -> Vec<Row> {
        let mut kept = self.kept.into_vec();
        kept.sort_by_key(|drawn| drawn.place);
        kept.into_iter().map(|drawn| drawn.row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(size: usize, seed: u64) -> Vec<u64> {
        let mut sample = Sample::new(size, seed);
        for number in 1..=1_000 {
            sample.take(Row {
                number,
                ..Row::default()
            });
        }
        sample.finish().into_iter().map(|row| row.number).collect()
    }

    #[test]
    fn a_seed_chooses_the_same_games_every_time() {
        assert_eq!(sample(10, 1), sample(10, 1));
        assert_ne!(sample(10, 1), sample(10, 2));
        assert_eq!(sample(10, 1).len(), 10);
        assert!(sample(10, 1).is_sorted());
        assert_eq!(sample(2_000, 1).len(), 1_000);
        assert!(sample(0, 1).is_empty());
    }

    #[test]
    fn games_from_everywhere_are_chosen() {
        let halves = (1..=40).flat_map(|seed| sample(10, seed));
        let late = halves.filter(|number| *number > 500).count();
        assert!((150..250).contains(&late), "{late} of 400");
    }
}
