//! Lines of play: where the pieces are, and the way back from a variation.

use tabiya_chess::{Move, Position, Setup, Variant};

use super::pieces::{Pieces, Undo};

/// A line of play as far as it has been read.
#[derive(Clone, Copy)]
pub(super) struct Line {
    /// Where it stands.
    pub(super) position: Position,
    /// The position before the last ply, to which a variation returns.
    pub(super) before: Position,
    pub(super) pieces: Pieces,
    undo: Undo,
    /// It has no ply yet.
    pub(super) fresh: bool,
}

impl Line {
    pub(super) fn new(start: &Position) -> Line {
        Line {
            position: *start,
            before: *start,
            pieces: Pieces::deal(start.board()),
            undo: Undo::default(),
            fresh: true,
        }
    }

    /// Plays a move that can be played.
    #[inline]
    pub(super) fn play(&mut self, play: Move) {
        self.before = self.position;
        self.undo = self.pieces.play(&self.before, play);
        self.position.play_unchecked(play);
        self.fresh = false;
    }

    /// Passes: a null move, or a ply that was left out.
    pub(super) fn pass(&mut self) {
        self.before = self.position;
        self.undo = Undo::default();
        self.position.play_null();
        self.fresh = false;
    }

    /// The line of a variation that replaces the last ply of this one.
    pub(super) fn branch(&self) -> Line {
        let mut line = Line {
            position: self.before,
            undo: Undo::default(),
            fresh: true,
            ..*self
        };
        line.pieces.undo(&self.undo);
        line
    }

    /// Goes on from another position of the same variant, whose pieces get numbers of their own;
    /// `false` if the set-up is no position.
    pub(super) fn jump(&mut self, setup: &Setup) -> bool {
        let Ok(position) = Position::from_setup(setup, self.position.variant()) else {
            return false;
        };
        let fresh = self.fresh;
        *self = Line::new(&position);
        self.fresh = fresh;
        true
    }
    /// Goes on under other rules; `false` if there have been moves, or the position is none there.
    pub(super) fn follow_rules(&mut self, variant: Variant) -> bool {
        let position = Position::from_setup(&self.position.to_setup(), variant);
        match position {
            Ok(position) if self.fresh => {
                *self = Line::new(&position);
                true
            }
            _ => false,
        }
    }
}
