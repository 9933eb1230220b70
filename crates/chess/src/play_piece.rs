//! Playing a move whose piece is known, if it is legal: what readers of binary games do all day.

use crate::{Color, Move, Position, Rank, Role, Variant, attacks, movegen::is_promotion_right};

/// What a move has captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capture {
    /// Nothing.
    Nothing,
    /// The piece on the square where the move ends.
    Piece(Role),
    /// The pawn beside the square where the move starts.
    EnPassant,
}

impl Position {
    /// Plays a move of a piece that is known; castling apart. `None` if it is not legal, and the
    /// position is then unchanged.
    ///
    /// The same as asking [`is_legal`](Position::is_legal) and playing, but what moves is asked
    /// once: which piece it is cannot be predicted, and each question costs a missed branch.
    ///
    /// ```
    /// use tabiya_chess::{Capture, Move, Position, Role, Square};
    ///
    /// let mut position = Position::initial();
    /// let play = Move::new(Square::G1, Square::F3);
    /// assert_eq!(position.play_piece(Role::Bishop, play), None);
    /// assert_eq!(position.play_piece(Role::Knight, play), Some(Capture::Nothing));
    /// ```
    #[inline(always)]
    pub fn play_piece(&mut self, role: Role, play: Move) -> Option<Capture> {
        if self.variant() == Variant::Antichess {
            return self.play_any(role, play);
        }
        // Keys are kept or not for a whole game, and few games need them.
        match self.has_key() {
            false => self.play_side::<false>(role, play),
            true => self.play_keyed(role, play),
        }
    }

    /// Apart, so that it does not spread out the loop of who needs no keys.
    #[inline(never)]
    fn play_keyed(&mut self, role: Role, play: Move) -> Option<Capture> {
        self.play_side::<true>(role, play)
    }

    #[inline(always)]
    fn play_side<const KEYED: bool>(&mut self, role: Role, play: Move) -> Option<Capture> {
        // Sides take turns, which is foreseen.
        match self.turn() {
            Color::White => self.play_role::<KEYED>(Color::White, role, play),
            Color::Black => self.play_role::<KEYED>(Color::Black, role, play),
        }
    }

    #[inline(always)]
    fn play_role<const KEYED: bool>(
        &mut self,
        us: Color,
        role: Role,
        play: Move,
    ) -> Option<Capture> {
        match role {
            Role::Pawn => self.play_pawn::<KEYED>(us, play),
            Role::King => self.play_as_piece::<KEYED>(us, Role::King, play),
            // The others share a path: a way for each of them would be guessed wrong more often.
            role => self.play_as_piece::<KEYED>(us, role, play),
        }
    }

    #[inline(always)]
    fn play_as_piece<const KEYED: bool>(
        &mut self,
        us: Color,
        role: Role,
        play: Move,
    ) -> Option<Capture> {
        let (board, from, to) = (self.board(), play.from(), play.to());
        let reaches = board.of(us, role).contains(from)
            & attacks::rays(role, from).contains(to)
            & (attacks::between(from, to) & board.occupied()).is_empty()
            & !(board.side(us) | board.pieces(Role::King)).contains(to)
            & play.promoted().is_none();
        if !reaches || !self.is_safe_as(us, role, play) {
            return None;
        }
        Some(self.play_as::<KEYED>(us, role, play))
    }

    #[inline(always)]
    fn play_pawn<const KEYED: bool>(&mut self, us: Color, play: Move) -> Option<Capture> {
        let from = play.from();
        let legal = self.board().of(us, Role::Pawn).contains(from)
            && self.pawn_reaches(us, play)
            && is_promotion_right(us, Role::Pawn, play)
            && self.is_safe_as(us, Role::Pawn, play);
        legal.then(|| self.play_as::<KEYED>(us, Role::Pawn, play))
    }

    /// Whether a pawn could go so if no king had to be minded.
    #[inline(always)]
    fn pawn_reaches(&self, us: Color, play: Move) -> bool {
        let (board, from, to) = (self.board(), play.from(), play.to());
        let occupied = board.occupied();
        let step = to.index() as i8 - from.index() as i8;
        match step * us.forward() {
            8 => !occupied.contains(to),
            16 => {
                from.rank() == us.rank(Rank::Second)
                    && !occupied.contains(to)
                    && (attacks::between(from, to) & occupied).is_empty()
            }
            _ => {
                let taken = board.side(!us) - board.pieces(Role::King);
                attacks::pawn(us, from).contains(to)
                    && (taken.contains(to) || self.ep_square() == Some(to))
            }
        }
    }

    /// The same under any rules.
    #[inline(never)]
    fn play_any(&mut self, role: Role, play: Move) -> Option<Capture> {
        if self.board().role_at(play.from()) != Some(role) || !self.is_legal(play) {
            return None;
        }
        Some(self.play_as::<true>(self.turn(), role, play))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;

    /// All moves that can be written down, of every piece.
    fn all_moves() -> impl Iterator<Item = Move> {
        Square::all().flat_map(|from| {
            Square::all().flat_map(move |to| {
                let promotions = [Role::Queen, Role::Knight, Role::King].into_iter();
                let promotions = promotions.map(move |role| Move::promotion(from, to, role));
                promotions.chain([Move::new(from, to)])
            })
        })
    }

    #[test]
    fn exactly_the_legal_moves_are_played_as_ever() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        ];
        for (fen, variant) in fens.iter().flat_map(|fen| Variant::ALL.map(|v| (fen, v))) {
            let position = Position::from_setup(&fen.parse().unwrap(), variant).unwrap();
            for play in all_moves().filter(|play| !position.is_castling(*play)) {
                let mut expected = position;
                let is_capture = position.is_capture(play);
                let legal = expected.play(play).is_ok();
                for role in Role::ALL {
                    let mut played = position;
                    let capture = played.play_piece(role, play);
                    let right = position.board().role_at(play.from()) == Some(role);
                    assert_eq!(capture.is_some(), legal && right, "{play} in {position}");
                    let after = if capture.is_some() {
                        expected
                    } else {
                        position
                    };
                    assert_eq!(played, after, "{play} in {position}");
                    if let Some(capture) = capture {
                        assert_eq!(capture != Capture::Nothing, is_capture, "{play}");
                    }
                }
            }
        }
    }
}
