//! Databases and archives, put together from entries.
//!
//! A [`RecordWriter`](super::writer::RecordWriter) makes entries that know nothing of each other. A
//! [`Builder`] gives them numbers and places and writes the files of a database; moves and
//! annotations go to the disk at once, names wait in memory until all are known.
//! [`DatabaseTarget`] puts the files where a database shall be, by a [`swap`] that is done as a
//! whole or not at all; [`ArchiveTarget`] packs them.
//!
//! ```
//! use tabiya_chessbase::{Database, assembly::DatabaseTarget, writer::RecordWriter};
//! use tabiya_formats::{Database as _, pgn::Parser};
//! use tabiya_game::GameTree;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.cbh");
//! let mut writer = RecordWriter::default();
//! Parser::new("[White \"Tal, Mikhail\"]\n\n1. e4 *").read_game(&mut writer);
//! let mut target = DatabaseTarget::create(&path)?;
//! target.add(&writer.take())?;
//! assert_eq!(target.finish()?.entries, 1);
//!
//! let mut database = Database::open(&path, Default::default())?;
//! let mut game = GameTree::default();
//! database.next_part()?.expect("a game").tell(&mut game)?;
//! assert_eq!(game.tags.white(), Some("Tal, Mikhail"));
//! # Ok(())
//! # }
//! ```

mod archive;
mod builder;
mod database;
mod error;
mod names;
pub(super) mod staged;
mod store;
pub mod swap;
#[cfg(test)]
mod tests;
mod tournaments;

use std::{fmt, io, path::Path};

use tabiya_game::Losses;

pub use self::{
    archive::ArchiveTarget,
    builder::{Builder, Extents},
    database::DatabaseTarget,
    error::AssemblyError,
};
use super::{
    complete,
    files::{
        FileKind,
        set::{FileSet, Tables},
    },
};
use tabiya_formats::{Destination, Target};

/// What a database has become.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// How many entries it has, those that were there before included.
    pub entries: u32,
    /// What entries lost because of others, unless that was asked for before.
    pub losses: Losses,
    /// What may be a problem.
    pub warnings: Vec<Warning>,
}

impl Written {
    /// The warnings as sentences.
    fn sentences(&self) -> Vec<String> {
        self.warnings.iter().map(Warning::to_string).collect()
    }
}

/// What may be a problem with a database that was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Warning {
    /// A file is so large that programs that count with signed numbers cannot read its end.
    Large {
        /// The file.
        file: FileKind,
        /// Its bytes.
        size: u64,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Warning::Large { file, size } = self;
        let size = *size as f64 / (1_u64 << 30) as f64;
        write!(
            f,
            "the {file} file has {size:.1} GiB: some programs read no more than 2"
        )
    }
}

/// The limits of a database.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Numbers of games have three bytes.
    entries: u32,
    /// Numbers of names have three bytes as well.
    names: u32,
    /// The length of a file of moves or annotations: offsets have four bytes.
    file: u64,
    /// From this length on such a file comes with a warning.
    large: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            entries: (1 << 24) - 1,
            names: 1 << 24,
            file: u32::MAX as u64,
            large: 1 << 31,
        }
    }
}

/// Begins a database, or goes on with one.
pub(super) fn create_database(destination: Destination<'_>) -> io::Result<Box<dyn Target>> {
    Ok(match destination {
        Destination::New(path) => Box::new(DatabaseTarget::create(path)?),
        Destination::Append(path) => Box::new(DatabaseTarget::append(path)?),
        Destination::Stdout => return Err(AssemblyError::NeedsFile.into()),
    })
}

/// Begins an archive, perhaps under a password.
pub(super) fn create_archive(
    destination: Destination<'_>,
    password: Option<&str>,
) -> io::Result<Box<dyn Target>> {
    let (Destination::New(path) | Destination::Append(path)) = destination else {
        return Err(AssemblyError::NeedsFile.into());
    };
    let extension = path.extension().unwrap_or_default();
    match password {
        None if extension.eq_ignore_ascii_case("cbz") => Err(AssemblyError::NeedsPassword.into()),
        password => Ok(Box::new(ArchiveTarget::create(path, password)?)),
    }
}

/// Opens a database that is to be changed: nothing essential may be missing.
pub(super) fn open(path: &Path) -> io::Result<FileSet> {
    let files = FileSet::open(path).map_err(io::Error::other)?;
    let missing = files.missing().next();
    match missing {
        Some(kind) => Err(AssemblyError::Missing(kind).into()),
        None => Ok(files),
    }
}

/// The tables of a database that is to be changed: all can be read, and no file is cut off. What
/// is added to one that is would stand where lost games are looked for.
pub(super) fn tables(files: &FileSet) -> io::Result<Tables<'_>> {
    let tables = files.tables().map_err(io::Error::other)?;
    match complete::warnings(files, &tables).into_iter().next() {
        Some(what) => Err(AssemblyError::Damaged(what).into()),
        None => Ok(tables),
    }
}
