//! UCI: a line of words is played as far as it goes; what is read is legal and read back the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_chess::{Action, Position, Setup, Variant};

fuzz_target!(|text: &str| {
    let setup: Setup = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
        .parse()
        .expect("a FEN");
    let mut position = Position::from_setup(&setup, Variant::Chess960).expect("a position");
    for word in text.split(' ').take(200) {
        let Ok(action) = position.parse_uci(word) else {
            continue;
        };
        if let Action::Move(play) = action {
            assert!(position.is_legal(play), "{play} in {position}");
            let written = position.uci(play).to_string();
            assert_eq!(position.parse_uci(&written), Ok(action));
        }
        position.act(action);
    }
});
