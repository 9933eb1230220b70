//! A bound on memory that leaves room for putting together what was sorted.

use std::{
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
};

use datafusion::{
    error::DataFusionError,
    execution::memory_pool::{
        FairSpillPool, MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation,
    },
};

/// So many bytes for all. Sorts and groups, which can go to the disk, share three quarters of them
/// evenly. DataFusion's own pool would give them all of it, and nothing would be left for the merge
/// behind them, which cannot go to the disk: a sort that nearly fits would fail.
#[derive(Debug)]
pub(crate) struct Bounded {
    bytes: usize,
    spillable: FairSpillPool,
    /// What those have who cannot go to the disk.
    fixed: Mutex<usize>,
}

impl Bounded {
    /// A pool of so many bytes.
    pub fn new(bytes: usize) -> Bounded {
        Bounded {
            bytes,
            spillable: FairSpillPool::new(bytes - bytes / 4),
            fixed: Mutex::new(0),
        }
    }

    fn fixed(&self) -> MutexGuard<'_, usize> {
        self.fixed.lock().unwrap_or_else(PoisonError::into_inner)
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
        self.spillable.register(consumer);
    }

    fn unregister(&self, consumer: &MemoryConsumer) {
        self.spillable.unregister(consumer);
    }

    fn grow(&self, reservation: &MemoryReservation, additional: usize) {
        if reservation.consumer().can_spill() {
            self.spillable.grow(reservation, additional);
        } else {
            *self.fixed() += additional;
        }
    }

    fn shrink(&self, reservation: &MemoryReservation, shrink: usize) {
        if reservation.consumer().can_spill() {
            self.spillable.shrink(reservation, shrink);
        } else {
            let mut fixed = self.fixed();
            *fixed = fixed.saturating_sub(shrink);
        }
    }

    fn try_grow(
        &self,
        reservation: &MemoryReservation,
        additional: usize,
    ) -> Result<(), DataFusionError> {
        // Held until all is counted, so that two together do not take what is there for one.
        let mut fixed = self.fixed();
        let taken = *fixed + self.spillable.reserved();
        if additional > self.bytes.saturating_sub(taken) {
            return Err(DataFusionError::ResourcesExhausted(format!(
                "{} asks for {additional} bytes, and {taken} of {} are taken",
                reservation.consumer().name(),
                self.bytes
            )));
        }
        if reservation.consumer().can_spill() {
            return self.spillable.try_grow(reservation, additional);
        }
        *fixed += additional;
        Ok(())
    }

    fn reserved(&self) -> usize {
        *self.fixed() + self.spillable.reserved()
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
}
