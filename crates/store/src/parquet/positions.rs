//! The files of positions.

use std::{
    fs::File,
    io::{self, BufWriter},
    path::Path,
    sync::Arc,
};

use ::parquet::{
    arrow::ArrowWriter,
    basic::Encoding,
    file::{metadata::SortingColumn, properties::WriterProperties},
    schema::types::ColumnPath,
};
use arrow_array::{
    ArrayRef, RecordBatch,
    builder::{Int32Builder, Int64Builder, StringBuilder},
};
use arrow_schema::{DataType, Field, Schema};

use super::{
    ply::Record,
    target::{close, failed, properties, writer},
};

/// So many rows are handed on at a time.
const BATCH_ROWS: usize = 8_192;
/// So many rows lie together in a file: enough to be read in one go, few enough to be passed over.
const GROUP_ROWS: usize = 512 << 10;

/// A file of positions that grows. Rows come sorted.
pub(super) struct PartFile {
    writer: ArrowWriter<BufWriter<File>>,
    schema: Arc<Schema>,
    rows: Rows,
}

#[derive(Default)]
struct Rows {
    len: usize,
    key: Int64Builder,
    game: Int64Builder,
    ply: Int32Builder,
    uci: StringBuilder,
    san: StringBuilder,
    clock: Int64Builder,
    evaluation: Int32Builder,
    mate: Int32Builder,
}

impl PartFile {
    pub fn create(path: &Path) -> io::Result<PartFile> {
        let schema = schema();
        Ok(PartFile {
            writer: writer(path, &schema, sorted_properties())?,
            schema,
            rows: Rows::default(),
        })
    }

    pub fn add(&mut self, record: &Record<'_>) -> io::Result<()> {
        self.rows.push(record);
        match self.rows.len < BATCH_ROWS {
            true => Ok(()),
            false => self.flush(),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let arrays = self.rows.take();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), arrays);
        let batch = batch.map_err(io::Error::other)?;
        self.writer.write(&batch).map_err(failed)
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        close(self.writer)
    }
}

impl Rows {
    fn push(&mut self, record: &Record<'_>) {
        let Record {
            key,
            game,
            ply,
            uci,
            san,
            clock,
            evaluation,
            mate,
        } = *record;
        self.len += 1;
        self.key.append_value(key);
        self.game.append_value(game);
        self.ply.append_value(ply);
        self.uci.append_value(uci);
        self.san.append_value(san);
        self.clock.append_option(clock);
        self.evaluation.append_option(evaluation);
        self.mate.append_option(mate);
    }

    /// The columns, in the order of the schema.
    fn take(&mut self) -> Vec<ArrayRef> {
        self.len = 0;
        vec![
            Arc::new(self.key.finish()),
            Arc::new(self.game.finish()),
            Arc::new(self.ply.finish()),
            Arc::new(self.uci.finish()),
            Arc::new(self.san.finish()),
            Arc::new(self.clock.finish()),
            Arc::new(self.evaluation.finish()),
            Arc::new(self.mate.finish()),
        ]
    }
}

fn schema() -> Arc<Schema> {
    Arc::new(Schema::new(vec![
        Field::new("key", DataType::Int64, false),
        Field::new("game", DataType::Int64, false),
        Field::new("ply", DataType::Int32, false),
        Field::new("uci", DataType::Utf8, false),
        Field::new("san", DataType::Utf8, false),
        Field::new("clock", DataType::Int64, true),
        Field::new("evaluation", DataType::Int32, true),
        Field::new("mate", DataType::Int32, true),
    ]))
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
