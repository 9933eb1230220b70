//! Files to events.

use std::{borrow::Cow, sync::Arc};

use encoding_rs::{Encoding, WINDOWS_1252};
use tabiya_chess::Position;
use tabiya_game::{
    Event, Flow, GameError, GameErrorKind, GameResult, GameSink, GameState, Listener, Place,
};

use super::{
    container::{self, Container, Record, TagFields},
    defective::{self, BestEffort},
    error::{Error, ErrorKind},
    units::{self, Flagged, hex, tell_error},
};
use crate::{Database, Part, pgn, registry::Certainty};

/// How files are read.
#[derive(Clone, Copy, Default, Debug)]
pub struct ReadOptions {
    /// The encoding of tags; without one, each text is UTF-8 or, if it is not, Windows-1252.
    pub encoding: Option<&'static Encoding>,
    /// Reads the words as those of the original program, which are defective: each must be the
    /// word of one legal move only. That program also leaves out the last ply of every line of
    /// PGN, so what comes out may be another game than what was put in.
    pub best_effort: bool,
}

/// Whether a file is one of cmbr games: it has their magic.
pub fn recognise(head: &[u8]) -> Certainty {
    match Container::of(head) {
        Some(_) => Certainty::Sure,
        None => Certainty::No,
    }
}

/// A file of games, open for reading.
///
/// Damage within a game breaks that game alone as long as its sections can be found. Where they
/// cannot, nothing says where the next game begins: the database ends there with an error.
///
/// ```
/// use tabiya_formats::{Database, cmbr::Cmbr};
/// use tabiya_game::GameTree;
///
/// let file = b"cmbr\x04\x01\x01\x01\x01E\x01X\x04\x04\x02\x00\x00\xe0\x00\x01\x20\x03\x03u";
/// let mut cmbr = Cmbr::open(file.to_vec(), Default::default())?;
/// let mut tree = GameTree::default();
/// cmbr.next_part()?.unwrap().tell(&mut tree)?;
/// assert_eq!(tree.tags.get("E"), Some("X"));
/// assert_eq!(tree.main_line().count(), 2);
/// # Ok::<(), tabiya_game::Error>(())
/// ```
#[derive(Debug)]
pub struct Cmbr<B> {
    bytes: Arc<B>,
    container: Container,
    options: ReadOptions,
    /// Where the next game begins.
    at: usize,
    /// What ended the file before its end.
    damage: Option<Error>,
}

/// How many bytes of games are told by one thread at a time.
const PART_BYTES: usize = 1 << 18;

impl<B: AsRef<[u8]> + Send + Sync> Cmbr<B> {
    /// Opens a file.
    ///
    /// # Errors
    /// If it does not begin as such a file does.
    pub fn open(bytes: B, options: ReadOptions) -> Result<Cmbr<B>, Error> {
        let container = Container::of(bytes.as_ref()).ok_or(Error {
            kind: ErrorKind::BadMagic,
            offset: 0,
        })?;
        Ok(Cmbr {
            bytes: Arc::new(bytes),
            container,
            options,
            at: container.magic().len(),
            damage: None,
        })
    }

    /// How it counts.
    #[must_use]
    pub fn container(&self) -> Container {
        self.container
    }

    /// The next games up to a number of bytes, or to where the file is damaged: where they begin,
    /// and how many there are.
    fn next_games(&mut self) -> (usize, usize) {
        let bytes = (*self.bytes).as_ref();
        let start = self.at;
        let mut count = 0;
        while self.at < bytes.len() && self.at - start < PART_BYTES && self.damage.is_none() {
            match Record::find(bytes, self.at, self.container) {
                Ok(record) => {
                    count += 1;
                    self.at = record.end;
                    self.damage = record.damage.map(|(error, _)| error);
                }
                Err(error) => self.damage = Some(error),
            }
        }
        (start, count)
    }
}

impl<B: AsRef<[u8]> + Send + Sync + 'static> Database for Cmbr<B> {
    fn next_part(&mut self) -> Result<Option<Box<dyn Part>>, tabiya_game::Error> {
        let (start, count) = self.next_games();
        if count > 0 {
            return Ok(Some(Box::new(Games {
                bytes: Arc::clone(&self.bytes),
                container: self.container,
                options: self.options,
                start,
                count,
            })));
        }
        match self.damage.take() {
            Some(error) => {
                self.at = (*self.bytes).as_ref().len();
                Err(error.into())
            }
            None => Ok(None),
        }
    }
}

/// Some games in a row.
struct Games<B> {
    bytes: Arc<B>,
    container: Container,
    options: ReadOptions,
    start: usize,
    count: usize,
}

impl<B: AsRef<[u8]> + Send + Sync> Part for Games<B> {
    fn tell(&self, sink: &mut dyn GameSink) -> Result<Flow, tabiya_game::Error> {
        let bytes = (*self.bytes).as_ref();
        let mut at = self.start;
        for _ in 0..self.count {
            let record = Record::find(bytes, at, self.container)?;
            at = record.end;
            let game = Game {
                bytes,
                record,
                container: self.container,
                options: self.options,
            };
            let mut listener: Listener<'_> = Listener::new(sink);
            game.tell(&mut listener);
            if listener.finish() == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }
}

/// What tags say about the rest of a game.
#[derive(Debug, Default)]
pub(super) struct Header<'a> {
    fen: Option<Cow<'a, str>>,
    variant: Option<Cow<'a, str>>,
    result: Option<GameResult>,
    forfeit: bool,
}

impl<'a> Header<'a> {
    /// Whether a tag says something about the rest of a game.
    pub(super) fn asks_for(name: &str) -> bool {
        matches!(name, "FEN" | "Variant" | "Result" | "Termination")
    }

    pub(super) fn note(&mut self, name: &str, value: Cow<'a, str>) {
        match name {
            "FEN" => self.fen = Some(value),
            "Variant" => self.variant = Some(value),
            "Result" => self.result = value.parse().ok(),
            "Termination" => self.forfeit = pgn::is_forfeit(&value),
            _ => {}
        }
    }

    pub(super) fn start(&self) -> Result<Position, (GameErrorKind, String)> {
        pgn::start_of_tags(self.fen.as_deref(), self.variant.as_deref())
    }

    pub(super) fn has_fen(&self) -> bool {
        self.fen.is_some()
    }

    pub(super) fn has_variant(&self) -> bool {
        self.variant.is_some()
    }

    /// The result of a game that is stored with one of the four letters. They cannot tell a
    /// forfeit, but a tag can.
    pub(super) fn result_of(&self, stored: GameResult) -> GameResult {
        pgn::result_of(stored, self.result, self.forfeit)
    }
}

/// The text of some bytes.
pub(super) fn text<'a>(bytes: &'a [u8], encoding: Option<&'static Encoding>) -> Cow<'a, str> {
    if encoding.is_none()
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Cow::Borrowed(text);
    }
    let encoding = encoding.unwrap_or(WINDOWS_1252);
    encoding.decode_without_bom_handling(bytes).0
}

/// A game of a file.
pub(super) struct Game<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) record: Record,
    pub(super) container: Container,
    pub(super) options: ReadOptions,
}

impl Game<'_> {
    fn tell(&self, sink: &mut Listener<'_>) {
        let needs = sink.needs();
        let place = Place::at_byte(self.record.start.start as u64);
        let mut flow = sink.event(Event::GameStart(place));
        let mut header = Header::default();
        for tag in TagFields::new(self.bytes, &self.record, self.container) {
            let name = text(tag.name, self.options.encoding);
            let value = text(tag.value, self.options.encoding);
            if flow == Flow::Continue && needs.tags {
                let (name, value) = (&*name, &*value);
                flow = sink.event(Event::Tag { name, value });
            }
            header.note(&name, value);
        }
        let result = self.result();
        let mut state = match (&result, &self.record.damage) {
            (Ok(_), None) => GameState::Complete,
            _ => GameState::Broken,
        };
        if flow == Flow::Continue && needs.moves && !self.tell_movetext(&header, sink) {
            state = GameState::Broken;
        }
        let result = header.result_of(result.unwrap_or_default());
        sink.event(Event::GameEnd { result, state });
    }

    /// Tells the start, the moves and everything that is wrong; `false` if something is.
    fn tell_movetext(&self, header: &Header<'_>, sink: &mut Listener<'_>) -> bool {
        let (flow, whole) = match header.start() {
            Ok(start) => self.tell_from(&start, sink),
            Err((kind, message)) => (self.tell_without_start(kind, &message, sink), false),
        };
        if flow == Flow::SkipGame {
            return whole;
        }
        let result = self.result().err().map(|kind| {
            let at = self.record.result.end - 1;
            let offset = at as u64;
            (Error { kind, offset }, at..at + 1)
        });
        let wrongs = [self.record.damage.clone(), result];
        let mut sound = whole;
        for (error, raw) in wrongs.into_iter().flatten() {
            sound = false;
            if tell_error(&error, &self.bytes[raw], sink) == Flow::SkipGame {
                break;
            }
        }
        sound
    }

    /// The start and the moves; whether all of them could be read.
    fn tell_from(&self, start: &Position, sink: &mut Listener<'_>) -> (Flow, bool) {
        let flow = sink.event(Event::Start(start));
        if flow == Flow::SkipGame {
            return (flow, true);
        }
        match self.tell_words(start, sink) {
            Ok(flow) => (flow, true),
            Err(error) => {
                let raw = &self.bytes[error.offset as usize..self.record.moves.end];
                (tell_error(&error, raw, sink), false)
            }
        }
    }

    fn tell_words(&self, start: &Position, sink: &mut Listener<'_>) -> Result<Flow, Error> {
        let moves = &self.bytes[self.record.moves.clone()];
        let offset = self.record.moves.start as u64;
        if self.options.best_effort {
            return units::tell(&BestEffort, moves, offset, start, sink);
        }
        if let Some(kind) = defective::suspect(start, moves) {
            return Err(Error { kind, offset });
        }
        units::tell(&Flagged, moves, offset, start, sink)
    }

    /// Without a start no word can be read: all of them are kept as they are.
    fn tell_without_start(
        &self,
        kind: GameErrorKind,
        message: &str,
        sink: &mut Listener<'_>,
    ) -> Flow {
        if sink.event(Event::Start(&Position::initial())) == Flow::SkipGame {
            return Flow::SkipGame;
        }
        sink.event(Event::Error(GameError {
            kind,
            message,
            raw: &hex(&self.bytes[self.record.moves.clone()]),
            place: Place::at_byte(self.record.start.start as u64),
            first: None,
        }))
    }

    /// What the letter of the result says. Where there is none, that is damage of its own.
    fn result(&self) -> Result<GameResult, ErrorKind> {
        match self.bytes[self.record.result.clone()].last() {
            Some(letter) => container::result(*letter),
            None => Ok(GameResult::Unknown),
        }
    }
}
