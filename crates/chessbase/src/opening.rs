//! How databases of both families are opened, and why they cannot be.

use std::io;

use encoding_rs::Encoding;
use tabiya_formats::registry;
use tabiya_game::{Error, ErrorKind};

use crate::{
    archive::{ArchiveError, ArchiveErrorKind},
    files::{FileError, set::SetError},
};

/// How a database is read.
#[derive(Clone, Copy, Default, Debug)]
pub struct ReadOptions {
    /// The code page of names and texts; without it, the one that fits best.
    pub encoding: Option<&'static Encoding>,
    /// Games and texts that are marked as deleted are wanted too.
    pub deleted: bool,
    /// Of an archive that is damaged or cut off, what can be unpacked is wanted.
    pub salvage: bool,
}

/// Why a database cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatabaseError {
    /// Its files are not there.
    #[error(transparent)]
    Files(#[from] SetError),
    /// Its headers cannot be read.
    #[error(transparent)]
    Headers(#[from] FileError),
    /// The headers of the newer family cannot be read.
    #[error(".2cbh, byte 10: not the header of such a file: expected records of 192 bytes")]
    NewHeaders,
    /// The file of headers of the newer family, which has so many bytes, is too short for one.
    #[error(
        ".2cbh, byte {0}: not the header of such a file of ChessBase: it ends within the header"
    )]
    NewHeadersCutOff(usize),
    /// A change of it was interrupted, and cannot be completed.
    #[error("an interrupted change cannot be completed: {0}")]
    Interrupted(io::Error),
    /// The archive that it is in cannot be unpacked.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
}

/// A number that has no room in the file is that of no game.
pub(crate) fn number(game: u64) -> u32 {
    u32::try_from(game).unwrap_or(u32::MAX)
}

pub(crate) fn read_options(options: &registry::ReadOptions) -> ReadOptions {
    ReadOptions {
        encoding: options.encoding,
        deleted: options.deleted,
        salvage: options.salvage,
    }
}

pub(crate) fn source_error(error: DatabaseError) -> Error {
    let kind = match &error {
        DatabaseError::Archive(error) => match error.kind() {
            ArchiveErrorKind::NeedsPassword => ErrorKind::NeedsPassword,
            ArchiveErrorKind::Read(_) | ArchiveErrorKind::Write(_) => ErrorKind::Io,
            _ => ErrorKind::Damaged,
        },
        DatabaseError::Headers(_)
        | DatabaseError::NewHeaders
        | DatabaseError::NewHeadersCutOff(_) => ErrorKind::Damaged,
        DatabaseError::Files(SetError::NotInFamily(_) | SetError::NotInNewFamily(_)) => {
            ErrorKind::Foreign
        }
        DatabaseError::Files(_) | DatabaseError::Interrupted(_) => ErrorKind::Io,
    };
    Error::new(kind, error)
}
