//! What writes a format.

use std::io;

use super::{Dialect, Registry, WriteOptions};
use crate::{
    GameWriter,
    target::{Destination, Target},
};

/// A dialect cannot be written, or not there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CreateError {
    /// It can only be read.
    #[error("{dialect} can be read but not written: expected {expected}")]
    ReadOnly {
        /// What was asked for.
        dialect: String,
        /// What can be written.
        expected: String,
    },
    /// It is a database, not a stream of bytes.
    #[error("{dialect} is a database: give it the name of a file, as in -o games.{extension}")]
    NeedsFile {
        /// What was asked for.
        dialect: String,
        /// How its files are called.
        extension: &'static str,
    },
    /// It is written in one go.
    #[error("nothing can be appended to {dialect}: convert old and new games into a new file")]
    CannotAppend {
        /// What was asked for.
        dialect: String,
    },
}

impl Registry {
    /// A writer of a dialect. Each thread has one of its own.
    ///
    /// # Errors
    /// If the dialect can only be read.
    pub fn writer(
        &self,
        dialect: Dialect,
        options: &WriteOptions,
    ) -> Result<Box<dyn GameWriter>, CreateError> {
        match dialect.profile.write() {
            Some(creator) => Ok(creator.writer(options)),
            None => Err(self.read_only(dialect)),
        }
    }

    /// What puts together the records that [`Registry::writer`]s of a dialect wrote.
    ///
    /// # Errors
    /// If the dialect cannot be written, not there, or the system says no.
    pub fn target(
        &self,
        dialect: Dialect,
        destination: Destination<'_>,
        options: &WriteOptions,
    ) -> io::Result<Box<dyn Target>> {
        let Some(creator) = dialect.profile.write() else {
            return Err(io::Error::other(self.read_only(dialect)));
        };
        let name = || dialect.to_string();
        match destination {
            Destination::Stdout if creator.needs_file() => {
                let extension = dialect.profile.extensions().first().copied();
                Err(io::Error::other(CreateError::NeedsFile {
                    dialect: name(),
                    extension: extension.unwrap_or_default(),
                }))
            }
            Destination::Append(path) if !creator.appends() && path.exists() => {
                Err(io::Error::other(CreateError::CannotAppend {
                    dialect: name(),
                }))
            }
            destination => creator.target(destination, options),
        }
    }

    fn read_only(&self, dialect: Dialect) -> CreateError {
        CreateError::ReadOnly {
            dialect: dialect.to_string(),
            expected: self.able(|profile| profile.writes()),
        }
    }
}
