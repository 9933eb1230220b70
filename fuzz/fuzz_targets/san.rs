//! SAN: a line of words is played as far as it goes; what is read is legal, and is written and
//! read back as the same move.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_chess::{Action, Position, Setup, Variant};

const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "1rr1kr2/8/8/8/8/8/8/1RR1KR2 w FBfb - 0 1",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
];

fuzz_target!(|data: &[u8]| {
    let Some((&first, text)) = data.split_first() else {
        return;
    };
    let variant = Variant::ALL[usize::from(first >> 4) % 3];
    let setup: Setup = STARTS[usize::from(first) % 4].parse().expect("a FEN");
    let mut position = Position::from_setup(&setup, variant).expect("a position");
    for word in text.split(|byte| *byte == b' ').take(200) {
        let read = position.parse_san(word);
        let mut played = position;
        assert_eq!(played.play_san(word), read);
        let Ok(action) = read else { continue };
        if let Action::Move(play) = action {
            assert!(position.is_legal(play), "{play} in {position}");
            assert_eq!(position.parse_san(position.san(play).as_str()), Ok(action));
        }
        position.act(action);
        assert_eq!(position, played);
    }
});
