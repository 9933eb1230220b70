//! What can go wrong with a store.

use std::{io, path::Path};

use tabiya_formats::io::IoError;
use tabiya_game::{Error, ErrorKind};

use crate::manifest::NAME;

/// An error about a file of a store.
pub(crate) fn damaged(
    file: &Path,
    what: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> Error {
    Error::new(ErrorKind::Damaged, what).in_file(file.display().to_string())
}

/// The system said no.
pub(crate) fn system(file: &Path, error: impl Into<io::Error>) -> Error {
    let (file, error) = (file.display().to_string(), error.into());
    match IoError::find(&error) {
        // It has a name already.
        Some(_) => Error::new(ErrorKind::Io, error).trying_to("open", file),
        None => Error::new(ErrorKind::Io, error).in_file(file),
    }
}

/// There is something else.
pub(crate) fn no_store(place: &Path) -> Error {
    let words = format!("is no database of tabiya's own, which is a folder with a {NAME}");
    Error::about(ErrorKind::Foreign, place.display().to_string(), words)
}
