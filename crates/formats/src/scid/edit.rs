//! Changing a database that is there.

use std::{io, path::Path};

use super::{
    builder::Builder,
    database::{Base, Ends},
    files::Files,
    index::fields::flags,
    names::{KIND_NAMES, KIND_OF},
    pending::{NewGames, Pending},
};
use crate::{io::Lock, registry::Compacted};

/// Changes games of a database. Nothing changes before [`Editor::commit`], and then all does:
/// whenever the process ends, the database is whole, in its old state or in the new one.
///
/// Games that are replaced stay in the game file as garbage until [`compact`]. Games are numbered
/// from 1, and keep their numbers.
///
/// ```
/// use tabiya_formats::{pgn::Parser, scid::{Builder, Editor, Scid, Version, Writer, compact}};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.si4");
/// let mut writer = Writer::new(Version::Si4);
/// let mut record = |pgn| {
///     Parser::new(pgn).read_game(&mut writer);
///     writer.take()
/// };
/// let mut builder = Builder::create(Version::Si4, &path)?;
/// builder.add(&record("1. e4 *"))?;
/// builder.add(&record("1. d4 *"))?;
/// builder.finish()?;
///
/// let mut editor = Editor::open(&path)?;
/// editor.replace(1, &record("1. e4 e5 2. Nf3 *"))?;
/// editor.delete(2)?;
/// editor.append(&record("1. c4 *"))?;
/// editor.commit()?;
/// assert_eq!(Scid::open(&path, Default::default())?.games(), 3);
///
/// compact(&path)?;
/// let scid = Scid::open(&path, Default::default())?;
/// assert_eq!((scid.games(), scid.entry(1).unwrap().plies), (2, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Editor {
    builder: Builder,
}

fn no_such_game(number: u64) -> io::Error {
    let message = format!("there is no game {number}");
    io::Error::new(io::ErrorKind::NotFound, message)
}

impl Editor {
    /// Opens a database by the path of any of its files. Who reads it is not hindered.
    ///
    /// # Errors
    /// If it cannot be read, is of version 3, or is being changed by somebody else: only one may
    /// be at work.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Editor> {
        let (_, files) = Files::find(path.as_ref())?;
        let builder = Builder::open(files)?;
        Ok(Editor { builder })
    }

    /// Adds games as a [`Writer`](super::Writer) of the same version wrote them.
    ///
    /// # Errors
    /// If there is no room, or they were written for another version.
    pub fn append(&mut self, games: &NewGames) -> io::Result<()> {
        self.builder.add(games)
    }

    /// Puts a game in place of another.
    ///
    /// # Errors
    /// If there is no such game, no room, or it is not one game of the same version.
    pub fn replace(&mut self, number: u64, game: &NewGames) -> io::Result<()> {
        let index = number.wrapping_sub(1);
        let mut games = game.get(self.builder.version(), 0..game.len())?;
        match (games.next(), games.next()) {
            (
                Some(Pending::Game {
                    mut entry,
                    names,
                    record,
                }),
                None,
            ) => {
                // It is another state of the same game, which may be deleted. Whether the new one came
                // from a game that is says nothing of this one.
                let there = self.builder.change(index, |old| {
                    entry.flags &= !flags::DELETED;
                    entry.flags |= old.flags & flags::DELETED;
                });
                there.ok_or_else(|| no_such_game(number))?;
                self.builder.replace_game(index, entry, names, record)
            }
            _ => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "not one game, as a writer of this format writes it",
            )),
        }
    }

    /// Marks a game as deleted.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn delete(&mut self, number: u64) -> io::Result<()> {
        self.set_deleted(number, true)
    }

    /// Takes back that a game is deleted.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn undelete(&mut self, number: u64) -> io::Result<()> {
        self.set_deleted(number, false)
    }

    fn set_deleted(&mut self, number: u64, deleted: bool) -> io::Result<()> {
        let changed = self
            .builder
            .change(number.wrapping_sub(1), |entry| match deleted {
                true => entry.flags |= flags::DELETED,
                false => entry.flags &= !flags::DELETED,
            });
        changed.ok_or_else(|| no_such_game(number))
    }

    /// Makes all changes.
    ///
    /// # Errors
    /// If that fails; then nothing has changed.
    pub fn commit(self) -> io::Result<()> {
        self.builder.finish()
    }
}

/// Makes a database anew without deleted games, unused names and garbage. The order of games and
/// all that is known of them stays.
///
/// # Errors
/// If a game cannot be copied, files cannot be written, or somebody else is changing them; then
/// nothing has changed.
pub fn compact(path: impl AsRef<Path>) -> io::Result<Compacted> {
    let (_, files) = Files::find(path.as_ref())?;
    let lock = Lock::of(&files.index)?;
    files.settle()?;
    let (version, files) = Files::find(&files.index)?;
    let base = Base::open(version, &files, Ends::Whole).map_err(io::Error::other)?;
    let before = files.bytes();
    let mut builder = Builder::renew(base.version.written(), files.clone(), lock)?;
    builder.set_information(&base.info);
    let mut compacted = Compacted::default();
    for number in 0..base.count {
        let Some(entry) = base.entry(number) else {
            continue;
        };
        if entry.has(flags::DELETED) {
            compacted.deleted += 1;
            continue;
        }
        let damaged = |what: String| {
            let message = format!("game {}: {what}", number + 1);
            io::Error::new(io::ErrorKind::InvalidData, message)
        };
        let record = base.game_record(&entry);
        let record = record.map_err(|kind| damaged(kind.to_string()))?;
        let mut names: [&[u8]; 5] = [b""; 5];
        for (place, name) in names.iter_mut().enumerate() {
            let (kind, id) = (KIND_OF[place], entry.names[place]);
            let found = base.names.get(kind, id);
            *name =
                found.ok_or_else(|| damaged(format!("there is no {} {id}", KIND_NAMES[kind])))?;
        }
        builder.add_game(entry, names, record)?;
        compacted.games += 1;
    }
    drop(base);
    builder.finish()?;
    compacted.bytes = before.saturating_sub(files.bytes());
    Ok(compacted)
}
