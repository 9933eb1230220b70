//! Answers, as programs read them.
//!
//! ```
//! use tabiya_sql::output::{Format, Writer};
//! use datafusion::arrow::array::{Int32Array, RecordBatch};
//! use std::sync::Arc;
//!
//! let batch = RecordBatch::try_from_iter([("games", Arc::new(Int32Array::from(vec![1, 2])) as _)])?;
//! let mut text = Vec::new();
//! let mut writer = Writer::new(Format::Csv, &batch.schema(), &mut text)?;
//! writer.write(&batch)?;
//! writer.finish()?;
//! assert_eq!(text, b"games\n1\n2\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::{
    collections::HashSet,
    io::{self, Write},
    sync::Arc,
};

use datafusion::{
    arrow::{
        array::{Array, ArrayRef, AsArray, RecordBatch, RecordBatchOptions},
        compute::cast,
        csv,
        datatypes::{DataType, Field, FieldRef, Schema, SchemaRef},
        error::ArrowError,
        ipc,
        json::{self, writer::JsonArray},
        util::display::{ArrayFormatter, FormatOptions},
    },
    parquet::{
        arrow::ArrowWriter, basic::Compression, errors::ParquetError,
        file::properties::WriterProperties,
    },
};

/// How an answer is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Comma-separated values with a line of names.
    Csv,
    /// An array of objects.
    Json,
    /// A Parquet file.
    Parquet,
    /// An Arrow IPC file.
    Arrow,
}

impl Format {
    /// What the name of a file says.
    #[must_use]
    pub fn of_extension(extension: &str) -> Option<Format> {
        match extension.to_ascii_lowercase().as_str() {
            "csv" => Some(Format::Csv),
            "json" => Some(Format::Json),
            "parquet" => Some(Format::Parquet),
            "arrow" | "feather" => Some(Format::Arrow),
            _ => None,
        }
    }

    /// Whether it is nothing for a terminal.
    #[must_use]
    pub const fn is_binary(self) -> bool {
        matches!(self, Format::Parquet | Format::Arrow)
    }
}

/// Writes an answer, batch by batch. It is not complete before [`Writer::finish`].
pub struct Writer<W: Write + Send>(Inner<W>);

/// The same columns, but for kinds of texts that many programs cannot sort yet.
fn plain(schema: &Schema) -> Schema {
    let plain = |field: &FieldRef| {
        let kind = match field.data_type() {
            DataType::Utf8View => DataType::Utf8,
            DataType::BinaryView => DataType::Binary,
            other => other.clone(),
        };
        Field::clone(field).with_data_type(kind)
    };
    Schema::new(schema.fields().iter().map(plain).collect::<Vec<_>>())
}

enum Inner<W: Write + Send> {
    Csv(Box<csv::Writer<W>>),
    Json(Box<json::Writer<W, JsonArray>>),
    Parquet(Box<ArrowWriter<W>>),
    Arrow(Box<ipc::writer::FileWriter<W>>),
}

impl<W: Write + Send> Writer<W> {
    /// Begins an answer of these columns.
    ///
    /// # Errors
    /// If it cannot be written, or a format does not have such columns.
    pub fn new(format: Format, schema: &SchemaRef, mut out: W) -> io::Result<Writer<W>> {
        if format != Format::Csv {
            check_names(schema)?;
        }
        Ok(Writer(match format {
            Format::Csv => {
                // The writer itself writes the names with the first row, of which there may be none.
                names(schema, &mut out)?;
                let writer = csv::WriterBuilder::new().with_header(false).build(out);
                Inner::Csv(Box::new(writer))
            }
            Format::Json => Inner::Json(Box::new(
                json::WriterBuilder::new()
                    .with_explicit_nulls(true)
                    .build(out),
            )),
            Format::Parquet => {
                let properties = WriterProperties::builder()
                    .set_compression(Compression::ZSTD(Default::default()))
                    .build();
                let writer = ArrowWriter::try_new(out, schema.clone(), Some(properties));
                Inner::Parquet(Box::new(writer.map_err(of_parquet)?))
            }
            Format::Arrow => {
                let writer = ipc::writer::FileWriter::try_new(out, &plain(schema));
                Inner::Arrow(Box::new(writer.map_err(of_arrow)?))
            }
        }))
    }

    /// Writes some rows.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        match &mut self.0 {
            Inner::Csv(writer) => writer.write(batch).map_err(of_arrow),
            Inner::Json(writer) => writer.write(batch).map_err(of_arrow),
            Inner::Parquet(writer) => {
                writer.write(batch).map_err(of_parquet)?;
                // What is in the making is in memory.
                match writer.in_progress_size() > ROW_GROUP {
                    true => writer.flush().map_err(of_parquet),
                    false => Ok(()),
                }
            }
            Inner::Arrow(writer) => {
                let schema = plain(&batch.schema());
                let columns = batch.columns().iter().zip(schema.fields());
                let columns = columns.map(|(column, field)| cast(column, field.data_type()));
                let columns = columns.collect::<Result<Vec<_>, _>>().map_err(of_arrow)?;
                let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
                let batch = RecordBatch::try_new_with_options(Arc::new(schema), columns, &options);
                batch
                    .and_then(|batch| writer.write(&batch))
                    .map_err(of_arrow)
            }
        }
    }

    /// Writes what is left, and gives back where it was written to.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            Inner::Csv(writer) => Ok(writer.into_inner()),
            Inner::Json(mut writer) => {
                writer.finish().map_err(of_arrow)?;
                let mut out = writer.into_inner();
                out.write_all(b"\n")?;
                Ok(out)
            }
            Inner::Parquet(writer) => writer.into_inner().map_err(of_parquet),
            Inner::Arrow(mut writer) => {
                writer.finish().map_err(of_arrow)?;
                writer.into_inner().map_err(of_arrow)
            }
        }
    }
}

/// A column of an answer, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// What it is called.
    pub name: String,
    /// Whether its values are numbers, which stand below each other by their last digits.
    pub is_number: bool,
}

/// The columns of an answer.
#[must_use]
pub fn columns(schema: &SchemaRef) -> Vec<Column> {
    let fields = schema.fields().iter();
    let column = |field: &Arc<Field>| Column {
        name: field.name().clone(),
        is_number: field.data_type().is_numeric(),
    };
    fields.map(column).collect()
}

/// The values of some rows as people read them, row by row; nothing for those that are null. Of bytes
/// only their number is said.
///
/// # Errors
/// If a column is of a kind that has no text.
pub fn texts(batch: &RecordBatch) -> io::Result<Vec<Vec<Option<String>>>> {
    let options = FormatOptions::new();
    let cells = batch.columns().iter().map(|column| {
        let bytes = byte_counts(column);
        let formatter = ArrayFormatter::try_new(column, &options).map_err(of_arrow)?;
        let text = |row: usize| match &bytes {
            Some(counts) => Ok(format!("<{} bytes>", counts(row))),
            None => formatter.value(row).try_to_string().map_err(of_arrow),
        };
        let rows = (0..column.len()).map(|row| match column.is_null(row) {
            true => Ok(None),
            false => text(row).map(Some),
        });
        rows.collect::<io::Result<Vec<_>>>().map(Vec::into_iter)
    });
    let mut cells: Vec<_> = cells.collect::<io::Result<_>>()?;
    let mut row = || -> Vec<Option<String>> {
        let next = cells.iter_mut().map(|column| column.next().flatten());
        next.collect()
    };
    Ok((0..batch.num_rows()).map(|_| row()).collect())
}

/// How many bytes the values of a column have, if it is one of bytes.
fn byte_counts(column: &ArrayRef) -> Option<Box<dyn Fn(usize) -> usize + '_>> {
    if let Some(bytes) = column.as_binary_opt::<i32>() {
        return Some(Box::new(|row| bytes.value(row).len()));
    }
    if let Some(bytes) = column.as_binary_opt::<i64>() {
        return Some(Box::new(|row| bytes.value(row).len()));
    }
    let bytes = column.as_binary_view_opt()?;
    Some(Box::new(|row| bytes.value(row).len()))
}

/// So many bytes of a Parquet file are made at a time.
const ROW_GROUP: usize = 64 << 20;

/// Refuses two columns of one name: whoever reads them by their names gets one of them.
fn check_names(schema: &SchemaRef) -> io::Result<()> {
    let mut names = HashSet::new();
    match schema.fields().iter().find(|it| !names.insert(it.name())) {
        Some(field) => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!(
                "two columns are called {0}: name one with AS, as {0} AS other",
                field.name()
            ),
        )),
        None => Ok(()),
    }
}

/// The first line of CSV.
fn names(schema: &SchemaRef, out: &mut impl Write) -> io::Result<()> {
    let quoted = |name: &String| match name.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.clone(),
    };
    let names: Vec<String> = schema.fields().iter().map(|it| quoted(it.name())).collect();
    writeln!(out, "{}", names.join(","))
}

/// What the system says, where it is the system that says it.
fn of_arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        // Whose words they are says nothing.
        ArrowError::CsvError(words) => io::Error::other(words),
        error => io::Error::other(error),
    }
}

fn of_parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use datafusion::{
        arrow::array::{BinaryArray, Int64Array, StringArray},
        parquet::arrow::arrow_reader::ParquetRecordBatchReader,
    };

    use super::*;

    fn batch() -> RecordBatch {
        RecordBatch::try_from_iter_with_nullable([
            ("id", Arc::new(Int64Array::from(vec![1, 2])) as _, false),
            (
                "who, where",
                Arc::new(StringArray::from(vec![Some("Tal, \"Misha\""), None])) as _,
                true,
            ),
            (
                "moves",
                Arc::new(BinaryArray::from_vec(vec![&[0x13, 0xff], &[]])) as _,
                true,
            ),
        ])
        .unwrap()
    }

    fn written(format: Format, batches: &[RecordBatch]) -> Vec<u8> {
        let mut writer = Writer::new(format, &batch().schema(), Vec::new()).unwrap();
        for batch in batches {
            writer.write(batch).unwrap();
        }
        writer.finish().unwrap()
    }

    #[test]
    fn csv_quotes_what_has_to_be() {
        assert_eq!(
            String::from_utf8(written(Format::Csv, &[batch()])).unwrap(),
            "id,\"who, where\",moves\n1,\"Tal, \"\"Misha\"\"\",13ff\n2,,\n"
        );
    }

    #[test]
    fn an_answer_without_rows_has_its_columns() {
        assert_eq!(written(Format::Csv, &[]), b"id,\"who, where\",moves\n");
        assert_eq!(written(Format::Json, &[]), b"[]\n");
        let parquet = written(Format::Parquet, &[]);
        let reader = ParquetRecordBatchReader::try_new(bytes::Bytes::from(parquet), 10).unwrap();
        assert_eq!(reader.count(), 0);
        let arrow = io::Cursor::new(written(Format::Arrow, &[]));
        let reader = ipc::reader::FileReader::try_new(arrow, None).unwrap();
        assert_eq!(reader.schema(), batch().schema());
    }

    #[test]
    fn people_see_texts_and_how_many_bytes_there_are() {
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(
            texts(&batch()).unwrap(),
            [
                [text("1"), text("Tal, \"Misha\""), text("<2 bytes>")],
                [text("2"), None, text("<0 bytes>")],
            ]
        );
        let numbers = columns(&batch().schema()).into_iter();
        let numbers: Vec<bool> = numbers.map(|column| column.is_number).collect();
        assert_eq!(numbers, [true, false, false]);
    }

    #[test]
    fn json_says_what_is_null() {
        assert_eq!(
            String::from_utf8(written(Format::Json, &[batch()])).unwrap(),
            "[{\"id\":1,\"who, where\":\"Tal, \\\"Misha\\\"\",\"moves\":\"13ff\"},\
             {\"id\":2,\"who, where\":null,\"moves\":\"\"}]\n"
        );
    }

    #[test]
    fn columns_of_one_name_are_for_csv_alone() {
        let column = || Arc::new(Int64Array::from(vec![1])) as ArrayRef;
        let batch = RecordBatch::try_from_iter([("white", column()), ("white", column())]).unwrap();
        let begin = |format| Writer::new(format, &batch.schema(), Vec::new()).map(|_| ());
        assert!(begin(Format::Csv).is_ok());
        for format in [Format::Json, Format::Parquet, Format::Arrow] {
            let error = begin(format).unwrap_err().to_string();
            assert!(error.contains("two columns are called white"), "{error}");
        }
    }

    #[test]
    fn parquet_and_arrow_come_back_as_they_were() {
        let batches = [batch(), batch()];
        let parquet = bytes::Bytes::from(written(Format::Parquet, &batches));
        let reader = ParquetRecordBatchReader::try_new(parquet, 2).unwrap();
        let read: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
        assert_eq!(read, batches);
        let arrow = io::Cursor::new(written(Format::Arrow, &batches));
        let reader = ipc::reader::FileReader::try_new(arrow, None).unwrap();
        let read: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
        assert_eq!(read, batches);
    }
}
