//! Dates of which parts may be unknown.
//!
//! ```
//! use tabiya_game::Date;
//!
//! let date: Date = "1921.??.??".parse()?;
//! assert_eq!((date.year, date.month), (Some(1921), None));
//! assert_eq!(date.to_string(), "1921.??.??");
//! # Ok::<(), tabiya_game::ParseDateError>(())
//! ```

use std::{cmp::Ordering, fmt, ops::RangeInclusive, str::FromStr};

/// A date as PGN writes it, `YYYY.MM.DD`, each part known or not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Date {
    /// The year.
    pub year: Option<u16>,
    /// The month, 1 to 12.
    pub month: Option<u8>,
    /// The day, 1 to 31.
    pub day: Option<u8>,
}

impl Date {
    /// A date of which everything is known.
    #[must_use]
    pub const fn new(year: u16, month: u8, day: u8) -> Date {
        Date {
            year: Some(year),
            month: Some(month),
            day: Some(day),
        }
    }

    /// The earliest day it can mean, as (year, month, day).
    #[must_use]
    pub fn earliest(&self) -> (u16, u8, u8) {
        (
            self.year.unwrap_or(0),
            self.month.unwrap_or(1),
            self.day.unwrap_or(1),
        )
    }

    /// The latest day it can mean, as (year, month, day).
    #[must_use]
    pub fn latest(&self) -> (u16, u8, u8) {
        (
            self.year.unwrap_or(u16::MAX),
            self.month.unwrap_or(12),
            self.day.unwrap_or(31),
        )
    }
}

/// By the earliest day, unknown parts first.
impl PartialOrd for Date {
    fn partial_cmp(&self, other: &Date) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By the earliest day, unknown parts first.
impl Ord for Date {
    fn cmp(&self, other: &Date) -> Ordering {
        (self.year, self.month, self.day).cmp(&(other.year, other.month, other.day))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Every game of a database has dates: digit by digit is several times as quick as `{:02}`.
        let mut text = *b"?????.??.??";
        write_digits(&mut text[..5], self.year);
        write_digits(&mut text[6..8], self.month.map(u16::from));
        write_digits(&mut text[9..], self.day.map(u16::from));
        let start = match self.year {
            Some(10_000..) => 0,
            _ => 1,
        };
        f.write_str(std::str::from_utf8(&text[start..]).expect("digits are ASCII"))
    }
}

fn write_digits(places: &mut [u8], number: Option<u16>) {
    let Some(mut number) = number else {
        return;
    };
    for place in places.iter_mut().rev() {
        *place = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

/// The text is not a date.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a date: expected YYYY.MM.DD, with ?? for what is unknown")]
pub struct ParseDateError;

/// Reads `.`, `-` and `/` between the parts, and takes missing parts and `?` as unknown.
///
/// A year has four digits: `10.05.12` may mean any century, and the day may come first.
impl FromStr for Date {
    type Err = ParseDateError;

    fn from_str(text: &str) -> Result<Date, ParseDateError> {
        let mut parts = text.trim().split(['.', '-', '/']);
        let year = part(parts.next(), 4..=4, 9_999)?;
        let month = part(parts.next(), 1..=2, 12)?;
        let day = part(parts.next(), 1..=2, 31)?;
        if parts.next().is_some() {
            return Err(ParseDateError);
        }
        Ok(Date {
            year,
            month: month.map(|month| month as u8),
            day: day.map(|day| day as u8),
        })
    }
}

/// A number of so many digits, from 1 on.
fn part(
    text: Option<&str>,
    digits: RangeInclusive<usize>,
    most: u16,
) -> Result<Option<u16>, ParseDateError> {
    match text {
        None | Some("") => Ok(None),
        // 00 is how several programs write an unknown day or month.
        Some(text) if text.bytes().all(|byte| matches!(byte, b'?' | b'0')) => Ok(None),
        // A number would be read with a sign too.
        Some(text) if !text.bytes().all(|byte| byte.is_ascii_digit()) => Err(ParseDateError),
        Some(text) if !digits.contains(&text.len()) => Err(ParseDateError),
        Some(text) => match text.parse() {
            Ok(number) if number <= most => Ok(Some(number)),
            _ => Err(ParseDateError),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_parts_stay_unknown() {
        for (text, written) in [
            ("2024.02.29", "2024.02.29"),
            ("2024.02.??", "2024.02.??"),
            ("????.??.??", "????.??.??"),
            ("1883", "1883.??.??"),
            ("1997-5-11", "1997.05.11"),
            ("1997/00/00", "1997.??.??"),
            ("0010.05.12", "0010.05.12"),
            ("", "????.??.??"),
        ] {
            assert_eq!(text.parse::<Date>().unwrap().to_string(), written, "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_dates() {
        for text in [
            "today",
            "2024.13.01",
            "2024.01.32",
            "1.2.3.4",
            "99999",
            "2024.1x",
        ] {
            assert_eq!(text.parse::<Date>(), Err(ParseDateError), "{text}");
        }
    }

    #[test]
    fn what_may_be_another_date_is_none() {
        for text in [
            "10.??.??",
            "10.05.12",
            "99",
            "199.??.??",
            "02024.01.01",
            "+199.01.01",
            "1999.+5.01",
            "1999.005.01",
            "19??.??.??",
            "1999.1?.01",
        ] {
            assert_eq!(text.parse::<Date>(), Err(ParseDateError), "{text}");
        }
    }

    #[test]
    fn a_year_spans_its_days() {
        let date: Date = "1997".parse().unwrap();
        assert_eq!(
            (date.earliest(), date.latest()),
            ((1997, 1, 1), (1997, 12, 31))
        );
    }
}
