//! A bound on memory that leaves room for putting together what was sorted.

use std::{
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
};

use datafusion::{
    error::DataFusionError,
    execution::memory_pool::{MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation},
};

/// So many bytes for all. Sorts and groups, which can go to the disk, share three quarters of them
/// evenly, or what others leave. DataFusion's own pool would give them all of it, and nothing would be left
/// for the merge behind them, which cannot go to the disk: a sort that nearly fits would fail.
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
}

impl Taken {
    fn of(&mut self, reservation: &MemoryReservation) -> &mut usize {
        match reservation.consumer().can_spill() {
            true => &mut self.shared,
            false => &mut self.fixed,
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
        self.taken().sharers += usize::from(consumer.can_spill());
    }

    fn unregister(&self, consumer: &MemoryConsumer) {
        let mut taken = self.taken();
        taken.sharers = taken.sharers.saturating_sub(consumer.can_spill().into());
    }

    fn grow(&self, reservation: &MemoryReservation, additional: usize) {
        *self.taken().of(reservation) += additional;
    }

    fn shrink(&self, reservation: &MemoryReservation, shrink: usize) {
        let mut taken = self.taken();
        let part = taken.of(reservation);
        *part = part.saturating_sub(shrink);
    }

    fn try_grow(
        &self,
        reservation: &MemoryReservation,
        additional: usize,
    ) -> Result<(), DataFusionError> {
        let mut taken = self.taken();
        let left = self.bytes.saturating_sub(taken.all());
        let available = match reservation.consumer().can_spill() {
            true => {
                let to_share = self.bytes - (self.bytes / 4).max(taken.fixed.min(self.bytes));
                let share = to_share / taken.sharers.max(1);
                left.min(share.saturating_sub(reservation.size()))
            }
            false => left,
        };
        if additional > available {
            return Err(DataFusionError::ResourcesExhausted(format!(
                "{} asks for {additional} bytes, and {available} of {} are left for it",
                reservation.consumer().name(),
                self.bytes
            )));
        }
        *taken.of(reservation) += additional;
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
    fn sorts_leave_a_quarter_to_the_merge() {
        let pool = pool(1000);
        let sort = MemoryConsumer::new("sort")
            .with_can_spill(true)
            .register(&pool);
        assert!(sort.try_grow(751).is_err());
        sort.try_grow(750).unwrap();
        let merge = MemoryConsumer::new("merge").register(&pool);
        merge.try_grow(250).unwrap();
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
        sort.try_grow(500).unwrap();
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
        assert!(one.try_grow(376).is_err());
        one.try_grow(375).unwrap();
        other.try_grow(375).unwrap();
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
