//! What tags say of games, as rows.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, RecordBatch,
    builder::{Int32Builder, Int64Builder, StringBuilder},
};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use pyo3::prelude::*;
use tabiya::{
    Error, ErrorKind, Filter, Tags,
    search::{Hit, Question},
};

use crate::{
    arrow::Stream,
    background::Background,
    database::Database,
    error::{bad_value, raised, usage},
    tags::date,
    work::{self, Signal},
};

/// So many games make a batch.
const BATCH: usize = 8_192;

/// The columns that a table has if nobody names some.
const USUAL: [&str; 11] = [
    "number",
    "event",
    "site",
    "date",
    "round",
    "white",
    "black",
    "white_elo",
    "black_elo",
    "eco",
    "result",
];

/// Those of games that were found.
pub const FOUND: [&str; 13] = [
    "number",
    "ply",
    "distance",
    "event",
    "site",
    "date",
    "round",
    "white",
    "black",
    "white_elo",
    "black_elo",
    "eco",
    "result",
];

/// Rows of games, growing.
pub struct Rows {
    schema: SchemaRef,
    columns: Vec<(Kind, Column)>,
    len: usize,
}

/// Where the values of a column come from.
enum Kind {
    Number,
    Ply,
    Distance,
    WhiteElo,
    BlackElo,
    Result,
    /// What is known of a game, by the same name as in Game.
    Known(fn(&Tags) -> Option<&str>),
    /// A tag as it is written.
    Tag(String),
}

enum Column {
    Long(Int64Builder),
    Int(Int32Builder),
    Text(StringBuilder),
}

impl Kind {
    fn of(name: &str) -> Kind {
        match name {
            "number" => Kind::Number,
            "ply" => Kind::Ply,
            "distance" => Kind::Distance,
            "white_elo" => Kind::WhiteElo,
            "black_elo" => Kind::BlackElo,
            "result" => Kind::Result,
            "event" => Kind::Known(Tags::event),
            "site" => Kind::Known(Tags::site),
            "date" => Kind::Known(date),
            "round" => Kind::Known(Tags::round),
            "white" => Kind::Known(Tags::white),
            "black" => Kind::Known(Tags::black),
            "eco" => Kind::Known(Tags::eco),
            tag => Kind::Tag(tag.to_owned()),
        }
    }

    fn column(&self) -> Column {
        match self {
            Kind::Number => Column::Long(Int64Builder::new()),
            Kind::Ply | Kind::Distance | Kind::WhiteElo | Kind::BlackElo => {
                Column::Int(Int32Builder::new())
            }
            Kind::Result | Kind::Known(_) | Kind::Tag(_) => Column::Text(StringBuilder::new()),
        }
    }
}

impl Column {
    fn data_type(&self) -> DataType {
        match self {
            Column::Long(_) => DataType::Int64,
            Column::Int(_) => DataType::Int32,
            Column::Text(_) => DataType::Utf8,
        }
    }

    fn push(&mut self, kind: &Kind, hit: &Hit) {
        let number = |number: Option<u32>| number.and_then(|number| i32::try_from(number).ok());
        match (self, kind) {
            (Column::Long(column), _) => column.append_value(hit.number as i64),
            (Column::Int(column), Kind::Ply) => column.append_option(number(hit.ply)),
            (Column::Int(column), Kind::Distance) => column.append_option(number(hit.distance)),
            (Column::Int(column), Kind::WhiteElo) => {
                column.append_option(hit.tags.white_elo().map(i32::from));
            }
            (Column::Int(column), _) => {
                column.append_option(hit.tags.black_elo().map(i32::from));
            }
            (Column::Text(column), Kind::Known(known)) => column.append_option(known(&hit.tags)),
            (Column::Text(column), Kind::Tag(tag)) => column.append_option(hit.tags.get(tag)),
            (Column::Text(column), _) => column.append_value(hit.result.tag()),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Column::Long(column) => Arc::new(column.finish()),
            Column::Int(column) => Arc::new(column.finish()),
            Column::Text(column) => Arc::new(column.finish()),
        }
    }
}

impl Rows {
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Rows {
        let (mut fields, mut columns) = (Vec::new(), Vec::new());
        for name in names {
            let kind = Kind::of(name);
            let column = kind.column();
            let may_lack = !matches!(kind, Kind::Number | Kind::Result);
            fields.push(Field::new(name, column.data_type(), may_lack));
            columns.push((kind, column));
        }
        Rows {
            schema: Arc::new(Schema::new(fields)),
            columns,
            len: 0,
        }
    }

    pub fn push(&mut self, hit: &Hit) {
        for (kind, column) in &mut self.columns {
            column.push(kind, hit);
        }
        self.len += 1;
    }

    /// The rows so far; the next ones begin anew.
    pub fn take(&mut self) -> Result<RecordBatch, Error> {
        self.len = 0;
        let columns = self.columns.iter_mut().map(|(_, column)| column.finish());
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns.collect());
        batch.map_err(|error| Error::new(ErrorKind::Internal, error))
    }
}

/// Columns that a table can have: the usual ones, and tags, whose names begin with a capital letter.
fn check_columns(names: &[String]) -> PyResult<()> {
    if names.is_empty() {
        return Err(usage("columns: name at least one"));
    }
    let is_known =
        |name: &&String| USUAL.contains(&name.as_str()) || name.starts_with(char::is_uppercase);
    match names.iter().find(|name| !is_known(name)) {
        Some(name) => Err(bad_value(
            "columns",
            format_args!(
                "no column {name:?}: expected one of {}, or a tag such as Annotator",
                USUAL.join(", ")
            ),
        )),
        None => Ok(()),
    }
}

/// All games of a database as rows.
pub fn table(
    py: Python<'_>,
    database: &Database,
    filter: Filter,
    columns: Option<Vec<String>>,
) -> PyResult<Stream> {
    let mut rows = match &columns {
        Some(names) => {
            check_columns(names)?;
            Rows::new(names.iter().map(String::as_str))
        }
        None => Rows::new(USUAL),
    };
    let schema = Arc::clone(&rows.schema);
    let signal = Arc::new(Signal::default());
    let leased = work::run_unwatched(py, || database.lease(&signal))?;
    let question = Question {
        filter,
        ..Question::default()
    };
    let batches = Background::start(signal, move |hand_out| {
        let asked = question.ask(&leased, |hit| {
            rows.push(&hit);
            match rows.len >= BATCH && hand_out(rows.take()?).is_break() {
                true => Err(Error::new(ErrorKind::Cancelled, "nobody reads on")),
                false => Ok(()),
            }
        });
        // What comes before the damage, if there is some.
        if rows.len > 0 && hand_out(rows.take()?).is_break() {
            return Ok(());
        }
        asked.map(drop)
    });
    let batches = batches.map_err(|error| raised(&error))?;
    Ok(Stream::new(schema, batches))
}
