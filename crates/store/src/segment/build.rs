//! Rows to the files of a segment.

use std::{
    io::{self, Write},
    ops::Range,
};

use indexmap::IndexMap;
use tabiya_chess::Variant;
use tabiya_game::{GameResult, GameState, Tags};

use super::{
    column::{self, Cells, Column, Flags, Longs, Numbers, Results, Texts},
    table::{self, Named, Region},
};
use crate::{
    notes::Notes,
    row::{Kind, Row},
    tag::{self, COLUMNS, Type},
};

/// How many rows a batch has: what is read, checked and kept at a time.
pub(crate) const BATCH_ROWS: usize = 65_536;
/// And how many bytes of moves, unless one game has more.
const BATCH_BYTES: usize = column::NARROW;
/// So many rows decide which tags have columns of their own.
pub(crate) const SAMPLE: usize = 4_096;
/// Of the sample, one in so many rows must have the tag.
const COMMON: usize = 32;

type Map<T> = IndexMap<Box<str>, T, foldhash::fast::RandomState>;

/// A column that is filled from a tag.
enum Slot {
    Text(Texts),
    Number(Type, Numbers),
}

impl Slot {
    fn of(kind: Type) -> Slot {
        match kind {
            Type::Text => Slot::Text(Texts::new()),
            Type::Small => Slot::Number(kind, Numbers::of_width(2)),
            Type::Date | Type::Number => Slot::Number(kind, Numbers::of_width(4)),
        }
    }

    /// Takes the value, if it is the row's first and comes back as it is.
    fn take(&mut self, row: usize, value: &str) -> bool {
        match self {
            Slot::Text(texts) if !texts.has(row) => texts.set(row, value),
            Slot::Number(kind, numbers) if !numbers.has(row) => match tag::parse(*kind, value) {
                Some(number) => numbers.set(row, number),
                None => return false,
            },
            _ => return false,
        }
        true
    }

    fn column(&self) -> &dyn Column {
        match self {
            Slot::Text(texts) => texts,
            Slot::Number(_, numbers) => numbers,
        }
    }
}

/// What is where in the files of a segment.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Contents {
    /// The rows of each batch.
    pub batches: Vec<u32>,
    /// The file with what people look for in games.
    pub games: Vec<Region>,
    /// The file with their moves.
    pub moves: Vec<Region>,
}

/// A segment that grows.
pub(crate) struct Builder {
    /// Rows until the columns are decided on.
    sample: Vec<Row>,
    /// How many bytes they have.
    sample_bytes: usize,
    decided: bool,
    rows: usize,
    slots: Map<Slot>,
    kinds: Texts,
    results: Results,
    plies: Numbers,
    broken: Flags,
    starts: Texts,
    variants: Texts,
    orders: Texts,
    /// The tags of the row before.
    last_order: Vec<OrderedTag>,
    others: Texts,
    bodies: Cells,
    shapes: Cells,
    clocks: Cells,
    spent: Cells,
    scores: Cells,
    signatures: Longs,
    judgements: Cells,
}

impl Default for Builder {
    fn default() -> Builder {
        Builder::new()
    }
}

impl Builder {
    pub fn new() -> Builder {
        Builder {
            sample: Vec::new(),
            sample_bytes: 0,
            decided: false,
            rows: 0,
            slots: COLUMNS
                .iter()
                .map(|column| (column.tag.into(), Slot::of(column.kind)))
                .collect(),
            kinds: Texts::new(),
            results: Results::default(),
            plies: Numbers::of_width(2),
            broken: Flags::default(),
            starts: Texts::new(),
            variants: Texts::new(),
            orders: Texts::new(),
            last_order: Vec::new(),
            others: Texts::new(),
            bodies: Cells::default(),
            shapes: Cells::default(),
            clocks: Cells::default(),
            spent: Cells::default(),
            scores: Cells::default(),
            signatures: Longs::default(),
            judgements: Cells::default(),
        }
    }

    /// One whose columns are decided on: those of all stores, and these tags.
    pub fn with_tags(tags: &[Box<str>]) -> Builder {
        let mut builder = Builder::new();
        let slots = tags.iter().map(|tag| (tag.clone(), Slot::of(Type::Text)));
        builder.slots.extend(slots);
        builder.decided = true;
        builder
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows + self.sample.len()
    }

    /// About how many bytes of memory they take.
    pub fn memory(&self) -> usize {
        let cells = [
            &self.bodies,
            &self.shapes,
            &self.clocks,
            &self.spent,
            &self.scores,
            &self.judgements,
        ];
        let texts = [&self.starts, &self.orders, &self.others];
        let slots = self.slots.values().map(|slot| match slot {
            Slot::Text(texts) => texts.memory(),
            Slot::Number(_, numbers) => numbers.memory(),
        });
        cells.map(Cells::memory).iter().sum::<usize>()
            + texts.map(Texts::memory).iter().sum::<usize>()
            + slots.sum::<usize>()
            + self.plies.memory()
            + self.signatures.memory()
            + self.sample_bytes
    }

    /// Adds a row behind the others.
    pub fn add(&mut self, row: &Row) {
        if self.decided {
            return self.put(row);
        }
        self.sample.push(row.clone());
        self.sample_bytes += size_of::<Row>() + row.body.len();
        if self.sample.len() == SAMPLE {
            self.decide();
        }
    }

    /// Tags that many games have get columns of their own.
    fn decide(&mut self) {
        self.decided = true;
        self.sample_bytes = 0;
        let sample = std::mem::take(&mut self.sample);
        let common = common_tags(sample.iter()).into_iter();
        self.slots
            .extend(common.map(|name| (name, Slot::of(Type::Text))));
        for row in &sample {
            self.put(row);
        }
    }

    fn put(&mut self, row: &Row) {
        let index = self.rows;
        self.rows += 1;
        if row.kind != Kind::Game {
            self.kinds.set(index, row.kind.name());
        }
        self.put_tags(index, &row.tags, row.result);
        self.results.push(row.result);
        self.plies
            .set(index, i32::try_from(row.plies).unwrap_or(i32::MAX));
        if row.state == GameState::Broken {
            self.broken.set(index);
        }
        if let Some(start) = &row.start {
            self.starts.set(index, start);
        }
        if row.variant != Variant::Standard {
            self.variants.set(index, row.variant.name());
        }
        self.bodies.push(&row.body);
        let Notes {
            shapes,
            clocks,
            spent,
            scores,
            judgements,
        } = &row.notes;
        self.shapes.push(shapes);
        self.clocks.push(clocks);
        self.spent.push(spent);
        self.scores.push(scores);
        self.signatures.push(row.signature.to_column());
        self.judgements.push(judgements);
    }

    /// Puts tags into their columns. Which came in which order is a text that many games share;
    /// so are the values that no column takes.
    fn put_tags(&mut self, row: usize, tags: &Tags, result: GameResult) {
        let mut others: Vec<&str> = Vec::new();
        let mut result_seen = false;
        // Most games have the tags of the one before, in the same order.
        let mut is_same = tags.len() == self.last_order.len();
        for (index, (name, value)) in tags.iter().enumerate() {
            let taken = match name {
                "Result" => !std::mem::replace(&mut result_seen, true) && value == result.tag(),
                _ => {
                    let slot = self.slots.get_mut(name);
                    slot.is_some_and(|slot| slot.take(row, value))
                }
            };
            if !taken {
                others.push(value);
            }
            is_same = is_same && self.last_order[index].is(name, taken);
            if !is_same {
                self.last_order.truncate(index);
                self.last_order.push(OrderedTag::new(name, taken));
            }
        }
        match is_same {
            _ if tags.is_empty() => self.last_order.clear(),
            true => self.orders.set_again(row),
            false => self.orders.set(row, &to_json(&self.last_order)),
        }
        if !others.is_empty() {
            self.others.set(row, &to_json(&others));
        }
    }

    /// The batches that the rows are written in.
    fn batches(&self) -> Vec<Range<usize>> {
        let mut batches = Vec::new();
        let mut start = 0;
        for row in 0..self.rows {
            let next = start..row + 1;
            let full = next.len() > BATCH_ROWS || self.bodies.len_of(next) > BATCH_BYTES;
            if full && row > start {
                batches.push(start..row);
                start = row;
            }
        }
        if start < self.rows {
            batches.push(start..self.rows);
        }
        batches
    }

    /// Writes the two files of the segment: what people look for, and the moves. Says what is
    /// where in them.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write<W: Write>(mut self, games: W, moves: W) -> io::Result<Contents> {
        if !self.decided {
            self.decide();
        }
        let batches = self.batches();
        Ok(Contents {
            games: table::write(games, &self.game_columns(), &batches)?,
            moves: table::write(moves, &self.move_columns(), &batches)?,
            batches: batches.into_iter().map(|rows| rows.len() as u32).collect(),
        })
    }

    /// All columns under their names, if they are decided on; those that say nothing of any row are
    /// not there.
    pub fn arrays(&self) -> Vec<(Box<str>, arrow_array::ArrayRef)> {
        let columns = self.game_columns().into_iter().chain(self.move_columns());
        let arrays = columns.map(|column| (column.name().into(), column.array(0..self.rows)));
        arrays.collect()
    }

    fn game_columns(&self) -> Vec<Named<'_>> {
        let mut columns = vec![
            Named::new("kind", &self.kinds),
            Named::new("result", &self.results),
            Named::new("ply_count", &self.plies),
            Named::new("broken", &self.broken),
            Named::new("start", &self.starts),
            Named::new("variant", &self.variants),
            Named::new("tag_order", &self.orders),
            Named::new("other_tags", &self.others),
        ];
        columns.extend(self.slots.iter().map(|(tag, slot)| {
            let known = COLUMNS.iter().find(|column| column.tag == &**tag);
            let name = known.map_or(&**tag, |column| column.name);
            Named::of_tag(name, tag, slot.column())
        }));
        columns.retain(|column| !column.is_empty());
        columns
    }

    fn move_columns(&self) -> Vec<Named<'_>> {
        let mut columns = vec![
            Named::new("signature", &self.signatures),
            Named::new("shapes", &self.shapes),
            Named::new("clocks", &self.clocks),
            Named::new("time_spent", &self.spent),
            Named::new("evaluations", &self.scores),
            Named::new("judgements", &self.judgements),
        ];
        columns.retain(|column| !column.is_empty());
        // There even if no game has a move.
        columns.insert(0, Named::new("moves", &self.bodies));
        columns
    }
}

/// Tags that so many of some rows have that they get columns of their own, besides those of all stores.
pub(crate) fn common_tags<'a>(rows: impl ExactSizeIterator<Item = &'a Row>) -> Vec<Box<str>> {
    let least = rows.len() / COMMON;
    let mut counts: Map<usize> = Map::default();
    // The result has a column that is not filled from the tag.
    let is_known = |name: &str| name == "Result" || COLUMNS.iter().any(|it| it.tag == name);
    let may_have_one = |name: &str| !is_known(name) && !tag::is_taken(name);
    for row in rows {
        for (name, _) in row.tags.iter().filter(|(name, _)| may_have_one(name)) {
            *counts.entry(name.into()).or_default() += 1;
        }
    }
    counts.retain(|_, count| *count > least);
    counts.into_keys().collect()
}

/// A tag in the order of a game's tags.
#[derive(serde::Serialize)]
#[serde(untagged)]
enum OrderedTag {
    InColumn(Box<str>),
    Beside([Box<str>; 1]),
}

impl OrderedTag {
    fn new(name: &str, in_column: bool) -> OrderedTag {
        match in_column {
            true => OrderedTag::InColumn(name.into()),
            false => OrderedTag::Beside([name.into()]),
        }
    }

    /// Whether it is the same.
    fn is(&self, name: &str, in_column: bool) -> bool {
        match self {
            OrderedTag::InColumn(own) => in_column && **own == *name,
            OrderedTag::Beside([own]) => !in_column && **own == *name,
        }
    }
}

fn to_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("texts are JSON")
}
