//! How fast are known moves played? The games of `twic-medium` against shakmaty, cozy-chess and
//! gigachess. tabiya keeps the full Polyglot key on every ply; the table says who else keeps one.

#[path = "../oracle/games.rs"]
mod games;
#[path = "../oracle/words.rs"]
mod words;

use std::str::FromStr;

use shakmaty::{CastlingMode, Chess, Position as _};
use tabiya_chess::{Action, Move, Position, Setup, mailbox::Mailbox};
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
    let packed: Vec<Vec<u16>> = ucis.iter().map(|ucis| words::of_ucis(ucis)).collect();
    drop(ucis);
    let start = Mailbox::from_setup(&Setup::INITIAL).expect("the initial position");

    Contest::new("replay known moves", "ply", plies)
        .add("tabiya mailbox, Polyglot key", || {
            each(&ours, |moves| {
                let mut board = start.clone();
                let mut keys = 0;
                for &play in moves {
                    board.play(play);
                    keys ^= board.key().0;
                }
                keys
            })
        })
        .add("tabiya bitboards, Polyglot key", || {
            each(&ours, |moves| {
                let mut position = Position::initial();
                let mut keys = 0;
                for &play in moves {
                    position.play_unchecked(play);
                    keys ^= position.key().0;
                }
                keys
            })
        })
        .add_other("shakmaty, no key", || {
            each(&games, |game| {
                let mut position = Chess::default();
                for &play in &game.moves {
                    position.play_unchecked(play);
                }
                position.board().occupied().into()
            })
        })
        .add_other("cozy-chess, own key", || {
            each(&cozys, |moves| {
                let mut board = cozy_chess::Board::default();
                let mut keys = 0;
                for &play in moves {
                    board.play_unchecked(play);
                    keys ^= board.hash();
                }
                keys
            })
        })
        .add("gigachess, Polyglot key", || {
            each(&packed, |words| {
                let mut keys = 0;
                let start = gigachess::Board::startpos();
                gigachess::replay_moves2_trusted(&start, words, |board, ply| {
                    if ply > 0 {
                        keys ^= board.zobrist();
                    }
                    gigachess::Flow::Continue
                });
                keys
            })
        })
        .run();
}

fn each<T>(games: &[T], replay: impl Fn(&T) -> u64) -> u64 {
    games.iter().map(replay).fold(0, |sum, end| sum ^ end)
}
