//! What is asked of the registry of formats: all of it is here.

use std::{io, path::Path};

use tabiya_formats::{
    Destination, GameWriter, Target,
    registry::{self, Dialect, Foreign, FormatSpec, Opened, ReadOptions, WriteOptions},
};

use crate::{Error, Result};

/// Opens a file or a folder; `-` is standard input.
pub fn open(path: &Path, given: Option<FormatSpec>, options: &ReadOptions) -> Result<Opened> {
    Ok(registry::open(path, given, options)?)
}

/// A writer of a format. Each thread has one of its own.
pub fn writer(dialect: Dialect, options: &WriteOptions) -> Result<Box<dyn GameWriter>> {
    Ok(registry::writer(dialect, options)?)
}

/// What puts together the records that writers wrote.
pub fn target(dialect: Dialect, destination: Destination<'_>) -> io::Result<Box<dyn Target>> {
    registry::target(dialect, destination)
}

/// The format to write: the one that was named, or what the name of the output says, or PGN.
pub fn to_write(path: Option<&Path>, given: Option<FormatSpec>) -> Result<Dialect> {
    if let Some(spec) = given {
        return Ok(spec.for_writing(path));
    }
    if let Some((path, kind)) = path.and_then(|path| Some((path, Foreign::by_path(path)?))) {
        return Err(Error::CannotWrite {
            name: path.display().to_string(),
            title: kind.title,
        });
    }
    if let Some(dialect) = path.and_then(registry::by_path) {
        return Ok(dialect);
    }
    let pgn: FormatSpec = "pgn".parse()?;
    Ok(pgn.for_writing(path))
}
