//! When a game was created and saved.

use std::fmt;

/// Days from 1970-01-01 to 2008-12-01.
const DAYS_TO_2008: i64 = 14_214;
/// Days from 1582-10-15, the first day of the Gregorian calendar, to 1970-01-01.
const DAYS_FROM_1582: i64 = 141_427;
const SECONDS_A_DAY: i64 = 86_400;

/// When a game was created: 1/1024 seconds since 2008-12-01, on the clock of Berlin. 0 if it is
/// not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Created(pub i64);

/// When a game was saved for the last time: 100 nanoseconds since 1582-10-15, UTC. 0 if it has not
/// been saved since it was created.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Saved(pub i64);

/// A day and a time of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Moment {
    /// The year.
    pub year: i64,
    /// The month, 1 to 12.
    pub month: u8,
    /// The day, 1 to 31.
    pub day: u8,
    /// The second of the day.
    pub second: u32,
}

impl Created {
    /// The moment, if it is known.
    #[must_use]
    pub fn moment(self) -> Option<Moment> {
        (self.0 > 0).then(|| Moment::new(DAYS_TO_2008, self.0 / 1024))
    }
}

impl Saved {
    /// The moment, if it is known.
    #[must_use]
    pub fn moment(self) -> Option<Moment> {
        (self.0 > 0).then(|| Moment::new(-DAYS_FROM_1582, self.0 / 10_000_000))
    }
}

impl Moment {
    /// So many seconds after a day, which is told by its distance to 1970-01-01.
    fn new(day: i64, seconds: i64) -> Moment {
        let (year, month, day) = calendar(day + seconds / SECONDS_A_DAY);
        Moment {
            year,
            month,
            day,
            second: (seconds % SECONDS_A_DAY) as u32,
        }
    }
}

/// Year, month and day of a number of days since 1970-01-01.
///
/// Years are counted from March, so that the day that is sometimes missing is the last one, and in
/// periods of 400 years, which all have 146,097 days.
fn calendar(days: i64) -> (i64, u8, u8) {
    let days = days + 719_468;
    let (period, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let from_march = (5 * day + 2) / 153;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let year = 400 * period + year + i64::from(month <= 2);
    (
        year,
        month as u8,
        (day - (153 * from_march + 2) / 5 + 1) as u8,
    )
}

/// `2026-02-28 13:05:59`
impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hour, minute, second) = (self.second / 3600, self.second / 60 % 60, self.second % 60);
        write!(f, "{:04}-{:02}-{:02} ", self.year, self.month, self.day)?;
        write!(f, "{hour:02}:{minute:02}:{second:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_clocks_begin_where_they_should() {
        let created = |seconds: i64| Created(seconds * 1024).moment().unwrap().to_string();
        assert_eq!(created(1), "2008-12-01 00:00:01");
        assert_eq!(created(86_400 * 31 + 3_661), "2009-01-01 01:01:01");
        let saved = |seconds: i64| Saved(seconds * 10_000_000).moment().unwrap().to_string();
        assert_eq!(saved(1), "1582-10-15 00:00:01");
        assert_eq!(saved(86_400 * DAYS_FROM_1582), "1970-01-01 00:00:00");
        assert_eq!((Created(0).moment(), Saved(-1).moment()), (None, None));
    }

    #[test]
    fn leap_days_are_days() {
        assert_eq!(calendar(11_016), (2000, 2, 29));
        assert_eq!(calendar(11_017), (2000, 3, 1));
        assert_eq!(calendar(-25_509), (1900, 2, 28));
        assert_eq!(calendar(-25_508), (1900, 3, 1));
        assert_eq!(calendar(20_512), (2026, 2, 28));
    }
}
