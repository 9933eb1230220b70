//! Entries come in.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicU64},
    time::{Duration, Instant},
};

use tabiya_formats::registry::WriteOptions;
use tabiya_game::{Error, GameTree};

use crate::{
    change::Change,
    deleted::Deleted,
    disk::{Disk, Guard},
    format,
    index::Plan,
    marked, merge,
    row::Row,
    segment::build::Builder,
    writer::RowWriter,
};

/// So many bytes of memory are used, unless something else is said.
pub(crate) const MEMORY: usize = 512 << 20;

/// Entries that wait to be written take this part of the memory: arrays are made of them, and those
/// who read need some too.
pub(crate) const SHARE: usize = 3;

/// Adds entries to a store. Nothing is there for others before [`Importer::finish`].
pub struct Importer {
    disk: Arc<dyn Disk>,
    folder: PathBuf,
    change: Change,
    builder: Builder,
    writer: RowWriter,
    /// Which entries were deleted before.
    deleted: Deleted,
    /// The ids of new ones that come as deleted.
    marked: Vec<u64>,
    /// The id of the next entry.
    next: u64,
    /// How many bytes of memory may be used in all.
    memory: usize,
    /// Whether positions are indexed.
    indexes: bool,
    /// Which state the import has led to, for the store that it was begun by.
    led_to: Arc<AtomicU64>,
}

/// What became of an import.
#[derive(Debug)]
pub struct Imported {
    disk: Arc<dyn Disk>,
    folder: PathBuf,
    memory: usize,
    plan: Plan,
    lock: Held,
    led_to: Arc<AtomicU64>,
}

struct Held(Guard);

impl std::fmt::Debug for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Held")
    }
}

/// What was done so that the store stays quick.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Merged {
    /// How often segments were made one.
    pub merges: usize,
    /// How long that took.
    pub elapsed: Duration,
}

impl Importer {
    /// Begins to add to a store. Nothing is added to one that is damaged: whoever wants to save the
    /// rest has to know.
    pub(crate) fn begin(disk: Arc<dyn Disk>, folder: &Path) -> Result<Importer, Error> {
        let change = Change::begin(Arc::clone(&disk), folder)?;
        Importer::with_change(disk, folder, change, Arc::default())
    }

    /// The same for whoever has begun the change.
    pub(crate) fn with_change(
        disk: Arc<dyn Disk>,
        folder: &Path,
        change: Change,
        led_to: Arc<AtomicU64>,
    ) -> Result<Importer, Error> {
        let before = change.snapshot()?;
        Ok(Importer {
            next: before.len(),
            deleted: before.deleted,
            led_to,
            ..Importer::of(disk, folder, change)
        })
    }

    /// Begins a store that takes the place of another, whatever became of its games. One whose
    /// manifest cannot be read is left alone: it may be all that there is, and can be salvaged.
    pub(crate) fn begin_anew(disk: Arc<dyn Disk>, folder: &Path) -> Result<Importer, Error> {
        let mut change = Change::begin(Arc::clone(&disk), folder)?;
        change.clear();
        Ok(Importer::of(disk, folder, change))
    }

    fn of(disk: Arc<dyn Disk>, folder: &Path, change: Change) -> Importer {
        Importer {
            change,
            disk,
            folder: folder.to_owned(),
            builder: Builder::new(),
            writer: RowWriter::new(Default::default()),
            deleted: Deleted::default(),
            marked: Vec::new(),
            next: 0,
            memory: MEMORY,
            indexes: true,
            led_to: Arc::default(),
        }
    }

    /// About how many bytes of memory it may use.
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Importer {
        self.memory = bytes;
        self
    }

    /// Makes no index of positions: the import takes less time and room, questions take longer.
    /// [`Store::index`](crate::Store::index) makes it later.
    #[must_use]
    pub fn without_index(mut self) -> Importer {
        self.indexes = false;
        self
    }

    /// As the settings of a conversion say: [`MEMORY`](crate::MEMORY), [`NO_INDEX`](crate::NO_INDEX).
    ///
    /// # Errors
    /// If the memory is none.
    pub fn with_options(mut self, options: &WriteOptions) -> io::Result<Importer> {
        if let Some(text) = options.settings.text(&format::MEMORY) {
            self = self.with_memory(format::memory_size(text)?);
        }
        if options.settings.flag(&format::NO_INDEX) {
            self = self.without_index();
        }
        Ok(self)
    }

    fn plan(&self) -> Plan {
        match self.indexes {
            true => Plan::with_memory(self.memory),
            false => Plan::none(),
        }
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If the disk is full.
    pub fn add(&mut self, game: &GameTree) -> Result<(), Error> {
        game.tell(&mut self.writer);
        let rows = self.writer.take_rows();
        self.add_rows(&rows)
    }

    /// Adds what a writer of this format has written.
    pub(crate) fn add_rows(&mut self, rows: &[Row]) -> Result<(), Error> {
        for row in rows {
            self.builder.add(row);
            if marked::is_marked(&row.tags) {
                self.marked.push(self.next);
            }
            self.next += 1;
        }
        if self.builder.memory() > self.memory / SHARE {
            let builder = std::mem::take(&mut self.builder);
            self.append(builder)?;
        }
        Ok(())
    }

    /// Makes what was added part of the store. It is there from then on, whatever happens.
    ///
    /// # Errors
    /// If the disk is full; the store is then as it was.
    pub fn finish(mut self) -> Result<Imported, Error> {
        let builder = std::mem::take(&mut self.builder);
        self.append(builder)?;
        let plan = self.plan();
        if !self.marked.is_empty() {
            self.deleted.insert(&self.marked);
            self.change.set_deleted(&self.deleted)?;
        }
        Ok(Imported {
            lock: Held(self.change.commit(&self.led_to)?),
            led_to: self.led_to,
            disk: self.disk,
            folder: self.folder,
            memory: self.memory,
            plan,
        })
    }

    fn append(&mut self, builder: Builder) -> Result<(), Error> {
        self.change.set_plan(self.plan());
        self.change.append(builder)
    }
}

impl Imported {
    /// Makes small segments large ones, where there are many, so that the store stays quick. Whoever
    /// drops this instead leaves it to the next.
    ///
    /// # Errors
    /// If the disk is full; what was imported is there in any case.
    pub fn merge(self) -> Result<Merged, Error> {
        let start = Instant::now();
        let merges = merge::all_due(
            &self.disk,
            &self.folder,
            self.lock.0,
            self.memory,
            self.plan,
            &self.led_to,
        )?;
        Ok(Merged {
            merges,
            elapsed: start.elapsed(),
        })
    }
}

/// A segment of one entry.
pub(crate) fn segment_of(row: &Row) -> Builder {
    let mut builder = Builder::new();
    builder.add(row);
    builder
}
