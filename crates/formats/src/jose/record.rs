//! A game as one record: what a row of a [`Josedb`](super::Josedb) will hold.

use serde_json::Value;
use tabiya_chess::{Position, Variant};
use tabiya_game::{
    Event, Flow, GameErrorKind, GameResult, GameSink, GameState, LossKind, Losses, Needs, Tags,
};

use super::{Profile, Writer};
use crate::{
    GameWriter, Records, pgn,
    writing::{Wishes, lost_entry},
};

/// The columns that are tags, in the order of the table.
pub(super) const COLUMNS: [&str; 12] = [
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo", "ECO",
    "FEN", "Variant",
];

/// Columns of [`COLUMNS`] that are numbers.
const RATINGS: [&str; 2] = ["WhiteElo", "BlackElo"];

/// What the [`Records`] of a [`RecordWriter`] are called.
pub(super) const RECORDS: &str = "jose:josedb";

/// A game as a row of a [`Josedb`](super::Josedb).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The values of [`COLUMNS`].
    pub(super) columns: [Option<String>; COLUMNS.len()],
    /// All tags as a JSON array, in the order of the game: `"White"` is the tag of that name with
    /// the value of its column, `["Mode", "OTB"]` is a tag without a column, or whose value is not
    /// that of its column.
    pub(super) tags: String,
    /// The moves as a stream of jose's.
    pub(super) moves: Vec<u8>,
}

/// Makes records of games, for [`JosedbTarget`](super::JosedbTarget).
///
/// ```
/// use tabiya_formats::{jose::RecordWriter, pgn::Parser};
///
/// let mut writer = RecordWriter::new();
/// Parser::new("[White \"Réti\"]\n\n1. Nf3 d5 *").read_game(&mut writer);
/// assert!(!writer.take().is_empty());
/// ```
#[derive(Debug)]
pub struct RecordWriter {
    moves: Writer,
    tags: Tags,
    start: Position,
    /// The tags name a start from which nothing can be played.
    bad_start: bool,
    records: Vec<Record>,
    wishes: Wishes,
    game: u64,
    losses: Losses,
}

impl Default for RecordWriter {
    fn default() -> RecordWriter {
        RecordWriter::new()
    }
}

impl RecordWriter {
    /// A writer with nothing written.
    #[must_use]
    pub fn new() -> RecordWriter {
        RecordWriter {
            moves: Writer::new(Profile::Document),
            tags: Tags::new(),
            start: Position::initial(),
            bad_start: false,
            records: Vec::new(),
            wishes: Wishes::default(),
            game: 0,
            losses: Losses::default(),
        }
    }

    /// Leaves out what is not wanted.
    #[must_use]
    pub fn with_wishes(mut self, wishes: Wishes) -> RecordWriter {
        self.wishes = wishes;
        self
    }

    /// The games that have been written since they were last taken.
    #[must_use]
    pub fn take(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.records)
    }

    /// How many that would be.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether that would be none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// What could not be written since this was last asked.
    #[must_use]
    pub fn take_losses(&mut self) -> Losses {
        let mut losses = std::mem::take(&mut self.losses);
        losses.append(self.moves.take_losses());
        losses
    }

    fn end(&mut self, result: GameResult, state: GameState) {
        // The column says whether the game was not played: the stream cannot, and need not.
        let played = match result {
            GameResult::WhiteWinsByForfeit => GameResult::WhiteWins,
            GameResult::BlackWinsByForfeit => GameResult::BlackWins,
            GameResult::BothLose => GameResult::Unknown,
            other => other,
        };
        self.moves.event(Event::GameEnd {
            result: played,
            state,
        });
        let columns = self.columns(result);
        self.records.push(Record {
            tags: self.order(&columns).to_string(),
            columns,
            moves: self.moves.main().to_vec(),
        });
    }

    /// The value of each column.
    fn columns(&self, result: GameResult) -> [Option<String>; COLUMNS.len()] {
        COLUMNS.map(|name| {
            let tag = self.tags.get(name);
            match name {
                "Result" => Some(result.tag().to_owned()),
                "FEN" => self.fen(tag),
                "Variant" => self.variant(tag),
                _ if RATINGS.contains(&name) => {
                    // A number as the column would give it back: neither `02700` nor `?`.
                    let number: Option<i64> = tag.and_then(|tag| tag.parse().ok());
                    let number = number.map(|number| number.to_string());
                    number.filter(|number| Some(number.as_str()) == tag)
                }
                _ => tag.map(str::to_owned),
            }
        })
    }

    /// The start position: as the tag spells it, if it spells the right one.
    fn fen(&self, tag: Option<&str>) -> Option<String> {
        if self.bad_start {
            // As it is: whoever reads it sees that it is none.
            return tag.map(str::to_owned);
        }
        let variant = self.variant(self.tags.get("Variant"));
        let starts = |fen| pgn::start_of_tags(fen, variant.as_deref()) == Ok(self.start);
        match tag {
            Some(fen) if starts(Some(fen)) => Some(fen.to_owned()),
            _ if starts(None) => None,
            _ => Some(self.start.to_setup().to_shredder_fen()),
        }
    }

    fn variant(&self, tag: Option<&str>) -> Option<String> {
        if self.bad_start {
            return tag.map(str::to_owned);
        }
        let variant = self.start.variant();
        let named = |name: &str| {
            let start = pgn::start_of_tags(None, Some(name));
            start.is_ok_and(|start| start.variant() == variant)
        };
        match tag {
            Some(name) if named(name) => Some(name.to_owned()),
            _ if variant == Variant::Standard => None,
            _ => Some(variant.name().to_owned()),
        }
    }

    /// All tags in their order, those that their column has by their names alone.
    fn order(&self, columns: &[Option<String>; COLUMNS.len()]) -> Value {
        let mut free = [true; COLUMNS.len()];
        let tags = self.tags.iter().map(|(name, value)| {
            let column = COLUMNS.iter().position(|column| *column == name);
            match column {
                Some(column) if free[column] && columns[column].as_deref() == Some(value) => {
                    free[column] = false;
                    Value::from(name)
                }
                _ => Value::from(vec![name, value]),
            }
        });
        tags.collect()
    }
}

impl GameSink for RecordWriter {
    fn needs(&mut self) -> Needs {
        Needs::ALL
            .variations(self.wishes.variations)
            .notes(self.wishes.comments || self.wishes.nags)
    }

    #[inline]
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => {
                self.game += 1;
                self.tags.clear();
                self.start = Position::initial();
                self.bad_start = false;
                // A game may end without a start, if a reader knows no moves.
                self.moves.event(event);
                self.moves.event(Event::Start(&Position::initial()))
            }
            Event::Tag { name, value } => {
                self.tags.push(name, value);
                Flow::Continue
            }
            Event::Start(start) => {
                self.start = *start;
                self.moves.event(event)
            }
            Event::GameEnd { result, state } => {
                self.end(result, state);
                Flow::Continue
            }
            Event::Text { title, .. } => {
                let what = || format!("the text {title:?}, which belongs to no game");
                self.losses.note(self.game + 1, LossKind::Entry, what);
                Flow::Continue
            }
            Event::Opaque { format, .. } => {
                let (kind, what) = lost_entry(format);
                self.losses.note(self.game + 1, kind, || what);
                Flow::Continue
            }
            Event::Error(error) => {
                self.bad_start |= matches!(
                    error.kind,
                    GameErrorKind::BadStart | GameErrorKind::UnknownVariant
                );
                self.moves.event(event)
            }
            Event::Nag(_) if !self.wishes.nags => Flow::Continue,
            Event::Comment(_) | Event::Annotation(_) if !self.wishes.comments => Flow::Continue,
            _ => self.moves.event(event),
        }
    }
}

impl GameWriter for RecordWriter {
    fn len(&self) -> usize {
        RecordWriter::len(self)
    }

    fn take(&mut self) -> Records {
        Records::new(RECORDS, RecordWriter::take(self))
    }

    fn take_losses(&mut self) -> Losses {
        RecordWriter::take_losses(self)
    }
}
