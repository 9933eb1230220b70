//! What the registry knows of a format.

use std::{
    fmt,
    fs::File,
    io::{self, Read},
    path::{MAIN_SEPARATOR, Path, PathBuf},
    sync::Arc,
};

use tabiya_game::Error;

use super::Profile;
use crate::io::{Contents, TemporaryFolder, printable};

/// A format: a family of profiles under one name.
///
/// It is registered in a [`Registry`](super::Registry). There are few formats, and each lives as
/// long as the program: a `static`, or one that is leaked.
pub struct FormatInfo {
    /// Its short name, as options take it.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Its profiles, the usual one first. Only one: its name is empty.
    pub profiles: &'static [&'static dyn Profile],
}

impl fmt::Debug for FormatInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FormatInfo")
            .field("name", &self.name)
            .finish_non_exhaustive()
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

/// A file under a name, perhaps a passing one.
#[derive(Clone, Debug)]
pub struct LocalFile {
    path: PathBuf,
    /// Removes the file, and those beside it, when nobody reads it any more.
    temporary: Option<Arc<TemporaryFolder>>,
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
            temporary: Some(Arc::new(folder)),
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
                let words = format!("{} in the archive: {}", printable(name), error.kind());
                io::Error::new(error.kind(), words)
            })?;
            io::copy(&mut bytes, &mut file)?;
        }
        Ok(LocalFile {
            path: folder.path().join(meant),
            temporary: Some(Arc::new(folder)),
        })
    }

    /// Whether it goes away when nobody reads it any more.
    pub(super) fn is_passing(&self) -> bool {
        self.temporary.is_some()
    }

    /// What its name has that is passing.
    pub(super) fn passing(&self) -> Passing {
        let folder = self.temporary.as_ref();
        Passing(folder.map(|folder| format!("{}{MAIN_SEPARATOR}", folder.path().display())))
    }

    /// All its bytes.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn contents(&self) -> Result<Contents, Error> {
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
