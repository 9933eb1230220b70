//! Databases that are packed as soon as they are complete.

use std::{
    ffi::OsString,
    fs::File,
    io,
    ops::Range,
    path::{Path, PathBuf},
};

use tabiya_game::Losses;

use super::{Builder, Written};
use crate::{
    archive::{Packer, database_files},
    writer::{RECORDS, StoredEntry},
};
use tabiya_formats::{
    Records, Target,
    io::{Compression, Lock, Output, TemporaryFolder, folder_of},
};

/// An archive that is written. Nothing can be seen of it until [`ArchiveTarget::finish`]; one that
/// is dropped leaves what was there before.
pub struct ArchiveTarget {
    /// Before the folder that its files are in.
    builder: Builder,
    folder: TemporaryFolder,
    stem: OsString,
    path: PathBuf,
    password: Option<String>,
    /// Given up last.
    _lock: Lock,
}

impl ArchiveTarget {
    /// Begins an archive with a database of the same name, under a password if there is one.
    ///
    /// # Errors
    /// If its folder cannot be written to.
    pub fn create(path: &Path, password: Option<&str>) -> io::Result<ArchiveTarget> {
        let lock = Lock::of(path)?;
        let folder = TemporaryFolder::create_in(folder_of(path))?;
        let stem = path.file_stem().unwrap_or_default().to_owned();
        // Names in an archive are not of any letters. Better now than when all is written.
        let name = format!("{}.cbh", stem.to_string_lossy());
        let checked = Packer::new().add(&name, None, io::empty());
        checked.map_err(io::Error::other)?;
        Ok(ArchiveTarget {
            builder: Builder::new(folder.path(), &stem)?,
            folder,
            stem,
            path: path.to_owned(),
            password: password.map(str::to_owned),
            _lock: lock,
        })
    }

    /// Adds entries, as a [`RecordWriter`](crate::writer::RecordWriter) made them.
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
    pub fn finish(self) -> io::Result<Written> {
        let written = self.builder.finish()?;
        let mut header = self.stem;
        header.push(".cbh");
        let mut packer = Packer::new();
        for file in database_files(self.folder.path().join(header))? {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            // Without a date: the same games give the same archive.
            let packed = packer.add(&name, None, File::open(&file)?);
            packed.map_err(io::Error::other)?;
        }
        let mut output = Output::create(&self.path, Compression::None)?;
        let packed = packer.finish(&mut output, self.password.as_deref());
        packed.map_err(io::Error::other)?;
        output.finish()?;
        Ok(written)
    }
}

impl Target for ArchiveTarget {
    fn add(&mut self, records: &Records, which: Range<usize>) -> io::Result<()> {
        ArchiveTarget::add(self, records.slice(RECORDS, which)?)
    }

    fn take_losses(&mut self) -> Losses {
        self.builder.take_losses()
    }

    fn finish(self: Box<Self>) -> io::Result<Vec<String>> {
        Ok(ArchiveTarget::finish(*self)?.sentences())
    }
}
