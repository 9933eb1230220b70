//! The files of a segment to events.

use std::sync::OnceLock;

use arrow_array::{ArrayRef, BinaryArray, BooleanArray, RecordBatch, cast::AsArray};
use arrow_buffer::Buffer;
use tabiya_chess::Variant;
use tabiya_formats::jose::{Profile, Reader};
use tabiya_game::{Event, Flow, GameResult, GameSink, GameState, Listener, Place, Tags};

use super::{
    build::Contents,
    cell::{NumberColumn, TextColumn, bytes},
    table::{TAG, Table, TableError},
};
use crate::{
    notes::{NoteCells, Notes},
    row::{Kind, Row},
    tag::{self, COLUMNS, Type},
    tell::{self, Damaged, Movetext},
};

/// Why a row cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RowError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("column {0} is not as it should be")]
    Column(String),
    #[error(transparent)]
    Row(#[from] Damaged),
}

/// A segment that is read.
pub(crate) struct Segment {
    games: Table,
    moves: Table,
    /// The first row of each batch, and the number of all rows.
    starts: Vec<usize>,
    batches: Vec<OnceLock<Batch>>,
}

impl Segment {
    /// Opens the two files.
    pub fn open(games: Buffer, moves: Buffer, contents: &Contents) -> Result<Segment, TableError> {
        let rows = &contents.batches;
        let mut starts = vec![0];
        starts.extend(rows.iter().scan(0, |sum, rows| {
            *sum += *rows as usize;
            Some(*sum)
        }));
        let games = Table::open(games, &contents.games)?;
        let moves = Table::open(moves, &contents.moves)?;
        for table in [&games, &moves] {
            if table.batch_count() != rows.len() {
                let (found, expected) = (table.batch_count(), rows.len());
                return Err(TableError::Batches { found, expected });
            }
        }
        let batches = rows.iter().map(|_| OnceLock::new()).collect();
        Ok(Segment {
            games,
            moves,
            starts,
            batches,
        })
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        *self.starts.last().expect("one more than there are batches")
    }

    /// Tells an entry.
    pub fn tell(
        &self,
        row: usize,
        place: Place,
        sink: &mut dyn GameSink,
    ) -> Result<Flow, RowError> {
        let (batch, row) = self.find(row)?;
        batch.tell(row, place, sink)
    }

    /// An entry taken apart.
    pub fn row(&self, row: usize, into: &mut Row) -> Result<(), RowError> {
        let (batch, row) = self.find(row)?;
        batch.row(row, into)
    }

    fn find(&self, row: usize) -> Result<(&Batch, usize), RowError> {
        let index = self.starts.partition_point(|start| *start <= row) - 1;
        let cell = &self.batches[index];
        let batch = match cell.get() {
            Some(batch) => batch,
            None => {
                let batch = Batch::new(self.games.batch(index)?, self.moves.batch(index)?)?;
                cell.get_or_init(|| batch)
            }
        };
        Ok((batch, row - self.starts[index]))
    }
}

/// A column that is filled from a tag.
enum TagValues {
    Text(TextColumn),
    Number(Type, NumberColumn),
}

/// The columns of a batch.
struct Batch {
    kinds: Option<NumberColumn>,
    results: TextColumn,
    plies: NumberColumn,
    broken: Option<BooleanArray>,
    starts: Option<TextColumn>,
    variants: Option<TextColumn>,
    orders: Option<TextColumn>,
    others: Option<TextColumn>,
    tags: Vec<(String, TagValues)>,
    moves: BinaryArray,
    shapes: Option<BinaryArray>,
    clocks: Option<BinaryArray>,
    spent: Option<BinaryArray>,
    scores: Option<BinaryArray>,
}

fn column(name: &str) -> RowError {
    RowError::Column(name.to_owned())
}

/// A column that may be missing, but is of the right type if it is there.
fn optional<T>(
    batch: &RecordBatch,
    name: &str,
    of: impl Fn(&ArrayRef) -> Option<T>,
) -> Result<Option<T>, RowError> {
    let array = batch.column_by_name(name);
    array
        .map(|array| of(array).ok_or_else(|| column(name)))
        .transpose()
}

fn required<T>(
    batch: &RecordBatch,
    name: &str,
    of: impl Fn(&ArrayRef) -> Option<T>,
) -> Result<T, RowError> {
    optional(batch, name, of)?.ok_or_else(|| column(name))
}

impl Batch {
    fn new(games: &RecordBatch, moves: &RecordBatch) -> Result<Batch, RowError> {
        let binary = |array: &ArrayRef| array.as_binary_opt::<i32>().cloned();
        let boolean = |array: &ArrayRef| array.as_boolean_opt().cloned();
        let mut tags = Vec::new();
        for (field, array) in games.schema_ref().fields().iter().zip(games.columns()) {
            let Some(tag) = field.metadata().get(TAG) else {
                continue;
            };
            let known = COLUMNS.iter().find(|column| column.tag == tag);
            let values = match known.map_or(Type::Text, |column| column.kind) {
                Type::Text => TextColumn::of(array).map(TagValues::Text),
                kind => NumberColumn::of(array).map(|numbers| TagValues::Number(kind, numbers)),
            };
            tags.push((tag.clone(), values.ok_or_else(|| column(field.name()))?));
        }
        Ok(Batch {
            kinds: optional(games, "kind", NumberColumn::of)?,
            results: required(games, "result", TextColumn::of)?,
            plies: required(games, "ply_count", NumberColumn::of)?,
            broken: optional(games, "broken", boolean)?,
            starts: optional(games, "start", TextColumn::of)?,
            variants: optional(games, "variant", TextColumn::of)?,
            orders: optional(games, "tag_order", TextColumn::of)?,
            others: optional(games, "other_tags", TextColumn::of)?,
            tags,
            moves: required(moves, "moves", binary)?,
            shapes: optional(moves, "shapes", binary)?,
            clocks: optional(moves, "clocks", binary)?,
            spent: optional(moves, "time_spent", binary)?,
            scores: optional(moves, "evaluations", binary)?,
        })
    }

    fn kind(&self, row: usize) -> Kind {
        let index = self
            .kinds
            .as_ref()
            .and_then(|kinds| kinds.get(row))
            .unwrap_or(0);
        Kind::ALL.get(index as usize).copied().unwrap_or_default()
    }

    fn result(&self, row: usize) -> GameResult {
        let index = self.results.key(row).unwrap_or(0);
        GameResult::ALL.get(index).copied().unwrap_or_default()
    }

    fn variant(&self, row: usize) -> Variant {
        let name = text(&self.variants, row);
        name.and_then(|name| name.parse().ok()).unwrap_or_default()
    }

    fn notes(&self, row: usize) -> NoteCells<'_> {
        NoteCells {
            shapes: bytes(self.shapes.as_ref(), row),
            clocks: bytes(self.clocks.as_ref(), row),
            spent: bytes(self.spent.as_ref(), row),
            scores: bytes(self.scores.as_ref(), row),
        }
    }

    fn tell(&self, row: usize, place: Place, sink: &mut dyn GameSink) -> Result<Flow, RowError> {
        let mut sink: Listener<'_> = Listener::new(sink);
        let body = self.moves.value(row);
        match self.kind(row) {
            Kind::Text => tell::text(body, place, &mut sink)?,
            Kind::Opaque => tell::opaque(body, place, &mut sink)?,
            Kind::Game => self.tell_game(row, place, &mut sink)?,
        }
        Ok(sink.finish())
    }

    fn tell_game(&self, row: usize, place: Place, sink: &mut Listener<'_>) -> Result<(), RowError> {
        let mut flow = sink.event(Event::GameStart(place));
        if sink.needs().tags && flow == Flow::Continue {
            self.for_each_tag(row, |name, value| {
                if flow == Flow::Continue {
                    flow = sink.event(Event::Tag { name, value });
                }
            })?;
        }
        let state = match &self.broken {
            Some(broken) if broken.value(row) => GameState::Broken,
            _ => GameState::Complete,
        };
        if flow != Flow::Continue || !sink.needs().moves {
            sink.event(Event::GameEnd {
                result: self.result(row),
                state,
            });
            return Ok(());
        }
        let movetext = Movetext {
            start: text(&self.starts, row),
            variant: self.variant(row),
            bytes: self.moves.value(row),
            notes: self.notes(row),
        };
        movetext.tell(&mut Reader::new(Profile::Store), sink)?;
        Ok(())
    }

    /// Names and values of the tags, in their order.
    fn for_each_tag(&self, row: usize, mut tell: impl FnMut(&str, &str)) -> Result<(), RowError> {
        let Some(order) = text(&self.orders, row) else {
            return Ok(());
        };
        let order: Vec<OrderedTag> =
            serde_json::from_str(order).map_err(|_| column("tag_order"))?;
        let others: Vec<String> = match text(&self.others, row) {
            Some(others) => serde_json::from_str(others).map_err(|_| column("other_tags"))?,
            None => Vec::new(),
        };
        let mut others = others.iter();
        let mut spelled = String::new();
        for tag in &order {
            match tag {
                OrderedTag::InColumn(name) if name == "Result" => {
                    tell(name, self.result(row).tag())
                }
                OrderedTag::InColumn(name) => {
                    let value = self
                        .tag(name, row, &mut spelled)
                        .ok_or_else(|| column(name))?;
                    tell(name, value);
                }
                OrderedTag::Beside([name]) => {
                    tell(name, others.next().ok_or_else(|| column("other_tags"))?);
                }
            }
        }
        Ok(())
    }

    /// The value of a tag that has a column.
    fn tag<'a>(&'a self, name: &str, row: usize, spelled: &'a mut String) -> Option<&'a str> {
        let (_, values) = self.tags.iter().find(|(tag, _)| tag == name)?;
        match values {
            TagValues::Text(texts) => texts.get(row),
            TagValues::Number(kind, numbers) => {
                spelled.clear();
                tag::spell(*kind, numbers.get(row)?, spelled);
                Some(spelled)
            }
        }
    }

    fn row(&self, row: usize, into: &mut Row) -> Result<(), RowError> {
        into.clear();
        let mut tags = Tags::new();
        self.for_each_tag(row, |name, value| tags.push(name, value))?;
        let cells = self.notes(row);
        *into = Row {
            kind: self.kind(row),
            tags,
            start: text(&self.starts, row).map(str::to_owned),
            variant: self.variant(row),
            result: self.result(row),
            state: match &self.broken {
                Some(broken) if broken.value(row) => GameState::Broken,
                _ => GameState::Complete,
            },
            plies: self.plies.get(row).unwrap_or(0) as u32,
            body: self.moves.value(row).to_vec(),
            notes: Notes {
                shapes: cells.shapes.to_vec(),
                clocks: cells.clocks.to_vec(),
                spent: cells.spent.to_vec(),
                scores: cells.scores.to_vec(),
            },
        };
        Ok(())
    }
}

fn text(column: &Option<TextColumn>, row: usize) -> Option<&str> {
    column.as_ref()?.get(row)
}

/// A tag in the order of a game's tags.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum OrderedTag {
    InColumn(String),
    Beside([String; 1]),
}
