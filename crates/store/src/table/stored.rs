//! The tables of a store, as it is now.

use std::{
    fmt,
    ops::Range,
    sync::{Arc, LazyLock},
};

use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, Int64Array, PrimitiveArray, RecordBatch, StringArray,
};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use tabiya_game::{Error, ErrorKind};

use super::{
    Plies, ROWS,
    builder::{PositionsBuilder, batch},
    column::{WholeMoves, column, texts},
    main_line::MainLine,
    plies::{self, Step},
    schema,
};
use crate::{
    GameSet, Store,
    movetext::Player,
    segment::{
        SegmentError,
        cell::{NumberColumn, TextColumn},
        header::Header,
    },
    snapshot::{Part, Snapshot},
    tag,
};

static PLAYER: LazyLock<Player> = LazyLock::new(Player::new);

/// The tables `games` and `positions` of a store: deleted entries are not in them, and edited ones are
/// as they are now. They stay so while others write. See the [module](super).
#[derive(Clone)]
pub struct StoreTable {
    store: Store,
    games: SchemaRef,
    /// The tags that have columns under their own names.
    tags: Vec<Box<str>>,
}

/// Some rows of a store in a row: what is read at a time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Block {
    part: usize,
    batch: usize,
    /// The first row of the batch that is in it.
    first: u32,
    len: u32,
}

impl Block {
    /// Which part of the store it belongs to: blocks of one part share their [`Texts`].
    #[must_use]
    pub fn part(&self) -> usize {
        self.part
    }

    /// How many rows it has, hidden ones too.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.len.into()
    }
}

/// The numbers of a column in a [`Block`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The least and the greatest; none if no row has one.
    pub ends: Option<(i64, i64)>,
    /// How many rows have none.
    pub nulls: u64,
    /// How many rows there are, hidden ones too.
    pub rows: u64,
}

impl Span {
    /// That of some rows of a column.
    fn of<T: ArrowPrimitiveType<Native: Into<i64> + Ord>>(
        numbers: &PrimitiveArray<T>,
        rows: Range<usize>,
    ) -> Span {
        let numbers = numbers.slice(rows.start, rows.len());
        // No row is looked at by itself: this is done for every question to headers.
        let known = |range: Range<usize>| {
            let values = numbers.values()[range].iter().copied();
            Some((values.clone().min()?.into(), values.max()?.into()))
        };
        let ends = match numbers.nulls() {
            None => known(0..rows.len()),
            Some(nulls) => nulls
                .valid_slices()
                .filter_map(|(start, end)| known(start..end))
                .reduce(|(least, most): (i64, i64), (low, high)| (least.min(low), most.max(high))),
        };
        Span {
            ends,
            nulls: numbers.null_count() as u64,
            rows: rows.len() as u64,
        }
    }
}

/// A column of texts that are kept once for all rows that have them.
#[derive(Clone)]
pub struct Texts {
    keys: NumberColumn,
    distinct: StringArray,
}

impl Texts {
    /// The texts, each once.
    #[must_use]
    pub fn distinct(&self) -> &StringArray {
        &self.distinct
    }

    /// Which of them a row has; those of one block are asked.
    #[must_use]
    pub fn key(&self, row: u32) -> Option<usize> {
        let key = usize::try_from(self.keys.get(row as usize)?).ok()?;
        (key < self.distinct.len()).then_some(key)
    }
}

impl fmt::Debug for Texts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Texts({} distinct)", self.distinct.len())
    }
}

impl fmt::Debug for StoreTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoreTable({})", self.store.path().display())
    }
}

impl StoreTable {
    /// The tables of a store.
    #[must_use]
    pub fn new(store: &Store) -> StoreTable {
        let parts = store.snapshot().parts();
        let tags = parts.flat_map(|part| part.segment().own_tags());
        let games = schema::games(tags);
        StoreTable {
            tags: schema::own_tags(&games),
            games,
            store: store.clone(),
        }
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The columns of `games`: those that all stores have, and those of tags that many games have.
    #[must_use]
    pub fn games(&self) -> &SchemaRef {
        &self.games
    }

    /// How many rows `games` has.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.store.count() - self.store.deleted()
    }

    /// All rows in blocks, in the order of their numbers, but for those of edited entries, which are
    /// the last.
    #[must_use]
    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for (part, of) in self.snapshot().parts().enumerate() {
            for (batch, rows) in of.segment().batches().enumerate() {
                let starts = (0..rows.len()).step_by(ROWS);
                blocks.extend(starts.map(|first| Block {
                    part,
                    batch,
                    first: first as u32,
                    len: ROWS.min(rows.len() - first) as u32,
                }));
            }
        }
        blocks
    }

    /// The rows of a block that count, by their numbers in its batch: of entries that are neither
    /// deleted nor replaced, and in a set if there is one.
    #[must_use]
    pub fn rows(&self, block: &Block, among: Option<&GameSet>) -> Vec<u32> {
        let place = self.place(block);
        let (start, end) = (place.row(block.first), place.row(block.first + block.len));
        let mut rows: Vec<u32> = match (among, place.part.numbers()) {
            (None, _) => (block.first..block.first + block.len).collect(),
            (Some(among), Some(numbers)) => {
                let first = numbers.start;
                let mut rows = Vec::new();
                let wanted = first + u64::from(start)..first + u64::from(end);
                among.for_each_in(wanted, |number| {
                    rows.push((number - first) as u32 - place.start);
                });
                rows
            }
            (Some(among), None) => {
                let is_wanted = |row: &u32| among.contains(place.part.number(place.row(*row)));
                (block.first..block.first + block.len)
                    .filter(is_wanted)
                    .collect()
            }
        };
        let hidden = place.part.hidden();
        let from = hidden.partition_point(|row| *row < start);
        let hidden = &hidden[from..from + hidden[from..].partition_point(|row| *row < end)];
        if !hidden.is_empty() {
            rows.retain(|row| hidden.binary_search(&place.row(*row)).is_err());
        }
        rows
    }

    /// The numbers of the games of some [rows](StoreTable::rows) of a block.
    pub fn numbers<'r>(
        &'r self,
        block: &Block,
        rows: &'r [u32],
    ) -> impl Iterator<Item = u64> + use<'r> {
        let place = self.place(block);
        rows.iter().map(move |row| place.number(*row))
    }

    /// Rows of `games`: some [rows](StoreTable::rows) of a block, and columns of
    /// [`StoreTable::games`]. Columns that are not asked for are not looked at.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn read_games(
        &self,
        block: &Block,
        rows: &[u32],
        columns: &[usize],
    ) -> Result<RecordBatch, Error> {
        let place = self.place(block);
        let schema = self.games.project(columns).map_err(broken)?;
        let arrays = schema.fields().iter().map(|field| {
            match field.name().as_str() {
                schema::ID => Ok(place.ids(rows)),
                schema::MAIN_LINE => self.main_lines(&place, rows),
                schema::MOVES => place.whole_moves(rows),
                name @ (schema::TAG_ORDER | schema::OTHER_TAGS) if self.leaves_out(&place) => {
                    self.beside(&place, name, rows)
                }
                name => place.column(name, field.data_type(), rows),
            }
            .map_err(|error| place.error(self.snapshot(), error))
        });
        let arrays: Vec<ArrayRef> = arrays.collect::<Result<_, _>>()?;
        batch(Arc::new(schema), arrays, rows.len()).map_err(broken)
    }

    /// Rows of `positions`, of some rows of a block.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn read_positions(
        &self,
        block: &Block,
        rows: &[u32],
        wanted: &Plies,
    ) -> Result<RecordBatch, Error> {
        let place = self.place(block);
        let mut builder = PositionsBuilder::new(&wanted.columns).map_err(broken)?;
        let mut steps: Vec<Step> = Vec::new();
        for row in rows.iter().map(|row| place.row(*row)) {
            let number = place.part.number(row).cast_signed();
            let stored = place.part.segment().stored(row as usize);
            let stored = stored.map_err(|error| place.error(self.snapshot(), error.into()))?;
            let Some(game) = stored else { continue };
            if plies::replay(&PLAYER, game, wanted, &mut steps).is_some() {
                steps
                    .iter()
                    .for_each(|step| builder.push_step(number, step));
                continue;
            }
            let mut line = MainLine::default();
            self.snapshot().tell_part(&place.part, row, &mut line)?;
            let plies = line.plies.iter();
            let plies = plies.filter(|ply| wanted.has(ply.key, ply.number));
            plies.for_each(|ply| builder.push_ply(number, ply));
        }
        builder.take().map_err(broken)
    }

    /// The numbers of a column of `games` in a block, if it is one of numbers that is in the store.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn span(&self, block: &Block, column: &str) -> Result<Option<Span>, Error> {
        let place = self.place(block);
        let rows = block.first..block.first + block.len;
        if column == schema::ID {
            let number = |row: u32| place.part.number(place.row(row)).cast_signed();
            let ends = (!rows.is_empty()).then(|| (number(rows.start), number(rows.end - 1)));
            return Ok(Some(Span {
                ends,
                nulls: 0,
                rows: block.len.into(),
            }));
        }
        let kind = self.games.field_with_name(column).map(|it| it.data_type());
        if !matches!(kind, Ok(DataType::Int16 | DataType::Int32)) {
            return Ok(None);
        }
        let games = place.games();
        let games = games.map_err(|error| place.error(self.snapshot(), error))?;
        let numbers = games.column_by_name(column).and_then(NumberColumn::of);
        let rows = rows.start as usize..rows.end as usize;
        let nothing = Span {
            ends: None,
            nulls: block.len.into(),
            rows: block.len.into(),
        };
        Ok(Some(match numbers {
            Some(NumberColumn::Byte(numbers)) => Span::of(&numbers, rows),
            Some(NumberColumn::Short(numbers)) => Span::of(&numbers, rows),
            Some(NumberColumn::Int(numbers)) => Span::of(&numbers, rows),
            None => nothing,
        }))
    }

    /// The texts of a column of `games` in a block, if they are kept once for all rows.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn texts(&self, block: &Block, column: &str) -> Result<Option<Texts>, Error> {
        let place = self.place(block);
        if matches!(column, schema::TAG_ORDER | schema::OTHER_TAGS) && self.leaves_out(&place) {
            // What is kept is not what `read_games` makes of it.
            return Ok(None);
        }
        let games = place.games();
        let games = games.map_err(|error| place.error(self.snapshot(), error))?;
        let texts = games.column_by_name(column).and_then(TextColumn::of);
        Ok(match texts {
            Some(TextColumn::Keyed(keys, distinct)) => Some(Texts { keys, distinct }),
            _ => None,
        })
    }

    fn snapshot(&self) -> &Snapshot {
        self.store.snapshot()
    }

    fn place(&self, block: &Block) -> Place<'_> {
        let part = self.snapshot().parts().nth(block.part);
        let part = part.expect("blocks are those of the store");
        let start = part.segment().batch_rows(block.batch).start as u32;
        Place {
            part,
            batch: block.batch,
            start,
        }
    }

    /// Whether a segment has tags in columns that `games` has not: their names are taken.
    fn leaves_out(&self, place: &Place<'_>) -> bool {
        let own = place.part.segment().own_tags();
        own.iter().any(|tag| !self.tags.contains(tag))
    }

    /// The order of tags or the tags without columns, where there are fewer columns than in the store.
    fn beside(&self, place: &Place<'_>, name: &str, rows: &[u32]) -> Result<ArrayRef, Trouble> {
        let header: &Header = place.part.segment().header(place.batch)?;
        let has_column = |tag: &str| {
            tag::COLUMNS.iter().any(|column| column.tag == tag)
                || self.tags.iter().any(|own| **own == *tag)
        };
        Ok(texts(rows, |row| {
            let [order, others] = header.beside_some(row, has_column)?;
            let text = if name == schema::TAG_ORDER {
                order
            } else {
                others
            };
            (!text.is_empty()).then_some(text)
        }))
    }

    fn main_lines(&self, place: &Place<'_>, rows: &[u32]) -> Result<ArrayRef, Trouble> {
        let mut lines: Vec<Option<String>> = Vec::with_capacity(rows.len());
        for row in rows.iter().map(|row| place.row(*row)) {
            let Some(game) = place.part.segment().stored(row as usize)? else {
                lines.push(None);
                continue;
            };
            let mut line = String::new();
            if plies::main_line(&PLAYER, game, &mut line).is_none() {
                let mut told = MainLine::default();
                self.snapshot().tell_part(&place.part, row, &mut told)?;
                line = told.line;
            }
            lines.push(Some(line).filter(|line| !line.is_empty()));
        }
        let all: Vec<u32> = (0..rows.len() as u32).collect();
        Ok(texts(&all, |row| lines[row].as_deref()))
    }
}

/// What is wrong with a place.
enum Trouble {
    Segment(SegmentError),
    Told(Error),
}

impl From<SegmentError> for Trouble {
    fn from(error: SegmentError) -> Trouble {
        Trouble::Segment(error)
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        Trouble::Told(error)
    }
}

/// Where a block is.
struct Place<'a> {
    part: Part<'a>,
    batch: usize,
    /// The first row of the batch.
    start: u32,
}

impl<'a> Place<'a> {
    /// The row of the part that a row of the batch is.
    fn row(&self, row: u32) -> u32 {
        self.start + row
    }

    /// The number of the game of a row of the batch.
    fn number(&self, row: u32) -> u64 {
        self.part.number(self.row(row))
    }

    fn games(&self) -> Result<&'a RecordBatch, Trouble> {
        Ok(self.part.segment().games_arrays(self.batch)?)
    }

    fn moves(&self) -> Result<&'a RecordBatch, Trouble> {
        Ok(self.part.segment().moves_arrays(self.batch)?)
    }

    fn ids(&self, rows: &[u32]) -> ArrayRef {
        let id = |row: &u32| self.number(*row).cast_signed();
        Arc::new(Int64Array::from_iter_values(rows.iter().map(id)))
    }

    fn whole_moves(&self, rows: &[u32]) -> Result<ArrayRef, Trouble> {
        let (games, moves) = (self.games()?, self.moves()?);
        let whole = WholeMoves {
            moves: moves.column_by_name(schema::MOVES),
            kinds: games.column_by_name("kind"),
            starts: games.column_by_name("start"),
            variants: games.column_by_name("variant"),
        };
        Ok(whole.column(rows))
    }

    /// A column that the store has under its name.
    fn column(&self, name: &str, kind: &DataType, rows: &[u32]) -> Result<ArrayRef, Trouble> {
        let is_of_moves = tag::is_of_moves(name);
        let arrays = if is_of_moves {
            self.moves()?
        } else {
            self.games()?
        };
        match arrays.column_by_name(name) {
            None if !is_of_moves && !tag::is_taken(name) => self.beside(name, rows),
            array => Ok(column(array, kind, rows)),
        }
    }

    /// A tag that has no column in this segment.
    fn beside(&self, tag: &str, rows: &[u32]) -> Result<ArrayRef, Trouble> {
        let header: &Header = self.part.segment().header(self.batch)?;
        Ok(texts(rows, |row| header.beside(row, tag)))
    }

    fn error(&self, snapshot: &Snapshot, error: Trouble) -> Error {
        match error {
            Trouble::Segment(error) => snapshot.damaged_part(&self.part, &error),
            Trouble::Told(error) => error,
        }
    }
}

/// What should not happen: columns that do not fit together.
fn broken(error: ArrowError) -> Error {
    Error::new(ErrorKind::Damaged, error)
}
