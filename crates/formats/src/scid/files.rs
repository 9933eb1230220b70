//! The three files of a database: what they are called, and how a new state takes the place of an
//! old one.
//!
//! # How a database is changed
//!
//! *Adding, replacing, deleting.* New records are put behind the old ones in the game file, where
//! no index points yet. Then the name file is replaced by one that has all old names under their
//! old numbers, and the new ones. The index is replaced last. Whenever the process ends, the index
//! that is there fits the other files.
//!
//! *Making all anew.* The files are written beside the old ones, with [`PENDING`] behind their
//! names, the index last. From the moment on when that one is there, the new state counts: who
//! opens the database reads the new files where they are; who changes it next first gives them
//! their names. Before that moment nothing has happened to the old files.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use tabiya_game::{Error, ErrorKind};

use super::Version;
use crate::io::Unchanged;

/// Stands behind the names of files that wait to take the place of others.
pub(super) const PENDING: &str = ".tabiya-new";

/// The names of the files of a database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Files {
    pub index: PathBuf,
    pub names: PathBuf,
    pub games: PathBuf,
}

/// Which files have to be read, and whether they still are what they were. The game file does not
/// matter: it only grows, or is replaced together with the others.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct State {
    pub files: Files,
    /// Index and names, and those that wait for their place.
    pub unchanged: Unchanged,
}

/// The path without the extension of any of the files, the version that it says, and whether it
/// is in capital letters.
pub(super) fn split(path: &Path) -> Option<(PathBuf, Version, bool)> {
    let extension = path.extension()?.to_str()?;
    let capital = extension.starts_with('S');
    let version = match extension.to_ascii_lowercase().as_str() {
        "si3" | "sn3" | "sg3" => Version::Si3,
        "si4" | "sn4" | "sg4" => Version::Si4,
        "si5" | "sn5" | "sg5" => Version::Si5,
        _ => return None,
    };
    Some((path.with_extension(""), version, capital))
}

impl Files {
    /// The names of a new database. A path that is not called like one of its files gets the
    /// extensions behind it.
    pub(super) fn named(version: Version, path: &Path) -> Files {
        match split(path) {
            Some((stem, found, capital)) if found == version => {
                Files::of_stem(&stem, version, capital)
            }
            _ => Files::of_stem(path, version, false),
        }
    }

    fn of_stem(stem: &Path, version: Version, capital: bool) -> Files {
        let digit = version.digit();
        let file = |letter| {
            let extension = format!(".s{letter}{digit}");
            match capital {
                true => with_suffix(stem, &extension.to_ascii_uppercase()),
                false => with_suffix(stem, &extension),
            }
        };
        Files {
            index: file('i'),
            names: file('n'),
            games: file('g'),
        }
    }

    /// The files of a database of which one is known. Names are found in any case.
    ///
    /// # Errors
    /// If the path is none of the three files, or one of them is not there.
    pub(super) fn find(path: &Path) -> io::Result<(Version, Files)> {
        let Some((stem, version, capital)) = split(path) else {
            let file = path.display().to_string();
            let words =
                "is not called .si4 or .si5, and the files that belong to it cannot be found";
            return Err(Error::about(ErrorKind::Foreign, file, words).into());
        };
        let wanted = Files::of_stem(&stem, version, capital);
        let files = Files {
            index: existing(&wanted.index)?,
            names: existing(&wanted.names)?,
            games: existing(&wanted.games)?,
        };
        Ok((version, files))
    }

    /// The three, in the order in which they are replaced.
    fn in_order(&self) -> [&PathBuf; 3] {
        [&self.games, &self.names, &self.index]
    }

    /// How many bytes they have together.
    pub(super) fn bytes(&self) -> u64 {
        let files = self.in_order().into_iter();
        files
            .map(|path| fs::metadata(path).map_or(0, |file| file.len()))
            .sum()
    }

    /// Under which names the new state is written.
    pub(super) fn pending(&self) -> Files {
        Files {
            index: with_suffix(&self.index, PENDING),
            names: with_suffix(&self.names, PENDING),
            games: with_suffix(&self.games, PENDING),
        }
    }

    /// The files as they have to be read: those that only wait for their names count.
    pub(super) fn current(&self) -> Files {
        let pending = self.pending();
        if !pending.index.exists() {
            return self.clone();
        }
        let newer = |new: PathBuf, old: &PathBuf| match new.exists() {
            true => new,
            false => old.clone(),
        };
        Files {
            index: pending.index,
            names: newer(pending.names, &self.names),
            games: newer(pending.games, &self.games),
        }
    }

    /// The files as they have to be read now.
    pub(super) fn state(&self) -> State {
        let files = self.current();
        let pending = self.pending();
        let mut unchanged = Unchanged::default();
        for path in [&self.index, &self.names, &pending.index, &pending.names] {
            unchanged.add(path);
        }
        State { files, unchanged }
    }

    /// All files as they are now, whoever reads them. Of one that has all that the index points to, the game
    /// file says nothing more when it grows, but of one that was cut off it does.
    pub(super) fn unchanged(&self) -> Unchanged {
        let mut unchanged = self.state().unchanged;
        unchanged.add(&self.games);
        unchanged.add(self.pending().games);
        unchanged
    }

    /// Gives waiting files their names, if the new state is complete; else removes what is left
    /// of it.
    pub(super) fn settle(&self) -> io::Result<()> {
        let pending = self.pending();
        let complete = pending.index.exists();
        for (new, old) in pending.in_order().into_iter().zip(self.in_order()) {
            match new.exists() {
                true if complete => fs::rename(new, old)?,
                true => fs::remove_file(new)?,
                false => {}
            }
        }
        Ok(())
    }

    /// The folder they are in.
    pub(super) fn folder(&self) -> &Path {
        folder_of(&self.index)
    }

    /// Renaming would not ask whether a file may be written.
    pub(super) fn check_writable(&self) -> io::Result<()> {
        let is_protected = |path: &&PathBuf| {
            let there = fs::metadata(path);
            there.is_ok_and(|there| there.permissions().readonly())
        };
        match self.in_order().into_iter().find(is_protected) {
            Some(path) => {
                let message = format!("{} is write-protected", path.display());
                Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
            }
            None => Ok(()),
        }
    }

    /// Whether there is a database already, or part of one.
    pub(super) fn is_there(&self) -> bool {
        let pending = self.pending();
        self.index.exists() || pending.index.exists()
    }
}

pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The folder that a file is in, in words that the system understands.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The file of a name, whatever the case of its letters.
fn existing(wanted: &Path) -> io::Result<PathBuf> {
    if wanted.exists() || with_suffix(wanted, PENDING).exists() {
        return Ok(wanted.to_path_buf());
    }
    let missing = || {
        let name = wanted.display();
        let message = format!("{name} is missing: a Scid database is three files, si, sn and sg");
        io::Error::new(io::ErrorKind::NotFound, message)
    };
    let name = wanted.file_name().ok_or_else(missing)?;
    let mut found: Vec<PathBuf> = fs::read_dir(folder_of(wanted))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.file_name()
                .is_some_and(|found| found.eq_ignore_ascii_case(name))
        })
        .collect();
    // Of several the choice is at least the same every time.
    found.sort();
    found.into_iter().next().ok_or_else(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) {
        fs::write(path, text).unwrap();
    }

    #[test]
    fn companions_are_found_in_any_case_and_missing_ones_named() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["Games.SI4", "games.sn4"] {
            write(&at(name), "");
        }
        let error = Files::find(&at("Games.SI4")).unwrap_err();
        assert!(
            error.to_string().contains("Games.SG4 is missing"),
            "{error}"
        );
        write(&at("GAMES.sg4"), "");
        let (version, files) = Files::find(&at("Games.SI4")).unwrap();
        assert_eq!((version, files.games), (Version::Si4, at("GAMES.sg4")));
        assert!(Files::find(&at("games.pgn")).is_err());
    }

    #[test]
    fn a_complete_new_state_counts_and_half_of_one_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::named(Version::Si5, &folder.path().join("a.si5"));
        let pending = files.pending();
        for path in files.in_order() {
            write(path, "old");
        }
        write(&pending.games, "new");
        write(&pending.names, "new");
        assert_eq!(files.current(), files);
        files.settle().unwrap();
        assert_eq!(fs::read(&files.games).unwrap(), b"old");
        assert!(!pending.games.exists());
        // The game file has its name already, the others wait.
        write(&files.games, "new");
        write(&pending.names, "new");
        write(&pending.index, "new");
        let current = files.current();
        assert_eq!(
            (&current.games, &current.names),
            (&files.games, &pending.names)
        );
        files.settle().unwrap();
        for (path, waiting) in files.in_order().into_iter().zip(pending.in_order()) {
            assert_eq!(fs::read(path).unwrap(), b"new");
            assert!(!waiting.exists());
        }
    }
}
