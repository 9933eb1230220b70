//! Words to events.

use tabiya_chess::{Color, Move, Position};
use tabiya_game::{
    Event, Flow, GameError, GameErrorKind, GameResult, GameSink, GameState, Listener, Place,
};

use super::{
    code::{Profile, Word, decode_ply},
    error::{Error, ErrorKind},
    flags::Flags,
};
use crate::stream::Streams;

/// How words are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReadOptions {
    /// Flags that are not true are errors. They say nothing that the board does not say, so by
    /// default they are not looked at.
    pub strict: bool,
}

/// What a word does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// A move in [`Replay::position`].
    Move(Move),
    /// A ply was left out.
    Missing,
    /// The game ends.
    End(GameResult),
}

/// Plays the words of a game one after the other.
pub(super) struct Replay<'b> {
    rest: &'b [u8],
    offset: u64,
    profile: Profile,
    options: ReadOptions,
    position: Position,
    /// The move that was told last and is not yet on the board.
    pending: Option<Move>,
    /// The position if the turn did not pass with the ply that was left out.
    kept: Option<Position>,
    /// How the game ended by a word of its own.
    ending: Option<GameResult>,
}

impl<'b> Replay<'b> {
    /// Words that stand at a byte of a file and begin in a position.
    pub(super) fn new(
        words: &'b [u8],
        offset: u64,
        profile: Profile,
        options: ReadOptions,
        start: &Position,
    ) -> Replay<'b> {
        Replay {
            rest: words,
            offset,
            profile,
            options,
            position: *start,
            pending: None,
            kept: None,
            ending: None,
        }
    }

    /// The position in which the step stands that was read last.
    #[inline]
    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    /// What has not been read; after an error, the bad word is its first.
    pub(super) fn rest(&self) -> &'b [u8] {
        self.rest
    }

    /// Where the rest stands.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// How the game ended by a word of its own.
    pub(super) fn ending(&self) -> Option<GameResult> {
        self.ending
    }

    /// The next step, `None` at the end.
    #[inline]
    pub(super) fn next_step(&mut self) -> Result<Option<Step>, ErrorKind> {
        if let Some(play) = self.pending.take() {
            self.position.play_unchecked(play);
        }
        let (word, rest) = match *self.rest {
            [] => return Ok(None),
            _ if self.ending.is_some() => return Err(ErrorKind::DataAfterTerminator),
            [_] => return Err(ErrorKind::OddLength),
            [first, second, ref rest @ ..] => {
                (Word::from_bytes([first, second], self.profile), rest)
            }
        };
        let step = match word {
            Word::MISSING => {
                self.skip_ply();
                Step::Missing
            }
            Word::DRAW => Step::End(GameResult::Draw),
            // Nobody says who resigned: it stands in place of a ply of the side to move.
            Word::RESIGN => Step::End(win_of(!self.position.turn())),
            word => Step::Move(self.read_move(word)?),
        };
        match step {
            Step::Move(play) => self.pending = Some(play),
            Step::End(result) => self.ending = Some(result),
            Step::Missing => {}
        }
        self.rest = rest;
        self.offset += 2;
        Ok(Some(step))
    }

    /// The turn passes, unless the next move is by the side that had it.
    fn skip_ply(&mut self) {
        self.kept = Some(self.position);
        self.position.play_null();
    }

    #[inline]
    fn read_move(&mut self, word: Word) -> Result<Move, ErrorKind> {
        if let Some(kept) = self.kept.take()
            && word.color() == Some(kept.turn())
        {
            self.position = kept;
        }
        let play = decode_ply(&self.position, word, self.profile)?;
        if !self.position.is_legal(play) {
            return Err(ErrorKind::IllegalMove {
                play: play.to_string(),
            });
        }
        if self.options.strict {
            let expected = Flags::of(&self.position, play);
            if !word.flags().agree(expected) {
                return Err(ErrorKind::FlagMismatch {
                    action: word.action,
                    expected,
                });
            }
        }
        Ok(play)
    }

    /// Tells a sink all that follows, or until it wants no more. A bad word is told as an error that
    /// holds the rest, and returned.
    pub(super) fn tell<S: GameSink + ?Sized>(
        &mut self,
        sink: &mut Listener<'_, S>,
    ) -> (Flow, Option<Error>) {
        loop {
            let flow = match self.next_step() {
                Ok(Some(Step::Move(play))) => sink.play(&self.position, play, None),
                Ok(Some(Step::Missing)) => sink.event(Event::Missing),
                Ok(Some(Step::End(_))) => Flow::Continue,
                Ok(None) => return (Flow::Continue, None),
                Err(kind) => {
                    let offset = self.offset;
                    let flow = tell_error(sink, &kind, offset, self.rest);
                    return (flow, Some(Error { kind, offset }));
                }
            };
            if flow == Flow::SkipGame {
                return (flow, None);
            }
        }
    }
}

/// A win of a side.
pub(super) fn win_of(side: Color) -> GameResult {
    match side {
        Color::White => GameResult::WhiteWins,
        Color::Black => GameResult::BlackWins,
    }
}

/// Tells that bytes could not be read, and which.
pub(super) fn tell_error<S: GameSink + ?Sized>(
    sink: &mut Listener<'_, S>,
    kind: &ErrorKind,
    offset: u64,
    raw: &[u8],
) -> Flow {
    tell_damage(sink, kind.in_game(), &kind.to_string(), offset, raw)
}

/// Tells that bytes could not be read, for a reason that is none of the format.
fn tell_damage<S: GameSink + ?Sized>(
    sink: &mut Listener<'_, S>,
    kind: GameErrorKind,
    message: &str,
    offset: u64,
    raw: &[u8],
) -> Flow {
    sink.event(Event::Error(GameError {
        kind,
        message,
        raw: &Streams::from(raw.to_vec()).to_string(),
        place: Place::at_byte(offset),
        first: None,
    }))
}

/// The moves of a game in a file, and what the file says about them elsewhere.
pub(super) struct Moves<'b> {
    pub(super) words: &'b [u8],
    /// Where the words stand in the file.
    pub(super) offset: u64,
    pub(super) profile: Profile,
    pub(super) options: ReadOptions,
    pub(super) start: Result<Position, (GameErrorKind, String)>,
    /// What the file says apart from the words.
    pub(super) result: GameResult,
}

impl Moves<'_> {
    /// Tells the start, the moves and the end of a game, of which a sink has heard the tags and
    /// said whether it wants more. `damage` has been found around the
    /// moves; it is told after them, each kind with its place and bytes.
    pub(super) fn tell<S: GameSink + ?Sized>(
        self,
        flow: Flow,
        damage: &[(Error, &[u8])],
        sink: &mut Listener<'_, S>,
    ) {
        let (result, broken) = match sink.needs().moves && flow != Flow::SkipGame {
            true => self.tell_moves(damage, sink),
            false if self.result == GameResult::Unknown && self.ends_by_word() => {
                (stated(self.result, self.ending()), false)
            }
            false => (self.result, false),
        };
        let state = match broken || !damage.is_empty() {
            true => GameState::Broken,
            false => GameState::Complete,
        };
        sink.event(Event::GameEnd { result, state });
    }

    /// Tells the start, the moves and what is damaged; the result, and whether a word is bad.
    fn tell_moves<S: GameSink + ?Sized>(
        &self,
        damage: &[(Error, &[u8])],
        sink: &mut Listener<'_, S>,
    ) -> (GameResult, bool) {
        let mut result = self.result;
        let mut broken = false;
        let start = *self.start.as_ref().unwrap_or(&Position::initial());
        let mut flow = sink.event(Event::Start(&start));
        match &self.start {
            _ if flow == Flow::SkipGame => {}
            Ok(start) => {
                let mut replay = self.replay(start);
                let error;
                (flow, error) = replay.tell(sink);
                broken = error.is_some();
                result = stated(result, replay.ending());
            }
            Err((kind, message)) => {
                flow = tell_damage(sink, *kind, message, self.offset, self.words);
                broken = true;
            }
        }
        for (error, raw) in damage {
            if flow == Flow::Continue {
                flow = tell_error(sink, &error.kind, error.offset, raw);
            }
        }
        (result, broken)
    }

    fn replay(&self, start: &Position) -> Replay<'_> {
        Replay::new(self.words, self.offset, self.profile, self.options, start)
    }

    /// Whether the last word is one that ends a game.
    fn ends_by_word(&self) -> bool {
        let last = self.words.last_chunk::<2>();
        let last = last.map(|bytes| Word::from_bytes(*bytes, self.profile));
        matches!(last, Some(Word::DRAW | Word::RESIGN))
    }

    /// How the game ends by a word, for sinks that do not want the moves before it.
    fn ending(&self) -> Option<GameResult> {
        let mut replay = self.replay(self.start.as_ref().ok()?);
        while let Ok(Some(_)) = replay.next_step() {}
        replay.ending()
    }
}

/// A result that stands apart from the moves counts; a word that ends the game fills the gap.
fn stated(result: GameResult, ending: Option<GameResult>) -> GameResult {
    match (result, ending) {
        (GameResult::Unknown, Some(ending)) => ending,
        _ => result,
    }
}

/// A text of a file: UTF-8, or else Windows-1252 as old files have it.
pub(super) fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => {
            encoding_rs::WINDOWS_1252
                .decode_without_bom_handling(bytes)
                .0
        }
    }
}
