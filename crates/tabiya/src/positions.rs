//! Positions with numbers.

use std::collections::{HashMap, hash_map::Entry};

use tabiya_chess::{Key, Position};
use tabiya_search::Exact;

/// Positions that are told apart exactly, each with a number from 0 in the order in which they came.
#[derive(Debug, Default)]
pub struct Positions {
    list: Vec<Numbered>,
    /// The last position of a key; those whose keys are the same know each other.
    by_key: HashMap<Key, usize>,
}

#[derive(Debug)]
struct Numbered {
    exact: Exact,
    /// Another one of the same key.
    next: Option<usize>,
}

impl Positions {
    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn get(&self, number: usize) -> &Position {
        self.list[number].exact.position()
    }

    pub fn find(&self, position: &Position) -> Option<usize> {
        let mut number = self.by_key.get(&Exact::key(position)).copied();
        while let Some(there) = number {
            let known = &self.list[there];
            if known.exact.fits(position) {
                return Some(there);
            }
            number = known.next;
        }
        None
    }

    /// The number of a position, a new one if it is not there.
    pub fn insert(&mut self, position: &Position) -> usize {
        if let Some(number) = self.find(position) {
            return number;
        }
        let number = self.list.len();
        let next = match self.by_key.entry(Exact::key(position)) {
            Entry::Occupied(mut last) => Some(last.insert(number)),
            Entry::Vacant(none) => {
                none.insert(number);
                None
            }
        };
        self.list.push(Numbered {
            exact: Exact::new(*position),
            next,
        });
        number
    }
}
