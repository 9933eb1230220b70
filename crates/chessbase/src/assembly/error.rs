//! Why a database cannot be put together.

use std::{io, path::PathBuf};

use crate::files::FileKind;

/// Why a database cannot be written or changed. Errors of the system come as they are.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AssemblyError {
    /// A file is not there, without which nothing can be changed.
    #[error("the {0} file is missing")]
    Missing(FileKind),
    /// Part of the database cannot be read. A change would make it look whole, and the damage would
    /// be forgotten.
    #[error("{0}; convert what can be read into a new database, and change that")]
    Damaged(String),
    /// The database has tables that nobody outside ChessBase knows.
    #[error("{0}; convert it into a new database, and change that")]
    Unknown(String),
    /// A name is longer than its room.
    #[error("a {0} takes more room than the database has for one")]
    LongName(&'static str),
    /// There is no entry of a number.
    #[error("there is no game {game}: the database has {count}")]
    NoSuchGame {
        /// The number.
        game: u32,
        /// How many there are.
        count: u32,
    },
    /// There are as many games and texts as can be numbered.
    #[error("the database is full: it has {0} games and texts")]
    TooManyEntries(u32),
    /// There are as many names of a kind as can be numbered.
    #[error("the database is full: its {file} file has {count} names")]
    TooManyNames {
        /// The file of the names.
        file: FileKind,
        /// How many there are.
        count: u32,
    },
    /// A file would become longer than its offsets can tell.
    #[error("the database is full: its {0} file cannot have more than 4 GiB")]
    TooLarge(FileKind),
    /// Several files cannot be written to a stream.
    #[error("a database of several files needs a name, as in games.cbh")]
    NeedsFile,
    /// A `.cbz` is under a password, and there is none.
    #[error("a .cbz needs a password: give one, or write a .cbv")]
    NeedsPassword,
    /// A file may not be written.
    #[error("{0} is write-protected")]
    Protected(PathBuf),
    /// Somebody else has changed the database.
    #[error("{0} has been changed by another program in the meantime")]
    ChangedMeanwhile(PathBuf),
    /// The name of a database cannot be written down in a list.
    #[error("{0}: a database needs a name that is text, without control characters")]
    BadName(PathBuf),
    /// A list of changes is none.
    #[error(
        "{path} is damaged (line {line}); without it, the database is what the last change left"
    )]
    BadList {
        /// The list.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
}

impl From<AssemblyError> for io::Error {
    fn from(error: AssemblyError) -> io::Error {
        let kind = match error {
            AssemblyError::Missing(_) | AssemblyError::NoSuchGame { .. } => io::ErrorKind::NotFound,
            AssemblyError::TooManyEntries(_)
            | AssemblyError::TooManyNames { .. }
            | AssemblyError::TooLarge(_) => io::ErrorKind::StorageFull,
            AssemblyError::Protected(_) => io::ErrorKind::PermissionDenied,
            AssemblyError::ChangedMeanwhile(_) => io::ErrorKind::ResourceBusy,
            AssemblyError::BadName(_) | AssemblyError::NeedsFile | AssemblyError::NeedsPassword => {
                io::ErrorKind::InvalidInput
            }
            AssemblyError::BadList { .. }
            | AssemblyError::Damaged(_)
            | AssemblyError::Unknown(_)
            | AssemblyError::LongName(_) => io::ErrorKind::InvalidData,
        };
        io::Error::new(kind, error)
    }
}
