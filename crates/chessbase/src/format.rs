//! ChessBase as the registry knows it.

use std::{io, path::Path};

use tabiya_game::{Error, Losses};

use super::{
    Database, archive, assembly, cbh2, edit,
    files::{FileKind, set::FileSet},
    opening::{number, read_options, source_error},
    writer::{RECORDS, RecordWriter},
};
use tabiya_formats::{
    Destination, GameWriter, Records, Target,
    dump::Dump,
    registry::{
        self, Candidate, Certainty, Compacted, Creator, Deletion, Editing, Explainer, FormatInfo,
        Holds, LocalFile, OpenFile, OpenResult, Opener, OptionInfo, PASSWORD, Profile,
        WriteOptions,
    },
};

/// Databases of ChessBase.
pub static FORMAT: FormatInfo = FormatInfo {
    name: "chessbase",
    title: "databases of ChessBase and their archives",
    profiles: &[&Files, &Archive, &cbh2::Files, &cbh2::Archive],
};

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

/// A database as files.
struct Files;

impl Profile for Files {
    fn name(&self) -> &'static str {
        "cbh"
    }

    fn title(&self) -> &'static str {
        "a .cbh file with its companions"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[
            "cbh", "cbg", "cba", "cbj", "cbp", "cbt", "cbtt", "cbc", "cbs", "cbe", "cbl",
        ]
    }

    fn companions(&self) -> &'static [&'static str] {
        &["cbb", "cbm", "flags", "ini"]
    }

    /// What a new database brings along, or makes out of date: marks, media, search boosters, keys.
    fn replaces(&self) -> &'static [&'static str] {
        &[
            "flags", "ini", "cbb", "cbm", "cit", "cib", "cit2", "cib2", "cbgi", "cko", "cpo",
            "ckn", "cpn", "ck1", "ck2", "ck3", "cp1", "cp2", "cp3", "cbd", "cbo", "pgi",
        ]
    }

    fn is_interrupted(&self, path: &Path) -> bool {
        assembly::swap::is_interrupted(path)
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
        is_database(candidate)
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
    fn open(file: &LocalFile, options: &registry::ReadOptions) -> Result<Database, Error> {
        Database::open(file.path(), read_options(options)).map_err(source_error)
    }
}

impl OpenFile for Files {
    fn open_file(&self, file: LocalFile, options: &registry::ReadOptions) -> OpenResult {
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
        assembly::create_database(destination)
    }

    fn target_loses(&self) -> bool {
        true
    }

    fn needs_file(&self) -> bool {
        true
    }
}

impl Editing for Files {
    fn set_deletion(&self, path: &Path, games: &[u64], deletion: Deletion) -> io::Result<()> {
        let games: Vec<u32> = games.iter().copied().map(number).collect();
        let marked = match deletion {
            Deletion::Deleted => edit::delete(path, &games),
            Deletion::Kept => edit::undelete(path, &games),
        };
        marked.map(drop)
    }

    fn replace(&self, path: &Path, game: u64, record: &Records) -> io::Result<Losses> {
        Ok(edit::replace(path, number(game), record.only(RECORDS)?)?.losses)
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
    fn explain(
        &self,
        file: LocalFile,
        game: u64,
        options: &registry::ReadOptions,
    ) -> Result<Dump, Error> {
        let database = Files::open(&file, options)?;
        database
            .explain(game)
            .ok_or_else(|| Error::no_such_game(game))
    }
}

/// A database in one packed file.
struct Archive;

impl Profile for Archive {
    fn name(&self) -> &'static str {
        "archive"
    }

    fn title(&self) -> &'static str {
        "a database in one packed file, perhaps with a password"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["cbv", "cbz"]
    }

    fn holds(&self) -> Holds {
        HOLDS
    }

    fn limits(&self) -> &'static str {
        LIMITS
    }

    fn options(&self) -> &'static [OptionInfo] {
        &[PASSWORD]
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Certainty {
        Certainty::sure_if(archive::recognise(candidate.head))
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
    fn open(file: &LocalFile, options: &registry::ReadOptions) -> Result<Database, Error> {
        let password = options.settings.text(&PASSWORD);
        let database = Database::open_archive(file.path(), password, read_options(options));
        database.map_err(source_error)
    }
}

impl OpenFile for Archive {
    fn open_file(&self, file: LocalFile, options: &registry::ReadOptions) -> OpenResult {
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
        options: &WriteOptions,
    ) -> io::Result<Box<dyn Target>> {
        assembly::create_archive(destination, options.settings.text(&PASSWORD))
    }

    fn target_loses(&self) -> bool {
        true
    }

    fn needs_file(&self) -> bool {
        true
    }

    fn appends(&self) -> bool {
        false
    }
}

impl Explainer for Archive {
    fn explain(
        &self,
        file: LocalFile,
        game: u64,
        options: &registry::ReadOptions,
    ) -> Result<Dump, Error> {
        let database = Archive::open(&file, options)?;
        database
            .explain(game)
            .ok_or_else(|| Error::no_such_game(game))
    }
}

/// How many bytes the files of a database have, and how many entries there are.
fn measure(path: &Path) -> io::Result<(u64, u64)> {
    let files = FileSet::open(path).map_err(io::Error::other)?;
    let sizes = FileKind::ALL.into_iter().filter_map(|kind| files.get(kind));
    let games = files.tables().map_err(io::Error::other)?.headers.len();
    Ok((sizes.map(|file| file.len() as u64).sum(), games.into()))
}

fn writer(options: &WriteOptions) -> Box<dyn GameWriter> {
    Box::new(RecordWriter::default().with_wishes(options.wishes()))
}
