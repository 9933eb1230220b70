//! Databases that take the place of others, or grow; and archives.

use std::{
    ffi::OsString,
    io,
    ops::Range,
    path::{Path, PathBuf},
};

use super::Builder;
use crate::{
    assembly::{
        AssemblyError,
        swap::{Change, Outdated},
    },
    cbh2::{archive, entry::StoredEntry, writer::RECORDS},
};
use tabiya_formats::{
    Destination, Records, Target,
    io::{Lock, TemporaryFolder, folder_of},
};

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
            builder: Builder::open(change.folder(), change.path())?,
            change,
            outdated: Outdated::Derived,
        })
    }

    /// Adds entries, as a [`RecordWriter`](super::super::writer::RecordWriter) made them.
    ///
    /// # Errors
    /// If the database is full, or the disk is.
    pub fn add(&mut self, entries: &[StoredEntry]) -> io::Result<()> {
        self.builder.add_all(entries)
    }

    /// Completes the database and puts it into its place. Returns how many entries it has.
    ///
    /// # Errors
    /// If that fails; what was there before is then still there.
    pub fn finish(self) -> io::Result<u32> {
        let entries = self.builder.finish()?;
        self.change.replace(self.outdated)?;
        Ok(entries)
    }
}

impl Target for DatabaseTarget {
    fn add(&mut self, records: &Records, which: Range<usize>) -> io::Result<()> {
        DatabaseTarget::add(self, records.slice(RECORDS, which)?)
    }

    fn finish(self: Box<Self>) -> io::Result<Vec<String>> {
        DatabaseTarget::finish(*self).map(|_| Vec::new())
    }
}

/// An archive that is written. Nothing can be seen of it until [`ArchiveTarget::finish`].
pub struct ArchiveTarget {
    /// Before the folder that its files are in.
    builder: Builder,
    folder: TemporaryFolder,
    stem: OsString,
    path: PathBuf,
    /// Given up last.
    _lock: Lock,
}

impl ArchiveTarget {
    /// Begins an archive with a database of the same name.
    ///
    /// # Errors
    /// If its folder cannot be written to.
    pub fn create(path: &Path) -> io::Result<ArchiveTarget> {
        let lock = Lock::of(path)?;
        let folder = TemporaryFolder::create_in(folder_of(path))?;
        let stem = path.file_stem().unwrap_or_default().to_owned();
        Ok(ArchiveTarget {
            builder: Builder::new(folder.path(), &stem)?,
            folder,
            stem,
            path: path.to_owned(),
            _lock: lock,
        })
    }

    /// Adds entries, as a [`RecordWriter`](super::super::writer::RecordWriter) made them.
    ///
    /// # Errors
    /// If the database is full, or the disk is.
    pub fn add(&mut self, entries: &[StoredEntry]) -> io::Result<()> {
        self.builder.add_all(entries)
    }

    /// Packs the database and gives the archive its name.
    ///
    /// # Errors
    /// If that fails; what was there before is then still there.
    pub fn finish(self) -> io::Result<u32> {
        let entries = self.builder.finish()?;
        let mut header = self.stem;
        header.push(".2cbh");
        let files = archive::database_files(&self.folder.path().join(header))?;
        archive::pack_into(&files, &self.path).map_err(io::Error::other)?;
        Ok(entries)
    }
}

impl Target for ArchiveTarget {
    fn add(&mut self, records: &Records, which: Range<usize>) -> io::Result<()> {
        ArchiveTarget::add(self, records.slice(RECORDS, which)?)
    }

    fn finish(self: Box<Self>) -> io::Result<Vec<String>> {
        ArchiveTarget::finish(*self).map(|_| Vec::new())
    }
}

/// Begins a database, or goes on with one.
pub(in crate::cbh2) fn create_database(
    destination: Destination<'_>,
) -> io::Result<Box<dyn Target>> {
    Ok(match destination {
        Destination::New(path) => Box::new(DatabaseTarget::create(path)?),
        Destination::Append(path) => Box::new(DatabaseTarget::append(path)?),
        Destination::Stdout => return Err(AssemblyError::NeedsFile.into()),
    })
}

/// Begins an archive.
pub(in crate::cbh2) fn create_archive(destination: Destination<'_>) -> io::Result<Box<dyn Target>> {
    match destination {
        Destination::New(path) | Destination::Append(path) => {
            Ok(Box::new(ArchiveTarget::create(path)?))
        }
        Destination::Stdout => Err(AssemblyError::NeedsFile.into()),
    }
}
