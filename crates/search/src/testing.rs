//! Games for tests.

use tabiya_chess::Position;
use tabiya_game::{Event, Flow, GameResult, GameSink, GameState, Listener, Place};

/// A game in short.
pub struct Told<'a> {
    pub start: Position,
    pub tags: &'a [(&'a str, &'a str)],
    /// SAN, with variations in parentheses and `--` for null moves.
    pub moves: &'a str,
    pub result: GameResult,
}

impl Default for Told<'_> {
    fn default() -> Self {
        Told {
            start: Position::initial(),
            tags: &[],
            moves: "",
            result: GameResult::Unknown,
        }
    }
}

impl<'a> Told<'a> {
    pub fn moves(moves: &'a str) -> Told<'a> {
        Told {
            moves,
            ..Told::default()
        }
    }
}

/// Tells it as a reader does.
pub fn tell(told: &Told<'_>, sink: &mut dyn GameSink) {
    let mut listener = Listener::new(sink);
    listener.event(Event::GameStart(Place::default()));
    for (name, value) in told.tags {
        listener.event(Event::Tag { name, value });
    }
    let mut flow = listener.event(Event::Start(&told.start));
    let (mut position, mut before) = (told.start, told.start);
    let mut waiting = Vec::new();
    let mut unwanted = 0;
    for word in told.moves.split_whitespace() {
        if flow == Flow::SkipGame {
            break;
        }
        if !listener.needs().variations {
            match word {
                "(" => unwanted += 1,
                ")" => unwanted -= 1,
                _ => {}
            }
            if unwanted > 0 || word == ")" {
                continue;
            }
        }
        flow = match word {
            "(" => {
                waiting.push((position, before));
                position = before;
                listener.event(Event::VariationStart)
            }
            ")" => {
                (position, before) = waiting.pop().unwrap();
                listener.event(Event::VariationEnd)
            }
            "--" => {
                before = position;
                position.play_null();
                listener.pass(&before, Some(&position))
            }
            san => {
                before = position;
                let play = position.play_san(san.as_bytes()).unwrap();
                listener.play(&before, play.to_move().unwrap(), Some(&position))
            }
        };
    }
    let (result, state) = (told.result, GameState::Complete);
    listener.event(Event::GameEnd { result, state });
}
