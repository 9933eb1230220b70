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

use std::{collections::HashMap, fs, io, path::Path};

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
    let entities = tables.entities.as_ref();
    let mut builder = Builder::like(change.folder(), change.stem(), entities)?;
    let mut shared = Shared::of(&tables);
    for (id, header) in tables.headers.iter() {
        if header.is_deleted() {
            continue;
        }
        if let Some(what) = harm(&tables, &header) {
            return Err(AssemblyError::Damaged(format!("game {id}: {what}")).into());
        }
        let known = shared.copied(&header);
        let places = builder.add_sharing(&StoredEntry::whole(&tables, &header), known)?;
        shared.keep(&header, places);
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

/// Records that several entries have: they are copied once, or a small database could become a huge
/// one. By their places in each file, with those of their copies.
struct Shared([HashMap<i64, Option<i64>>; 2]);

impl Shared {
    fn of(tables: &Tables<'_>) -> Shared {
        let places = [|it: &Header| Some(it.moves()), Header::annotations];
        Shared(places.map(|place: fn(&Header) -> Option<i64>| {
            let headers = tables.headers.iter();
            let mut all: Vec<i64> = headers.filter_map(|(_, it)| place(&it)).collect();
            all.sort_unstable();
            let twice = all.windows(2).filter(|pair| pair[0] == pair[1]);
            twice.map(|pair| (pair[0], None)).collect()
        }))
    }

    /// Where the records of an entry have been copied to, if they have.
    fn copied(&self, header: &Header) -> [Option<i64>; 2] {
        let copy = |file: usize, at| self.0[file].get(&at).copied().flatten();
        let annotations = header.annotations().and_then(|at| copy(1, at));
        [copy(0, header.moves()), annotations]
    }

    fn keep(&mut self, header: &Header, copies: [i64; 2]) {
        let places = [Some(header.moves()), header.annotations()];
        for ((file, place), copy) in self.0.iter_mut().zip(places).zip(copies) {
            if let Some(kept) = place.and_then(|place| file.get_mut(&place)) {
                *kept = Some(copy);
            }
        }
    }
}

/// Why an entry cannot be copied. What is damaged would look sound with a new checksum.
fn harm(tables: &Tables<'_>, header: &Header) -> Option<String> {
    let Some(_) = header.kind() else {
        return Some(format!("its {} is of an unknown kind", FileKind::Headers));
    };
    let places = [
        (FileKind::Moves, tables.moves, Some(header.moves())),
        (
            FileKind::Annotations,
            tables.annotations,
            header.annotations(),
        ),
    ];
    places.into_iter().find_map(|(kind, file, at)| {
        let frame = file.and_then(|file| Frame::at(file, at?).ok());
        match frame {
            _ if at.is_none() => None,
            None => Some(format!("what it has in the {kind} file cannot be read")),
            Some(frame) if frame.is_sound() => None,
            Some(_) => Some(format!(
                "the checksum of what it has in the {kind} file is wrong"
            )),
        }
    })
}

fn find(tables: &Tables<'_>, game: u32) -> io::Result<Header> {
    let count = tables.headers.len();
    let header = tables.headers.get(game);
    header.ok_or_else(|| AssemblyError::NoSuchGame { game, count }.into())
}
