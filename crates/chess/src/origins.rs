//! Where a piece that goes to a square can come from.
//!
//! Notations that name what moves and where to, but not where from, are read and written by this
//! question. It is answered from the target, without a list of all moves.

use crate::{Bitboard, Move, Position, Rank, Role, Square, Variant, attacks};

impl Position {
    /// The squares, of those asked for, from which a piece of the side to move can legally go to
    /// a square; castling apart.
    ///
    /// ```
    /// use tabiya_chess::{Bitboard, Position, Role, Square};
    ///
    /// let start = Position::initial();
    /// let from = start.origins(Role::Knight, Square::F3, Bitboard::FULL);
    /// assert_eq!(from.single(), Some(Square::G1));
    /// assert!(start.origins(Role::Knight, Square::F3, Square::B1.into()).is_empty());
    /// ```
    #[inline]
    #[must_use]
    pub fn origins(&self, role: Role, to: Square, among: Bitboard) -> Bitboard {
        if self.variant() == Variant::Antichess {
            return self.antichess_origins(role, to) & among;
        }
        let board = self.board();
        let own = board.side(self.turn());
        if (own | board.pieces(Role::King)).contains(to) {
            return Bitboard::EMPTY;
        }
        let mut left = match role {
            Role::Pawn => self.pawn_origins(to) & among,
            _ => attacks::rays(role, to) & board.pieces(role) & own & among,
        };
        let occupied = board.occupied();
        let mut legal = Bitboard::EMPTY;
        while let Some(from) = left.first() {
            let origin = Bitboard::square(from);
            if (attacks::between(from, to) & occupied).is_empty()
                && self.is_safe(role, Move::new(from, to))
            {
                legal |= origin;
            }
            left ^= origin;
        }
        legal
    }

    /// Where pawns stand that could go to a square that no own piece and no king holds, if their
    /// way is free.
    #[inline]
    fn pawn_origins(&self, to: Square) -> Bitboard {
        let (board, us) = (self.board(), self.turn());
        let pawns = board.of(us, Role::Pawn);
        let diagonal = attacks::pawn(!us, to) & pawns;
        if board.occupied().contains(to) {
            return diagonal;
        }
        let captures = match self.ep_square() == Some(to) {
            true => diagonal,
            false => Bitboard::EMPTY,
        };
        let behind = |steps: i8| {
            let from = to.offset(0, -us.forward() * steps);
            from.map_or(Bitboard::EMPTY, Bitboard::square)
        };
        let two = match to.rank() == us.rank(Rank::Fourth) {
            true => behind(2),
            false => Bitboard::EMPTY,
        };
        captures | (pawns & (behind(1) | two))
    }

    /// Captures are forced in antichess: only the whole list tells what is legal.
    #[inline(never)]
    fn antichess_origins(&self, role: Role, to: Square) -> Bitboard {
        let moves = self.legal_moves();
        let fitting = moves
            .iter()
            .filter(|play| play.to() == to)
            .map(|play| play.from());
        fitting.collect::<Bitboard>() & self.board().pieces(role)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same by looking through all legal moves.
    fn listed(position: &Position, role: Role, to: Square) -> Bitboard {
        let moves = position.legal_moves();
        let fitting = moves.iter().filter(|play| {
            play.to() == to
                && !position.is_castling(**play)
                && position.board().role_at(play.from()) == Some(role)
        });
        fitting.map(|play| play.from()).collect()
    }

    proptest! {
        #[test]
        fn origins_are_those_of_all_legal_moves(
            position in crate::san::tests::any_position(),
            among in any::<u64>(),
        ) {
            for variant in Variant::ALL {
                let position = position.with_variant(variant).unwrap();
                for role in Role::ALL {
                    for to in Square::all() {
                        let expected = listed(&position, role, to);
                        prop_assert_eq!(position.origins(role, to, Bitboard::FULL), expected);
                        let among = Bitboard(among);
                        prop_assert_eq!(position.origins(role, to, among), expected & among);
                    }
                }
            }
        }
    }
}
