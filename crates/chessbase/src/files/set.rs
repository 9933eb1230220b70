//! All files of a database together.
//!
//! ```no_run
//! use tabiya_chessbase::files::{FileKind, set::FileSet};
//!
//! // Finds Mega.CBG and mega.cbp too.
//! let files = FileSet::open("mega.cbh")?;
//! for kind in files.missing() {
//!     println!("{kind} is missing");
//! }
//! let tables = files.tables()?;
//! println!("{} games and texts", tables.headers.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    FileError, FileKind,
    annotators::Annotator,
    entity::{Entities, Entity},
    extended::Extended,
    game_tags::GameTag,
    header::Headers,
    players::Player,
    sources::Source,
    teams::Team,
    tournament_extra::TournamentExtras,
    tournaments::Tournament,
};
use tabiya_formats::io::{Contents, IoError, Unchanged};

/// Why a database cannot be opened. The message leaves out the path that was asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetError {
    /// The extension is none of the family.
    #[error("not a file of a ChessBase database; its header file ends in .cbh")]
    NotInFamily(PathBuf),
    /// There is no file with headers.
    #[error("there is no .cbh file beside it, which lists the games")]
    NoHeaders(PathBuf),
    /// The extension is none of the newer family.
    #[error("not a file of a ChessBase database; its header file ends in .2cbh")]
    NotInNewFamily(PathBuf),
    /// There is no file with headers.
    #[error("there is no .2cbh file beside it, which lists the games")]
    NoNewHeaders(PathBuf),
    /// The folder cannot be listed.
    #[error("{0}: the folder cannot be read: {1}")]
    Folder(PathBuf, io::Error),
    /// A file is there but cannot be opened.
    #[error(transparent)]
    Io(#[from] IoError),
}

/// The files of a database, mapped into memory.
#[derive(Clone, Default)]
pub struct FileSet {
    files: BTreeMap<FileKind, Contents>,
    opened: Unchanged,
}

impl FileSet {
    /// Opens the database that a file belongs to, whichever of its files it is. The others are
    /// beside it, under the same name in small or capital letters.
    ///
    /// # Errors
    /// If the file is none of a database, there are no headers, or a file is there and cannot be
    /// opened. Other files may be missing.
    pub fn open(path: impl AsRef<Path>) -> Result<FileSet, SetError> {
        let path = path.as_ref();
        let (Some(name), Some(_)) = (path.file_stem(), kind_of(path)) else {
            return Err(SetError::NotInFamily(path.to_owned()));
        };
        let (mut files, mut opened) = (BTreeMap::new(), Unchanged::default());
        for (kind, path) in companions(path, name, kind_of)? {
            opened.add(&path);
            files.insert(kind, Contents::map(path)?);
        }
        // Those that are missing may come.
        for kind in FileKind::ALL {
            if !files.contains_key(&kind) {
                opened.add(path.with_extension(kind.extension()));
            }
        }
        match files.contains_key(&FileKind::Headers) {
            true => Ok(FileSet { files, opened }),
            false => Err(SetError::NoHeaders(path.to_owned())),
        }
    }

    /// Files that are open already, as those of an archive.
    pub fn from_files(files: impl IntoIterator<Item = (FileKind, Contents)>) -> FileSet {
        FileSet {
            files: files.into_iter().collect(),
            opened: Unchanged::default(),
        }
    }

    /// Its files as they were when they were opened.
    #[must_use]
    pub fn opened(&self) -> &Unchanged {
        &self.opened
    }

    /// A file, if it is there.
    #[must_use]
    pub fn get(&self, kind: FileKind) -> Option<&Contents> {
        self.files.get(&kind)
    }

    /// The files that every database has and this one has not.
    pub fn missing(&self) -> impl Iterator<Item = FileKind> {
        let essential = FileKind::ALL.into_iter().filter(|kind| kind.is_essential());
        essential.filter(|kind| !self.files.contains_key(kind))
    }

    /// The tables of the database.
    ///
    /// # Errors
    /// If the headers cannot be read.
    pub fn tables(&self) -> Result<Tables<'_>, FileError> {
        Tables::new(|kind| self.get(kind).map(|contents| &**contents))
    }
}

/// Which file a path names.
fn kind_of(path: &Path) -> Option<FileKind> {
    FileKind::from_extension(path.extension()?.to_str()?)
}

/// The files beside a path that belong to the same database. Where two names differ in nothing but
/// their case, the one that is spelt like `name` is meant, else the first in the alphabet.
pub(crate) fn companions<K: Copy + Ord>(
    path: &Path,
    name: &OsStr,
    kind_of: fn(&Path) -> Option<K>,
) -> Result<BTreeMap<K, PathBuf>, SetError> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let unlisted = |error| SetError::Folder(folder.to_owned(), error);
    let caseless = name.to_string_lossy().to_lowercase();
    let mut found: BTreeMap<K, PathBuf> = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(unlisted)? {
        let candidate = entry.map_err(unlisted)?.path();
        let (Some(stem), Some(kind)) = (candidate.file_stem(), kind_of(&candidate)) else {
            continue;
        };
        if stem.to_string_lossy().to_lowercase() != caseless || candidate.is_dir() {
            continue;
        }
        let rank = |path: &PathBuf| (path.file_stem() != Some(name), path.clone());
        match found.get(&kind) {
            Some(other) if rank(other) < rank(&candidate) => {}
            _ => {
                found.insert(kind, candidate);
            }
        }
    }
    // The file that was asked for is meant, whatever else is there.
    if let Some(kind) = kind_of(path)
        && path.is_file()
    {
        found.insert(kind, path.to_owned());
    }
    Ok(found)
}

/// The tables of a database. Those that are missing or cannot be read are `None`.
#[derive(Clone, Debug)]
pub struct Tables<'b> {
    /// The headers.
    pub headers: Headers<'b>,
    /// The extended headers.
    pub extended: Option<Extended<'b>>,
    /// The players.
    pub players: Option<Entities<'b, Player>>,
    /// The tournaments.
    pub tournaments: Option<Entities<'b, Tournament>>,
    /// More about them.
    pub tournament_extras: Option<TournamentExtras<'b>>,
    /// The annotators.
    pub annotators: Option<Entities<'b, Annotator>>,
    /// The sources.
    pub sources: Option<Entities<'b, Source>>,
    /// The teams.
    pub teams: Option<Entities<'b, Team>>,
    /// The titles of games.
    pub game_tags: Option<Entities<'b, GameTag>>,
    /// Why tables that are there cannot be read.
    pub errors: Vec<FileError>,
}

impl<'b> Tables<'b> {
    /// Looks at the files of a database.
    ///
    /// # Errors
    /// If the headers cannot be read. Other errors are kept.
    pub fn new(file: impl Fn(FileKind) -> Option<&'b [u8]>) -> Result<Tables<'b>, FileError> {
        let headers = Headers::new(file(FileKind::Headers).unwrap_or_default())?;
        let mut errors = Vec::new();
        let extended = file(FileKind::Extended).map(Extended::new);
        let extras = file(FileKind::TournamentExtra).map(TournamentExtras::new);
        Ok(Tables {
            headers,
            extended: keep(extended, &mut errors),
            players: entities(&file, &mut errors),
            tournaments: entities(&file, &mut errors),
            tournament_extras: keep(extras, &mut errors),
            annotators: entities(&file, &mut errors),
            sources: entities(&file, &mut errors),
            teams: entities(&file, &mut errors),
            game_tags: entities(&file, &mut errors),
            errors,
        })
    }
}

fn entities<'b, T: Entity>(
    file: impl Fn(FileKind) -> Option<&'b [u8]>,
    errors: &mut Vec<FileError>,
) -> Option<Entities<'b, T>> {
    keep(file(T::FILE).map(Entities::new), errors)
}

fn keep<T>(read: Option<Result<T, FileError>>, errors: &mut Vec<FileError>) -> Option<T> {
    read?.map_err(|error| errors.push(error)).ok()
}
