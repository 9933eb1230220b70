//! A game as one record: what a row of a [`Josedb`](super::Josedb) will hold.
//!
//! A record is private to this format. It holds, each with its length in four bytes (little-endian,
//! one more than it is, 0 for NULL), the columns of [`COLUMNS`], the tags and the moves.
//!
//! The tags are a JSON array in the order of the game: `"White"` is the tag of that name with the
//! value of its column, `["Mode", "OTB"]` is a tag without a column, or whose value is not that of
//! its column.

use std::io;

use serde_json::Value;
use tabiya_chess::{Position, Variant};
use tabiya_game::{Event, Flow, GameResult, GameSink, GameState, LossKind, Losses, Needs, Tags};

use super::{Profile, Writer};
use crate::{GameWriter, pgn, writing::Wishes};

/// The columns that are tags, in the order of the table.
pub(super) const COLUMNS: [&str; 12] = [
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo", "ECO",
    "FEN", "Variant",
];

/// Columns of [`COLUMNS`] that are numbers.
const RATINGS: [&str; 2] = ["WhiteElo", "BlackElo"];

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
    records: Vec<u8>,
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

    /// What has been written since it was last taken: one record, or several without a mark
    /// between them.
    #[must_use]
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.records)
    }

    /// How many bytes that would be.
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
        for column in &columns {
            put(&mut self.records, column.as_deref().map(str::as_bytes));
        }
        let tags = self.order(&columns).to_string();
        put(&mut self.records, Some(tags.as_bytes()));
        put(&mut self.records, Some(self.moves.main()));
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
        let variant = self.variant(self.tags.get("Variant"));
        let starts = |fen| pgn::start_of_tags(fen, variant.as_deref()) == Ok(self.start);
        match tag {
            Some(fen) if starts(Some(fen)) => Some(fen.to_owned()),
            _ if starts(None) => None,
            _ => Some(self.start.to_setup().to_shredder_fen()),
        }
    }

    fn variant(&self, tag: Option<&str>) -> Option<String> {
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
                let what = || format!("an entry of {format} that is no game");
                self.losses.note(self.game + 1, LossKind::Entry, what);
                Flow::Continue
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

    fn take(&mut self) -> Vec<u8> {
        RecordWriter::take(self)
    }

    fn take_losses(&mut self) -> Losses {
        RecordWriter::take_losses(self)
    }
}

fn put(record: &mut Vec<u8>, bytes: Option<&[u8]>) {
    // No game has 4 GiB: readers stop long before.
    let length = bytes.map_or(0, |bytes| bytes.len() as u32 + 1);
    record.extend_from_slice(&length.to_le_bytes());
    record.extend_from_slice(bytes.unwrap_or_default());
}

/// A record, taken apart.
#[derive(Debug)]
pub(super) struct Record<'r> {
    pub columns: [Option<&'r str>; COLUMNS.len()],
    pub tags: &'r str,
    pub moves: &'r [u8],
}

impl<'r> Record<'r> {
    /// Reads the first of several records, and what is behind it.
    pub fn read(mut bytes: &'r [u8]) -> io::Result<(Record<'r>, &'r [u8])> {
        let mut columns = [None; COLUMNS.len()];
        for column in &mut columns {
            *column = take(&mut bytes)?.map(text).transpose()?;
        }
        let tags = take(&mut bytes)?.map(text).transpose()?;
        let moves = take(&mut bytes)?;
        let record = tags.zip(moves).ok_or_else(bad_record)?;
        let (tags, moves) = record;
        let record = Record {
            columns,
            tags,
            moves,
        };
        Ok((record, bytes))
    }
}

fn take<'r>(bytes: &mut &'r [u8]) -> io::Result<Option<&'r [u8]>> {
    let (length, rest) = bytes.split_first_chunk().ok_or_else(bad_record)?;
    let Some(length) = u32::from_le_bytes(*length).checked_sub(1) else {
        *bytes = rest;
        return Ok(None);
    };
    let (value, rest) = rest
        .split_at_checked(length as usize)
        .ok_or_else(bad_record)?;
    *bytes = rest;
    Ok(Some(value))
}

fn text(bytes: &[u8]) -> io::Result<&str> {
    std::str::from_utf8(bytes).map_err(|_| bad_record())
}

fn bad_record() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "not a record of this format")
}
