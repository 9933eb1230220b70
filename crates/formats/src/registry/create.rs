//! What writes a format.

use std::path::Path;

use tabiya_game::{Error, ErrorKind};

use super::{
    Dialect, TargetKind, WriteOptions, dialects, listed,
    place::{self, Purpose},
};
use crate::{
    GameWriter,
    target::{Destination, Target},
};

/// A writer of a dialect. Each thread has one of its own.
///
/// # Errors
/// If the dialect can only be read.
pub fn writer(dialect: Dialect, options: &WriteOptions) -> Result<Box<dyn GameWriter>, Error> {
    match &dialect.profile.write {
        Some(creator) => Ok((creator.writer)(options)),
        None => Err(read_only(dialect)),
    }
}

/// What puts together the records that [`writer`]s of a dialect wrote.
///
/// # Errors
/// If the dialect cannot be written, not there, or the system says no.
pub fn target(dialect: Dialect, destination: Destination<'_>) -> Result<Box<dyn Target>, Error> {
    let Some(creator) = &dialect.profile.write else {
        return Err(read_only(dialect));
    };
    let file = destination.place();
    let file = file.map(|(path, purpose)| (place::file(path, dialect, None), purpose));
    let destination = match &file {
        None => Destination::Stdout,
        Some((path, Purpose::New)) => Destination::New(path),
        Some((path, Purpose::Append)) => Destination::Append(path),
    };
    if let Some((path, purpose)) = destination.place() {
        place::check(path, dialect, purpose)?;
    }
    if let TargetKind::Built {
        needs_file,
        appends,
        ..
    } = creator.target
    {
        match destination {
            Destination::Stdout if needs_file => {
                let message = format!("{dialect} is a database: it needs the name of a file");
                return Err(Error::new(ErrorKind::NeedsFile, message));
            }
            Destination::Append(path) if !appends && path.exists() => {
                let message = format!(
                    "nothing can be appended to {dialect}: convert old and new games into a new file"
                );
                return Err(Error::new(ErrorKind::Unsupported, message));
            }
            _ => {}
        }
    }
    Ok(creator.target.create(destination)?)
}

/// As [`target`], for a new database under a password.
///
/// # Errors
/// As [`target`], and if databases of the dialect have no passwords.
pub fn sealed_target(
    dialect: Dialect,
    path: &Path,
    password: &str,
) -> Result<Box<dyn Target>, Error> {
    let path = place::file(path, dialect, None);
    place::check(&path, dialect, Purpose::New)?;
    match dialect.profile.seal {
        Some(seal) => Ok(seal(&path, password)?),
        None => Err(Error::new(
            ErrorKind::Unsupported,
            format!("{dialect} has no passwords: write a .cbz, which has one"),
        )),
    }
}

fn read_only(dialect: Dialect) -> Error {
    let writable = listed(writable());
    let message = format!("{dialect} can be read but not written: expected {writable}");
    Error::new(ErrorKind::Unsupported, message)
}

fn writable() -> impl Iterator<Item = String> {
    let writable = dialects().filter(|dialect| dialect.profile.writes());
    writable.map(|dialect| dialect.to_string())
}
