//! Databases that are read together.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use tabiya_formats::registry::place::identity;

use crate::{Error, ErrorKind, Result, registry};

/// Refuses a database that is there twice, be it under another name or as another of its files: its
/// games would count twice, and each be a copy of itself.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.pgn");
/// # std::fs::write(&path, "1. e4 e5 *\n")?;
/// let same = folder.path().join(".").join("games.pgn");
/// assert!(tabiya::check_different([&path]).is_ok());
/// assert!(tabiya::check_different([&path, &same]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If two of the paths lead to one database.
pub fn check_different<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<()> {
    let mut seen: HashMap<PathBuf, P> = HashMap::new();
    for path in paths {
        let Some(identity) = identity(registry(), path.as_ref()) else {
            continue;
        };
        if let Some(earlier) = seen.get(&identity) {
            let name = path.as_ref().display().to_string();
            let words = format!("is {} once more", earlier.as_ref().display());
            return Err(Error::about(ErrorKind::WrongPlace, name, words));
        }
        seen.insert(identity, path);
    }
    Ok(())
}
