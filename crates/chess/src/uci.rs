//! Moves as engines write them: `e2e4`, `e7e8q`, `0000`.
//!
//! Castling is read in both notations, the king's two squares (`e1g1`) and king takes rook
//! (`e1h1`), and written by the variant: the first in standard chess, the second in Chess960 and
//! wherever king or rook do not stand where standard chess has them.
//!
//! ```
//! use tabiya_chess::{Move, Position, Square};
//!
//! let setup = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
//! let position = Position::from_setup(&setup, Default::default())?;
//! let castling = Move::new(Square::E1, Square::H1);
//! assert_eq!(position.uci(castling).to_string(), "e1g1");
//! assert_eq!(position.parse_uci("e1g1")?.to_move(), Some(castling));
//! assert_eq!(position.parse_uci("e1h1")?.to_move(), Some(castling));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;

use crate::{Action, File, Move, Position, Role, Square, Variant};

/// Why a text is not a UCI move of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UciError {
    /// The text is not built like a UCI move.
    #[error("{0:?} is not a UCI move: expected two squares and perhaps a promotion, as e7e8q")]
    Syntax(String),
    /// The move is not legal.
    #[error("{0} is not legal here")]
    Illegal(Move),
}

/// A move to be printed as UCI; made by [`Position::uci`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Uci(Move);

impl fmt::Display for Uci {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Position {
    /// A legal move as UCI.
    #[must_use]
    pub fn uci(&self, play: Move) -> Uci {
        let classical =
            play.from().file() == File::E && matches!(play.to().file(), File::A | File::H);
        if self.variant() != Variant::Chess960 && classical && self.is_castling(play) {
            let (king_to, _) = Position::castling_targets(play.from(), play.to());
            return Uci(Move::new(play.from(), king_to));
        }
        Uci(play)
    }

    /// The move a UCI text means here.
    ///
    /// # Errors
    /// If the text is not a UCI move or the move is not legal.
    pub fn parse_uci(&self, text: &str) -> Result<Action, UciError> {
        if text == "0000" {
            return Ok(Action::Null);
        }
        let play = parse(text.as_bytes())
            .ok_or_else(|| UciError::Syntax(text.chars().take(20).collect()))?;
        if self.is_legal(play) {
            return Ok(Action::Move(play));
        }
        self.castling_to(play)
            .filter(|&play| self.is_legal(play))
            .map(Action::Move)
            .ok_or(UciError::Illegal(play))
    }

    /// Castling that brings the king where a king's move goes.
    fn castling_to(&self, play: Move) -> Option<Move> {
        if self.board().king(self.turn()) != Some(play.from()) || play.promoted().is_some() {
            return None;
        }
        (self.castling_rooks() & self.board().side(self.turn()))
            .into_iter()
            .find(|&rook| Position::castling_targets(play.from(), rook).0 == play.to())
            .map(|rook| Move::new(play.from(), rook))
    }
}

fn parse(text: &[u8]) -> Option<Move> {
    let (squares, promoted) = text.split_at_checked(4)?;
    let from = Square::from_ascii(squares[0], squares[1])?;
    let to = Square::from_ascii(squares[2], squares[3])?;
    match *promoted {
        [] => Some(Move::new(from, to)),
        [letter] => {
            let role = Role::from_letter(letter as char).filter(|&role| role != Role::Pawn)?;
            Some(Move::promotion(from, to, role))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Setup;

    fn position(fen: &str, variant: Variant) -> Position {
        let setup: Setup = fen.parse().unwrap();
        Position::from_setup(&setup, variant).unwrap()
    }

    #[test]
    fn castling_is_written_by_the_variant() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
        let long = Move::new(Square::E8, Square::A8);
        assert_eq!(
            position(fen, Variant::Standard).uci(long).to_string(),
            "e8c8"
        );
        assert_eq!(
            position(fen, Variant::Chess960).uci(long).to_string(),
            "e8a8"
        );
    }

    #[test]
    fn castling_and_a_step_are_written_differently() {
        let game = position("4k3/8/8/8/8/8/8/5K1R w K - 0 1", Variant::Standard);
        let castling = Move::new(Square::F1, Square::H1);
        assert_eq!(game.uci(castling).to_string(), "f1h1");
        assert_eq!(
            game.uci(Move::new(Square::F1, Square::G1)).to_string(),
            "f1g1"
        );
    }

    #[test]
    fn a_king_beside_its_target_steps_and_does_not_castle() {
        let game = position("4k3/8/8/8/8/8/8/5K1R w K - 0 1", Variant::Chess960);
        let step = Move::new(Square::F1, Square::G1);
        assert_eq!(game.parse_uci("f1g1"), Ok(Action::Move(step)));
        assert_eq!(
            game.parse_uci("f1h1").map(Action::to_move),
            Ok(Some(Move::new(Square::F1, Square::H1)))
        );
    }

    #[test]
    fn promotions_and_null_moves() {
        let game = position("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", Variant::Standard);
        assert_eq!(
            game.parse_uci("e7e8n").map(Action::to_move),
            Ok(Some(Move::promotion(Square::E7, Square::E8, Role::Knight)))
        );
        assert_eq!(game.parse_uci("0000"), Ok(Action::Null));
    }

    #[test]
    fn other_texts_are_errors() {
        let start = Position::initial();
        for text in ["", "e2", "e2e", "e2e4qq", "e2x4", "e7e8p", "ééé", "e2e4é"] {
            assert!(
                matches!(start.parse_uci(text), Err(UciError::Syntax(_))),
                "{text}"
            );
        }
        for text in ["e2e5", "e7e5", "e1g1", "e2e4q", "a3a4"] {
            assert!(
                matches!(start.parse_uci(text), Err(UciError::Illegal(_))),
                "{text}"
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn legal_moves_round_trip(position in crate::san::tests::any_position()) {
            for variant in [Variant::Standard, Variant::Chess960] {
                let position = position.with_variant(variant).unwrap();
                for &play in &position.legal_moves() {
                    let text = position.uci(play).to_string();
                    proptest::prop_assert_eq!(position.parse_uci(&text), Ok(Action::Move(play)));
                }
            }
        }
    }
}
