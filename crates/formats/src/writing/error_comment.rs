//! An [`Event::Error`](tabiya_game::Event::Error) as a comment, so that a broken game can be
//! written and read back as what it is.
//!
//! ```text
//! {[%tabiya error illegal-move 12:5 340 no knight can go to d4] Nd4 Nf6 3. e5}
//! ```
//!
//! Behind the kind stand line and column, the byte offset, and the message; the raw text follows
//! the bracket. Characters that a comment cannot hold, or that would not come back the same, are
//! written as `%` and two hexadecimal digits.
//!
//! The place is that of the file which was first found broken, however often the game is
//! converted: what is written again is written the same. Where the game stands now is where the
//! comment stands, and that is the place of the error which is read back.

use std::fmt::Write;

use tabiya_game::{GameError, GameErrorKind, Place};

const START: &str = "[%tabiya error ";

/// The comment that stands for a ply that was left out. After a null move, that is what the null
/// move is.
pub const MISSING: &str = "[%tabiya missing]";

/// Whether a comment, its line perhaps broken, is [`MISSING`].
#[inline]
#[must_use]
pub fn is_missing(text: &str) -> bool {
    // Nearly all comments are of people, and asked here: the rest stands apart.
    text.starts_with("[%tabiya") && has_words_of_missing(text)
}

#[cold]
fn has_words_of_missing(text: &str) -> bool {
    text.split_whitespace().eq(MISSING.split(' '))
}

/// The text of a comment that stands for an error.
#[must_use]
pub fn write(error: &GameError<'_>) -> String {
    let mut text = String::from(START);
    let kind = error.kind.name().replace(' ', "-");
    let Place {
        offset,
        line,
        column,
        ..
    } = error.origin();
    let written = write!(text, "{kind} {line}:{column} {offset} ");
    debug_assert!(written.is_ok(), "a String takes any text");
    escape(error.message, &mut text);
    text.push_str("] ");
    escape(error.raw, &mut text);
    text
}

/// An error that a comment stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// What is wrong.
    pub kind: GameErrorKind,
    message: String,
    raw: String,
    first: Place,
}

impl Kept {
    /// The error, in a comment that stands at a place.
    #[must_use]
    pub fn at(&self, place: Place) -> GameError<'_> {
        GameError {
            kind: self.kind,
            message: &self.message,
            raw: &self.raw,
            place,
            first: Some(self.first),
        }
    }
}

/// The error of such a comment.
#[must_use]
pub fn read(text: &str) -> Option<Kept> {
    let (head, raw) = text.strip_prefix(START)?.split_once("] ")?;
    let mut words = head.splitn(4, ' ');
    let name = words.next()?;
    let kind = GameErrorKind::ALL
        .into_iter()
        .find(|kind| kind.name().replace(' ', "-") == name)?;
    let (line, column) = words.next()?.split_once(':')?;
    let first = Place {
        line: line.parse().ok()?,
        column: column.parse().ok()?,
        offset: words.next()?.parse().ok()?,
        number: 0,
    };
    Some(Kept {
        kind,
        message: unescape(words.next()?)?,
        raw: unescape(raw)?,
        first,
    })
}

/// Escapes braces and brackets, control characters, the percent sign, and spaces that a line
/// break would swallow: all but single spaces between words.
fn escape(text: &str, out: &mut String) {
    let mut after_space = true;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let lonely_space = c == ' ' && !after_space && characters.peek().is_some_and(|&n| n != ' ');
        if matches!(c, '{' | '}' | ']' | '%') || c.is_ascii_control() || (c == ' ' && !lonely_space)
        {
            let written = write!(out, "%{:02x}", c as u32);
            debug_assert!(written.is_ok(), "a String takes any text");
        } else {
            out.push(c);
        }
        after_space = c == ' ';
    }
}

fn unescape(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let code = u8::from_str_radix(after.get(..2)?, 16).ok()?;
        out.push(char::from(code).is_ascii().then_some(char::from(code))?);
        rest = &after[2..];
    }
    out.push_str(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn errors_come_back_as_they_were(
            kind in prop::sample::select(GameErrorKind::ALL.to_vec()),
            message in any::<String>(),
            raw in any::<String>(),
            (offset, line, column) in any::<(u64, u64, u32)>(),
        ) {
            let first = Place { offset, line, column, number: 0 };
            let (message, raw) = (&*message, &*raw);
            let error = GameError { kind, message, raw, place: first, first: None };
            let text = write(&error);
            let unfit = ['{', '}', '\n', '\r', '\0'];
            prop_assert!(!text.contains(unfit), "{}", text);
            prop_assert!(!text[START.len()..].contains("  "));
            let kept = read(&text).expect("an error");
            let now = Place::at_byte(7);
            let converted = GameError { place: now, first: Some(first), ..error };
            prop_assert_eq!(kept.at(now), converted);
            prop_assert_eq!(write(&converted), text);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\[%tabiya error .*") {
            let _ = read(&text);
        }
    }
}
