//! The family as the registry knows it.

use std::{io, path::Path};

use tabiya_game::{Error, Losses};

use super::{
    Database, archive,
    assembly::{create_archive, create_database},
    edit, header,
    set::{FileKind, FileSet},
    writer::RecordWriter,
};
use crate::{
    GameWriter,
    chessbase::format::{number, read_options, source_error},
    dump::Dump,
    registry::{
        Certainty, Compacted, Creator, Editing, Holds, LocalFile, Mark, Opener, Profile,
        ReadOptions, TargetKind, WriteOptions,
    },
};

/// A database of several files.
pub(in crate::chessbase) const DATABASE: Profile = Profile {
    name: "2cbh",
    title: "ChessBase 17 and later: a .2cbh file with its companions",
    extensions: &["2cbh", "2cbg", "2cba", "2lid", "2lgd", "2lcd"],
    companions: &["ini"],
    several_files: true,
    is_interrupted: crate::chessbase::assembly::swap::is_interrupted,
    holds: HOLDS,
    limits: LIMITS,
    // The first member of an archive is one, too.
    recognise: |candidate| {
        Certainty::sure_if(candidate.members.is_empty() && header::recognise(candidate.head))
    },
    read: Some(Opener::Path {
        open: open_database,
        unpacks: false,
    }),
    write: Some(Creator {
        writer,
        target: TargetKind::Built {
            create: create_database,
            needs_file: true,
            appends: true,
        },
    }),
    edit: Some(Editing {
        mark,
        // Names that differ in anything are names of their own: no game loses because of another.
        replace: |path, game, entry| {
            edit::replace(path, number(game), entry)?;
            Ok(Losses::default())
        },
        compact,
    }),
    dump: Some(dump_database),
    ..Profile::BARE
};

/// The same as a zip archive.
pub(in crate::chessbase) const ARCHIVE: Profile = Profile {
    name: "2cbv",
    title: "ChessBase 17 and later: a database in one zip archive",
    extensions: &["2cbv"],
    holds: HOLDS,
    limits: LIMITS,
    recognise: |candidate| Certainty::sure_if(archive::is_archive(candidate.members)),
    read: Some(Opener::Path {
        open: open_archive,
        unpacks: true,
    }),
    write: Some(Creator {
        writer,
        target: TargetKind::Built {
            create: create_archive,
            needs_file: true,
            appends: false,
        },
    }),
    dump: Some(dump_archive),
    ..Profile::BARE
};

const HOLDS: Holds = Holds {
    unknown_tags: false,
    tag_order: false,
    ..Holds::ALL
};

const LIMITS: &str =
    "2,147,483,646 games; names of 196 to 1,000 bytes; 1,024 nested variations; no antichess";

fn mark(path: &Path, games: &[u64], mark: Mark) -> io::Result<()> {
    let games: Vec<u32> = games.iter().copied().map(number).collect();
    match mark {
        Mark::Deleted => edit::delete(path, &games),
        Mark::Kept => edit::undelete(path, &games),
    }
}

fn compact(path: &Path) -> io::Result<Compacted> {
    let look = || -> io::Result<(u64, u64)> {
        let files = FileSet::open(path).map_err(io::Error::other)?;
        let sizes = FileKind::ALL.into_iter().filter_map(|kind| files.get(kind));
        let games = files.tables().map_or(0, |tables| tables.headers.len());
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

fn writer(options: &WriteOptions) -> Box<dyn GameWriter> {
    Box::new(RecordWriter::default().with_wishes(options.wishes()))
}

fn database(file: &LocalFile, options: &ReadOptions) -> Result<Database, Error> {
    Database::open(file.path(), read_options(options)).map_err(source_error)
}

fn packed(file: &LocalFile, options: &ReadOptions) -> Result<Database, Error> {
    Database::open_archive(file.path(), read_options(options)).map_err(source_error)
}

fn open_database(
    file: LocalFile,
    options: &ReadOptions,
) -> Result<Box<dyn crate::Database>, Error> {
    Ok(Box::new(database(&file, options)?))
}

fn open_archive(file: LocalFile, options: &ReadOptions) -> Result<Box<dyn crate::Database>, Error> {
    Ok(Box::new(packed(&file, options)?))
}

fn dump_database(file: LocalFile, game: u64, options: &ReadOptions) -> Result<Dump, Error> {
    let dump = database(&file, options)?.explain(game);
    dump.ok_or_else(|| Error::no_such_game(game))
}

fn dump_archive(file: LocalFile, game: u64, options: &ReadOptions) -> Result<Dump, Error> {
    let dump = packed(&file, options)?.explain(game);
    dump.ok_or_else(|| Error::no_such_game(game))
}
