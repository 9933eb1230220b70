//! Rows of whatever a database of any format tells.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, cast::AsArray, types::Int64Type};
use arrow_schema::{ArrowError, SchemaRef};
use tabiya_formats::writing::Wishes;
use tabiya_game::{Event, Flow, GameSink, Needs};

use super::{
    Plies, ROWS,
    builder::{GamesBuilder, PositionsBuilder},
    main_line::MainLine,
    schema,
};
use crate::{
    row::Row,
    segment::build::{SAMPLE, common_tags},
    tag,
    writer::RowWriter,
};

/// Hears the first games of a database, and says which columns its table has.
///
/// ```
/// use tabiya_game::GameTree;
/// use tabiya_store::table::TagCensus;
///
/// let mut game = GameTree::default();
/// game.tags.push("Board", "7");
/// let mut census = TagCensus::default();
/// game.tell(&mut census);
/// assert!(census.finish().column_with_name("Board").is_some());
/// ```
pub struct TagCensus {
    writer: RowWriter,
    rows: Vec<Row>,
}

impl Default for TagCensus {
    fn default() -> TagCensus {
        TagCensus {
            writer: RowWriter::new(Wishes::default()),
            rows: Vec::new(),
        }
    }
}

impl TagCensus {
    /// The columns of `games`.
    #[must_use]
    pub fn finish(self) -> SchemaRef {
        schema::games(common_tags(self.rows.iter()))
    }
}

impl GameSink for TagCensus {
    fn needs(&mut self) -> Needs {
        Needs::TAGS
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        let flow = self.writer.event(event);
        self.rows.append(&mut self.writer.take_rows());
        match self.rows.len() < SAMPLE {
            true => flow,
            false => Flow::Stop,
        }
    }
}

/// What became of some entries: batches whose entries have no numbers yet.
///
/// Threads that read parts of a database do not know how many entries came before.
pub struct Told {
    batches: Vec<RecordBatch>,
    /// The numbers of the entries in their database; 0 of those that have none.
    numbers: Vec<u64>,
    /// Which column has the place of an entry among these, from 0, where its number belongs.
    column: Option<usize>,
}

impl Told {
    /// The batches, with the numbers of their entries; the last one before them is given, and becomes
    /// the last one of them.
    ///
    /// # Errors
    /// None that should happen.
    pub fn numbered(self, last: &mut u64) -> Result<Vec<RecordBatch>, ArrowError> {
        let ids = self.numbers.iter().map(|number| {
            *last = (*number).max(*last + 1);
            last.cast_signed()
        });
        let ids: Vec<i64> = ids.collect();
        let Some(column) = self.column else {
            return Ok(self.batches);
        };
        let number = |batch: RecordBatch| {
            let mut columns: Vec<ArrayRef> = batch.columns().to_vec();
            let places = columns[column].as_primitive::<Int64Type>();
            let id = |place: &i64| ids[*place as usize];
            columns[column] =
                Arc::new(Int64Array::from_iter_values(places.values().iter().map(id)));
            RecordBatch::try_new(batch.schema(), columns)
        };
        self.batches.into_iter().map(number).collect()
    }
}

/// Counts entries as [`RowWriter`] does: the items of one that is no game belong together.
#[derive(Default)]
struct Entries {
    numbers: Vec<u64>,
    /// The number of the entry before, if it was no game.
    other: Option<u64>,
}

impl Entries {
    fn hear(&mut self, event: &Event<'_>) {
        match event {
            Event::GameStart(place) => {
                self.numbers.push(place.number);
                self.other = None;
            }
            Event::Text { place, .. } | Event::Opaque { place, .. } => {
                if place.number == 0 || self.other != Some(place.number) {
                    self.numbers.push(place.number);
                }
                self.other = Some(place.number);
            }
            _ => {}
        }
    }
}

/// Hears entries of a database, and makes rows of `games` of them.
///
/// ```
/// use tabiya_game::GameTree;
/// use tabiya_store::table::{GameRows, games};
///
/// let games = games([]);
/// let mut rows = GameRows::new(&games, &[games.index_of("white")?]);
/// let mut game = GameTree::default();
/// game.tags.push("White", "Morphy, Paul");
/// game.tell(&mut rows);
/// let batches = rows.finish()?.numbered(&mut 0)?;
/// assert_eq!(batches[0].num_rows(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GameRows {
    writer: RowWriter,
    needs: Needs,
    entries: Entries,
    /// The main line of the game that is told, if somebody wants it.
    line: Option<MainLine>,
    builder: GamesBuilder,
    batches: Vec<RecordBatch>,
    column: Option<usize>,
    failed: Option<ArrowError>,
}

/// Columns that need nothing but tags.
fn is_header(name: &str) -> bool {
    const OTHERS: [&str; 5] = ["ply_count", "broken", "start", "variant", schema::MAIN_LINE];
    !OTHERS.contains(&name) && !tag::is_of_moves(name)
}

impl GameRows {
    /// For some columns of a table of [`games`](super::games()).
    ///
    /// # Panics
    /// If the table has no such columns.
    #[must_use]
    pub fn new(games: &SchemaRef, columns: &[usize]) -> GameRows {
        let schema = Arc::new(games.project(columns).expect("columns of the table"));
        let has = |name: &str| schema.column_with_name(name).is_some();
        let is_header = schema.fields().iter().all(|field| is_header(field.name()));
        let mut writer = RowWriter::new(Wishes::default());
        GameRows {
            needs: match is_header {
                true => Needs::TAGS,
                false => writer.needs().keys(has(schema::MAIN_LINE)),
            },
            writer,
            entries: Entries::default(),
            line: has(schema::MAIN_LINE).then(MainLine::default),
            column: schema.index_of(schema::ID).ok(),
            builder: GamesBuilder::new(games, schema),
            batches: Vec::new(),
            failed: None,
        }
    }

    /// What became of the entries.
    ///
    /// # Errors
    /// None that should happen.
    pub fn finish(mut self) -> Result<Told, ArrowError> {
        self.take_rows();
        if self.builder.len() > 0 {
            self.flush();
        }
        match self.failed {
            Some(error) => Err(error),
            None => Ok(Told {
                batches: self.batches,
                numbers: self.entries.numbers,
                column: self.column,
            }),
        }
    }

    fn flush(&mut self) {
        match self.builder.take() {
            Ok(batch) => self.batches.push(batch),
            Err(error) => self.failed = Some(error),
        }
    }

    /// Takes the entries that are complete: a game that has ended, and what came before it.
    fn take_rows(&mut self) {
        let rows = self.writer.take_rows();
        let first = self.entries.numbers.len() - rows.len();
        let line = self.line.as_mut().map(std::mem::take);
        let line = line.map(|line| line.line).unwrap_or_default();
        let last = rows.len().saturating_sub(1);
        for (index, row) in rows.iter().enumerate() {
            let line = if index == last { line.as_str() } else { "" };
            self.builder.add((first + index) as i64, row, line);
            if self.builder.len() >= ROWS {
                self.flush();
            }
        }
    }
}

impl GameSink for GameRows {
    fn needs(&mut self) -> Needs {
        self.needs
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        self.entries.hear(&event);
        if let Some(line) = &mut self.line {
            match event {
                Event::GameStart(_) => *line = MainLine::default(),
                _ => line.hear(&event),
            }
        }
        let flow = self.writer.event(event);
        if let Event::GameEnd { .. } = event {
            self.take_rows();
        }
        flow
    }
}

/// Hears entries of a database, and makes rows of `positions` of them.
///
/// ```
/// use tabiya_game::GameTree;
/// use tabiya_store::table::{Plies, PositionRows};
///
/// let mut rows = PositionRows::new(&Plies::default());
/// GameTree::default().tell(&mut rows);
/// assert!(rows.finish()?.numbered(&mut 0)?.is_empty(), "no move was played");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PositionRows {
    wanted: Plies,
    entries: Entries,
    line: MainLine,
    builder: PositionsBuilder,
    batches: Vec<RecordBatch>,
    column: Option<usize>,
    failed: Option<ArrowError>,
}

impl PositionRows {
    /// For positions that are wanted.
    ///
    /// # Panics
    /// If the table has no such columns.
    #[must_use]
    pub fn new(wanted: &Plies) -> PositionRows {
        let builder = PositionsBuilder::new(&wanted.columns).expect("columns of the table");
        let game = schema::positions().index_of("game").ok();
        let mut columns = wanted.columns.iter();
        PositionRows {
            column: columns.position(|column| Some(*column) == game),
            wanted: wanted.clone(),
            entries: Entries::default(),
            line: MainLine::default(),
            builder,
            batches: Vec::new(),
            failed: None,
        }
    }

    /// What became of the entries.
    ///
    /// # Errors
    /// None that should happen.
    pub fn finish(mut self) -> Result<Told, ArrowError> {
        if self.builder.len() > 0 {
            self.flush();
        }
        match self.failed {
            Some(error) => Err(error),
            None => Ok(Told {
                batches: self.batches,
                numbers: self.entries.numbers,
                column: self.column,
            }),
        }
    }

    fn flush(&mut self) {
        match self.builder.take() {
            Ok(batch) => self.batches.push(batch),
            Err(error) => self.failed = Some(error),
        }
    }

    fn end(&mut self) {
        let game = self.entries.numbers.len() as i64 - 1;
        let plies = self.line.plies.iter();
        for ply in plies.filter(|ply| self.wanted.has(ply.key, ply.number)) {
            self.builder.push_ply(game, ply);
        }
        if self.builder.len() >= ROWS {
            self.flush();
        }
    }
}

impl GameSink for PositionRows {
    fn needs(&mut self) -> Needs {
        self.line.needs()
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        self.entries.hear(&event);
        let flow = self.line.event(event);
        if let Event::GameEnd { .. } = event {
            self.end();
        }
        flow
    }
}
