//! Fields of the index and how tags spell them.

use std::fmt::Write;

use tabiya_chess::Color;
use tabiya_game::Date;

/// A date in 20 bits: 11 of the year, 4 of the month, 5 of the day; what is not known is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PackedDate(pub u32);

/// The highest year there is room for.
const LAST_YEAR: u16 = 2_047;

impl PackedDate {
    /// Packs a date; `None` if the year is too high.
    #[must_use]
    pub fn new(date: Date) -> Option<PackedDate> {
        let year = date.year.unwrap_or(0);
        let (month, day) = (date.month.unwrap_or(0), date.day.unwrap_or(0));
        (year <= LAST_YEAR).then(|| PackedDate::of_parts(year.into(), month.into(), day.into()))
    }

    pub(super) fn of_parts(year: u32, month: u32, day: u32) -> PackedDate {
        PackedDate(year << 9 | month << 5 | day)
    }

    /// The year, 0 if it is not known.
    #[must_use]
    pub fn year(self) -> u32 {
        self.0 >> 9 & 0x7ff
    }

    pub(super) fn month(self) -> u32 {
        self.0 >> 5 & 15
    }

    pub(super) fn day(self) -> u32 {
        self.0 & 31
    }

    /// The date as a tag has it. A month above 12, of which the bits have room, is not known.
    #[must_use]
    pub fn date(self) -> Date {
        let known = |part: u32, most| (1..=most).contains(&part).then_some(part as u8);
        Date {
            year: Some(self.year() as u16).filter(|year| *year > 0),
            month: known(self.month(), 12),
            day: known(self.day(), 31),
        }
    }

    /// Whether nothing of it is known.
    #[must_use]
    pub fn is_unknown(self) -> bool {
        self.date() == Date::default()
    }
}

/// What kinds of ratings there are: the end of the names of their tags, by number.
pub const RATING_TYPES: [&str; 7] = ["Elo", "Rating", "Rapid", "ICCF", "USCF", "DWZ", "ECF"];

/// The highest rating.
const HIGHEST_RATING: u16 = 4_000;

/// A rating and its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rating {
    /// The number of its type; those without a name count as Elo.
    pub kind: u8,
    /// The rating; 0 is none.
    pub value: u16,
}

impl Rating {
    /// The rating of a tag, and whose it is; `None` if the tag is not one of a rating, or has a
    /// value that there is no room for.
    #[must_use]
    pub fn of_tag(name: &str, value: &str) -> Option<Rating> {
        let (_, kind) = rating_tag(name)?;
        let number: u16 = value.parse().ok()?;
        let fits = (1..=HIGHEST_RATING).contains(&number) && number.to_string() == value;
        fits.then_some(Rating {
            kind,
            value: number,
        })
    }

    /// The name of the tag that a side's rating has.
    #[must_use]
    pub fn tag_name(self, color: Color) -> String {
        let side = match color {
            Color::White => "White",
            Color::Black => "Black",
        };
        let kind = RATING_TYPES.get(usize::from(self.kind));
        format!("{side}{}", kind.unwrap_or(&RATING_TYPES[0]))
    }
}

/// Whose rating a tag has, and of which type.
pub(in crate::scid) fn rating_tag(name: &str) -> Option<(Color, u8)> {
    let (color, kind) = match name.strip_prefix("White") {
        Some(kind) => (Color::White, kind),
        None => (Color::Black, name.strip_prefix("Black")?),
    };
    let kind = RATING_TYPES.iter().position(|known| *known == kind)?;
    Some((color, kind as u8))
}

/// How many extensions an ECO code has, none included: `a` to `z`, each alone or with 1 to 4.
const ECO_EXTENSIONS: u16 = 131;

/// The number of an ECO code such as `B90`, `B90a` or `B90a3`; `None` if it is not one.
#[must_use]
pub fn eco_number(text: &str) -> Option<u16> {
    let (code, extension) = text.as_bytes().split_at_checked(3)?;
    let (letter, digits) = code.split_first()?;
    if !(b'A'..=b'E').contains(letter) || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digit = |byte: &u8| u16::from(byte - b'0');
    let number = u16::from(letter - b'A') * 100 + digits.iter().fold(0, |n, d| n * 10 + digit(d));
    let small = |letter: &u8| 1 + 5 * u16::from(letter - b'a');
    let extension = match extension {
        [] => 0,
        [letter @ b'a'..=b'z'] => small(letter),
        [letter @ b'a'..=b'z', number @ b'1'..=b'4'] => small(letter) + digit(number),
        _ => return None,
    };
    Some(1 + ECO_EXTENSIONS * number + extension)
}

/// The ECO code of a number; `None` for 0 and what is beyond the last.
#[must_use]
pub fn eco_text(number: u16) -> Option<String> {
    let number = number.checked_sub(1)?;
    let (code, extension) = (number / ECO_EXTENSIONS, number % ECO_EXTENSIONS);
    if code >= 500 {
        return None;
    }
    let letter = char::from(b'A' + (code / 100) as u8);
    let mut text = format!("{letter}{:02}", code % 100);
    if let Some(extension) = extension.checked_sub(1) {
        text.push(char::from(b'a' + (extension / 5) as u8));
        if extension % 5 > 0 {
            let written = write!(text, "{}", extension % 5);
            debug_assert!(written.is_ok(), "a String takes any text");
        }
    }
    Some(text)
}

/// The code of a number of comments, glyphs or variations: exact up to 9, then coarser.
#[must_use]
pub fn count_code(count: u32) -> u8 {
    match count {
        0..=9 => count as u8,
        10..=12 => 10,
        13..=17 => 11,
        18..=24 => 12,
        25..=34 => 13,
        35..=44 => 14,
        _ => 15,
    }
}

/// The number that a code stands for.
#[must_use]
pub fn count_of_code(code: u8) -> u32 {
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 30, 40, 50][usize::from(code & 15)]
}

/// Flags of a game, 22 bits.
pub mod flags {
    /// The game has its own start position.
    pub const SETUP: u32 = 1;
    /// A pawn promotes in the main line.
    pub const PROMOTION: u32 = 1 << 1;
    /// A pawn becomes less than a queen in the main line.
    pub const UNDER_PROMOTION: u32 = 1 << 2;
    /// The game is deleted, but still there.
    pub const DELETED: u32 = 1 << 3;
    /// Those that people set, from the lowest bit on, as the tag `ScidFlags` has them.
    pub const LETTERS: &str = "DWBMENPTKQ!?U123456";
    /// The bit of the first letter.
    const FIRST: u32 = 3;
    /// The bits that follow from the moves.
    pub const DERIVED: u32 = SETUP | PROMOTION | UNDER_PROMOTION;

    /// The letters of the flags that people set.
    #[must_use]
    pub fn letters(flags: u32) -> String {
        let numbered = LETTERS.chars().zip(FIRST..);
        let set = numbered.filter(|(_, bit)| flags >> bit & 1 != 0);
        set.map(|(letter, _)| letter).collect()
    }

    /// The flags of letters; those without a meaning are left out.
    #[must_use]
    pub fn of_letters(letters: &str) -> u32 {
        let bits = letters.chars().filter_map(|letter| {
            let place = LETTERS.chars().position(|known| known == letter)?;
            Some(1 << (FIRST + place as u32))
        });
        bits.fold(0, |all, bit: u32| all | bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eco_codes_have_their_numbers() {
        for (text, number) in [
            ("A00", 1),
            ("A00a", 2),
            ("A00a1", 3),
            ("A01", 132),
            ("E99z4", 65_500),
        ] {
            assert_eq!(eco_number(text), Some(number), "{text}");
        }
        for text in ["", "A0", "F00", "A0x", "A00A", "A00a5", "A00a0", "A00a12"] {
            assert_eq!(eco_number(text), None, "{text}");
        }
        for number in 1..=65_500 {
            let text = eco_text(number).unwrap();
            assert_eq!(eco_number(&text), Some(number), "{text}");
        }
        assert_eq!((eco_text(0), eco_text(65_501)), (None, None));
    }

    #[test]
    fn counts_become_coarser_and_keep_their_codes() {
        for code in 0..16 {
            assert_eq!(count_code(count_of_code(code)), code);
        }
        for (count, code) in [(12, 10), (13, 11), (17, 11), (24, 12), (34, 13), (44, 14)] {
            assert_eq!((count_code(count), count_code(45)), (code, 15));
        }
    }

    #[test]
    fn flags_have_letters_from_deleted_on() {
        let all = flags::of_letters(flags::LETTERS);
        assert_eq!(all, 0x3f_fff8);
        assert_eq!(flags::letters(all), flags::LETTERS);
        assert_eq!(flags::letters(flags::DERIVED), "");
        assert_eq!(flags::of_letters("zD"), flags::DELETED);
    }

    #[test]
    fn ratings_are_told_apart_by_the_names_of_their_tags() {
        let rating = Rating::of_tag("BlackUSCF", "1900").unwrap();
        assert_eq!((rating.kind, rating.value), (4, 1_900));
        assert_eq!(rating.tag_name(Color::Black), "BlackUSCF");
        for (name, value) in [
            ("WhiteElo", "4001"),
            ("WhiteElo", "0"),
            ("WhiteElo", "?"),
            ("WhiteElo", "02500"),
            ("WhiteTitle", "2500"),
            ("Elo", "2500"),
        ] {
            assert_eq!(Rating::of_tag(name, value), None, "{name} {value}");
        }
    }

    #[test]
    fn dates_keep_the_parts_that_are_known() {
        for text in ["2020.02.30", "1990.??.??", "????.05.06", "????.??.??"] {
            let date: Date = text.parse().unwrap();
            let packed = PackedDate::new(date).unwrap();
            assert_eq!(packed.date(), date);
            assert_eq!(packed.is_unknown(), text == "????.??.??");
        }
        assert_eq!(PackedDate::new(Date::new(2_048, 1, 1)), None);
        assert_eq!(PackedDate(13 << 5).date(), Date::default());
    }
}
