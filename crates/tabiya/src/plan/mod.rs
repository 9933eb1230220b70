//! What is to be changed in databases, as a text that can be read, edited, applied and undone.
//!
//! A plan is a list of [steps](Step), one a line. Whatever finds something to mend writes one;
//! nothing is changed before somebody applies it, and what was applied can be undone by the same
//! plan.
//!
//! ```
//! use tabiya::plan::{Action, Plan, Step};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.tabiya");
//! # let mut game = tabiya::GameTree::default();
//! # game.tags.push("White", "Tal,M");
//! # let mut games = tabiya::create(&path)?;
//! # games.add(&game)?;
//! # games.finish()?;
//! let plan = Plan {
//!     steps: vec![Step {
//!         group: 1,
//!         database: path.clone(),
//!         games: [1].into_iter().collect(),
//!         action: Action::Set {
//!             tag: "White".to_owned(),
//!             from: Some("Tal,M".to_owned()),
//!             to: "Tal, Mikhail".to_owned(),
//!         },
//!         which: None,
//!         reason: "one player, one name".to_owned(),
//!     }],
//! };
//! plan.apply()?;
//! assert_eq!(tabiya::open(&path)?.get(1)?.tags.white(), Some("Tal, Mikhail"));
//! plan.undo()?;
//! assert_eq!(tabiya::open(&path)?.get(1)?.tags.white(), Some("Tal,M"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # As a text
//!
//! A plan is written as lines with tabs or as JSON. Lines have nine cells, and the first one names
//! them: `group`, `database`, `games`, `action`, `tag`, `from`, `to`, `reason`, `which`. The last one
//! may be left out in all lines.
//!
//! * `database` is a path as it was given: one that is not absolute begins at the folder in which
//!   the program runs.
//! * `games` are numbers in the database, in order: `3,7..9`.
//! * `action` is `keep`, `delete`, `set` or `remove`.
//! * `from` is, for `set` and `remove`, the value that the tag has now; empty if there is no such
//!   tag, `\e` if its value is empty. For `keep` and `delete` it tells which game is meant, as
//!   [`describe`] does; if it is empty, any is.
//! * `to` is the value that the tag is to have. For `remove`, it is the number of tags before the one
//!   that goes, so that it can come back to its place; if there is another tag of that name, a comma
//!   and its value follow.
//! * `which` is, for `set` and `remove`, which games are meant: the description of one, or a sum over
//!   those of several. If other games have these numbers when the plan is applied or undone, nothing
//!   is changed. If it is empty, any are meant: empty it where you change `games`.
//! * Tabs, line ends and backslashes in cells are `\t`, `\n`, `\r` and `\\`, and a quotation mark at the
//!   beginning is `\"`: spreadsheets put cells with commas between quotation marks, which are taken away.
//!
//! Lines that are empty or begin with `#` are left out.
//!
//! # What is changed
//!
//! A database of tabiya's own takes every step, as an overlay, and remembers the last plan that was
//! applied to it: [`Plan::last_of`]. Of other formats, those that can be changed where they are take
//! `delete`.
//!
//! A game starts where it starts: `FEN`, `SetUp` and `Variant` are not set. `Result` is set together
//! with the result at the end of the moves, and only where both agree before.

mod apply;
mod change;
mod edits;
mod identity;
mod job;
mod text;

use std::{collections::BTreeSet, fmt, path::PathBuf, str::FromStr};

use serde::{Deserialize, Serialize};
use tabiya_game::{GameResult, GameTree, Numbers, ParseNumbersError, Tags};

pub use apply::Applied;
pub use edits::TagEdit;
pub use text::PlanFormat;

/// What is to be changed in databases.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Plan {
    /// One after the other; they are undone from the last to the first.
    pub steps: Vec<Step>,
}

/// One line of a plan.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// Steps that belong together have the same number.
    pub group: u64,
    /// The database.
    pub database: PathBuf,
    /// Some of its games.
    pub games: Games,
    /// What becomes of each of them.
    #[serde(flatten)]
    pub action: Action,
    /// Which games are meant, as they are before the plan is applied; without it, any are. One game
    /// is told by [`describe`], several by a sum over their descriptions: [`Plan::identified`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub which: Option<String>,
    /// Why, for people.
    #[serde(default)]
    pub reason: String,
}

/// What becomes of a game.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "lowercase")]
pub enum Action {
    /// It stays as it is: of several, this is the one that is kept. Nothing is done if it is not
    /// there any more.
    Keep {
        /// Which game is meant, as [`describe`] tells it; without it, any is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
    },
    /// It is marked as deleted.
    Delete {
        /// Which game is meant, as [`describe`] tells it; without it, any is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
    },
    /// The first tag of a name gets another value. A tag that was not there goes behind the others.
    Set {
        /// The name of the tag.
        tag: String,
        /// Its value before; `None` if there is none.
        #[serde(default)]
        from: Option<String>,
        /// Its value afterwards.
        to: String,
    },
    /// The first tag of a name goes.
    Remove {
        /// The name of the tag.
        tag: String,
        /// Its value before.
        from: String,
        /// How many tags stand before it.
        place: usize,
        /// The value of the next tag of that name, which is the first one afterwards.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<String>,
    },
}

/// Numbers of games in a database: at least one, in order, and not without end.
///
/// ```
/// use tabiya::plan::Games;
///
/// let games: Games = [9, 3, 7, 8, 7].into_iter().collect();
/// assert_eq!(games.to_string(), "3,7..9");
/// assert_eq!("3,7..9".parse(), Ok(games));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Games {
    /// From one to another, both included. They follow each other and do not touch.
    spans: Vec<(u64, u64)>,
}

impl Games {
    /// One after the other.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.spans.iter().flat_map(|&(least, most)| least..=most)
    }

    /// The greatest of them.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.spans.last().map_or(0, |&(_, most)| most)
    }

    /// Takes numbers behind all others.
    fn push(&mut self, least: u64, most: u64) {
        match self.spans.last_mut() {
            Some((_, last)) if *last + 1 == least => *last = most,
            _ => self.spans.push((least, most)),
        }
    }
}

impl FromIterator<u64> for Games {
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> Games {
        let numbers: BTreeSet<u64> = numbers.into_iter().collect();
        let mut games = Games { spans: Vec::new() };
        numbers
            .into_iter()
            .for_each(|number| games.push(number, number));
        games
    }
}

impl fmt::Display for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (least, most)) in self.spans.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            match least == most {
                true => write!(f, "{comma}{least}")?,
                false => write!(f, "{comma}{least}..{most}")?,
            }
        }
        Ok(())
    }
}

impl From<Games> for String {
    fn from(games: Games) -> String {
        games.to_string()
    }
}

/// The text is no list of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseGamesError {
    /// It is no list of numbers.
    #[error(transparent)]
    Numbers(#[from] ParseNumbersError),
    /// A range has no end, or numbers are not in order.
    #[error("games are not in order: expected numbers such as 3,7..9")]
    Order,
}

impl FromStr for Games {
    type Err = ParseGamesError;

    fn from_str(text: &str) -> Result<Games, ParseGamesError> {
        let numbers: Numbers = text.parse()?;
        let mut games = Games { spans: Vec::new() };
        for span in numbers.spans() {
            match (span.least, span.most) {
                (Some(least), Some(most)) if least > games.last() && most < u64::MAX => {
                    games.push(least, most);
                }
                _ => return Err(ParseGamesError::Order),
            }
        }
        Ok(games)
    }
}

impl TryFrom<String> for Games {
    type Error = ParseGamesError;

    fn try_from(text: String) -> Result<Games, ParseGamesError> {
        text.parse()
    }
}

/// A game in one line, so that it is not taken for another: who played, when, the result, and how
/// long.
///
/// ```
/// let mut game = tabiya::GameTree::default();
/// game.tags.push("White", "Tal, Mikhail");
/// assert_eq!(tabiya::plan::describe(&game), "Tal, Mikhail - ?, ????.??.??, *, 0 plies");
/// ```
#[must_use]
pub fn describe(game: &GameTree) -> String {
    description(&game.tags, game.result, game.main_line().count())
}

fn description(tags: &Tags, result: GameResult, plies: usize) -> String {
    let known = |name| tags.get(name).filter(|value| !value.is_empty());
    let name = |name| known(name).unwrap_or("?");
    let (white, black) = (name("White"), name("Black"));
    let date = known("Date").unwrap_or("????.??.??");
    format!("{white} - {black}, {date}, {}, {plies} plies", result.tag())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_in_order_and_have_an_end() {
        for text in [
            "",
            "0",
            "x",
            "7..",
            "..7",
            "9,3",
            "3,3",
            "1..3,2..4",
            "5..2",
        ] {
            assert!(text.parse::<Games>().is_err(), "{text}");
        }
        let many: Games = "1..1000000000000000,1000000000000002".parse().unwrap();
        assert_eq!(many.last(), 1_000_000_000_000_002);
        assert_eq!(many.iter().nth(2), Some(3));
        assert_eq!("3,4,5..6".parse::<Games>().unwrap().to_string(), "3..6");
    }
}
