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
//! let games = place::profile(&registry, Some(Path::new("games.sg5")), None, Purpose::New)?;
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
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use tabiya_game::{Error, ErrorKind};

use super::{
    Candidate, Certainty, Foreign, FormatProfile, FormatSpec, Registry, extension, listed,
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
    /// It would be replaced together with a database that is not there, so it belongs to none.
    #[error(
        "{} would be lost, and belongs to no {profile} database: choose another name, or move it \
         away",
        path.display()
    )]
    Stray {
        /// A file beside the path.
        path: PathBuf,
        /// What was to be written.
        profile: String,
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
    #[error("{} is not {profile}: nothing can be appended to it", path.display())]
    NotOfIt {
        /// The path.
        path: PathBuf,
        /// What was to be appended.
        profile: String,
    },
    /// It is between the files of a database.
    #[error(
        "{} is {kind}, and nothing else is kept in it: choose another name than {}",
        folder.display(),
        path.display()
    )]
    Inside {
        /// The path.
        path: PathBuf,
        /// The folder of the database.
        folder: PathBuf,
        /// What it is.
        kind: String,
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
    /// The name says how to pack, but not what.
    #[error(
        "{} says how the games are packed, but not what they are: call it {}.pgn.{compression}, or \
         whatever the format is",
        path.display(),
        path.with_extension("").display()
    )]
    OnlyPacked {
        /// The path.
        path: PathBuf,
        /// The extension of the packing.
        compression: &'static str,
    },
    /// A database of several files, or one that is packed already, is not compressed.
    #[error("{}: {profile} cannot be compressed by {compression}: leave its extension out", path.display())]
    Compressed {
        /// The path.
        path: PathBuf,
        /// What was to be written.
        profile: String,
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

/// The profile to write: the one that is given, or else the one that the name says. Without a
/// name, or a name without an extension, it is PGN.
///
/// # Errors
/// If the name belongs to files that cannot be written, or to none.
pub fn profile(
    registry: &Registry,
    path: Option<&Path>,
    given: Option<FormatSpec>,
    purpose: Purpose,
) -> Result<FormatProfile, PlaceError> {
    let path = path.filter(|path| *path != "-");
    let pgn = FormatSpec {
        format: &pgn::FORMAT,
        profile: None,
        extension: None,
    };
    if let Some(spec) = given {
        return Ok(spec.for_writing(path));
    }
    let Some(path) = path else {
        return Ok(pgn.for_writing(None));
    };
    match registry.by_path(path) {
        Some(profile) if profile.writes() => return Ok(profile),
        Some(profile) => return Err(unwritable(path, &title(profile))),
        None => {}
    }
    if let Some(kind) = Foreign::by_path(path) {
        return Err(unwritable(path, kind.title));
    }
    if purpose == Purpose::Append
        && let Some(Kind::Games(profile)) = found(registry, path)
    {
        return Ok(profile);
    }
    if let Some(compression) = Compression::of_path(path).extension()
        && extension(path).is_none()
        && !is_special(path)
    {
        return Err(PlaceError::OnlyPacked {
            path: path.to_owned(),
            compression,
        });
    }
    match extension(path) {
        Some(_) if !is_special(path) => Err(PlaceError::Unknown {
            path: path.to_owned(),
            expected: listed(registry.formats().map(|format| format.name)),
        }),
        _ => Ok(pgn.for_writing(Some(path))),
    }
}

/// The file that games of a profile go to: databases are found by their extensions, so that a name
/// without one gets it, unless one of them is there already. A format that was asked for by an
/// extension gets that one.
#[must_use]
pub fn file(
    registry: &Registry,
    path: &Path,
    profile: FormatProfile,
    given: Option<FormatSpec>,
) -> PathBuf {
    let asked = given.and_then(|spec| spec.extension);
    let usual = profile.extensions().first().copied();
    let is_complete = |path: &Path| {
        path == "-"
            || !needs_file(profile)
            || has_own_extension(path, profile)
            // The name of another kind of file is not made longer, but refused.
            || registry.by_path(path).is_some()
            || Compression::of_path(path) != Compression::None
            || path.is_dir()
            || is_special(path)
            || matches!(found(registry, path), Some(Kind::Games(other)) if is_same(other, profile))
    };
    match asked.or(usual) {
        Some(extension) if !is_complete(path) => {
            let mut name = path.as_os_str().to_owned();
            name.push(".");
            name.push(extension);
            name.into()
        }
        _ => path.to_owned(),
    }
}

/// Whether a database of the profile has to be a file of its own.
fn needs_file(profile: FormatProfile) -> bool {
    let creator = profile.write();
    creator.is_some_and(|creator| creator.needs_file())
}

fn has_own_extension(path: &Path, profile: FormatProfile) -> bool {
    extension(path).is_some_and(|extension| profile.is_called(&extension))
}

/// Whether games of a profile may be written to a path. All files that would be replaced are
/// looked at, not only the one that is named.
///
/// # Errors
/// If another kind of file is there, or is called so.
pub fn check(
    registry: &Registry,
    path: &Path,
    profile: FormatProfile,
    purpose: Purpose,
) -> Result<(), PlaceError> {
    check_outside(registry, path)?;
    let compression = Compression::of_path(path);
    if needs_file(profile) && compression != Compression::None {
        return Err(PlaceError::Compressed {
            path: path.to_owned(),
            profile: profile.to_string(),
            compression,
        });
    }
    if profile.several_files()
        && let Some(other) = in_other_case(path, profile)
    {
        return Err(PlaceError::OtherCase {
            path: path.to_owned(),
            other,
        });
    }
    let there = found(registry, path);
    match &there {
        Some(Kind::Games(other)) if is_same(*other, profile) => {}
        // What nobody reads is not recognised, but for what it is written in.
        Some(Kind::Foreign(kind))
            if kind.is_written_as(profile.extensions()) && has_own_extension(path, profile) => {}
        Some(kind) => return Err(occupied(path, kind)),
        None if !has_own_extension(path, profile) => {
            check_name(registry, path)?;
            check_unknown(path, profile, purpose)?;
        }
        None => {}
    }
    match profile.several_files() {
        true => check_all_files(registry, path, profile),
        false => Ok(()),
    }
}

/// Whether a file of which nobody knows what it is, and whose name says nothing, may be replaced.
fn check_unknown(path: &Path, profile: FormatProfile, purpose: Purpose) -> Result<(), PlaceError> {
    let is_packed = || Input::open(path).is_ok_and(|it| it.compression() != Compression::None);
    if !has_contents(path) || looks_like(path, profile) {
        return Ok(());
    }
    match purpose {
        Purpose::Append => Err(PlaceError::NotOfIt {
            path: path.to_owned(),
            profile: profile.to_string(),
        }),
        Purpose::New if is_packed() => Err(occupied(path, &Kind::Archive)),
        Purpose::New => Ok(()),
    }
}

/// Looks at every file that goes when a database of several files is written: those that are
/// replaced, and those that would not fit the new ones. Beside a database they are its own.
fn check_all_files(
    registry: &Registry,
    path: &Path,
    profile: FormatProfile,
) -> Result<(), PlaceError> {
    let stem = stem(path, profile);
    let mut is_there = profile.is_interrupted(path);
    let mut stray = None;
    for file in files_in(folder_of(path)) {
        let Some(extension) = extension(&file) else {
            continue;
        };
        let is_named = |own: &OsStr| own.eq_ignore_ascii_case(stem);
        let is_named = file.file_stem().is_some_and(is_named);
        let is_essential = profile.extensions().contains(&extension.as_str());
        let is_ours = is_essential || profile.replaces().contains(&extension.as_str());
        if !is_named || !is_ours {
            continue;
        }
        match file.is_dir() {
            true if is_essential => return Err(occupied(&file, &Kind::Folder)),
            true => continue,
            false => {}
        }
        is_there |= profile.extensions().first() == Some(&extension.as_str())
            && is_of(registry, &file, profile);
        if has_contents(&file) {
            stray.get_or_insert(file);
        }
    }
    match stray {
        Some(path) if !is_there => Err(PlaceError::Stray {
            path,
            profile: profile.to_string(),
        }),
        _ => Ok(()),
    }
}

/// Whether a file is surely of a profile. The index of a database without games may be empty.
fn is_of(registry: &Registry, file: &Path, profile: FormatProfile) -> bool {
    match found(registry, file) {
        Some(Kind::Games(other)) => is_same(other, profile),
        Some(_) => false,
        None => !has_contents(file) && looks_like(file, profile),
    }
}

/// What the files of a database are called before their extensions.
fn stem(path: &Path, profile: FormatProfile) -> &OsStr {
    let stem = match has_own_extension(path, profile) {
        true => path.file_stem(),
        false => path.file_name(),
    };
    stem.unwrap_or_default()
}

/// What is in a folder, always in the same order.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// A file of a database whose name differs in nothing but its case, if there is none of the very
/// name. Companions are found in any case.
fn in_other_case(path: &Path, profile: FormatProfile) -> Option<PathBuf> {
    let stem = stem(path, profile);
    let mut alike = None;
    for file in files_in(folder_of(path))
        .into_iter()
        .filter(|file| has_own_extension(file, profile))
    {
        match file.file_stem() {
            Some(own) if own == stem => return None,
            Some(own) if own.eq_ignore_ascii_case(stem) => alike = Some(file),
            _ => {}
        }
    }
    alike
}

/// Whether a path is not between the files of a database that is a folder.
fn check_outside(registry: &Registry, path: &Path) -> Result<(), PlaceError> {
    // A folder that is not there is told when the file is made.
    let Ok(folder) = fs::canonicalize(folder_of(path)) else {
        return Ok(());
    };
    for folder in folder.ancestors() {
        if let Some((profile, _)) = registry.by_content(&folder_candidate(folder))
            && profile.owns_folder()
        {
            return Err(PlaceError::Inside {
                path: path.to_owned(),
                folder: folder.to_owned(),
                kind: title(profile),
            });
        }
    }
    Ok(())
}

/// Whether something that is no database may be written to a path: an image, a report. Files of
/// its kind have these extensions.
///
/// # Errors
/// If games are there, or the name is that of a database.
pub fn check_other(registry: &Registry, path: &Path, own: &[&str]) -> Result<(), PlaceError> {
    check_outside(registry, path)?;
    let is_own = |kind: &Kind| match kind {
        Kind::Games(profile) => profile.extensions().iter().any(|it| own.contains(it)),
        Kind::Foreign(kind) => kind.is_written_as(own),
        _ => false,
    };
    match found(registry, path) {
        Some(kind) if !is_own(&kind) => return Err(occupied(path, &kind)),
        _ => {}
    }
    match extension(path) {
        Some(extension) if own.contains(&extension.as_str()) => Ok(()),
        _ => check_name(registry, path),
    }
}

/// Whether two paths lead to one file, or to files of one database.
#[must_use]
pub fn is_same_database(registry: &Registry, one: &Path, other: &Path) -> bool {
    identity(registry, one).is_some_and(|one| Some(one) == identity(registry, other))
}

/// What the path of a file and those of the other files of its database have in common, and no other
/// path has. There is none for standard input.
#[must_use]
pub fn identity(registry: &Registry, path: &Path) -> Option<PathBuf> {
    if path == "-" {
        return None;
    }
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let profile = registry.by_path(&path);
    let parts = profile
        .filter(|profile| profile.several_files())
        .zip(path.parent());
    let Some(((profile, parent), stem)) = parts.zip(path.file_stem()) else {
        return Some(path);
    };
    let stem = stem.to_string_lossy().to_lowercase();
    Some(parent.join(format!("{stem}.{profile}")))
}

/// What is at a path.
enum Kind {
    Games(FormatProfile),
    Foreign(&'static Foreign),
    /// A packed file with something else in it.
    Archive,
    /// A zip archive of so many files: all but one would go.
    Several(usize),
    Folder,
}

impl Kind {
    fn title(&self) -> String {
        match self {
            Kind::Games(profile) => title(*profile),
            Kind::Foreign(kind) => kind.title.to_owned(),
            Kind::Archive => "a packed file with something else in it".to_owned(),
            Kind::Several(count) => format!("a zip archive of {count} files"),
            Kind::Folder => "a folder".to_owned(),
        }
    }
}

/// What is surely at a path; `None` if nothing is, or nobody knows what.
fn found(registry: &Registry, path: &Path) -> Option<Kind> {
    if path.is_dir() {
        return Some(match registry.by_content(&folder_candidate(path)) {
            Some((profile, Certainty::Sure)) => Kind::Games(profile),
            _ => Kind::Folder,
        });
    }
    if !has_contents(path) {
        return None;
    }
    let found = Found::look(Input::open(path).ok()?, Some(path));
    let is_whole = |profile: FormatProfile, candidate: &Candidate<'_>| {
        !is_inside_another(profile, candidate.head)
            && (candidate.members.len() < 2 || profile.unpacks())
    };
    found.with_candidate(|candidate| match registry.by_content(candidate) {
        Some((profile, Certainty::Sure)) if is_whole(profile, candidate) => {
            Some(Kind::Games(profile))
        }
        _ if candidate.members.len() > 1 => Some(Kind::Several(candidate.members.len())),
        _ => Foreign::by_content(candidate.head).map(Kind::Foreign),
    })
}

/// Whether a file may be of a profile.
fn looks_like(path: &Path, profile: FormatProfile) -> bool {
    let looks = |candidate: &Candidate<'_>| profile.recognise(candidate) > Certainty::No;
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

/// One can take the place of the other: profiles that are called alike are told by their content.
fn is_same(one: FormatProfile, other: FormatProfile) -> bool {
    let alike = |one: &str| other.profile.extensions().contains(&one);
    let has_no_name = |it: FormatProfile| it.profile.extensions().is_empty();
    one.format.name == other.format.name
        && (one.profile.name() == other.profile.name()
            || has_no_name(one)
            || has_no_name(other)
            || one.profile.extensions().iter().any(|one| alike(one)))
}

/// Refuses names of databases.
fn check_name(registry: &Registry, path: &Path) -> Result<(), PlaceError> {
    if let Some(profile) = registry.by_path(path) {
        return Err(named(path, &title(profile)));
    }
    match Foreign::by_path(path) {
        Some(kind) => Err(named(path, kind.title)),
        None => Ok(()),
    }
}

fn title(profile: FormatProfile) -> String {
    match profile.several_files() || profile.owns_folder() {
        true => format!("a {profile} database"),
        false => format!("a {profile} file"),
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
