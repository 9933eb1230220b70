//! What a path to write to means, and what must not be put there.
//!
//! Everything that is written passes through here: [`Registry::target`] asks for games,
//! commands ask for what is no database. So there is one answer to what a name says, what is there
//! already and what may take its place, and it is the registry's: a format that is added is
//! protected like the others.
//!
//! ```
//! use std::path::Path;
//! use tabiya_formats::registry::{Registry, place::{self, Purpose}};
//!
//! let registry = Registry::of(tabiya_formats::FORMATS);
//! let games = place::dialect(&registry, Some(Path::new("games.sg5")), None, Purpose::New)?;
//! assert_eq!(games.to_string(), "scid:si5");
//!
//! let error = place::check_other(&registry, Path::new("games.si5"), &["svg"]).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "games.si5 is the name of a scid:si5 database: choose another"
//! );
//! # Ok::<(), place::PlaceError>(())
//! ```

use std::{
    fs,
    path::{Path, PathBuf},
};

use tabiya_game::{Error, ErrorKind};

use super::{
    Candidate, Certainty, Dialect, Foreign, FormatSpec, Registry, extension, listed,
    open::{Found, folder_candidate, is_inside_another},
};
use crate::{
    io::{Compression, Input, folder_of},
    pgn,
};

/// Why nothing is written to a path.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// Files of another kind are called so.
    #[error("{} is the name of {kind}: choose another", path.display())]
    Named {
        /// The path.
        path: PathBuf,
        /// Whose name it is.
        kind: String,
    },
    /// The name asks for what cannot be written.
    #[error("{} would be {kind}, which tabiya cannot write", path.display())]
    Unwritable {
        /// The path.
        path: PathBuf,
        /// What it would be.
        kind: String,
    },
    /// Something else is there.
    #[error(
        "{} is {kind}, which would be lost: choose another name, or move it away", path.display()
    )]
    Occupied {
        /// The path.
        path: PathBuf,
        /// What is there.
        kind: String,
    },
    /// A database has the same name but for its case, and its files would be taken for its own.
    #[error(
        "{} and {} differ in nothing but their case, and one would take the place of the other: \
         choose another name",
        path.display(),
        other.display()
    )]
    OtherCase {
        /// The path.
        path: PathBuf,
        /// What is there.
        other: PathBuf,
    },
    /// Nothing of another kind can be added to what is there.
    #[error("{} is not {dialect}: nothing can be appended to it", path.display())]
    NotOfIt {
        /// The path.
        path: PathBuf,
        /// What was to be appended.
        dialect: String,
    },
    /// The name does not say what to write.
    #[error(
        "{}: no format has files called so: the format has to be given, one of {expected}",
        path.display()
    )]
    Unknown {
        /// The path.
        path: PathBuf,
        /// The formats there are.
        expected: String,
    },
    /// A database of several files, or one that is packed already, is not compressed.
    #[error("{}: {dialect} cannot be compressed by {compression}: leave its extension out", path.display())]
    Compressed {
        /// The path.
        path: PathBuf,
        /// What was to be written.
        dialect: String,
        /// How it was to be packed.
        compression: Compression,
    },
}

impl From<PlaceError> for Error {
    fn from(error: PlaceError) -> Error {
        Error::new(ErrorKind::WrongPlace, error)
    }
}

/// What becomes of what is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// It is replaced.
    New,
    /// It grows.
    Append,
}

/// The dialect to write: the one that is given, or else the one that the name says. Without a
/// name, or a name without an extension, it is PGN.
///
/// # Errors
/// If the name belongs to files that cannot be written, or to none.
pub fn dialect(
    registry: &Registry,
    path: Option<&Path>,
    given: Option<FormatSpec>,
    purpose: Purpose,
) -> Result<Dialect, PlaceError> {
    let path = path.filter(|path| *path != "-");
    let pgn = FormatSpec {
        format: &pgn::FORMAT,
        profile: None,
    };
    if let Some(spec) = given {
        return Ok(spec.for_writing(path));
    }
    let Some(path) = path else {
        return Ok(pgn.for_writing(None));
    };
    match registry.by_path(path) {
        Some(dialect) if dialect.profile.writes() => return Ok(dialect),
        Some(dialect) => return Err(unwritable(path, &title(dialect))),
        None => {}
    }
    if let Some(kind) = Foreign::by_path(path) {
        return Err(unwritable(path, kind.title));
    }
    if purpose == Purpose::Append
        && let Some(Kind::Games(dialect)) = found(registry, path)
    {
        return Ok(dialect);
    }
    match extension(path) {
        Some(_) if !is_special(path) => Err(PlaceError::Unknown {
            path: path.to_owned(),
            expected: listed(registry.formats().map(|format| format.name)),
        }),
        _ => Ok(pgn.for_writing(Some(path))),
    }
}

/// Whether games of a dialect may be written to a path.
///
/// # Errors
/// If another kind of file is there, or is called so.
pub fn check(
    registry: &Registry,
    path: &Path,
    dialect: Dialect,
    purpose: Purpose,
) -> Result<(), PlaceError> {
    let compression = Compression::of_path(path);
    let creator = dialect.profile.write();
    let is_file = creator.is_some_and(|creator| creator.needs_file());
    if is_file && compression != Compression::None {
        return Err(PlaceError::Compressed {
            path: path.to_owned(),
            dialect: dialect.to_string(),
            compression,
        });
    }
    if dialect.profile.several_files()
        && let Some(other) = in_other_case(path, dialect)
    {
        return Err(PlaceError::OtherCase {
            path: path.to_owned(),
            other,
        });
    }
    let there = found(registry, path);
    match &there {
        Some(Kind::Games(other)) if is_same(*other, dialect) => return Ok(()),
        Some(kind) => return Err(occupied(path, kind)),
        None => {}
    }
    let is_own = extension(path).is_some_and(|extension| dialect.is_called(&extension));
    if is_own {
        return Ok(());
    }
    check_name(registry, path)?;
    match purpose == Purpose::Append && has_contents(path) && !looks_like(path, dialect) {
        true => Err(PlaceError::NotOfIt {
            path: path.to_owned(),
            dialect: dialect.to_string(),
        }),
        false => Ok(()),
    }
}

/// A file of a database whose name differs in nothing but its case, if there is none of the very
/// name. Companions are found in any case.
fn in_other_case(path: &Path, dialect: Dialect) -> Option<PathBuf> {
    let stem = path.file_stem()?;
    let is_there =
        |file: &Path| extension(file).is_some_and(|extension| dialect.is_called(&extension));
    let files = fs::read_dir(folder_of(path)).ok()?.flatten();
    let mut alike = None;
    for file in files
        .map(|entry| entry.path())
        .filter(|file| is_there(file))
    {
        match file.file_stem() {
            Some(own) if own == stem => return None,
            Some(own) if own.eq_ignore_ascii_case(stem) => alike = Some(file),
            _ => {}
        }
    }
    alike
}

/// Whether something that is no database may be written to a path: an image, a report. Files of
/// its kind have these extensions.
///
/// # Errors
/// If games are there, or the name is that of a database.
pub fn check_other(registry: &Registry, path: &Path, own: &[&str]) -> Result<(), PlaceError> {
    if let Some(kind) = found(registry, path) {
        return Err(occupied(path, &kind));
    }
    match extension(path) {
        Some(extension) if own.contains(&extension.as_str()) => Ok(()),
        _ => check_name(registry, path),
    }
}

/// Whether two paths lead to one file, or to files of one database.
#[must_use]
pub fn is_same_database(registry: &Registry, one: &Path, other: &Path) -> bool {
    if one == "-" || other == "-" {
        return false;
    }
    let whole = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let (one, other) = (whole(one), whole(other));
    let stem = |path: &Path| {
        let dialect = registry
            .by_path(path)
            .filter(|dialect| dialect.profile.several_files())?;
        let stem = path.file_stem()?.to_string_lossy().to_lowercase();
        Some((dialect.to_string(), path.parent()?.to_owned(), stem))
    };
    one == other || stem(&one).is_some_and(|stem_of_one| Some(stem_of_one) == stem(&other))
}

/// What is at a path.
enum Kind {
    Games(Dialect),
    Foreign(&'static Foreign),
}

impl Kind {
    fn title(&self) -> String {
        match self {
            Kind::Games(dialect) => title(*dialect),
            Kind::Foreign(kind) => kind.title.to_owned(),
        }
    }
}

/// What is surely at a path; `None` if nothing is, or nobody knows what.
fn found(registry: &Registry, path: &Path) -> Option<Kind> {
    if path.is_dir() {
        let (dialect, _) = registry.by_content(&folder_candidate(path))?;
        return Some(Kind::Games(dialect));
    }
    if !has_contents(path) {
        return None;
    }
    let found = Found::look(Input::open(path).ok()?, Some(path));
    found.with_candidate(|candidate| match registry.by_content(candidate) {
        Some((dialect, Certainty::Sure)) if !is_inside_another(dialect, candidate.head) => {
            Some(Kind::Games(dialect))
        }
        _ => Foreign::by_content(candidate.head).map(Kind::Foreign),
    })
}

/// Whether a file may be of a dialect.
fn looks_like(path: &Path, dialect: Dialect) -> bool {
    let looks = |candidate: &Candidate<'_>| dialect.profile.recognise(candidate) > Certainty::No;
    Input::open(path).is_ok_and(|input| Found::look(input, Some(path)).with_candidate(looks))
}

/// Whether a file is there that could be lost.
fn has_contents(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|there| there.is_file() && there.len() > 0)
}

/// A device or a named pipe, of which the name says nothing.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
}

/// One can take the place of the other: dialects that are called alike are told by their content.
fn is_same(one: Dialect, other: Dialect) -> bool {
    let alike = |one: &str| other.profile.extensions().contains(&one);
    one.format.name == other.format.name
        && (one.profile.name() == other.profile.name()
            || one.profile.extensions().iter().any(|one| alike(one)))
}

/// Refuses names of databases.
fn check_name(registry: &Registry, path: &Path) -> Result<(), PlaceError> {
    if let Some(dialect) = registry.by_path(path) {
        return Err(named(path, &title(dialect)));
    }
    match Foreign::by_path(path) {
        Some(kind) => Err(named(path, kind.title)),
        None => Ok(()),
    }
}

fn title(dialect: Dialect) -> String {
    match dialect.profile.several_files() {
        true => format!("a {dialect} database"),
        false => format!("a {dialect} file"),
    }
}

fn named(path: &Path, kind: &str) -> PlaceError {
    PlaceError::Named {
        path: path.to_owned(),
        kind: kind.to_owned(),
    }
}

fn unwritable(path: &Path, kind: &str) -> PlaceError {
    PlaceError::Unwritable {
        path: path.to_owned(),
        kind: kind.to_owned(),
    }
}

fn occupied(path: &Path, kind: &Kind) -> PlaceError {
    PlaceError::Occupied {
        path: path.to_owned(),
        kind: kind.title(),
    }
}
