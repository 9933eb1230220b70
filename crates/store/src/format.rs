//! The store as the registry knows it.

use std::{io, ops::Range, path::Path, sync::Arc};

use tabiya_formats::{
    Destination, GameWriter, Records, Target,
    dump::{Dump, Line},
    jose,
    registry::{
        Candidate, Certainty, Compacted, Creator, Deletion, Editing, Explainer, FormatInfo, Holds,
        LocalFile, OpenFile, OpenResult, Opener, OptionInfo, OptionKind, Profile, ReadOptions,
        WriteOptions,
    },
    stream::StreamCodec,
};
use tabiya_game::{Error, ErrorKind, Losses};

use crate::{
    Store,
    database::Games,
    disk::System,
    import::Importer,
    manifest,
    row::{Kind, Row},
    snapshot::has_segments,
    writer::{RECORDS, RowWriter},
};

/// The store.
pub static FORMAT: FormatInfo = FormatInfo {
    name: "tabiya",
    title: "tabiya's own database, a folder of Arrow files",
    profiles: &[&Folder],
};

/// About how many bytes of memory an import may use: `512M`, `2G`.
pub const MEMORY: OptionInfo = OptionInfo {
    name: "memory",
    help: "About how much memory is used while games are written: 512M, 2G",
    kind: OptionKind::Text,
};

/// Games come in without an index of positions.
pub const NO_INDEX: OptionInfo = OptionInfo {
    name: "no-index",
    help: "Make no index of positions",
    kind: OptionKind::Flag,
};

/// The only profile.
struct Folder;

impl Profile for Folder {
    fn title(&self) -> &'static str {
        "everything that a game can have, nothing lost, nothing limited"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["tabiya"]
    }

    fn owns_folder(&self) -> bool {
        true
    }

    fn holds(&self) -> Holds {
        Holds::ALL
    }

    fn options(&self) -> &'static [OptionInfo] {
        &[MEMORY, NO_INDEX]
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Certainty {
        let is_store = |folder: &Path| {
            let is_called_so = candidate.has_extension("tabiya");
            // A manifest that is damaged or gone was one, where the name of the folder says so.
            match manifest::SEAL.is_on(&folder.join(manifest::NAME)) {
                Ok(is_ours) => is_ours || is_called_so,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    is_called_so && has_segments(&System, folder)
                }
                Err(_) => is_called_so,
            }
        };
        Certainty::sure_if(candidate.folder && candidate.path.is_some_and(is_store))
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

impl OpenFile for Folder {
    fn open_file(&self, file: LocalFile, options: &ReadOptions) -> OpenResult {
        let store = match options.salvage {
            true => Store::salvage(file.path())?,
            false => Store::open(file.path())?,
        };
        Ok(Box::new(Games::new(store, options)))
    }
}

impl Creator for Folder {
    fn writer(&self, options: &WriteOptions) -> Box<dyn GameWriter> {
        Box::new(RowWriter::new(options.wishes()))
    }

    fn target(
        &self,
        destination: Destination<'_>,
        options: &WriteOptions,
    ) -> io::Result<Box<dyn Target>> {
        let importer = match destination {
            Destination::New(path) => Importer::begin_anew(Arc::new(System), path)?,
            Destination::Append(path) => Store::import(path)?,
            Destination::Stdout => {
                let message = "a database is a folder, and cannot be written to standard output";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
        };
        Ok(Box::new(importer.with_options(options)?))
    }

    fn needs_file(&self) -> bool {
        true
    }
}

/// The least memory that makes sense.
const LEAST_MEMORY: usize = 16 << 20;

/// How much memory a text means: `512M`, `2G`, `1048576K` or a number of bytes.
///
/// ```
/// assert_eq!(tabiya_store::memory_size("512M")?, 512 << 20);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If it is none, or too little to do anything with.
pub fn memory_size(text: &str) -> io::Result<usize> {
    let wrong = || {
        let message = format!("{text:?} is no size: expected 16M or more, as in 512M or 2G");
        io::Error::new(io::ErrorKind::InvalidInput, message)
    };
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match text[digits.len()..].trim().to_ascii_lowercase().as_str() {
        "" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => return Err(wrong()),
    };
    let number: usize = digits.parse().map_err(|_| wrong())?;
    let bytes = number.checked_mul(unit);
    bytes
        .filter(|bytes| *bytes >= LEAST_MEMORY)
        .ok_or_else(wrong)
}

impl Target for Importer {
    fn add(&mut self, records: &Records, which: Range<usize>) -> io::Result<()> {
        Ok(self.add_rows(records.slice(RECORDS, which)?)?)
    }

    fn finish(self: Box<Self>) -> io::Result<Vec<String>> {
        let imported = Importer::finish(*self)?;
        Ok(match imported.merge() {
            Ok(_) => Vec::new(),
            // The games are there: the next import tries again.
            Err(error) => vec![format!("small parts could not be put together: {error}")],
        })
    }
}

impl Editing for Folder {
    fn set_deletion(&self, path: &Path, games: &[u64], deletion: Deletion) -> io::Result<()> {
        Ok(Store::open(path)?.mark(games, deletion == Deletion::Deleted)?)
    }

    fn replace(&self, path: &Path, game: u64, records: &Records) -> io::Result<Losses> {
        Store::open(path)?.replace_row(game, records.only(RECORDS)?)?;
        Ok(Losses::default())
    }

    fn compact(&self, path: &Path) -> io::Result<Compacted> {
        let before = Store::open(path)?;
        before.compact()?;
        let after = Store::open(path)?;
        Ok(Compacted {
            games: after.count(),
            deleted: before.deleted(),
            bytes: before.bytes().saturating_sub(after.bytes()),
        })
    }
}

impl Explainer for Folder {
    fn explain(&self, file: LocalFile, game: u64, _: &ReadOptions) -> Result<Dump, Error> {
        let store = Store::open(file.path())?;
        let mut row = Row::default();
        let id = game
            .checked_sub(1)
            .ok_or_else(|| Error::no_such_game(game))?;
        store.snapshot().row(id, &mut row)?;
        let mut dump = Dump::default();
        if row.kind == Kind::Game {
            let (variant, start) = (row.variant, row.start.as_deref());
            let wrong = |_| Error::new(ErrorKind::Damaged, "the start position is none");
            let start = jose::Head { variant, start }.position().map_err(wrong)?;
            let streams = row.body.clone().into();
            dump = jose::Profile::Store.explain(&streams, &start);
        } else {
            dump.section("contents");
            dump.push(Line::new(0, row.body.clone(), row.kind.name()));
        }
        let notes = [
            (
                "shapes",
                &row.notes.shapes,
                "shapes of comments: runs of plies and their shape",
            ),
            (
                "clocks",
                &row.notes.clocks,
                "time left: differences to two plies before",
            ),
            ("time_spent", &row.notes.spent, "time spent"),
            (
                "evaluations",
                &row.notes.scores,
                "evaluations: differences to the one before",
            ),
            ("judgements", &row.notes.judgements, "judgements of moves"),
        ];
        if !row.tags.is_empty() {
            dump.section("tags");
        }
        for (name, value) in row.tags.iter() {
            dump.push(Line::new(0, value.as_bytes(), format!("{name}: {value}")));
        }
        for (column, bytes, meaning) in notes {
            if !bytes.is_empty() {
                dump.section(format!("column {column}"));
                dump.push(Line::new(0, bytes.clone(), meaning));
            }
        }
        Ok(dump)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_told_in_bytes_or_larger_units() {
        for (text, expected) in [
            ("512M", 512 << 20),
            ("2 g", 2 << 30),
            ("16777216", 16 << 20),
        ] {
            assert_eq!(memory_size(text).unwrap(), expected, "{text}");
        }
        for text in ["", "M", "1M", "12x", "-1G", "99999999999999G"] {
            assert!(memory_size(text).is_err(), "{text}");
        }
    }
}
