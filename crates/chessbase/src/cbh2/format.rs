//! The family as the registry knows it.

use std::{fs, io, path::Path};

use tabiya_formats::{
    Destination, GameWriter, Records, Target,
    dump::Dump,
    registry::{
        Candidate, Certainty, Compacted, Creator, Deletion, Editing, Explainer, Holds, LocalFile,
        OpenFile, OpenResult, Opener, Profile, ReadOptions, WriteOptions,
    },
};
use tabiya_game::{Error, Losses};

use super::{
    Database, archive,
    assembly::{create_archive, create_database},
    edit, header,
    set::{FileKind, FileSet},
    writer::{RECORDS, RecordWriter},
};
use crate::opening::{number, read_options, source_error};

const HOLDS: Holds = Holds {
    unknown_tags: false,
    tag_order: false,
    ..Holds::ALL
};

const LIMITS: &str =
    "2,147,483,646 games; names of 196 to 1,000 bytes; 1,024 nested variations; no antichess";

/// A database of several files.
pub(crate) struct Files;

impl Profile for Files {
    fn name(&self) -> &'static str {
        "2cbh"
    }

    fn title(&self) -> &'static str {
        "ChessBase 17 and later: a .2cbh file with its companions"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["2cbh", "2cbg", "2cba", "2lid", "2lgd", "2lcd"]
    }

    fn companions(&self) -> &'static [&'static str] {
        &["ini"]
    }

    fn is_interrupted(&self, path: &Path) -> bool {
        crate::assembly::swap::is_interrupted(path)
    }

    fn several_files(&self) -> bool {
        true
    }

    fn holds(&self) -> Holds {
        HOLDS
    }

    fn limits(&self) -> &'static str {
        LIMITS
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Certainty {
        // The first member of an archive is one, too.
        Certainty::sure_if(candidate.members.is_empty() && header::recognise(candidate.head))
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

    fn edit(&self) -> Option<&dyn Editing> {
        Some(self)
    }

    fn dump(&self) -> Option<&dyn Explainer> {
        Some(self)
    }
}

impl Files {
    fn open(file: &LocalFile, options: &ReadOptions) -> Result<Database, Error> {
        Database::open(file.path(), read_options(options)).map_err(source_error)
    }
}

impl OpenFile for Files {
    fn open_file(&self, file: LocalFile, options: &ReadOptions) -> OpenResult {
        Ok(Box::new(Files::open(&file, options)?))
    }
}

impl Creator for Files {
    fn writer(&self, options: &WriteOptions) -> Box<dyn GameWriter> {
        writer(options)
    }

    fn target(
        &self,
        destination: Destination<'_>,
        _: &WriteOptions,
    ) -> io::Result<Box<dyn Target>> {
        create_database(destination)
    }

    fn needs_file(&self) -> bool {
        true
    }
}

impl Editing for Files {
    fn set_deletion(&self, path: &Path, games: &[u64], deletion: Deletion) -> io::Result<()> {
        let games: Vec<u32> = games.iter().copied().map(number).collect();
        match deletion {
            Deletion::Deleted => edit::delete(path, &games),
            Deletion::Kept => edit::undelete(path, &games),
        }
    }

    fn replace(&self, path: &Path, game: u64, record: &Records) -> io::Result<Losses> {
        edit::replace(path, number(game), record.only(RECORDS)?)?;
        // Names that differ in anything are names of their own: no game loses because of another.
        Ok(Losses::default())
    }

    fn compact(&self, path: &Path) -> io::Result<Compacted> {
        let (old_size, old_games) = measure(path)?;
        edit::compact(path)?;
        let (size, games) = measure(path)?;
        Ok(Compacted {
            games,
            deleted: old_games.saturating_sub(games),
            bytes: old_size.saturating_sub(size),
        })
    }
}

impl Explainer for Files {
    fn explain(&self, file: LocalFile, game: u64, options: &ReadOptions) -> Result<Dump, Error> {
        let dump = Files::open(&file, options)?.explain(game);
        dump.ok_or_else(|| Error::no_such_game(game))
    }
}

/// The same as a zip archive.
pub(crate) struct Archive;

impl Profile for Archive {
    fn name(&self) -> &'static str {
        "2cbv"
    }

    fn title(&self) -> &'static str {
        "ChessBase 17 and later: a database in one zip archive"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["2cbv"]
    }

    fn holds(&self) -> Holds {
        HOLDS
    }

    fn limits(&self) -> &'static str {
        LIMITS
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Certainty {
        let is_cut = candidate.members.is_empty() && archive::begins_with_headers(candidate.head);
        Certainty::sure_if(is_cut || archive::is_archive(candidate.members))
    }

    fn read(&self) -> Option<Opener<'_>> {
        Some(Opener::File {
            open: self,
            unpacks: true,
        })
    }

    fn write(&self) -> Option<&dyn Creator> {
        Some(self)
    }

    fn dump(&self) -> Option<&dyn Explainer> {
        Some(self)
    }
}

impl Archive {
    fn open(file: &LocalFile, options: &ReadOptions) -> Result<Database, Error> {
        Database::open_archive(file.path(), read_options(options)).map_err(source_error)
    }
}

impl OpenFile for Archive {
    fn open_file(&self, file: LocalFile, options: &ReadOptions) -> OpenResult {
        Ok(Box::new(Archive::open(&file, options)?))
    }
}

impl Creator for Archive {
    fn writer(&self, options: &WriteOptions) -> Box<dyn GameWriter> {
        writer(options)
    }

    fn target(
        &self,
        destination: Destination<'_>,
        _: &WriteOptions,
    ) -> io::Result<Box<dyn Target>> {
        create_archive(destination)
    }

    fn needs_file(&self) -> bool {
        true
    }

    fn appends(&self) -> bool {
        false
    }
}

impl Explainer for Archive {
    fn explain(&self, file: LocalFile, game: u64, options: &ReadOptions) -> Result<Dump, Error> {
        let dump = Archive::open(&file, options)?.explain(game);
        dump.ok_or_else(|| Error::no_such_game(game))
    }
}

/// How many bytes the files of a database have, and how many entries there are.
fn measure(path: &Path) -> io::Result<(u64, u64)> {
    let files = FileSet::open(path).map_err(io::Error::other)?;
    let games = files.tables().map_or(0, |tables| tables.headers.len());
    let mut size = 0;
    for path in archive::database_files(path)? {
        let kind = path.extension().and_then(|it| it.to_str());
        if kind.and_then(FileKind::from_extension).is_some() {
            size += fs::metadata(path)?.len();
        }
    }
    Ok((size, games.into()))
}

fn writer(options: &WriteOptions) -> Box<dyn GameWriter> {
    Box::new(RecordWriter::default().with_wishes(options.wishes()))
}
