//! A bound on memory that leaves room for putting together what was sorted.

use std::{
    collections::HashMap,
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
};

use datafusion::{
    error::DataFusionError,
    execution::memory_pool::{MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation},
};

/// So many bytes for all. Sorts and groups, which can go to the disk, share a third of them evenly, or what others
/// leave. DataFusion's own pool would give them all of it, and nothing would be left
/// for the merge behind them, which cannot go to the disk: a sort that nearly fits would fail. Merges share
/// what is left evenly, for each puts as many files together at once as it has room for, and the first one
/// would leave nothing to the others.
#[derive(Debug)]
pub(crate) struct Bounded {
    bytes: usize,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    /// How many can go to the disk.
    sharers: usize,
    /// What they have.
    shared: usize,
    /// What those have who cannot.
    fixed: usize,
    /// What merges have of that, by their numbers.
    merges: HashMap<usize, usize>,
}

/// Whether somebody puts together what was sorted: DataFusion tells it by the name alone.
fn merges(consumer: &MemoryConsumer) -> bool {
    consumer.name().starts_with("ExternalSorterMerge")
}

impl Taken {
    fn change(&mut self, reservation: &MemoryReservation, change: impl Fn(usize) -> usize) {
        let consumer = reservation.consumer();
        let part = match consumer.can_spill() {
            true => &mut self.shared,
            false => &mut self.fixed,
        };
        *part = change(*part);
        if let Some(merge) = self.merges.get_mut(&consumer.id()) {
            *merge = change(*merge);
        }
    }

    fn all(&self) -> usize {
        self.shared + self.fixed
    }
}

impl Bounded {
    /// A pool of so many bytes.
    pub fn new(bytes: usize) -> Bounded {
        Bounded {
            bytes,
            taken: Mutex::default(),
        }
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for Bounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({} bytes)", self.name(), self.bytes)
    }
}

impl MemoryPool for Bounded {
    fn name(&self) -> &'static str {
        "bounded"
    }

    fn register(&self, consumer: &MemoryConsumer) {
        let mut taken = self.taken();
        taken.sharers += usize::from(consumer.can_spill());
        if merges(consumer) {
            taken.merges.insert(consumer.id(), 0);
        }
    }

    fn unregister(&self, consumer: &MemoryConsumer) {
        let mut taken = self.taken();
        taken.sharers = taken.sharers.saturating_sub(consumer.can_spill().into());
        taken.merges.remove(&consumer.id());
    }

    fn grow(&self, reservation: &MemoryReservation, additional: usize) {
        self.taken().change(reservation, |bytes| bytes + additional);
    }

    fn shrink(&self, reservation: &MemoryReservation, shrink: usize) {
        let change = |bytes: usize| bytes.saturating_sub(shrink);
        self.taken().change(reservation, change);
    }

    fn try_grow(
        &self,
        reservation: &MemoryReservation,
        additional: usize,
    ) -> Result<(), DataFusionError> {
        let mut taken = self.taken();
        let left = self.bytes.saturating_sub(taken.all());
        let consumer = reservation.consumer();
        let available = match taken.merges.get(&consumer.id()) {
            Some(own) => {
                let merged: usize = taken.merges.values().sum();
                // A part for whoever puts together what they hand on.
                let share = (left + merged) / (taken.merges.len() + 1);
                left.min(share.saturating_sub(*own))
            }
            None if consumer.can_spill() => {
                let kept = (self.bytes / 3 * 2).max(taken.fixed.min(self.bytes));
                let to_share = self.bytes - kept;
                let share = to_share / taken.sharers.max(1);
                left.min(share.saturating_sub(reservation.size()))
            }
            None => left,
        };
        if additional > available {
            return Err(DataFusionError::ResourcesExhausted(format!(
                "{} asks for {additional} bytes, and {available} of {} are left for it",
                consumer.name(),
                self.bytes
            )));
        }
        taken.change(reservation, |bytes| bytes + additional);
        Ok(())
    }

    fn reserved(&self) -> usize {
        self.taken().all()
    }

    fn memory_limit(&self) -> MemoryLimit {
        MemoryLimit::Finite(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn pool(bytes: usize) -> Arc<dyn MemoryPool> {
        Arc::new(Bounded::new(bytes))
    }

    #[test]
    fn sorts_leave_two_thirds_to_the_merge() {
        let pool = pool(1000);
        let sort = MemoryConsumer::new("sort")
            .with_can_spill(true)
            .register(&pool);
        assert!(sort.try_grow(335).is_err());
        sort.try_grow(334).unwrap();
        let merge = MemoryConsumer::new("merge").register(&pool);
        merge.try_grow(666).unwrap();
        let error = merge.try_grow(1).unwrap_err().to_string();
        assert!(error.contains("merge asks for 1 bytes"), "{error}");
        assert_eq!(pool.reserved(), 1000);
    }

    #[test]
    fn what_cannot_go_to_the_disk_may_have_all_and_gives_it_back() {
        let pool = pool(1000);
        let join = MemoryConsumer::new("join").register(&pool);
        join.try_grow(1000).unwrap();
        let sort = MemoryConsumer::new("sort")
            .with_can_spill(true)
            .register(&pool);
        assert!(sort.try_grow(1).is_err());
        drop(join);
        assert_eq!(pool.reserved(), 0);
        sort.try_grow(300).unwrap();
    }

    #[test]
    fn merges_share_what_is_left() {
        let pool = pool(1000);
        let sort = MemoryConsumer::new("sort").with_can_spill(true);
        let sort = sort.register(&pool);
        sort.grow(600);
        let merge = |number: usize| {
            MemoryConsumer::new(format!("ExternalSorterMerge[{number}]")).register(&pool)
        };
        let (one, other) = (merge(0), merge(1));
        assert!(one.try_grow(134).is_err());
        one.try_grow(133).unwrap();
        // What is split off belongs to the same merge.
        let part = one.split(100);
        assert!(one.try_grow(1).is_err());
        sort.shrink(600);
        one.try_grow(200).unwrap();
        assert!(one.try_grow(1).is_err());
        other.try_grow(333).unwrap();
        let last = MemoryConsumer::new("SortPreservingMergeExec").register(&pool);
        last.try_grow(334).unwrap();
        drop((one, part, last));
        other.try_grow(167).unwrap();
        drop((other, sort));
        assert_eq!(pool.reserved(), 0);
    }

    #[test]
    fn sorts_share_evenly() {
        let pool = pool(1000);
        let consumer = |name| {
            MemoryConsumer::new(name)
                .with_can_spill(true)
                .register(&pool)
        };
        let (one, other) = (consumer("one"), consumer("other"));
        assert!(one.try_grow(168).is_err());
        one.try_grow(167).unwrap();
        other.try_grow(167).unwrap();
    }

    #[test]
    fn sorts_share_evenly_what_others_leave() {
        let pool = pool(1000);
        let join = MemoryConsumer::new("join").register(&pool);
        join.try_grow(700).unwrap();
        let consumer = |name| {
            MemoryConsumer::new(name)
                .with_can_spill(true)
                .register(&pool)
        };
        let (one, other) = (consumer("one"), consumer("other"));
        assert!(one.try_grow(151).is_err());
        one.try_grow(150).unwrap();
        other.try_grow(150).unwrap();
    }
}
