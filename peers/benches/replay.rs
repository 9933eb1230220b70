//! How fast are known moves played? The games of `twic-medium` against shakmaty, cozy-chess and
//! gigachess. tabiya keeps the full Polyglot key on every ply; the table says who else keeps one.

#[path = "../oracle/games.rs"]
mod games;

use std::str::FromStr;

use shakmaty::{CastlingMode, Chess, Position as _};
use tabiya_chess::{Action, Move, Position};
use tabiya_peers::contest::Contest;

fn main() {
    let Some(games) = games::load("twic-medium") else {
        return;
    };
    let games: Vec<_> = games
        .into_iter()
        .filter(|g| g.start == Chess::default())
        .collect();
    let plies: u64 = games.iter().map(|game| game.moves.len() as u64).sum();
    let ucis: Vec<Vec<String>> = games
        .iter()
        .map(|game| {
            let uci = |play: &shakmaty::Move| play.to_uci(CastlingMode::Chess960).to_string();
            game.moves.iter().map(uci).collect()
        })
        .collect();
    let ours: Vec<Vec<Move>> = ucis
        .iter()
        .map(|ucis| {
            let mut position = Position::initial();
            let parse = |uci: &String| match position.parse_uci(uci) {
                Ok(Action::Move(play)) => {
                    position.play_unchecked(play);
                    play
                }
                other => panic!("{uci}: {other:?}"),
            };
            ucis.iter().map(parse).collect()
        })
        .collect();
    let cozys: Vec<Vec<cozy_chess::Move>> = ucis
        .iter()
        .map(|ucis| {
            ucis.iter()
                .map(|uci| cozy_chess::Move::from_str(uci).expect("UCI"))
                .collect()
        })
        .collect();
    drop(ucis);

    Contest::new("replay known moves", "ply", plies)
        .add("tabiya bitboards, key", || {
            each(&ours, |moves| {
                let mut position = Position::initial();
                for &play in moves {
                    position.play_unchecked(play);
                }
                position.board().occupied().0
            })
        })
        .add("shakmaty, no key", || {
            each(&games, |game| {
                let mut position = Chess::default();
                for &play in &game.moves {
                    position.play_unchecked(play);
                }
                position.board().occupied().into()
            })
        })
        .add("cozy-chess, own key", || {
            each(&cozys, |moves| {
                let mut board = cozy_chess::Board::default();
                for &play in moves {
                    board.play_unchecked(play);
                }
                board.occupied().0
            })
        })
        .run();
}

fn each<T>(games: &[T], replay: impl Fn(&T) -> u64) -> u64 {
    games.iter().map(replay).fold(0, |sum, end| sum ^ end)
}
