//! Opening whatever it is.

use std::{
    fs::File,
    io::{self, Cursor, Read},
    path::Path,
};

use tabiya_game::{Error, ErrorKind};

use super::{
    Candidate, Certainty, Foreign, FormatProfile, FormatSpec, LocalFile, OpenFile, OpenResult,
    Opener, ReadOptions, Registry, unpacked::Unpacked, zipped,
};
use crate::{
    Database,
    dump::Dump,
    io::{Compression, Input, IoError, IoErrorKind, Progress, Unchanged, printable},
};

/// How many bytes are looked at: a long comment may stand before the first tag.
const HEAD: usize = 16 << 10;

/// A database that is open for reading.
pub struct Opened {
    /// What it is.
    pub profile: FormatProfile,
    /// How it is packed.
    pub compression: Compression,
    /// How far the reading has come.
    pub progress: Progress,
    /// Its files as they were when it was opened; none if nobody has named one.
    pub files: Unchanged,
    /// Its games.
    pub database: Box<dyn Database>,
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
    ) -> Result<Opened, Error> {
        if path.is_dir() {
            return self.open_folder(path, given, options);
        }
        if !options.salvage {
            return self.open_found(Found::open(path)?, given, options);
        }
        // A pipe can be opened once only.
        if path.is_file()
            && Input::open(path).is_err_and(|error| is_cut_off(&error))
            && let Some(opened) = self.open_cut_off(path, given, options)?
        {
            return Ok(opened);
        }
        self.open_found(Found::open_by(Input::open_cut, path)?, given, options)
    }

    /// Opens an archive without a directory by a format that knows archives of its own; `None` if
    /// there is none.
    fn open_cut_off(
        &self,
        path: &Path,
        given: Option<FormatSpec>,
        options: &ReadOptions,
    ) -> Result<Option<Opened>, Error> {
        let mut head = Vec::new();
        File::open(path)?.take(HEAD as u64).read_to_end(&mut head)?;
        let candidate = Candidate {
            head: &head,
            path: Some(path),
            ..Candidate::default()
        };
        let sure = |(profile, certainty)| (certainty == Certainty::Sure).then_some(profile);
        let profile = match given {
            Some(spec) => Some(spec.for_reading(&candidate)),
            None => self.by_content(&candidate).and_then(sure),
        };
        let Some(profile) = profile.filter(|profile| profile.unpacks()) else {
            return Ok(None);
        };
        self.open_local(path, profile, options).map(Some)
    }

    /// Opens a file or a folder by a format that needs its name.
    fn open_local(
        &self,
        path: &Path,
        profile: FormatProfile,
        options: &ReadOptions,
    ) -> Result<Opened, Error> {
        let Some(Opener::File { open, .. }) = profile.read() else {
            return Err(no_database(path));
        };
        let name = path.display().to_string();
        let file = Unchanged::of(path);
        let database = open.open_file(LocalFile::new(path), options);
        let database = database.map_err(|error| damaged(&name, error))?;
        Ok(Opened {
            profile,
            compression: Compression::None,
            progress: database.progress().unwrap_or_default(),
            files: database.files().unwrap_or(file),
            database,
        })
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
    ) -> Result<Opened, Error> {
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
    ) -> Result<Option<(FormatProfile, Dump)>, Error> {
        let name = path.display().to_string();
        let (profile, file) = if path.is_dir() {
            (self.folder_profile(path, given)?, LocalFile::new(path))
        } else {
            let found = Found::open(path)?;
            let profile = self.profile_of(&found, given)?;
            let local = found.into_local(self, profile);
            (
                profile,
                local.map_err(|error| damaged(&name, error.into()))?,
            )
        };
        let Some(explainer) = profile.dump() else {
            return Ok(None);
        };
        match explainer.explain(file, game, options) {
            Ok(dump) => Ok(Some((profile, dump))),
            Err(error) => Err(damaged(&name, error)),
        }
    }

    /// Whether a file is under a password: it is called, or said to be, a database that may have
    /// one, and its content says nothing.
    #[must_use]
    pub fn is_sealed(&self, path: &Path, given: Option<FormatSpec>) -> bool {
        let named = match given {
            Some(spec) => Some(spec.for_writing(Some(path))),
            None => self.by_path(path),
        };
        let Some(profile) = named.filter(|profile| profile.seals()) else {
            return false;
        };
        let says_nothing =
            |candidate: &Candidate<'_>| profile.recognise(candidate) == Certainty::No;
        // Of a stream nobody knows before it is read.
        path == "-" || Found::open(path).is_ok_and(|found| found.with_candidate(says_nothing))
    }

    /// What a file or a folder is: it is looked at, but not opened. A format that is given is believed.
    ///
    /// # Errors
    /// If it is not there, or nothing that is known.
    pub fn profile(&self, path: &Path, given: Option<FormatSpec>) -> Result<FormatProfile, Error> {
        if path.is_dir() {
            return self.folder_profile(path, given);
        }
        self.profile_of(&Found::open(path)?, given)
    }

    fn folder_profile(
        &self,
        path: &Path,
        given: Option<FormatSpec>,
    ) -> Result<FormatProfile, Error> {
        let candidate = folder_candidate(path);
        let found = match given {
            Some(spec) => Some(spec.for_reading(&candidate)),
            None => self.by_content(&candidate).map(|(profile, _)| profile),
        };
        found.ok_or_else(|| no_database(path))
    }

    fn open_folder(
        &self,
        path: &Path,
        given: Option<FormatSpec>,
        options: &ReadOptions,
    ) -> Result<Opened, Error> {
        let profile = self.folder_profile(path, given)?;
        self.open_local(path, profile, options)
    }

    fn open_found(
        &self,
        found: Found<'_>,
        given: Option<FormatSpec>,
        options: &ReadOptions,
    ) -> Result<Opened, Error> {
        let profile = self.profile_of(&found, given)?;
        let name = found.input.name().to_string();
        let (compression, progress) = (found.input.compression(), found.input.progress());
        let file = found.file.clone();
        let Some(opener) = profile.read() else {
            let message = format!(
                "is {profile}, which tabiya writes but cannot read: expected {}",
                self.able(|profile| profile.reads())
            );
            return Err(Error::about(ErrorKind::Unsupported, name, message));
        };
        let database = match opener {
            Opener::Stream(open) => open.open_stream(Box::new(found.into_stream()), options),
            Opener::Contents(open) => found
                .into_contents()
                .map_err(Error::from)
                .and_then(|contents| open.open_contents(contents, options)),
            Opener::File { open, .. } => open_local(self, found, profile, open, options),
        };
        let database = database.map_err(|error| damaged(&name, error))?;
        Ok(Opened {
            profile,
            compression,
            progress: database.progress().unwrap_or(progress),
            files: database.files().unwrap_or(file),
            database,
        })
    }

    /// What an input is.
    fn profile_of(
        &self,
        found: &Found<'_>,
        given: Option<FormatSpec>,
    ) -> Result<FormatProfile, Error> {
        found.with_candidate(|candidate| match given {
            Some(spec) => Ok(spec.for_reading(candidate)),
            None => self.recognise(candidate, found.input.name()),
        })
    }

    fn recognise(&self, candidate: &Candidate<'_>, name: &str) -> Result<FormatProfile, Error> {
        let by_content = self.by_content(candidate);
        let unpacks = |(profile, _): (FormatProfile, _)| profile.unpacks();
        if !by_content.is_some_and(unpacks)
            && let Some(held) =
                zipped::database(self, candidate.members).map_err(|names| several(name, &names))?
        {
            return Ok(held.profile);
        }
        if let Some((profile, Certainty::Sure)) = by_content
            && !is_inside_another(profile, candidate.head)
        {
            return Ok(profile);
        }
        if let Some(kind) = Foreign::by_content(candidate.head) {
            return Err(foreign(name, kind));
        }
        // What is in an archive has names of its own.
        let names = || {
            let members = candidate.members.iter().map(String::as_str);
            std::iter::once(name).chain(members)
        };
        if let Some(profile) = names().find_map(|name| self.by_path(name)) {
            return Ok(profile);
        }
        // A few bytes look like anything: a database of another kind is one by its name.
        if let Some(kind) = names().find_map(Foreign::by_path) {
            return Err(foreign(name, kind));
        }
        match by_content {
            Some((profile, _)) => Ok(profile),
            None => Err(Error::about(
                ErrorKind::UnknownFormat,
                name,
                "is of no known format",
            )),
        }
    }
}

/// Whether a file is a zip archive without what stands at its end.
fn is_cut_off(error: &IoError) -> bool {
    matches!(error.kind(), IoErrorKind::NoDirectory { .. })
}

fn damaged(name: &str, error: Error) -> Error {
    match error.kind() {
        ErrorKind::NeedsPassword => Error::about(error.kind(), name, "needs a password"),
        _ => error.in_file(name),
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

/// A folder is none that is a database.
fn no_database(folder: &Path) -> Error {
    let message = "is a folder without a database that is one; name a file in it";
    Error::about(
        ErrorKind::Unsupported,
        folder.display().to_string(),
        message,
    )
}

/// A file is something that is no chess database.
fn foreign(name: &str, kind: &Foreign) -> Error {
    let message = format!(
        "is {}, which tabiya cannot read; {}",
        kind.title, kind.advice
    );
    Error::about(ErrorKind::Foreign, name, message)
}

/// Opens a file that has to have a name.
fn open_local(
    registry: &Registry,
    found: Found<'_>,
    profile: FormatProfile,
    open: &dyn OpenFile,
    options: &ReadOptions,
) -> OpenResult {
    // What nobody can open once more has no name.
    let outer = found.path.map(|_| found.file.clone());
    let local = found.into_local(registry, profile)?;
    let passing = local.passing();
    let opened = open.open_file(local.clone(), options);
    let database = opened.map_err(|error| passing.nameless(error))?;
    Ok(match outer {
        Some(outer) if local.is_passing() => Box::new(Unpacked::new(database, local, outer)),
        _ => database,
    })
}

/// An input of which the first bytes are known.
pub(super) struct Found<'a> {
    head: Vec<u8>,
    /// What happened after them.
    failed: Option<io::Error>,
    input: Input,
    path: Option<&'a Path>,
    /// As it was before it was opened.
    file: Unchanged,
}

impl<'a> Found<'a> {
    fn open(path: &'a Path) -> Result<Found<'a>, Error> {
        Found::open_by(Input::open, path)
    }

    fn open_by(
        open: impl FnOnce(&'a Path) -> Result<Input, IoError>,
        path: &'a Path,
    ) -> Result<Found<'a>, Error> {
        let file = Unchanged::of(path);
        let found = Found::look(open(path)?, (path != "-").then_some(path));
        Ok(Found { file, ..found })
    }

    pub(super) fn look(mut input: Input, path: Option<&'a Path>) -> Found<'a> {
        let mut head = Vec::new();
        let failed = (&mut input).take(HEAD as u64).read_to_end(&mut head).err();
        Found {
            head,
            failed,
            input,
            path,
            file: Unchanged::default(),
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
    fn into_local(self, registry: &Registry, profile: FormatProfile) -> io::Result<LocalFile> {
        let plain = self.input.file().is_some();
        if let Some(path) = self.path.filter(|_| plain || profile.unpacks()) {
            return Ok(LocalFile::new(path));
        }
        if profile.unpacks() && self.input.compression() == Compression::Zip {
            // Who unpacks wants an archive as it is.
            return match self.input.into_zip()? {
                Some(zip) => LocalFile::copy(zip),
                None => Err(io::ErrorKind::Unsupported.into()),
            };
        }
        if profile.several_files() && !self.input.members().is_empty() {
            return self.into_local_files(registry, profile);
        }
        // Without an extension: a stream has no companions that could be looked for.
        LocalFile::copy(self.into_stream())
    }

    /// Copies of the files of the one database of a profile that an archive has.
    fn into_local_files(
        self,
        registry: &Registry,
        profile: FormatProfile,
    ) -> io::Result<LocalFile> {
        let members = self.input.members();
        let mut databases = zipped::databases(registry, members);
        databases.retain(|held| {
            held.profile.format.name == profile.format.name && held.profile.name() == profile.name()
        });
        let [held] = databases.as_slice() else {
            let message = match databases.len() {
                0 => format!("it has no {profile} database"),
                count => format!("it has {count} databases: unpack it, and name one of them"),
            };
            return Err(io::Error::other(message));
        };
        let names = members
            .iter()
            .map(|member| held.own_name(member).map(str::to_string));
        let sizes = self.input.member_sizes().iter().copied();
        let files: Vec<(Option<String>, u64)> = names.zip(sizes).collect();
        let main = held.main_name().to_string();
        LocalFile::copy_all(self.into_stream(), &files, &main)
    }
}

/// An archive holds what cannot be read together.
fn several(name: &str, held: &[&str]) -> Error {
    let names: Vec<String> = held.iter().map(|name| printable(name)).collect();
    let message = match names.as_slice() {
        [only] => format!("holds {only} beside other files: unpack it, and name that file"),
        _ => format!(
            "holds {} things that cannot be read together, {}: unpack it, and name them one by one",
            names.len(),
            names.join(", ")
        ),
    };
    Error::about(ErrorKind::Unsupported, name, message)
}

/// Whether what looks like games is the beginning of an archive of another kind: the name of a file
/// stands there. Formats that have archives of their own know better.
pub(super) fn is_inside_another(profile: FormatProfile, head: &[u8]) -> bool {
    !profile.unpacks() && Foreign::by_mark_inside(head).is_some()
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
