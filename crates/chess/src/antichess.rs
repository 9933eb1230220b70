//! Antichess: captures are forced, kings are ordinary pieces, and a pawn may become a king.

use crate::{
    Bitboard, Position, Role, attacks,
    movegen::{Rules, Side, Sink, pawn_moves},
};

/// The rules of antichess.
pub(crate) struct Antichess;

impl Rules for Antichess {
    const PROMOTIONS: &'static [Role] = &[
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::King,
    ];

    fn generate<S: Side, K: Sink>(position: &Position, sink: &mut K) {
        let board = position.board();
        let (own, enemy) = (board.side(S::US), board.side(S::Them::US));
        let occupied = own | enemy;
        let reach = |role| {
            (board.pieces(role) & own)
                .into_iter()
                .map(move |from| (role, from, attacks::piece(role, from, occupied)))
        };
        let pieces = || Role::ALL.into_iter().skip(1).flat_map(reach);

        let en_passant = position.ep_square_in_reach();
        let pawns_capture = (board.pieces(Role::Pawn) & own)
            .into_iter()
            .any(|pawn| (attacks::pawn(S::US, pawn) & enemy).any());
        let must_capture =
            en_passant.is_some() || pawns_capture || pieces().any(|(_, _, to)| (to & enemy).any());

        let allowed = if must_capture { enemy } else { !occupied };
        for (role, from, to) in pieces() {
            sink.piece(role, from, to & allowed);
        }
        let pawns = board.pieces(Role::Pawn) & own;
        let empty = if must_capture {
            Bitboard::EMPTY
        } else {
            !occupied
        };
        pawn_moves::<S, K>(sink, pawns, empty, enemy, Bitboard::FULL);
        if let Some(ep) = en_passant {
            for from in position.ep_capturers(ep) {
                sink.single(Role::Pawn, crate::Move::new(from, ep));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Position, Variant};

    fn moves(fen: &str) -> Vec<String> {
        let setup = fen.parse().unwrap();
        let position = Position::from_setup(&setup, Variant::Antichess).unwrap();
        let mut moves: Vec<_> = position
            .legal_moves()
            .iter()
            .map(ToString::to_string)
            .collect();
        moves.sort();
        moves
    }

    #[test]
    fn captures_are_forced() {
        assert_eq!(moves("8/8/8/8/8/1p6/P3P3/8 w - - 0 1"), ["a2b3"]);
        assert_eq!(moves("8/8/8/8/3pP3/8/8/R7 b - e3 0 1"), ["d4e3"]);
    }

    #[test]
    fn kings_are_taken_like_any_piece() {
        assert_eq!(moves("4k3/8/8/8/8/8/8/4R3 w - - 0 1"), ["e1e8"]);
    }

    #[test]
    fn a_pawn_may_become_a_king() {
        assert_eq!(
            moves("8/4P3/8/8/8/8/8/8 w - - 0 1"),
            ["e7e8b", "e7e8k", "e7e8n", "e7e8q", "e7e8r"]
        );
    }
}
