//! What the registry knows of a format.

use std::{
    fmt, io,
    io::Read,
    path::{Path, PathBuf},
};

use tabiya_game::SourceError;
use tempfile::TempPath;

use super::Profile;
use crate::io::Contents;

/// A format: a family of dialects under one name.
///
/// It is registered in a [`Registry`](super::Registry). There are few formats, and each lives as
/// long as the program: a `static`, or one that is leaked.
pub struct FormatInfo {
    /// Its short name, as options take it.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Its dialects, the usual one first. Only one: its name is empty.
    pub profiles: &'static [&'static dyn Profile],
}

impl fmt::Debug for FormatInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FormatInfo")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// What a format can hold besides the moves of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Holds {
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
#[derive(Debug)]
pub struct LocalFile {
    path: PathBuf,
    /// Removes the file when nobody reads it any more.
    _temporary: Option<TempPath>,
}

impl LocalFile {
    /// A file that is there.
    pub fn new(path: impl Into<PathBuf>) -> LocalFile {
        LocalFile {
            path: path.into(),
            _temporary: None,
        }
    }

    /// A copy of a stream.
    pub(super) fn copy(mut stream: impl Read) -> io::Result<LocalFile> {
        let mut file = tempfile::NamedTempFile::new()?;
        io::copy(&mut stream, &mut file)?;
        let temporary = file.into_temp_path();
        Ok(LocalFile {
            path: temporary.to_path_buf(),
            _temporary: Some(temporary),
        })
    }

    /// All its bytes.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn contents(&self) -> Result<Contents, SourceError> {
        Ok(Contents::map(&self.path).map_err(io::Error::from)?)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Why there is nothing to explain.
#[must_use]
pub fn no_such_game(number: u64) -> SourceError {
    io::Error::new(
        io::ErrorKind::NotFound,
        format!("there is no game {number}"),
    )
    .into()
}
