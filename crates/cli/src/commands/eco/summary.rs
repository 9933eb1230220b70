//! How many games agree with their tags.

use std::{
    collections::HashMap,
    io::{self, Write},
};

use serde_json::{Value, json};
use tabiya::openings::{Agreement, Classified};

use crate::{
    output::Output,
    text::{games, grouped},
};

/// How many pairs of codes are listed that are not the same.
const LISTED: usize = 10;

/// Counts games by agreement.
#[derive(Default)]
pub struct Summary {
    games: u64,
    counts: HashMap<Agreement, u64>,
    /// Where they differ: the code of the tag, and that of the position.
    differ: HashMap<(String, String), u64>,
    /// How many of these have the letter in common.
    same_letter: u64,
}

impl Summary {
    pub fn add(&mut self, game: &Classified<'_>) {
        self.games += 1;
        let agreement = game.agreement();
        *self.counts.entry(agreement).or_default() += 1;
        if let (Agreement::Other, Some(tagged), Some((opening, _))) =
            (agreement, game.tagged(), game.opening)
        {
            let tagged = tagged.to_ascii_uppercase();
            self.same_letter += u64::from(tagged.chars().next() == opening.eco.chars().next());
            let pair = (tagged, opening.eco.clone());
            *self.differ.entry(pair).or_default() += 1;
        }
    }

    /// Whether there was no game.
    pub fn is_empty(&self) -> bool {
        self.games == 0
    }

    fn count(&self, agreement: Agreement) -> u64 {
        self.counts.get(&agreement).copied().unwrap_or(0)
    }

    /// The most frequent pairs first.
    fn pairs(&self) -> Vec<(&(String, String), u64)> {
        let mut pairs: Vec<_> = self
            .differ
            .iter()
            .map(|(pair, count)| (pair, *count))
            .collect();
        pairs.sort_by_key(|(pair, count)| (std::cmp::Reverse(*count), *pair));
        pairs.truncate(LISTED);
        pairs
    }

    /// For people.
    pub fn write(&self, output: &mut Output) -> io::Result<()> {
        let [same, other, untagged, unnamed] = Agreement::ALL.map(|kind| self.count(kind));
        let share = match same + other {
            0 => String::new(),
            both => format!(" ({:.1} %)", same as f64 * 100.0 / both as f64),
        };
        writeln!(
            output,
            "{}: {} as tagged{share}, {} otherwise ({} of the same letter), {} without a tag, \
             {} without a name",
            games(self.games),
            grouped(same),
            grouped(other),
            grouped(self.same_letter),
            grouped(untagged),
            grouped(unnamed),
        )?;
        for ((tagged, found), count) in self.pairs() {
            writeln!(
                output,
                "  tagged {tagged}, found {found} {:>9}",
                grouped(count)
            )?;
        }
        Ok(())
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let pair = |(pair, count): (&(String, String), u64)| {
            let (tagged, found) = pair;
            json!({"tagged": tagged, "found": found, "games": count})
        };
        let [same, other, untagged, unnamed] = Agreement::ALL.map(|kind| self.count(kind));
        json!({
            "games": self.games,
            "same": same,
            "other": other,
            "same_letter": self.same_letter,
            "untagged": untagged,
            "unnamed": unnamed,
            "differ": self.pairs().into_iter().map(pair).collect::<Vec<_>>(),
        })
    }
}
