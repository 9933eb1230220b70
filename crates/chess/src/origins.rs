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

    /// Plays the only legal move of a kind of piece to a square from one of some squares; a pawn
    /// that reaches the last rank becomes `promoted`. Castling is no move of a king here.
    ///
    /// `None` means that this is not so plain, not that there is no such move: in antichess, and
    /// wherever none or several fit, ask [`Position::origins`]. The position is then unchanged.
    ///
    /// What moves cannot be predicted: it is asked once, here, which is quicker than
    /// [`Position::origins`] and [`Position::play_unchecked`].
    ///
    /// ```
    /// use tabiya_chess::{Bitboard, Move, Position, Role, Square};
    ///
    /// let mut position = Position::initial();
    /// let play = position.play_only(Role::Pawn, Square::E4, Bitboard::FULL, Role::Queen);
    /// assert_eq!(play, Some(Move::new(Square::E2, Square::E4)));
    /// ```
    #[inline(always)]
    pub fn play_only(
        &mut self,
        role: Role,
        to: Square,
        among: Bitboard,
        promoted: Role,
    ) -> Option<Move> {
        let board = self.board();
        let held = board.side(self.turn()) | board.pieces(Role::King);
        if held.contains(to) || self.variant() == Variant::Antichess {
            return None;
        }
        match role {
            Role::Pawn => self.play_only_pawn(to, among, promoted),
            Role::Knight => self.play_only_piece::<{ Role::Knight as usize }>(to, among),
            Role::Bishop => self.play_only_piece::<{ Role::Bishop as usize }>(to, among),
            Role::Rook => self.play_only_piece::<{ Role::Rook as usize }>(to, among),
            Role::Queen => self.play_only_piece::<{ Role::Queen as usize }>(to, among),
            Role::King => self.play_only_piece::<{ Role::King as usize }>(to, among),
        }
    }

    #[inline(always)]
    fn play_only_piece<const ROLE: usize>(&mut self, to: Square, among: Bitboard) -> Option<Move> {
        let role = Role::ALL[ROLE];
        let (board, us) = (self.board(), self.turn());
        let origins = attacks::rays(role, to) & board.of(us, role) & among;
        let from = match origins.more_than_one() {
            true => self.origins(role, to, among).single()?,
            false => origins.first()?,
        };
        let play = Move::new(from, to);
        if (attacks::between(from, to) & board.occupied()).any() || !self.is_safe(role, play) {
            return None;
        }
        self.play_as::<true>(us, role, play);
        Some(play)
    }

    #[inline(always)]
    fn play_only_pawn(&mut self, to: Square, among: Bitboard, promoted: Role) -> Option<Move> {
        let us = self.turn();
        let from = (self.pawn_origins(to) & among).single()?;
        let play = match to.rank() == us.rank(Rank::Eighth) {
            true => Move::promotion(from, to, promoted),
            false => Move::new(from, to),
        };
        let between = attacks::between(from, to) & self.board().occupied();
        if between.any() || !self.is_safe(Role::Pawn, play) {
            return None;
        }
        self.play_as::<true>(us, Role::Pawn, play);
        Some(play)
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

    /// What is played is the only move there is; what is not played leaves the position alone.
    fn plays_only(
        position: &Position,
        role: Role,
        to: Square,
        among: Bitboard,
    ) -> Result<(), String> {
        let mut played = *position;
        let mut expected = *position;
        if let Some(play) = played.play_only(role, to, among, Role::Rook) {
            let only = position.origins(role, to, among).single();
            if only != Some(play.from()) || play.to() != to {
                return Err(format!("{play} in {position}"));
            }
            expected.play(play).map_err(|error| error.to_string())?;
        }
        match played == expected {
            true => Ok(()),
            false => Err(format!("{position} became {played}")),
        }
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
                        prop_assert_eq!(plays_only(&position, role, to, among), Ok(()));
                    }
                }
            }
        }
    }
}
