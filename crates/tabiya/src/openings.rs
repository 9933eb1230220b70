//! Names of openings, from the table that tabiya has or from others.
//!
//! ```
//! use tabiya::openings::{Classifier, Openings};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.pgn");
//! # std::fs::write(&path, "1. c4 e6 2. d4 d5 *\n")?;
//! let mut classifier = Classifier::new(Openings::eco());
//! tabiya::open(&path)?.get(1)?.tell(&mut classifier);
//! let (opening, ply) = classifier.found().unwrap();
//! assert_eq!((opening.eco.as_str(), ply), ("D30", 4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::{fs, path::Path};

pub use tabiya_search::openings::{Classifier, Opening, Openings, TableError};

use crate::{Error, ErrorKind, Result};

/// Reads a table of openings, or all tables (`.tsv`) of a folder in the order of their names:
/// lines with tabs, of code, name and moves, as Lichess publishes them.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("mine.tsv");
/// std::fs::write(&path, "eco\tname\tpgn\nC20\tOpen Game\t1. e4 e5\n")?;
/// assert_eq!(tabiya::openings::read(&path)?.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If it cannot be read, or a line is wrong.
pub fn read(path: impl AsRef<Path>) -> Result<Openings> {
    let path = path.as_ref();
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        let entries = fs::read_dir(path).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
        let entries = entries.map_err(|error| unread(error, path))?;
        files = entries.into_iter().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|name| name == "tsv"));
        files.sort();
    }
    let mut all = Openings::default();
    for file in &files {
        let text = fs::read_to_string(file).map_err(|error| unread(error, file))?;
        let table: Openings = text.parse().map_err(|error: TableError| {
            let words = format!("{} is no table of openings: {error}", file.display());
            Error::new(ErrorKind::Damaged, words)
        })?;
        all.extend(table);
    }
    match all.is_empty() {
        true => {
            let words = format!("{} names no openings", path.display());
            Err(Error::new(ErrorKind::Damaged, words))
        }
        false => Ok(all),
    }
}

fn unread(error: std::io::Error, path: &Path) -> Error {
    Error::from(error).trying_to("read", path.display().to_string())
}
