//! Changing a database where it is.

use std::path::{Path, PathBuf};

use tabiya_game::{Error, ErrorKind, GameTree, Losses, names_file};

use super::{Editing, FormatProfile, FormatSpec, Registry, WriteOptions};
use crate::io::lock;

/// Whether a game is marked as deleted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deletion {
    /// It is, and goes when the database is compacted.
    Deleted,
    /// It is not.
    Kept,
}

/// What became of a database that was compacted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compacted {
    /// How many games are left, other entries included.
    pub games: u64,
    /// How many deleted games are gone.
    pub deleted: u64,
    /// By how many bytes its files became shorter.
    pub bytes: u64,
}

/// Changes a database where it is. Each change is made wholly or not at all: whenever the process
/// ends, the database is whole.
///
/// Games are told by their numbers, as [`Entries`](crate::Entries) counts them.
///
/// ```
/// use tabiya_formats::registry::{Editor, Deletion, Registry};
/// # use tabiya_formats::{Destination, convert_part};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.si4");
/// # let pgn = folder.path().join("games.pgn");
/// # std::fs::write(&pgn, "1. e4 *\n\n1. d4 *\n")?;
/// # let registry = Registry::of(tabiya_formats::FORMATS);
/// # let profile = registry.by_path(&path).unwrap();
/// # let mut target = registry.target(profile, Destination::New(&path), &Default::default())?;
/// # let mut source = registry.open(&pgn, None, &Default::default())?.database;
/// # let part = source.next_part()?.unwrap();
/// # let writer = registry.writer(profile, &Default::default())?;
/// # let games = convert_part(&*part, &Default::default(), &Default::default(), writer)?;
/// # target.add(&games.records, 0..2)?;
/// # target.finish()?;
///
/// let registry = Registry::of(tabiya_formats::FORMATS);
/// let editor = Editor::open(&registry, &path, None)?;
/// editor.set_deletion(&[2], Deletion::Deleted)?;
/// assert_eq!(editor.compact()?.games, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Editor {
    path: PathBuf,
    profile: FormatProfile,
    editing: &'static dyn Editing,
}

impl Editor {
    /// Finds out what a file is. A format that is given is believed.
    ///
    /// # Errors
    /// If it is not there, or of no format that can be changed.
    pub fn open(
        registry: &Registry,
        path: &Path,
        given: Option<FormatSpec>,
    ) -> Result<Editor, Error> {
        let profile = registry.profile(path, given)?;
        match profile.profile.edit() {
            Some(editing) => Ok(Editor {
                path: path.to_owned(),
                profile,
                editing,
            }),
            None => {
                let message = format!(
                    "is {profile}, which tabiya cannot change where it is: convert it first, into {}",
                    registry.able(|profile| profile.edits())
                );
                let name = path.display().to_string();
                Err(Error::about(ErrorKind::Unsupported, name, message))
            }
        }
    }

    /// What it is.
    #[must_use]
    pub fn profile(&self) -> FormatProfile {
        self.profile
    }

    /// Marks games as deleted, or takes the marks away.
    ///
    /// # Errors
    /// If there is no such game, or the files cannot be written.
    pub fn set_deletion(&self, games: &[u64], deletion: Deletion) -> Result<(), Error> {
        let marked = self.editing.set_deletion(&self.path, games, deletion);
        marked.map_err(|error| self.failed(error))
    }

    /// Puts a game in place of another, and tells what its format cannot hold. An entry that is deleted
    /// stays so, and no other is: the mark of a deleted game is left out.
    ///
    /// # Errors
    /// If there is no such game, the format cannot take the new one at all, or the files cannot
    /// be written.
    pub fn replace(&self, number: u64, game: &GameTree) -> Result<Losses, Error> {
        let Some(creator) = self.profile.write() else {
            let message = format!("{} cannot be written", self.profile);
            return Err(self.failed(Error::new(ErrorKind::Unsupported, message)));
        };
        let mut writer = creator.writer(&WriteOptions::default());
        game.tell(&mut *writer);
        let is_refused = writer.is_empty();
        let record = writer.take();
        let mut losses = writer.take_losses();
        if is_refused {
            let first = losses.iter().next();
            let why = first.map_or_else(String::new, |(_, _, loss)| format!(": {}", loss.what));
            let message = format!("{} cannot hold the game{why}", self.profile);
            return Err(self.failed(Error::new(ErrorKind::CannotHold, message)));
        }
        let replaced = self.editing.replace(&self.path, number, &record);
        losses.append(replaced.map_err(|error| self.failed(error))?);
        Ok(losses)
    }

    /// Makes the database anew without deleted games, unused names and holes. Numbers of games
    /// begin anew.
    ///
    /// # Errors
    /// If a game cannot be copied, or the files cannot be written.
    pub fn compact(&self) -> Result<Compacted, Error> {
        let compacted = self.editing.compact(&self.path);
        compacted.map_err(|error| self.failed(error))
    }

    fn failed(&self, error: impl Into<Error>) -> Error {
        let (error, name) = (error.into(), lock::name(&self.path));
        match names_file(&error.to_string(), &name) {
            // Who cannot have the lock is told of which file.
            true => error.trying_to("change", name),
            false => error.in_file(name),
        }
    }
}
