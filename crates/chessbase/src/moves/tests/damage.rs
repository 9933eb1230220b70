//! Records that are damaged: the legal prefix is kept, and the error says where it ends.

use tabiya_chess::{Setup, Square};
use tabiya_game::{GameErrorKind, GameState, Item};

use super::*;
use crate::moves::{Error, MAX_OPEN, Record, SetupFault};

fn error_of(bytes: &[u8]) -> Error {
    read(bytes).error().expect("an error")
}

#[test]
fn an_illegal_move_keeps_the_moves_before_it() {
    let bytes = record_of_codes(Mode::REGULAR, &[], &[128, 128, 128, 255]);
    let game = read(&bytes);
    assert_eq!(told(&game), "e4 e5 ?");
    let kind = ErrorKind::IllegalMove {
        ply: 3,
        play: Move::new(Square::E4, Square::E6),
    };
    assert_eq!(game.error(), Some(Error { kind, offset: 6 }));
    assert_eq!(game.stored_moves(), 2);

    let tree = tree_of(&game);
    assert_eq!(tree.state, GameState::Broken);
    let Some(Item::Error {
        kind, raw, place, ..
    }) = tree.items.last()
    else {
        panic!("an error at the end: {tree:?}");
    };
    assert_eq!(*kind, GameErrorKind::IllegalMove);
    assert_eq!(place.offset, 6);
    assert_eq!(raw.len(), 4);
}

#[test]
fn an_error_in_a_variation_stands_in_the_variation() {
    // 1. e4 (1. e4 e5, and White's pawn jumps over it): the second line is spoiled.
    let codes = [254, 128, 255, 128, 128, 128, 255];
    let game = read(&record_of_codes(Mode::REGULAR, &[], &codes));
    assert_eq!(told(&game), "e4 ( e4 e5 ? )");
}

#[test]
fn an_error_in_the_first_move_of_a_variation_stands_where_the_move_would() {
    let codes = [254, 128, 128, 255, 1, 255];
    let game = read(&record_of_codes(Mode::REGULAR, &[], &codes));
    assert_eq!(told(&game), "e4 ( ? ) e5");
}

#[test]
fn unknown_modes_are_named() {
    for (mode, name) in [
        (12, "Chatrang"),
        (15, "Twins"),
        (16, "Makruk"),
        (19, "Pawns"),
    ] {
        let error = error_of(&[mode, 0, 0, 5, 0x0c]);
        assert_eq!(error.kind, ErrorKind::UnknownMode { mode });
        assert!(error.to_string().contains(name), "{error}");
    }
    assert!(
        error_of(&[0x7f, 0, 0, 5, 0])
            .to_string()
            .contains("illegal positions")
    );
    assert_eq!(
        error_of(&[62, 0, 0, 5, 0]).kind,
        ErrorKind::UnknownMode { mode: 62 }
    );
    assert_eq!(told(&read(&[12, 0, 0, 5, 0x0c])), "?");
}

#[test]
fn a_record_without_a_head_is_truncated() {
    let truncated = |expected, found| ErrorKind::TruncatedGame { expected, found };
    assert_eq!(error_of(&[]).kind, truncated(4, 0));
    assert_eq!(error_of(&[0, 0, 0]).kind, truncated(4, 3));
    assert_eq!(error_of(&[0, 0, 0, 0, 0xff, 0x0d]).kind, truncated(4, 0));
}

#[test]
fn a_record_that_is_cut_off_keeps_its_moves() {
    let bytes = record_of(&game("1. e4 e5 2. Nf3 *"), None);
    let game = read(&bytes[..6]);
    assert_eq!(told(&game), "e4 e5 ?");
    let kind = ErrorKind::TruncatedGame {
        expected: bytes.len(),
        found: 6,
    };
    assert_eq!(game.error(), Some(Error { kind, offset: 6 }));
}

#[test]
fn a_wrong_length_does_not_matter_once_the_game_has_ended() {
    let mut bytes = record_of(&game("1. e4 e5 2. Nf3 *"), None);
    bytes[3] = 200;
    let record = Record::new(&bytes).expect("a head");
    assert!(record.is_cut());
    assert_eq!(read(&bytes).error(), None);
}

#[test]
fn half_a_word_is_truncated() {
    let game = read(&record_of_codes(Mode::REGULAR, &[], &[128, 235, 7]));
    assert!(matches!(
        game.error().map(|e| e.kind),
        Some(ErrorKind::TruncatedGame { .. })
    ));
    assert_eq!(told(&game), "e4 ?");
    let game = read(&record_of_codes(Mode::new(1).expect("a mode"), &[], &[7]));
    assert!(matches!(
        game.error().map(|e| e.kind),
        Some(ErrorKind::TruncatedGame { .. })
    ));
}

#[test]
fn a_position_that_is_none_is_refused() {
    let mut start = stored(&Setup::INITIAL.to_string());
    let kind = |start: &[u8]| error_of(&record_of_codes(Mode::REGULAR, start, &[255])).kind;
    start[4] = 0b1011_1000; // a white piece of kind 7
    assert_eq!(kind(&start), ErrorKind::BadSetup(SetupFault::PieceCode(7)));
    start[4..].fill(0b1011_0101);
    assert!(matches!(
        kind(&start),
        ErrorKind::TooManyPieces | ErrorKind::BadSetup(_)
    ));
    start[4..].fill(0);
    assert!(matches!(
        kind(&start),
        ErrorKind::BadSetup(SetupFault::NotAPosition(_))
    ));
    assert!(matches!(
        kind(&start[..20]),
        ErrorKind::TruncatedGame { .. }
    ));
}

#[test]
fn thirty_three_pieces_are_too_many() {
    let mut bits = [0u8; 24];
    // 1 0 1 0 1 is a white rook, over and over: 38 of them would fit in 192 bits, 64 not.
    for bit in 0..192 {
        bits[bit / 8] |= u8::from(bit % 5 % 2 == 0) << (7 - bit % 8);
    }
    assert_eq!(setup::read_board(&bits), Err(ErrorKind::TooManyPieces));
    let crowd = position(
        "rrrrkrrr/rrrrrrrr/r7/8/8/8/RRRRRRRR/RRRRKRRR w - - 0 1",
        Variant::Standard,
    );
    assert_eq!(setup::write_setup(&crowd), Err(ErrorKind::TooManyPieces));
}

#[test]
fn castling_and_en_passant_that_cannot_be_are_left_out() {
    let mut start = stored("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    start[1] = 15;
    start[2] = 0x0f;
    start[3] = 0;
    let game = read(&record_of_codes(Mode::REGULAR, &start, &[255]));
    assert_eq!(game.start().to_string(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
}

#[test]
fn lines_cannot_be_left_open_without_end() {
    let codes = vec![254; MAX_OPEN + 1];
    let game = read(&record_of_codes(Mode::REGULAR, &[], &codes));
    let kind = ErrorKind::NestingTooDeep { limit: MAX_OPEN };
    assert_eq!(
        game.error(),
        Some(Error {
            kind,
            offset: 4 + MAX_OPEN
        })
    );
    let mut codes = vec![254; MAX_OPEN];
    codes.extend(vec![255; MAX_OPEN + 1]);
    assert_eq!(
        read(&record_of_codes(Mode::REGULAR, &[], &codes)).error(),
        None
    );
}
