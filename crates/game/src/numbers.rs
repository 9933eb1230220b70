//! Numbers of entries as people list them: `7`, `1,3,5..9`, `50..`.

use std::{fmt, str::FromStr};

use crate::{ParseSpanError, Span};

/// Some entries of a file, by their numbers in it, which begin at 1.
///
/// ```
/// use tabiya_game::Numbers;
///
/// let numbers: Numbers = "1,3,5..9".parse()?;
/// assert!(numbers.contains(3) && numbers.contains(5) && !numbers.contains(4));
/// assert_eq!(numbers.last(), Some(9));
/// assert_eq!(Numbers::default().last(), None);
/// assert!(Numbers::default().contains(1_000_000));
/// # Ok::<(), tabiya_game::ParseNumbersError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbers {
    spans: Vec<Span<u64>>,
    /// They follow each other and do not touch, so that a number is found quickly among many.
    ordered: bool,
}

/// All of them.
impl Default for Numbers {
    fn default() -> Numbers {
        Numbers {
            spans: vec![Span {
                least: None,
                most: None,
            }],
            ordered: true,
        }
    }
}

/// Those that are given, in their order. Of none, nothing is listed.
///
/// ```
/// use tabiya_game::Numbers;
///
/// let numbers: Numbers = [1, 2, 3, 7].into_iter().collect();
/// assert_eq!(numbers.to_string(), "1..3,7");
/// ```
impl FromIterator<u64> for Numbers {
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> Numbers {
        let mut spans: Vec<Span<u64>> = Vec::new();
        let mut ordered = true;
        for number in numbers {
            match spans.last_mut() {
                Some(last) if last.most.is_some_and(|most| most + 1 == number) => {
                    last.most = Some(number);
                }
                last => {
                    ordered &= last.is_none_or(|last| last.most < Some(number));
                    spans.push(Span {
                        least: Some(number),
                        most: Some(number),
                    });
                }
            }
        }
        Numbers { spans, ordered }
    }
}

impl Numbers {
    /// Whether a number is listed.
    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        if !self.ordered {
            return self.spans.iter().any(|span| span.contains(&number));
        }
        let is_before = |span: &Span<u64>| span.most.is_some_and(|most| most < number);
        let next = self.spans.partition_point(is_before);
        let span = self.spans.get(next);
        span.is_some_and(|span| span.contains(&number))
    }

    /// The greatest number; `None` if the list never ends, 0 if it has none.
    #[must_use]
    pub fn last(&self) -> Option<u64> {
        match (self.ordered, &self.spans[..]) {
            (_, []) => Some(0),
            (true, [.., last]) => last.most,
            (false, spans) => spans
                .iter()
                .try_fold(0, |last, span| Some(last.max(span.most?))),
        }
    }

    /// The ranges, as they were listed.
    pub fn spans(&self) -> impl Iterator<Item = Span<u64>> + '_ {
        self.spans.iter().copied()
    }

    /// Whether every number is listed, so that nobody has to ask.
    #[must_use]
    pub fn is_all(&self) -> bool {
        *self == Numbers::default()
    }
}

/// The text is no list of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseNumbersError {
    /// An item is not a number or a range.
    #[error("not numbers: expected a list such as 7, 1,3,5..9 or 50..; both ends are included")]
    Syntax,
    /// The first number is greater than the last.
    #[error("an empty range: the first value is greater than the last")]
    Empty,
    /// There is no number 0.
    #[error("there is no number 0: numbers begin at 1")]
    Zero,
}

impl FromStr for Numbers {
    type Err = ParseNumbersError;

    fn from_str(text: &str) -> Result<Numbers, ParseNumbersError> {
        let span = |text: &str| {
            let span: Span<u64> = text.parse().map_err(|error| match error {
                ParseSpanError::Empty => ParseNumbersError::Empty,
                ParseSpanError::Syntax => ParseNumbersError::Syntax,
            })?;
            match span.least == Some(0) || span.most == Some(0) {
                true => Err(ParseNumbersError::Zero),
                false => Ok(span),
            }
        };
        Ok(Numbers {
            spans: text.split(',').map(span).collect::<Result<_, _>>()?,
            ordered: false,
        })
    }
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, span) in self.spans.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            span.fmt(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_holds_numbers_and_ranges() {
        for (text, inside, outside, last) in [
            ("7", &[7][..], &[6, 8][..], Some(7)),
            ("1,3,5..9", &[1, 3, 5, 9], &[2, 4, 10], Some(9)),
            ("..2,50..", &[1, 2, 50, 999], &[3, 49], None),
            ("9,1", &[1, 9], &[5], Some(9)),
        ] {
            let numbers: Numbers = text.parse().unwrap();
            assert!(inside.iter().all(|n| numbers.contains(*n)), "{text}");
            assert!(!outside.iter().any(|n| numbers.contains(*n)), "{text}");
            assert_eq!(numbers.last(), last, "{text}");
            assert_eq!(numbers.to_string(), text);
        }
    }

    #[test]
    fn numbers_one_by_one_are_found_among_many() {
        let even: Numbers = (1..=1_000).map(|number| 2 * number).collect();
        assert!(even.contains(2) && even.contains(2_000) && even.contains(1_000));
        assert!(!even.contains(1) && !even.contains(999) && !even.contains(2_001));
        assert_eq!(even.last(), Some(2_000));
        let mixed: Numbers = [7, 8, 3].into_iter().collect();
        assert_eq!(
            (mixed.to_string().as_str(), mixed.last()),
            ("7..8,3", Some(8))
        );
        assert!(mixed.contains(3) && mixed.contains(8) && !mixed.contains(5));
        let none: Numbers = [].into_iter().collect();
        assert!(!none.contains(1));
        assert_eq!(none.last(), Some(0));
    }

    #[test]
    fn numbers_begin_at_1() {
        for text in ["0", "0..3", "1,0", "..0"] {
            assert_eq!(
                text.parse::<Numbers>(),
                Err(ParseNumbersError::Zero),
                "{text}"
            );
        }
        for text in ["", "1,", "x", "..", "1-2", "-1"] {
            assert_eq!(
                text.parse::<Numbers>(),
                Err(ParseNumbersError::Syntax),
                "{text}"
            );
        }
        assert_eq!("5..2".parse::<Numbers>(), Err(ParseNumbersError::Empty));
    }
}
