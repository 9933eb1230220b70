//! Games and texts as entries of a ChessBase database.
//!
//! [`RecordWriter`] hears events and makes a [`StoredEntry`] of each game, text or entry that is
//! kept as it is. Entries know nothing of each other, so that several threads can make them; a
//! [`assembly`](super::assembly) gives them their numbers and joins them.
//!
//! ```
//! use tabiya_chessbase::writer::RecordWriter;
//! use tabiya_formats::pgn::Parser;
//!
//! let mut writer = RecordWriter::default();
//! Parser::new("[White \"Tal, Mikhail\"]\n\n1. e4 {Best by test} e5 *").read_game(&mut writer);
//! let entries = writer.take();
//! let [entry] = &entries[..] else { panic!("one game") };
//! assert_eq!(entry.details.white.last.text(), b"Tal");
//! assert!(!entry.annotations.is_empty());
//! ```

mod entry;
pub(super) mod header;
pub(super) mod notes;

#[cfg(test)]
mod tests;

use tabiya_game::{
    Annotation, Comment, CommentPlace, Damage, Event, Flow, GameError, GameErrorKind, GameResult,
    GameSink, LossKind, Losses, Needs, Place, Tags,
};

pub use entry::StoredEntry;

use self::notes::NoteTaker;
use super::{
    annotations::{self, FORMAT},
    encoding::TextCodec,
    files::{
        extended::ExtendedRecord,
        flags_file::GameMarks,
        header::{Entry, RECORD, TextRecord},
        tags::Details,
    },
    moves::Recorder,
    text::GuidingText,
};
use tabiya_formats::{
    GameWriter, Records,
    writing::{Wishes, error_comment, unknown},
};

/// What the [`Records`] of a [`RecordWriter`] are called.
pub(super) const RECORDS: &str = "chessbase:cbh";

/// What is kept of a text besides its words.
pub(super) const FORMATTING: &str = "formatting of a text";

/// What a text has in files of their own, which is told after it.
pub(super) const MEDIA: &str = "media of a text";

/// How an entry is told that is kept as it is, with everything that belongs to it: a
/// [`StoredEntry`].
pub(super) const WHOLE_ENTRY: &str = "chessbase, whole entry";

/// How what tags do not tell of a game comes from such a database: a raw annotation with a number
/// that no annotation has. It holds a [`StoredEntry`] without moves and annotations.
pub(super) const BESIDES_TAGS: u16 = 0x100;

/// Makes entries of what it hears.
#[derive(Debug)]
pub struct RecordWriter {
    codec: TextCodec,
    tags: Tags,
    moves: Recorder,
    notes: NoteTaker,
    /// It is one of the best.
    top: bool,
    /// What the game has besides tags, if it comes from such a database.
    besides: Option<Box<StoredEntry>>,
    entries: Vec<StoredEntry>,
    wishes: Wishes,
    game: u64,
    losses: Losses,
}

/// A writer of names and texts in Windows-1252, and in UTF-8 where that does not have a letter.
impl Default for RecordWriter {
    fn default() -> RecordWriter {
        RecordWriter::new(TextCodec::default())
    }
}

impl RecordWriter {
    /// A writer of names and texts in an encoding.
    #[must_use]
    pub fn new(codec: TextCodec) -> RecordWriter {
        RecordWriter {
            notes: NoteTaker::new(annotations::RecordWriter::new(codec.clone())),
            codec,
            tags: Tags::new(),
            moves: Recorder::default(),
            top: false,
            besides: None,
            entries: Vec::new(),
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

    /// What has been written since it was last taken.
    #[must_use]
    pub fn take(&mut self) -> Vec<StoredEntry> {
        std::mem::take(&mut self.entries)
    }

    /// How many entries that would be.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether that would be none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What could not be written since this was last asked.
    #[must_use]
    pub fn take_losses(&mut self) -> Losses {
        let mut losses = std::mem::take(&mut self.losses);
        losses.append(self.moves.take_losses());
        losses.append(self.notes.take_losses());
        losses
    }

    fn lose(&mut self, kind: LossKind, what: impl FnOnce() -> String) {
        self.losses.note(self.game, kind, what);
    }

    fn begin(&mut self, place: Place) {
        self.game += 1;
        self.tags.clear();
        self.besides = None;
        self.top = false;
        self.moves.event(Event::GameStart(place));
        self.notes.begin(self.game);
    }

    /// A tag, unless its place is among the annotations or the marks.
    fn tag(&mut self, name: &str, value: &str) {
        if (name, value) == ("TopGame", "1") {
            self.top = true;
        } else if !self.notes.tag(name, value) {
            self.tags.push(name, value);
        }
    }

    fn step(&mut self, event: Event<'_>) {
        let before = self.moves.last();
        self.notes.before_step(&event, before);
        self.moves.event(event);
        self.notes.after_step(&event, before, self.moves.last());
    }

    /// What is broken is kept as a comment. A game without its start is another game: that is lost.
    fn error(&mut self, error: GameError<'_>) {
        if let GameErrorKind::BadStart | GameErrorKind::UnknownVariant = error.kind {
            return self.lose(LossKind::Error, || {
                format!("what could not be read: {}", error.message)
            });
        }
        let comment = Event::Comment(Comment {
            place: CommentPlace::After,
            language: None,
            text: &error_comment::write(&error),
        });
        self.notes.take(&comment, self.moves.last());
    }

    fn end(&mut self, result: GameResult) {
        let mut moves = Vec::new();
        if let Err(error) = self.moves.write(&mut moves) {
            return self.lose(LossKind::Entry, || format!("the whole game: {error}"));
        }
        let recorder = &self.moves;
        let stored = |taken| recorder.stored(taken);
        let written = self.notes.finish(recorder.last(), stored);
        let entry = self.entry(result, moves, written);
        self.entries.push(entry);
    }

    fn text(&mut self, title: &str, language: Option<&str>, text: &str) {
        self.game += 1;
        let Some((text, losses)) = GuidingText::new(title, language, text, &self.codec) else {
            return self.lose(LossKind::Entry, || {
                format!("the text {title:?}, which is too long")
            });
        };
        for (kind, what) in losses {
            self.lose(kind, || what);
        }
        self.plain_entry(Entry::Text(TextRecord::default()), &text.to_bytes());
    }

    /// An entry that comes from such a database: its header and its record of the `.cbg` file. It
    /// keeps all but the names, which are elsewhere.
    ///
    /// Behind the name of the format may stand, after a comma, what it is. The formatting of a
    /// text comes after the text itself, which has been written.
    fn opaque(&mut self, format: &str, bytes: &[u8]) {
        if format == WHOLE_ENTRY
            && let Ok((entry, [])) = StoredEntry::read(bytes)
        {
            return self.whole_entry(entry);
        }
        let damage = Damage::of(format);
        if let Some(damage @ Damage::Beside(_)) = damage {
            return self.lose(LossKind::Error, || damage.to_string());
        }
        let (format, what) = format.split_once(", ").unwrap_or((format, "an entry"));
        if [FORMATTING, MEDIA].contains(&what) {
            return self.lose(LossKind::Entry, || what.to_owned());
        }
        self.game += 1;
        if let Some(damage) = damage {
            self.lose(LossKind::Error, || damage.to_string());
        }
        let parts = bytes.split_first_chunk::<RECORD>();
        let (FORMAT, Some((header, moves))) = (format, parts) else {
            return self.lose(LossKind::Entry, || {
                format!("an entry of {format} that is no game")
            });
        };
        self.lose(LossKind::Entry, || {
            "the names of an entry that is kept as it is".to_owned()
        });
        self.plain_entry(Entry::from_bytes(header), moves);
    }

    /// An entry that keeps its names too. Media are in files of their own, which stay behind.
    fn whole_entry(&mut self, mut entry: StoredEntry) {
        self.game += 1;
        if entry.extended.media != ExtendedRecord::default().media {
            entry.extended.media = ExtendedRecord::default().media;
            self.lose(LossKind::Entry, || "the media of a text".to_owned());
        }
        self.entries.push(entry);
    }

    fn plain_entry(&mut self, header: Entry, moves: &[u8]) {
        let entry = StoredEntry {
            header,
            extended: ExtendedRecord::default(),
            details: Details::default(),
            mark: GameMarks::default(),
            extra: None,
            moves: moves.to_vec(),
            annotations: Vec::new(),
        };
        self.entries.push(entry);
    }
}

impl GameSink for RecordWriter {
    fn needs(&mut self) -> Needs {
        Needs::ALL
            .variations(self.wishes.variations)
            .notes(self.wishes.comments || self.wishes.nags)
            .native(Some(FORMAT))
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(place) => self.begin(place),
            Event::Tag { name, value } => self.tag(name, value),
            Event::Start(_) => {
                self.moves.event(event);
            }
            Event::Move { .. } | Event::Null { .. } | Event::Missing => self.step(event),
            Event::VariationStart | Event::VariationEnd => self.step(event),
            Event::Annotation(Annotation::Raw {
                format,
                code: BESIDES_TAGS,
                bytes,
            }) if format == FORMAT => {
                let besides = StoredEntry::read(bytes).ok();
                self.besides = besides.map(|(entry, _)| Box::new(entry));
            }
            Event::Nag(_) if !self.wishes.nags => {}
            Event::Comment(_) | Event::Annotation(_) if !self.wishes.comments => {}
            Event::Nag(_) | Event::Comment(_) | Event::Annotation(_) => {
                self.notes.take(&event, self.moves.last());
            }
            Event::Error(error) => self.error(error),
            Event::GameEnd { result, .. } => self.end(result),
            Event::Text {
                title,
                language,
                text,
                ..
            } => self.text(title, language, text),
            Event::Opaque { format, bytes, .. } => self.opaque(format, bytes),
            other => self.lose(LossKind::Unknown, || unknown(other)),
        }
        Flow::Continue
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
