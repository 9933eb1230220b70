//! Games that answer a query, from their moves.
//!
//! Signatures rule out most games of most questions. Of the others, those that are plain are replayed
//! straight from their bytes, until the query is decided: on a bare board if that is enough to know, or
//! with all that belongs to positions; the odd ones are told as to anybody.

mod near;
mod query;
mod sieve;
mod work;

use tabiya_chess::Position;
use tabiya_game::Error;
use tabiya_search::Query;

use self::{near::AskNear, query::AskQuery, sieve::Sieve};
use crate::{GameSet, Store, Watch};

/// How a store is searched.
#[derive(Clone, Copy, Debug)]
pub struct How<'a> {
    /// Only these entries are looked at.
    pub among: Option<&'a GameSet>,
    /// Variations count, too.
    pub variations: bool,
    /// On how many threads.
    pub jobs: usize,
    /// Who hears how far it is, and may end it.
    pub watch: Watch<'a>,
}

/// All games, their main lines, on one thread.
impl Default for How<'_> {
    fn default() -> Self {
        How {
            among: None,
            variations: false,
            jobs: 1,
            watch: Watch::NOBODY,
        }
    }
}

/// A game that answers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Hit {
    /// The number of the entry.
    pub number: u64,
    /// After how many plies it answers.
    pub ply: u32,
}

/// How near a game comes to a position; the nearest are the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Near {
    /// The [distance](tabiya_search::similar) of its nearest position.
    pub distance: u32,
    /// The number of the entry.
    pub number: u64,
    /// After how many plies it comes nearest, the first time.
    pub ply: u32,
}

impl Store {
    /// The games that answer a query, in the order of their numbers; not those that are deleted.
    ///
    /// ```
    /// use tabiya_game::GameTree;
    /// use tabiya_store::{Hit, How, Store};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.tabiya");
    /// let mut importer = Store::import(&path)?;
    /// importer.add(&GameTree::default())?;
    /// importer.finish()?;
    ///
    /// let query = "material(Q=1 q=1)".parse()?;
    /// let hits = Store::open(&path)?.search(&query, &How::default())?;
    /// assert_eq!(hits, [Hit { number: 1, ply: 0 }]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the store is damaged, or the search is cancelled.
    pub fn search(&self, query: &Query, how: &How<'_>) -> Result<Vec<Hit>, Error> {
        let sieve = Sieve::new(query);
        let asks = || AskQuery::new(query, &sieve, how.variations);
        let found = work::ask_all(self.snapshot(), how, asks)?;
        let hits = found.into_iter().map(|(number, ply)| Hit { number, ply });
        Ok(hits.collect())
    }

    /// How near games come to a position, in the order of their numbers; not those that are deleted,
    /// nor those whose start cannot be read.
    ///
    /// ```
    /// use tabiya_chess::Position;
    /// use tabiya_game::GameTree;
    /// use tabiya_store::{How, Near, Store};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.tabiya");
    /// let mut importer = Store::import(&path)?;
    /// importer.add(&GameTree::default())?;
    /// importer.finish()?;
    ///
    /// let near = Store::open(&path)?.near(&Position::initial(), &How::default())?;
    /// assert_eq!(near, [Near { distance: 0, number: 1, ply: 0 }]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the store is damaged, or the search is cancelled.
    pub fn near(&self, position: &Position, how: &How<'_>) -> Result<Vec<Near>, Error> {
        let asks = || AskNear::new(position, how.variations);
        let found = work::ask_all(self.snapshot(), how, asks)?;
        let near = found.into_iter().map(|(number, (distance, ply))| Near {
            distance,
            number,
            ply,
        });
        Ok(near.collect())
    }
}
