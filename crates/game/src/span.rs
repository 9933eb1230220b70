//! Ranges as people write them: `2500..2700`, `2500..`, `..2400`, `2500`.
//!
//! ```
//! use tabiya_game::Span;
//!
//! let span: Span<u32> = "2500..2700".parse()?;
//! assert!(span.contains(&2500) && span.contains(&2700));
//! assert!("2500..".parse::<Span<u32>>()?.contains(&9999));
//! # Ok::<(), tabiya_game::ParseSpanError>(())
//! ```

use std::{fmt, str::FromStr};

/// A range that includes both its ends, either of which may be open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span<T> {
    /// The first value inside; `None` if it begins nowhere.
    pub least: Option<T>,
    /// The last value inside; `None` if it never ends.
    pub most: Option<T>,
}

impl<T: PartialOrd> Span<T> {
    /// Whether a value lies inside.
    pub fn contains(&self, value: &T) -> bool {
        self.least.as_ref().is_none_or(|least| value >= least)
            && self.most.as_ref().is_none_or(|most| value <= most)
    }
}

/// The text is not a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseSpanError {
    /// An end is not a value.
    #[error("not a range: expected A..B, A.., ..B or A; both ends are included")]
    Syntax,
    /// The first value is greater than the last.
    #[error("an empty range: the first value is greater than the last")]
    Empty,
}

impl<T: FromStr + PartialOrd + Copy> FromStr for Span<T> {
    type Err = ParseSpanError;

    fn from_str(text: &str) -> Result<Span<T>, ParseSpanError> {
        let end = |text: &str| match text.trim() {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| ParseSpanError::Syntax),
        };
        let Some((least, most)) = text.split_once("..") else {
            let value = end(text)?.ok_or(ParseSpanError::Syntax)?;
            return Ok(Span {
                least: Some(value),
                most: Some(value),
            });
        };
        let (least, most) = (end(least)?, end(most)?);
        match (&least, &most) {
            (None, None) => Err(ParseSpanError::Syntax),
            (Some(first), Some(last)) if first > last => Err(ParseSpanError::Empty),
            _ => Ok(Span { least, most }),
        }
    }
}

impl<T: fmt::Display + PartialEq> fmt::Display for Span<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(least), Some(most)) = (&self.least, &self.most)
            && least == most
        {
            return least.fmt(f);
        }
        if let Some(least) = &self.least {
            least.fmt(f)?;
        }
        f.write_str("..")?;
        match &self.most {
            Some(most) => most.fmt(f),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_inside() {
        for (text, inside, outside) in [
            ("10..20", &[10, 15, 20][..], &[9, 21][..]),
            ("10..", &[10, 999], &[9]),
            ("..20", &[0, 20], &[21]),
            ("7", &[7], &[6, 8]),
        ] {
            let span: Span<u32> = text.parse().unwrap();
            assert!(inside.iter().all(|n| span.contains(n)), "{text}");
            assert!(!outside.iter().any(|n| span.contains(n)), "{text}");
            assert_eq!(span.to_string(), text);
        }
    }

    #[test]
    fn other_texts_are_no_ranges() {
        for text in ["", "..", "a..b", "1...2", "-1..2", "1-2"] {
            assert_eq!(
                text.parse::<Span<u32>>(),
                Err(ParseSpanError::Syntax),
                "{text}"
            );
        }
        assert_eq!("2..1".parse::<Span<u32>>(), Err(ParseSpanError::Empty));
    }
}
