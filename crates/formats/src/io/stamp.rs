//! Whether a file is still the one that was opened.

use std::{fs, path::Path, time::SystemTime};

/// What is another one when somebody has written to a file, or put another in its place: its length, when
/// it was written and, where the system tells, which file it is.
///
/// ```
/// use tabiya_formats::io::Stamp;
///
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("games.pgn");
/// assert_eq!(Stamp::of(&path), None);
/// std::fs::write(&path, "1. e4 *\n")?;
/// let stamp = Stamp::of(&path);
/// assert_eq!(Stamp::of(&path), stamp);
/// std::fs::write(&path, "1. e4 e5 *\n")?;
/// assert_ne!(Stamp::of(&path), stamp);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stamp {
    length: u64,
    written: Option<SystemTime>,
    file: u64,
}

impl Stamp {
    /// That of a file as it is now; `None` if it is not there.
    pub fn of(path: impl AsRef<Path>) -> Option<Stamp> {
        let there = fs::metadata(path).ok()?;
        Some(Stamp {
            length: there.len(),
            written: there.modified().ok(),
            file: number(&there),
        })
    }
}

/// Times are too coarse for files that are replaced as soon as they have been written.
#[cfg(unix)]
fn number(file: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(file)
}

#[cfg(not(unix))]
fn number(_: &fs::Metadata) -> u64 {
    0
}
