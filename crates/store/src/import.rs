//! Entries come in.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use tabiya_formats::GameWriter;
use tabiya_game::{Error, ErrorKind, GameTree};

use crate::{
    change::Change, disk::Disk, merge, row::Row, segment::build::Builder, writer::RowWriter,
};

/// So many bytes of entries are kept in memory before they are written.
const MEMORY: usize = 256 << 20;

/// Adds entries to a store.
pub struct Importer {
    disk: Arc<dyn Disk>,
    folder: PathBuf,
    change: Change,
    builder: Builder,
    writer: RowWriter,
    row: Row,
    memory: usize,
}

impl Importer {
    pub(crate) fn begin(disk: Arc<dyn Disk>, folder: &Path) -> Result<Importer, Error> {
        Ok(Importer {
            change: Change::begin(Arc::clone(&disk), folder)?,
            disk,
            folder: folder.to_owned(),
            builder: Builder::new(),
            writer: RowWriter::new(),
            row: Row::default(),
            memory: MEMORY,
        })
    }

    /// How many bytes of entries it may keep in memory.
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Importer {
        self.memory = bytes;
        self
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If the disk is full.
    pub fn add(&mut self, game: &GameTree) -> Result<(), Error> {
        game.tell(&mut self.writer);
        let records = self.writer.take();
        self.add_records(&records)
    }

    /// Adds what a writer of this format has written.
    pub(crate) fn add_records(&mut self, mut records: &[u8]) -> Result<(), Error> {
        while !records.is_empty() {
            self.row.take(&mut records).ok_or_else(no_record)?;
            self.builder.add(&self.row);
        }
        if self.builder.memory() > self.memory {
            let builder = std::mem::replace(&mut self.builder, Builder::new());
            self.change.append(builder)?;
        }
        Ok(())
    }

    /// Makes what was added part of the store. Then small segments are made large ones, which
    /// nobody has to wait for: the entries are there already.
    ///
    /// # Errors
    /// If the disk is full; the store is then as it was.
    pub fn finish(self) -> Result<(), Error> {
        let Importer {
            disk,
            folder,
            mut change,
            builder,
            ..
        } = self;
        change.append(builder)?;
        change.commit()?;
        merge::all_due(&disk, &folder)?;
        Ok(())
    }
}

fn no_record() -> Error {
    Error::new(ErrorKind::Unsupported, "the bytes are no entry of a store")
}

/// A segment of what a writer has written.
pub(crate) fn segment_of(writer: &mut RowWriter) -> Result<Builder, Error> {
    let records = writer.take();
    let mut records = records.as_slice();
    let mut builder = Builder::new();
    let mut row = Row::default();
    while !records.is_empty() {
        row.take(&mut records).ok_or_else(no_record)?;
        builder.add(&row);
    }
    Ok(builder)
}
