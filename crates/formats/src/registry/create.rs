//! What writes a format.

use std::{io, path::Path};

use super::{
    Dialect, TargetKind, WriteOptions, dialects, listed,
    place::{self, PlaceError, Purpose},
};
use crate::{
    GameWriter,
    target::{Destination, Target},
};

/// A dialect cannot be written, or not there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CreateError {
    /// It can only be read.
    #[error(
        "{dialect} can be read but not written: expected {}",
        listed(writable())
    )]
    ReadOnly {
        /// What was asked for.
        dialect: String,
    },
    /// It is a database, not a stream of bytes.
    #[error("{dialect} is a database: give it the name of a file, as in -o games.{extension}")]
    NeedsFile {
        /// What was asked for.
        dialect: String,
        /// How its files are called.
        extension: &'static str,
    },
    /// It has no passwords.
    #[error("{dialect} has no passwords: write a .cbz, which has one")]
    NoPassword {
        /// What was asked for.
        dialect: String,
    },
    /// It is written in one go.
    #[error("nothing can be appended to {dialect}: convert old and new games into a new file")]
    CannotAppend {
        /// What was asked for.
        dialect: String,
    },
}

/// A writer of a dialect. Each thread has one of its own.
///
/// # Errors
/// If the dialect can only be read.
pub fn writer(
    dialect: Dialect,
    options: &WriteOptions,
) -> Result<Box<dyn GameWriter>, CreateError> {
    match &dialect.profile.write {
        Some(creator) => Ok((creator.writer)(options)),
        None => Err(read_only(dialect)),
    }
}

/// What puts together the records that [`writer`]s of a dialect wrote.
///
/// # Errors
/// If the dialect cannot be written, not there, or the system says no.
pub fn target(dialect: Dialect, destination: Destination<'_>) -> io::Result<Box<dyn Target>> {
    let Some(creator) = &dialect.profile.write else {
        return Err(io::Error::other(read_only(dialect)));
    };
    if let Some((path, purpose)) = destination.place() {
        place::check(path, dialect, purpose).map_err(refused)?;
    }
    if let TargetKind::Built {
        needs_file,
        appends,
        ..
    } = creator.target
    {
        let name = || dialect.to_string();
        match destination {
            Destination::Stdout if needs_file => {
                let extension = dialect.profile.extensions.first().copied();
                return Err(io::Error::other(CreateError::NeedsFile {
                    dialect: name(),
                    extension: extension.unwrap_or_default(),
                }));
            }
            Destination::Append(path) if !appends && path.exists() => {
                return Err(io::Error::other(CreateError::CannotAppend {
                    dialect: name(),
                }));
            }
            _ => {}
        }
    }
    creator.target.create(destination)
}

/// As [`target`], for a new database under a password.
///
/// # Errors
/// As [`target`], and if databases of the dialect have no passwords.
pub fn sealed_target(dialect: Dialect, path: &Path, password: &str) -> io::Result<Box<dyn Target>> {
    place::check(path, dialect, Purpose::New).map_err(refused)?;
    match dialect.profile.seal {
        Some(seal) => seal(path, password),
        None => Err(io::Error::other(CreateError::NoPassword {
            dialect: dialect.to_string(),
        })),
    }
}

fn refused(error: PlaceError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error)
}

fn read_only(dialect: Dialect) -> CreateError {
    CreateError::ReadOnly {
        dialect: dialect.to_string(),
    }
}

fn writable() -> impl Iterator<Item = String> {
    let writable = dialects().filter(|dialect| dialect.profile.writes());
    writable.map(|dialect| dialect.to_string())
}
