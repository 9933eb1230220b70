//! The two profiles beyond the vectors: castling, history, order of checks, losses, bad input.

use proptest::prelude::*;

use super::setup;
use crate::{
    Bitboard, Board, Color, FenField, Role, Setup, Square,
    mailbox::{Error, Plain, Snapshot, byte},
};

fn snapshot(fen: &str) -> [u8; 128] {
    *Snapshot::from_setup(&setup(fen)).unwrap().as_bytes()
}

fn fen(bytes: &[u8]) -> String {
    Snapshot::from_bytes(bytes).unwrap().to_setup().to_string()
}

#[test]
fn a_king_or_rook_that_has_moved_cannot_castle() {
    let mut bytes = snapshot("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    bytes[28] |= byte::MOVED;
    assert_eq!(fen(&bytes), "r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1");
    bytes[95] |= byte::MOVED;
    assert_eq!(fen(&bytes), "r3k2r/8/8/8/8/8/8/R3K2R w Q - 0 1");
}

#[test]
fn an_unmoved_king_or_rook_elsewhere_gives_no_right() {
    let mut bytes = snapshot("1r1k2r1/8/8/8/8/8/8/1R1K2R1 w - - 0 1");
    for byte in &mut bytes[..120] {
        if *byte != byte::OFF_BOARD {
            *byte &= !byte::MOVED;
        }
    }
    assert_eq!(fen(&bytes), "1r1k2r1/8/8/8/8/8/8/1R1K2R1 w - - 0 1");
}

#[test]
fn with_castling_files_bit_5_is_informative_only() {
    let mut bytes = snapshot("4k3/8/8/8/8/8/8/R1R1K2R w HC - 3 20");
    bytes[23] |= byte::MOVED;
    bytes[25] |= byte::MOVED;
    bytes[21] &= !byte::MOVED;
    assert_eq!(fen(&bytes), "4k3/8/8/8/8/8/8/R1R1K2R w KC - 3 20");
}

#[test]
fn files_may_be_given_where_they_are_not_needed() {
    let usual = snapshot("r3k2r/8/8/8/8/8/8/R3K2R w KQq - 0 1");
    let mut bytes = usual;
    bytes[121] = 1;
    bytes[126..].copy_from_slice(&[0x07, 0x0f]);
    let read = Snapshot::from_bytes(&bytes).unwrap();
    assert_eq!(
        read.to_setup(),
        setup("r3k2r/8/8/8/8/8/8/R3K2R w KQq - 0 1")
    );
    assert_eq!(read.as_bytes(), &bytes);
    assert_eq!(read.canonical().as_bytes(), &usual);
}

#[test]
fn history_is_kept_but_tells_nothing() {
    let fen = "4k3/8/8/8/8/8/4P3/3QK3 w - - 5 40";
    let canonical = snapshot(fen);
    let mut bytes = canonical;
    bytes[24] |= byte::MOVED; // the queen has been away
    bytes[25] &= !byte::MOVED; // the king has not
    let read = Snapshot::from_bytes(&bytes).unwrap();
    assert_eq!(read.as_bytes(), &bytes);
    assert_eq!(read.to_setup(), setup(fen));
    assert_eq!(read.canonical().as_bytes(), &canonical);
}

#[test]
fn a_plain_board_is_a_snapshot_without_flags_and_trailer() {
    let fen = "r3k2r/8/8/8/4Pp2/8/8/R3K2R b KQkq e3 0 1";
    let snapshot = Snapshot::from_setup(&setup(fen)).unwrap();
    let cut: Vec<u8> = (snapshot.as_bytes()[..120].iter())
        .map(|&b| if b == 0xff { b } else { b & 0x9f })
        .collect();
    assert_eq!(snapshot.to_plain().as_bytes()[..], cut);
}

#[test]
fn a_plain_board_is_read_with_white_to_move_and_nothing_else() {
    let (plain, lost) = Plain::from_setup_lossy(&setup("4k3/8/8/8/4P3/8/8/4K3 b - e3 7 9"));
    assert_eq!(
        plain.to_setup().to_string(),
        "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1"
    );
    use FenField::*;
    assert_eq!(lost, [Turn, EnPassant, HalfmoveClock, FullmoveNumber]);
    assert_eq!(Plain::LOST.len(), 5);
    let nothing_to_lose = plain.to_setup();
    assert_eq!(Plain::from_setup(&nothing_to_lose), Ok(plain));
}

#[test]
fn faults_are_found_in_the_order_of_the_specification() {
    let good = snapshot("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    // Each fault alone, the last to be found first.
    let faults: [(usize, u8, Error); 7] = [
        (
            126,
            0x97,
            Error::BadCastlingFile {
                at: 126,
                byte: 0x97,
            },
        ),
        (124, 0, Error::BadMoveNumber { at: 124 }),
        (35, 0x49, Error::BadEnPassant { at: 35 }),
        (121, 3, Error::BadFlags { at: 121, byte: 3 }),
        (120, 9, Error::BadSide { at: 120, byte: 9 }),
        (98, 0x1f, Error::BadCell { at: 98, byte: 0x1f }),
        (119, 0, Error::BadBorder { at: 119, byte: 0 }),
    ];
    let mut bytes = good;
    bytes[121] = 1;
    for (at, byte, expected) in faults {
        bytes[at] = byte;
        assert_eq!(Snapshot::from_bytes(&bytes), Err(expected.clone()));
        assert_eq!(expected.at(), Some(at));
    }
    let expected = Error::BadLength {
        found: 127,
        expected: 128,
    };
    assert_eq!(Snapshot::from_bytes(&bytes[..127]), Err(expected));
}

#[test]
fn every_other_length_is_refused() {
    let bytes = [0xff; 300];
    for length in 0..bytes.len() {
        let plain = Plain::from_bytes(&bytes[..length]);
        let snapshot = Snapshot::from_bytes(&bytes[..length]);
        let too_long = |error: Option<Error>| matches!(error, Some(Error::BadLength { .. }));
        assert_eq!(too_long(plain.err()), length != 120);
        assert_eq!(too_long(snapshot.err()), length != 128);
    }
}

#[test]
fn two_pawns_cannot_both_have_just_stepped_twice() {
    let mut bytes = snapshot("4k3/8/8/8/2P1P3/8/8/4K3 b - e3 0 1");
    bytes[53] |= byte::EN_PASSANT;
    assert_eq!(
        Snapshot::from_bytes(&bytes),
        Err(Error::BadEnPassant { at: 55 })
    );
}

#[test]
fn the_cells_behind_a_double_step_are_free() {
    let good = snapshot("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1");
    for behind in [35, 45] {
        let mut bytes = good;
        bytes[behind] = 0x2b;
        let error = Snapshot::from_bytes(&bytes).unwrap_err();
        assert_eq!(error, Error::BadEnPassant { at: 55 });
    }
}

#[test]
fn castling_files_name_rooks_on_their_side_of_the_only_king() {
    let good = snapshot("4k3/8/8/8/8/8/8/R1R1K2R w HC - 3 20");
    let cases = [
        (0x70, "the h-side rook is not on the a side"),
        (0x22, "the a-side rook is not on the h side"),
        (0xf8, "there is no ninth file"),
        (0x4f, "the king is no rook"),
    ];
    for (byte, why) in cases {
        let mut bytes = good;
        bytes[126] = byte;
        let error = Snapshot::from_bytes(&bytes).unwrap_err();
        assert_eq!(error, Error::BadCastlingFile { at: 126, byte }, "{why}");
    }
    let mut bytes = good;
    bytes[26] = 0x2e; // a second king on f1
    let error = Snapshot::from_bytes(&bytes).unwrap_err();
    assert_eq!(
        error,
        Error::BadCastlingFile {
            at: 126,
            byte: 0x27
        }
    );
}

#[test]
fn clocks_beyond_sixteen_bits_are_refused() {
    let mut position = Setup::INITIAL;
    (position.halfmove_clock, position.fullmove_number) = (65_535, 65_535);
    let written = Snapshot::from_setup(&position).unwrap();
    assert_eq!(written.to_setup(), position);
    let field = FenField::HalfmoveClock;
    position.halfmove_clock = 65_536;
    let (value, least) = (65_536, 0);
    let expected = Error::OutOfRange {
        field,
        value,
        least,
    };
    assert_eq!(Snapshot::from_setup(&position), Err(expected));
    let field = FenField::FullmoveNumber;
    (position.halfmove_clock, position.fullmove_number) = (0, 0);
    let (value, least) = (0, 1);
    let expected = Error::OutOfRange {
        field,
        value,
        least,
    };
    assert_eq!(Snapshot::from_setup(&position), Err(expected));
}

#[test]
fn impossible_rights_and_en_passant_squares_have_no_place() {
    let odd = setup("4k3/8/8/8/8/8/8/4K2R w KQ e6 0 1");
    let lost = vec![FenField::Castling, FenField::EnPassant];
    let error = Snapshot::from_setup(&odd).unwrap_err();
    assert_eq!(error, Error::LossyConversion { lost: lost.clone() });
    assert_eq!(
        error.to_string(),
        "castling rights, en-passant square would be lost"
    );
    let (snapshot, found) = Snapshot::from_setup_lossy(&odd).unwrap();
    assert_eq!(found, lost);
    let kept = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert_eq!(snapshot.to_setup(), setup(kept));
    assert_eq!(snapshot.as_bytes()[121], 0);
}

#[test]
fn errors_say_where() {
    let mut bytes = snapshot("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    bytes[55] = 0x07;
    let error = Snapshot::from_bytes(&bytes).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cell 55 (e4) holds 07, which is no piece of this profile"
    );
}

/// Any pieces anywhere, with rights and en-passant squares that may be nonsense.
fn any_setup() -> impl Strategy<Value = Setup> {
    let pieces = prop::collection::vec((0u8..64, 0usize..6, any::<bool>()), 0..40);
    let rights = prop::collection::vec(prop_oneof![0u8..8, 56u8..64, 0u8..64], 0..4);
    let clocks = (0u32..=65_535, 1u32..=65_535);
    (
        pieces,
        rights,
        prop::option::of(16u8..48),
        any::<bool>(),
        clocks,
    )
        .prop_map(
            |(pieces, rights, ep, white, (halfmove_clock, fullmove_number))| {
                let mut board = Board::EMPTY;
                let color = |white| if white { Color::White } else { Color::Black };
                for (square, role, white) in pieces {
                    let piece = Role::ALL[role].of(color(white));
                    board.put(Square::from_index(square), piece);
                }
                let rights = rights.into_iter().map(Square::from_index);
                Setup {
                    board,
                    turn: color(white),
                    castling_rooks: rights.fold(Bitboard::EMPTY, |set, rook| set | rook.into()),
                    ep_square: ep.map(Square::from_index),
                    halfmove_clock,
                    fullmove_number,
                }
            },
        )
}

/// A back rank where castling often makes sense.
fn back_rank_setup() -> impl Strategy<Value = Setup> {
    let ranks = prop::collection::vec(prop_oneof![Just('R'), Just('1'), Just('N'), Just('K')], 16);
    (ranks, any::<u8>(), any::<u8>()).prop_map(|(ranks, white, black)| {
        let (mut upper, lower): (String, String) =
            (ranks[..8].iter().collect(), ranks[8..].iter().collect());
        upper = upper.to_lowercase();
        let mut position = setup(&format!("{upper}/8/8/8/8/8/8/{lower} w - - 0 1"));
        let rooks = position.board.pieces(Role::Rook);
        position.castling_rooks = rooks & Bitboard(u64::from(black) << 56 | u64::from(white));
        position
    })
}

proptest! {
    #[test]
    fn a_snapshot_gives_back_its_set_up(position in prop_oneof![any_setup(), back_rank_setup()]) {
        let (written, lost) = Snapshot::from_setup_lossy(&position).unwrap();
        let read = Snapshot::from_bytes(written.as_bytes()).unwrap();
        let back = read.to_setup();
        prop_assert_eq!(&read.canonical(), &written);
        prop_assert_eq!(lost.contains(&FenField::Castling), back.castling_rooks != position.castling_rooks);
        prop_assert_eq!(lost.contains(&FenField::EnPassant), back.ep_square != position.ep_square);
        if lost.is_empty() {
            prop_assert_eq!(back, position);
        }
        let sound = position.sound_castling_rooks();
        prop_assert!((sound - back.castling_rooks).is_empty());
    }

    #[test]
    fn a_plain_board_gives_back_its_pieces(position in any_setup()) {
        let (plain, _) = Plain::from_setup_lossy(&position);
        let read = Plain::from_bytes(plain.as_bytes()).unwrap();
        prop_assert_eq!(read.to_setup().board, position.board);
    }

    #[test]
    fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..140)) {
        let _ = Plain::from_bytes(&bytes);
        let _ = Snapshot::from_bytes(&bytes);
    }

    #[test]
    fn a_damaged_snapshot_is_refused_or_means_something(
        position in prop_oneof![any_setup(), back_rank_setup()],
        damage in prop::collection::vec((0usize..128, any::<u8>()), 1..4),
    ) {
        let (written, _) = Snapshot::from_setup_lossy(&position).unwrap();
        let mut bytes = *written.as_bytes();
        for (at, byte) in damage {
            bytes[at] = byte;
        }
        if let Ok(read) = Snapshot::from_bytes(&bytes) {
            prop_assert_eq!(read.as_bytes(), &bytes);
            let again = Snapshot::from_setup(&read.to_setup()).unwrap();
            prop_assert_eq!(again, read.canonical());
        }
    }
}
