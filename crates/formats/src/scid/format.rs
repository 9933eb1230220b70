//! Scid as the registry knows it.

use std::{io, path::Path};

use tabiya_game::{Error, Losses};

use super::{
    Builder, Editor, Scid, Version, Writer, compact, explain_game,
    files::{self, split},
    index::{si4, si5},
    names::sn4,
    pending::RECORDS,
    tell,
};
use crate::{
    GameWriter, Records,
    dump::Dump,
    registry::{
        self, Candidate, Certainty, Compacted, Creator, Deletion, Editing, Explainer, FormatInfo,
        Holds, LocalFile, OpenFile, OpenResult, Opener, Profile, WriteOptions,
    },
    target::{Destination, Target},
};

/// Databases of Scid.
pub static FORMAT: FormatInfo = FormatInfo {
    name: "scid",
    title: "databases of Scid, three files each",
    profiles: &[
        &Files {
            version: Version::Si5,
            name: "si5",
            title: "version 5: .si5, .sn5 and .sg5",
            extensions: &["si5", "sn5", "sg5"],
            chess960: true,
            limits: "128 KiB a game, one comment and 7 NAGs a move, 255 bytes a tag",
        },
        &Files {
            version: Version::Si4,
            name: "si4",
            title: "version 4: .si4, .sn4 and .sg4",
            extensions: &["si4", "sn4", "sg4"],
            chess960: false,
            limits: "16,777,214 games, 4 GiB, 128 KiB a game, one comment and 7 NAGs a move, 255 \
                     bytes a tag",
        },
    ],
};

/// A version of the files.
struct Files {
    version: Version,
    name: &'static str,
    title: &'static str,
    extensions: &'static [&'static str],
    chess960: bool,
    limits: &'static str,
}

impl Profile for Files {
    fn name(&self) -> &'static str {
        self.name
    }

    fn title(&self) -> &'static str {
        self.title
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.extensions
    }

    fn several_files(&self) -> bool {
        true
    }

    fn is_interrupted(&self, path: &Path) -> bool {
        let files = files::Files::named(self.version, path);
        files.pending().index.exists()
    }

    fn holds(&self) -> Holds {
        Holds {
            chess960: self.chess960,
            // Many tags have a field in the index, and come back in the order of the fields.
            tag_order: false,
            ..Holds::ALL
        }
    }

    fn limits(&self) -> &'static str {
        self.limits
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Certainty {
        recognise(candidate, self.version)
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

impl OpenFile for Files {
    fn open_file(&self, file: LocalFile, options: &registry::ReadOptions) -> OpenResult {
        let options = tell::ReadOptions {
            encoding: options.encoding,
            limits: options.limits,
            deleted: options.deleted,
            salvage: options.salvage,
        };
        Ok(Box::new(Scid::open(file.path(), options)?))
    }
}

impl Creator for Files {
    fn writer(&self, options: &WriteOptions) -> Box<dyn GameWriter> {
        Box::new(Writer::new(self.version).with_wishes(options.wishes()))
    }

    fn target(
        &self,
        destination: Destination<'_>,
        _: &WriteOptions,
    ) -> io::Result<Box<dyn Target>> {
        let builder = match destination {
            Destination::New(path) => Builder::create(self.version, path)?,
            Destination::Append(path) => Builder::append(self.version, path)?,
            Destination::Stdout => {
                let message = "a database of three files cannot be written to standard output";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
        };
        Ok(Box::new(builder))
    }

    fn needs_file(&self) -> bool {
        true
    }
}

impl Editing for Files {
    fn set_deletion(&self, path: &Path, games: &[u64], deletion: Deletion) -> io::Result<()> {
        let mut editor = Editor::open(path)?;
        for &game in games {
            match deletion {
                Deletion::Deleted => editor.delete(game)?,
                Deletion::Kept => editor.undelete(game)?,
            }
        }
        editor.commit()
    }

    fn replace(&self, path: &Path, game: u64, record: &Records) -> io::Result<Losses> {
        let mut editor = Editor::open(path)?;
        editor.replace(game, record.get(RECORDS)?)?;
        editor.commit()?;
        // Games share nothing but names, which are the same or others.
        Ok(Losses::default())
    }

    fn compact(&self, path: &Path) -> io::Result<Compacted> {
        compact(path)
    }
}

impl Explainer for Files {
    fn explain(
        &self,
        file: LocalFile,
        game: u64,
        _: &registry::ReadOptions,
    ) -> Result<Dump, Error> {
        let scid = Scid::open(file.path(), tell::ReadOptions::default())?;
        explain_game(&scid, game).ok_or_else(|| Error::no_such_game(game))
    }
}
