//! How fast are moves read and written? SAN of `twic-medium` against shakmaty and gigachess.
//!
//! Positions are kept up to date by each contestant's own board, and playing is part of the time
//! of every contestant: texts cannot be read without a position. The bare cost of playing is
//! printed by the replay benchmark.

#[path = "../oracle/games.rs"]
mod games;

use shakmaty::{
    Chess, Position as _,
    san::{San, SanPlus},
};
use tabiya_chess::{Action, Position};
use tabiya_peers::contest::Contest;

fn main() {
    let Some(games) = games::load("twic-medium") else {
        return;
    };
    let games: Vec<_> = games
        .into_iter()
        .filter(|g| g.start == Chess::default())
        .take(30_000)
        .collect();
    let plies: u64 = games.iter().map(|game| game.moves.len() as u64).sum();

    let texts: Vec<Vec<String>> = games
        .iter()
        .map(|game| {
            let mut position = game.start.clone();
            let write = |&play: &shakmaty::Move| {
                SanPlus::from_move_and_play_unchecked(&mut position, play).to_string()
            };
            game.moves.iter().map(write).collect()
        })
        .collect();
    let ours: Vec<Vec<tabiya_chess::Move>> = texts
        .iter()
        .map(|texts| {
            let mut position = Position::initial();
            let read = |text: &String| match position.play_san(text.as_bytes()) {
                Ok(Action::Move(play)) => play,
                other => panic!("{text}: {other:?}"),
            };
            texts.iter().map(read).collect()
        })
        .collect();

    Contest::new("read SAN and play it", "ply", plies)
        .add("tabiya", || {
            let mut sum = 0;
            for texts in &texts {
                let mut position = Position::initial();
                for text in texts {
                    if let Ok(Action::Move(play)) = position.play_san(text.as_bytes()) {
                        sum += play.from().index() as u64;
                    }
                }
            }
            sum
        })
        .add("shakmaty", || {
            let mut sum = 0;
            for texts in &texts {
                let mut position = Chess::default();
                for text in texts {
                    let san = San::from_ascii(text.trim_end_matches(['+', '#']).as_bytes());
                    let play = san.expect("SAN").to_move(&position).expect("legal");
                    sum += play.from().map_or(0, u64::from);
                    position.play_unchecked(play);
                }
            }
            sum
        })
        .add("gigachess", || {
            let mut sum = 0;
            for texts in &texts {
                let mut board = gigachess::Board::startpos();
                for text in texts {
                    let play = gigachess::san::san_to_move(&board, text).expect("legal");
                    sum += u64::from(play.from().0);
                    board.make_move_unchecked(play);
                }
            }
            sum
        })
        .run();

    Contest::new("write SAN with check signs and play it", "ply", plies)
        .add("tabiya", || {
            let mut length = 0;
            for moves in &ours {
                let mut position = Position::initial();
                for &play in moves {
                    length += position.san(play).len() as u64;
                    position.play_unchecked(play);
                }
            }
            length
        })
        .add("shakmaty", || {
            let mut length = 0;
            let mut text = String::new();
            for game in &games {
                let mut position = Chess::default();
                for &play in &game.moves {
                    use std::fmt::Write as _;
                    text.clear();
                    let san = SanPlus::from_move_and_play_unchecked(&mut position, play);
                    write!(text, "{san}").expect("a String takes any text");
                    length += text.len() as u64;
                }
            }
            length
        })
        .run();
}
