//! Changes to databases that are there.
//!
//! A change is made to a copy beside the database, which is then [swapped](super::assembly::swap)
//! in: a kill at any moment leaves the database as it was or as it shall be. What is not changed is
//! copied byte by byte, whether it is understood or not.
//!
//! | change | moves | numbers of games |
//! |---|---|---|
//! | [`append`] | behind the others | stay |
//! | [`replace`] | in the old place if they are not longer, else behind the others; what is not used any more is counted in the header of the file | stay |
//! | [`delete`], [`undelete`] | stay: the game is marked | stay |
//! | [`compact`] | without holes and deleted games | begin anew |
//!
//! Only one may change a database at a time: a second one waits a little, and is refused then.
//!
//! ```
//! use tabiya_chessbase::{assembly::DatabaseTarget, edit, writer::RecordWriter};
//! use tabiya_formats::pgn::Parser;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! let path = folder.path().join("games.cbh");
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
//! assert_eq!(edit::compact(&path)?.entries, 1);
//! # Ok(())
//! # }
//! ```

use std::{fs, io, path::Path};

use super::{
    assembly::{
        AssemblyError, Builder, DatabaseTarget, Written, open,
        swap::{Change, Outdated},
        tables,
    },
    files::{
        FileKind,
        flags_file::Flags,
        header::Entry,
        set::{FileSet, Tables},
    },
    stored,
    writer::StoredEntry,
};

/// Adds entries, as a [`RecordWriter`](super::writer::RecordWriter) made them, behind those of a
/// database.
///
/// # Errors
/// If there is no database, it is full, or the disk is.
pub fn append(path: &Path, entries: &[StoredEntry]) -> io::Result<Written> {
    let mut target = DatabaseTarget::append(path)?;
    target.add(entries)?;
    target.finish()
}

/// Puts an entry in place of another one, which is told by its number from 1.
///
/// # Errors
/// If there is no such entry, the database is full, or the disk is.
pub fn replace(path: &Path, game: u32, entry: &StoredEntry) -> io::Result<Written> {
    let mut entry = entry.clone();
    let change = Change::begin(path)?;
    let files = open(change.path())?;
    let tables = tables(&files)?;
    let old = find(&tables, game)?;
    let mut builder = Builder::open(change.folder(), change.path(), Some(game))?;
    // It is another state of the same game, deleted as it was or not.
    let saved = stored::extended(&tables, game);
    entry.extended.saves = saved.saves.saturating_add(1);
    entry.extended.created = saved.created;
    entry.header = entry.header.deleted(old.is_deleted());
    builder.replace(
        game,
        &entry,
        stored::own_extents(&files, &tables, game, &old),
    )?;
    let written = builder.finish()?;
    // A file that is mapped cannot be replaced everywhere.
    drop(files);
    change.replace(Outdated::Derived)?;
    Ok(written)
}

/// Marks entries to be deleted, which [`compact`] does.
///
/// # Errors
/// If there is no such entry, or the disk is full.
pub fn delete(path: &Path, games: &[u32]) -> io::Result<Written> {
    mark(path, games, true)
}

/// Takes the marks of entries away.
///
/// # Errors
/// If there is no such entry, or the disk is full.
pub fn undelete(path: &Path, games: &[u32]) -> io::Result<Written> {
    mark(path, games, false)
}

fn mark(path: &Path, games: &[u32], deleted: bool) -> io::Result<Written> {
    let change = Change::begin(path)?;
    let files = open(change.path())?;
    let tables = tables(&files)?;
    let contents = files.get(FileKind::Headers).map_or(&[][..], |file| file);
    let mut bytes = contents.to_vec();
    for game in games {
        let record = find(&tables, *game)?.deleted(deleted).to_bytes();
        let place = *game as usize * record.len();
        bytes[place..place + record.len()].copy_from_slice(&record);
    }
    fs::write(change.staged("cbh"), bytes)?;
    let written = Written {
        entries: tables.headers.len(),
        ..Written::default()
    };
    drop(files);
    change.replace(Outdated::Derived)?;
    Ok(written)
}

/// Makes a database smaller: without entries that are marked, names that nobody has, and holes.
/// Numbers of games begin anew.
///
/// # Errors
/// If there is no database, an entry cannot be copied, or the disk is full.
pub fn compact(path: &Path) -> io::Result<Written> {
    let change = Change::begin(path)?;
    let files = open(change.path())?;
    let tables = tables(&files)?;
    let mut builder = Builder::new(change.folder(), change.stem())?;
    builder.take_place_of(tables.headers.header());
    let flags = flags(&files);
    for (id, header) in tables.headers.iter() {
        if header.is_deleted() {
            continue;
        }
        if let Some(kind) = stored::lost(&files, &tables, id, &header) {
            let what = format!("game {id}: what it has in the {kind} file cannot be read");
            return Err(AssemblyError::Damaged(what).into());
        }
        let mut entry = stored::stored(&files, &tables, id, &header);
        entry.mark = flags.as_ref().map_or(entry.mark, |flags| flags.get(id));
        builder.add(&entry)?;
    }
    let outdated = match builder.len() == tables.headers.len() {
        true => Outdated::Derived,
        false => Outdated::Numbers,
    };
    let written = builder.finish()?;
    drop(files);
    change.replace(outdated)?;
    Ok(written)
}

fn find(tables: &Tables<'_>, game: u32) -> io::Result<Entry> {
    let count = tables.headers.len();
    let entry = tables.headers.get(game);
    entry.ok_or_else(|| AssemblyError::NoSuchGame { game, count }.into())
}

/// The marks of games, if there are any.
fn flags(files: &FileSet) -> Option<Flags> {
    Flags::from_bytes(files.get(FileKind::Flags)?).ok()
}
