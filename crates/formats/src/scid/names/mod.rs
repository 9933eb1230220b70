//! The names of players, events, sites and rounds, by their numbers.

pub(super) mod sn4;
pub(super) mod sn5;

use std::collections::HashMap;

/// How many kinds of names there are.
pub(super) const KINDS: usize = 4;

/// What they are called, in their order.
pub(super) const KIND_NAMES: [&str; KINDS] = ["player", "event", "site", "round"];

/// The kind of each name of an entry of the index, in the order of [`NAMES`](super::index::NAMES).
pub(super) const KIND_OF: [usize; 5] = [1, 2, 3, 0, 0];

/// Names of all kinds. A name may be there twice.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    bytes: Vec<u8>,
    /// Where the names of a kind begin and end, by their numbers.
    places: [Vec<(usize, usize)>; KINDS],
}

impl Names {
    /// A name by its kind and number.
    pub(super) fn get(&self, kind: usize, id: u32) -> Option<&[u8]> {
        let (start, end) = *self.places[kind].get(id as usize)?;
        self.bytes.get(start..end)
    }

    /// How many names of a kind there are.
    pub(super) fn count(&self, kind: usize) -> usize {
        self.places[kind].len()
    }

    /// All names of a kind, by their numbers.
    pub(super) fn of_kind(&self, kind: usize) -> impl Iterator<Item = &[u8]> {
        self.places[kind]
            .iter()
            .map(|(start, end)| &self.bytes[*start..*end])
    }

    pub(super) fn push(&mut self, kind: usize, name: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(name);
        self.places[kind].push((start, self.bytes.len()));
    }
}

/// Names that are still being collected: each gets a number when it is first met.
#[derive(Clone, Debug, Default)]
pub(super) struct Register {
    pub names: Names,
    ids: [HashMap<Box<[u8]>, u32>; KINDS],
}

impl Register {
    /// Goes on with the names of a database.
    pub(super) fn of(names: Names) -> Register {
        let mut ids: [HashMap<Box<[u8]>, u32>; KINDS] = Default::default();
        for (kind, ids) in ids.iter_mut().enumerate() {
            for (id, name) in (0..).zip(names.of_kind(kind)) {
                // Of equal names the first counts.
                ids.entry(name.into()).or_insert(id);
            }
        }
        Register { names, ids }
    }

    /// The number of a name, and whether it is new.
    pub(super) fn id(&mut self, kind: usize, name: &[u8]) -> (u32, bool) {
        if let Some(id) = self.ids[kind].get(name) {
            return (*id, false);
        }
        let id = self.names.count(kind) as u32;
        self.names.push(kind, name);
        self.ids[kind].insert(name.into(), id);
        (id, true)
    }
}
