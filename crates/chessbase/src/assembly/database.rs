//! Databases that take the place of others, or grow.

use std::{io, ops::Range, path::Path};

use tabiya_game::Losses;

use super::{
    Builder, Written,
    swap::{Change, Outdated},
};
use crate::writer::{RECORDS, StoredEntry};
use tabiya_formats::{Records, Target};

/// A database that is written. Nothing can be seen of it until [`DatabaseTarget::finish`]; one
/// that is dropped leaves what was there before.
pub struct DatabaseTarget {
    /// Before the folder that its files are in.
    builder: Builder,
    change: Change,
    outdated: Outdated,
}

impl DatabaseTarget {
    /// Begins a database in place of whatever is there.
    ///
    /// # Errors
    /// If its folder cannot be written to, or a file of the old database may not be.
    pub fn create(path: &Path) -> io::Result<DatabaseTarget> {
        DatabaseTarget::begin(Change::begin(path)?)
    }

    fn begin(change: Change) -> io::Result<DatabaseTarget> {
        Ok(DatabaseTarget {
            builder: Builder::new(change.folder(), change.stem())?,
            change,
            outdated: Outdated::Everything,
        })
    }

    /// Goes on with a database, or begins it if it is not there.
    ///
    /// # Errors
    /// As [`DatabaseTarget::create`], and if the database cannot be read.
    pub fn append(path: &Path) -> io::Result<DatabaseTarget> {
        let change = Change::begin(path)?;
        if !change.path().exists() {
            return DatabaseTarget::begin(change);
        }
        Ok(DatabaseTarget {
            builder: Builder::open(change.folder(), change.path(), None)?,
            change,
            outdated: Outdated::Derived,
        })
    }

    /// Adds entries, as a [`RecordWriter`](crate::writer::RecordWriter) made them.
    ///
    /// # Errors
    /// If the database is full, or the disk is.
    pub fn add(&mut self, entries: &[StoredEntry]) -> io::Result<()> {
        self.builder.add_all(entries)
    }

    /// Completes the database and puts it into its place.
    ///
    /// # Errors
    /// If that fails; what was there before is then still there.
    pub fn finish(self) -> io::Result<Written> {
        let written = self.builder.finish()?;
        self.change.replace(self.outdated)?;
        Ok(written)
    }
}

impl Target for DatabaseTarget {
    fn add(&mut self, records: &Records, which: Range<usize>) -> io::Result<()> {
        DatabaseTarget::add(self, records.slice(RECORDS, which)?)
    }

    fn take_losses(&mut self) -> Losses {
        self.builder.take_losses()
    }

    fn finish(self: Box<Self>) -> io::Result<Vec<String>> {
        Ok(DatabaseTarget::finish(*self)?.sentences())
    }
}
