//! What a profile of a format can do.

use std::{
    fmt,
    io::{self, Read},
    path::Path,
};

use tabiya_game::{Error, Losses};

use super::{
    Candidate, Certainty, Compacted, Deletion, Holds, LocalFile, OptionInfo, PASSWORD, ReadOptions,
    WriteOptions,
};
use crate::{
    Database, GameWriter, Records,
    dump::Dump,
    io::Contents,
    stream::StreamCodec,
    target::{Destination, Target},
};

/// A profile of a format: what it holds, and how it is read, written and changed.
///
/// Only [`Profile::title`] has to be said. What a profile can do is a trait of its own each, and
/// nothing can be done that is not given here.
///
/// ```
/// use std::io;
/// use tabiya_formats::{Destination, GameWriter, Sequence, Target, pgn, registry::*};
///
/// struct Marked;
///
/// impl Profile for Marked {
///     fn title(&self) -> &'static str {
///         "PGN behind a mark"
///     }
///
///     fn extensions(&self) -> &'static [&'static str] {
///         &["marked"]
///     }
///
///     fn write(&self) -> Option<&dyn Creator> {
///         Some(self)
///     }
/// }
///
/// impl Creator for Marked {
///     fn writer(&self, _: &WriteOptions) -> Box<dyn GameWriter> {
///         Box::new(pgn::Writer::default())
///     }
///
///     fn target(&self, to: Destination<'_>, _: &WriteOptions) -> io::Result<Box<dyn Target>> {
///         Sequence::create(to, pgn::RECORDS, b"mark")
///     }
/// }
///
/// static FORMAT: FormatInfo = FormatInfo {
///     name: "marked",
///     title: "games that are marked",
///     profiles: &[&Marked],
/// };
///
/// let mut registry = Registry::new();
/// registry.register(&FORMAT);
/// assert!(registry.by_path("games.marked").unwrap().profile.writes());
/// ```
pub trait Profile: Sync {
    /// Its name, as it stands behind the colon; empty if the format has no other.
    fn name(&self) -> &'static str {
        ""
    }

    /// What is different.
    fn title(&self) -> &'static str;

    /// The extensions of its files, without the dot and in lower case, the usual one first.
    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    /// The extensions of other files of the same database that stand beside it.
    fn companions(&self) -> &'static [&'static str] {
        &[]
    }

    /// The extensions of files that go or are replaced when a database is written, besides its own.
    fn replaces(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether a change of a database was interrupted, and its files wait to be put in their places.
    fn is_interrupted(&self, _path: &Path) -> bool {
        false
    }

    /// Whether a database is several files of one name, with these extensions.
    fn several_files(&self) -> bool {
        false
    }

    /// Whether a database is a folder in which nothing else is kept.
    fn owns_folder(&self) -> bool {
        false
    }

    /// What it can hold.
    fn holds(&self) -> Holds {
        Holds::MOVES
    }

    /// What cannot be exceeded.
    fn limits(&self) -> &'static str {
        "none"
    }

    /// What nobody expects it to hold, in words; empty for most. That is not lost: whoever asks for
    /// the format does not ask for it.
    fn leaves_out(&self) -> &'static str {
        ""
    }

    /// What can be set for it besides what all formats have.
    fn options(&self) -> &'static [OptionInfo] {
        &[]
    }

    /// Whether what is known of a file looks like it.
    fn recognise(&self, _candidate: &Candidate<'_>) -> Certainty {
        Certainty::No
    }

    /// How it is read, if it can be.
    fn read(&self) -> Option<Opener<'_>> {
        None
    }

    /// How it is written, if it can be.
    fn write(&self) -> Option<&dyn Creator> {
        None
    }

    /// How its databases are changed where they are, if they can be.
    fn edit(&self) -> Option<&dyn Editing> {
        None
    }

    /// What explains the bytes of its games, if somebody knows them.
    fn dump(&self) -> Option<&dyn Explainer> {
        None
    }

    /// Its games as bare bytes, without tags.
    fn stream(&self) -> Option<&dyn StreamCodec> {
        None
    }
}

impl dyn Profile + '_ {
    /// Whether it can be read.
    #[must_use]
    pub fn reads(&self) -> bool {
        self.read().is_some()
    }

    /// Whether it can be written.
    #[must_use]
    pub fn writes(&self) -> bool {
        self.write().is_some()
    }

    /// Whether its databases can be put under a password.
    #[must_use]
    pub fn seals(&self) -> bool {
        self.writes() && self.options().contains(&PASSWORD)
    }

    /// Whether its databases can be changed where they are.
    #[must_use]
    pub fn edits(&self) -> bool {
        self.edit().is_some()
    }

    /// Whether its databases are packed files that it opens itself.
    pub(super) fn unpacks(&self) -> bool {
        matches!(self.read(), Some(Opener::File { unpacks: true, .. }))
    }

    /// Whether its games have bare bytes.
    #[must_use]
    pub fn streams(&self) -> bool {
        self.stream().is_some()
    }
}

impl fmt::Debug for dyn Profile + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Profile").field(&self.name()).finish()
    }
}

/// A database that is open, or why it is not.
pub type OpenResult = Result<Box<dyn Database>, Error>;

/// How a database is opened.
#[derive(Clone, Copy)]
pub enum Opener<'a> {
    /// It is read from its beginning to its end.
    Stream(&'a dyn OpenStream),
    /// It is looked at here and there.
    Contents(&'a dyn OpenContents),
    /// It is a file for a library, a file with others beside it, or a folder.
    File {
        /// What opens it.
        open: &'a dyn OpenFile,
        /// Compressed files are given as they are.
        unpacks: bool,
    },
}

/// Opens databases that are read from their beginning to their end.
pub trait OpenStream: Sync {
    /// Opens what is unpacked already.
    ///
    /// # Errors
    /// If its beginning says that it is none.
    fn open_stream(&self, input: Box<dyn Read + Send>, options: &ReadOptions) -> OpenResult;
}

/// Opens databases that are looked at here and there.
pub trait OpenContents: Sync {
    /// Opens what is unpacked already, in memory or mapped.
    ///
    /// # Errors
    /// If it is none.
    fn open_contents(&self, contents: Contents, options: &ReadOptions) -> OpenResult;
}

/// Opens databases that need to be files.
pub trait OpenFile: Sync {
    /// Opens a file. One that is temporary is there as long as the [`LocalFile`] is.
    ///
    /// # Errors
    /// If it is none.
    fn open_file(&self, file: LocalFile, options: &ReadOptions) -> OpenResult;
}

/// Makes databases: by writers, each in a thread of its own, and one target.
pub trait Creator: Sync {
    /// A writer. Each thread has one of its own.
    fn writer(&self, options: &WriteOptions) -> Box<dyn GameWriter>;

    /// What puts the records of the writers together, under the [`PASSWORD`] of the options if the
    /// profile has that option. Where they stand one after the other, it is a
    /// [`Sequence`](crate::Sequence).
    ///
    /// # Errors
    /// If the system says no.
    fn target(
        &self,
        destination: Destination<'_>,
        options: &WriteOptions,
    ) -> io::Result<Box<dyn Target>>;

    /// Whether it has to be a file with a name.
    fn needs_file(&self) -> bool {
        false
    }

    /// Whether records can be added to what is there.
    fn appends(&self) -> bool {
        true
    }

    /// Whether what is kept of a game depends on the others in its database, so that
    /// [`Target::take_losses`] has something to say.
    fn target_loses(&self) -> bool {
        false
    }
}

/// Changes databases where they are. Games are told by their numbers, as
/// [`Entries`](crate::Entries) counts them. A change is made wholly or not at all.
pub trait Editing: Sync {
    /// Marks games as deleted, or takes the marks away.
    ///
    /// # Errors
    /// If there is no such game, or the files cannot be written.
    fn set_deletion(&self, path: &Path, games: &[u64], deletion: Deletion) -> io::Result<()>;

    /// Puts a game, all that a writer of the profile wrote, in place of another, which stays deleted if
    /// it is, and is not deleted by a mark that the new one has. Returns what that one lost because of
    /// others.
    ///
    /// # Errors
    /// If there is no such game, or the files cannot be written.
    fn replace(&self, path: &Path, game: u64, record: &Records) -> io::Result<Losses>;

    /// Leaves out what nobody reads any more.
    ///
    /// # Errors
    /// If a game cannot be copied, or the files cannot be written.
    fn compact(&self, path: &Path) -> io::Result<Compacted>;
}

/// Explains the bytes of games.
pub trait Explainer: Sync {
    /// Explains a game of a file, by its number from 1.
    ///
    /// # Errors
    /// If there is no such game, or the file cannot be read.
    fn explain(&self, file: LocalFile, game: u64, options: &ReadOptions) -> Result<Dump, Error>;
}
