//! Moves taken apart, played and told.

use std::ops::ControlFlow;

use proptest::prelude::*;
use tabiya_chess::{Position, Setup, Variant};
use tabiya_formats::{jose::Profile, pgn::Parser, stream::StreamCodec};
use tabiya_game::{
    GameTree, Item, Losses,
    generate::{Generator, Options},
};
use tabiya_search::{Exact, Query, Seeker};

use super::*;

const KINGS: &str = "7k/8/8/8/8/8/8/K7 w - - 0 1";

/// A game as tables have it.
fn whole(game: &GameTree) -> Vec<u8> {
    let stored = Profile::Store.encode(game, &mut Losses::default());
    let start = (game.start.to_setup() != Setup::INITIAL).then(|| game.start.to_string());
    let moves = stored.expect("the store holds any game").main;
    join(start.as_deref(), game.start.variant(), &moves).into_owned()
}

fn pgn(text: &str) -> GameTree {
    let mut tree = GameTree::default();
    assert!(Parser::new(text).read_game(&mut tree));
    tree
}

fn parse(bytes: &[u8]) -> Movetext<'_> {
    Movetext::parse(bytes).unwrap().expect("a game")
}

fn fen(fen: &str) -> Position {
    *Exact::from_fen(fen).unwrap().position()
}

/// The main line as it is told: plies and positions.
fn told(game: Movetext<'_>) -> Vec<(u32, String)> {
    let mut line = Vec::new();
    let shown = game.for_each_position(|ply, _, position| {
        line.push((ply, position.to_string()));
        ControlFlow::Continue(())
    });
    shown.unwrap();
    line
}

/// The main line as it is played.
fn played(game: Movetext<'_>) -> Option<Vec<(u32, String)>> {
    let mut line = Vec::new();
    Player::new().play(game, |ply, board, _| {
        // Moves are taken on trust: damaged ones lead to what is no position.
        let fen = player::position(board).map(|position| position.to_string());
        line.push((ply, fen.unwrap_or_default()));
        ControlFlow::Continue(())
    })?;
    Some(line)
}

#[test]
fn usual_games_are_as_the_store_has_them() {
    let moves = [0x13, 0x0f, 0xd3, 0xff];
    assert!(matches!(
        join(None, Variant::Standard, &moves),
        Cow::Borrowed(_)
    ));
    let game = parse(&moves);
    assert_eq!(
        (game.start, game.variant, game.moves),
        (None, Variant::Standard, &moves[..])
    );
}

#[test]
fn rules_stand_before_the_position() {
    let moves = join(Some(KINGS), Variant::Chess960, &[0xd3, 0xff]);
    let mut expected = b"\x9d\x09\x10chess960\x9d\x1c\x0d".to_vec();
    expected.extend_from_slice(KINGS.as_bytes());
    expected.extend([0xd3, 0xff]);
    assert_eq!(*moves, *expected);
    let game = parse(&moves);
    assert_eq!((game.start, game.variant), (Some(KINGS), Variant::Chess960));
    assert_eq!(game.moves, [0xd3, 0xff]);
}

#[test]
fn notes_before_the_first_move_belong_to_the_moves() {
    // An error record, and a position after it, which is no start.
    let moves = b"\x9d\x02\x0f\x01\xd3\xff";
    assert_eq!(parse(moves).moves, moves);
}

#[test]
fn an_entry_that_is_no_game_has_no_moves() {
    assert_eq!(Movetext::parse(&join_other(b"\x01\x00\x00\x00")), Ok(None));
    assert_eq!(Movetext::parse(&join_other(&[0; 1_000])), Ok(None));
}

#[test]
fn what_is_no_head_is_an_error() {
    for damaged in [
        &b"\x9d"[..],
        b"\x9d\xff\xff",
        b"\x9d\x05\x10ches",
        b"\x9d\x0a\x10crazyhous\xff",
        b"\x9d\x03\x0d\xff\xfe\xff",
        b"\x9d\x09\x10chess960\x9d\x7f\x0d8/8",
    ] {
        assert!(Movetext::parse(damaged).is_err(), "{damaged:x?}");
    }
    let nowhere = join(
        Some("8/8/8/8/8/8/8/8 w - - 0 1"),
        Variant::Standard,
        &[0xff],
    )
    .into_owned();
    let game = parse(&nowhere);
    assert!(game.position().is_err());
    assert!(
        game.for_each_position(|_, _, _| ControlFlow::Continue(()))
            .is_err()
    );
    assert!(
        Sought::new(&Position::initial())
            .first_ply(&Player::new(), game)
            .is_err()
    );
}

#[test]
fn moves_that_end_too_early_are_an_error() {
    let game = parse(&[0x13, 0x0f]);
    assert!(
        game.for_each_position(|_, _, _| ControlFlow::Continue(()))
            .is_err()
    );
    let mut plies = 0;
    let stopped = game.for_each_position(|ply, _, _| {
        plies = ply;
        if ply == 1 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!((stopped, plies), (Ok(()), 1), "nobody wanted to see more");
}

#[test]
fn null_moves_count_as_plies() {
    let game = whole(&pgn("1. e4 -- 2. d4 *"));
    let line = told(parse(&game));
    assert_eq!(line.len(), 4);
    assert_eq!(played(parse(&game)), Some(line));
}

#[test]
fn plies_left_out_count_and_are_not_shown() {
    let mut tree = pgn("1. e4 e5 2. Nf3 Nc6 *");
    tree.items[1] = Item::Missing;
    let game = whole(&tree);
    let plies: Vec<u32> = told(parse(&game)).into_iter().map(|(ply, _)| ply).collect();
    assert_eq!(plies, [0, 1, 3, 4]);
    assert_eq!(played(parse(&game)), None);
}

#[test]
fn a_position_may_come_where_pawns_come_back() {
    // The start again, behind a ply that was left out.
    let again = fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1");
    let mut moves = vec![0x13, 0x9e];
    Head {
        start: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"),
        variant: Variant::Standard,
    }
    .put(&mut moves);
    // ... Ng8-f6, and then it is another one.
    moves.extend([0x9a, 0xd3, 0xff]);
    let after = fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let first =
        |position: &Position| Sought::new(position).first_ply(&Player::new(), parse(&moves));
    assert_eq!(first(&after), Ok(Some(0)), "the usual start");
    assert_eq!(
        first(&again),
        Ok(None),
        "it is before a null move, and is not shown"
    );
}

#[test]
fn antichess_is_told() {
    let game = whole(&pgn("[Variant \"Antichess\"]\n\n1. e3 b5 2. Bxb5 *"));
    assert_eq!(played(parse(&game)), None);
    let last = told(parse(&game)).pop().unwrap();
    assert_eq!(last.0, 3);
    let sought = Sought::new(&fen(
        "rnbqkbnr/p1pppppp/8/1B6/8/4P3/PPPP1PPP/RNBQK1NR b - - 0 2",
    ));
    assert_eq!(sought.first_ply(&Player::new(), parse(&game)), Ok(Some(3)));
}

#[test]
fn the_reader_of_the_store_knows_the_head() {
    let game = whole(&pgn(&format!(
        "[FEN \"{KINGS}\"]\n\n1. Kb2 Kg7 2. Kc3 1/2-1/2"
    )));
    let mut tree = GameTree::default();
    let streams = game.into();
    let read = Profile::Store.decode(&streams, &Position::initial(), &mut tree);
    assert_eq!(read, Ok(()));
    assert_eq!(tree.start.to_string(), KINGS);
    assert_eq!(tree.items.len(), 3);
}

#[test]
fn rules_in_the_middle_of_a_game_are_an_error() {
    let streams = b"\x13\x9d\x09\x10chess960\xd3\xff".to_vec().into();
    let mut tree = GameTree::default();
    let read = Profile::Store.decode(&streams, &Position::initial(), &mut tree);
    assert!(read.is_err());
}

fn games(chess960: bool) -> impl Iterator<Item = GameTree> {
    let generator = Generator::new(Options {
        chess960,
        variations: true,
        ..Options::default()
    });
    (0..60).map(move |index| generator.game(index))
}

#[test]
fn generated_games_are_played_as_they_are_told() {
    let mut plain = 0;
    for tree in games(false).chain(games(true)) {
        let game = whole(&tree);
        let line = told(parse(&game));
        if let Some(played) = played(parse(&game)) {
            assert_eq!(played, line);
            plain += 1;
        }
        let mut copy = GameTree::default();
        assert_eq!(parse(&game).tell(&mut copy), Ok(()));
        assert_eq!((&copy.items, copy.start), (&tree.items, tree.start));
    }
    assert!(plain > 60, "{plain}");
}

#[test]
fn positions_are_found_where_a_seeker_finds_them() {
    let player = Player::new();
    let all: Vec<Vec<u8>> = games(false)
        .chain(games(true))
        .map(|game| whole(&game))
        .collect();
    let mut hits = 0;
    for (index, game) in all.iter().enumerate() {
        let line = told(parse(game));
        let (_, text) = &line[index * 7 % line.len()];
        let position = fen(text);
        let query: Query = format!("fen({text})").parse().unwrap();
        let sought = Sought::new(&position);
        for other in &all {
            let mut seeker = Seeker::new(&query);
            parse(other).tell(&mut seeker).unwrap();
            let first = sought.first_ply(&player, parse(other)).unwrap();
            assert_eq!(first, seeker.found(), "{text}");
            hits += usize::from(first.is_some());
        }
    }
    assert!(hits >= all.len(), "{hits}");
}

proptest! {
    #[test]
    fn any_bytes_are_moves_or_an_error(bytes: Vec<u8>) {
        if let Ok(Some(game)) = Movetext::parse(&bytes) {
            let _ = played(game);
            let _ = game.for_each_position(|_, _, _| ControlFlow::Continue(()));
            let _ = Sought::new(&Position::initial()).first_ply(&Player::new(), game);
        }
    }

    #[test]
    fn what_is_joined_comes_apart(start: Option<String>, variant in 0..3usize, moves: Vec<u8>) {
        let variant = Variant::ALL[variant];
        // Moves do not begin with a head themselves.
        prop_assume!(moves.first() != Some(&0x9d));
        let joined = join(start.as_deref(), variant, &moves);
        let game = Movetext { start: start.as_deref(), variant, moves: &moves };
        prop_assert_eq!(Movetext::parse(&joined), Ok(Some(game)));
    }
}
