//! The files of positions.

use std::{io, path::Path};

use ::parquet::{
    basic::Encoding,
    file::{metadata::SortingColumn, properties::WriterProperties},
    schema::types::ColumnPath,
};

use super::{
    manifest::FileEntry,
    target::{Writer, close, failed, properties, writer},
};
use crate::table::{PositionRow, PositionsBuilder, positions};

/// So many rows are handed on at a time.
const BATCH_ROWS: usize = 8_192;
/// So many rows lie together in a file: enough to be read in one go, few enough to be passed over.
const GROUP_ROWS: usize = 512 << 10;

/// A file of positions that grows. Rows come sorted.
pub(super) struct PartFile {
    writer: Writer,
    rows: PositionsBuilder,
}

impl PartFile {
    pub fn create(path: &Path) -> io::Result<PartFile> {
        let all: Vec<usize> = (0..positions().fields().len()).collect();
        Ok(PartFile {
            writer: writer(path, &positions(), sorted_properties())?,
            rows: PositionsBuilder::new(&all).map_err(io::Error::other)?,
        })
    }

    pub fn add(&mut self, row: &PositionRow<'_>) -> io::Result<()> {
        self.rows.push(row);
        match self.rows.len() < BATCH_ROWS {
            true => Ok(()),
            false => self.flush(),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let batch = self.rows.take().map_err(io::Error::other)?;
        self.writer.write(&batch).map_err(failed)
    }

    pub fn finish(mut self, name: String) -> io::Result<FileEntry> {
        self.flush()?;
        close(self.writer, name)
    }
}

fn sorted_properties() -> WriterProperties {
    let by = |column_idx| SortingColumn {
        column_idx,
        descending: false,
        nulls_first: false,
    };
    let mut properties = properties()
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_sorting_columns(Some((0..3).map(by).collect()));
    // Sorted numbers of which most are different: their differences are shorter.
    for name in ["key", "game"] {
        let column = ColumnPath::from(name);
        properties = properties
            .set_column_dictionary_enabled(column.clone(), false)
            .set_column_encoding(column, Encoding::DELTA_BINARY_PACKED);
    }
    properties.build()
}
