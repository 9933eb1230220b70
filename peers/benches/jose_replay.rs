//! How fast is the main line of a stored game replayed? The games of `twic-small` as streams of
//! the jose `store` profile, which have to be decoded, against shakmaty playing moves that are
//! decoded already. tabiya keeps the full Polyglot key on every ply; shakmaty keeps none.

#[path = "../oracle/games.rs"]
mod games;

use std::ops::ControlFlow;

use shakmaty::{CastlingMode, Chess, Position as _};
use tabiya_chess::{Action, Move, Position, Setup, mailbox::Mailbox};
use tabiya_formats::{
    jose::{Profile, Replay},
    stream::StreamCodec,
};
use tabiya_game::{GameTree, Item, Losses};
use tabiya_peers::contest::Contest;

fn main() {
    let Some(games) = games::load("twic-small") else {
        return;
    };
    let games: Vec<_> = games
        .into_iter()
        .filter(|g| g.start == Chess::default())
        .collect();
    let plies: u64 = games.iter().map(|game| game.moves.len() as u64).sum();
    let ours: Vec<Vec<Move>> = games.iter().map(moves).collect();
    let streams: Vec<Vec<u8>> = ours.iter().map(|moves| stream(moves)).collect();
    let start = Mailbox::from_setup(&Setup::INITIAL).expect("the initial position");
    let replay = Replay::new(&start);

    Contest::new("replay stored games", "ply", plies)
        .add("jose store to mailbox, key", || {
            each(&streams, |stream| {
                let mut keys = 0;
                let plies = replay.run(stream, |_, key| {
                    keys ^= key.0;
                    ControlFlow::Continue(())
                });
                assert!(plies.is_ok());
                keys
            })
        })
        .add("known moves to mailbox, key", || {
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
        .add_other("shakmaty, known moves, no key", || {
            each(&games, |game| {
                let mut position = Chess::default();
                for &play in &game.moves {
                    position.play_unchecked(play);
                }
                position.board().occupied().into()
            })
        })
        .run();
}

/// The moves of a game as tabiya has them.
fn moves(game: &games::Game) -> Vec<Move> {
    let mut position = Position::initial();
    let play = |play: &shakmaty::Move| {
        let uci = play.to_uci(CastlingMode::Chess960).to_string();
        match position.parse_uci(&uci) {
            Ok(Action::Move(play)) => {
                position.play_unchecked(play);
                play
            }
            other => panic!("{uci}: {other:?}"),
        }
    };
    game.moves.iter().map(play).collect()
}

fn stream(moves: &[Move]) -> Vec<u8> {
    let game = GameTree {
        items: moves.iter().copied().map(Item::Move).collect(),
        ..GameTree::default()
    };
    let streams = Profile::Store.encode(&game, &mut Losses::default());
    streams.expect("legal moves").main
}

fn each<T>(games: &[T], replay: impl Fn(&T) -> u64) -> u64 {
    games.iter().map(replay).fold(0, |sum, end| sum ^ end)
}
