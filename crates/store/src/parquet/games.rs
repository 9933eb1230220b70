//! The file of games: the columns of a store, of all entries in one file.

use std::{
    fs::File,
    io::{self, BufWriter},
    path::{Path, PathBuf},
    sync::Arc,
};

use ::parquet::arrow::ArrowWriter;
use arrow_array::{
    Array, ArrayRef, BooleanArray, Int16Array, Int32Array, Int64Array, LargeBinaryArray,
    RecordBatch, StringArray, cast::AsArray, types::Int64Type,
};
use arrow_schema::{DataType, Field, Schema};

use super::target::{close, failed, properties, writer};
use crate::{
    row::Row,
    segment::{
        build::{Builder, SAMPLE, common_tags},
        cell::{BytesColumn, NumberColumn, TextColumn},
    },
    tag::{self, COLUMNS, Type},
};

/// So many rows are handed on at a time.
const BATCH_ROWS: usize = 8_192;
/// So many rows lie together in the file.
const GROUP_ROWS: usize = 128 << 10;

/// The columns that are neither tags nor moves.
const OWN: [(&str, DataType); 6] = [
    ("kind", DataType::Utf8),
    ("result", DataType::Utf8),
    ("ply_count", DataType::Int32),
    ("broken", DataType::Boolean),
    ("start", DataType::Utf8),
    ("variant", DataType::Utf8),
];

/// Those behind the tags.
const LAST: [(&str, DataType); 9] = [
    ("tag_order", DataType::Utf8),
    ("other_tags", DataType::Utf8),
    ("moves", DataType::LargeBinary),
    ("shapes", DataType::LargeBinary),
    ("clocks", DataType::LargeBinary),
    ("time_spent", DataType::LargeBinary),
    ("evaluations", DataType::LargeBinary),
    ("judgements", DataType::LargeBinary),
    ("signature", DataType::Int64),
];

/// Those that a store does not have.
const ID: &str = "id";
const MAIN_LINE: &str = "main_line";

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
    writer: ArrowWriter<BufWriter<File>>,
    schema: Arc<Schema>,
    /// Tags that have columns under their own names.
    tags: Vec<Box<str>>,
    builder: Builder,
    ids: Vec<i64>,
    lines: Vec<Option<String>>,
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
        match self.sample.len() < SAMPLE {
            true => Ok(()),
            false => self.begin().map(drop),
        }
    }

    fn begin(&mut self) -> io::Result<&mut Open> {
        let sample = std::mem::take(&mut self.sample);
        let mut open = Open::create(&self.path, sample.iter().map(|(_, row, _)| row))?;
        for (id, row, line) in &sample {
            open.add(*id, row, line, self.memory)?;
        }
        Ok(self.open.insert(open))
    }

    pub fn finish(mut self) -> io::Result<()> {
        if self.open.is_none() {
            self.begin()?;
        }
        match self.open {
            Some(mut open) => {
                open.flush(self.memory)?;
                close(open.writer)
            }
            None => Ok(()),
        }
    }
}

impl Open {
    fn create<'a>(path: &Path, sample: impl ExactSizeIterator<Item = &'a Row>) -> io::Result<Open> {
        let mut tags = common_tags(sample);
        // Many programs do not tell names by their case.
        let taken = |tag: &str| {
            let tag = tag.to_ascii_lowercase();
            tag::is_taken(&tag) || [ID, MAIN_LINE].contains(&&*tag)
        };
        tags.sort_unstable_by_key(|tag| tag.to_ascii_lowercase());
        tags.dedup_by(|tag, before| tag.eq_ignore_ascii_case(before));
        tags.retain(|tag| !taken(tag));
        let schema = schema(&tags);
        let properties = properties().set_max_row_group_row_count(Some(GROUP_ROWS));
        Ok(Open {
            writer: writer(path, &schema, properties.build())?,
            schema,
            builder: Builder::with_tags(&tags),
            tags,
            ids: Vec::new(),
            lines: Vec::new(),
        })
    }

    fn add(&mut self, id: i64, row: &Row, line: &str, memory: usize) -> io::Result<()> {
        self.builder.add(row);
        self.ids.push(id);
        self.lines.push((!line.is_empty()).then(|| line.to_owned()));
        match self.ids.len() < BATCH_ROWS && self.builder.memory() < memory / 8 {
            true => Ok(()),
            false => self.flush(memory),
        }
    }

    fn flush(&mut self, memory: usize) -> io::Result<()> {
        let next = Builder::with_tags(&self.tags);
        let arrays = std::mem::replace(&mut self.builder, next).arrays();
        let rows = self.ids.len();
        let columns = self.schema.fields().iter().map(|field| -> ArrayRef {
            match field.name().as_str() {
                ID => Arc::new(Int64Array::from(std::mem::take(&mut self.ids))),
                MAIN_LINE => Arc::new(StringArray::from(std::mem::take(&mut self.lines))),
                name => {
                    let found = arrays.iter().find(|(column, _)| **column == *name);
                    column(found.map(|(_, array)| array), field.data_type(), rows)
                }
            }
        });
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns.collect());
        let batch = batch.map_err(io::Error::other)?;
        self.writer.write(&batch).map_err(failed)?;
        match self.writer.in_progress_size() > memory / 4 {
            true => self.writer.flush().map_err(failed),
            false => Ok(()),
        }
    }
}

/// A column of a store as the file has it, whatever its width; one that is not there has nothing to
/// say of any row.
fn column(array: Option<&ArrayRef>, kind: &DataType, rows: usize) -> ArrayRef {
    let rows = 0..rows;
    let number = array.and_then(NumberColumn::of);
    let number = |row: usize| number.as_ref()?.get(row);
    match kind {
        DataType::Int16 => {
            let short = |row| number(row).and_then(|number| i16::try_from(number).ok());
            Arc::new(rows.map(short).collect::<Int16Array>())
        }
        DataType::Int32 => Arc::new(rows.map(number).collect::<Int32Array>()),
        DataType::Int64 => {
            let longs = array.and_then(|array| array.as_primitive_opt::<Int64Type>());
            let long = |row| longs.map(|longs| longs.value(row));
            Arc::new(rows.map(long).collect::<Int64Array>())
        }
        DataType::Boolean => {
            let flags = array.and_then(|array| array.as_boolean_opt());
            let flag =
                |row| Some(flags.is_some_and(|flags| flags.is_valid(row) && flags.value(row)));
            Arc::new(rows.map(flag).collect::<BooleanArray>())
        }
        DataType::LargeBinary => {
            let cells = array.and_then(BytesColumn::of);
            let cell = |row| cells.as_ref().map(|cells| cells.get(row));
            let cell = |row| cell(row).filter(|bytes| !bytes.is_empty());
            Arc::new(rows.map(cell).collect::<LargeBinaryArray>())
        }
        _ => {
            let texts = array.and_then(TextColumn::of);
            let text = |row| texts.as_ref()?.get(row);
            Arc::new(rows.map(text).collect::<StringArray>())
        }
    }
}

fn schema(tags: &[Box<str>]) -> Arc<Schema> {
    let field = |name: &str, kind: &DataType| Field::new(name, kind.clone(), true);
    let fixed = |(name, kind): &(&str, DataType)| field(name, kind);
    let mut fields = vec![Field::new(ID, DataType::Int64, false)];
    fields.extend(OWN.iter().map(fixed));
    fields.extend(COLUMNS.iter().map(|column| {
        let kind = match column.kind {
            Type::Text => DataType::Utf8,
            Type::Small => DataType::Int16,
            Type::Date | Type::Number => DataType::Int32,
        };
        field(column.name, &kind)
    }));
    fields.extend(tags.iter().map(|tag| field(tag, &DataType::Utf8)));
    fields.push(field(MAIN_LINE, &DataType::Utf8));
    fields.extend(LAST.iter().map(fixed));
    Arc::new(Schema::new(fields))
}
