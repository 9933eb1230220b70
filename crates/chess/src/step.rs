//! A move as what it changes on a board.
//!
//! ```
//! use tabiya_chess::{Board, Extra, Move, Position, Role, Square};
//!
//! let mut position = Position::initial();
//! let play = Move::new(Square::G1, Square::F3);
//! let step = position.step_of(play).expect("a knight stands there");
//! assert_eq!((step.piece.role, step.taken, step.extra), (Role::Knight, None, Extra::Nothing));
//! let mut board: Board = *position.board();
//! board.play(&step);
//! position.play(play)?;
//! assert_eq!(board, *position.board());
//! # Ok::<(), tabiya_chess::IllegalMove>(())
//! ```

use crate::{Bitboard, Board, Move, Piece, Position, Role, Square};

/// What a move changes on a board: for whoever asks what stands where and nothing else, a position
/// keeps too much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// What moves; the king, if it castles.
    pub piece: Piece,
    /// Where it stood.
    pub from: Square,
    /// Where it comes to.
    pub to: Square,
    /// What it captures.
    pub taken: Option<Role>,
    /// What else happens.
    pub extra: Extra,
}

/// What few moves do besides going from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extra {
    /// Nothing.
    Nothing,
    /// The captured pawn stands beside.
    EnPassant,
    /// The pawn becomes this.
    Promotion(Role),
    /// The rook goes from one square to another.
    Castling(Square, Square),
}

impl Step {
    /// Where what it captures stands.
    #[inline]
    #[must_use]
    pub fn taken_on(&self) -> Option<Square> {
        let square = match self.extra {
            Extra::EnPassant => Square::new(self.to.file(), self.from.rank()),
            _ => self.to,
        };
        self.taken.map(|_| square)
    }
}

impl Position {
    /// What a move changes, if it is legal; `None` if there is nothing to move.
    #[must_use]
    pub fn step_of(&self, play: Move) -> Option<Step> {
        let (from, to) = (play.from(), play.to());
        let piece = self.board().piece_at(from)?;
        let step = |to, taken, extra| {
            Some(Step {
                piece,
                from,
                to,
                taken,
                extra,
            })
        };
        if self.is_castling(play) {
            let (king_to, rook_to) = Position::castling_targets(from, to);
            return step(king_to, None, Extra::Castling(to, rook_to));
        }
        if self.is_en_passant(play) {
            return step(to, Some(Role::Pawn), Extra::EnPassant);
        }
        let extra = play.promoted().map_or(Extra::Nothing, Extra::Promotion);
        let taken = self.board().piece_at(to);
        let taken = taken.filter(|taken| taken.color != piece.color);
        step(to, taken.map(|taken| taken.role), extra)
    }
}

impl Board {
    /// Plays a move. One that does not belong to the board leaves a meaningless one.
    #[inline(always)]
    pub fn play(&mut self, step: &Step) {
        let us = step.piece.color;
        if let (Some(taken), Some(square)) = (step.taken, step.taken_on()) {
            self.roles[taken as usize] ^= square.into();
            self.colors[!us as usize] ^= square.into();
        }
        match step.extra {
            Extra::Nothing | Extra::EnPassant => self.shift(step.piece, step.from, step.to),
            Extra::Promotion(role) => {
                self.roles[Role::Pawn as usize] ^= step.from.into();
                self.roles[role as usize] ^= step.to.into();
                self.colors[us as usize] ^= step.from.into();
                self.colors[us as usize] ^= step.to.into();
            }
            // In Chess960 they may change places.
            Extra::Castling(from, to) => {
                self.shift(step.piece, step.from, step.to);
                self.shift(Role::Rook.of(us), from, to);
            }
        }
    }

    #[inline(always)]
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        // Nothing, if it is the same square.
        let way = Bitboard::square(from) ^ Bitboard::square(to);
        self.roles[piece.role as usize] ^= way;
        self.colors[piece.color as usize] ^= way;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Setup, Variant};

    #[test]
    fn a_step_changes_a_board_as_its_move_does() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1pP1P3/2N2Q1p/PP1BBPPP/R3K2R b KQkq c3 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            // The king and the rook change places, and the king stays where it is.
            "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
            "4k3/8/8/8/8/8/8/R1K5 w A - 0 1",
        ] {
            let setup: Setup = fen.parse().unwrap();
            let position = Position::from_setup(&setup, Variant::Chess960).unwrap();
            for &play in &position.legal_moves() {
                let step = position.step_of(play).unwrap();
                let mut board = *position.board();
                board.play(&step);
                let mut after = position;
                after.play(play).unwrap();
                assert_eq!(board, *after.board(), "{fen} {play}");
                assert_eq!(step.taken.is_some(), position.is_capture(play));
            }
        }
    }
}
