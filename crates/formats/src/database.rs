//! Databases as streams of parts.

use std::any::Any;

use tabiya_game::{Error, Flow, GameSink};

use crate::io::{Progress, Unchanged};

/// A database that is open for reading: what every format that can be read is to those who read
/// it. It is read in parts, which threads can share out.
pub trait Database: Send {
    /// The next part; `None` at the end.
    ///
    /// # Errors
    /// If the input cannot be read any further.
    fn next_part(&mut self) -> Result<Option<Box<dyn Part>>, Error>;

    /// How far the reading has come, if the database knows it better than its input.
    fn progress(&self) -> Option<Progress> {
        None
    }

    /// What is wrong with the database as a whole, in sentences for people: parts of it that are
    /// missing, for example. Its games are told without them.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Its entries by their numbers, if it can find one without reading those before it.
    fn entries(&self) -> Option<&dyn Entries> {
        None
    }

    /// What it is to those who know more of its format than how games are read: one that answers
    /// questions by itself, for example.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }

    /// Its files as they were when it was opened; `None` if it knows of no more than the one that somebody
    /// has opened for it.
    fn files(&self) -> Option<Unchanged> {
        None
    }

    /// The same from the beginning, as it was when it was opened, whoever has changed it since;
    /// `None` if it has to be opened again for that.
    fn again(&self) -> Option<Box<dyn Database>> {
        None
    }
}

/// The entries of a database by their numbers in the file, from 1. All count: deleted ones, and
/// those that are no games. Several threads may ask at once.
pub trait Entries: Sync {
    /// How many there are.
    fn count(&self) -> u64;

    /// Tells one, deleted or not; `false` if there is none of that number.
    ///
    /// # Errors
    /// If the database cannot be read. A broken game is no error: it is told as far as it goes.
    fn tell(&self, number: u64, sink: &mut dyn GameSink) -> Result<bool, Error>;

    /// Whether the one of that number is marked as deleted.
    fn is_deleted(&self, number: u64) -> bool;
}

/// Some entries of a database, in a row.
pub trait Part: Send {
    /// Tells a sink all entries of the part, or as many as it wants to hear of:
    /// [`Flow::Stop`] if it wanted to stop, else [`Flow::Continue`].
    ///
    /// # Errors
    /// If the part cannot be read. Broken games are no errors: they are told as far as they go.
    fn tell(&self, sink: &mut dyn GameSink) -> Result<Flow, Error>;

    /// The entries that are not told because they are marked as deleted.
    fn deleted(&self) -> Vec<DeletedEntry> {
        Vec::new()
    }
}

/// An entry that is there, but marked as deleted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeletedEntry {
    /// Its number in the file.
    pub number: u64,
    /// It is a game, and not a text.
    pub is_game: bool,
}
