//! Lines of play on their way into a stream.

use tabiya_chess::{Move, Position};

use super::super::pieces::{Pieces, Undo};

/// A line of play as far as it has been written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) pieces: Pieces,
    pub(super) undo: Undo,
    /// The position before the last ply, or that in which the line starts.
    pub(super) before: Position,
    pub(super) last: Last,
    /// What stands on the board has to be compared with what a reader will think: something was
    /// left out.
    pub(super) unsure: bool,
}

/// The last ply of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Last {
    None,
    Move(Move),
    /// A null move or a ply that was left out.
    Pass,
}

impl Line {
    pub(super) fn new(start: &Position) -> Line {
        Line {
            pieces: Pieces::deal(start.board()),
            undo: Undo::default(),
            before: *start,
            last: Last::None,
            unsure: false,
        }
    }

    /// Where a reader thinks that the line stands.
    pub(super) fn position(&self) -> Position {
        let mut position = self.before;
        match self.last {
            Last::None => {}
            Last::Move(play) => position.play_unchecked(play),
            Last::Pass => position.play_null(),
        }
        position
    }

    pub(super) fn is_fresh(&self) -> bool {
        self.last == Last::None
    }

    /// The line of a variation that replaces the last ply of this one.
    pub(super) fn branch(&self) -> Line {
        let mut line = Line {
            undo: Undo::default(),
            last: Last::None,
            ..*self
        };
        line.pieces.undo(&self.undo);
        line
    }
}

/// A rest of a line that becomes text.
#[derive(Debug)]
pub(super) struct Rest {
    pub(super) text: String,
    /// How many variations are open within it.
    pub(super) depth: usize,
    /// It is a variation alone, not the rest of a line.
    pub(super) variation: bool,
}

impl Rest {
    pub(super) fn word(&mut self, word: &str) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(word);
    }
}
