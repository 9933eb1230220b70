//! Databases and archives, put together from entries.
//!
//! A [`Builder`] gives entries numbers and places and writes the files of a database: moves and
//! annotations as they come, names and what is computed from them at the end. [`DatabaseTarget`]
//! puts the files where a database shall be, by the same
//! [swap](crate::assembly::swap) as in the classic family; [`ArchiveTarget`] packs them.
//!
//! ```
//! use tabiya_chessbase::cbh2::{Database, assembly::DatabaseTarget, writer::RecordWriter};
//! use tabiya_formats::{Database as _, pgn::Parser};
//! use tabiya_game::GameTree;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.2cbh");
//! let mut writer = RecordWriter::default();
//! Parser::new("[White \"Tal, Mikhail\"]\n\n1. e4 *").read_game(&mut writer);
//! let mut target = DatabaseTarget::create(&path)?;
//! target.add(&writer.take())?;
//! assert_eq!(target.finish()?, 1);
//!
//! let mut database = Database::open(&path, Default::default())?;
//! let mut game = GameTree::default();
//! database.next_part()?.expect("a game").tell(&mut game)?;
//! assert_eq!(game.tags.white(), Some("Tal, Mikhail"));
//! # Ok(())
//! # }
//! ```

mod builder;
pub mod collation;
pub mod lists;
mod names;
pub mod orders;
mod replace;
mod target;

pub use self::{
    builder::Builder,
    target::{ArchiveTarget, DatabaseTarget},
};
pub(super) use self::{
    replace::replace,
    target::{create_archive, create_database},
};
use super::{
    entities::Entities,
    set::{FileKind, FileSet, Tables},
};
use crate::assembly::AssemblyError;

use std::{io, path::Path};

/// Opens a database that is to be changed: all that is needed is there.
pub(super) fn open(path: &Path) -> io::Result<FileSet> {
    FileSet::open(path).map_err(io::Error::other)
}

/// The tables of a database that is to be changed. What is added to one that is cut off would
/// stand where lost games are looked for, and what nobody knows cannot be kept right.
pub(super) fn tables(files: &FileSet) -> io::Result<Tables<'_>> {
    if let Some(what) = files.warnings().into_iter().next() {
        return Err(AssemblyError::Damaged(what).into());
    }
    let tables = files.tables();
    let bad = || AssemblyError::Damaged("the .2cbh file cannot be read".to_owned());
    let tables = tables.ok_or_else(bad)?;
    if tables
        .entities
        .as_ref()
        .and_then(Entities::layout)
        .is_none()
    {
        let kind = FileKind::Entities;
        let what = format!("the {kind} file has less room for names than any that is known");
        return Err(AssemblyError::Unknown(what).into());
    }
    Ok(tables)
}
