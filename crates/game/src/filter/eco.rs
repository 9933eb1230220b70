//! Ranges of opening codes.

use std::str::FromStr;

/// Codes from one to another, both included: `B90..B99`, `B9`, `C..D`, `E60..`.
///
/// Each end is compared as far as it goes, so `B9` is all of B90 to B99, and `B90` is also Scid's
/// `B90h`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EcoSpan {
    first: String,
    last: String,
}

impl EcoSpan {
    /// Whether a code lies inside.
    #[must_use]
    pub fn contains(&self, code: &str) -> bool {
        let code = code.trim().as_bytes();
        if !code.first().is_some_and(u8::is_ascii_alphabetic) {
            return false;
        }
        let as_far_as = |end: &str| {
            let head = &code[..end.len().min(code.len())];
            head.to_ascii_uppercase()
        };
        as_far_as(&self.first).as_slice() >= self.first.as_bytes()
            && (self.last.is_empty() || as_far_as(&self.last).as_slice() <= self.last.as_bytes())
    }
}

/// The text is not a range of opening codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseEcoError {
    /// An end is not a code.
    #[error(
        "not opening codes: expected a code such as B90, its beginning such as B9, or B90..B99"
    )]
    Syntax,
    /// The first code comes after the last.
    #[error("an empty range: the first code comes after the last")]
    Empty,
}

impl FromStr for EcoSpan {
    type Err = ParseEcoError;

    fn from_str(text: &str) -> Result<EcoSpan, ParseEcoError> {
        let (first, last) = match text.split_once("..") {
            Some((first, last)) => (end(first)?, end(last)?),
            None => (end(text)?, end(text)?),
        };
        if first.is_empty() && last.is_empty() {
            return Err(ParseEcoError::Syntax);
        }
        let common = first.len().min(last.len());
        if first[..common] > last[..common] {
            return Err(ParseEcoError::Empty);
        }
        Ok(EcoSpan { first, last })
    }
}

/// A letter from A to E and up to two digits, in upper case; empty for an open end.
fn end(text: &str) -> Result<String, ParseEcoError> {
    let code = text.trim().to_ascii_uppercase();
    let built_right = match code.as_bytes() {
        [] => true,
        [b'A'..=b'E', digits @ ..] => digits.len() <= 2 && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    built_right.then_some(code).ok_or(ParseEcoError::Syntax)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_count_as_far_as_they_go() {
        for (text, inside, outside) in [
            (
                "B90..B99",
                &["B90", "B99", "B95a", "b97"][..],
                &["B89", "C00", "", "?", "B9"][..],
            ),
            ("B9", &["B90", "B99z"], &["B89", "C00"]),
            ("b90", &["B90", "B90h"], &["B91"]),
            ("C..D", &["C00", "D99"], &["B99", "E00"]),
            ("E60..", &["E60", "E99"], &["E59"]),
            ("..A10", &["A00", "A10"], &["A11", "?"]),
        ] {
            let span: EcoSpan = text.parse().unwrap();
            for code in inside {
                assert!(span.contains(code), "{code} in {text}");
            }
            for code in outside {
                assert!(!span.contains(code), "{code} in {text}");
            }
        }
    }

    #[test]
    fn other_texts_are_no_codes() {
        for text in ["", "..", "F00", "B900", "Sicilian", "90", "B9x", "É"] {
            assert_eq!(
                text.parse::<EcoSpan>(),
                Err(ParseEcoError::Syntax),
                "{text}"
            );
        }
        for text in ["B99..B90", "C..B", "B5..B49"] {
            assert_eq!(text.parse::<EcoSpan>(), Err(ParseEcoError::Empty), "{text}");
        }
    }
}
