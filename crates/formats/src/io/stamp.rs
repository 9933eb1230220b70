//! Whether a file is still the one that was opened.

use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

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

/// Files as they were when they were looked at, which is before they are opened: if somebody changes them just
/// then, they are read once more than needed.
///
/// ```
/// use tabiya_formats::io::Unchanged;
///
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("games.pgn");
/// std::fs::write(&path, "1. e4 *\n")?;
/// let unchanged = Unchanged::of(&path);
/// assert!(unchanged.holds());
/// std::fs::write(&path, "1. e4 e5 *\n")?;
/// assert!(!unchanged.holds());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unchanged(Vec<(PathBuf, Option<Stamp>)>);

impl Unchanged {
    /// One file as it is now.
    #[must_use]
    pub fn of(path: impl AsRef<Path>) -> Unchanged {
        let mut unchanged = Unchanged::default();
        unchanged.add(path);
        unchanged
    }

    /// Looks at one more file, which need not be there.
    pub fn add(&mut self, path: impl AsRef<Path>) {
        let path = path.as_ref();
        self.0.push((path.to_owned(), Stamp::of(path)));
    }

    /// Files that were looked at elsewhere count, too.
    pub fn append(&mut self, other: Unchanged) {
        self.0.extend(other.0);
    }

    /// Whether nobody has changed one of them since.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.0.iter().all(|(path, stamp)| Stamp::of(path) == *stamp)
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
