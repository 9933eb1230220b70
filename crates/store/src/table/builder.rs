//! Rows to batches.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, Int32Array, Int64Array, RecordBatch, RecordBatchOptions,
    builder::{Int32Builder, Int64Builder, StringViewBuilder},
};
use arrow_schema::{ArrowError, SchemaRef};
use tabiya_chess::Color;
use tabiya_game::Score;

use super::{
    column::{WholeMoves, column, texts},
    main_line::Ply,
    men::Men,
    plies::Step,
    schema::{self, PlyColumn},
};
use crate::{row::Row, segment::build::Builder};

/// A batch of columns, which may be none.
pub(super) fn batch(
    schema: SchemaRef,
    columns: Vec<ArrayRef>,
    rows: usize,
) -> Result<RecordBatch, ArrowError> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(schema, columns, &options)
}

/// Rows of `games`, growing.
pub(crate) struct GamesBuilder {
    schema: SchemaRef,
    /// Tags that have columns under their own names.
    tags: Vec<Box<str>>,
    builder: Builder,
    ids: Vec<i64>,
    lines: Vec<Option<Box<str>>>,
}

impl GamesBuilder {
    /// For rows of a table that has some of the columns of [`games`](schema::games).
    pub fn new(games: &SchemaRef, schema: SchemaRef) -> GamesBuilder {
        let tags = schema::own_tags(games);
        GamesBuilder {
            schema,
            builder: Builder::with_tags(&tags),
            tags,
            ids: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// Adds an entry, its number, and its main line.
    pub fn add(&mut self, id: i64, row: &Row, line: &str) {
        self.builder.add(row);
        self.ids.push(id);
        self.lines.push((!line.is_empty()).then(|| line.into()));
    }

    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// About how many bytes of memory they take.
    #[cfg(feature = "parquet")]
    pub fn memory(&self) -> usize {
        self.builder.memory()
    }

    /// The rows so far, which are then gone.
    pub fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        let next = Builder::with_tags(&self.tags);
        let arrays = std::mem::replace(&mut self.builder, next).arrays();
        let find = |name: &str| {
            let found = arrays.iter().find(|(column, _)| **column == *name);
            found.map(|(_, array)| array)
        };
        let (ids, lines) = (
            std::mem::take(&mut self.ids),
            std::mem::take(&mut self.lines),
        );
        let rows: Vec<u32> = (0..ids.len() as u32).collect();
        let columns = self.schema.fields().iter().map(|field| -> ArrayRef {
            match field.name().as_str() {
                schema::ID => Arc::new(Int64Array::from(ids.clone())),
                schema::MAIN_LINE => texts(&rows, |row| lines[row].as_deref()),
                schema::MOVES => WholeMoves {
                    moves: find(schema::MOVES),
                    kinds: find("kind"),
                    starts: find("start"),
                    variants: find("variant"),
                }
                .column(&rows),
                name => column(find(name), field.data_type(), &rows),
            }
        });
        batch(Arc::clone(&self.schema), columns.collect(), rows.len())
    }
}

/// A row of `positions`.
#[derive(Clone, Copy)]
pub(crate) struct PositionRow<'a> {
    pub key: i64,
    pub game: i64,
    pub ply: i32,
    pub side: Color,
    pub uci: &'a str,
    pub san: &'a str,
    pub clock: Option<i64>,
    /// Centipawns.
    pub evaluation: Option<i32>,
    /// Moves to mate.
    pub mate: Option<i32>,
    pub men: Men,
}

/// Rows of `positions`, growing: only columns that are wanted.
pub(crate) struct PositionsBuilder {
    columns: Vec<PlyColumn>,
    schema: SchemaRef,
    len: usize,
    key: Option<Vec<i64>>,
    game: Option<Vec<i64>>,
    ply: Option<Vec<i32>>,
    side: Option<StringViewBuilder>,
    uci: Option<StringViewBuilder>,
    san: Option<StringViewBuilder>,
    clock: Option<Int64Builder>,
    evaluation: Option<Int32Builder>,
    mate: Option<Int32Builder>,
    material: Option<StringViewBuilder>,
    spelled: String,
}

impl PositionsBuilder {
    /// For some columns of [`positions`](schema::positions).
    pub fn new(columns: &[usize]) -> Result<PositionsBuilder, ArrowError> {
        let schema = Arc::new(schema::positions().project(columns)?);
        let columns: Vec<PlyColumn> = columns.iter().map(|index| PlyColumn::ALL[*index]).collect();
        let wants = |column| columns.contains(&column);
        let text = |column| wants(column).then(StringViewBuilder::new);
        Ok(PositionsBuilder {
            schema,
            len: 0,
            key: wants(PlyColumn::Key).then(Vec::new),
            game: wants(PlyColumn::Game).then(Vec::new),
            ply: wants(PlyColumn::Ply).then(Vec::new),
            side: text(PlyColumn::Side),
            uci: text(PlyColumn::Uci),
            san: text(PlyColumn::San),
            clock: wants(PlyColumn::Clock).then(Int64Builder::new),
            evaluation: wants(PlyColumn::Evaluation).then(Int32Builder::new),
            mate: wants(PlyColumn::Mate).then(Int32Builder::new),
            material: text(PlyColumn::Material),
            spelled: String::new(),
            columns,
        })
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Adds a ply of a game that was replayed.
    #[inline]
    pub(super) fn push_step(&mut self, game: i64, step: &Step) {
        self.push(&PositionRow {
            key: step.key.cast_signed(),
            game,
            ply: step.number.cast_signed(),
            side: step.side,
            uci: step.uci.as_str(),
            san: "",
            clock: None,
            evaluation: None,
            mate: None,
            men: step.men,
        });
    }

    /// Adds a ply of a game that was told.
    pub fn push_ply(&mut self, game: i64, ply: &Ply) {
        let uci = ply.play.map(|(uci, _)| uci.to_string());
        let (evaluation, mate) = match ply.score {
            Some(Score::Centipawns(value)) => (Some(value), None),
            Some(Score::Mate(moves)) => (None, Some(moves)),
            None => (None, None),
        };
        self.push(&PositionRow {
            key: ply.key.cast_signed(),
            game,
            ply: ply.number.cast_signed(),
            side: ply.side,
            uci: uci.as_deref().unwrap_or(NULL_UCI),
            san: ply.play.as_ref().map_or(NULL_SAN, |(_, san)| san),
            clock: ply
                .clock
                .map(|clock| i64::try_from(clock).unwrap_or(i64::MAX)),
            evaluation,
            mate,
            men: ply.men,
        });
    }

    #[inline]
    pub fn push(&mut self, row: &PositionRow<'_>) {
        self.len += 1;
        if let Some(key) = &mut self.key {
            key.push(row.key);
        }
        if let Some(game) = &mut self.game {
            game.push(row.game);
        }
        if let Some(ply) = &mut self.ply {
            ply.push(row.ply);
        }
        if let Some(side) = &mut self.side {
            side.append_value(match row.side {
                Color::White => "white",
                Color::Black => "black",
            });
        }
        if let Some(uci) = &mut self.uci {
            uci.append_value(row.uci);
        }
        if let Some(san) = &mut self.san {
            san.append_value(row.san);
        }
        if let Some(clock) = &mut self.clock {
            clock.append_option(row.clock);
        }
        if let Some(evaluation) = &mut self.evaluation {
            evaluation.append_option(row.evaluation);
        }
        if let Some(mate) = &mut self.mate {
            mate.append_option(row.mate);
        }
        if let Some(material) = &mut self.material {
            material.append_value(row.men.spell(&mut self.spelled));
        }
    }

    /// The rows so far, which are then gone.
    pub fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        let rows = std::mem::take(&mut self.len);
        let wanted = std::mem::take(&mut self.columns);
        let arrays = wanted.iter().map(|column| self.take_column(*column));
        let arrays = arrays.collect();
        self.columns = wanted;
        batch(Arc::clone(&self.schema), arrays, rows)
    }

    fn take_column(&mut self, column: PlyColumn) -> ArrayRef {
        fn longs(numbers: &mut Option<Vec<i64>>) -> ArrayRef {
            let numbers = numbers.as_mut().map(std::mem::take);
            Arc::new(Int64Array::from(numbers.unwrap_or_default()))
        }
        fn strings(texts: &mut Option<StringViewBuilder>) -> ArrayRef {
            Arc::new(texts.get_or_insert_default().finish())
        }
        match column {
            PlyColumn::Key => longs(&mut self.key),
            PlyColumn::Game => longs(&mut self.game),
            PlyColumn::Ply => {
                let numbers = self.ply.as_mut().map(std::mem::take);
                Arc::new(Int32Array::from(numbers.unwrap_or_default()))
            }
            PlyColumn::Side => strings(&mut self.side),
            PlyColumn::Uci => strings(&mut self.uci),
            PlyColumn::San => strings(&mut self.san),
            PlyColumn::Clock => Arc::new(self.clock.get_or_insert_default().finish()),
            PlyColumn::Evaluation => Arc::new(self.evaluation.get_or_insert_default().finish()),
            PlyColumn::Mate => Arc::new(self.mate.get_or_insert_default().finish()),
            PlyColumn::Material => strings(&mut self.material),
        }
    }
}

/// How a null move is written.
pub(crate) const NULL_UCI: &str = "0000";
pub(crate) const NULL_SAN: &str = "--";
