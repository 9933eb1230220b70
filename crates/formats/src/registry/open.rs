//! Opening whatever it is.

use std::{
    io::{self, Cursor, Read},
    path::Path,
};

use tabiya_game::SourceError;

use super::{
    Candidate, Certainty, Dialect, Foreign, FormatSpec, LocalFile, Opener, ReadOptions, by_content,
    by_path, dialects, listed,
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
        let local = found.into_local(matches!(
            dialect.profile.read,
            Some(Opener::Path { unpacks: true, .. })
        ));
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

fn folder_dialect(path: &Path, given: Option<FormatSpec>) -> Result<Dialect, OpenError> {
    let candidate = Candidate {
        path: Some(path),
        folder: true,
        ..Candidate::default()
    };
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
        Opener::Path { open, unpacks } => found
            .into_local(unpacks)
            .map_err(SourceError::from)
            .and_then(|local| open(local, options)),
    };
    let database = database.map_err(|error| damaged(&name, error))?;
    Ok(Opened {
        dialect,
        compression,
        progress: database.progress().unwrap_or(progress),
        database,
    })
}

/// An input of which the first bytes are known.
struct Found<'a> {
    head: Vec<u8>,
    /// What happened after them.
    failed: Option<io::Error>,
    input: Input,
    path: Option<&'a Path>,
}

impl<'a> Found<'a> {
    fn look(mut input: Input, path: Option<&'a Path>) -> Found<'a> {
        let mut head = Vec::new();
        let failed = (&mut input).take(HEAD as u64).read_to_end(&mut head).err();
        Found {
            head,
            failed,
            input,
            path,
        }
    }

    /// What it is.
    fn dialect(&self, given: Option<FormatSpec>) -> Result<Dialect, OpenError> {
        let plain = self.input.compression() == Compression::None;
        let candidate = Candidate {
            head: &self.head,
            len: self.input.raw_len().filter(|_| plain),
            path: self.path,
            folder: false,
            members: self.input.members(),
        };
        match given {
            Some(spec) => Ok(spec.for_reading(&candidate)),
            None => self.recognise(&candidate),
        }
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Result<Dialect, OpenError> {
        let name = || self.input.name().to_string();
        let by_content = by_content(candidate);
        if let Some((dialect, Certainty::Sure)) = by_content {
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

    /// A file under a name: itself, or a copy of what is in it.
    fn into_local(self, unpacks: bool) -> io::Result<LocalFile> {
        let plain = self.input.file().is_some();
        match self.path {
            Some(path) if plain || unpacks => Ok(LocalFile::new(path)),
            // Who unpacks wants an archive as it is.
            None if unpacks && self.input.compression() == Compression::Zip => {
                match self.input.into_zip()? {
                    Some(zip) => LocalFile::copy(zip),
                    None => Err(io::ErrorKind::Unsupported.into()),
                }
            }
            _ => LocalFile::copy(self.into_stream()),
        }
    }
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
