//! Events to files.

use tabiya_chess::{Position, Variant};
use tabiya_game::{Event, Flow, GameErrorKind, GameResult, GameSink, LossKind, Losses, Needs};

use super::{FRAME, MARK, MOST, checksum, record};
use crate::{
    GameWriter, Records,
    pgn::start_of_tags,
    ply16::{code::Profile, writer::Line},
    writing::{Ledger, Wishes},
};

/// Of the room of a game, one half is for the tags and one for the words.
const ROOM: usize = MOST / 2;

/// Writes each game as a record of a `.ply16` file. Records behind a
/// [`HEADING`](super::HEADING) are a file.
#[derive(Debug)]
pub struct RecordWriter {
    out: Vec<u8>,
    tags: Vec<u8>,
    tag_count: u32,
    fen: Option<String>,
    variant: Option<String>,
    /// The start, if the tags do not say it.
    start: Option<(Variant, String)>,
    line: Line,
    ledger: Ledger,
}

impl Default for RecordWriter {
    fn default() -> RecordWriter {
        RecordWriter {
            out: Vec::new(),
            tags: Vec::new(),
            tag_count: 0,
            fen: None,
            variant: None,
            start: None,
            line: Line::new(Profile::Document, ROOM / 2),
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
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    fn begin(&mut self) {
        self.ledger.start_game();
        self.tags.clear();
        self.tag_count = 0;
        (self.fen, self.variant, self.start) = (None, None, None);
        self.line.clear();
    }

    fn tag(&mut self, name: &str, value: &str) {
        // A start takes less than a kilobyte beside the tags.
        if self.tags.len() + name.len() + value.len() + 8 > ROOM - 1_024 {
            let what = || format!("the tag {name}: the tags of a game have {ROOM} bytes");
            return self.ledger.lose(LossKind::Tag, what);
        }
        put_text(&mut self.tags, name);
        put_text(&mut self.tags, value);
        self.tag_count += 1;
        let first = match name {
            "FEN" => &mut self.fen,
            "Variant" => &mut self.variant,
            _ => return,
        };
        first.get_or_insert_with(|| value.to_owned());
    }

    fn start(&mut self, position: &Position) {
        let said = start_of_tags(self.fen.as_deref(), self.variant.as_deref());
        if said.as_ref() != Ok(position) {
            let fen = position.to_setup().to_shredder_fen();
            self.start = Some((position.variant(), fen));
        }
    }

    fn end(&mut self, result: GameResult) {
        self.out.extend_from_slice(&MARK);
        let frame = self.out.len();
        self.out.extend_from_slice(&[0; FRAME - MARK.len()]);
        let fields = self.out.len();
        let place = GameResult::ALL.iter().position(|r| *r == result);
        self.out.push(place.unwrap_or_default() as u8);
        self.out.push(match self.start {
            Some(_) => record::HAS_START,
            None => 0,
        });
        put_number(&mut self.out, self.tag_count);
        self.out.extend_from_slice(&self.tags);
        if let Some((variant, fen)) = &self.start {
            let place = Variant::ALL.iter().position(|v| v == variant);
            self.out.push(place.unwrap_or_default() as u8);
            put_text(&mut self.out, fen);
        }
        let words = self.line.words();
        // The line has room for fewer words than a number can count.
        put_number(&mut self.out, (words.len() / 2) as u32);
        self.out.extend_from_slice(words);
        let fields = &self.out[fields..];
        let (length, sum) = (fields.len() as u32, checksum(fields));
        self.out[frame..][..4].copy_from_slice(&length.to_be_bytes());
        self.out[frame + 4..][..4].copy_from_slice(&sum.to_be_bytes());
    }
}

fn put_number(out: &mut Vec<u8>, number: u32) {
    out.extend_from_slice(&number.to_be_bytes());
}

/// A text behind its length, which has been checked to be below [`ROOM`].
fn put_text(out: &mut Vec<u8>, text: &str) {
    put_number(out, text.len() as u32);
    out.extend_from_slice(text.as_bytes());
}

impl GameSink for RecordWriter {
    fn needs(&mut self) -> Needs {
        self.ledger.needs()
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => self.begin(),
            Event::Tag { name, value } => self.tag(name, value),
            Event::Start(position) => self.start(position),
            Event::GameEnd { result, .. } => self.end(result),
            Event::Error(error)
                if let GameErrorKind::BadStart | GameErrorKind::UnknownVariant = error.kind =>
            {
                // The tags are kept, and who reads them again comes to the same error.
                self.start = None;
                let what = || format!("the moves: {}", error.message);
                self.ledger.lose(LossKind::Error, what);
            }
            other => return self.line.event(other, &mut self.ledger),
        }
        Flow::Continue
    }
}

impl GameWriter for RecordWriter {
    fn len(&self) -> usize {
        self.out.len()
    }

    fn take(&mut self) -> Records {
        Records::new(super::RECORDS, RecordWriter::take(self))
    }

    fn take_losses(&mut self) -> Losses {
        std::mem::take(&mut self.ledger.losses)
    }
}
