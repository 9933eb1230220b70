//! Games that are in a collection more than once.
//!
//! [`find`] looks through databases and tells which of their games are the same: to the letter, or
//! with names in other spellings, moves missing at the end, last moves that differ, tags that are
//! missing or differ, colours swapped in the header. [`plan`] decides which copy of each is kept, and
//! what the others know that it lacks.
//!
//! ```
//! use tabiya::{Filter, duplicates::{How, find, plan}};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.pgn");
//! # let game = |white: &str| format!(
//! #     "[Event \"Match\"]\n[Date \"1858.10.21\"]\n[White \"{white}\"]\n[Black \"Isouard\"]\n\n\
//! #      1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 1-0\n\n");
//! # std::fs::write(&path, game("Morphy, Paul") + &game("Morphy,P"))?;
//! let databases = [tabiya::open(&path)?];
//! let found = find(&databases, &Filter::default(), How::Near)?;
//! assert_eq!((found.games, found.groups.len()), (2, 1));
//! let plan = plan(&databases, &found, &[])?;
//! for step in &plan.steps {
//!     println!("{}: {:?}: {}", step.games, step.action, step.reason);
//! }
//! # assert_eq!(plan.steps.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it is decided
//!
//! Of each game a hash of its main line is kept after every eight plies, and what its header says.
//! Sorted by these hashes, games that begin alike stand together, and it is known how many
//! different players have played each beginning. What two games have in common beyond that is
//! evidence by itself; how much of it is asked for depends on what their headers say. Short
//! draws and known openings are never enough without the same players on the same occasion. The
//! work grows with the number of games, not with its square; the memory is about 140 bytes a game,
//! and the names.
//!
//! Deleted games are not looked at.

mod candidates;
mod copies;
mod evidence;
mod facts;
mod groups;
mod header;
mod lines;
mod merge;
mod names;
mod reasons;

use std::path::{Path, PathBuf};

use facts::Collection;
use tabiya_formats::registry::place::is_same_database;

pub use copies::plan;

use crate::{Database, Filter, Result, check_different, registry};

/// Which games are taken for the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum How {
    /// Those that are so by all evidence, however they are written down.
    #[default]
    Near,
    /// Those with the same moves and the same seven tags that every game has.
    Exact,
}

/// Games that are the same.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// How many games were looked at.
    pub games: u64,
    /// Each at least two copies of one game, in their order.
    pub groups: Vec<Vec<GameRef>>,
}

impl Found {
    /// How many games could go.
    #[must_use]
    pub fn copies(&self) -> u64 {
        self.groups.iter().map(|group| group.len() as u64 - 1).sum()
    }
}

/// A game of one of several databases.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameRef {
    /// Which database, from 0.
    pub database: usize,
    /// The number of the game in it.
    pub number: u64,
}

/// Which copy of a game is kept, where nothing else decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Preference {
    /// That of a database.
    Database(PathBuf),
    /// The one with most plies.
    Longest,
    /// The one with most comments, glyphs and variations.
    Annotated,
    /// The one of which most is known.
    Header,
    /// The one that stands last.
    Newest,
}

impl Preference {
    /// What people call it: longest, annotated, header, newest, or the path of one of the databases;
    /// `None` if it is none of these.
    ///
    /// ```
    /// use std::path::Path;
    /// use tabiya::duplicates::Preference;
    ///
    /// let databases = ["a.tabiya", "b.cbh"].map(Path::new);
    /// let named = |which: &str| Preference::named(which.as_ref(), databases);
    /// assert_eq!(named("newest"), Some(Preference::Newest));
    /// assert_eq!(named("b.cbh"), Some(Preference::Database("b.cbh".into())));
    /// assert_eq!(named("c.cbh"), None);
    /// ```
    #[must_use]
    pub fn named<'p>(
        which: &Path,
        databases: impl IntoIterator<Item = &'p Path>,
    ) -> Option<Preference> {
        match which.to_str() {
            Some("longest") => Some(Preference::Longest),
            Some("annotated") => Some(Preference::Annotated),
            Some("header") => Some(Preference::Header),
            Some("newest") => Some(Preference::Newest),
            _ => {
                let mut databases = databases.into_iter();
                let meant = databases.find(|path| is_same_database(registry(), path, which));
                meant.map(|path| Preference::Database(path.to_owned()))
            }
        }
    }
}

/// Finds games that are in databases more than once, in the same one or in several. Only games that
/// pass the filter are looked at. Whoever watches one of the databases is asked now and then whether to go
/// on while they are compared.
///
/// # Errors
/// If a database is there twice, or cannot be read to its end.
pub fn find(databases: &[Database], filter: &Filter, how: How) -> Result<Found> {
    // Each of its games would be a copy of itself, and would go.
    check_different(databases.iter().map(Database::path))?;
    let mut all = Collection::default();
    for (index, database) in databases.iter().enumerate() {
        all.read(index, database, filter)?;
    }
    let go_on = || databases.iter().try_for_each(Database::go_on);
    go_on()?;
    let groups = match how {
        How::Exact => groups::exact(&all),
        How::Near => groups::near(&all, go_on)?,
    };
    let mut groups: Vec<Vec<GameRef>> = groups
        .into_iter()
        .map(|group| group.into_iter().map(|game| all.place(game)).collect())
        .collect();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_unstable();
    Ok(Found {
        games: all.len() as u64,
        groups,
    })
}
