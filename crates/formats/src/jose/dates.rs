//! Days as the program stores them.

use tabiya_game::Date;

const DAY_UNKNOWN: u8 = 0x10;
const MONTH_UNKNOWN: u8 = 0x20;
const YEAR_UNKNOWN: u8 = 0x40;

/// The date of a number of three bytes (day + 32 · month + 512 · year) and the flags that say
/// which parts of it are not known. With `fix` it is a day later, as the published archives need
/// it: there, an unknown day is the last of the month before, so the flags count afterwards.
pub(super) fn date(number: u32, flags: u8, fix: bool) -> Date {
    let year = (number >> 9) as u16;
    let month = (number >> 5 & 15) as u8;
    let day = (number & 31) as u8;
    let (year, month, day) = match fix && number != 0 {
        true => next_day(year, month, day),
        false => (year, month, day),
    };
    let month_known = flags & MONTH_UNKNOWN == 0 && (1..=12).contains(&month);
    let day_known = flags & DAY_UNKNOWN == 0 && day > 0;
    Date {
        year: (flags & YEAR_UNKNOWN == 0 && year > 0).then_some(year),
        month: month_known.then_some(month),
        day: day_known.then_some(day),
    }
}

fn next_day(year: u16, month: u8, day: u8) -> (u16, u8, u8) {
    match (month, day) {
        _ if day < days(year, month) => (year, month, day + 1),
        (12.., _) => (year.saturating_add(1), 1, 1),
        _ => (year, month + 1, 1),
    }
}

fn days(year: u16, month: u8) -> u8 {
    let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(year: u32, month: u32, day: u32) -> u32 {
        day + 32 * month + 512 * year
    }

    #[test]
    fn parts_that_are_not_known_are_question_marks() {
        let date = |flags| date(number(2002, 5, 7), flags, false).to_string();
        assert_eq!(date(0), "2002.05.07");
        assert_eq!(date(0x10), "2002.05.??");
        assert_eq!(date(0x30), "2002.??.??");
        assert_eq!(date(0x70), "????.??.??");
        assert_eq!(super::date(0, 0, true).to_string(), "????.??.??");
    }

    #[test]
    fn a_day_later_comes_before_parts_are_taken_as_unknown() {
        for (stored, flags, fixed) in [
            (number(2001, 1, 12), 0, "2001.01.13"),
            (number(2000, 12, 31), 0x30, "2001.??.??"),
            (number(2002, 4, 30), 0x10, "2002.05.??"),
            (number(2000, 2, 28), 0, "2000.02.29"),
            (number(2000, 2, 29), 0, "2000.03.01"),
            (number(1900, 2, 28), 0, "1900.03.01"),
            (number(1999, 12, 31), 0, "2000.01.01"),
        ] {
            assert_eq!(date(stored, flags, true).to_string(), fixed);
        }
    }
}
