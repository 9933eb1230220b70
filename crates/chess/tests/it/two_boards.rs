//! Bitboards and mailbox share no rules: where they agree, both are right.

use proptest::prelude::*;
use tabiya_chess::{
    Bitboard, Board, Color, MoveList, Position, Role, Setup, Square, Variant, mailbox::Mailbox,
};

const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "rkr5/8/8/8/8/8/8/5RKR b HFac - 7 30",
    "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1",
    "4k3/pppppppp/8/PPPPPPPP/pppppppp/8/PPPPPPPP/4K3 w - - 0 1",
];

fn sorted(mut moves: MoveList) -> MoveList {
    moves.sort();
    moves
}

/// Plays the same moves on both boards and compares them before each.
fn play_both(setup: &Setup, choices: &[u16]) -> Result<(), TestCaseError> {
    let position = Position::from_setup(setup, Variant::Chess960);
    let board = Mailbox::from_setup(setup);
    prop_assert_eq!(position.as_ref().err(), board.as_ref().err());
    let (Ok(mut position), Ok(mut board)) = (position, board) else {
        return Ok(());
    };
    for &choice in choices {
        prop_assert_eq!(position.to_setup(), board.to_setup());
        prop_assert_eq!(position.key(), board.key(), "{}", position.to_setup());
        prop_assert_eq!(position.is_check(), board.is_check());
        let moves = sorted(board.legal_moves());
        let expected = sorted(position.legal_moves());
        prop_assert_eq!(&moves, &expected, "{}", position.to_setup());
        let Some(&play) = moves.get(usize::from(choice) % moves.len().max(1)) else {
            break;
        };
        board.play(play);
        position.play_unchecked(play);
    }
    Ok(())
}

/// Two kings and anything else anywhere, castling rights and en-passant squares at random: checks
/// that no game gives (kings side by side among them), rights of all kinds.
fn wild_setup() -> impl Strategy<Value = Setup> {
    let kings = (prop_oneof![0u8..8, 0u8..64], prop_oneof![56u8..64, 0u8..64]);
    let pieces = prop::collection::vec((0u8..64, 0usize..5, any::<bool>()), 0..24);
    let rights = (any::<u8>(), any::<u8>());
    let ep = prop::option::of(prop_oneof![16u8..24, 40u8..48]);
    let kings = kings.prop_filter("two kings on one square", |(white, black)| white != black);
    (kings, pieces, rights, ep, any::<bool>()).prop_map(|(kings, pieces, rights, ep, white)| {
        let mut board = Board::EMPTY;
        let color = |white| if white { Color::White } else { Color::Black };
        for (square, role, white) in pieces {
            // Pawns on a back rank become rooks, which makes castling frequent.
            let square = Square::from_index(square);
            let on_back_rank = Bitboard::BACK_RANKS.contains(square);
            let role = match Role::ALL[role] {
                Role::Pawn if on_back_rank => Role::Rook,
                role => role,
            };
            board.put(square, role.of(color(white)));
        }
        board.put(Square::from_index(kings.0), Role::King.of(Color::White));
        board.put(Square::from_index(kings.1), Role::King.of(Color::Black));
        let rights = Bitboard(u64::from(rights.0) | u64::from(rights.1) << 56);
        Setup {
            board,
            turn: color(white),
            castling_rooks: rights & board.pieces(Role::Rook),
            ep_square: ep.map(Square::from_index),
            halfmove_clock: 3,
            fullmove_number: 7,
        }
    })
}

proptest! {
    #[test]
    fn random_games_are_the_same_on_both(
        start in 0..STARTS.len(),
        choices in prop::collection::vec(any::<u16>(), 1..200),
    ) {
        let setup: Setup = STARTS[start].parse().expect("a FEN");
        play_both(&setup, &choices)?;
    }

    #[test]
    fn wild_set_ups_are_the_same_on_both(
        setup in wild_setup(),
        choices in prop::collection::vec(any::<u16>(), 1..12),
    ) {
        play_both(&setup, &choices)?;
    }
}
