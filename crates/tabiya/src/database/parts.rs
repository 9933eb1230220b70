//! A database as its parts, one after the other.

use tabiya_formats::{Database, Part, io::Progress};

use super::Watch;
use crate::{Error, ErrorKind, Result};

/// The parts of a database. An error ends them, and is kept.
pub struct Parts {
    pub name: String,
    pub database: Box<dyn Database>,
    pub progress: Progress,
    /// Who wants to know how far it is.
    pub watch: Option<Watch>,
    pub failed: Option<Error>,
    /// Whether they end without an error where the database cannot be read any further.
    pub until_damage: bool,
}

impl Parts {
    /// The next part; `None` at the end, and after an error.
    pub fn next(&mut self) -> Option<Box<dyn Part>> {
        if let Some(watch) = &self.watch
            && watch(&self.progress).is_break()
        {
            self.failed = Some(Error::new(ErrorKind::Cancelled, "cancelled"));
            return None;
        }
        loop {
            match self.database.next_part() {
                Ok(part) => return part,
                Err(_) if self.failed.is_some() => return None,
                // A reader may still have what came before the error.
                Err(error) => self.failed = Some(error),
            }
        }
    }

    /// Why they have ended, if not because there are no more.
    pub fn take_error(&mut self) -> Option<Error> {
        let is_told = |error: &Error| !self.until_damage || error.kind() == ErrorKind::Cancelled;
        let failed = self.failed.take().filter(is_told);
        failed.map(|error| self.error(error))
    }

    /// An error of the input, with its name.
    pub fn error(&self, error: Error) -> Error {
        match error.kind() {
            ErrorKind::Cancelled => error,
            _ => error.trying_to("read", &self.name),
        }
    }

    /// Fails if an error has ended them.
    pub fn finish(mut self) -> Result<()> {
        self.take_error().map_or(Ok(()), Err)
    }
}
