//! Scid as the registry knows it.

use std::{io, path::Path};

use tabiya_game::{Error, Losses};

use super::{
    Builder, Editor, Scid, Version, Writer, compact, explain_game,
    files::{Files, split},
    index::{si4, si5},
    names::sn4,
    tell,
};
use crate::{
    Database, GameWriter,
    dump::Dump,
    registry::{
        self, Candidate, Certainty, Creator, Editing, FormatInfo, Holds, LocalFile, Mark, Opener,
        Profile, TargetKind,
    },
    target::{Destination, Target},
};

/// Databases of Scid.
pub const FORMAT: FormatInfo = FormatInfo {
    name: "scid",
    title: "databases of Scid, three files each",
    profiles: &[
        Profile {
            name: "si5",
            title: "version 5: .si5, .sn5 and .sg5",
            extensions: &["si5", "sn5", "sg5"],
            several_files: true,
            is_interrupted,
            holds: HOLDS,
            limits: "128 KiB a game, one comment and 7 NAGs a move, 255 bytes a tag",
            recognise: |candidate| recognise(candidate, Version::Si5),
            read: Some(OPENER),
            write: Some(Creator {
                writer: |options| writer(Version::Si5, options),
                target: TargetKind::Built {
                    create: |destination| create(Version::Si5, destination),
                    needs_file: true,
                    appends: true,
                },
            }),
            edit: Some(EDITING),
            dump: Some(dump),
            ..Profile::BARE
        },
        Profile {
            name: "si4",
            title: "version 4: .si4, .sn4 and .sg4",
            extensions: &["si4", "sn4", "sg4"],
            several_files: true,
            is_interrupted,
            holds: Holds {
                chess960: false,
                ..HOLDS
            },
            limits: "16,777,214 games, 4 GiB, 128 KiB a game, one comment and 7 NAGs a move, 255 \
                     bytes a tag",
            recognise: |candidate| recognise(candidate, Version::Si4),
            read: Some(OPENER),
            write: Some(Creator {
                writer: |options| writer(Version::Si4, options),
                target: TargetKind::Built {
                    create: |destination| create(Version::Si4, destination),
                    needs_file: true,
                    appends: true,
                },
            }),
            edit: Some(EDITING),
            dump: Some(dump),
            ..Profile::BARE
        },
    ],
};

const HOLDS: Holds = Holds {
    // Many tags have a field in the index, and come back in the order of the fields.
    tag_order: false,
    ..Holds::ALL
};

const OPENER: Opener = Opener::Path {
    open,
    unpacks: false,
};

const EDITING: Editing = Editing {
    mark,
    replace,
    compact: |path| compact(path),
};

/// A new state waits for its names.
fn is_interrupted(path: &Path) -> bool {
    let versions = [Version::Si4, Version::Si5].into_iter();
    let mut files = versions.map(|version| Files::named(version, path));
    files.any(|files| files.pending().index.exists())
}

/// The index and the names of version 4 have magics. All else has only its extension and, in the
/// index of version 5, records of one size.
fn recognise(candidate: &Candidate<'_>, version: Version) -> Certainty {
    if candidate.folder {
        return Certainty::No;
    }
    let magic = [si4::MAGIC, sn4::MAGIC]
        .iter()
        .any(|magic| candidate.head.starts_with(magic));
    let named = candidate.path.and_then(split);
    Certainty::sure_if(match (version, named) {
        (Version::Si5, Some((_, Version::Si5, _))) => {
            let whole = |len| len % si5::RECORD as u64 == 0;
            !magic && (!candidate.has_extension("si5") || candidate.len.is_none_or(whole))
        }
        (Version::Si5, _) => false,
        (_, Some((_, Version::Si3 | Version::Si4, _))) => {
            // A game file has no mark, so its name has to do.
            magic || candidate.has_extension("sg4") || candidate.has_extension("sg3")
        }
        _ => magic,
    })
}

fn open(file: LocalFile, options: &registry::ReadOptions) -> Result<Box<dyn Database>, Error> {
    let options = tell::ReadOptions {
        encoding: options.encoding,
        limits: options.limits,
        deleted: options.deleted,
    };
    Ok(Box::new(Scid::open(file.path(), options)?))
}

fn writer(version: Version, options: &registry::WriteOptions) -> Box<dyn GameWriter> {
    Box::new(Writer::new(version).with_wishes(options.wishes()))
}

fn create(version: Version, destination: Destination<'_>) -> io::Result<Box<dyn Target>> {
    let builder = match destination {
        Destination::New(path) => Builder::create(version, path)?,
        Destination::Append(path) => Builder::append(version, path)?,
        Destination::Stdout => {
            let message = "a database of three files cannot be written to standard output";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
    };
    Ok(Box::new(builder))
}

fn mark(path: &Path, games: &[u64], mark: Mark) -> io::Result<()> {
    let mut editor = Editor::open(path)?;
    for &game in games {
        match mark {
            Mark::Deleted => editor.delete(game)?,
            Mark::Kept => editor.undelete(game)?,
        }
    }
    editor.commit()
}

fn replace(path: &Path, game: u64, record: &[u8]) -> io::Result<Losses> {
    let mut editor = Editor::open(path)?;
    editor.replace(game, record)?;
    editor.commit()?;
    // Games share nothing but names, which are the same or others.
    Ok(Losses::default())
}

fn dump(file: LocalFile, game: u64, _: &registry::ReadOptions) -> Result<Dump, Error> {
    let scid = Scid::open(file.path(), tell::ReadOptions::default())?;
    explain_game(&scid, game).ok_or_else(|| Error::no_such_game(game))
}
