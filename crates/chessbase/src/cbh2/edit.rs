//! Changes to databases that are there.
//!
//! As in the [classic family](crate::edit) a change is made to a copy beside the
//! database, which is then swapped in: a kill at any moment leaves the database as it was or as it
//! shall be. What is not changed is copied as it is, whether it is understood or not, but for what
//! is computed from the rest: the order of names and the lists of their games.
//!
//! | change | moves | numbers of games |
//! |---|---|---|
//! | [`append`] | behind the others | stay |
//! | [`replace`] | in the old place; if there is not room enough, those behind it move up | stay |
//! | [`delete`], [`undelete`] | stay: the game is marked | stay |
//! | [`compact`] | without deleted games and names that nobody has | begin anew |
//!
//! ```
//! use tabiya_chessbase::cbh2::{assembly::DatabaseTarget, edit, writer::RecordWriter};
//! use tabiya_formats::pgn::Parser;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! let path = folder.path().join("games.2cbh");
//! let entry = |text: &str| {
//!     let mut writer = RecordWriter::default();
//!     Parser::new(text).read_game(&mut writer);
//!     writer.take()
//! };
//! let mut target = DatabaseTarget::create(&path)?;
//! target.add(&entry("1. e4 *"))?;
//! target.finish()?;
//!
//! edit::append(&path, &entry("1. d4 *"))?;
//! edit::replace(&path, 1, &entry("1. e4 e5 *")[0])?;
//! edit::delete(&path, &[2])?;
//! assert_eq!(edit::compact(&path)?, 1);
//! # Ok(())
//! # }
//! ```

use std::{fs, io, path::Path};

use super::{
    assembly::{self, Builder, DatabaseTarget, open, tables},
    entry::StoredEntry,
    frame::Frame,
    header::Header,
    set::{FileKind, Tables},
};
use crate::assembly::{
    AssemblyError,
    swap::{Change, Outdated},
};

/// Adds entries, as a [`RecordWriter`](super::writer::RecordWriter) made them, behind those of a
/// database. Returns how many entries it has then.
///
/// # Errors
/// If there is no database, it is full, or the disk is.
pub fn append(path: &Path, entries: &[StoredEntry]) -> io::Result<u32> {
    let mut target = DatabaseTarget::append(path)?;
    target.add(entries)?;
    target.finish()
}

/// Puts an entry in place of another one, which is told by its number from 1.
///
/// # Errors
/// If there is no such entry, or the disk is full.
pub fn replace(path: &Path, game: u32, entry: &StoredEntry) -> io::Result<()> {
    let change = Change::begin(path)?;
    let files = open(change.path())?;
    let tables = tables(&files)?;
    assembly::replace(change.folder(), change.stem(), &files, &tables, game, entry)?;
    // A file that is mapped cannot be replaced everywhere.
    drop(tables);
    drop(files);
    change.replace(Outdated::Derived)
}

/// Marks entries to be deleted, which [`compact`] does.
///
/// # Errors
/// If there is no such entry, or the disk is full.
pub fn delete(path: &Path, games: &[u32]) -> io::Result<()> {
    mark(path, games, true)
}

/// Takes the marks of entries away.
///
/// # Errors
/// If there is no such entry, or the disk is full.
pub fn undelete(path: &Path, games: &[u32]) -> io::Result<()> {
    mark(path, games, false)
}

fn mark(path: &Path, games: &[u32], deleted: bool) -> io::Result<()> {
    let change = Change::begin(path)?;
    let files = open(change.path())?;
    let tables = tables(&files)?;
    let mut bytes = files.get(FileKind::Headers).unwrap_or_default().to_vec();
    for game in games {
        let mut header = find(&tables, *game)?;
        header.set_deleted(deleted);
        let place = *game as usize * header.0.len();
        bytes[place..place + header.0.len()].copy_from_slice(&header.0);
    }
    fs::write(change.staged(FileKind::Headers.extension()), bytes)?;
    drop(tables);
    drop(files);
    change.replace(Outdated::Derived)
}

/// Makes a database smaller: without entries that are marked and names that nobody has. Numbers of
/// games begin anew. Returns how many entries are left.
///
/// # Errors
/// If there is no database, an entry cannot be copied, or the disk is full.
pub fn compact(path: &Path) -> io::Result<u32> {
    let change = Change::begin(path)?;
    let files = open(change.path())?;
    let tables = tables(&files)?;
    let mut builder = Builder::new(change.folder(), change.stem())?;
    for (id, header) in tables.headers.iter() {
        if header.is_deleted() {
            continue;
        }
        if let Some(kind) = lost(&tables, &header) {
            let what = format!("game {id}: what it has in the {kind} file cannot be read");
            return Err(AssemblyError::Damaged(what).into());
        }
        builder.add(&StoredEntry::whole(&tables, &header))?;
    }
    let outdated = match builder.len() == tables.headers.len() {
        true => Outdated::Derived,
        false => Outdated::Numbers,
    };
    let left = builder.finish()?;
    drop(tables);
    drop(files);
    change.replace(outdated)?;
    Ok(left)
}

/// The file in which a record of an entry cannot be found.
fn lost(tables: &Tables<'_>, header: &Header) -> Option<FileKind> {
    let there = |file: Option<&[u8]>, at| file.is_some_and(|file| Frame::at(file, at).is_ok());
    let Some(_) = header.kind() else {
        return Some(FileKind::Headers);
    };
    if !there(tables.moves, header.moves()) {
        return Some(FileKind::Moves);
    }
    let annotations = header.annotations();
    let lost = annotations.is_some_and(|at| !there(tables.annotations, at));
    lost.then_some(FileKind::Annotations)
}

fn find(tables: &Tables<'_>, game: u32) -> io::Result<Header> {
    let count = tables.headers.len();
    let header = tables.headers.get(game);
    header.ok_or_else(|| AssemblyError::NoSuchGame { game, count }.into())
}
