//! Commands in the comments of PGN: `[%clk 1:29:59]`, `[%eval 0.25]`, `[%cal Ge2e4]` and others.
//!
//! A comment is a text, and stays one: here are views of it. [`parts`] takes it apart without
//! losing a byte, [`annotations`] says what is known about the position, and [`canonical`] tells
//! the comments that a typed [`Annotation`] can stand for, because they are spelled exactly as
//! [`Annotation::to_command`] spells it.
//!
//! What is read:
//!
//! | command | meaning | arguments |
//! |---|---|---|
//! | `clk` | [`Clock`](Annotation::Clock) | `1:29:59`, `0:00:01.5`, `4:30` (minutes), `90` (seconds) |
//! | `emt` | [`TimeSpent`](Annotation::TimeSpent) | the same |
//! | `mct` | [`MechanicalClock`](Annotation::MechanicalClock) | the same, but `1:29` is hours and minutes: such clocks show no seconds |
//! | `eval` | [`Evaluation`](Annotation::Evaluation) | in pawns `0.25`, `+0.3`, `-1.5`, or in centipawns if there is no point, as ChessBase writes; mate `#3`, `#-3`, `M3`, `-M3`; then perhaps `,` and the depth |
//! | `evp` | [`EvaluationProfile`](Annotation::EvaluationProfile) | first ply, last ply, a number for each |
//! | `csl` | [`Squares`](Annotation::Squares) | `Ga4,Re5` |
//! | `cal` | [`Arrows`](Annotation::Arrows) | `Ge2e4,Rd1d8` |
//! | `mdl` | [`Medals`](Annotation::Medals) | a number, one bit a medal |
//! | `crit` | [`CriticalPosition`](Annotation::CriticalPosition) | `opening`, `middlegame`, `endgame` |
//! | `tqu` | [`Training`](Annotation::Training) | language, question, two hints, then for each answer move, feedback and points, as ChessBase writes |
//! | `tabiya training` | [`Training`](Annotation::Training) | what `tqu` cannot hold |
//! | `tabiya quotation` | [`Quotation`](Annotation::Quotation) | text, format, bytes in hexadecimal |
//! | `tabiya link` | [`WebLink`](Annotation::WebLink) | address and text |
//! | `tabiya color` | [`VariationColor`](Annotation::VariationColor) | red, green and blue in hexadecimal, and perhaps `main`, `moves` |
//! | `tabiya depths` | [`EvaluationDepths`](Annotation::EvaluationDepths) | a number for each position of a profile |
//! | `tabiya raw` | [`Raw`](Annotation::Raw) | format, code, bytes in hexadecimal |
//!
//! Tolerated are spaces around arguments, any number of hours, fields of one digit, and pawns
//! with more than two decimals, which are rounded. What is malformed, such as the negative clocks
//! in some Lichess games (`0:00:-1`), has no meaning and stays a text.
//!
//! ```
//! use std::time::Duration;
//! use tabiya_chess::Color;
//! use tabiya_game::{Annotation, command};
//!
//! let text = "Forced. [%clk 0:04:30] [%key 64]";
//! let raw: Vec<&str> = command::parts(text).map(|part| part.raw()).collect();
//! assert_eq!(raw, ["Forced. ", "[%clk 0:04:30]", " ", "[%key 64]"]);
//!
//! let clock = Annotation::Clock(Duration::from_secs(270));
//! assert!(command::annotations(text, Color::White).eq([clock.clone()]));
//!
//! assert_eq!(command::canonical("[%clk 0:04:30]"), Some(clock));
//! assert_eq!(command::canonical(" [%clk 4:30] "), None);
//! ```

mod engine;
mod own;
mod quote;
mod read;
mod spell;
#[cfg(test)]
mod tests;
mod training;

use std::iter::FusedIterator;

use tabiya_chess::Color;

use crate::Annotation;

pub(crate) use spell::spell;

/// A piece of a comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part<'a> {
    /// Words for people, as far as anyone knows.
    Text(&'a str),
    /// A command for programs.
    Command(Command<'a>),
}

impl<'a> Part<'a> {
    /// The piece as it stands in the comment.
    #[must_use]
    pub fn raw(&self) -> &'a str {
        match self {
            Part::Text(text) => text,
            Part::Command(command) => command.raw,
        }
    }
}

/// A command in a comment, `[%name arguments]`, of whatever program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Command<'a> {
    /// What stands between `[%` and the first space or bracket; never empty.
    pub name: &'a str,
    /// The rest, without the spaces around it.
    pub arguments: &'a str,
    /// The whole, brackets included.
    pub raw: &'a str,
}

impl<'a> Command<'a> {
    /// The command with which a text starts.
    ///
    /// Brackets in the arguments come in pairs. A command that begins inside another one shows
    /// that the outer one was never closed.
    fn at_start(text: &'a str) -> Option<Command<'a>> {
        let body = text.strip_prefix("[%")?;
        let bytes = body.as_bytes();
        let mut open = 1usize;
        let close = bytes.iter().enumerate().find_map(|(at, byte)| {
            match byte {
                b'[' if bytes.get(at + 1) == Some(&b'%') => return Some(None),
                b'[' => open += 1,
                b']' => open -= 1,
                _ => {}
            }
            (open == 0).then_some(Some(at))
        })??;
        let inside = &body[..close];
        let name_end = inside
            .find(|c: char| c.is_whitespace() || c == '[')
            .unwrap_or(inside.len());
        let (name, arguments) = inside.split_at(name_end);
        (!name.is_empty()).then_some(Command {
            name,
            arguments: arguments.trim(),
            raw: &text[.."[%".len() + close + "]".len()],
        })
    }

    /// What it means, if that is known and the arguments are sound.
    ///
    /// ```
    /// use tabiya_game::command::{Part, parts};
    ///
    /// let known = parts("[%csl Ga4]")
    ///     .filter_map(|part| match part {
    ///         Part::Command(command) => command.annotation(),
    ///         Part::Text(_) => None,
    ///     })
    ///     .count();
    /// assert_eq!(known, 1);
    /// ```
    #[must_use]
    pub fn annotation(&self) -> Option<Annotation> {
        read::annotation(self.name, self.arguments)
    }
}

/// Takes a comment apart into text and commands.
///
/// Put together again, the pieces are the comment. `[%` without a name or without its `]` is
/// text. Nothing is allocated.
///
/// ```
/// use tabiya_game::command::{Part, parts};
///
/// let Some(Part::Command(command)) = parts("[%clk  0:01:00 ]").next() else {
///     unreachable!()
/// };
/// assert_eq!((command.name, command.arguments), ("clk", "0:01:00"));
/// ```
#[must_use]
pub fn parts(text: &str) -> Parts<'_> {
    Parts {
        rest: text,
        found: None,
    }
}

/// The pieces of a comment, see [`parts`].
#[derive(Clone, Debug)]
pub struct Parts<'a> {
    /// What was not told yet, but for `found`.
    rest: &'a str,
    /// A command whose preceding text was told last.
    found: Option<Command<'a>>,
}

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        if let Some(command) = self.found.take() {
            return Some(Part::Command(command));
        }
        if self.rest.is_empty() {
            return None;
        }
        let Some((start, command)) = first_command(self.rest) else {
            return Some(Part::Text(std::mem::take(&mut self.rest)));
        };
        let text = &self.rest[..start];
        self.rest = &self.rest[start + command.raw.len()..];
        if text.is_empty() {
            return Some(Part::Command(command));
        }
        self.found = Some(command);
        Some(Part::Text(text))
    }
}

impl FusedIterator for Parts<'_> {}

/// The first command of a text and where it starts.
///
/// The time is linear even in hostile text: a search for `]` in vain stops at the next `[%`.
fn first_command(text: &str) -> Option<(usize, Command<'_>)> {
    let mut from = 0;
    loop {
        let start = from + text[from..].find("[%")?;
        match Command::at_start(&text[start..]) {
            Some(command) => return Some((start, command)),
            None => from = start + "[%".len(),
        }
    }
}

/// Everything in the comment on a move of `mover` that has a known meaning, in order.
///
/// Besides commands, the remarks of engine matches are understood:
///
/// * cutechess and fastchess, at the start of a text: `+0.71/22 1.2s`, `-M5/12 0.3s, Black mates`.
///   Evaluation, depth, and the time spent if it is there. The score is that of the *mover*, and a
///   mate is counted in plies; both are converted.
/// * TCEC: `d=22, sd=35, mt=15000, tl=4801000, …, wv=0.71, …`. Evaluation for White from `wv`
///   (mates again in plies), its depth from `d`, time spent from `mt`, clock from `tl` (both in
///   milliseconds or, in old seasons, `00:00:15`). The other fields, such as `ev`, are left.
///
/// ```
/// use tabiya_chess::Color;
/// use tabiya_game::{Annotation, Evaluation, Score, command};
///
/// let evaluation = Annotation::Evaluation(Evaluation {
///     score: Score::Centipawns(-71),
///     depth: Some(22),
/// });
/// assert!(command::annotations("+0.71/22", Color::Black).eq([evaluation]));
/// ```
pub fn annotations(text: &str, mover: Color) -> impl Iterator<Item = Annotation> + '_ {
    parts(text).flat_map(move |part| {
        match part {
            Part::Text(text) => engine::annotations(text, mover),
            Part::Command(command) => [command.annotation(), None, None],
        }
        .into_iter()
        .flatten()
    })
}

/// The annotation that a comment is the one spelling of.
///
/// So a reader may give the annotation instead of the comment, and a writer will restore every
/// byte: `canonical(text) == Some(annotation)` exactly if
/// `annotation.to_command().as_deref() == Some(text)`.
///
/// ```
/// use tabiya_game::command::canonical;
///
/// assert!(canonical("[%eval 0.50]").is_some());
/// assert!(canonical("[%eval 0.5]").is_none());
/// assert!(canonical("[%eval 0.50] [%clk 0:01:00]").is_none());
/// ```
#[must_use]
pub fn canonical(text: &str) -> Option<Annotation> {
    // Most comments are words: they leave here.
    if !(text.starts_with("[%") && text.ends_with(']')) {
        return None;
    }
    let command = Command::at_start(text).filter(|command| command.raw.len() == text.len())?;
    let annotation = command.annotation()?;
    spell::is_spelled(&annotation, text).then_some(annotation)
}
