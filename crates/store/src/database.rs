//! A store as those see it who read any database.

use std::{any::Any, ops::Range, sync::Arc};

use tabiya_formats::{
    Database, DeletedEntry, Entries, Part,
    io::{Progress, Unchanged},
    registry::ReadOptions,
};
use tabiya_game::{Error, Flow, GameSink};

use crate::{Store, marked::Marked, row::Kind, snapshot::Snapshot};

/// How many entries are told by one thread at a time.
const PART_ENTRIES: u64 = 1_000;

/// The entries of a store, to be read from the first to the last.
pub(crate) struct Games {
    store: Store,
    /// Deleted entries are wanted too.
    deleted: bool,
    /// What is damaged, if what is left is wanted.
    damage: Vec<String>,
    /// The first id that has not been told.
    next: u64,
    progress: Progress,
}

impl Games {
    pub fn new(store: Store, options: &ReadOptions) -> Games {
        Games {
            progress: Progress::new(Some(store.bytes())),
            deleted: options.deleted,
            damage: match options.salvage {
                true => store.examine(),
                false => Vec::new(),
            },
            next: 0,
            store,
        }
    }
}

impl Database for Games {
    fn next_part(&mut self) -> Result<Option<Box<dyn Part>>, Error> {
        let (first, count) = (self.next, self.store.count());
        self.next = count.min(first + PART_ENTRIES);
        let share = u128::from(self.store.bytes()) * u128::from(self.next);
        let reached = share.checked_div(count.into()).unwrap_or(share);
        self.progress
            .reach(u64::try_from(reached).unwrap_or(u64::MAX));
        if first == self.next {
            self.progress.reach(self.store.bytes());
            return Ok(None);
        }
        Ok(Some(Box::new(Run {
            snapshot: Arc::clone(self.store.snapshot()),
            ids: first..self.next,
            deleted: self.deleted,
        })))
    }

    fn progress(&self) -> Option<Progress> {
        Some(self.progress.clone())
    }

    fn warnings(&self) -> Vec<String> {
        self.damage.clone()
    }

    fn entries(&self) -> Option<&dyn Entries> {
        Some(self)
    }

    /// The [`Store`].
    fn as_any(&self) -> Option<&dyn Any> {
        Some(&self.store)
    }

    /// None: it is what it was when it was opened, whoever changes it.
    fn files(&self) -> Option<Unchanged> {
        Some(Unchanged::default())
    }

    fn again(&self) -> Option<Box<dyn Database>> {
        Some(Box::new(Games {
            store: self.store.clone(),
            deleted: self.deleted,
            damage: self.damage.clone(),
            next: 0,
            progress: Progress::new(Some(self.store.bytes())),
        }))
    }
}

impl Entries for Games {
    fn count(&self) -> u64 {
        self.store.count()
    }

    fn tell(&self, number: u64, sink: &mut dyn GameSink) -> Result<bool, Error> {
        if !(1..=self.store.count()).contains(&number) {
            return Ok(false);
        }
        // Whoever reads the games one after the other hears the same.
        match self.store.is_deleted(number) {
            true => self.store.tell(number, &mut Marked::new(sink))?,
            false => self.store.tell(number, sink)?,
        };
        Ok(true)
    }

    fn is_deleted(&self, number: u64) -> bool {
        self.store.is_deleted(number)
    }
}

/// Some entries in a row.
struct Run {
    snapshot: Arc<Snapshot>,
    ids: Range<u64>,
    /// Deleted entries are wanted too.
    deleted: bool,
}

impl Part for Run {
    fn tell(&self, sink: &mut dyn GameSink) -> Result<Flow, Error> {
        for id in self.ids.clone() {
            let told = match self.snapshot.deleted.contains(id) {
                true if !self.deleted => continue,
                true => self.snapshot.tell(id, &mut Marked::new(sink)),
                false => self.snapshot.tell(id, sink),
            };
            if told? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }

    fn deleted(&self) -> Vec<DeletedEntry> {
        if self.deleted {
            return Vec::new();
        }
        let deleted = self.snapshot.deleted.within(self.ids.clone()).iter();
        let deleted = deleted.map(|&id| DeletedEntry {
            number: id + 1,
            is_game: self.snapshot.kind(id) == Kind::Game,
        });
        deleted.collect()
    }
}
