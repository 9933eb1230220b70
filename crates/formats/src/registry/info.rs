//! What the registry knows of a format.

use std::{
    fmt,
    fs::File,
    io,
    io::Read,
    path::{MAIN_SEPARATOR, Path, PathBuf},
};

use tabiya_game::Error;

use super::{Editing, ReadOptions, WriteOptions};
use crate::{
    Database, GameWriter,
    dump::Dump,
    io::{Contents, TemporaryFolder},
    stream::StreamCodec,
    target::{Destination, Sequence, Target},
};

/// A format: a family of dialects under one name.
#[derive(Debug)]
pub struct FormatInfo {
    /// Its short name, as options take it.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Its dialects, the usual one first. Only one: its name is empty.
    pub profiles: &'static [Profile],
}

/// A dialect of a format: what it holds, and how it is read and written.
pub struct Profile {
    /// Its name, as it stands behind the colon; empty if the format has no other.
    pub name: &'static str,
    /// What is different.
    pub title: &'static str,
    /// The extensions of its files, without the dot, the usual one first.
    pub extensions: &'static [&'static str],
    /// The extensions of other files of the same database that stand beside it.
    pub companions: &'static [&'static str],
    /// The extensions of files that go or are replaced when a database is written, besides its own.
    pub(crate) replaces: &'static [&'static str],
    /// A database is several files of one name, with these extensions.
    pub(crate) several_files: bool,
    /// Whether a change of a database was interrupted, and its files wait to be put in their places.
    pub(crate) is_interrupted: fn(&Path) -> bool,
    /// What it can hold.
    pub holds: Holds,
    /// What cannot be exceeded.
    pub limits: &'static str,
    /// What nobody expects it to hold, in words; empty for most. That is not lost: whoever asks for
    /// the format does not ask for it.
    pub leaves_out: &'static str,
    pub(crate) recognise: fn(&Candidate<'_>) -> Certainty,
    pub(crate) read: Option<Opener>,
    pub(crate) write: Option<Creator>,
    /// Begins a database under a password.
    pub(crate) seal: Option<SealFn>,
    pub(crate) edit: Option<Editing>,
    pub(crate) dump: Option<DumpFn>,
    /// Its games as bare bytes, without tags.
    pub stream: Option<&'static dyn StreamCodec>,
}

impl Profile {
    /// A dialect without files; everything else is to be filled in.
    pub(crate) const BARE: Profile = Profile {
        name: "",
        title: "",
        extensions: &[],
        companions: &[],
        replaces: &[],
        several_files: false,
        is_interrupted: |_| false,
        holds: Holds::MOVES,
        limits: "none",
        leaves_out: "",
        recognise: |_| Certainty::No,
        read: None,
        write: None,
        seal: None,
        edit: None,
        dump: None,
        stream: None,
    };

    /// Whether it can be read.
    #[must_use]
    pub const fn reads(&self) -> bool {
        self.read.is_some()
    }

    /// Whether it can be written.
    #[must_use]
    pub const fn writes(&self) -> bool {
        self.write.is_some()
    }

    /// Whether its databases can be put under a password.
    #[must_use]
    pub const fn seals(&self) -> bool {
        self.seal.is_some()
    }

    /// Whether its databases can be changed where they are.
    #[must_use]
    pub const fn edits(&self) -> bool {
        self.edit.is_some()
    }

    /// Whether a database is several files, which have one name and these extensions.
    #[must_use]
    pub const fn is_several_files(&self) -> bool {
        self.several_files
    }

    /// Whether its databases are packed files that it opens itself.
    pub(super) const fn unpacks(&self) -> bool {
        matches!(self.read, Some(Opener::Path { unpacks: true, .. }))
    }

    /// Whether what is known of a file looks like it.
    #[must_use]
    pub fn recognise(&self, candidate: &Candidate<'_>) -> Certainty {
        (self.recognise)(candidate)
    }
}

impl fmt::Debug for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Profile").field("name", &self.name).finish()
    }
}

/// What a format can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Holds {
    /// Moves. Formats without them hold positions or headers: their games do not come back.
    pub moves: bool,
    /// The tags that most games have: names, event, date, result.
    pub tags: bool,
    /// Any other tags.
    pub unknown_tags: bool,
    /// The order of tags. A format with a field for each brings them back in its own.
    pub tag_order: bool,
    /// Variations.
    pub variations: bool,
    /// Comments.
    pub comments: bool,
    /// NAGs.
    pub nags: bool,
    /// Starts from any position.
    pub setups: bool,
    /// Castling with rooks and kings anywhere.
    pub chess960: bool,
}

impl Holds {
    /// Everything.
    pub const ALL: Holds = Holds {
        moves: true,
        tags: true,
        unknown_tags: true,
        tag_order: true,
        variations: true,
        comments: true,
        nags: true,
        setups: true,
        chess960: true,
    };

    /// Moves from any start.
    pub const MOVES: Holds = Holds {
        moves: true,
        tags: false,
        unknown_tags: false,
        tag_order: false,
        variations: false,
        comments: false,
        nags: false,
        setups: true,
        chess960: true,
    };
}

/// What is known of a file before it is read.
#[derive(Clone, Copy, Default, Debug)]
pub struct Candidate<'a> {
    /// Its first bytes, unpacked.
    pub head: &'a [u8],
    /// How many bytes it has in all, if that is known.
    pub len: Option<u64>,
    /// Its path, if it is a file or a folder.
    pub path: Option<&'a Path>,
    /// It is a folder.
    pub folder: bool,
    /// The names of the files inside, if it is a zip archive.
    pub members: &'a [String],
}

impl<'a> Candidate<'a> {
    /// A file of which only the first bytes are known.
    #[must_use]
    pub fn of_head(head: &'a [u8]) -> Candidate<'a> {
        Candidate {
            head,
            ..Candidate::default()
        }
    }

    /// Whether the path has an extension, in either case.
    #[must_use]
    pub fn has_extension(&self, extension: &str) -> bool {
        let own = self.path.and_then(Path::extension);
        own.is_some_and(|own| own.eq_ignore_ascii_case(extension))
    }
}

/// How sure a format is that a file is one of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Certainty {
    /// It is none.
    No,
    /// It may be one.
    Perhaps,
    /// It is one.
    Sure,
}

impl Certainty {
    /// Sure or not.
    #[must_use]
    pub const fn sure_if(condition: bool) -> Certainty {
        match condition {
            true => Certainty::Sure,
            false => Certainty::No,
        }
    }
}

/// A database that is open, or why it is not.
pub(crate) type OpenResult = Result<Box<dyn Database>, Error>;

/// How a database is opened.
#[derive(Clone, Copy)]
pub(crate) enum Opener {
    /// It is read from its beginning to its end.
    Stream(fn(Box<dyn Read + Send>, &ReadOptions) -> Box<dyn Database>),
    /// It is looked at here and there.
    Contents(fn(Contents, &ReadOptions) -> OpenResult),
    /// It is a file for a library, a file with others beside it, or a folder.
    Path {
        open: fn(LocalFile, &ReadOptions) -> OpenResult,
        /// Compressed files are given as they are.
        unpacks: bool,
    },
}

/// A file under a name, perhaps a passing one.
#[derive(Debug)]
pub struct LocalFile {
    path: PathBuf,
    /// Removes the file, and those beside it, when nobody reads it any more.
    temporary: Option<TemporaryFolder>,
}

impl LocalFile {
    /// A file that is there.
    pub fn new(path: impl Into<PathBuf>) -> LocalFile {
        LocalFile {
            path: path.into(),
            temporary: None,
        }
    }

    /// A copy of a stream.
    pub(super) fn copy(mut stream: impl Read) -> io::Result<LocalFile> {
        let folder = TemporaryFolder::create()?;
        let path = folder.path().join("unpacked");
        io::copy(&mut stream, &mut File::create(&path)?)?;
        Ok(LocalFile {
            path,
            temporary: Some(folder),
        })
    }

    /// Copies of files that a stream has one after the other, a byte between two of them, each with
    /// its length, and its name if it is wanted; one of them is meant.
    pub(super) fn copy_all(
        mut stream: impl Read,
        files: &[(Option<String>, u64)],
        meant: &str,
    ) -> io::Result<LocalFile> {
        let folder = TemporaryFolder::create()?;
        for (index, (name, length)) in files.iter().enumerate() {
            if index > 0 {
                stream.read_exact(&mut [0])?;
            }
            let mut bytes = (&mut stream).take(*length);
            let Some(name) = name else {
                io::copy(&mut bytes, &mut io::sink())?;
                continue;
            };
            let mut file = File::create_new(folder.path().join(name)).map_err(|error| {
                io::Error::new(
                    error.kind(),
                    format!("{name} in the archive: {}", error.kind()),
                )
            })?;
            io::copy(&mut bytes, &mut file)?;
        }
        Ok(LocalFile {
            path: folder.path().join(meant),
            temporary: Some(folder),
        })
    }

    /// What its name has that is passing.
    pub(super) fn passing(&self) -> Passing {
        let folder = self.temporary.as_ref();
        Passing(folder.map(|folder| format!("{}{MAIN_SEPARATOR}", folder.path().display())))
    }

    /// All its bytes.
    pub(crate) fn contents(&self) -> Result<Contents, Error> {
        Ok(Contents::map(&self.path).map_err(io::Error::from)?)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Part of a name that means nothing to anybody.
pub(super) struct Passing(Option<String>);

impl Passing {
    /// An error that was said of such a file, without it.
    pub(super) fn nameless(&self, error: Error) -> Error {
        let message = error.to_string();
        match &self.0 {
            Some(passing) if message.contains(passing.as_str()) => {
                Error::new(error.kind(), message.replace(passing.as_str(), ""))
            }
            _ => error,
        }
    }
}

/// How a database is made: by writers, each in a thread of its own, and one target.
#[derive(Clone, Copy)]
pub(crate) struct Creator {
    pub writer: fn(&WriteOptions) -> Box<dyn GameWriter>,
    pub target: TargetKind,
}

/// Begins a database under a password.
pub(crate) type SealFn = fn(&Path, &str) -> io::Result<Box<dyn Target>>;

/// What becomes of records.
#[derive(Clone, Copy)]
pub(crate) enum TargetKind {
    /// They stand one after the other, behind a mark.
    Sequence { mark: &'static [u8] },
    /// They are put together.
    Built {
        create: fn(Destination<'_>) -> io::Result<Box<dyn Target>>,
        /// It has to be a file with this name.
        needs_file: bool,
        /// Records can be added to what is there.
        appends: bool,
    },
}

impl TargetKind {
    /// Begins a database.
    pub fn create(self, destination: Destination<'_>) -> io::Result<Box<dyn Target>> {
        match self {
            TargetKind::Sequence { mark } => Sequence::create(destination, mark),
            TargetKind::Built { create, .. } => create(destination),
        }
    }
}

/// Explains a game of a file, by its number from 1.
pub(crate) type DumpFn = fn(LocalFile, u64, &ReadOptions) -> Result<Dump, Error>;
