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

use crate::{Date, GameResult};

/// The seven tags that every exported game has, in their order.
pub const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Names and values in the order they were read. A name may occur more than once.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Tags {
    pairs: Vec<(String, String)>,
}

impl Tags {
    /// No tags.
    #[must_use]
    pub fn new() -> Tags {
        Tags::default()
    }

    /// Adds a tag after the others, even if one of the same name is there.
    pub fn push(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.pairs.push((name.into(), value.into()));
    }

    /// Replaces the value of the first tag with a name, or adds the tag.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        match self.pairs.iter_mut().find(|(n, _)| n == name) {
            Some((_, old)) => *old = value.into(),
            None => self.push(name, value),
        }
    }

    /// The value of the first tag with a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(n, _)| *n == name).map(|(_, v)| v)
    }

    /// All tags in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(n, v)| (n.as_str(), v.as_str()))
    }

    /// How many tags there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Removes all tags and keeps the memory.
    pub fn clear(&mut self) {
        self.pairs.clear();
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

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Tags {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Tags {
        let pairs = pairs.into_iter();
        Tags {
            pairs: pairs.map(|(n, v)| (n.into(), v.into())).collect(),
        }
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
