//! Annotations whose meaning is known.
//!
//! An annotation has one spelling as a command in a PGN comment, which
//! [`command::canonical`](crate::command::canonical) reads back; the other spellings that
//! programs use are read by [`command::annotations`](crate::command::annotations).
//!
//! ```
//! use std::time::Duration;
//! use tabiya_chess::Square;
//! use tabiya_game::{Annotation, Arrow, Evaluation, MarkColor, Score, command};
//!
//! let clock = Annotation::Clock(Duration::from_millis(5_399_500));
//! assert_eq!(clock.to_command().as_deref(), Some("[%clk 1:29:59.5]"));
//!
//! let evaluation = Annotation::Evaluation(Evaluation {
//!     score: Score::Mate(-3),
//!     depth: Some(22),
//! });
//! assert_eq!(evaluation.to_command().as_deref(), Some("[%eval #-3,22]"));
//!
//! let arrows = Annotation::Arrows(vec![Arrow {
//!     color: MarkColor::GREEN,
//!     from: Square::E2,
//!     to: Square::E4,
//! }]);
//! assert_eq!(arrows.to_command().as_deref(), Some("[%cal Ge2e4]"));
//! assert_eq!(command::canonical("[%cal Ge2e4]"), Some(arrows));
//! ```

use std::fmt;
use std::time::Duration;

use tabiya_chess::Square;

use crate::{Medals, Phase, Training, command};

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
    /// The evaluation of every position of a game.
    EvaluationProfile(Profile),
    /// How deep the engine looked at each position of the profile before it.
    EvaluationDepths(Vec<u8>),
    /// Why the game or the move deserves another look.
    Medals(Medals),
    /// The game turns here.
    CriticalPosition(Phase),
    /// A question to the reader.
    Training(Box<Training>),
    /// Another game that is quoted here.
    Quotation(Box<Quotation>),
    /// A page on the web.
    WebLink {
        /// Its address.
        url: String,
        /// What it is called.
        text: String,
    },
    /// The colour in which the line from here on is shown.
    VariationColor(VariationColor),
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

impl Annotation {
    /// Its one spelling as a command in a PGN comment:
    ///
    /// | annotation | command |
    /// |---|---|
    /// | [`Squares`](Annotation::Squares) | `[%csl Ga4,Re5]` |
    /// | [`Arrows`](Annotation::Arrows) | `[%cal Ge2e4,Rd1d8]` |
    /// | [`Clock`](Annotation::Clock) | `[%clk 1:29:59]`, `[%clk 0:00:01.5]` |
    /// | [`TimeSpent`](Annotation::TimeSpent) | `[%emt 0:00:04]` |
    /// | [`MechanicalClock`](Annotation::MechanicalClock) | `[%mct 0:12:00]` |
    /// | [`Evaluation`](Annotation::Evaluation) | `[%eval 0.25]`, `[%eval -0.03,22]`, `[%eval #-3]` |
    /// | [`EvaluationProfile`](Annotation::EvaluationProfile) | `[%evp 0,2,15,20,-7]` |
    /// | [`EvaluationDepths`](Annotation::EvaluationDepths) | `[%tabiya depths 18,20,19]` |
    /// | [`Medals`](Annotation::Medals) | `[%mdl 64]` |
    /// | [`CriticalPosition`](Annotation::CriticalPosition) | `[%crit endgame]` |
    /// | [`Training`](Annotation::Training) | `[%tqu "En","question","hint","hint","f6h7","",6]`; or, with more than one language, a time limit or else what that cannot hold, `[%tabiya training 300 6 q en "question" a f6h7 6]` |
    /// | [`Quotation`](Annotation::Quotation) | `[%tabiya quotation "1-0 Tal,M-Smyslov,V" chessbase 0a1b]` |
    /// | [`WebLink`](Annotation::WebLink) | `[%tabiya link "http://example.org" "a page"]` |
    /// | [`VariationColor`](Annotation::VariationColor) | `[%tabiya color 800080 main moves]` |
    /// | [`Raw`](Annotation::Raw) | `[%tabiya raw chessbase 20 0a1b]` |
    ///
    /// A list with nothing in it has no spelling, nor has a `Raw` whose format is not a word of
    /// printable ASCII without brackets and braces; the same goes for the format of a `Quotation`
    /// and the languages of a `Training`. In texts between quotation marks, characters that a
    /// comment would not give back are written as `%` and two hexadecimal digits.
    ///
    /// ```
    /// use tabiya_game::Annotation;
    ///
    /// let video = Annotation::Raw {
    ///     format: "chessbase".into(),
    ///     code: 0x25,
    ///     bytes: vec![0, 0, 0, 0x40],
    /// };
    /// assert_eq!(
    ///     video.to_command().as_deref(),
    ///     Some("[%tabiya raw chessbase 37 00000040]")
    /// );
    /// assert_eq!(Annotation::Arrows(Vec::new()).to_command(), None);
    /// ```
    #[must_use]
    pub fn to_command(&self) -> Option<String> {
        let mut text = String::new();
        command::spell(self, &mut text).ok()?;
        Some(text)
    }
}

/// A coloured square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// Its colour.
    pub color: MarkColor,
    /// The square.
    pub square: Square,
}

/// As in a PGN command: `Ga4`.
impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.color.letter(), self.square)
    }
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

/// As in a PGN command: `Ge2e4`.
impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.color.letter(), self.from, self.to)
    }
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

/// What an engine thinks of one position after the other, as ChessBase keeps it.
///
/// ```
/// use tabiya_game::{Profile, Score};
///
/// let profile = Profile {
///     first: 0,
///     values: vec![15, Profile::NONE, -29_997],
/// };
/// let scores: Vec<_> = profile.scores().collect();
/// assert_eq!(
///     scores,
///     [Some(Score::Centipawns(15)), None, Some(Score::Mate(-2))]
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profile {
    /// The ply after which the first position stands; 0 is the start of the game.
    pub first: u16,
    /// A value for each position, in centipawns for White; 30000 − k is mate in k plies, and
    /// [`Profile::NONE`] stands for a position without a value.
    pub values: Vec<i16>,
}

impl Profile {
    /// The value of a position that was not evaluated.
    pub const NONE: i16 = i16::MAX;

    /// A mate, in plies, is the distance of a value from this one.
    const MATE: u16 = 30_000;

    /// The longest mate, in plies: below that a value is centipawns. Our choice, with room for the
    /// longest mates of seven pieces.
    const LONGEST_MATE: u16 = 1_200;

    /// The values with their meaning.
    pub fn scores(&self) -> impl ExactSizeIterator<Item = Option<Score>> + '_ {
        self.values.iter().map(|value| {
            let distance = Profile::MATE.checked_sub(value.unsigned_abs());
            match distance {
                _ if *value == Profile::NONE => None,
                Some(plies) if plies <= Profile::LONGEST_MATE => {
                    let moves = i32::from(plies.div_ceil(2));
                    Some(Score::Mate(moves * i32::from(value.signum())))
                }
                _ => Some(Score::Centipawns(i32::from(*value))),
            }
        })
    }
}

/// A game that is quoted in another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quotation {
    /// In words: `1-0 Tal,M-Smyslov,V Bled 1959`.
    pub text: String,
    /// The format that keeps more than the words.
    pub format: String,
    /// The quotation as that format keeps it.
    pub bytes: Vec<u8>,
}

/// The colour of a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VariationColor {
    /// Red, green and blue.
    pub rgb: [u8; 3],
    /// Only the line itself has the colour, not the variations in it.
    pub main_line_only: bool,
    /// Only the moves have the colour, not the comments.
    pub moves_only: bool,
}
