//! Questions to databases of any format.
//!
//! A [`Question`] has a [`Filter`] for headers, a [`Query`] for what happens on the board, and a
//! position to which games may come near. A game answers it if it answers all of them.
//!
//! ```
//! use tabiya::search::{Question, Ranking, Sort};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.pgn");
//! # std::fs::write(&path, "[White \"Morphy\"]\n\n1. e4 e5 *\n\n[White \"Staunton\"]\n\n1. c4 *\n")?;
//! let question = Question {
//!     query: Some("moves(1. e4 e5) or played(d4)".parse()?),
//!     ..Question::default()
//! };
//! let mut ranking = Ranking::new(Sort::Elo).limit(20);
//! for (input, path) in [&path].into_iter().enumerate() {
//!     let database = tabiya::open(path)?;
//!     question.ask(&database, |hit| Ok::<_, tabiya::Error>(ranking.take(input, hit)))?;
//! }
//! assert_eq!(ranking.total(), 1);
//! for (_, hit) in ranking.finish() {
//!     assert_eq!((hit.number, hit.ply, hit.tags.get("White")), (1, Some(2), Some("Morphy")));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Database::watch`] tells how far it is, and may end it.

mod conditions;
mod listen;
mod ranking;
#[cfg(feature = "store")]
mod stored;

use std::{ops::ControlFlow, sync::Arc};

pub use conditions::{Conditions, LonelyCondition};
pub use ranking::{Ranking, Sort};
#[cfg(feature = "store")]
pub use stored::find;
pub use tabiya_search::{
    Exact, Material, ParseError, Path, Pattern, Pawns, Pieces, Query, Streak, Test, parse, scout,
    similar,
};

use tabiya_search::openings::{Classifier, Opening, Openings};

use crate::{Database, Error, Filter, GameResult, Position, Result, Tags};
use listen::Asker;

/// What is asked of games; see the [module](self).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Question {
    /// What is asked of tags, length and comments.
    pub filter: Filter,
    /// What is asked of positions and moves.
    pub query: Option<Query>,
    /// A position: for each game, the [distance](similar) of its nearest one is told.
    pub near: Option<Position>,
    /// Whether the query and the position are looked for in variations, too.
    pub variations: bool,
    /// The table that names the [openings](Hit::opening) of games, if somebody wants to know.
    pub openings: Option<Arc<Openings>>,
}

/// A game that answers a question.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Hit {
    /// Its number in the file.
    pub number: u64,
    /// After how many plies it answers the query, or comes nearest; `None` if neither is asked.
    pub ply: Option<u32>,
    /// How near it comes to the position that was asked for.
    pub distance: Option<u32>,
    /// Its tags.
    pub tags: Tags,
    /// How it ends.
    pub result: GameResult,
    /// The deepest of its positions that the table has a name for, the start aside.
    pub opening: Option<Opening>,
}

impl Hit {
    /// A game that was found, and of which nothing was asked but its tags.
    #[must_use]
    pub fn new(number: u64, tags: Tags, result: GameResult) -> Hit {
        Hit {
            number,
            ply: None,
            distance: None,
            tags,
            result,
            opening: None,
        }
    }
}

impl Question {
    /// Asks all games of a database, by all cores, and hands out those that answer, in the order
    /// of the file. How many there are. The filter of the database itself is not asked.
    ///
    /// ```
    /// use tabiya::search::Question;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 *\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// let mates = Question { query: Some("mate".parse()?), ..Question::default() };
    /// let mut numbers = Vec::new();
    /// let total = mates.ask(&tabiya::open(&path)?, |hit| {
    ///     numbers.push(hit.number);
    ///     Ok::<_, tabiya::Error>(())
    /// })?;
    /// assert_eq!((total, numbers), (1, vec![2]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the database cannot be read to its end, or what `each` returns.
    pub fn ask<E: From<Error>>(
        &self,
        database: &Database,
        each: impl FnMut(Hit) -> Result<(), E>,
    ) -> Result<u64, E> {
        self.ask_first(database, usize::MAX, each)
    }

    /// The same, but only the first games that answer are handed out. How many there are in all: a
    /// database of tabiya's own need not look at the headers of the others.
    ///
    /// # Errors
    /// If the database cannot be read to its end, or what `each` returns.
    pub fn ask_first<E: From<Error>>(
        &self,
        database: &Database,
        first: usize,
        mut each: impl FnMut(Hit) -> Result<(), E>,
    ) -> Result<u64, E> {
        #[cfg(feature = "store")]
        if let Some(total) = stored::ask(self, database, first, &mut each)? {
            return Ok(total);
        }
        let mut left = first;
        self.scan(database, |hit| match left {
            0 => Ok(()),
            _ => {
                left -= 1;
                each(hit)
            }
        })
    }

    /// Asks all games how [near](Question::near) they come, and hands out those that come nearest,
    /// the nearest first, and among those that are alike the first. How many answer in all.
    ///
    /// ```
    /// use tabiya::search::{Exact, Question};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 *\n\n1. c4 e5 *\n\n1. d4 *\n")?;
    /// let position = Exact::after_moves("1. c4")?;
    /// let question = Question { near: Some(*position.position()), ..Question::default() };
    /// let mut found = Vec::new();
    /// let total = question.ask_nearest(&tabiya::open(&path)?, 2, |hit| {
    ///     found.push((hit.number, hit.distance));
    ///     Ok::<_, tabiya::Error>(())
    /// })?;
    /// assert_eq!((total, found), (3, vec![(2, Some(0)), (1, Some(5))]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the database cannot be read to its end, or what `each` returns.
    pub fn ask_nearest<E: From<Error>>(
        &self,
        database: &Database,
        most: usize,
        mut each: impl FnMut(Hit) -> Result<(), E>,
    ) -> Result<u64, E> {
        #[cfg(feature = "store")]
        if let Some(total) = stored::ask_nearest(self, database, most, &mut each)? {
            return Ok(total);
        }
        let mut ranking = Ranking::new(Sort::Distance).limit(most);
        let total = self.scan(database, |hit| {
            ranking.take(0, hit);
            Ok::<_, E>(())
        })?;
        ranking.finish().try_for_each(|(_, hit)| each(hit))?;
        Ok(total)
    }

    /// Every game is told and asked.
    fn scan<E: From<Error>>(
        &self,
        database: &Database,
        mut each: impl FnMut(Hit) -> Result<(), E>,
    ) -> Result<u64, E> {
        let mut total = 0;
        database.par_counted(
            database.crew(),
            &self.filter,
            || Asker::new(self),
            |asker, before| {
                for mut hit in asker.finish() {
                    hit.number += before;
                    total += 1;
                    each(hit)?;
                }
                Ok::<_, E>(ControlFlow::Continue(()))
            },
        )?;
        Ok(total)
    }
}

/// The opening of a game that was heard. The start of a game is none yet.
fn named(classifier: Option<&Classifier<'_>>) -> Option<Opening> {
    let (opening, _) = classifier?.found().filter(|(_, ply)| *ply > 0)?;
    Some(opening.clone())
}
