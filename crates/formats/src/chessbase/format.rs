//! ChessBase as the registry knows it.

use std::io;

use tabiya_game::SourceError;

use super::{Database, DatabaseError, ReadOptions, archive, assembly, writer::RecordWriter};
use crate::{
    GameWriter,
    dump::Dump,
    registry::{
        self, Candidate, Certainty, Creator, FormatInfo, Holds, LocalFile, Opener, Profile,
        TargetKind, no_such_game,
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
            dump: Some(dump_database),
            stream: None,
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
            dump: Some(dump_archive),
            stream: None,
        },
    ],
};

const HOLDS: Holds = Holds {
    unknown_tags: false,
    tag_order: false,
    ..Holds::ALL
};

const LIMITS: &str = "16,777,215 games; names of 19 to 44 letters; 1,024 nested variations";

/// The header of a header file: versions, and records of 46 bytes.
fn is_database(candidate: &Candidate<'_>) -> Certainty {
    let marks: [&[u8]; 2] = [b"\x00\x00\x2c\x00\x2e\x01", b"\x00\x00\x24\x00\x2e\x01"];
    Certainty::sure_if(marks.iter().any(|mark| candidate.head.starts_with(mark)))
}

fn writer(options: &registry::WriteOptions) -> Box<dyn GameWriter> {
    Box::new(RecordWriter::default().with_wishes(options.wishes()))
}

fn read_options(options: &registry::ReadOptions) -> ReadOptions {
    ReadOptions {
        encoding: options.encoding,
        deleted: options.deleted,
    }
}

fn source_error(error: DatabaseError) -> SourceError {
    io::Error::other(error).into()
}

/// Whether a database could be opened if its password were known.
pub(crate) fn needs_password(error: &SourceError) -> bool {
    let SourceError::Io(error) = error else {
        return false;
    };
    let error = error.get_ref().and_then(|error| error.downcast_ref());
    let Some(DatabaseError::Archive(error)) = error else {
        return false;
    };
    matches!(error.kind(), archive::ArchiveErrorKind::NeedsPassword)
}

fn open_database(
    file: LocalFile,
    options: &registry::ReadOptions,
) -> Result<Box<dyn crate::Database>, SourceError> {
    let database = Database::open(file.path(), read_options(options)).map_err(source_error)?;
    Ok(Box::new(database))
}

fn open_archive(
    file: LocalFile,
    options: &registry::ReadOptions,
) -> Result<Box<dyn crate::Database>, SourceError> {
    let password = options.password.as_deref();
    let database = Database::open_archive(file.path(), password, read_options(options));
    Ok(Box::new(database.map_err(source_error)?))
}

fn dump_database(
    file: LocalFile,
    game: u64,
    options: &registry::ReadOptions,
) -> Result<Dump, SourceError> {
    let database = Database::open(file.path(), read_options(options)).map_err(source_error)?;
    database.explain(game).ok_or_else(|| no_such_game(game))
}

fn dump_archive(
    file: LocalFile,
    game: u64,
    options: &registry::ReadOptions,
) -> Result<Dump, SourceError> {
    let password = options.password.as_deref();
    let database = Database::open_archive(file.path(), password, read_options(options));
    let database = database.map_err(source_error)?;
    database.explain(game).ok_or_else(|| no_such_game(game))
}
