//! The file of games: the columns of a store, of all entries in one file.

use std::{
    io,
    path::{Path, PathBuf},
};

use ::parquet::file::metadata::KeyValue;

use super::{
    GAMES,
    manifest::{FileEntry, Manifest},
    target::{Writer, close, failed, properties, writer},
};
use crate::{
    row::Row,
    segment::build::{SAMPLE, common_tags},
    table::{GamesBuilder, games},
};

/// So many rows are handed on at a time.
const BATCH_ROWS: usize = 8_192;
/// So many rows lie together in the file.
const GROUP_ROWS: usize = 128 << 10;

/// The file of games, growing.
pub(super) struct GamesFile {
    path: PathBuf,
    /// About how many bytes of memory it may use.
    memory: usize,
    /// The first games, until it is known which tags have columns.
    sample: Vec<(i64, Row, String)>,
    open: Option<Open>,
}

struct Open {
    writer: Writer,
    rows: GamesBuilder,
}

impl GamesFile {
    pub fn new(path: PathBuf, memory: usize) -> GamesFile {
        GamesFile {
            path,
            memory,
            sample: Vec::new(),
            open: None,
        }
    }

    /// Adds an entry, its number, and its main line.
    pub fn add(&mut self, id: i64, row: &Row, line: &str) -> io::Result<()> {
        if let Some(open) = &mut self.open {
            return open.add(id, row, line, self.memory);
        }
        self.sample.push((id, row.clone(), line.to_owned()));
        if self.sample.len() >= SAMPLE {
            self.open = Some(self.begin()?);
        }
        Ok(())
    }

    fn begin(&mut self) -> io::Result<Open> {
        let sample = std::mem::take(&mut self.sample);
        let mut open = Open::create(&self.path, sample.iter().map(|(_, row, _)| row))?;
        for (id, row, line) in &sample {
            open.add(*id, row, line, self.memory)?;
        }
        Ok(open)
    }

    pub fn finish(mut self) -> io::Result<FileEntry> {
        let mut open = match self.open.take() {
            Some(open) => open,
            None => self.begin()?,
        };
        open.flush(self.memory)?;
        // So that whoever misses the list knows it.
        let list = Manifest::NAME.to_owned();
        let pair = KeyValue::new(Manifest::KEY.to_owned(), list);
        open.writer.append_key_value_metadata(pair);
        close(open.writer, GAMES.to_owned())
    }
}

impl Open {
    fn create<'a>(path: &Path, sample: impl ExactSizeIterator<Item = &'a Row>) -> io::Result<Open> {
        let schema = games(common_tags(sample));
        let properties = properties().set_max_row_group_row_count(Some(GROUP_ROWS));
        Ok(Open {
            writer: writer(path, &schema, properties.build())?,
            rows: GamesBuilder::new(&schema, schema.clone()),
        })
    }

    fn add(&mut self, id: i64, row: &Row, line: &str, memory: usize) -> io::Result<()> {
        self.rows.add(id, row, line);
        match self.rows.len() < BATCH_ROWS && self.rows.memory() < memory / 8 {
            true => Ok(()),
            false => self.flush(memory),
        }
    }

    fn flush(&mut self, memory: usize) -> io::Result<()> {
        let batch = self.rows.take().map_err(io::Error::other)?;
        self.writer.write(&batch).map_err(failed)?;
        match self.writer.in_progress_size() > memory / 4 {
            true => self.writer.flush().map_err(failed),
            false => Ok(()),
        }
    }
}
