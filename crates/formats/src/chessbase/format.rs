//! ChessBase as the registry knows it.

use std::{io, path::Path};

use tabiya_game::{Error, ErrorKind};

use super::{
    Database, DatabaseError, ReadOptions, archive, assembly, cbh2, edit,
    files::{FileKind, set::FileSet},
    writer::RecordWriter,
};
use crate::{
    GameWriter,
    dump::Dump,
    registry::{
        self, Candidate, Certainty, Compacted, Creator, Editing, FormatInfo, Holds, LocalFile,
        Mark, Opener, Profile, TargetKind,
    },
};

/// Databases of ChessBase.
pub const FORMAT: FormatInfo = FormatInfo {
    name: "chessbase",
    title: "databases of ChessBase and their archives",
    profiles: &[
        Profile {
            name: "cbh",
            title: "a .cbh file with its companions",
            extensions: &[
                "cbh", "cbg", "cba", "cbj", "cbp", "cbt", "cbtt", "cbc", "cbs", "cbe", "cbl",
            ],
            companions: &["cbb", "cbm", "flags", "ini"],
            replaces: REPLACES,
            several_files: true,
            is_interrupted: assembly::swap::is_interrupted,
            holds: HOLDS,
            limits: LIMITS,
            recognise: is_database,
            read: Some(Opener::Path {
                open: open_database,
                unpacks: false,
            }),
            write: Some(Creator {
                writer,
                target: TargetKind::Built {
                    create: assembly::create_database,
                    needs_file: true,
                    appends: true,
                },
            }),
            edit: Some(EDITING),
            dump: Some(dump_database),
            ..Profile::BARE
        },
        Profile {
            name: "archive",
            title: "a database in one packed file, perhaps with a password",
            extensions: &["cbv", "cbz"],
            holds: HOLDS,
            limits: LIMITS,
            recognise: |candidate| Certainty::sure_if(archive::recognise(candidate.head)),
            read: Some(Opener::Path {
                open: open_archive,
                unpacks: true,
            }),
            write: Some(Creator {
                writer,
                target: TargetKind::Built {
                    create: assembly::create_archive,
                    needs_file: true,
                    appends: false,
                },
            }),
            seal: Some(assembly::create_sealed_archive),
            dump: Some(dump_archive),
            ..Profile::BARE
        },
        cbh2::DATABASE,
        cbh2::ARCHIVE,
    ],
};

/// What a new database brings along, or makes out of date: marks, media, search boosters and keys.
const REPLACES: &[&str] = &[
    "flags", "ini", "cbb", "cbm", "cit", "cib", "cit2", "cib2", "cbgi", "cko", "cpo", "ckn", "cpn",
    "ck1", "ck2", "ck3", "cp1", "cp2", "cp3", "cbd", "cbo", "pgi",
];

const HOLDS: Holds = Holds {
    unknown_tags: false,
    tag_order: false,
    ..Holds::ALL
};

const LIMITS: &str =
    "16,777,215 games; 4 GiB of moves; names of 15 to 44 bytes; 1,024 nested variations";

/// The header of a header file: how much of it is in use, and records of 46 bytes. The version
/// behind them is 1, but 5 in databases that came from the newer format.
fn is_database(candidate: &Candidate<'_>) -> Certainty {
    let is_header = matches!(candidate.head, [0, 0, 44 | 36, 0, 46, 1..=9, ..]);
    Certainty::sure_if(is_header)
}

const EDITING: Editing = Editing {
    mark,
    replace: |path, game, entry| Ok(edit::replace(path, number(game), entry)?.losses),
    compact,
};

/// A number that has no room in the file is that of no game.
pub(super) fn number(game: u64) -> u32 {
    u32::try_from(game).unwrap_or(u32::MAX)
}

fn mark(path: &Path, games: &[u64], mark: Mark) -> io::Result<()> {
    let games: Vec<u32> = games.iter().copied().map(number).collect();
    let marked = match mark {
        Mark::Deleted => edit::delete(path, &games),
        Mark::Kept => edit::undelete(path, &games),
    };
    marked.map(drop)
}

fn compact(path: &Path) -> io::Result<Compacted> {
    let look = || -> io::Result<(u64, u64)> {
        let files = FileSet::open(path).map_err(io::Error::other)?;
        let sizes = FileKind::ALL.into_iter().filter_map(|kind| files.get(kind));
        let games = files.tables().map_err(io::Error::other)?.headers.len();
        Ok((sizes.map(|file| file.len() as u64).sum(), games.into()))
    };
    let (old_size, old_games) = look()?;
    edit::compact(path)?;
    let (size, games) = look()?;
    Ok(Compacted {
        games,
        deleted: old_games.saturating_sub(games),
        bytes: old_size.saturating_sub(size),
    })
}

fn writer(options: &registry::WriteOptions) -> Box<dyn GameWriter> {
    Box::new(RecordWriter::default().with_wishes(options.wishes()))
}

pub(super) fn read_options(options: &registry::ReadOptions) -> ReadOptions {
    ReadOptions {
        encoding: options.encoding,
        deleted: options.deleted,
        salvage: options.salvage,
    }
}

pub(super) fn source_error(error: DatabaseError) -> Error {
    let kind = match &error {
        DatabaseError::Archive(error) => match error.kind() {
            archive::ArchiveErrorKind::NeedsPassword => ErrorKind::NeedsPassword,
            _ => ErrorKind::Damaged,
        },
        DatabaseError::Headers(_) | DatabaseError::NewHeaders => ErrorKind::Damaged,
        DatabaseError::Files(_) | DatabaseError::Interrupted(_) => ErrorKind::Io,
    };
    Error::new(kind, error)
}

fn open_database(
    file: LocalFile,
    options: &registry::ReadOptions,
) -> Result<Box<dyn crate::Database>, Error> {
    let database = Database::open(file.path(), read_options(options)).map_err(source_error)?;
    Ok(Box::new(database))
}

fn open_archive(
    file: LocalFile,
    options: &registry::ReadOptions,
) -> Result<Box<dyn crate::Database>, Error> {
    let password = options.password.as_deref();
    let database = Database::open_archive(file.path(), password, read_options(options));
    Ok(Box::new(database.map_err(source_error)?))
}

fn dump_database(
    file: LocalFile,
    game: u64,
    options: &registry::ReadOptions,
) -> Result<Dump, Error> {
    let database = Database::open(file.path(), read_options(options)).map_err(source_error)?;
    database
        .explain(game)
        .ok_or_else(|| Error::no_such_game(game))
}

fn dump_archive(
    file: LocalFile,
    game: u64,
    options: &registry::ReadOptions,
) -> Result<Dump, Error> {
    let password = options.password.as_deref();
    let database = Database::open_archive(file.path(), password, read_options(options));
    let database = database.map_err(source_error)?;
    database
        .explain(game)
        .ok_or_else(|| Error::no_such_game(game))
}
