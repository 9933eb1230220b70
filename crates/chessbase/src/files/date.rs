//! Dates in one number.

use tabiya_game::Date;

/// A date as all files of the family hold it: bits 0 to 4 the day, 5 to 8 the month, from 9 the
/// year; zero where a part is not known.
///
/// ```
/// use tabiya_chessbase::files::PackedDate;
/// use tabiya_game::Date;
///
/// let date = PackedDate::new(Date::new(1851, 6, 21));
/// assert_eq!(date, PackedDate(1851 << 9 | 6 << 5 | 21));
/// assert_eq!(date.to_string(), "1851.06.21");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PackedDate(pub u32);

impl PackedDate {
    /// The latest year that there is room for.
    pub const MAX_YEAR: u16 = 0xfff;

    /// A date in one number. A year that has no room is left out.
    #[must_use]
    pub fn new(date: Date) -> PackedDate {
        let year = date.year.filter(|year| *year <= PackedDate::MAX_YEAR);
        let month = u32::from(date.month.unwrap_or(0).min(15));
        let day = u32::from(date.day.unwrap_or(0).min(31));
        PackedDate(u32::from(year.unwrap_or(0)) << 9 | month << 5 | day)
    }

    /// The date that it means.
    #[must_use]
    pub fn date(self) -> Date {
        let known = |part: u32| (part != 0).then_some(part);
        Date {
            year: known(self.year().into()).map(|year| year as u16),
            month: known(self.month().into())
                .filter(|month| *month <= 12)
                .map(|month| month as u8),
            day: known(self.day().into()).map(|day| day as u8),
        }
    }

    /// The year as it is stored, 0 to 4095.
    #[must_use]
    pub const fn year(self) -> u16 {
        (self.0 >> 9) as u16 & PackedDate::MAX_YEAR
    }

    /// The month as it is stored, 0 to 15.
    #[must_use]
    pub const fn month(self) -> u8 {
        (self.0 >> 5) as u8 & 15
    }

    /// The day as it is stored, 0 to 31.
    #[must_use]
    pub const fn day(self) -> u8 {
        self.0 as u8 & 31
    }

    /// Whether nothing is known.
    #[must_use]
    pub fn is_unknown(self) -> bool {
        self.date() == Date::default()
    }
}

/// As PGN writes it.
impl std::fmt::Display for PackedDate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.date().fmt(f)
    }
}
