//! Files to events.

use std::{borrow::Cow, sync::Arc};

use tabiya_chess::Position;
use tabiya_game::{Event, Flow, GameErrorKind, GameResult, GameSink, Listener, Place};

use super::{
    FEN, GAME, RESULT, TAGS, TERMINATION,
    layout::{Entry, Generation, Layout, game_length, u32_at},
    result_of,
    strings::Strings,
};
use crate::{
    database::{Database, Part},
    pgn::start_of_tags,
    ply16::{
        code::Profile,
        error::{Error, ErrorKind},
        reader::{Moves, ReadOptions, text},
    },
};

/// No generation fits the bytes.
const UNRECOGNISED: Error = Error {
    kind: ErrorKind::UnrecognisedContainer,
    offset: 0,
};

/// How many games a part has.
const PART_GAMES: u32 = 1_000;

/// A `.cdb` file, open for reading.
pub struct Cdb<B: ?Sized> {
    file: Arc<File<B>>,
    next: u32,
    ended: bool,
    /// What is missing, if that was no reason to refuse it.
    damage: Option<String>,
}

/// A file and what stands where in it.
struct File<B: ?Sized> {
    layout: Layout,
    strings: Strings,
    options: ReadOptions,
    bytes: Arc<B>,
}

impl<B: AsRef<[u8]> + ?Sized> Cdb<B> {
    /// Opens a file.
    ///
    /// # Errors
    /// [`ErrorKind::UnrecognisedContainer`] if no generation fits the bytes.
    pub fn open(bytes: Arc<B>, options: ReadOptions) -> Result<Cdb<B>, Error> {
        let all = (*bytes).as_ref();
        let layout = Layout::find(all).ok_or(UNRECOGNISED)?;
        Ok(Cdb::new(layout, bytes, options))
    }

    /// Opens a file that may be cut off: the games that are whole are told, without the tags,
    /// which stand behind all games.
    ///
    /// # Errors
    /// [`ErrorKind::UnrecognisedContainer`] if no generation fits the bytes.
    pub fn open_cut(bytes: Arc<B>, options: ReadOptions) -> Result<Cdb<B>, Error> {
        let all = (*bytes).as_ref();
        if let Some(layout) = Layout::find(all) {
            return Ok(Cdb::new(layout, bytes, options));
        }
        let layout = Layout::of_cut(all).ok_or(UNRECOGNISED)?;
        let (found, length) = (layout.header.games, all.len());
        // The number of games has one place in all generations.
        let announced = u32_at(all, 8).unwrap_or(found);
        let damage = format!(
            "the file is cut off at byte {length}: {found} of {announced} games are there, and no tags"
        );
        Ok(Cdb {
            damage: Some(damage),
            ..Cdb::new(layout, bytes, options)
        })
    }

    fn new(layout: Layout, bytes: Arc<B>, options: ReadOptions) -> Cdb<B> {
        let all = (*bytes).as_ref();
        let strings = Strings::find(&all[layout.strings..], layout.header.strings);
        Cdb {
            file: Arc::new(File {
                layout,
                strings,
                options,
                bytes,
            }),
            next: 0,
            ended: false,
            damage: None,
        }
    }

    /// How many games it has.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.file.layout.header.games
    }

    /// How its header and index are built.
    #[must_use]
    pub fn generation(&self) -> Generation {
        self.file.layout.header.generation
    }

    /// When it was written, in nanoseconds since 1970.
    #[must_use]
    pub fn created(&self) -> u64 {
        self.file.layout.header.created
    }
}

impl<B: AsRef<[u8]> + Send + Sync + ?Sized + 'static> Database for Cdb<B> {
    fn next_part(&mut self) -> Result<Option<Box<dyn Part>>, tabiya_game::Error> {
        if self.ended {
            return Ok(None);
        }
        let first = self.next;
        let games = self.games();
        self.next = games.min(first.saturating_add(PART_GAMES));
        self.ended = self.next == games;
        Ok(Some(Box::new(Games {
            file: Arc::clone(&self.file),
            games: first..self.next,
            is_last: self.ended,
        })))
    }

    fn warnings(&self) -> Vec<String> {
        self.damage.iter().cloned().collect()
    }
}

/// Some games in a row.
struct Games<B: ?Sized> {
    file: Arc<File<B>>,
    games: std::ops::Range<u32>,
    is_last: bool,
}

impl<B: AsRef<[u8]> + Send + Sync + ?Sized> Part for Games<B> {
    fn tell(&self, sink: &mut dyn GameSink) -> Result<Flow, tabiya_game::Error> {
        let view = self.file.view();
        for index in self.games.clone() {
            let mut listener: Listener<'_> = Listener::new(sink);
            view.tell(index, &mut listener);
            if listener.finish() == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        let behind = &view.bytes[view.layout.strings + view.strings.end()..];
        if self.is_last && !behind.is_empty() {
            // Programs do not look behind the strings, so others may put something there.
            let offset = (view.bytes.len() - behind.len()) as u64;
            let mut listener: Listener<'_> = Listener::new(sink);
            listener.event(Event::Opaque {
                place: Place::at_byte(offset),
                format: "cdb",
                bytes: behind,
            });
            return Ok(listener.finish());
        }
        Ok(Flow::Continue)
    }
}

impl<B: AsRef<[u8]> + ?Sized> File<B> {
    fn view(&self) -> View<'_> {
        View {
            bytes: (*self.bytes).as_ref(),
            layout: &self.layout,
            strings: &self.strings,
            options: self.options,
        }
    }
}

/// A file as one looks at it.
#[derive(Clone, Copy)]
pub(super) struct View<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) layout: &'b Layout,
    pub(super) strings: &'b Strings,
    pub(super) options: ReadOptions,
}

/// What is wrong, and the bytes that are.
type Damage<'b> = Vec<(Error, &'b [u8])>;

impl<'b> View<'b> {
    /// Where a game stands; entries that do not agree with it are damage.
    pub(super) fn locate(&self, index: u32, damage: &mut Damage<'b>) -> Option<Entry> {
        let entry = self.layout.entry(self.bytes, index);
        if let Some(entry) = entry
            && self.layout.agrees(self.bytes, entry)
        {
            return Some(entry);
        }
        let range = self.layout.entry_range(index).unwrap_or_default();
        let kind = ErrorKind::BadIndex;
        let offset = range.start as u64;
        let raw = self.bytes.get(range).unwrap_or_default();
        damage.push((Error { kind, offset }, raw));
        self.layout.locate(self.bytes, index)
    }

    fn tell(&self, index: u32, sink: &mut Listener<'_>) {
        let needs = sink.needs();
        let mut damage = Damage::new();
        let Some(entry) = self.locate(index, &mut damage) else {
            let place = damage.last().map_or(0, |(error, _)| error.offset);
            let flow = sink.event(Event::GameStart(Place::at_byte(place)));
            let start = Position::initial();
            let moves = self.moves(&[], place, Ok(start), GameResult::Unknown);
            return moves.tell(flow, &damage, sink);
        };
        let offset = entry.offset as u64;
        let tags = self.tags(entry.offset, &mut damage);
        let mut flow = sink.event(Event::GameStart(Place::at_byte(offset)));
        if needs.tags {
            flow = tell_tags(&tags, flow, sink);
        }
        let tag = |slot: usize| tags[slot].as_deref();
        let words = self.words(entry, &mut damage);
        let start = match self.is_cut(entry.offset, FEN) {
            false => start_of_tags(tag(FEN), None),
            true => Err((GameErrorKind::BadStart, "its FEN does not exist".to_owned())),
        };
        let result = result_of(tag(RESULT), tag(TERMINATION));
        let moves = self.moves(words, offset + GAME as u64, start, result);
        moves.tell(flow, &damage, sink);
    }

    fn moves(
        &self,
        words: &'b [u8],
        offset: u64,
        start: Result<Position, (GameErrorKind, String)>,
        result: GameResult,
    ) -> Moves<'b> {
        Moves {
            words,
            offset,
            profile: Profile::Program,
            options: self.options,
            start,
            result,
        }
    }

    /// The words of a game, those that are there.
    pub(super) fn words(&self, entry: Entry, damage: &mut Damage<'b>) -> &'b [u8] {
        let games = &self.bytes[..self.layout.games_end.min(self.bytes.len())];
        let start = (entry.offset + GAME).min(games.len());
        let end = entry.offset + game_length(entry.plies);
        if end > games.len() {
            let kind = ErrorKind::Truncated;
            let offset = games.len() as u64;
            damage.push((Error { kind, offset }, &[]));
        }
        &games[start..end.min(games.len())]
    }

    /// Whether a tag of a game names a string that does not exist.
    fn is_cut(&self, game: usize, slot: usize) -> bool {
        u32_at(self.bytes, game + 4 * slot).is_some_and(|id| id > 0 && id >= self.strings.len())
    }

    /// The values of the tags of a game; those that are empty or do not exist are left out.
    pub(super) fn tags(&self, game: usize, damage: &mut Damage<'b>) -> [Option<Cow<'b, str>>; 16] {
        let strings = &self.bytes[self.layout.strings..];
        std::array::from_fn(|slot| {
            let at = game + 4 * slot;
            let id = u32_at(self.bytes, at)?;
            let Some(range) = self.strings.range(id) else {
                if id == 0 {
                    return None; // the empty string, be it there or not
                }
                let kind = ErrorKind::BadTagId {
                    tag: TAGS[slot],
                    id,
                    strings: self.strings.len(),
                };
                let offset = at as u64;
                damage.push((Error { kind, offset }, &self.bytes[at..at + 4]));
                return None;
            };
            (!range.is_empty()).then(|| text(&strings[range]))
        })
    }
}

fn tell_tags(tags: &[Option<Cow<'_, str>>; 16], flow: Flow, sink: &mut Listener<'_>) -> Flow {
    let mut flow = flow;
    for (name, value) in TAGS.into_iter().zip(tags) {
        let Some(value) = value else { continue };
        if name == "FEN" && flow == Flow::Continue {
            let (name, value) = ("SetUp", "1");
            flow = sink.event(Event::Tag { name, value });
        }
        if flow == Flow::Continue {
            flow = sink.event(Event::Tag { name, value });
        }
    }
    flow
}
