use proptest::prelude::*;

use super::{SanError, SanWord, fast, tolerant};
use crate::{Action, Move, Position, Role, Setup, Square, Variant};

fn position(fen: &str) -> Position {
    let setup: Setup = fen.parse().unwrap();
    Position::from_setup(&setup, Variant::Standard).unwrap()
}

/// Every text means the move with this UCI-like name.
#[track_caller]
fn means(fen: &str, texts: &[&str], play: &str) {
    let position = position(fen);
    for text in texts {
        match position.parse_san(text) {
            Ok(Action::Move(found)) => assert_eq!(found.to_string(), play, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[track_caller]
fn fails(fen: &str, text: &str) -> SanError {
    position(fen).parse_san(text).unwrap_err()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const CASTLE: &str = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
const PROMOTE: &str = "3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1";

#[test]
fn castling_with_zeros_or_small_letters() {
    means(CASTLE, &["O-O", "0-0", "o-o", "O-O+", "0-0!", "OO"], "e1h1");
    means(CASTLE, &["O-O-O", "0-0-0", "o-o-o", "000"], "e1a1");
}

#[test]
fn castling_as_a_move_of_the_king() {
    means(
        CASTLE,
        &["Kg1", "Ke1-g1", "e1g1", "Kh1", "e1h1", "Kxh1"],
        "e1h1",
    );
    means(CASTLE, &["Kc1", "e1c1", "e1a1"], "e1a1");
}

#[test]
fn a_plain_king_move_wins_over_castling() {
    means("6k1/8/8/8/8/8/8/R4K1R w HA - 0 1", &["Kg1", "f1g1"], "f1g1");
    means("6k1/8/8/8/8/8/8/R4K1R w HA - 0 1", &["O-O", "Kh1"], "f1h1");
}

#[test]
fn capture_sign_missing_or_superfluous() {
    let fen = "4k3/8/8/3p4/4P3/8/8/4K2R w - - 0 1";
    means(fen, &["exd5", "ed5", "e:d5", "e-d5", "eXd5"], "e4d5");
    means(fen, &["Rxh4", "Rh4"], "h1h4");
}

#[test]
fn check_sign_missing_or_superfluous() {
    means(
        "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
        &["Rh8", "Rh8+", "Rh8#", "Rh8++"],
        "h1h8",
    );
    means(START, &["e4+", "e4#", "e4!", "e4!?", "e4??"], "e2e4");
}

#[test]
fn en_passant_mark_missing_or_superfluous() {
    let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    means(
        fen,
        &["exd6", "exd6e.p.", "exd6ep", "ed6e.p", "exd6e.p.+"],
        "e5d6",
    );
    means(START, &["e4e.p."], "e2e4");
}

#[test]
fn promotion_without_equals_sign() {
    means(
        PROMOTE,
        &[
            "e8=Q", "e8Q", "e8(Q)", "e8/Q", "e8=(Q)", "e8=q", "e8q", "e7e8q",
        ],
        "e7e8q",
    );
    means(
        PROMOTE,
        &["exd8=N", "exd8N", "ed8/N", "e7xd8=N", "e7d8n"],
        "e7d8n",
    );
    means(PROMOTE, &["e8=B", "e8B", "e8b", "e7e8b", "e8=b+"], "e7e8b");
}

#[test]
fn long_algebraic() {
    means(START, &["e2-e4", "e2e4", "Pe2-e4", "Pe4"], "e2e4");
    means(
        START,
        &["Ng1-f3", "Ng1f3", "Ng1xf3", "g1f3", "g1-f3"],
        "g1f3",
    );
}

#[test]
fn more_disambiguation_than_needed() {
    means(START, &["Ngf3", "N1f3", "Ng1f3"], "g1f3");
}

#[test]
fn figurines() {
    means(START, &["♘f3", "♞f3", "♘g1-f3"], "g1f3");
    means(START, &["♙e4", "♟e4"], "e2e4");
    means(CASTLE, &["♔d1"], "e1d1");
}

#[test]
fn null_moves() {
    for text in ["--", "Z0", "@@@@", "null", "NULL", "0000"] {
        assert_eq!(
            Position::initial().parse_san(text),
            Ok(Action::Null),
            "{text}"
        );
    }
}

#[test]
fn a_text_that_is_no_move_says_so() {
    for text in [
        "", "x", "e", "e9", "hello", "Nf", "e2e4e5", "e4=", "N", "e4 e5", "\u{ff}",
    ] {
        assert!(matches!(fails(START, text), SanError::Syntax(_)), "{text}");
    }
    let long = "e".repeat(1_000_000);
    assert!(fails(START, &long).to_string().len() < 100);
}

#[test]
fn a_text_that_fits_no_move_says_why() {
    assert_eq!(fails(START, "Nd4").to_string(), "no knight can go to d4");
    assert_eq!(fails(START, "e5").to_string(), "no pawn can go to e5");
    assert_eq!(
        fails(START, "O-O").to_string(),
        "castling on the h side is not possible"
    );
    assert_eq!(fails(START, "e3e4"), SanError::EmptySquare(Square::E3));
    assert_eq!(fails(PROMOTE, "e8"), SanError::PromotionMissing(Square::E8));
    assert_eq!(
        fails(PROMOTE, "e8=K"),
        SanError::PromotionWrong(Square::E8, Role::King)
    );
    assert_eq!(
        fails(START, "e4=Q"),
        SanError::PromotionWrong(Square::E4, Role::Queen)
    );
    assert_eq!(
        fails("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "Nf4").to_string(),
        "the knight cannot go to f4: the king would be in check"
    );
}

#[test]
fn a_text_that_fits_several_moves_names_them() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R w - - 0 1";
    assert_eq!(
        fails("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rd1").to_string(),
        "several moves fit: Rad1, Rhd1"
    );
    means(fen, &["Rd1"], "a1d1");
}

#[test]
fn a_pinned_piece_needs_no_disambiguation() {
    // The knight on e2 is pinned, so only the one on b1 can go to c3.
    let fen = "4r1k1/8/8/8/8/8/4N3/1N2K3 w - - 0 1";
    means(fen, &["Nc3", "Nbc3"], "b1c3");
    assert_eq!(
        position(fen)
            .san(Move::new(Square::B1, Square::C3))
            .as_str(),
        "Nc3"
    );
}

#[test]
fn writes_the_shortest_form() {
    for (fen, from, to, text) in [
        (
            "4k3/8/8/8/8/8/4K3/R6R w - - 0 1",
            Square::A1,
            Square::D1,
            "Rad1",
        ),
        (
            "R7/5k2/8/8/8/8/8/R3K3 w - - 0 1",
            Square::A1,
            Square::A4,
            "R1a4",
        ),
        (
            "8/7k/8/Q3Q3/8/8/4K3/Q7 w - - 0 1",
            Square::A5,
            Square::C3,
            "Qa5c3",
        ),
        (
            "3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            Square::E1,
            Square::A1,
            "O-O-O+",
        ),
        (
            "6rk/6pp/8/6N1/8/8/8/4K3 w - - 0 1",
            Square::G5,
            Square::F7,
            "Nf7#",
        ),
        (
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            Square::E5,
            Square::D6,
            "exd6",
        ),
        (
            "4k3/8/8/8/8/8/4N3/4R1K1 w - - 0 1",
            Square::E2,
            Square::C3,
            "Nc3+",
        ),
    ] {
        assert_eq!(
            position(fen).san(Move::new(from, to)).as_str(),
            text,
            "{fen}"
        );
    }
}

#[test]
fn antichess_names_a_forced_capture() {
    let setup = "8/8/8/8/8/1p6/P3P3/8 w - - 0 1".parse().unwrap();
    let position = Position::from_setup(&setup, Variant::Antichess).unwrap();
    assert_eq!(
        position.parse_san("e4").unwrap_err().to_string(),
        "the pawn cannot go to e4: a capture is forced"
    );
    let king = "k7/8/8/8/8/8/8/R7 w - - 0 1".parse().unwrap();
    let position = Position::from_setup(&king, Variant::Antichess).unwrap();
    assert_eq!(
        position.parse_san("Rxa8"),
        Ok(Action::Move(Move::new(Square::A1, Square::A8)))
    );
}

/// A position some random plies after a start that has every kind of move near.
pub(crate) fn any_position() -> impl Strategy<Value = Position> {
    let starts = prop::sample::select(vec![
        START,
        CASTLE,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "1rr1kr2/8/8/8/8/8/8/1RR1KR2 w FBfb - 0 1",
        "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
        "8/8/2QQQ3/1k6/2QQQ3/8/8/7K w - - 0 1",
    ]);
    (
        starts,
        prop::collection::vec(any::<prop::sample::Index>(), 0..60),
    )
        .prop_map(|(fen, choices)| {
            let mut position = position(fen);
            for choice in choices {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(*choice.get(&moves));
            }
            position
        })
}

#[test]
fn a_check_that_was_there_before_is_written_too() {
    // Readers that take moves on trust play some that leave the king in check.
    let mut trusted = position("4k2n/8/8/8/8/8/4R3/4K3 b - - 0 1");
    trusted.play_unchecked(Move::new(Square::H8, Square::G6));
    assert_eq!(&*trusted.san(Move::new(Square::E1, Square::D1)), "Kd1+");
    let mut passed = position("4k2n/8/8/8/8/8/4R3/4K3 b - - 0 1");
    passed.play_null();
    assert_eq!(&*passed.san(Move::new(Square::E1, Square::D1)), "Kd1+");
    let odd = position("4k2n/8/8/8/8/8/4R3/4K3 w - - 0 1");
    assert_eq!(&*odd.san(Move::new(Square::E1, Square::D1)), "Kd1+");
}

proptest! {
    #[test]
    fn what_is_written_is_read_back_by_both_readers(position in any_position()) {
        let mut texts = Vec::new();
        for &play in &position.legal_moves() {
            let text = position.san(play);
            prop_assert_eq!(position.parse_san(text.as_str()), Ok(Action::Move(play)));
            prop_assert_eq!(
                tolerant::read(&position, text.as_bytes()),
                Ok(Action::Move(play)),
                "{}", text
            );
            if let Some((role, found)) = fast::read(&position, SanWord::of(text.as_bytes()).unwrap()) {
                prop_assert_eq!(found, play);
                prop_assert_eq!(position.board().role_at(play.from()), Some(role));
            }
            let mut played = position;
            prop_assert_eq!(played.play_san(text.as_bytes()), Ok(Action::Move(play)));
            let mut expected = position;
            expected.play_unchecked(play);
            prop_assert_eq!(played, expected);
            texts.push(text);
        }
        texts.sort();
        let all = texts.len();
        texts.dedup();
        prop_assert_eq!(texts.len(), all);
    }

    #[test]
    fn the_readers_agree_on_any_text(position in any_position(), text in "[KQRBNa-h1-8x=+#O-]{0,7}") {
        let word = SanWord::of(text.as_bytes()).unwrap();
        if let Some((_, play)) = fast::read(&position, word) {
            prop_assert_eq!(tolerant::read(&position, text.as_bytes()), Ok(Action::Move(play)));
        }
    }

    #[test]
    fn any_bytes_are_read_without_panic(position in any_position(), text in prop::collection::vec(any::<u8>(), 0..12)) {
        let read = position.parse_san(&text);
        if let Ok(Action::Move(play)) = read {
            prop_assert!(position.is_legal(play));
        }
    }

    #[test]
    fn checks_are_foreseen(mut position in any_position(), passes in 0..3) {
        // After a null move out of check, moves are legal that leave the check there.
        for _ in 0..passes {
            position.play_null();
        }
        for &play in &position.legal_moves() {
            let mut after = position;
            after.play_unchecked(play);
            prop_assert_eq!(position.gives_check(play), after.is_check(), "{} {}", position, play);
        }
    }

    #[test]
    fn a_position_reached_is_the_position_set_up(mut position in any_position(), passes in 0..3) {
        for _ in 0..passes {
            position.play_null();
        }
        let set_up = Position::from_setup(&position.to_setup(), position.variant());
        prop_assert_eq!(set_up, Ok(position));
    }

    #[test]
    fn a_plain_move_is_told_before_it_is_played(position in any_position()) {
        for &play in &position.legal_moves() {
            let mut played = position;
            let word = SanWord::of(position.san(play).as_bytes()).unwrap();
            let mut told = None;
            let found = played.play_plain_san(word, |before, play| told = Some((*before, play)));
            prop_assert_eq!(told, found.map(|play| (position, play)));
            let mut expected = position;
            if let Some(play) = found {
                expected.play_unchecked(play);
            }
            prop_assert_eq!(played, expected);
        }
    }

    #[test]
    fn exactly_the_listed_moves_are_legal(position in any_position()) {
        let listed = position.legal_moves();
        for bits in 0..=u16::MAX {
            let play = Move::from_bits(bits);
            if play.to_bits() == bits {
                prop_assert_eq!(listed.contains(&play), position.is_legal(play), "{}", play);
            }
        }
    }
}
