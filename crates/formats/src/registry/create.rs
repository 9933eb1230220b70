//! What writes a format.

use std::io;

use super::{Dialect, TargetKind, WriteOptions, dialects, listed};
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

fn read_only(dialect: Dialect) -> CreateError {
    CreateError::ReadOnly {
        dialect: dialect.to_string(),
    }
}

fn writable() -> impl Iterator<Item = String> {
    let writable = dialects().filter(|dialect| dialect.profile.writes());
    writable.map(|dialect| dialect.to_string())
}
