//! Opening whatever it is.

use std::{
    io::{self, Cursor, Read},
    path::Path,
};

use tabiya_game::SourceError;

use super::{
    Candidate, Certainty, Dialect, Foreign, FormatSpec, LocalFile, Opener, ReadOptions, Registry,
};
use crate::{
    Database,
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
    #[error("{name} is {dialect}, which tabiya writes but cannot read: expected {expected}")]
    WriteOnly {
        /// The input.
        name: String,
        /// What it is.
        dialect: String,
        /// What can be read.
        expected: String,
    },
    /// Neither content nor name say what it is.
    #[error("{name} is of no known format; if you know better, say --from {expected}")]
    Unknown {
        /// The input.
        name: String,
        /// What can be read.
        expected: String,
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

impl Registry {
    /// Opens a file or a folder; `-` is standard input. The content decides what it is; the name
    /// counts where the content does not tell. A format that is given is believed.
    ///
    /// # Errors
    /// If it is not there, or of no format that can be read.
    pub fn open(
        &self,
        path: &Path,
        given: Option<FormatSpec>,
        options: &ReadOptions,
    ) -> Result<Opened, OpenError> {
        if path.is_dir() {
            return self.open_folder(path, given, options);
        }
        self.open_found(Found::open(path)?, given, options)
    }

    /// Opens a stream, as [`Registry::open`] opens a file.
    ///
    /// An error of reading is returned by the database when its place is reached, if the format is
    /// read from beginning to end.
    ///
    /// # Errors
    /// If it is of no format that can be read.
    pub fn open_input(
        &self,
        input: Input,
        given: Option<FormatSpec>,
        options: &ReadOptions,
    ) -> Result<Opened, OpenError> {
        self.open_found(Found::look(input, None), given, options)
    }

    /// Explains a game of a file, by its number from 1; `None` if nobody knows how.
    ///
    /// # Errors
    /// If there is no such game, or the file cannot be read.
    pub fn dump(
        &self,
        path: &Path,
        given: Option<FormatSpec>,
        game: u64,
        options: &ReadOptions,
    ) -> Result<Option<(Dialect, Dump)>, OpenError> {
        let name = path.display().to_string();
        let (dialect, file) = if path.is_dir() {
            (self.folder_dialect(path, given)?, LocalFile::new(path))
        } else {
            let found = Found::open(path)?;
            let dialect = self.dialect_of(&found, given)?;
            let unpacks = matches!(
                dialect.profile.read(),
                Some(Opener::File { unpacks: true, .. })
            );
            let local = found.into_local(unpacks);
            (
                dialect,
                local.map_err(|error| damaged(dialect, &name, error.into()))?,
            )
        };
        let Some(explainer) = dialect.profile.dump() else {
            return Ok(None);
        };
        match explainer.explain(file, game, options) {
            Ok(dump) => Ok(Some((dialect, dump))),
            Err(error) => Err(damaged(dialect, &name, error)),
        }
    }

    /// What a file or a folder is. A format that is given is believed.
    pub(super) fn dialect(
        &self,
        path: &Path,
        given: Option<FormatSpec>,
    ) -> Result<Dialect, OpenError> {
        if path.is_dir() {
            return self.folder_dialect(path, given);
        }
        self.dialect_of(&Found::open(path)?, given)
    }

    fn folder_dialect(&self, path: &Path, given: Option<FormatSpec>) -> Result<Dialect, OpenError> {
        let candidate = Candidate {
            path: Some(path),
            folder: true,
            ..Candidate::default()
        };
        let found = match given {
            Some(spec) => Some(spec.for_reading(&candidate)),
            None => self.by_content(&candidate).map(|(dialect, _)| dialect),
        };
        found.ok_or_else(|| OpenError::Folder {
            name: path.display().to_string(),
        })
    }

    fn open_folder(
        &self,
        path: &Path,
        given: Option<FormatSpec>,
        options: &ReadOptions,
    ) -> Result<Opened, OpenError> {
        let dialect = self.folder_dialect(path, given)?;
        let name = path.display().to_string();
        let Some(Opener::File { open, .. }) = dialect.profile.read() else {
            return Err(OpenError::Folder { name });
        };
        let database = open.open_file(LocalFile::new(path), options);
        let database = database.map_err(|error| damaged(dialect, &name, error))?;
        Ok(Opened {
            dialect,
            compression: Compression::None,
            progress: database.progress().unwrap_or_default(),
            database,
        })
    }

    fn open_found(
        &self,
        found: Found<'_>,
        given: Option<FormatSpec>,
        options: &ReadOptions,
    ) -> Result<Opened, OpenError> {
        let dialect = self.dialect_of(&found, given)?;
        let name = found.input.name().to_string();
        let (compression, progress) = (found.input.compression(), found.input.progress());
        let Some(opener) = dialect.profile.read() else {
            return Err(OpenError::WriteOnly {
                name,
                dialect: dialect.to_string(),
                expected: self.able(|profile| profile.reads()),
            });
        };
        let database = match opener {
            Opener::Stream(open) => open.open_stream(Box::new(found.into_stream()), options),
            Opener::Contents(open) => found
                .into_contents()
                .map_err(SourceError::from)
                .and_then(|contents| open.open_contents(contents, options)),
            Opener::File { open, unpacks } => found
                .into_local(unpacks)
                .map_err(SourceError::from)
                .and_then(|local| open.open_file(local, options)),
        };
        let database = database.map_err(|error| damaged(dialect, &name, error))?;
        Ok(Opened {
            dialect,
            compression,
            progress: database.progress().unwrap_or(progress),
            database,
        })
    }

    /// What an input is.
    fn dialect_of(
        &self,
        found: &Found<'_>,
        given: Option<FormatSpec>,
    ) -> Result<Dialect, OpenError> {
        let plain = found.input.compression() == Compression::None;
        let candidate = Candidate {
            head: &found.head,
            len: found.input.raw_len().filter(|_| plain),
            path: found.path,
            folder: false,
            members: found.input.members(),
        };
        match given {
            Some(spec) => Ok(spec.for_reading(&candidate)),
            None => self.recognise(&candidate, found.input.name()),
        }
    }

    fn recognise(&self, candidate: &Candidate<'_>, name: &str) -> Result<Dialect, OpenError> {
        let foreign = |kind| {
            let name = name.to_string();
            Err(OpenError::Foreign { name, kind })
        };
        let by_content = self.by_content(candidate);
        if let Some((dialect, Certainty::Sure)) = by_content {
            return Ok(dialect);
        }
        if let Some(kind) = Foreign::by_content(candidate.head) {
            return foreign(kind);
        }
        // What is in an archive has names of its own.
        let names = || {
            let members = candidate.members.iter().map(String::as_str);
            std::iter::once(name).chain(members)
        };
        if let Some(dialect) = names().find_map(|name| self.by_path(name)) {
            return Ok(dialect);
        }
        // A few bytes look like anything: a database of another kind is one by its name.
        if let Some(kind) = names().find_map(Foreign::by_path) {
            return foreign(kind);
        }
        match by_content {
            Some((dialect, _)) => Ok(dialect),
            None => Err(OpenError::Unknown {
                name: name.to_string(),
                expected: self.able(|profile| profile.reads()),
            }),
        }
    }
}

fn damaged(dialect: Dialect, name: &str, error: SourceError) -> OpenError {
    let name = name.to_string();
    match dialect.profile.needs_password(&error) {
        true => OpenError::NeedsPassword { name },
        false => OpenError::Damaged { name, error },
    }
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
    fn open(path: &'a Path) -> Result<Found<'a>, OpenError> {
        let input = Input::open(path)?;
        Ok(Found::look(input, (path != "-").then_some(path)))
    }

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
