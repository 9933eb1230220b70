//! What can go wrong with a store.

use std::{io, path::Path};

use tabiya_game::{Error, ErrorKind};

/// An error about a file of a store.
pub(crate) fn damaged(
    file: &Path,
    what: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> Error {
    Error::new(ErrorKind::Damaged, what).in_file(file.display().to_string())
}

/// The system said no.
pub(crate) fn system(file: &Path, error: impl Into<io::Error>) -> Error {
    Error::new(ErrorKind::Io, error.into()).in_file(file.display().to_string())
}
