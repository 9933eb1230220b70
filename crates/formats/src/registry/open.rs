//! Opening whatever it is.

use std::{
    io::{self, Cursor, Read},
    path::Path,
};

use tabiya_game::SourceError;

use super::{
    Candidate, Certainty, Dialect, Foreign, FormatSpec, LocalFile, OpenResult, Opener, ReadOptions,
    by_content, by_path, dialects, listed,
};
use crate::{
    Database, chessbase,
    dump::Dump,
    io::{Compression, Input, IoError, Progress},
};

/// How many bytes are looked at: a long comment may stand before the first tag.
const HEAD: usize = 16 << 10;

/// A database that is open for reading.
pub struct Opened {
    /// What it is.
    pub dialect: Dialect,
    /// How it is packed.
    pub compression: Compression,
    /// How far the reading has come.
    pub progress: Progress,
    /// Its games.
    pub database: Box<dyn Database>,
}

/// Why an input cannot be opened as a database.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The system says no.
    #[error(transparent)]
    Io(#[from] IoError),
    /// It is something else.
    #[error("{name} is {}, which tabiya cannot read; {}", kind.title, kind.advice)]
    Foreign {
        /// The input.
        name: String,
        /// What it is.
        kind: &'static Foreign,
    },
    /// It is of a format that can only be written.
    #[error(
        "{name} is {dialect}, which tabiya writes but cannot read: expected {}",
        listed(readable())
    )]
    WriteOnly {
        /// The input.
        name: String,
        /// What it is.
        dialect: String,
    },
    /// Neither content nor name say what it is.
    #[error(
        "{name} is of no known format; if you know better, say --from {}",
        listed(readable())
    )]
    Unknown {
        /// The input.
        name: String,
    },
    /// It is a folder, and not one that is a database.
    #[error("{name} is a folder without a database that is one; name a file in it")]
    Folder {
        /// The folder.
        name: String,
    },
    /// It is an archive with a password.
    #[error("{name} needs a password: say --password")]
    NeedsPassword {
        /// The input.
        name: String,
    },
    /// It is of the format, but cannot be read.
    #[error("{name}: {error}")]
    Damaged {
        /// The input.
        name: String,
        /// Why.
        error: SourceError,
    },
}

/// Opens a file or a folder; `-` is standard input. The content decides what it is; the name
/// counts where the content does not tell. A format that is given is believed.
///
/// # Errors
/// If it is not there, or of no format that can be read.
pub fn open(
    path: &Path,
    given: Option<FormatSpec>,
    options: &ReadOptions,
) -> Result<Opened, OpenError> {
    if path.is_dir() {
        return open_folder(path, given, options);
    }
    let input = Input::open(path)?;
    let path = (path != "-").then_some(path);
    open_found(Found::look(input, path), given, options)
}

/// Opens a stream, as [`open`] opens a file.
///
/// An error of reading is returned by the database when its place is reached, if the format is
/// read from beginning to end.
///
/// # Errors
/// If it is of no format that can be read.
pub fn open_input(
    input: Input,
    given: Option<FormatSpec>,
    options: &ReadOptions,
) -> Result<Opened, OpenError> {
    open_found(Found::look(input, None), given, options)
}

/// Explains a game of a file, by its number from 1; `None` if nobody knows how.
///
/// # Errors
/// If there is no such game, or the file cannot be read.
pub fn dump(
    path: &Path,
    given: Option<FormatSpec>,
    game: u64,
    options: &ReadOptions,
) -> Result<Option<(Dialect, Dump)>, OpenError> {
    let name = path.display().to_string();
    let (dialect, file) = if path.is_dir() {
        (folder_dialect(path, given)?, LocalFile::new(path))
    } else {
        let found = Found::look(Input::open(path)?, (path != "-").then_some(path));
        let dialect = found.dialect(given)?;
        let local = found.into_local(dialect);
        (
            dialect,
            local.map_err(|error| damaged(&name, error.into()))?,
        )
    };
    let Some(dump) = dialect.profile.dump else {
        return Ok(None);
    };
    match dump(file, game, options) {
        Ok(dump) => Ok(Some((dialect, dump))),
        Err(error) => Err(damaged(&name, error)),
    }
}

/// What a file or a folder is. A format that is given is believed.
pub(super) fn dialect(path: &Path, given: Option<FormatSpec>) -> Result<Dialect, OpenError> {
    if path.is_dir() {
        return folder_dialect(path, given);
    }
    Found::look(Input::open(path)?, (path != "-").then_some(path)).dialect(given)
}

fn damaged(name: &str, error: SourceError) -> OpenError {
    if chessbase::needs_password(&error) {
        let name = name.to_string();
        return OpenError::NeedsPassword { name };
    }
    OpenError::Damaged {
        name: name.to_string(),
        error,
    }
}

/// What formats are asked about a folder.
pub(super) fn folder_candidate(path: &Path) -> Candidate<'_> {
    Candidate {
        path: Some(path),
        folder: true,
        ..Candidate::default()
    }
}

fn folder_dialect(path: &Path, given: Option<FormatSpec>) -> Result<Dialect, OpenError> {
    let candidate = folder_candidate(path);
    let found = match given {
        Some(spec) => Some(spec.for_reading(&candidate)),
        None => by_content(&candidate).map(|(dialect, _)| dialect),
    };
    found.ok_or_else(|| OpenError::Folder {
        name: path.display().to_string(),
    })
}

fn open_folder(
    path: &Path,
    given: Option<FormatSpec>,
    options: &ReadOptions,
) -> Result<Opened, OpenError> {
    let dialect = folder_dialect(path, given)?;
    let name = path.display().to_string();
    let Some(Opener::Path { open, .. }) = dialect.profile.read else {
        return Err(OpenError::Folder { name });
    };
    let database = open(LocalFile::new(path), options).map_err(|error| damaged(&name, error))?;
    Ok(Opened {
        dialect,
        compression: Compression::None,
        progress: database.progress().unwrap_or_default(),
        database,
    })
}

fn open_found(
    found: Found<'_>,
    given: Option<FormatSpec>,
    options: &ReadOptions,
) -> Result<Opened, OpenError> {
    let dialect = found.dialect(given)?;
    let name = found.input.name().to_string();
    let (compression, progress) = (found.input.compression(), found.input.progress());
    let Some(opener) = dialect.profile.read else {
        return Err(OpenError::WriteOnly {
            name,
            dialect: dialect.to_string(),
        });
    };
    let database = match opener {
        Opener::Stream(open) => Ok(open(Box::new(found.into_stream()), options)),
        Opener::Contents(open) => found
            .into_contents()
            .map_err(SourceError::from)
            .and_then(|contents| open(contents, options)),
        Opener::Path { open, .. } => open_local(found, dialect, open, options),
    };
    let database = database.map_err(|error| damaged(&name, error))?;
    Ok(Opened {
        dialect,
        compression,
        progress: database.progress().unwrap_or(progress),
        database,
    })
}

/// Opens a file that has to have a name.
fn open_local(
    found: Found<'_>,
    dialect: Dialect,
    open: fn(LocalFile, &ReadOptions) -> OpenResult,
    options: &ReadOptions,
) -> OpenResult {
    let local = found.into_local(dialect)?;
    let passing = local.passing();
    open(local, options).map_err(|error| passing.nameless(error))
}

/// An input of which the first bytes are known.
pub(super) struct Found<'a> {
    head: Vec<u8>,
    /// What happened after them.
    failed: Option<io::Error>,
    input: Input,
    path: Option<&'a Path>,
}

impl<'a> Found<'a> {
    pub(super) fn look(mut input: Input, path: Option<&'a Path>) -> Found<'a> {
        let mut head = Vec::new();
        let failed = (&mut input).take(HEAD as u64).read_to_end(&mut head).err();
        Found {
            head,
            failed,
            input,
            path,
        }
    }

    /// What formats are asked about.
    pub(super) fn with_candidate<T>(&self, ask: impl FnOnce(&Candidate<'_>) -> T) -> T {
        let plain = self.input.compression() == Compression::None;
        ask(&Candidate {
            head: &self.head,
            len: self.input.raw_len().filter(|_| plain),
            path: self.path,
            folder: false,
            members: self.input.members(),
        })
    }

    /// What it is.
    fn dialect(&self, given: Option<FormatSpec>) -> Result<Dialect, OpenError> {
        self.with_candidate(|candidate| match given {
            Some(spec) => Ok(spec.for_reading(candidate)),
            None => self.recognise(candidate),
        })
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Result<Dialect, OpenError> {
        let name = || self.input.name().to_string();
        let by_content = by_content(candidate);
        if let Some((dialect, Certainty::Sure)) = by_content
            && !is_inside_another(dialect, &self.head)
        {
            return Ok(dialect);
        }
        if let Some(kind) = Foreign::by_content(&self.head) {
            return Err(OpenError::Foreign { name: name(), kind });
        }
        // What is in an archive has names of its own.
        let names = || {
            let members = self.input.members().iter().map(String::as_str);
            std::iter::once(self.input.name()).chain(members)
        };
        if let Some(dialect) = names().find_map(by_path) {
            return Ok(dialect);
        }
        // A few bytes look like anything: a database of another kind is one by its name.
        if let Some(kind) = names().find_map(Foreign::by_path) {
            return Err(OpenError::Foreign { name: name(), kind });
        }
        match by_content {
            Some((dialect, _)) => Ok(dialect),
            None => Err(OpenError::Unknown { name: name() }),
        }
    }

    fn into_stream(self) -> Peeked {
        Peeked {
            head: Cursor::new(self.head),
            failed: self.failed,
            input: self.input,
        }
    }

    fn into_contents(self) -> io::Result<crate::io::Contents> {
        match self.failed {
            Some(error) => Err(error),
            None => self.input.into_contents(self.head),
        }
    }

    /// A file under a name: itself, or a copy of what is in it. A database of several files has
    /// its others beside it.
    fn into_local(self, dialect: Dialect) -> io::Result<LocalFile> {
        let unpacks = matches!(
            dialect.profile.read,
            Some(Opener::Path { unpacks: true, .. })
        );
        let plain = self.input.file().is_some();
        if let Some(path) = self.path.filter(|_| plain || unpacks) {
            return Ok(LocalFile::new(path));
        }
        let extensions = dialect.profile.extensions;
        if dialect.profile.is_several_files() && !self.input.members().is_empty() {
            let names = self.input.members().iter().map(|name| base_name(name));
            let sizes = self.input.member_sizes().iter().copied();
            let files: Vec<(String, u64)> = names.zip(sizes).collect();
            return LocalFile::copy_all(self.into_stream(), &files, extensions);
        }
        // Without an extension: a stream has no companions that could be looked for.
        LocalFile::copy(self.into_stream())
    }
}

/// The last part of a name in an archive, which leads nowhere.
fn base_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    match last {
        "" | "." | ".." => "unnamed".to_string(),
        last => last.to_string(),
    }
}

/// Whether what looks like games is the beginning of an archive of another kind: the name of a file
/// stands there. Formats that have archives of their own know better.
pub(super) fn is_inside_another(dialect: Dialect, head: &[u8]) -> bool {
    let unpacks = matches!(
        dialect.profile.read,
        Some(Opener::Path { unpacks: true, .. })
    );
    !unpacks && Foreign::by_mark_inside(head).is_some()
}

/// An input of which the first bytes have been read already.
struct Peeked {
    head: Cursor<Vec<u8>>,
    /// What happened after them.
    failed: Option<io::Error>,
    input: Input,
}

impl Read for Peeked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.head.read(buffer)? {
            0 if !buffer.is_empty() => match self.failed.take() {
                Some(error) => Err(error),
                None => self.input.read(buffer),
            },
            count => Ok(count),
        }
    }
}

/// What can be read.
fn readable() -> impl Iterator<Item = String> {
    let readable = dialects().filter(|dialect| dialect.profile.reads());
    readable.map(|dialect| dialect.to_string())
}
