//! The live board: ids, keys, clocks, rules, and play on trust.

use proptest::prelude::*;

use super::{board, setup};
use crate::{
    Color, Move, NotAPosition, Position, Role, Setup, Square, Variant,
    mailbox::{Cell, Mailbox, Mover, PieceId, Targets, byte, perft},
};

/// Positions from which random games start.
const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "rkr5/8/8/8/8/8/8/5RKR b HFac - 7 30",
    "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/pppppppp/8/PPPPPPPP/pppppppp/8/PPPPPPPP/4K3 w - - 0 1",
    "rnbqk2r/ppp2ppp/3b1n2/3pp3/8/3P1NP1/PPP1PPBP/RNBQK2R w KQkq d6 0 6",
];

fn play_all(fen: &str, moves: &[(Square, Square)]) -> Mailbox {
    let mut board = board(fen);
    for &(from, to) in moves {
        let play = Move::new(from, to);
        assert!(board.legal_moves().contains(&play), "{play} in {board:?}");
        board.play(play);
    }
    board
}

fn id(board: &Mailbox, square: Square) -> Option<PieceId> {
    board.id_at(square.into())
}

#[test]
fn keys_are_those_polyglot_publishes() {
    use Square as S;
    let line = [
        (S::E2, S::E4, 0x823c_9b50_fd11_4196),
        (S::D7, S::D5, 0x0756_b944_61c5_0fb0),
        (S::E4, S::E5, 0x662f_afb9_65db_29d4),
        (S::F7, S::F5, 0x22a4_8b5a_8e47_ff78),
        (S::E1, S::E2, 0x652a_607c_a3f2_42c1),
        (S::E8, S::F7, 0x00fd_d303_c946_bdd9),
    ];
    let mut board = board(STARTS[0]);
    assert_eq!(board.key().0, 0x463b_9618_1691_fc9c);
    for (from, to, key) in line {
        board.play(Move::new(from, to));
        assert_eq!(board.key().0, key, "{board:?}");
    }
    let line = [
        (S::A2, S::A4),
        (S::B7, S::B5),
        (S::H2, S::H4),
        (S::B5, S::B4),
        (S::C2, S::C4),
    ];
    let mut board = play_all(STARTS[0], &line);
    assert_eq!(board.key().0, 0x3c81_23ea_7b06_7637);
    board.play(Move::new(S::B4, S::C3));
    board.play(Move::new(S::A1, S::A3));
    assert_eq!(board.key().0, 0x5c3f_9b82_9b27_9560);
}

#[test]
fn the_en_passant_square_is_kept_for_fen_even_where_the_key_leaves_it_out() {
    let board = play_all(STARTS[0], &[(Square::E2, Square::E4)]);
    assert_eq!(board.to_setup().ep_square, Some(Square::E3));
    let mut without = board.to_setup();
    without.ep_square = None;
    let without = Mailbox::from_setup(&without).unwrap();
    assert_eq!(without.key(), board.key());
}

#[test]
fn pawns_across_the_edge_are_not_side_by_side() {
    // a4 and h5 are one cell apart in many layouts; here the frame is between them.
    let fen = "4k3/8/8/7p/8/8/P7/4K3 w - - 0 1";
    let board = play_all(fen, &[(Square::A2, Square::A4)]);
    let mut without = board.to_setup();
    without.ep_square = None;
    assert_eq!(Mailbox::from_setup(&without).unwrap().key(), board.key());
}

#[test]
fn clocks_and_move_numbers_count() {
    use Square as S;
    let mut board = play_all("4k3/8/8/8/8/8/4P3/4K2r w - - 13 77", &[(S::E1, S::D2)]);
    assert_eq!((board.halfmove_clock(), board.fullmove_number()), (14, 77));
    board.play(Move::new(S::E8, S::E7));
    assert_eq!((board.halfmove_clock(), board.fullmove_number()), (15, 78));
    board.play(Move::new(S::E2, S::E3));
    assert_eq!((board.halfmove_clock(), board.fullmove_number()), (0, 78));
    board.play(Move::new(S::H1, S::H2));
    assert_eq!((board.halfmove_clock(), board.fullmove_number()), (1, 79));
    assert_eq!(board.turn(), Color::White);
}

#[test]
fn castling_and_captures_touch_the_clock_as_they_should() {
    use Square as S;
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 9 1";
    let castled = play_all(fen, &[(S::E1, S::H1)]);
    assert_eq!(
        castled.to_setup().to_string(),
        "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 10 1"
    );
    let captured = play_all(fen, &[(S::A1, S::A8)]);
    assert_eq!(
        captured.to_setup().to_string(),
        "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1"
    );
}

#[test]
fn a_piece_keeps_its_number_for_life() {
    use Square as S;
    let fen = "4k3/1P6/8/8/8/8/8/R3K3 w Q - 0 1";
    let mut board = board(fen);
    let (king, rook, pawn) = (id(&board, S::E1), id(&board, S::A1), id(&board, S::B7));
    assert_eq!(king, Some(PieceId::new(1)));
    board.play(Move::promotion(S::B7, S::B8, Role::Knight));
    assert_eq!(id(&board, S::B8), pawn);
    board.play(Move::new(S::E8, S::E7));
    board.play(Move::new(S::E1, S::A1));
    assert_eq!((id(&board, S::C1), id(&board, S::D1)), (king, rook));
    assert_eq!((id(&board, S::E1), id(&board, S::A1)), (None, None));
}

#[test]
fn a_captured_piece_is_nowhere() {
    use Square as S;
    let mut board = board("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1");
    let victim = id(&board, S::D5).unwrap();
    assert_eq!(board.cell_of(victim), Some(S::D5.into()));
    board.play(Move::new(S::E4, S::D5));
    assert_eq!(board.cell_of(victim), None);
    assert_eq!(board.ids().count(), 3);
}

#[test]
fn en_passant_takes_the_pawn_that_passed() {
    use Square as S;
    let mut board = board("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1");
    let victim = id(&board, S::E2).unwrap();
    board.play(Move::new(S::E2, S::E4));
    assert_eq!(board.cell_of(victim), Some(S::E4.into()));
    board.play(Move::new(S::D4, S::E3));
    assert_eq!(board.cell_of(victim), None);
    assert_eq!(
        board.to_setup().to_string(),
        "4k3/8/8/8/8/4p3/8/4K3 w - - 0 2"
    );
}

#[test]
fn moves_can_be_played_by_cells() {
    let mut board = board("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1");
    let (b7, b8) = (Cell::new(82).unwrap(), Cell::new(92).unwrap());
    board.play_cells(b7, b8, Some(Role::Queen));
    assert_eq!(board.piece_at(b8), Some(Role::Queen.of(Color::White)));
    assert!(board.is_check());
    assert_eq!(board.to_cells()[92], 0x0d);
}

#[test]
fn set_ups_without_one_king_a_side_cannot_be_played() {
    let error = |fen: &str| Mailbox::from_setup(&setup(fen)).map(|_| ()).unwrap_err();
    let (white, black) = (Color::White, Color::Black);
    assert_eq!(
        error("8/8/8/8/8/8/8/8 w - - 0 1"),
        NotAPosition::NoKing(white)
    );
    let several = NotAPosition::SeveralKings(black);
    assert_eq!(error("4k3/4k3/8/8/8/8/8/4K3 w - - 0 1"), several);
    let pawn = NotAPosition::PawnOnLastRank(Square::A8);
    assert_eq!(error("P3k3/8/8/8/8/8/8/4K3 w - - 0 1"), pawn);
}

#[test]
fn impossible_rights_are_left_out() {
    let odd = board("4k3/8/8/8/8/8/8/4K2R w KQkq e6 0 1").to_setup();
    assert_eq!(odd.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
}

#[test]
fn no_move_captures_a_king() {
    let moves = board("4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1").legal_moves();
    assert!(moves.iter().all(|play| play.to() != Square::E8));
}

#[test]
fn chess960_castling_counts_what_stands_between() {
    let castles = |fen: &str| {
        let board = board(fen);
        let king = board.to_setup().board.king(board.turn()).unwrap();
        let rooks = board.to_setup().castling_rooks;
        let moves = board.legal_moves();
        let castles = moves.iter().filter(|play| play.from() == king);
        castles.filter(|play| rooks.contains(play.to())).count()
    };
    // King and rook change places.
    assert_eq!(castles("4k3/8/8/8/8/8/8/5KR1 w G - 0 1"), 1);
    // The king stays, only the rook jumps.
    assert_eq!(castles("4k3/8/8/8/8/8/8/6KR w H - 0 1"), 1);
    // A knight stands where the king must go.
    assert_eq!(castles("4k3/8/8/8/8/8/8/R1N1K3 w A - 0 1"), 0);
    // A knight stands on the rook's way only.
    assert_eq!(castles("4k3/8/8/8/8/8/8/RN2K3 w A - 0 1"), 0);
    // The king would pass an attacked square.
    assert_eq!(castles("3rk3/8/8/8/8/8/8/R3K3 w A - 0 1"), 0);
    // Only the rook passes one.
    assert_eq!(castles("1r2k3/8/8/8/8/8/8/R3K3 w A - 0 1"), 1);
    // In check.
    assert_eq!(castles("4k3/4r3/8/8/8/8/8/R3K3 w A - 0 1"), 0);
    // The rook on b1 shields the king from the rook on a1.
    assert_eq!(castles("4k3/8/8/8/8/8/8/rRK5 w B - 0 1"), 0);
    // The other rook is in the way.
    assert_eq!(castles("4k3/8/8/8/8/8/8/4RRK1 w FE - 0 1"), 0);
}

#[test]
fn castled_kings_and_rooks_may_change_places() {
    let swapped = play_all(
        "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
        &[(Square::F1, Square::G1)],
    );
    assert_eq!(
        swapped.to_setup().to_string(),
        "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"
    );
    check_lists(&swapped);
}

#[test]
fn known_positions_count_right() {
    let counts = [(0, 3, 8902), (1, 3, 97_862), (2, 3, 12_189), (5, 4, 43_238)];
    for (start, depth, expected) in counts {
        assert_eq!(perft(&board(STARTS[start]), depth), expected);
    }
    let board = board(STARTS[0]);
    assert_eq!(perft(&board, 0), 1);
    let divided = crate::mailbox::divide(&board, 3);
    assert_eq!(divided.iter().map(|(_, count)| count).sum::<u64>(), 8902);
    assert_eq!(divided.len(), 20);
}

/// Piece lists and cells tell the same.
fn check_lists(board: &Mailbox) {
    let mut listed = 0;
    for (id, cell) in board.ids() {
        assert_eq!(board.id_at(cell), Some(id), "{board:?}");
        assert!(board.piece_at(cell).is_some());
        listed += 1;
    }
    let cells = board.to_cells();
    let standing = |&&b: &&u8| b != byte::FREE && b != byte::OFF_BOARD;
    assert_eq!(listed, cells.iter().filter(standing).count(), "{board:?}");
    for cell in Cell::all() {
        assert_eq!(board.id_at(cell).is_some(), board.piece_at(cell).is_some());
    }
}

/// Castling rights, en passant and clocks after a move, worked out from the set-up before.
fn check_state(before: &Setup, play: Move, after: &Setup) {
    let piece = before.board.piece_at(play.from()).unwrap();
    let castles = before.castling_rooks.contains(play.to())
        && piece.role == Role::King
        && before.board.side(before.turn).contains(play.to());
    let captures = before.board.occupied().contains(play.to()) && !castles;
    let quiet = piece.role != Role::Pawn && !captures;
    assert_eq!(
        after.halfmove_clock,
        if quiet { before.halfmove_clock + 1 } else { 0 }
    );
    let black = u32::from(before.turn == Color::Black);
    assert_eq!(after.fullmove_number, before.fullmove_number + black);
    assert_eq!(after.turn, !before.turn);
    let ranks = (play.from().rank() as i8 - play.to().rank() as i8).abs();
    let double = piece.role == Role::Pawn && ranks == 2;
    assert_eq!(after.ep_square.is_some(), double);
    let mut rights = before.castling_rooks - play.from().into() - play.to().into();
    if piece.role == Role::King {
        rights = rights - crate::Bitboard::rank(before.turn.back_rank());
    }
    assert_eq!(after.castling_rooks, rights);
}

#[test]
fn passing_leaves_the_pieces_and_forgets_en_passant() {
    let mut board = play_all(STARTS[0], &[(Square::E2, Square::E4)]);
    board.play_null();
    let expected = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2";
    assert_eq!(board.to_setup(), setup(expected));
    assert_eq!(
        board.key(),
        Mailbox::from_setup(&setup(expected)).unwrap().key()
    );
}

#[test]
fn castling_towards_a_side_needs_the_right() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1";
    let mut board = board(fen);
    assert!(!board.castle_towards(false));
    assert_eq!(board.to_setup(), setup(fen));
    assert!(board.castle_towards(true));
    assert!(!board.castle_towards(true));
    assert!(board.castle_towards(false));
    assert_eq!(board.to_setup(), setup("2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"));
}

#[test]
fn a_captured_piece_goes_nowhere() {
    let line = [(Square::E2, Square::E4), (Square::D7, Square::D5)];
    let mut board = play_all(STARTS[0], &line);
    let pawn = board.mover_at(Square::D5.into());
    let ahead = Targets::NOWHERE.with(Square::D5.into(), Square::D4.into());
    board.play(Move::new(Square::E4, Square::D5));
    let before = board.to_setup();
    assert!(!board.play_to(pawn, &ahead));
    assert!(!board.play_to(Mover::NOBODY, &ahead));
    assert_eq!(board.to_setup(), before);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn random_games_keep_everything_in_step(
        start in 0..STARTS.len(),
        choices in prop::collection::vec(any::<u16>(), 1..120),
    ) {
        let mut board = board(STARTS[start]);
        for choice in choices {
            let moves = board.legal_moves();
            let mover = board.turn();
            let before = board.to_setup();
            for play in &moves {
                let mut next = board.clone();
                next.play(*play);
                let king = next.to_setup().board.king(mover);
                prop_assert!(king.is_some());
                // With the turn back, the side that has moved must not be in check.
                let mut back = next.to_setup();
                (back.turn, back.ep_square) = (mover, None);
                prop_assert!(!Mailbox::from_setup(&back).unwrap().is_check(), "{play} {board:?}");
            }
            let Some(&play) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
            board.play(play);
            check_lists(&board);
            let after = board.to_setup();
            check_state(&before, play, &after);
            let fresh = Mailbox::from_setup(&after).unwrap();
            prop_assert_eq!(fresh.key(), board.key(), "{:?}", &board);
            let cells = board.to_cells();
            let ranks = std::array::from_fn(|rank| {
                let bytes = [0, 4, 1, 5, 2, 6, 3, 7].map(|file| cells[21 + 10 * rank + file]);
                u64::from_le_bytes(bytes)
            });
            prop_assert_eq!(board.to_ranks(), ranks);
            let position = Position::from_setup(&after, Variant::Chess960).unwrap();
            let legal = position.ep_square_legal();
            prop_assert_eq!(board.has_legal_ep(), legal.is_some(), "{:?}", &board);
            let exact = Setup { ep_square: legal, ..after };
            prop_assert_eq!(board.exact_key(), Mailbox::from_setup(&exact).unwrap().key());
            prop_assert_eq!(fresh.to_setup(), after);
        }
    }

    #[test]
    fn moves_that_are_not_legal_do_no_harm(
        start in 0..STARTS.len(),
        plays in prop::collection::vec(any::<u16>(), 1..200),
    ) {
        let mut board = board(STARTS[start]);
        for bits in plays {
            board.play(Move::from_bits(bits));
            let _ = (board.legal_moves().len(), board.is_check(), board.exact_key());
            let _ = (board.to_setup(), board.ids().count());
        }
    }
}
