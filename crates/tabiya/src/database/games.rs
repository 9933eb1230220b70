//! Games one after the other.

use std::vec;

use tabiya_formats::Part;
use tabiya_game::{Filter, Filtered, GameTree};

use super::{numbered::Numbered, parts::Parts};
use crate::{Error, Result};

/// The games of a database in their order: what [`Database::games`](crate::Database::games)
/// returns. An error ends it; a broken game is no error, and its
/// [`state`](GameTree::state) says so.
///
/// Only a part of the database is in memory at a time.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.pgn");
/// # std::fs::write(&path, "1. e4 e5 *\n\n1. d4 d5 2. c4 *\n")?;
/// let games: tabiya::Games = tabiya::open(&path)?.games();
/// let lengths: Vec<usize> = games
///     .map(|game| Ok(game?.main_line().count()))
///     .collect::<tabiya::Result<_>>()?;
/// assert_eq!(lengths, [2, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Games {
    parts: Option<Parts>,
    filter: Filter,
    /// Those of the part that has been read last.
    games: vec::IntoIter<GameTree>,
    /// Games so far, in a file that has no numbers for them.
    counted: u64,
    failed: Option<Error>,
}

impl Games {
    pub(super) fn new(parts: Result<Parts>, filter: Filter) -> Games {
        let (parts, failed) = match parts {
            Ok(parts) => (Some(parts), None),
            Err(error) => (None, Some(error)),
        };
        Games {
            parts,
            filter,
            games: Vec::new().into_iter(),
            counted: 0,
            failed,
        }
    }

    /// The games of the next part; `false` if there is none.
    fn read_part(&mut self) -> bool {
        let Some(parts) = &mut self.parts else {
            return false;
        };
        let Some(part) = parts.next() else {
            self.failed = parts.take_error();
            self.parts = None;
            return false;
        };
        let filtered = Filtered::new(&self.filter, Vec::new());
        let mut numbered = Numbered::new(self.counted, filtered);
        // What came before an error is handed out before it.
        if let Err(error) = Part::tell(&*part, &mut numbered) {
            self.failed = Some(parts.error(error));
            self.parts = None;
        }
        let (filtered, counted) = numbered.into_parts();
        self.counted = counted;
        self.games = filtered.into_sink().into_iter();
        true
    }
}

impl Iterator for Games {
    type Item = Result<GameTree>;

    fn next(&mut self) -> Option<Result<GameTree>> {
        loop {
            if let Some(game) = self.games.next() {
                return Some(Ok(game));
            }
            if !self.read_part() {
                return self.failed.take().map(Err);
            }
        }
    }
}
