//! jose as the registry knows it.

use std::io;

use tabiya_game::{Error, ErrorKind};

use super::{
    ArchiveError, Files, Josedb, JosedbTarget, Profile as Stream, Program, ProgramOptions,
    ReadOptions, RecordWriter, is_table_file, recognise_archive, recognise_josedb,
};
use crate::{
    Database, GameWriter, Part,
    dump::Dump,
    io::{InputLimits, Progress},
    registry::{
        self, Candidate, Certainty, Creator, Explainer, FormatInfo, Holds, LocalFile, OpenFile,
        OpenResult, Opener, OptionInfo, OptionKind, Profile, WriteOptions,
    },
    stream::StreamCodec,
    target::{Destination, Target},
};

/// One byte a move.
pub static FORMAT: FormatInfo = FormatInfo {
    name: "jose",
    title: "one byte a move, with variations, comments and all else",
    profiles: &[&Document, &OfProgram, &Store],
};

/// Whether dates of the program's databases are a day early, as in the archives that were
/// published.
pub const DATE_FIX: OptionInfo = OptionInfo {
    name: "jose-date-fix",
    help: "Dates of a jose database are a day early, as in the archives that were published",
    kind: OptionKind::Flag,
};

const LIMITS: &str =
    "NAGs up to 255; of a set-up two knights, bishops and rooks and a queen a side";

struct Document;

impl Profile for Document {
    fn name(&self) -> &'static str {
        "document"
    }

    fn title(&self) -> &'static str {
        "the stream of the document in an SQLite database, column Game.GameText"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["josedb"]
    }

    fn holds(&self) -> Holds {
        Holds::ALL
    }

    fn limits(&self) -> &'static str {
        LIMITS
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Certainty {
        recognise_josedb(candidate.head)
    }

    fn read(&self) -> Option<Opener<'_>> {
        Some(Opener::File {
            open: self,
            unpacks: false,
        })
    }

    fn write(&self) -> Option<&dyn Creator> {
        Some(self)
    }

    fn dump(&self) -> Option<&dyn Explainer> {
        Some(self)
    }

    fn stream(&self) -> Option<&dyn StreamCodec> {
        Some(&Stream::Document)
    }
}

impl OpenFile for Document {
    fn open_file(&self, file: LocalFile, options: &registry::ReadOptions) -> OpenResult {
        let josedb = Josedb::open(file.path()).map_err(damaged)?;
        let database = josedb.with_options(moves(options));
        Ok(Box::new(OpenJosedb {
            database,
            _file: file,
        }))
    }
}

/// A database that is read while its file, perhaps a copy, is there.
struct OpenJosedb {
    database: Josedb,
    _file: LocalFile,
}

impl Database for OpenJosedb {
    fn next_part(&mut self) -> Result<Option<Box<dyn Part>>, Error> {
        self.database.next_part()
    }

    fn progress(&self) -> Option<Progress> {
        self.database.progress()
    }
}

impl Creator for Document {
    fn writer(&self, options: &WriteOptions) -> Box<dyn GameWriter> {
        Box::new(RecordWriter::new().with_wishes(options.wishes()))
    }

    fn target(
        &self,
        destination: Destination<'_>,
        _: &WriteOptions,
    ) -> io::Result<Box<dyn Target>> {
        let target = match destination {
            Destination::Append(path) if path.exists() => JosedbTarget::append(path),
            Destination::Append(path) | Destination::New(path) => JosedbTarget::create(path),
            Destination::Stdout => {
                return Err(io::Error::other("a .josedb needs the name of a file"));
            }
        };
        Ok(Box::new(target.map_err(damaged)?))
    }

    fn needs_file(&self) -> bool {
        true
    }
}

impl Explainer for Document {
    fn explain(
        &self,
        file: LocalFile,
        game: u64,
        _: &registry::ReadOptions,
    ) -> Result<Dump, Error> {
        let josedb = Josedb::open(file.path()).map_err(damaged)?;
        let dump = josedb.explain(game - 1).map_err(damaged)?;
        dump.ok_or_else(|| Error::no_such_game(game))
    }
}

struct OfProgram;

impl Profile for OfProgram {
    fn name(&self) -> &'static str {
        "program"
    }

    fn title(&self) -> &'static str {
        "databases of the program jose: archives, and folders of MyISAM tables"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["jose"]
    }

    fn holds(&self) -> Holds {
        Holds {
            tag_order: false,
            ..Holds::ALL
        }
    }

    fn limits(&self) -> &'static str {
        LIMITS
    }

    fn options(&self) -> &'static [OptionInfo] {
        &[DATE_FIX]
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Certainty {
        is_program(candidate)
    }

    fn read(&self) -> Option<Opener<'_>> {
        Some(Opener::File {
            open: self,
            unpacks: true,
        })
    }

    fn dump(&self) -> Option<&dyn Explainer> {
        Some(self)
    }

    fn stream(&self) -> Option<&dyn StreamCodec> {
        Some(&Stream::Program)
    }
}

impl OpenFile for OfProgram {
    fn open_file(&self, file: LocalFile, options: &registry::ReadOptions) -> OpenResult {
        let options = ProgramOptions {
            date_fix: options.settings.flag(&DATE_FIX),
            moves: moves(options),
        };
        Ok(Box::new(open_program(&file, options)?))
    }
}

impl Explainer for OfProgram {
    fn explain(
        &self,
        file: LocalFile,
        game: u64,
        _: &registry::ReadOptions,
    ) -> Result<Dump, Error> {
        let mut program = open_program(&file, ProgramOptions::default())?;
        let dump = program.explain(game - 1).map_err(damaged)?;
        dump.ok_or_else(|| Error::no_such_game(game))
    }
}

fn open_program(file: &LocalFile, options: ProgramOptions) -> Result<Program, Error> {
    let files = Files::open(file.path(), &InputLimits::default()).map_err(not_opened)?;
    Program::open(&files, options).map_err(damaged)
}

struct Store;

impl Profile for Store {
    fn name(&self) -> &'static str {
        "store"
    }

    fn title(&self) -> &'static str {
        "the stream of tabiya's own database, which holds everything"
    }

    fn holds(&self) -> Holds {
        Holds {
            variations: true,
            comments: true,
            nags: true,
            ..Holds::MOVES
        }
    }

    fn stream(&self) -> Option<&dyn StreamCodec> {
        Some(&Stream::Store)
    }
}

fn damaged(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(ErrorKind::Damaged, error)
}

fn not_opened(error: ArchiveError) -> Error {
    match error {
        ArchiveError::Rar => Error::new(ErrorKind::Foreign, error),
        error => damaged(error),
    }
}

/// How moves are read.
fn moves(options: &registry::ReadOptions) -> ReadOptions {
    ReadOptions {
        limits: options.limits,
        ..ReadOptions::default()
    }
}

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
