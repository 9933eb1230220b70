//! Events to bytes: games of a file, and bare streams.

use std::borrow::Cow;

use tabiya_chess::{Action, Position, Setup, Variant};
use tabiya_game::{
    Annotation, Event, Flow, GameResult, GameSink, GameTree, LossKind, Losses, Nag, Needs,
};

use super::{
    container::{Container, UNIT},
    error::ErrorKind,
    reader::Header,
    word::Layout,
    word24::{self, Cmbr24},
};
use crate::{
    GameWriter, Records,
    stream::{StreamError, StreamPlace, Streams},
    writing::{Ledger, Wishes},
};

/// Writes each game as a record of a file; the file is their sequence behind the
/// [magic](Container::magic).
///
/// Tags that do not fit are left out whole: half a name would look like one. A game with more
/// plies than fit is refused, for a shorter one would be another game.
///
/// ```
/// use tabiya_formats::{cmbr::{Container, Writer}, pgn::Parser};
/// use tabiya_game::LossKind;
///
/// let mut writer = Writer::new(Container::Program);
/// Parser::new("1. e4! e5 1-0").read_game(&mut writer);
/// assert_eq!(writer.take(), b"\x01\x01\x00\x04\x04\x02\x00\x00\xe0\x00\x01\x20\x03\x03w");
/// let lost: Vec<LossKind> = writer.take_losses().iter().map(|(kind, ..)| kind).collect();
/// assert_eq!(lost, [LossKind::Nag]);
/// ```
#[derive(Debug)]
pub struct Writer {
    container: Container,
    out: Vec<u8>,
    /// What the game loses, while it is being written.
    ledger: Ledger,
    /// What earlier games lost.
    losses: Losses,
    /// The bytes of the tags that fit, and how many they are.
    tags: Vec<u8>,
    tag_count: usize,
    header: Header<'static>,
    start: Position,
    moves: Vec<u8>,
    /// Why the game cannot be written.
    refusal: Option<(LossKind, String)>,
}

impl Writer {
    /// A writer of games for a kind of file.
    #[must_use]
    pub fn new(container: Container) -> Writer {
        Writer {
            container,
            out: Vec::new(),
            ledger: Ledger::default(),
            losses: Losses::default(),
            tags: Vec::new(),
            tag_count: 0,
            header: Header::default(),
            start: Position::initial(),
            moves: Vec::new(),
            refusal: None,
        }
    }

    /// Says what is wanted of games, besides their moves.
    #[must_use]
    pub fn with_wishes(mut self, wishes: Wishes) -> Writer {
        self.ledger.wishes = wishes;
        self
    }

    /// How many bytes have been written since they were last taken.
    #[must_use]
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether nothing has been written since it was last taken.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// The games that have been written since they were last taken.
    #[must_use]
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    /// What could not be written since this was last asked; games are counted from 1 as they came.
    #[must_use]
    pub fn take_losses(&mut self) -> Losses {
        std::mem::take(&mut self.losses)
    }

    fn start_game(&mut self) {
        self.ledger.start_game();
        self.tags.clear();
        self.tag_count = 0;
        self.header = Header::default();
        self.start = Position::initial();
        self.moves.clear();
        self.refusal = None;
    }

    fn tag(&mut self, name: &str, value: &str) {
        if let Err(kind) = self.put_tag(name, value) {
            self.ledger.lose(LossKind::Tag, || {
                let name: String = name.chars().take(40).collect();
                format!("the tag {name}: {kind}")
            });
        }
    }

    fn put_tag(&mut self, name: &str, value: &str) -> Result<(), ErrorKind> {
        let most = self.container.most_tags();
        if self.tag_count == most {
            return Err(ErrorKind::TooManyTags { most });
        }
        self.container.put_tag(name, value, &mut self.tags)?;
        self.tag_count += 1;
        if Header::asks_for(name) {
            self.header.note(name, Cow::Owned(value.to_owned()));
        }
        Ok(())
    }

    fn action(&mut self, before: &Position, action: Action) -> Flow {
        if self.ledger.ended {
            return Flow::Continue;
        }
        let most = self.container.most_plies();
        if self.moves.len() / UNIT == most {
            let kind = ErrorKind::TooManyMoves { most };
            let advice = match self.container {
                Container::Program => "; cmbr:wide has room for it",
                Container::Wide => "",
            };
            return self.refuse(LossKind::Move, format!("the game: {kind}{advice}"));
        }
        match Layout::Program.word(before, action) {
            Ok(word) => {
                let [high, low] = word.to_be_bytes();
                self.moves.extend_from_slice(&[0, high, low]);
            }
            Err(kind) => {
                self.ledger
                    .lose(LossKind::Move, || format!("the moves from where {kind}"));
                self.ledger.ended = true;
            }
        }
        Flow::Continue
    }

    fn refuse(&mut self, kind: LossKind, what: String) -> Flow {
        self.refusal = Some((kind, what));
        Flow::SkipGame
    }

    /// Makes sure that a reader starts where the game does: words mean nothing elsewhere.
    fn settle_start(&mut self) {
        if !self.header.has_fen() && self.header.start() != Ok(self.start) {
            self.add_start_tags();
        }
        match self.header.start() {
            Ok(start) if start == self.start => {}
            // A bad start, whose moves were told as text: its tags are kept as they are.
            Err(_) if self.moves.is_empty() && self.start == Position::initial() => {}
            _ => {
                let what = "the game: its tags say that it starts elsewhere";
                self.refuse(LossKind::Start, what.to_string());
            }
        }
    }

    fn add_start_tags(&mut self) {
        let variant = self.start.variant();
        if variant != Variant::Standard && !self.header.has_variant() {
            let name = match variant {
                Variant::Chess960 => "Chess960",
                _ => "Antichess",
            };
            self.tag("Variant", name);
        }
        if self.start.to_setup() != Setup::INITIAL {
            self.tag("SetUp", "1");
            self.tag("FEN", &self.start.to_string());
        }
    }

    fn end_game(&mut self, result: GameResult) {
        if self.refusal.is_none() {
            self.settle_start();
        }
        if let Some((kind, what)) = self.refusal.take() {
            // The whole game is lost, not this and that of it.
            self.ledger.losses = Losses::default();
            self.ledger.lose(kind, || what);
        } else {
            self.write_game(result);
        }
        self.losses.append(std::mem::take(&mut self.ledger.losses));
    }

    fn write_game(&mut self, result: GameResult) {
        let stored: GameResult = result.token().parse().unwrap_or_default();
        if self.header.result_of(stored) != result {
            self.ledger
                .lose(LossKind::Result, || format!("the result {}", result.tag()));
        }
        let tags = (self.tag_count, &*self.tags);
        self.container
            .put_game(tags, &self.moves, result, &mut self.out);
    }
}

impl GameSink for Writer {
    fn needs(&mut self) -> Needs {
        self.ledger.needs()
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if self.ledger.takes(&event) {
            return Flow::Continue;
        }
        match event {
            Event::Move { before, play, .. } => return self.action(before, Action::Move(play)),
            Event::Null { before, .. } => return self.action(before, Action::Null),
            Event::GameStart(_) => self.start_game(),
            Event::Tag { name, value } => self.tag(name, value),
            Event::Start(position) => self.start = *position,
            Event::Missing if self.ledger.ended => {}
            Event::Error(error) => self.ledger.lose_error(&error),
            Event::GameEnd { result, .. } => self.end_game(result),
            Event::Text { .. } | Event::Opaque { .. } => {
                let flow = self.ledger.enter(event);
                self.losses.append(std::mem::take(&mut self.ledger.losses));
                return flow;
            }
            other => return self.ledger.enter_and_hear(other),
        }
        Flow::Continue
    }
}

impl GameWriter for Writer {
    fn len(&self) -> usize {
        Writer::len(self)
    }

    fn take(&mut self) -> Records {
        Records::new(self.container.records(), Writer::take(self))
    }

    fn take_losses(&mut self) -> Losses {
        Writer::take_losses(self)
    }
}

/// Writes the words of a bare stream.
pub(super) trait Put {
    /// Adds the word of a move or a pass.
    fn put(&self, before: &Position, action: Action, out: &mut Vec<u8>) -> Result<(), ErrorKind>;

    /// Adds a glyph; `false` if there is no word for it.
    fn put_nag(&self, _nag: Nag, _out: &mut Vec<u8>) -> bool {
        false
    }

    /// Adds an annotation; `false` if there is no word for it.
    fn put_annotation(&self, _annotation: &Annotation, _out: &mut Vec<u8>) -> bool {
        false
    }
}

impl Put for Layout {
    fn put(&self, before: &Position, action: Action, out: &mut Vec<u8>) -> Result<(), ErrorKind> {
        out.extend_from_slice(&self.word(before, action)?.to_be_bytes());
        Ok(())
    }
}

impl Put for Cmbr24 {
    fn put(&self, before: &Position, action: Action, out: &mut Vec<u8>) -> Result<(), ErrorKind> {
        put24(self.word(before, action)?, out);
        Ok(())
    }

    fn put_nag(&self, nag: Nag, out: &mut Vec<u8>) -> bool {
        put24(word24::nag_word(nag), out);
        true
    }

    fn put_annotation(&self, annotation: &Annotation, out: &mut Vec<u8>) -> bool {
        let number = word24::pointer_of(annotation);
        if let Some(number) = number {
            put24(word24::variation_word(number), out);
        }
        number.is_some()
    }
}

fn put24(word: u32, out: &mut Vec<u8>) {
    out.extend_from_slice(&word.to_le_bytes()[..3]);
}

/// Writes the main line of a game as bare words.
pub(super) fn encode<P: Put>(
    words: &P,
    game: &GameTree,
    losses: &mut Losses,
) -> Result<Streams, StreamError> {
    let mut encoder = Encoder {
        words,
        out: Vec::new(),
        ply: 0,
        ledger: Ledger::default(),
        error: None,
    };
    game.tell(&mut encoder);
    match encoder.error {
        Some(kind) => Err(stream_error(&kind, StreamPlace::Ply(encoder.ply))),
        None => {
            losses.append(encoder.ledger.losses);
            Ok(Streams::from(encoder.out))
        }
    }
}

pub(super) fn stream_error(kind: &ErrorKind, place: StreamPlace) -> StreamError {
    StreamError {
        name: kind.name(),
        place,
        message: kind.to_string(),
    }
}

struct Encoder<'w, P> {
    words: &'w P,
    out: Vec<u8>,
    ply: u64,
    ledger: Ledger,
    error: Option<ErrorKind>,
}

impl<P: Put> Encoder<'_, P> {
    fn action(&mut self, before: &Position, action: Action) -> Flow {
        self.ply += 1;
        match self.words.put(before, action, &mut self.out) {
            Ok(()) => Flow::Continue,
            Err(kind) => self.fail(kind),
        }
    }

    fn fail(&mut self, kind: ErrorKind) -> Flow {
        self.error = Some(kind);
        Flow::SkipGame
    }
}

impl<P: Put> GameSink for Encoder<'_, P> {
    fn event(&mut self, event: Event<'_>) -> Flow {
        if self.ledger.takes(&event) {
            return Flow::Continue;
        }
        match event {
            Event::Move { before, play, .. } => return self.action(before, Action::Move(play)),
            Event::Null { before, .. } => return self.action(before, Action::Null),
            Event::Missing => {
                self.ply += 1;
                let what = "a ply that was left out";
                return self.fail(ErrorKind::NotRepresentable { what });
            }
            Event::Nag(nag) if self.words.put_nag(nag, &mut self.out) => {}
            Event::Annotation(note) if self.words.put_annotation(note, &mut self.out) => {}
            Event::Error(error) => self.ledger.lose_error(&error),
            Event::GameStart(_) => self.ledger.start_game(),
            Event::GameEnd { result, .. } => self.ledger.lose_result(result),
            // Nobody expects tags in a bare stream.
            Event::Tag { .. } => {}
            other => return self.ledger.enter_and_hear(other),
        }
        Flow::Continue
    }
}
