//! Events to files.

use std::{
    collections::HashMap,
    env,
    io::{self, Seek, SeekFrom, Write},
    time::{SystemTime, UNIX_EPOCH},
};

use tabiya_chess::{Position, Variant};
use tabiya_game::{Event, Flow, GameResult, GameSink, LossKind, Losses, Needs};
use tempfile::SpooledTempFile;

use super::{
    FEN, RESULT, TAGS, TERMINATION,
    layout::{Generation, game_length},
    result_of,
};
use crate::{
    GameWriter, Records,
    pgn::start_of_tags,
    ply16::{code::Profile, error::ErrorKind, writer::Line},
    writing::{Ledger, Wishes},
};

/// What the [`Records`] of a [`RecordWriter`] are called.
pub(in crate::ply16) const RECORDS: &str = "ply16:cdb";

/// A game that has no place in a file yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    tags: [Option<String>; 16],
    plies: u16,
    words: Vec<u8>,
}

/// Writes each game as a record of its own: its tags as texts, and its words. A [`Builder`] makes
/// files of records and numbers the texts.
#[derive(Debug)]
pub struct RecordWriter {
    records: Vec<Record>,
    tags: [Option<String>; 16],
    set_up: Option<String>,
    /// What the tag `FEN` has to say; none for the usual start.
    start: Option<String>,
    /// The tag tells the variant as well: by rights to castle that chess does not have, or because
    /// it is chess.
    is_named: bool,
    /// The variant has been named by a tag, which is lost and counted.
    variant_lost: bool,
    line: Line,
    ledger: Ledger,
}

impl Default for RecordWriter {
    fn default() -> RecordWriter {
        RecordWriter {
            records: Vec::new(),
            tags: Default::default(),
            set_up: None,
            start: None,
            is_named: true,
            variant_lost: false,
            line: Line::new(Profile::Program, usize::from(u16::MAX)),
            ledger: Ledger::default(),
        }
    }
}

impl RecordWriter {
    /// Says what is wanted of games, besides their moves and tags.
    #[must_use]
    pub fn with_wishes(mut self, wishes: Wishes) -> RecordWriter {
        self.ledger.wishes = wishes;
        self
    }

    /// What has been written since it was last taken.
    #[must_use]
    pub fn take(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.records)
    }

    fn begin(&mut self) {
        self.ledger.start_game();
        self.tags = Default::default();
        (self.set_up, self.start) = (None, None);
        self.is_named = true;
        self.variant_lost = false;
        self.line.clear();
    }

    fn tag(&mut self, name: &str, value: &str) {
        let slot = TAGS.iter().position(|tag| tag.eq_ignore_ascii_case(name));
        let Some(slot) = slot else {
            if name == "SetUp" && self.set_up.is_none() {
                // Held if there is a FEN at the end.
                self.set_up = Some(value.to_owned());
            } else {
                self.variant_lost |= name == "Variant";
                self.lose_tag(format_args!("the tag {name}"));
            }
            return;
        };
        if self.tags[slot].is_some() || value.is_empty() {
            return self.lose_tag(format_args!("the tag {name}, {value:?}"));
        }
        if value.contains('\n') {
            self.lose_tag(ErrorKind::TagContainsNewline { tag: TAGS[slot] });
        } else if name != TAGS[slot] {
            let what = || format!("the tag {name} became {}", TAGS[slot]);
            self.ledger.respell(what);
        }
        self.tags[slot] = Some(value.replace('\n', " "));
    }

    fn lose_tag(&mut self, what: impl std::fmt::Display) {
        self.ledger.lose(LossKind::Tag, || what.to_string());
    }

    /// A game whose start or rules no tag can say is not written at all.
    fn start(&mut self, position: &Position) -> Flow {
        let tags_say = is_held(position, self.tags[FEN].as_deref());
        self.start = match tags_say {
            true => self.tags[FEN].clone(),
            false => Some(position.to_string()),
        };
        if tags_say || is_held(position, self.start.as_deref()) {
            self.is_named = start_of_tags(self.start.as_deref(), None).as_ref() == Ok(position);
            return Flow::Continue;
        }
        let what = || format!("the game: its start, {position}, or its rules");
        self.ledger.lose(LossKind::Start, what);
        self.ledger.refused = true;
        Flow::SkipGame
    }

    /// Puts the start among the tags.
    fn settle_start(&mut self) {
        let start = self.start.take();
        if self.tags[FEN] != start {
            let other = std::mem::replace(&mut self.tags[FEN], start);
            if let Some(other) = other {
                self.lose_tag(format_args!("the tag FEN, {other:?}"));
            }
        }
        if !self.is_named && !self.variant_lost {
            let what = || "the name of the variant".to_owned();
            self.ledger.lose(LossKind::Start, what);
        }
    }

    /// Sees to it that the tags say the result.
    fn result(&mut self, result: GameResult) {
        let said = |tags: &[Option<String>; 16]| {
            result_of(tags[RESULT].as_deref(), tags[TERMINATION].as_deref())
        };
        if said(&self.tags) == result {
            return;
        }
        if let Some(other) = self.tags[RESULT].replace(result.tag().to_owned()) {
            self.lose_tag(format_args!("the tag Result, {other:?}"));
        }
        if said(&self.tags) != result {
            let what = || format!("the result {}", result.tag());
            self.ledger.lose(LossKind::Result, what);
        }
    }

    fn end(&mut self, result: GameResult) {
        if self.ledger.refused {
            return;
        }
        self.settle_start();
        self.result(result);
        if let Some(value) = self.set_up.take()
            && (value != "1" || self.tags[FEN].is_none())
        {
            self.lose_tag(format_args!("the tag SetUp, {value:?}"));
        }
        let words = self.line.words();
        self.records.push(Record {
            tags: std::mem::take(&mut self.tags),
            // The line has room for so many words and no more.
            plies: (words.len() / 2) as u16,
            words: words.to_vec(),
        });
    }
}

/// Whether a tag says a start: the position and its rules. Those of Chess960 are the rules of chess.
fn is_held(position: &Position, fen: Option<&str>) -> bool {
    let is_antichess = |position: &Position| position.variant() == Variant::Antichess;
    start_of_tags(fen, None).is_ok_and(|said| {
        said.to_setup() == position.to_setup() && is_antichess(&said) == is_antichess(position)
    })
}

impl GameSink for RecordWriter {
    fn needs(&mut self) -> Needs {
        self.ledger.needs()
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => self.begin(),
            Event::Tag { name, value } => self.tag(name, value),
            Event::Start(position) => return self.start(position),
            Event::GameEnd { result, .. } => self.end(result),
            other => return self.line.event(other, &mut self.ledger),
        }
        Flow::Continue
    }
}

impl GameWriter for RecordWriter {
    fn len(&self) -> usize {
        self.records.len()
    }

    fn take(&mut self) -> Records {
        Records::new(RECORDS, RecordWriter::take(self))
    }

    fn take_losses(&mut self) -> Losses {
        std::mem::take(&mut self.ledger.losses)
    }
}

/// The time for the header of a new file, in nanoseconds since 1970: that of `SOURCE_DATE_EPOCH`
/// if the environment has it, for files that can be made again, else now.
#[must_use]
pub fn created_now() -> u64 {
    let epoch = env::var("SOURCE_DATE_EPOCH").ok();
    created_at(epoch.as_deref(), SystemTime::now())
}

fn created_at(epoch: Option<&str>, now: SystemTime) -> u64 {
    const SECOND: u64 = 1_000_000_000;
    let epoch = epoch.and_then(|seconds| seconds.trim().parse::<u64>().ok());
    match epoch {
        Some(seconds) => seconds.saturating_mul(SECOND),
        None => now
            .duration_since(UNIX_EPOCH)
            .map_or(0, |now| now.as_nanos() as u64),
    }
}

/// Makes a `.cdb` file of records. The header says where the index is, and the strings stand
/// behind it: games wait in memory, or in a temporary file once they are many.
#[derive(Debug)]
pub struct Builder<W> {
    out: W,
    created: u64,
    games: SpooledTempFile,
    /// How many plies each game has; that tells where it begins.
    plies: Vec<u16>,
    ids: HashMap<Box<[u8]>, u32>,
    /// The strings in the order of their numbers, each with its line break.
    strings: Vec<u8>,
}

/// So many bytes of games wait in memory.
const IN_MEMORY: usize = 16 << 20;

impl<W: Write> Builder<W> {
    /// Writes to an output, with a time for the header; see [`created_now`].
    pub fn new(out: W, created: u64) -> Builder<W> {
        Builder {
            out,
            created,
            games: SpooledTempFile::new(IN_MEMORY),
            plies: Vec::new(),
            // The empty string is number 0.
            ids: HashMap::from([(Box::default(), 0)]),
            strings: vec![b'\n'],
        }
    }

    /// Adds what a [`RecordWriter`] has written: a game or several.
    ///
    /// # Errors
    /// If the file is full, or games cannot be put aside.
    pub fn add(&mut self, records: &[Record]) -> io::Result<()> {
        records.iter().try_for_each(|record| self.add_one(record))
    }

    fn add_one(&mut self, record: &Record) -> io::Result<()> {
        if self.plies.len() == u32::MAX as usize {
            return Err(io::Error::other(
                "a .cdb file holds at most 4,294,967,295 games",
            ));
        }
        let mut game = Vec::with_capacity(game_length(record.plies));
        for value in &record.tags {
            let value = value.as_deref().unwrap_or_default();
            game.extend_from_slice(&self.id(value.as_bytes())?.to_le_bytes());
        }
        game.extend_from_slice(&record.plies.to_le_bytes());
        game.extend_from_slice(&record.words);
        self.games.write_all(&game)?;
        self.plies.push(record.plies);
        Ok(())
    }

    /// The number of a string.
    fn id(&mut self, value: &[u8]) -> io::Result<u32> {
        if let Some(id) = self.ids.get(value) {
            return Ok(*id);
        }
        let full = |_| io::Error::other("a .cdb file holds at most 4,294,967,295 strings");
        let id = u32::try_from(self.ids.len()).map_err(full)?;
        self.ids.insert(value.into(), id);
        self.strings.extend_from_slice(value);
        self.strings.push(b'\n');
        Ok(id)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If the output cannot be written or the games cannot be read back.
    pub fn finish(mut self) -> io::Result<W> {
        let start = Generation::Third.header() as u64;
        let games: u64 = self.plies.iter().map(|&p| game_length(p) as u64).sum();
        let out = &mut self.out;
        out.write_all(&self.created.to_le_bytes())?;
        // Both have been counted with 32 bits.
        out.write_all(&(self.plies.len() as u32).to_le_bytes())?;
        out.write_all(&(self.ids.len() as u32).to_le_bytes())?;
        out.write_all(&(start + games).to_le_bytes())?;
        self.games.seek(SeekFrom::Start(0))?;
        io::copy(&mut self.games, out)?;
        let mut index = Vec::with_capacity(self.plies.len() * Generation::Third.entry());
        let mut offset = start;
        for plies in self.plies {
            index.extend_from_slice(&offset.to_le_bytes());
            index.extend_from_slice(&plies.to_le_bytes());
            offset += game_length(plies) as u64;
        }
        out.write_all(&index)?;
        out.write_all(&self.strings)?;
        out.flush()?;
        Ok(self.out)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_time_is_that_of_the_environment_or_now() {
        let now = UNIX_EPOCH + Duration::from_millis(2_500);
        assert_eq!(created_at(None, now), 2_500_000_000);
        assert_eq!(created_at(Some("nonsense"), now), 2_500_000_000);
        assert_eq!(created_at(Some(" 7\n"), now), 7_000_000_000);
    }
}
