//! Annotations whose meaning is known.

use std::time::Duration;

use tabiya_chess::Square;

/// Something said about a position in a form that programs understand.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Annotation {
    /// Coloured squares.
    Squares(Vec<Mark>),
    /// Coloured arrows.
    Arrows(Vec<Arrow>),
    /// The time left on the mover's clock.
    Clock(Duration),
    /// The time spent on the move.
    TimeSpent(Duration),
    /// The time left on a mechanical clock, as read by an operator.
    MechanicalClock(Duration),
    /// What an engine thinks of the position.
    Evaluation(Evaluation),
    /// The evaluation of every position of a game, in centipawns for White, from a ply on.
    EvaluationProfile(String),
    /// Something of another program that nobody understands, kept as it is.
    Raw {
        /// Where it comes from.
        format: String,
        /// Its number there.
        code: u16,
        /// Its bytes.
        bytes: Vec<u8>,
    },
}

/// A coloured square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// Its colour.
    pub color: MarkColor,
    /// The square.
    pub square: Square,
}

/// A coloured arrow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// Its colour.
    pub color: MarkColor,
    /// Where it starts.
    pub from: Square,
    /// Where it points.
    pub to: Square,
}

/// The colour of a mark by its letter: `G`reen, `Y`ellow, `R`ed, `B`lue and others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MarkColor(char);

impl MarkColor {
    /// Green.
    pub const GREEN: MarkColor = MarkColor('G');
    /// Yellow.
    pub const YELLOW: MarkColor = MarkColor('Y');
    /// Red.
    pub const RED: MarkColor = MarkColor('R');
    /// Blue.
    pub const BLUE: MarkColor = MarkColor('B');

    /// The colour of an upper-case letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<MarkColor> {
        letter.is_ascii_uppercase().then_some(MarkColor(letter))
    }

    /// Its letter.
    #[must_use]
    pub fn letter(self) -> char {
        self.0
    }
}

/// What an engine thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// How good the position is, for White.
    pub score: Score,
    /// How deep the engine looked.
    pub depth: Option<u16>,
}

/// How good a position is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// In hundredths of a pawn, positive when White is better.
    Centipawns(i32),
    /// Mate in so many moves, positive when White mates.
    Mate(i32),
}
