//! The tags of a game.
//!
//! ```
//! use tabiya_game::Tags;
//!
//! let mut tags = Tags::new();
//! tags.push("White", "Réti, Richard");
//! tags.push("WhiteElo", "2710");
//! assert_eq!(tags.get("White"), Some("Réti, Richard"));
//! assert_eq!(tags.white_elo(), Some(2710));
//! ```

use std::fmt;

use crate::{Date, GameResult};

/// The seven tags that every exported game has, in their order.
pub const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Names and values in the order they were read. A name may occur more than once.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Tags {
    /// Names and values one after the other: one text costs less memory and time than many.
    text: String,
    /// Where each name ends, and its value.
    ends: Vec<(usize, usize)>,
}

impl Tags {
    /// No tags.
    #[must_use]
    pub fn new() -> Tags {
        Tags::default()
    }

    /// Adds a tag after the others, even if one of the same name is there.
    pub fn push(&mut self, name: impl AsRef<str>, value: impl AsRef<str>) {
        self.text.push_str(name.as_ref());
        let name_end = self.text.len();
        self.text.push_str(value.as_ref());
        self.ends.push((name_end, self.text.len()));
    }

    /// Replaces the value of the first tag with a name, or adds the tag.
    pub fn set(&mut self, name: &str, value: impl AsRef<str>) {
        let value = value.as_ref();
        let Some(index) = self.iter().position(|(n, _)| n == name) else {
            return self.push(name, value);
        };
        let (start, end) = self.ends[index];
        self.text.replace_range(start..end, value);
        self.ends[index].1 = start + value.len();
        let moved = |at: usize| at - end + start + value.len();
        for ends in &mut self.ends[index + 1..] {
            *ends = (moved(ends.0), moved(ends.1));
        }
    }

    /// The value of the first tag with a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(n, _)| *n == name).map(|(_, v)| v)
    }

    /// All tags in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        let mut start = 0;
        self.ends.iter().map(move |&(name_end, end)| {
            let pair = (&self.text[start..name_end], &self.text[name_end..end]);
            start = end;
            pair
        })
    }

    /// How many tags there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Removes all tags and keeps the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    /// The tags as an export has them: the roster first and complete, `?` for what is not known,
    /// then the others in their order. Repeated roster tags stay among the others.
    #[must_use]
    pub fn in_export_order(&self) -> Vec<(&str, &str)> {
        let mut ordered: Vec<(&str, &str)> = ROSTER
            .into_iter()
            .map(|name| (name, self.get(name).unwrap_or(unknown(name))))
            .collect();
        let mut seen = [false; ROSTER.len()];
        for (name, value) in self.iter() {
            match ROSTER.iter().position(|&roster| roster == name) {
                Some(index) if !seen[index] => seen[index] = true,
                _ => ordered.push((name, value)),
            }
        }
        ordered
    }

    /// The event.
    #[must_use]
    pub fn event(&self) -> Option<&str> {
        self.known("Event")
    }

    /// The site.
    #[must_use]
    pub fn site(&self) -> Option<&str> {
        self.known("Site")
    }

    /// The round, as text: `9.10` is not a number.
    #[must_use]
    pub fn round(&self) -> Option<&str> {
        self.known("Round")
    }

    /// White's name.
    #[must_use]
    pub fn white(&self) -> Option<&str> {
        self.known("White")
    }

    /// Black's name.
    #[must_use]
    pub fn black(&self) -> Option<&str> {
        self.known("Black")
    }

    /// The opening's code.
    #[must_use]
    pub fn eco(&self) -> Option<&str> {
        self.known("ECO")
    }

    /// The date, from `Date` or, as servers write it, `UTCDate`.
    #[must_use]
    pub fn date(&self) -> Option<Date> {
        ["Date", "UTCDate"]
            .into_iter()
            .filter_map(|name| self.get(name)?.parse().ok())
            .find(|date: &Date| date.year.is_some())
    }

    /// White's rating.
    #[must_use]
    pub fn white_elo(&self) -> Option<u16> {
        self.rating("WhiteElo")
    }

    /// Black's rating.
    #[must_use]
    pub fn black_elo(&self) -> Option<u16> {
        self.rating("BlackElo")
    }

    /// What the `Result` tag says.
    #[must_use]
    pub fn result(&self) -> Option<GameResult> {
        self.get("Result")?.parse().ok()
    }

    /// A value that is not `?`, `-` or empty.
    fn known(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|v| !matches!(*v, "" | "?" | "-"))
    }

    fn rating(&self, name: &str) -> Option<u16> {
        let rating = self.get(name)?.trim().parse().ok()?;
        (rating > 0).then_some(rating)
    }
}

/// What an export writes for a roster tag that is not known.
fn unknown(name: &str) -> &'static str {
    match name {
        "Date" => "????.??.??",
        "Result" => "*",
        _ => "?",
    }
}

impl fmt::Debug for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<N: AsRef<str>, V: AsRef<str>> FromIterator<(N, V)> for Tags {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Tags {
        let mut tags = Tags::new();
        for (name, value) in pairs {
            tags.push(name, value);
        }
        tags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_export_has_the_roster_first_and_complete() {
        let tags: Tags = [
            ("ECO", "C65"),
            ("White", "Lasker"),
            ("Annotator", "x"),
            ("White", "two"),
        ]
        .into_iter()
        .collect();
        let order = tags.in_export_order();
        assert_eq!(order[4], ("White", "Lasker"));
        assert_eq!(order[2], ("Date", "????.??.??"));
        assert_eq!(
            order[7..],
            [("ECO", "C65"), ("Annotator", "x"), ("White", "two")]
        );
    }

    #[test]
    fn a_value_that_is_replaced_moves_those_behind_it() {
        let mut tags: Tags = [
            ("White", "Tal"),
            ("Round", "1"),
            ("White", "x"),
            ("ECO", "C65"),
        ]
        .into_iter()
        .collect();
        tags.set("Round", "12.4");
        tags.set("White", "");
        tags.set("Site", "Riga");
        let pairs: Vec<_> = tags.iter().collect();
        let expected = [
            ("White", ""),
            ("Round", "12.4"),
            ("White", "x"),
            ("ECO", "C65"),
            ("Site", "Riga"),
        ];
        assert_eq!(pairs, expected);
        assert_eq!(tags, expected.into_iter().collect());
    }

    #[test]
    fn typed_values_are_known_ones() {
        let tags: Tags = [
            ("White", "?"),
            ("Date", "????.??.??"),
            ("UTCDate", "2020.05.01"),
            ("WhiteElo", "0"),
            ("BlackElo", "?"),
            ("Round", "9.10"),
        ]
        .into_iter()
        .collect();
        assert_eq!(
            (tags.white(), tags.white_elo(), tags.black_elo()),
            (None, None, None)
        );
        assert_eq!(tags.date(), Some(Date::new(2020, 5, 1)));
        assert_eq!(tags.round(), Some("9.10"));
    }
}
