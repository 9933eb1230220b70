//! Databases whose files were unpacked from another.

use std::any::Any;

use tabiya_game::Error;

use super::LocalFile;
use crate::{
    Database, Entries, Part,
    io::{Progress, Unchanged},
};

/// A database in files that were unpacked. As long as it is there, they are: who reads it once more need not
/// unpack them again, unless somebody has changed what they were in.
pub(super) struct Unpacked {
    // Before its files, which may not go while they are open.
    database: Box<dyn Database>,
    unpacked: LocalFile,
    outer: Unchanged,
}

impl Unpacked {
    pub(super) fn new(
        database: Box<dyn Database>,
        unpacked: LocalFile,
        outer: Unchanged,
    ) -> Unpacked {
        Unpacked {
            database,
            unpacked,
            outer,
        }
    }
}

impl Database for Unpacked {
    fn next_part(&mut self) -> Result<Option<Box<dyn Part>>, Error> {
        self.database.next_part()
    }

    fn progress(&self) -> Option<Progress> {
        self.database.progress()
    }

    fn warnings(&self) -> Vec<String> {
        self.database.warnings()
    }

    fn entries(&self) -> Option<&dyn Entries> {
        self.database.entries()
    }

    fn as_any(&self) -> Option<&dyn Any> {
        self.database.as_any()
    }

    fn files(&self) -> Option<Unchanged> {
        Some(self.outer.clone())
    }

    fn again(&self) -> Option<Box<dyn Database>> {
        if !self.outer.holds() {
            return None;
        }
        let (unpacked, outer) = (self.unpacked.clone(), self.outer.clone());
        Some(Box::new(Unpacked::new(
            self.database.again()?,
            unpacked,
            outer,
        )))
    }
}
