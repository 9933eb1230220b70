//! One Arrow file of a segment.

use std::{
    collections::HashMap,
    io::{self, Write},
    ops::Range,
    sync::Arc,
};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_buffer::Buffer;
use arrow_ipc::{
    Block, Footer, MessageHeader, Type,
    convert::fb_to_schema,
    reader::{FileDecoder, read_footer_length},
    root_as_footer, root_as_message,
    writer::FileWriter,
};
use arrow_schema::{ArrowError, Field, Schema};
use serde::{Deserialize, Serialize};

use super::{SegmentError, SegmentFile, column::Column};
use crate::tag;

/// Says of a column which tag it is filled from.
pub(crate) const TAG: &str = "tag";

/// A column under its name.
pub(crate) struct Named<'a> {
    name: &'a str,
    tag: Option<&'a str>,
    column: &'a dyn Column,
}

impl<'a> Named<'a> {
    pub fn new(name: &'a str, column: &'a dyn Column) -> Named<'a> {
        Named {
            name,
            tag: None,
            column,
        }
    }

    /// A column that is filled from a tag.
    pub fn of_tag(name: &'a str, tag: &'a str, column: &'a dyn Column) -> Named<'a> {
        Named {
            name,
            tag: Some(tag),
            column,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.column.is_empty()
    }

    pub fn name(&self) -> &str {
        self.name
    }

    /// The array of some rows.
    pub fn array(&self, rows: Range<usize>) -> ArrayRef {
        self.column.array(rows)
    }

    fn field(&self, array: &ArrayRef) -> Field {
        let field = Field::new(self.name, array.data_type().clone(), array.is_nullable());
        match self.tag {
            Some(tag) => field.with_metadata(HashMap::from([(TAG.to_owned(), tag.to_owned())])),
            None => field,
        }
    }
}

/// Some bytes of a file: what came before, to the end of a batch, or the last ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Region {
    /// How many.
    pub bytes: u64,
    /// Their CRC-32.
    pub crc: u32,
}

/// Writes a file, each batch of rows a record batch. The first region has schema, dictionaries and
/// the first batch in it, the last one the footer.
pub(crate) fn write<W: Write>(
    out: W,
    columns: &[Named<'_>],
    batches: &[Range<usize>],
) -> io::Result<Vec<Region>> {
    write_arrow(out, columns, batches).map_err(|error| match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    })
}

fn write_arrow<W: Write>(
    out: W,
    columns: &[Named<'_>],
    batches: &[Range<usize>],
) -> Result<Vec<Region>, ArrowError> {
    let arrays = |rows: &Range<usize>| -> Vec<ArrayRef> {
        columns
            .iter()
            .map(|named| named.array(rows.clone()))
            .collect()
    };
    let all = batches.iter().map(|rows| rows.end).max().unwrap_or(0);
    // Whether a column has rows without a value is decided over all of them.
    let fields = columns.iter().map(|named| {
        let few = named.array(0..all.min(1));
        named.field(&few).with_nullable(true)
    });
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let mut writer = FileWriter::try_new(Summed::new(out), &schema)?;
    let mut regions = Vec::new();
    for rows in batches {
        writer.write(&RecordBatch::try_new(Arc::clone(&schema), arrays(rows))?)?;
        regions.push(writer.get_mut().region());
    }
    writer.finish()?;
    writer.get_mut().flush()?;
    regions.push(writer.get_mut().region());
    Ok(regions)
}

/// Counts and sums what passes.
struct Summed<W: Write> {
    out: io::BufWriter<W>,
    bytes: u64,
    crc: crc32fast::Hasher,
}

impl<W: Write> Summed<W> {
    fn new(out: W) -> Summed<W> {
        Summed {
            out: io::BufWriter::with_capacity(1 << 20, out),
            bytes: 0,
            crc: crc32fast::Hasher::new(),
        }
    }

    /// What has passed since this was last asked.
    fn region(&mut self) -> Region {
        let crc = std::mem::take(&mut self.crc).finalize();
        let bytes = std::mem::take(&mut self.bytes);
        Region { bytes, crc }
    }
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.bytes += count as u64;
        self.crc.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TableError {
    #[error("bytes {} to {} are not as they were written", .0.start, .0.end)]
    Changed(Range<u64>),
    #[error("it is no Arrow file: {0}")]
    Arrow(#[from] ArrowError),
    #[error("it is no Arrow file: {0}")]
    Footer(String),
    #[error("it has {found} batches instead of {expected}")]
    Batches { found: usize, expected: usize },
}

impl From<(SegmentFile, TableError)> for SegmentError {
    fn from((file, error): (SegmentFile, TableError)) -> SegmentError {
        SegmentError::new(file, error)
    }
}

/// A file that is read: batches are checked and decoded when they are asked for.
pub(crate) struct Table {
    contents: Buffer,
    regions: Vec<Region>,
    schema: Arc<Schema>,
    decoder: FileDecoder,
    /// The widths of what is in the buffers of each column.
    widths: Vec<&'static [i64]>,
    blocks: Vec<Block>,
}

impl Table {
    /// Opens a file: looks at its footer and its dictionaries.
    pub fn open(contents: Buffer, regions: &[Region]) -> Result<Table, TableError> {
        let last = regions.len().saturating_sub(1);
        verify(&contents, regions, 0)?;
        verify(&contents, regions, last)?;
        let footer_error = |error: &dyn std::fmt::Display| TableError::Footer(error.to_string());
        let footer = footer(&contents)?;
        let schema = footer
            .schema()
            .ok_or_else(|| footer_error(&"it has no schema"))?;
        let fields = schema.fields().into_iter().flatten();
        let widths: Option<Vec<&[i64]>> = fields.map(widths).collect();
        let widths = widths.filter(|_| schema.fields().is_some());
        let widths = widths.ok_or_else(|| footer_error(&"it has columns of other types"))?;
        let schema = Arc::new(told_apart(fb_to_schema(schema)));
        let mut decoder = FileDecoder::new(Arc::clone(&schema), footer.version());
        for block in footer.dictionaries().into_iter().flatten() {
            let bytes = slice(&contents, block)?;
            check_message(block, &bytes, MessageHeader::DictionaryBatch, &[&TEXTS])?;
            decoder.read_dictionary(block, &bytes)?;
        }
        let blocks = batches(&footer);
        if blocks.len() != last {
            return Err(TableError::Batches {
                found: blocks.len(),
                expected: last,
            });
        }
        Ok(Table {
            regions: regions.to_vec(),
            contents,
            schema,
            decoder,
            widths,
            blocks,
        })
    }

    /// What its columns are.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// A batch of rows, checked.
    pub fn batch(&self, index: usize) -> Result<RecordBatch, TableError> {
        verify(&self.contents, &self.regions, index)?;
        let block = &self.blocks[index];
        let contents = slice(&self.contents, block)?;
        check_message(block, &contents, MessageHeader::RecordBatch, &self.widths)?;
        let batch = self.decoder.read_record_batch(block, &contents)?;
        batch.ok_or_else(|| TableError::Footer("a batch is none".to_owned()))
    }
}

/// Earlier versions gave a tag a column under its own name even if a column of all stores is called
/// so: it gets another one, so that nobody reads a tag as something else.
fn told_apart(schema: Schema) -> Schema {
    let fields = schema.fields().iter().map(|field| {
        let is_of_tag = field.metadata().get(TAG) == Some(field.name());
        match is_of_tag && tag::is_taken(field.name()) {
            true => Arc::new(Field::clone(field).with_name(format!("tag_{}", field.name()))),
            false => Arc::clone(field),
        }
    });
    Schema::new_with_metadata(fields.collect::<Vec<_>>(), schema.metadata().clone())
}

/// What the end of a file says of the rest.
fn footer(contents: &Buffer) -> Result<Footer<'_>, TableError> {
    let footer_error = |error: &dyn std::fmt::Display| TableError::Footer(error.to_string());
    let trailer = contents
        .len()
        .checked_sub(TRAILER)
        .and_then(|at| contents.get(at..));
    let trailer: [u8; TRAILER] = trailer
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or_else(|| footer_error(&"it is too short"))?;
    let len = read_footer_length(trailer)?;
    let end = contents.len() - TRAILER;
    let start = end.checked_sub(len);
    let start = start.ok_or_else(|| footer_error(&"its footer is cut off"))?;
    root_as_footer(&contents[start..end]).map_err(|error| footer_error(&error))
}

/// How long the footer is, and a mark.
const TRAILER: usize = 10;

fn batches(footer: &Footer<'_>) -> Vec<Block> {
    let blocks = footer.recordBatches().into_iter().flatten();
    blocks.copied().collect()
}

/// What a file says of itself, for those who have nothing to compare it with.
pub(crate) struct Survey {
    /// Its regions as they are now.
    pub regions: Vec<Region>,
    /// The rows of each batch.
    pub rows: Vec<u32>,
}

/// Looks at a file of which it is not known what was written.
pub(crate) fn survey(contents: &Buffer) -> Result<Survey, TableError> {
    let blocks = batches(&footer(contents)?);
    let (mut regions, mut rows, mut start) = (Vec::new(), Vec::new(), 0);
    let mut region = |end: usize| {
        let bytes = contents.get(start..end);
        let wrong = || TableError::Footer("its batches are not in order".to_owned());
        let bytes = bytes.ok_or_else(wrong)?;
        start = end;
        regions.push(Region {
            bytes: bytes.len() as u64,
            crc: crc32fast::hash(bytes),
        });
        Ok::<(), TableError>(())
    };
    for block in &blocks {
        let bytes = slice(contents, block)?;
        rows.push(rows_of(block, &bytes)?);
        region(block.offset() as usize + bytes.len())?;
    }
    region(contents.len())?;
    Ok(Survey { regions, rows })
}

/// How many rows a batch says that it has.
fn rows_of(block: &Block, bytes: &Buffer) -> Result<u32, TableError> {
    let metadata = usize::try_from(block.metaDataLength()).ok();
    let metadata = metadata.and_then(|end| bytes.get(PREFIX..end));
    let message = metadata.and_then(|metadata| root_as_message(metadata).ok());
    let batch = message.and_then(|message| message.header_as_record_batch());
    let rows = batch.and_then(|batch| u32::try_from(batch.length()).ok());
    rows.ok_or_else(|| TableError::Footer("a block is not as it was written".to_owned()))
}

/// Items that are bits.
const BITS: i64 = 0;

/// Which are there, where each begins, and the texts.
const TEXTS: [i64; 3] = [BITS, 4, 1];

/// How wide the items in the buffers of a column are; `None` if segments have no such columns. The
/// library that reads them ends the process over some that are not sound.
fn widths(field: arrow_ipc::Field<'_>) -> Option<&'static [i64]> {
    let numbers = |int: arrow_ipc::Int<'_>| match (int.is_signed(), int.bitWidth()) {
        (true, 8) => Some(&[BITS, 1][..]),
        (true, 16) => Some(&[BITS, 2][..]),
        (true, 32) => Some(&[BITS, 4][..]),
        (true, 64) => Some(&[BITS, 8][..]),
        _ => None,
    };
    field.name()?;
    if field
        .children()
        .is_some_and(|children| !children.is_empty())
    {
        return None;
    }
    match (field.type_type(), field.dictionary()) {
        (Type::Utf8, Some(dictionary)) => numbers(dictionary.indexType()?),
        (_, Some(_)) => None,
        (Type::Int, None) => numbers(field.type_as_int()?),
        (Type::Utf8 | Type::Binary, None) => Some(&TEXTS),
        (Type::LargeBinary, None) => Some(&[BITS, 8, 1]),
        (Type::Bool, None) => Some(&[BITS, BITS]),
        _ => None,
    }
}

/// Whether a block begins with a message of a kind that has all its parts, for the same reason.
fn check_message(
    block: &Block,
    bytes: &Buffer,
    kind: MessageHeader,
    widths: &[&[i64]],
) -> Result<(), TableError> {
    let wrong = || TableError::Footer("a block is not as it was written".to_owned());
    let metadata = usize::try_from(block.metaDataLength()).map_err(|_| wrong())?;
    let metadata = bytes.get(PREFIX..metadata).ok_or_else(wrong)?;
    let is_aligned = block.offset() % ALIGNED == 0 && block.metaDataLength() % 8 == 0;
    if !is_aligned || bytes[..PREFIX / 2] != [0xff; PREFIX / 2] {
        return Err(wrong());
    }
    let message = root_as_message(metadata).map_err(|_| wrong())?;
    let batch = match message.header_type() {
        found if found != kind => None,
        MessageHeader::DictionaryBatch => {
            let dictionary = message.header_as_dictionary_batch();
            dictionary.and_then(|dictionary| dictionary.data())
        }
        _ => message.header_as_record_batch(),
    };
    let is_whole = batch.is_some_and(|batch| is_within(batch, block.bodyLength(), widths));
    is_whole.then_some(()).ok_or_else(wrong)
}

/// Whether all that a batch has is in its body, and there is enough of it.
fn is_within(batch: arrow_ipc::RecordBatch<'_>, body: i64, widths: &[&[i64]]) -> bool {
    let (Some(nodes), Some(buffers)) = (batch.nodes(), batch.buffers()) else {
        return false;
    };
    let rows = batch.length();
    let count: usize = widths.iter().map(|column| column.len()).sum();
    if batch.compression().is_some()
        || !(0..=i64::from(i32::MAX)).contains(&rows)
        || nodes.len() != widths.len()
        || buffers.len() != count
    {
        return false;
    }
    let mut buffers = buffers.iter();
    nodes.iter().zip(widths).all(|(node, column)| {
        let has_nulls = node.null_count() > 0;
        node.length() == rows
            && (0..=rows).contains(&node.null_count())
            && (column.iter().enumerate()).all(|(index, width)| {
                let least = match (index, column.len()) {
                    (0, _) if has_nulls => least(rows, BITS),
                    (1, 2) => least(rows, *width),
                    // Where each text begins, and where the last one ends.
                    (1, _) if rows > 0 => least(rows + 1, *width),
                    _ => 0,
                };
                let buffer = buffers.next();
                buffer.is_some_and(|buffer| is_inside(buffer, *width, least, body))
            })
    })
}

/// How many bytes so many items have.
fn least(items: i64, width: i64) -> i64 {
    match width {
        BITS => items.div_euclid(8) + i64::from(items % 8 > 0),
        width => items * width,
    }
}

fn is_inside(buffer: &arrow_ipc::Buffer, width: i64, least: i64, body: i64) -> bool {
    let (offset, length) = (buffer.offset(), buffer.length());
    let end = offset.checked_add(length);
    offset >= 0
        && offset % ALIGNED == 0
        && length >= least
        && length % width.max(1) == 0
        && end.is_some_and(|end| end <= body)
}

/// Where the bytes of columns begin: numbers of this width can be read there.
const ALIGNED: i64 = 8;

/// What stands before a message: a mark and its length.
const PREFIX: usize = 8;

/// The bytes of a block, checked to be there.
fn slice(contents: &Buffer, block: &Block) -> Result<Buffer, TableError> {
    let cut_off = || TableError::Footer("a block is not in the file".to_owned());
    let offset = usize::try_from(block.offset()).map_err(|_| cut_off())?;
    let len = usize::try_from(block.metaDataLength())
        .ok()
        .zip(usize::try_from(block.bodyLength()).ok())
        .and_then(|(metadata, body)| metadata.checked_add(body))
        .filter(|len| {
            offset
                .checked_add(*len)
                .is_some_and(|end| end <= contents.len())
        });
    Ok(contents.slice_with_length(offset, len.ok_or_else(cut_off)?))
}

/// Whether a region is as it was written.
fn verify(contents: &Buffer, regions: &[Region], index: usize) -> Result<(), TableError> {
    let start: u64 = regions[..index].iter().map(|region| region.bytes).sum();
    let region = regions
        .get(index)
        .copied()
        .unwrap_or(Region { bytes: 0, crc: 0 });
    let range = start..start.saturating_add(region.bytes);
    let bytes = usize::try_from(range.start)
        .ok()
        .zip(usize::try_from(range.end).ok())
        .and_then(|(start, end)| contents.get(start..end));
    match bytes {
        Some(bytes) if crc32fast::hash(bytes) == region.crc => Ok(()),
        _ => Err(TableError::Changed(range)),
    }
}
