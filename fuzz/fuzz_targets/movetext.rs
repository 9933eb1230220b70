//! Moves that are complete in themselves: any bytes are taken apart or refused; what is played of them is
//! what is told, and what is taken apart is joined again.

#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use tabiya_chess::Position;
use tabiya_search::{Query, Seeker};
use tabiya_store::movetext::{Movetext, Player, Sought, join};

fuzz_target!(|bytes: &[u8]| {
    let Ok(Some(game)) = Movetext::parse(bytes) else {
        return;
    };
    let joined = join(game.start, game.variant, game.moves);
    assert_eq!(Movetext::parse(&joined), Ok(Some(game)));

    let mut told = Vec::new();
    let shown = game.for_each_position(|ply, _, position| {
        told.push((ply, *position.board(), position.turn()));
        ControlFlow::Continue(())
    });
    let mut played = Vec::new();
    let plain = Player::new().play(game, |ply, board, _| {
        let setup = board.to_setup();
        played.push((ply, setup.board, setup.turn));
        ControlFlow::Continue(())
    });
    // Damaged moves may be played further than they are told.
    if plain.is_some() && shown.is_ok() {
        assert_eq!(played, told);
    }

    let start = Position::initial();
    let found = Sought::new(&start).first_ply(&Player::new(), game);
    let query: Query = format!("fen({start})").parse().expect("a question");
    let mut seeker = Seeker::new(&query);
    if game.tell(&mut seeker).is_ok() {
        assert_eq!(found, Ok(seeker.found()));
    }
});
