//! A database as its parts, one after the other.

use std::io;

use tabiya_formats::{
    Database, Part,
    io::{IoError, IoErrorKind, Progress},
};

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
        let is_told = |error: &Error| !self.until_damage || !is_damage(error);
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

/// Whether an error is about what has been read: not a drive that has gone, or somebody who ended it.
///
/// ```
/// use std::io;
/// use tabiya::{Error, ErrorKind, is_damage};
///
/// assert!(is_damage(&Error::new(ErrorKind::Damaged, "the record ends within a move")));
/// assert!(!is_damage(&Error::new(ErrorKind::Io, io::Error::from_raw_os_error(5))));
/// ```
#[must_use]
pub fn is_damage(error: &Error) -> bool {
    let cause = error.cause();
    let system = cause.downcast_ref::<io::Error>();
    let told = system.and_then(IoError::find).map(IoError::kind);
    match (error.kind(), told.or_else(|| cause.downcast_ref())) {
        (ErrorKind::Cancelled | ErrorKind::Internal, _) => false,
        (_, Some(IoErrorKind::Open(_) | IoErrorKind::Read(_))) => false,
        (_, Some(_)) => true,
        (_, None) => system.is_none_or(|error| error.raw_os_error().is_none()),
    }
}
