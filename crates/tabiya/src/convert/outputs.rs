//! Where the games go: nowhere, into one output, or into files of so many games.

use std::{
    ffi::OsString,
    fmt,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use tabiya_formats::{
    Destination, Records, Target,
    io::{Compression, TemporaryFolder, folder_of},
    registry::{
        FormatProfile, Registry, WriteOptions,
        place::{self, Purpose, is_same_database},
    },
};
use tabiya_game::Losses;

use crate::{Error, ErrorKind, Result};

/// Where the games go. Nothing is promised until [`Outputs::finish`].
pub enum Outputs {
    /// A dry run.
    Nothing,
    One {
        /// The file; standard output if it is `None`.
        path: Option<PathBuf>,
        target: Box<dyn Target>,
    },
    Split(Box<Split>),
    /// A dry run into a database that has its own losses: what is written goes away, and what is
    /// there already stays as it is.
    Rehearsal {
        outputs: Box<Outputs>,
        /// Where it is written; `None` if it would go behind what is there.
        folder: Option<TemporaryFolder>,
    },
}

/// Files of so many games each.
pub struct Split {
    registry: Arc<Registry>,
    profile: FormatProfile,
    options: WriteOptions,
    /// What the files are called after.
    path: PathBuf,
    /// The folder they are written into instead of their own, in a dry run.
    elsewhere: Option<PathBuf>,
    size: u64,
    inputs: Vec<PathBuf>,
    current: Option<Box<dyn Target>>,
    /// Games in the current file.
    games: u64,
    /// Files begun so far.
    files: u64,
    /// Files that have their names.
    complete: u64,
    /// What may be a problem with files that are complete.
    warnings: Vec<String>,
}

impl Outputs {
    pub fn nothing() -> Outputs {
        Outputs::Nothing
    }

    /// A file; `-` and nothing are standard output.
    pub fn one(
        registry: &Registry,
        profile: FormatProfile,
        options: &WriteOptions,
        path: Option<&Path>,
        append: bool,
    ) -> Result<Outputs> {
        let path = path.filter(|path| *path != "-");
        let destination = match path {
            Some(path) if append => Destination::Append(path),
            Some(path) => Destination::New(path),
            None => Destination::Stdout,
        };
        let target = registry.target(profile, destination, options);
        let target = target.map_err(|error| unwritten(error, path))?;
        Ok(Outputs::One {
            target,
            path: path.map(Path::to_path_buf),
        })
    }

    pub fn split(
        registry: Arc<Registry>,
        profile: FormatProfile,
        options: WriteOptions,
        path: &Path,
        elsewhere: Option<&Path>,
        size: u64,
        inputs: &[PathBuf],
    ) -> Outputs {
        Outputs::Split(Box::new(Split {
            registry,
            profile,
            options,
            path: path.to_path_buf(),
            elsewhere: elsewhere.map(Path::to_path_buf),
            size,
            inputs: inputs.to_vec(),
            current: None,
            games: 0,
            files: 0,
            complete: 0,
            warnings: Vec::new(),
        }))
    }

    /// Writes a game. Returns what it lost because of others in the same database.
    pub fn game(&mut self, records: &Records, which: Range<usize>) -> Result<Losses> {
        match self {
            Outputs::Nothing => Ok(Losses::default()),
            Outputs::One { target, path } => {
                let added = target.add(records, which);
                added.map_err(|error| unwritten(error, path.as_deref()))?;
                Ok(target.take_losses())
            }
            Outputs::Split(split) => split.game(records, which),
            Outputs::Rehearsal { outputs, .. } => outputs.game(records, which),
        }
    }

    /// Gives the output its name. Returns what may be a problem with it.
    pub fn finish(self) -> Result<Vec<String>> {
        match self {
            Outputs::Nothing => Ok(Vec::new()),
            Outputs::One { target, path } => target
                .finish()
                .map_err(|error| unwritten(error, path.as_deref())),
            Outputs::Split(split) => split.finish(),
            Outputs::Rehearsal { outputs, folder } => match folder {
                Some(_) => outputs.finish(),
                None => Ok(Vec::new()),
            },
        }
    }

    /// What there is if it is not finished.
    pub fn left(&self) -> Left {
        match self {
            Outputs::Nothing | Outputs::Rehearsal { .. } => Left::Nothing,
            Outputs::One { path: None, .. } => Left::PartOfStream,
            Outputs::One {
                path: Some(path), ..
            } => match path.exists() {
                true => Left::Old(path.clone()),
                false => Left::NothingAt(path.clone()),
            },
            Outputs::Split(split) => Left::Files(split.complete),
        }
    }
}

/// What a conversion that was not finished has left.
///
/// ```
/// assert_eq!(tabiya::Left::Files(2).to_string(), "2 files are complete");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Left {
    /// Nothing was to be written, or nothing had begun.
    Nothing,
    /// What was there before.
    Old(PathBuf),
    /// Nothing, as there was nothing before.
    NothingAt(PathBuf),
    /// What was to be written, though it may be lost if the machine stops now.
    New(PathBuf),
    /// Standard output has some of the games.
    PartOfStream,
    /// So many files are complete.
    Files(u64),
}

impl Left {
    /// What there is after the output could not be finished.
    pub(super) fn after(self, error: &Error) -> Left {
        match (error.kind(), self) {
            (ErrorKind::NotLasting, Left::Old(path) | Left::NothingAt(path)) => Left::New(path),
            (_, left) => left,
        }
    }
}

impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Left::Nothing | Left::NothingAt(_) => write!(f, "nothing was written"),
            Left::Old(path) => write!(f, "nothing was written, {} is as it was", path.display()),
            Left::New(path) => write!(f, "{} is complete", path.display()),
            Left::PartOfStream => write!(f, "standard output is not complete"),
            Left::Files(1) => write!(f, "1 file is complete"),
            Left::Files(count) => write!(f, "{count} files are complete"),
        }
    }
}

impl Split {
    fn game(&mut self, records: &Records, which: Range<usize>) -> Result<Losses> {
        if self.games == self.size {
            self.close()?;
        }
        let mut target = match self.current.take() {
            Some(target) => target,
            None => self.open()?,
        };
        self.games += 1;
        let name = numbered(&self.path, self.files);
        let added = target.add(records, which);
        added.map_err(|error| unwritten(error, Some(&name)))?;
        let losses = target.take_losses();
        self.current = Some(target);
        Ok(losses)
    }

    fn open(&mut self) -> Result<Box<dyn Target>> {
        let path = numbered(&self.path, self.files + 1);
        // It would be replaced before it is read.
        let is_read = |input: &PathBuf| is_same_database(&self.registry, input, &path);
        if self.inputs.iter().any(is_read) {
            let name = path.display().to_string();
            let why = "is an input too: choose another name";
            return Err(Error::about(ErrorKind::WrongPlace, name, why));
        }
        let target = self.target(&path);
        let target = target.map_err(|error| unwritten(error, Some(&path)))?;
        self.files += 1;
        self.games = 0;
        Ok(target)
    }

    fn target(&self, path: &Path) -> Result<Box<dyn Target>> {
        let Some(folder) = &self.elsewhere else {
            let place = Destination::New(path);
            return self.registry.target(self.profile, place, &self.options);
        };
        place::check(&self.registry, path, self.profile, Purpose::New)?;
        let path = folder.join(path.file_name().unwrap_or_default());
        let place = Destination::New(&path);
        self.registry.target(self.profile, place, &self.options)
    }

    fn close(&mut self) -> Result<()> {
        if let Some(target) = self.current.take() {
            let name = numbered(&self.path, self.files);
            let finished = target.finish();
            let warnings = finished.map_err(|error| unwritten(error, Some(&name)))?;
            self.warnings.extend(warnings);
            self.complete += 1;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<String>> {
        if self.files == 0 {
            // No games are an empty file, so that scripts find one.
            self.current = Some(self.open()?);
        }
        self.close()?;
        Ok(self.warnings)
    }
}

/// `out-0001.pgn.zst` for `out.pgn.zst`.
pub fn numbered(path: &Path, number: u64) -> PathBuf {
    let (mut name, extensions) = split_name(path);
    name.push(format!("-{number:04}"));
    name.push(extensions);
    path.with_file_name(name)
}

/// The name of a file, and its extensions with their dots: games are called `a.b.pgn.zst` too, of
/// which the format and the packing have one each.
fn split_name(path: &Path) -> (OsString, OsString) {
    let name = Path::new(path.file_name().unwrap_or_default());
    let (plain, packing) = match Compression::of_path(name) {
        Compression::None => (name, None),
        _ => (
            Path::new(name.file_stem().unwrap_or_default()),
            name.extension(),
        ),
    };
    let mut extensions = OsString::new();
    for extension in [plain.extension(), packing].into_iter().flatten() {
        extensions.push(".");
        extensions.push(extension);
    }
    (plain.file_stem().unwrap_or_default().to_owned(), extensions)
}

/// The number of a file among those that a split output has, or had.
pub fn number_in(file: &Path, output: &Path) -> Option<u64> {
    let (begin, end) = split_name(output);
    let name = file.file_name()?.as_encoded_bytes();
    let digits = name
        .strip_prefix(begin.as_encoded_bytes())?
        .strip_prefix(b"-")?
        .strip_suffix(end.as_encoded_bytes())?;
    let number = str::from_utf8(digits).ok()?.parse().ok()?;
    let is_name = numbered(output, number).file_name() == file.file_name();
    (is_name && is_same_folder(file, output)).then_some(number)
}

/// How many files of a split output are there, from the first on without a gap.
pub fn parts_there(output: &Path) -> u64 {
    let is_there = |number: &u64| numbered(output, *number).exists();
    (1..).take_while(is_there).last().unwrap_or(0)
}

fn is_same_folder(file: &Path, other: &Path) -> bool {
    let folder = |path: &Path| folder_of(path).canonicalize().ok();
    folder(file).is_some() && folder(file) == folder(other)
}

/// Why games cannot be written, with the name of the file; standard output has none.
pub fn unwritten(error: impl Into<Error>, path: Option<&Path>) -> Error {
    let error = error.into();
    // It says itself what it is about, and the other was written.
    if matches!(error.kind(), ErrorKind::NeedsFile | ErrorKind::NotLasting) {
        return error;
    }
    let name = path.map_or("standard output".to_string(), |path| {
        path.display().to_string()
    });
    error.trying_to("write", name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_not_said_to_be_missing() {
        let left = |kind| Left::Old("a.tabiya".into()).after(&Error::new(kind, "no"));
        let lost = left(ErrorKind::Io).to_string();
        assert_eq!(lost, "nothing was written, a.tabiya is as it was");
        let there = left(ErrorKind::NotLasting).to_string();
        assert_eq!(there, "a.tabiya is complete");
        let left = |kind| Left::NothingAt("a.tabiya".into()).after(&Error::new(kind, "no"));
        assert_eq!(left(ErrorKind::Io).to_string(), "nothing was written");
        assert_eq!(left(ErrorKind::NotLasting).to_string(), there);
    }

    #[cfg(unix)]
    #[test]
    fn a_name_keeps_its_letters_whatever_they_are() {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

        let name = |bytes: &[u8]| PathBuf::from(OsStr::from_bytes(bytes));
        let path = name(b"R\xe9ti.pgn.zst");
        assert_eq!(numbered(&path, 7), name(b"R\xe9ti-0007.pgn.zst"));
        assert_eq!(number_in(&numbered(&path, 7), &path), Some(7));
    }

    #[test]
    fn the_number_stands_before_the_extensions() {
        for (path, expected) in [
            ("out.pgn", "out-0001.pgn"),
            ("a/b.c.pgn.zst", "a/b.c-0001.pgn.zst"),
            ("out", "out-0001"),
            ("out.gz", "out-0001.gz"),
            (".hidden", ".hidden-0001"),
        ] {
            assert_eq!(numbered(Path::new(path), 1), Path::new(expected), "{path}");
        }
        for (file, number) in [
            ("out-0001.pgn", Some(1)),
            ("out-12345.pgn", Some(12_345)),
            ("out-01234.pgn", None),
            ("out-001.pgn", None),
            ("out-+001.pgn", None),
            ("out-0001.pgn.gz", None),
            ("out.pgn", None),
            ("out-000a.pgn", None),
            ("src/out-0001.pgn", None),
        ] {
            let file = Path::new(file);
            assert_eq!(number_in(file, Path::new("out.pgn")), number, "{file:?}");
        }
        assert_eq!(
            numbered(Path::new("x.pgn"), 12_345),
            Path::new("x-12345.pgn")
        );
    }
}
