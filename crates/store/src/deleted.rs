//! Which entries are deleted.

use std::collections::HashSet;

use crate::number::{put, take};

/// Ids of entries, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Deleted {
    ids: Vec<u64>,
}

impl Deleted {
    pub fn contains(&self, id: u64) -> bool {
        self.ids.binary_search(&id).is_ok()
    }

    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    pub fn len(&self) -> u64 {
        self.ids.len() as u64
    }

    /// The last of them.
    pub fn last(&self) -> Option<u64> {
        self.ids.last().copied()
    }

    /// Those of them that are in a range.
    pub fn within(&self, ids: std::ops::Range<u64>) -> &[u64] {
        let before = |id| self.ids.partition_point(|&deleted| deleted < id);
        &self.ids[before(ids.start)..before(ids.end)]
    }

    /// Adds ids.
    pub fn insert(&mut self, ids: &[u64]) {
        self.ids.extend_from_slice(ids);
        self.ids.sort_unstable();
        self.ids.dedup();
    }

    /// Takes ids out.
    pub fn remove(&mut self, ids: &[u64]) {
        let gone: HashSet<u64> = ids.iter().copied().collect();
        self.ids.retain(|id| !gone.contains(id));
    }

    /// As bytes: the differences.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut last = 0;
        for &id in &self.ids {
            put(id - last, &mut bytes);
            last = id;
        }
        bytes
    }

    /// From bytes; `None` if there are others than [`Deleted::to_bytes`] makes.
    pub fn from_bytes(mut bytes: &[u8]) -> Option<Deleted> {
        let mut ids: Vec<u64> = Vec::new();
        while !bytes.is_empty() {
            let difference = take(&mut bytes)?;
            let next = match ids.last() {
                Some(_) if difference == 0 => return None,
                Some(last) => last.checked_add(difference)?,
                None => difference,
            };
            ids.push(next);
        }
        Some(Deleted { ids })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ids_come_back(ids: Vec<u64>, gone: Vec<u64>) {
            let mut deleted = Deleted::default();
            deleted.insert(&ids);
            deleted.insert(&gone);
            deleted.remove(&gone);
            let again = Deleted::from_bytes(&deleted.to_bytes());
            prop_assert_eq!(again.as_ref(), Some(&deleted));
            for id in ids {
                prop_assert_eq!(deleted.contains(id), !gone.contains(&id));
            }
        }

        #[test]
        fn any_bytes_are_ids_or_none(bytes: Vec<u8>) {
            if let Some(deleted) = Deleted::from_bytes(&bytes) {
                prop_assert!(deleted.len() <= bytes.len() as u64);
            }
        }
    }
}
