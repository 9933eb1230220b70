//! Bare streams of words.

use tabiya_chess::{Position, Status};
use tabiya_game::{
    Event, Flow, GameResult, GameSink, GameState, GameTree, Listener, LossKind, Losses, Place,
};

use super::{
    code::{Profile, Word},
    error::ErrorKind,
    explain,
    reader::{ReadOptions, Replay, win_of},
    writer::Bare,
};
use crate::{
    dump::Dump,
    stream::{StreamCodec, StreamError, StreamPlace, Streams},
};

/// When a stream ends with a word for a draw or for resigning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Terminators {
    /// Never.
    #[default]
    None,
    /// If the result says so: a draw, or a win of the side that is not to move without mate.
    FromResult,
}

/// The words of a game, one after the other.
///
/// A stream has no field for the result. It says one where it ends with a word for it, or with
/// mate on the board.
///
/// ```
/// use tabiya_formats::{ply16::{Codec, Profile}, pgn::Parser, stream::StreamCodec};
/// use tabiya_game::{GameTree, Losses};
///
/// let mut tree = GameTree::default();
/// Parser::new("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0").read_game(&mut tree);
/// let mut losses = Losses::default();
/// let codec = Codec::new(Profile::Document);
/// let streams = codec.encode(&tree, &mut losses)?;
/// assert_eq!(streams.to_string(), "40 02 46 02 04 04 07 01 12 13 17 03 04 B2");
/// assert!(losses.is_empty());
///
/// let mut copy = GameTree::default();
/// codec.decode(&streams, &tree.start, &mut copy)?;
/// assert_eq!((copy.items, copy.result), (tree.items, tree.result));
/// # Ok::<(), tabiya_formats::stream::StreamError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Codec {
    profile: Profile,
    options: ReadOptions,
    terminators: Terminators,
}

impl Codec {
    /// The words of a profile, without any that end the game.
    #[must_use]
    pub const fn new(profile: Profile) -> Codec {
        Codec {
            profile,
            options: ReadOptions { strict: false },
            terminators: Terminators::None,
        }
    }

    /// Reads with options.
    #[must_use]
    pub const fn reading(mut self, options: ReadOptions) -> Codec {
        self.options = options;
        self
    }

    /// Writes words that end the game. The program knows none, so its profile never has them.
    #[must_use]
    pub const fn with_terminators(mut self, terminators: Terminators) -> Codec {
        self.terminators = terminators;
        self
    }

    /// The word that ends a game, if one does.
    fn terminator(&self, result: GameResult, end: &Position) -> Option<Word> {
        if self.profile == Profile::Program || self.terminators == Terminators::None {
            return None;
        }
        if result == GameResult::Draw {
            return Some(Word::DRAW);
        }
        let resigned = result == win_of(!end.turn()) && end.status() != Status::Checkmate;
        resigned.then_some(Word::RESIGN)
    }
}

/// The result that a stream tells by its end.
fn told(ending: Option<GameResult>, end: &Position) -> GameResult {
    match ending {
        Some(result) => result,
        None if end.status() == Status::Checkmate => win_of(!end.turn()),
        None => GameResult::Unknown,
    }
}

/// The result that a word tells in a position.
fn ending(word: Word, end: &Position) -> GameResult {
    match word {
        Word::DRAW => GameResult::Draw,
        _ => win_of(!end.turn()),
    }
}

/// There is only one stream.
fn check_single(streams: &Streams) -> Result<(), StreamError> {
    if streams.texts.is_empty() {
        return Ok(());
    }
    let field = "second stream";
    let place = StreamPlace::Byte(streams.main.len() as u64);
    Err(ErrorKind::BadField { field }.at(place))
}

impl StreamCodec for Codec {
    fn encode(&self, game: &GameTree, losses: &mut Losses) -> Result<Streams, StreamError> {
        let mut bare = Bare::new(self.profile);
        game.tell(&mut bare);
        if let Some(failure) = bare.line.failure() {
            return Err(failure.kind.at(StreamPlace::Ply(failure.ply)));
        }
        if bare.ledger.refused {
            let what = "a game without a start";
            return Err(ErrorKind::NotRepresentable { what }.at(StreamPlace::Ply(0)));
        }
        let word = self.terminator(game.result, &bare.end);
        let ending = word.map(|word| ending(word, &bare.end));
        // Who does not say how a game ended does not contradict a mate.
        if game.result != GameResult::Unknown && told(ending, &bare.end) != game.result {
            let what = || format!("the result {}", game.result.tag());
            bare.ledger.lose(LossKind::Result, what);
        }
        if let Some(word) = word {
            bare.line.push(word);
        }
        losses.append(bare.ledger.losses);
        Ok(bare.line.words().to_vec().into())
    }

    fn decode(
        &self,
        streams: &Streams,
        start: &Position,
        sink: &mut dyn GameSink,
    ) -> Result<(), StreamError> {
        check_single(streams)?;
        let sink = &mut Listener::new(sink);
        let place = Place::at_byte(0);
        let mut replay = Replay::new(&streams.main, 0, self.profile, self.options, start);
        let skipped = [Event::GameStart(place), Event::Start(start)]
            .into_iter()
            .any(|event| sink.event(event) == Flow::SkipGame);
        let error = match skipped {
            true => None,
            false => replay.tell(sink).1,
        };
        let (result, state) = match error {
            None => (
                told(replay.ending(), replay.position()),
                GameState::Complete,
            ),
            Some(_) => (GameResult::Unknown, GameState::Broken),
        };
        sink.event(Event::GameEnd { result, state });
        match error {
            None => Ok(()),
            Some(error) => Err(error.kind.at(StreamPlace::Byte(error.offset))),
        }
    }

    fn explain(&self, streams: &Streams, start: &Position) -> Dump {
        let mut dump = Dump::new("moves");
        let mut replay = Replay::new(&streams.main, 0, self.profile, self.options, start);
        explain::words(&mut replay, self.profile, &mut dump);
        if let Err(error) = check_single(streams) {
            dump.section("texts");
            dump.push(crate::dump::Line::new(0, &streams.texts[..], error.message));
        }
        dump
    }
}
