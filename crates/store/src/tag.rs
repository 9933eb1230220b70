//! Which tags have columns under names that people know, and which values fit into them.
//!
//! A value is put into a typed column only if it is spelled there again as it was; what is not,
//! such as an Elo of `2500?`, is kept as text beside.

use tabiya_game::Date;

/// How the values of a column are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    Text,
    /// `YYYYMMDD` as a number, 00 for what is unknown: they sort as dates do.
    Date,
    /// A number from 0 to 32,767.
    Small,
    /// A number from 0 to 2,147,483,647.
    Number,
}

/// A column that is filled from a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TagColumn {
    /// The name of the column.
    pub name: &'static str,
    /// The name of the tag.
    pub tag: &'static str,
    pub kind: Type,
}

const fn column(name: &'static str, tag: &'static str, kind: Type) -> TagColumn {
    TagColumn { name, tag, kind }
}

/// The columns of tags that people ask for. The result has one too, but is not filled from a tag.
pub(crate) const COLUMNS: [TagColumn; 27] = [
    column("event", "Event", Type::Text),
    column("site", "Site", Type::Text),
    column("date", "Date", Type::Date),
    column("round", "Round", Type::Text),
    column("white", "White", Type::Text),
    column("black", "Black", Type::Text),
    column("white_rating", "WhiteElo", Type::Small),
    column("black_rating", "BlackElo", Type::Small),
    column("white_title", "WhiteTitle", Type::Text),
    column("black_title", "BlackTitle", Type::Text),
    column("white_fide_id", "WhiteFideId", Type::Number),
    column("black_fide_id", "BlackFideId", Type::Number),
    column("white_team", "WhiteTeam", Type::Text),
    column("black_team", "BlackTeam", Type::Text),
    column("eco", "ECO", Type::Text),
    column("opening", "Opening", Type::Text),
    column("variation", "Variation", Type::Text),
    column("event_date", "EventDate", Type::Date),
    column("event_type", "EventType", Type::Text),
    column("utc_date", "UTCDate", Type::Date),
    column("utc_time", "UTCTime", Type::Text),
    column("time_control", "TimeControl", Type::Text),
    column("termination", "Termination", Type::Text),
    column("annotator", "Annotator", Type::Text),
    column("white_rating_diff", "WhiteRatingDiff", Type::Text),
    column("black_rating_diff", "BlackRatingDiff", Type::Text),
    column("source", "Source", Type::Text),
];

/// The columns of a segment that are not filled from tags.
pub(crate) const OWN: [&str; 15] = [
    "kind",
    "result",
    "ply_count",
    "broken",
    "start",
    "variant",
    "tag_order",
    "other_tags",
    "moves",
    "signature",
    "shapes",
    "clocks",
    "time_spent",
    "evaluations",
    "judgements",
];

/// Whether a column is one of the file of moves.
pub(crate) fn is_of_moves(name: &str) -> bool {
    const MOVES: usize = 8;
    OWN[MOVES..].contains(&name)
}

/// Whether a column that all stores know is called so: a tag of that name has none of its own, since
/// one would be read as the other.
pub(crate) fn is_taken(name: &str) -> bool {
    OWN.contains(&name) || COLUMNS.iter().any(|column| column.name == name)
}

/// The value of a typed column, if the text comes back from it as it is.
pub(crate) fn parse(kind: Type, text: &str) -> Option<i32> {
    match kind {
        Type::Text => None,
        Type::Small => parse(Type::Number, text).filter(|number| *number <= i32::from(i16::MAX)),
        Type::Number => {
            let plain = text == "0" || !text.starts_with(['0', '+', '-']);
            plain.then(|| text.parse().ok())?
        }
        Type::Date => parse_date(text),
    }
}

fn parse_date(text: &str) -> Option<i32> {
    let date: Date = text.parse().ok()?;
    let mut spelled = String::with_capacity(10);
    let number = i32::from(date.year.unwrap_or(0)) * 10_000
        + i32::from(date.month.unwrap_or(0)) * 100
        + i32::from(date.day.unwrap_or(0));
    spell(Type::Date, number, &mut spelled);
    (spelled == text).then_some(number)
}

/// Spells a value as its tag has it.
pub(crate) fn spell(kind: Type, value: i32, out: &mut String) {
    use std::fmt::Write;

    let known = |part: i32| (part > 0).then_some(part);
    let _ = match kind {
        Type::Text | Type::Small | Type::Number => write!(out, "{value}"),
        Type::Date => {
            let date = Date {
                year: known(value / 10_000).and_then(|year| year.try_into().ok()),
                month: known(value / 100 % 100).map(|month| month as u8),
                day: known(value % 100).map(|day| day as u8),
            };
            write!(out, "{date}")
        }
    };
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spelled(kind: Type, text: &str) -> Option<String> {
        let mut out = String::new();
        spell(kind, parse(kind, text)?, &mut out);
        Some(out)
    }

    #[test]
    fn what_is_typed_is_spelled_as_it_was() {
        for text in [
            "2024.02.29",
            "1883.??.??",
            "????.??.??",
            "????.05.??",
            "0010.05.12",
        ] {
            assert_eq!(spelled(Type::Date, text).as_deref(), Some(text));
        }
        for text in ["0", "2500", "2147483647"] {
            assert_eq!(spelled(Type::Number, text).as_deref(), Some(text));
        }
    }

    #[test]
    fn what_is_spelled_otherwise_stays_text() {
        for text in [
            "",
            "?",
            "1883",
            "2024.2.9",
            "2024-02-29",
            "2024.02.00",
            "2024.??.?",
        ] {
            assert_eq!(parse(Type::Date, text), None, "{text}");
        }
        assert_eq!(parse(Type::Small, "32767"), Some(32_767));
        assert_eq!(parse(Type::Small, "32768"), None);
        for text in [
            "",
            "-",
            "2500?",
            "02500",
            "+2500",
            "-1",
            " 2500",
            "2147483648",
            "00",
        ] {
            assert_eq!(parse(Type::Number, text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_spelled_otherwise(text in "[0-9?.+ -]{0,11}") {
            for kind in [Type::Date, Type::Small, Type::Number] {
                if let Some(again) = spelled(kind, &text) {
                    prop_assert_eq!(&again, &text);
                }
            }
        }
    }
}
