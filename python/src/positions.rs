//! The positions of main lines, as columns.

use std::{ops::ControlFlow, sync::Arc};

use arrow_array::{
    ArrayRef, FixedSizeListArray, Int8Array, Int32Array, Int64Array, RecordBatch, StringArray,
    UInt8Array, UInt16Array, UInt64Array,
};
use arrow_schema::{DataType, Field, Schema};
use pyo3::prelude::*;
use tabiya::{
    Action, Annotation, Color, Error, ErrorKind, Event, Filter, Flow, GameResult, GameSink, Needs,
    Position, Role, Tags,
};
use tabiya_game::Score;

use crate::{
    arrow::Stream,
    background::Background,
    database::Database,
    error::{bad_value, raised, usage},
    moves::Move,
    nodes::said,
    position::san,
    work::{self, Signal},
};

/// What a column tells of a ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    Game,
    Ply,
    Key,
    Uci,
    San,
    Fen,
    Result,
    WhiteElo,
    BlackElo,
    Clock,
    Evaluation,
    Mate,
    Bitboards,
    Turn,
    Castling,
    EnPassant,
    Move,
}

impl Subject {
    const ALL: [(&str, Subject); 17] = [
        ("game", Subject::Game),
        ("ply", Subject::Ply),
        ("key", Subject::Key),
        ("uci", Subject::Uci),
        ("san", Subject::San),
        ("fen", Subject::Fen),
        ("result", Subject::Result),
        ("white_elo", Subject::WhiteElo),
        ("black_elo", Subject::BlackElo),
        ("clock", Subject::Clock),
        ("evaluation", Subject::Evaluation),
        ("mate", Subject::Mate),
        ("bitboards", Subject::Bitboards),
        ("turn", Subject::Turn),
        ("castling", Subject::Castling),
        ("en_passant", Subject::EnPassant),
        ("move", Subject::Move),
    ];

    /// Those of a stream for which nobody names some.
    const USUAL: [Subject; 11] = [
        Subject::Game,
        Subject::Ply,
        Subject::Key,
        Subject::Uci,
        Subject::San,
        Subject::Result,
        Subject::WhiteElo,
        Subject::BlackElo,
        Subject::Clock,
        Subject::Evaluation,
        Subject::Mate,
    ];

    fn of(name: &str) -> PyResult<Subject> {
        let found = Subject::ALL.into_iter().find(|(known, _)| *known == name);
        let names = || Subject::ALL.map(|(name, _)| name).join(", ");
        found.map(|(_, subject)| subject).ok_or_else(|| {
            bad_value(
                "columns",
                format_args!("no column {name:?}: expected one of {}", names()),
            )
        })
    }

    pub fn name(self) -> &'static str {
        let found = Subject::ALL.iter().find(|(_, known)| *known == self);
        found.expect("all are in the list").0
    }

    fn is_note(self) -> bool {
        matches!(self, Subject::Clock | Subject::Evaluation | Subject::Mate)
    }

    fn data(self) -> Data {
        match self {
            Subject::Game => Data::Long(Vec::new()),
            Subject::Key => Data::Key(Vec::new()),
            Subject::Ply => Data::Int(Vec::new()),
            Subject::Uci | Subject::San | Subject::Fen => Data::Text(Vec::new()),
            Subject::Result => Data::MaybeTiny(Vec::new()),
            Subject::Clock => Data::MaybeLong(Vec::new()),
            Subject::WhiteElo | Subject::BlackElo | Subject::Evaluation | Subject::Mate => {
                Data::MaybeInt(Vec::new())
            }
            Subject::Bitboards => Data::Boards(Vec::new()),
            Subject::Turn | Subject::Castling => Data::Byte(Vec::new()),
            Subject::EnPassant => Data::MaybeTiny(Vec::new()),
            Subject::Move => Data::Word(Vec::new()),
        }
    }
}

/// A board of each of the twelve kinds of pieces: White's pawns, knights, bishops, rooks, queens, king,
/// then Black's.
pub const BOARDS: usize = 12;

/// The values of a column.
pub enum Data {
    Long(Vec<i64>),
    Key(Vec<u64>),
    Int(Vec<i32>),
    Byte(Vec<u8>),
    Word(Vec<u16>),
    MaybeTiny(Vec<Option<i8>>),
    MaybeInt(Vec<Option<i32>>),
    MaybeLong(Vec<Option<i64>>),
    Text(Vec<String>),
    Boards(Vec<[u64; BOARDS]>),
}

/// Does the same with the values of any column.
macro_rules! each {
    ($data:expr, $values:ident => $then:expr) => {
        match $data {
            Data::Long($values) => $then,
            Data::Key($values) => $then,
            Data::Int($values) => $then,
            Data::Byte($values) => $then,
            Data::Word($values) => $then,
            Data::MaybeTiny($values) => $then,
            Data::MaybeInt($values) => $then,
            Data::MaybeLong($values) => $then,
            Data::Text($values) => $then,
            Data::Boards($values) => $then,
        }
    };
}

impl Data {
    fn len(&self) -> usize {
        each!(self, values => values.len())
    }

    /// Adds the values of a later part.
    fn append(&mut self, later: Data) {
        match (self, later) {
            (Data::Long(all), Data::Long(mut more)) => all.append(&mut more),
            (Data::Key(all), Data::Key(mut more)) => all.append(&mut more),
            (Data::Int(all), Data::Int(mut more)) => all.append(&mut more),
            (Data::Byte(all), Data::Byte(mut more)) => all.append(&mut more),
            (Data::Word(all), Data::Word(mut more)) => all.append(&mut more),
            (Data::MaybeTiny(all), Data::MaybeTiny(mut more)) => all.append(&mut more),
            (Data::MaybeInt(all), Data::MaybeInt(mut more)) => all.append(&mut more),
            (Data::MaybeLong(all), Data::MaybeLong(mut more)) => all.append(&mut more),
            (Data::Text(all), Data::Text(mut more)) => all.append(&mut more),
            (Data::Boards(all), Data::Boards(mut more)) => all.append(&mut more),
            _ => unreachable!("parts have the same columns"),
        }
    }

    /// Takes as many values as make whole batches, batch by batch; the others stay.
    fn take_batches(&mut self, rows: usize) -> Vec<Data> {
        match self {
            Data::Long(values) => batches(values, rows, Data::Long),
            Data::Key(values) => batches(values, rows, Data::Key),
            Data::Int(values) => batches(values, rows, Data::Int),
            Data::Byte(values) => batches(values, rows, Data::Byte),
            Data::Word(values) => batches(values, rows, Data::Word),
            Data::MaybeTiny(values) => batches(values, rows, Data::MaybeTiny),
            Data::MaybeInt(values) => batches(values, rows, Data::MaybeInt),
            Data::MaybeLong(values) => batches(values, rows, Data::MaybeLong),
            Data::Text(values) => batches(values, rows, Data::Text),
            Data::Boards(values) => batches(values, rows, Data::Boards),
        }
    }

    fn field(&self, name: &str) -> Field {
        let (data_type, may_lack) = match self {
            Data::Long(_) => (DataType::Int64, false),
            Data::Key(_) => (DataType::UInt64, false),
            Data::Int(_) => (DataType::Int32, false),
            Data::Byte(_) => (DataType::UInt8, false),
            Data::Word(_) => (DataType::UInt16, false),
            Data::MaybeTiny(_) => (DataType::Int8, true),
            Data::MaybeInt(_) => (DataType::Int32, true),
            Data::MaybeLong(_) => (DataType::Int64, true),
            Data::Text(_) => (DataType::Utf8, false),
            Data::Boards(_) => (DataType::FixedSizeList(board(), BOARDS as i32), false),
        };
        Field::new(name, data_type, may_lack)
    }

    fn array(self) -> ArrayRef {
        match self {
            Data::Long(values) => Arc::new(Int64Array::from(values)),
            Data::Key(values) => Arc::new(UInt64Array::from(values)),
            Data::Int(values) => Arc::new(Int32Array::from(values)),
            Data::Byte(values) => Arc::new(UInt8Array::from(values)),
            Data::Word(values) => Arc::new(UInt16Array::from(values)),
            Data::MaybeTiny(values) => Arc::new(Int8Array::from(values)),
            Data::MaybeInt(values) => Arc::new(Int32Array::from(values)),
            Data::MaybeLong(values) => Arc::new(Int64Array::from(values)),
            Data::Text(values) => Arc::new(StringArray::from(values)),
            Data::Boards(values) => {
                let boards = Arc::new(UInt64Array::from(values.into_flattened()));
                Arc::new(FixedSizeListArray::new(
                    board(),
                    BOARDS as i32,
                    boards,
                    None,
                ))
            }
        }
    }
}

fn board() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::UInt64, false))
}

/// Each value is moved once, however small the batches are.
fn batches<T>(values: &mut Vec<T>, rows: usize, make: fn(Vec<T>) -> Data) -> Vec<Data> {
    let whole = values.len() / rows;
    let rest = values.split_off(whole * rows);
    let mut taken = std::mem::replace(values, rest).into_iter();
    (0..whole)
        .map(|_| make(taken.by_ref().take(rows).collect()))
        .collect()
}

/// Columns of plies.
pub struct Plies(pub Vec<(Subject, Data)>);

impl Plies {
    fn new(subjects: &[Subject]) -> Plies {
        Plies(
            subjects
                .iter()
                .map(|subject| (*subject, subject.data()))
                .collect(),
        )
    }

    fn len(&self) -> usize {
        self.0.first().map_or(0, |(_, data)| data.len())
    }

    fn append(&mut self, later: Plies) {
        for ((_, data), (_, more)) in self.0.iter_mut().zip(later.0) {
            data.append(more);
        }
    }

    /// Takes whole batches; the other plies stay.
    fn take_batches(&mut self, rows: usize) -> Vec<Plies> {
        let mut taken: Vec<Plies> = Vec::new();
        for (subject, data) in &mut self.0 {
            for (place, batch) in data.take_batches(rows).into_iter().enumerate() {
                if place == taken.len() {
                    taken.push(Plies(Vec::new()));
                }
                taken[place].0.push((*subject, batch));
            }
        }
        taken
    }

    fn schema(&self) -> Schema {
        let fields = self
            .0
            .iter()
            .map(|(subject, data)| data.field(subject.name()));
        Schema::new(fields.collect::<Vec<_>>())
    }

    fn batch(self) -> Result<RecordBatch, Error> {
        let schema = Arc::new(self.schema());
        let columns = self.0.into_iter().map(|(_, data)| data.array());
        let batch = RecordBatch::try_new(schema, columns.collect());
        batch.map_err(|error| Error::new(ErrorKind::Internal, error))
    }
}

/// So many positions are in a batch at most: Arrow has room for two gigabytes of texts in one, and a FEN
/// takes up to a hundred bytes.
const LARGEST: usize = 1 << 24;

/// Positions as Arrow.
pub fn stream(
    py: Python<'_>,
    database: &Database,
    filter: Filter,
    columns: Option<Vec<String>>,
    batch_size: usize,
) -> PyResult<Stream> {
    let subjects = match columns {
        Some(names) => names
            .iter()
            .map(|name| Subject::of(name))
            .collect::<PyResult<Vec<_>>>()?,
        None => Subject::USUAL.to_vec(),
    };
    if subjects.is_empty() {
        return Err(usage("columns: name at least one"));
    }
    let schema = Arc::new(Plies::new(&subjects).schema());
    let batches = start(py, database, filter, subjects, batch_size, Plies::batch)?;
    Ok(Stream::new(schema, batches))
}

/// Positions in batches of one size but the last, each made into something.
pub fn start<T: Send + 'static>(
    py: Python<'_>,
    database: &Database,
    filter: Filter,
    subjects: Vec<Subject>,
    batch_size: usize,
    make: impl Fn(Plies) -> Result<T, Error> + Send + 'static,
) -> PyResult<Background<T>> {
    if !(1..=LARGEST).contains(&batch_size) {
        let words = format_args!("a batch has from 1 to {LARGEST} positions");
        return Err(bad_value("batch_size", words));
    }
    let signal = Arc::new(Signal::default());
    let leased = work::run_unwatched(py, || database.lease(&signal))?.filter(filter);
    let batches = Background::start(signal, move |hand_out| {
        let mut waiting = Plies::new(&subjects);
        let mut failed = None;
        let read = leased.par_numbered(
            || Reader::new(&subjects),
            |reader, before| {
                waiting.append(reader.finish(before));
                for batch in waiting.take_batches(batch_size) {
                    let flow = match make(batch) {
                        Ok(made) => hand_out(made),
                        Err(error) => {
                            failed = Some(error);
                            ControlFlow::Break(())
                        }
                    };
                    if flow.is_break() {
                        return flow;
                    }
                }
                ControlFlow::Continue(())
            },
        );
        if let Some(error) = failed {
            return Err(error);
        }
        // What comes before the damage, if there is some.
        if waiting.len() > 0 && hand_out(make(waiting)?).is_break() {
            return Ok(());
        }
        read
    });
    batches.map_err(|error| raised(&error))
}

/// Hears games, and keeps a row for each ply of their main lines.
struct Reader {
    plies: Plies,
    has_notes: bool,
    number: u64,
    /// Those of the game's tags that say something of its plies.
    tags: Tags,
    elo: [Option<i32>; 2],
    /// The row with which the game begins.
    first: usize,
    /// The row of the last ply; none of one that was left out, and before the first.
    row: Option<usize>,
    ply: i32,
    depth: usize,
    mover: Color,
}

impl Reader {
    fn new(subjects: &[Subject]) -> Reader {
        Reader {
            plies: Plies::new(subjects),
            has_notes: subjects.iter().any(|subject| subject.is_note()),
            number: 0,
            tags: Tags::new(),
            elo: [None; 2],
            first: 0,
            row: None,
            ply: 0,
            depth: 0,
            mover: Color::White,
        }
    }

    /// What was heard; so many games came before.
    fn finish(mut self, before: u64) -> Plies {
        for (subject, data) in &mut self.plies.0 {
            if let (Subject::Game, Data::Long(numbers)) = (subject, data) {
                numbers
                    .iter_mut()
                    .for_each(|number| *number += before as i64);
            }
        }
        self.plies
    }

    fn play(&mut self, before: &Position, action: Action) {
        self.ply += 1;
        self.row = Some(self.plies.len());
        self.mover = before.turn();
        for (subject, data) in &mut self.plies.0 {
            match (subject, data) {
                (Subject::Game, Data::Long(values)) => values.push(self.number as i64),
                (_, Data::Key(values)) => values.push(before.key().0),
                (_, Data::Int(values)) => values.push(self.ply),
                (Subject::Uci, Data::Text(values)) => {
                    values.push(Move::new(before, action).to_string());
                }
                (Subject::San, Data::Text(values)) => values.push(san(before, action)),
                (_, Data::Text(values)) => values.push(before.to_setup().to_string()),
                (Subject::WhiteElo, Data::MaybeInt(values)) => values.push(self.elo[0]),
                (Subject::BlackElo, Data::MaybeInt(values)) => values.push(self.elo[1]),
                (_, Data::Boards(values)) => values.push(boards(before)),
                (Subject::Turn, Data::Byte(values)) => values.push(before.turn() as u8),
                (_, Data::Byte(values)) => values.push(castling(before)),
                (Subject::EnPassant, Data::MaybeTiny(values)) => {
                    values.push(before.ep_square_legal().map(|square| square.index() as i8));
                }
                (_, Data::Word(values)) => {
                    values.push(action.to_move().map_or(0, tabiya::Move::to_bits));
                }
                // What is known later.
                (_, Data::MaybeTiny(values)) => values.push(None),
                (_, Data::MaybeInt(values)) => values.push(None),
                (_, Data::MaybeLong(values)) => values.push(None),
                (_, Data::Long(_)) => unreachable!("games are all of them"),
            }
        }
    }

    /// Something that is said about the last move.
    fn note(&mut self, annotation: &Annotation) {
        let Some(row) = self.row.filter(|_| self.depth == 0) else {
            return;
        };
        let (clock, score) = match annotation {
            Annotation::Clock(time) => (i64::try_from(time.as_millis()).ok(), None),
            Annotation::Evaluation(value) => (None, Some(value.score)),
            _ => return,
        };
        for (subject, data) in &mut self.plies.0 {
            match (subject, data, score) {
                (Subject::Clock, Data::MaybeLong(values), None) => values[row] = clock,
                // Of several scores the last counts, and takes the place of one of the other kind.
                (Subject::Evaluation, Data::MaybeInt(values), Some(score)) => {
                    values[row] = match score {
                        Score::Centipawns(value) => Some(value),
                        Score::Mate(_) => None,
                    };
                }
                (Subject::Mate, Data::MaybeInt(values), Some(score)) => {
                    values[row] = match score {
                        Score::Mate(moves) => Some(moves),
                        Score::Centipawns(_) => None,
                    };
                }
                _ => {}
            }
        }
    }

    fn end(&mut self, result: GameResult) {
        let points = match result.token() {
            "1-0" => Some(1),
            "0-1" => Some(-1),
            "1/2-1/2" => Some(0),
            _ => None,
        };
        for (subject, data) in &mut self.plies.0 {
            if let (Subject::Result, Data::MaybeTiny(values)) = (subject, data) {
                values[self.first..].fill(points);
            }
        }
    }
}

impl GameSink for Reader {
    fn needs(&mut self) -> Needs {
        Needs::TAGS.moves(true).keys(true).notes(self.has_notes)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(place) => {
                self.number = place.number;
                self.tags.clear();
                self.elo = [None; 2];
                self.first = self.plies.len();
                self.row = None;
                self.ply = 0;
                self.depth = 0;
            }
            Event::Tag {
                name: name @ ("WhiteElo" | "BlackElo"),
                value,
            } => self.tags.push(name, value),
            Event::Start(_) => {
                let ratings = [self.tags.white_elo(), self.tags.black_elo()];
                self.elo = ratings.map(|rating| rating.map(i32::from));
            }
            Event::VariationStart => self.depth += 1,
            Event::VariationEnd => self.depth = self.depth.saturating_sub(1),
            _ if self.depth > 0 => {}
            Event::Move { before, play, .. } => self.play(before, Action::Move(play)),
            Event::Null { before, .. } => self.play(before, Action::Null),
            Event::Missing => {
                self.ply += 1;
                self.row = None;
            }
            Event::Annotation(annotation) => self.note(annotation),
            // What is said before a move is said of the position after the last one.
            Event::Comment(comment) => {
                for annotation in said(comment.place, comment.text, self.mover) {
                    self.note(&annotation);
                }
            }
            Event::GameEnd { result, .. } => self.end(result),
            _ => {}
        }
        Flow::Continue
    }
}

fn boards(position: &Position) -> [u64; BOARDS] {
    const ROLES: [Role; 6] = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
        Role::King,
    ];
    let board = position.board();
    std::array::from_fn(|plane| {
        let color = if plane < 6 {
            Color::White
        } else {
            Color::Black
        };
        board.of(color, ROLES[plane % 6]).0
    })
}

/// Bits: 1 White's king's side, 2 White's queen's side, 4 and 8 Black's.
fn castling(position: &Position) -> u8 {
    let mut rights = 0;
    for rook in position.castling_rooks() {
        let Some(color) = position.board().color_at(rook) else {
            continue;
        };
        let Some(king) = position.board().king(color) else {
            continue;
        };
        let side = if rook.file() > king.file() { 1 } else { 2 };
        rights |= match color {
            Color::White => side,
            Color::Black => side << 2,
        };
    }
    rights
}
