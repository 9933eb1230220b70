//! jose as the registry knows it.

use std::io;

use tabiya_game::{Error, ErrorKind};

use super::{
    Files, Josedb, JosedbTarget, Profile as Stream, Program, ProgramOptions, ReadOptions,
    RecordWriter, is_table_file, recognise_archive, recognise_josedb,
};
use crate::{
    Database, Part,
    dump::Dump,
    io::{InputLimits, Progress},
    registry::{
        self, Candidate, Certainty, Creator, FormatInfo, Holds, LocalFile, Opener, Profile,
        TargetKind,
    },
    target::{Destination, Target},
};

/// One byte a move.
pub const FORMAT: FormatInfo = FormatInfo {
    name: "jose",
    title: "one byte a move, with variations, comments and all else",
    profiles: &[
        Profile {
            name: "document",
            title: "the stream of the document in an SQLite database, column Game.GameText",
            extensions: &["josedb"],
            holds: Holds::ALL,
            limits: LIMITS,
            recognise: |candidate| recognise_josedb(candidate.head),
            read: Some(Opener::Path {
                open: open_document,
                unpacks: false,
            }),
            write: Some(Creator {
                writer: |options| Box::new(RecordWriter::new().with_wishes(options.wishes())),
                target: TargetKind::Built {
                    create,
                    needs_file: true,
                    appends: true,
                },
            }),
            dump: Some(dump_document),
            stream: Some(&Stream::Document),
            ..Profile::BARE
        },
        Profile {
            name: "program",
            title: "databases of the program jose: archives, and folders of MyISAM tables",
            extensions: &["jose"],
            holds: Holds {
                tag_order: false,
                ..Holds::ALL
            },
            limits: LIMITS,
            recognise: is_program,
            read: Some(Opener::Path {
                open: open_program,
                unpacks: true,
            }),
            write: None,
            dump: Some(dump_program),
            stream: Some(&Stream::Program),
            ..Profile::BARE
        },
        Profile {
            name: "store",
            title: "the stream of tabiya's own database, which holds everything",
            holds: Holds {
                variations: true,
                comments: true,
                nags: true,
                ..Holds::MOVES
            },
            stream: Some(&Stream::Store),
            ..Profile::BARE
        },
    ],
};

const LIMITS: &str =
    "NAGs up to 255; of a set-up two knights, bishops and rooks and a queen a side";

fn is_program(candidate: &Candidate<'_>) -> Certainty {
    let Some(path) = candidate.path else {
        return Certainty::No;
    };
    let tables = |name: &String| is_table_file(name.as_ref());
    if candidate.folder {
        let found = path.read_dir().into_iter().flatten().flatten();
        return Certainty::sure_if(found.into_iter().any(|file| is_table_file(&file.path())));
    }
    Certainty::sure_if(
        is_table_file(path)
            || candidate.members.iter().any(tables)
            || candidate.has_extension("jose") && candidate.head.starts_with(b"Rar!")
            || recognise_archive(candidate.head) == Certainty::Sure,
    )
}

fn damaged(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(ErrorKind::Damaged, error)
}

fn dump_program(file: LocalFile, game: u64, _: &registry::ReadOptions) -> Result<Dump, Error> {
    let files = Files::open(file.path(), &InputLimits::default()).map_err(damaged)?;
    let program = Program::open(&files, ProgramOptions::default());
    let dump = program.map_err(damaged)?.explain(game - 1);
    let dump = dump.map_err(damaged)?;
    dump.ok_or_else(|| Error::no_such_game(game))
}

fn dump_document(file: LocalFile, game: u64, _: &registry::ReadOptions) -> Result<Dump, Error> {
    let josedb = Josedb::open(file.path()).map_err(damaged)?;
    let dump = josedb.explain(game - 1).map_err(damaged)?;
    dump.ok_or_else(|| Error::no_such_game(game))
}

fn open_program(
    file: LocalFile,
    options: &registry::ReadOptions,
) -> Result<Box<dyn Database>, Error> {
    let files = Files::open(file.path(), &InputLimits::default()).map_err(damaged)?;
    let options = ProgramOptions {
        date_fix: options.jose_date_fix,
        moves: ReadOptions {
            limits: options.limits,
            ..ReadOptions::default()
        },
    };
    let program = Program::open(&files, options).map_err(damaged)?;
    Ok(Box::new(program))
}

fn open_document(
    file: LocalFile,
    options: &registry::ReadOptions,
) -> Result<Box<dyn Database>, Error> {
    let josedb = Josedb::open(file.path()).map_err(damaged)?;
    let database = josedb.with_options(ReadOptions {
        limits: options.limits,
        ..ReadOptions::default()
    });
    Ok(Box::new(OpenFile {
        database,
        _file: file,
    }))
}

/// A database that is read while its file, perhaps a copy, is there.
struct OpenFile {
    database: Josedb,
    _file: LocalFile,
}

impl Database for OpenFile {
    fn next_part(&mut self) -> Result<Option<Box<dyn Part>>, Error> {
        self.database.next_part()
    }

    fn progress(&self) -> Option<Progress> {
        self.database.progress()
    }
}

fn create(destination: Destination<'_>) -> io::Result<Box<dyn Target>> {
    let target = match destination {
        Destination::Append(path) if path.exists() => JosedbTarget::append(path),
        Destination::Append(path) | Destination::New(path) => JosedbTarget::create(path),
        Destination::Stdout => {
            return Err(io::Error::other("a .josedb needs the name of a file"));
        }
    };
    Ok(Box::new(target.map_err(damaged)?))
}
