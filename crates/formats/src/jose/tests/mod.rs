//! Vectors, round trips, bad input.

mod bad;
mod games;
mod losses;
mod store;
mod vectors;

use std::fmt::Write as _;

use tabiya_chess::{Position, Setup, Variant};
use tabiya_game::{Event, Flow, GameSink, GameTree, Losses};

use super::{ERRORS, FIRST_ERROR, Profile};
use crate::{
    data,
    pgn::Parser,
    stream::{StreamCodec, StreamError, Streams},
};

fn position(fen: &str, variant: Variant) -> Position {
    if fen.is_empty() {
        return Position::initial();
    }
    let setup: Setup = fen.parse().expect("a FEN");
    Position::from_setup(&setup, variant).expect("a position")
}

fn pgn(text: &str) -> GameTree {
    let mut tree = GameTree::default();
    assert!(Parser::new(text).read_game(&mut tree));
    tree
}

fn decode(profile: Profile, streams: &Streams, start: &Position) -> Result<GameTree, StreamError> {
    let mut tree = GameTree::default();
    profile.decode(streams, start, &mut tree)?;
    Ok(tree)
}

/// Encodes a game of which nothing is lost.
fn encode(profile: Profile, game: &GameTree) -> Streams {
    let mut losses = Losses::default();
    let streams = profile.encode(game, &mut losses).expect("a game that fits");
    assert!(losses.is_empty(), "{losses:?}");
    streams
}

/// Writes events in the notation of the vectors: moves as UCI, `#xx` for a text, `=xx` for the
/// result.
#[derive(Default)]
struct Notes(String);

impl GameSink for Notes {
    fn event(&mut self, event: Event<'_>) -> Flow {
        let text = &mut self.0;
        let written = match event {
            Event::Move { before, play, .. } => write!(text, "{} ", before.uci(play)),
            Event::Null { .. } => write!(text, "0000 "),
            Event::Nag(nag) => write!(text, "{nag} "),
            Event::Comment(_) | Event::Annotation(_) => write!(text, "#E0 "),
            Event::Error(error) => {
                let known = |known: &_| *known == (error.kind, error.message);
                let index = ERRORS.iter().position(known).expect("a marked error");
                write!(text, "#{:02X} ", FIRST_ERROR + index as u8)
            }
            Event::VariationStart => write!(text, "( "),
            Event::VariationEnd => write!(text, ") "),
            Event::GameEnd { result, .. } => {
                let code = match result.token() {
                    "0-1" => 0xd0,
                    "1/2-1/2" => 0xd1,
                    "1-0" => 0xd2,
                    _ => 0xd3,
                };
                write!(text, "={code:02X}")
            }
            _ => Ok(()),
        };
        written.expect("a String takes any text");
        Flow::Continue
    }
}
