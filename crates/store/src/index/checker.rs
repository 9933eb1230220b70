//! Positions of one key, told apart.

use std::hash::{BuildHasher, RandomState};

use tabiya_chess::mailbox::Mailbox;

/// Tells positions of one key apart: a number of what stands where, and who may castle, that nobody
/// can foresee. Turn and en passant are in the key: where all else is the same, they change it.
///
/// It is the hash NH of UMAC (Black and others, 1999), with numbers from the system that are made anew for
/// each index.
#[derive(Clone)]
pub(super) struct Checker([u64; 10]);

impl Checker {
    pub fn new() -> Checker {
        let random = RandomState::new();
        Checker(std::array::from_fn(|place| random.hash_one(place)))
    }

    #[inline]
    pub fn check(&self, board: &Mailbox) -> u64 {
        let ranks = board.to_ranks();
        let secret = &self.0;
        let product = |one: u64, other: u64| u128::from(one) * u128::from(other);
        let mut sum = product(board.castling_rooks().0.wrapping_add(secret[8]), secret[9]);
        for place in [0, 2, 4, 6] {
            sum = sum.wrapping_add(product(
                ranks[place].wrapping_add(secret[place]),
                ranks[place + 1].wrapping_add(secret[place + 1]),
            ));
        }
        (sum >> 64) as u64 ^ sum as u64
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;
    use tabiya_chess::{Setup, Square};

    use super::*;

    proptest! {
        #[test]
        fn other_pieces_and_rights_have_other_checks(plays: Vec<u16>) {
            let checker = Checker::new();
            let mut board = Mailbox::from_setup(&Setup::INITIAL).unwrap();
            let mut seen = HashMap::new();
            for choice in plays {
                let moves = board.legal_moves();
                let Some(play) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
                board.play(*play);
                let (cells, rooks) = (board.to_cells().to_vec(), board.castling_rooks());
                let check = checker.check(&board);
                let same = seen.entry((cells, rooks)).or_insert(check);
                prop_assert_eq!(*same, check);
            }
            let distinct: std::collections::HashSet<_> = seen.values().collect();
            prop_assert_eq!(distinct.len(), seen.len());
        }
    }

    #[test]
    fn which_rook_castles_counts() {
        let checker = Checker::new();
        let check = |fen: &str| {
            let board = Mailbox::from_setup(&fen.parse().unwrap()).unwrap();
            (
                checker.check(&board),
                board.castling_rooks().contains(Square::B1),
            )
        };
        let (one, other) = (
            check("1rr1k3/8/8/8/8/8/8/RR2K3 w B - 0 1"),
            check("1rr1k3/8/8/8/8/8/8/RR2K3 w A - 0 1"),
        );
        assert!(one.1 && !other.1 && one.0 != other.0);
    }
}
