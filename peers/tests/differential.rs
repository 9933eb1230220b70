//! Move by move against shakmaty and cozy-chess.
//!
//! Games of random moves from standard, Chess960 and double Fischer random starts, and the games
//! of `twic-small`. On every position the legal moves, the FEN and the checkers must equal both
//! rivals', SAN and Polyglot keys shakmaty's. `TABIYA_POSITIONS` says how many positions of each
//! kind (default 100,000).

#[path = "../oracle/games.rs"]
mod games;

use std::{collections::BTreeSet, env, str::FromStr};

use shakmaty::{
    CastlingMode, Chess, EnPassantMode, FromSetup, Position as _, fen::Fen, san::SanPlus,
    zobrist::Zobrist64,
};
use tabiya_chess::{Move, Position, Setup, Variant, chess960};
use tabiya_peers::random::Random;

fn positions_wanted() -> usize {
    env::var("TABIYA_POSITIONS").map_or(100_000, |n| n.parse().expect("a number"))
}

fn shakmaty_of(fen: &str) -> Chess {
    let setup = Fen::from_str(fen).expect("a FEN").into_setup();
    Chess::from_setup(setup, CastlingMode::Chess960).expect("a position")
}

fn cozy_of(setup: &Setup) -> cozy_chess::Board {
    cozy_chess::Board::from_fen(&setup.to_shredder_fen(), true).expect("a position")
}

/// Everything the three say about a position.
fn compare(position: &Position, shakmaty: &Chess, cozy: &cozy_chess::Board) {
    let setup = position.to_setup();
    let fen = setup.to_string();

    // shakmaty writes the en-passant square in three ways; all three must agree.
    for (mode, ep_square) in [
        (EnPassantMode::Always, position.ep_square()),
        (EnPassantMode::PseudoLegal, position.ep_square_in_reach()),
        (EnPassantMode::Legal, position.ep_square_legal()),
    ] {
        let theirs = Fen::from_position(shakmaty, mode).to_string();
        let ours = Setup { ep_square, ..setup }.to_string();
        assert_eq!(ours, theirs, "{mode:?}");
    }
    // cozy-chess stops its half-move clock at 100.
    let halfmove_clock = setup.halfmove_clock.min(100);
    let ours = Setup {
        halfmove_clock,
        ..setup
    }
    .to_shredder_fen();
    assert_eq!(ours, format!("{cozy:#}"));

    let checkers = position.checkers().0;
    assert_eq!(checkers, u64::from(shakmaty.checkers()), "{fen}");
    assert_eq!(checkers, cozy.checkers().0, "{fen}");

    let key: Zobrist64 = shakmaty.zobrist_hash(EnPassantMode::PseudoLegal);
    assert_eq!(position.key().0, key.0, "{fen}");

    let ours: BTreeSet<String> = position.legal_moves().iter().map(Move::to_string).collect();
    let mut theirs = BTreeSet::new();
    for play in shakmaty.legal_moves() {
        let uci = play.to_uci(CastlingMode::Chess960).to_string();
        let parsed = position
            .with_variant(Variant::Chess960)
            .expect("the same pieces")
            .parse_uci(&uci)
            .unwrap_or_else(|e| panic!("{fen}: {e}"));
        let our_move = parsed.to_move().expect("no null move");
        let san = SanPlus::from_move(shakmaty.clone(), play).to_string();
        assert_eq!(position.san(our_move).as_str(), san, "{fen}");
        assert_eq!(position.parse_san(&san), Ok(parsed), "{fen}");
        theirs.insert(uci);
    }
    assert_eq!(ours, theirs, "{fen}");
    let mut cozys = BTreeSet::new();
    cozy.generate_moves(|moves| {
        cozys.extend(moves.into_iter().map(|play| play.to_string()));
        false
    });
    assert_eq!(ours, cozys, "{fen}");
}

/// Plays a game of random moves on all three and compares every position.
fn play_out(random: &mut Random, setup: &Setup, plies: usize) -> usize {
    let mut position = Position::from_setup(setup, Variant::Chess960).expect("a start position");
    let mut shakmaty = shakmaty_of(&setup.to_string());
    let mut cozy = cozy_of(setup);
    for ply in 0..plies {
        compare(&position, &shakmaty, &cozy);
        let moves = position.legal_moves();
        if moves.is_empty() {
            return ply + 1;
        }
        let play = moves[random.below(moves.len())];
        let uci = position.uci(play).to_string();
        let theirs = shakmaty::uci::UciMove::from_str(&uci)
            .expect("UCI")
            .to_move(&shakmaty)
            .expect("a legal move");
        position.play_unchecked(play);
        shakmaty.play_unchecked(theirs);
        cozy.play_unchecked(uci.parse().expect("UCI"));
    }
    plies
}

#[test]
fn random_games() {
    let mut random = Random::new(20_240_518);
    let (mut positions, mut games) = (0, 0);
    while positions < positions_wanted() {
        let setup = match games % 3 {
            0 => Setup::INITIAL,
            1 => {
                let number = random.below(960) as u16;
                chess960::setup(number, number).expect("a start")
            }
            _ => {
                let (white, black) = (random.below(960) as u16, random.below(960) as u16);
                chess960::setup(white, black).expect("a start")
            }
        };
        positions += play_out(&mut random, &setup, 200);
        games += 1;
    }
    println!("{positions} positions of {games} random games agree");
}

#[test]
fn real_games() {
    let Some(games) = games::load("twic-small") else {
        return;
    };
    let total: usize = games.iter().map(|game| game.moves.len() + 1).sum();
    // A shorter run takes every nth game, so that it sees all parts of the file.
    let step = total.div_ceil(positions_wanted()).max(1);
    let mut positions = 0;
    for game in games.iter().step_by(step) {
        let fen = Fen::from_position(&game.start, EnPassantMode::Always).to_string();
        let setup: Setup = fen.parse().expect("a FEN");
        let mut position = Position::from_setup(&setup, Variant::Chess960).expect("a position");
        let mut shakmaty = game.start.clone();
        let mut cozy = cozy_of(&setup);
        for &play in &game.moves {
            compare(&position, &shakmaty, &cozy);
            let uci = play.to_uci(CastlingMode::Chess960).to_string();
            let ours = position.parse_uci(&uci).expect("a legal move");
            position.act(ours);
            shakmaty.play_unchecked(play);
            cozy.play_unchecked(uci.parse().expect("UCI"));
        }
        compare(&position, &shakmaty, &cozy);
        positions += game.moves.len() + 1;
    }
    println!("{positions} of {total} positions of real games agree");
}
