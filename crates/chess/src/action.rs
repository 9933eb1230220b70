//! What a player did in one ply.

use crate::{Move, Position};

/// A move, or the null move of annotators and engines: the turn passes and nothing moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// A move on the board.
    Move(Move),
    /// A pass, written `--` in PGN and `0000` in UCI.
    Null,
}

impl Action {
    /// The move, if it is one.
    #[inline]
    #[must_use]
    pub const fn to_move(self) -> Option<Move> {
        match self {
            Action::Move(play) => Some(play),
            Action::Null => None,
        }
    }
}

impl Position {
    /// Plays a legal move or passes.
    #[inline]
    pub fn act(&mut self, action: Action) {
        match action {
            Action::Move(play) => self.play_unchecked(play),
            Action::Null => self.play_null(),
        }
    }
}
