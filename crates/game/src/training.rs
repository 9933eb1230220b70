//! Questions to the reader of a game.

use tabiya_chess::Square;

/// A question about the position, with hints and the moves that answer it.
///
/// ```
/// use tabiya_chess::Square;
/// use tabiya_game::{Annotation, Answer, Training, Wording};
///
/// let training = Training {
///     points: 6,
///     question: vec![Wording::new(Some("en"), "Mate in two?")],
///     answers: vec![Answer {
///         from: Square::F6,
///         to: Square::H7,
///         points: 6,
///         feedback: Vec::new(),
///     }],
///     ..Training::default()
/// };
/// let command = Annotation::Training(Box::new(training)).to_command();
/// assert_eq!(
///     command.as_deref(),
///     Some(r#"[%tqu "En","Mate in two?","","","f6h7","",6]"#)
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Training {
    /// How long one may think, in seconds, if that is limited.
    pub seconds: Option<u32>,
    /// What the best answer is worth.
    pub points: u16,
    /// The question.
    pub question: Vec<Wording>,
    /// What is said to a wrong answer.
    pub refusal: Vec<Wording>,
    /// Two hints.
    pub hints: [Vec<Wording>; 2],
    /// The moves that count as answers, bad ones with no points among them.
    pub answers: Vec<Answer>,
}

/// A text in one language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wording {
    /// The language, as a code such as `en`, if it is known.
    pub language: Option<String>,
    /// The text.
    pub text: String,
}

impl Wording {
    /// A text in a language.
    pub fn new(language: Option<&str>, text: impl Into<String>) -> Wording {
        Wording {
            language: language.map(str::to_owned),
            text: text.into(),
        }
    }
}

/// A move that answers a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Where it starts.
    pub from: Square,
    /// Where it ends.
    pub to: Square,
    /// What it is worth.
    pub points: u8,
    /// What is said to it.
    pub feedback: Vec<Wording>,
}
