//! Databases out to the world: Parquet, for DuckDB, Polars and Spark.
//!
//! An export is a folder: `games.parquet`, a row for each entry, and `positions/part-NNNN.parquet`, a
//! row for each ply of each game, sorted by the position it was played in. `docs/store.md` lists the
//! columns. What files there are, and their checksums, stand in `export.json` ([`Manifest`]): [`check`]
//! looks at all of them.
//!
//! It is written as any format is, by whoever [registers](tabiya_formats::registry::Registry) it; it is
//! not read. Nothing of a game is lost: `games.parquet` has all columns of a store.

mod check;
mod games;
mod manifest;
mod ply;
mod positions;
mod sort;
mod spill;
mod target;
#[cfg(test)]
mod tests;
mod writer;

use std::{
    fs::{self, File},
    io,
    path::Path,
};

use ::parquet::file::reader::{FileReader, SerializedFileReader};
use tabiya_formats::{
    Destination, GameWriter, Target,
    registry::{
        Candidate, Certainty, Creator, FormatInfo, Holds, OptionInfo, Profile, WriteOptions,
    },
};

pub use self::{
    check::{Checked, check, has_list, is_lake, not_as_written},
    manifest::{Difference, FileEntry, Manifest, ManifestError},
};
use self::{target::Export, writer::ExportWriter};
use crate::{
    Store,
    format::{MEMORY, memory_size},
    import,
};

/// A folder of Parquet files.
pub static PARQUET: FormatInfo = FormatInfo {
    name: "parquet",
    title: "a folder of Parquet files, for DuckDB, Polars and Spark",
    profiles: &[&Folder],
};

/// The file with the games.
const GAMES: &str = "games.parquet";
/// The folder with the positions.
const POSITIONS: &str = "positions";
/// Who wrote a file, as it says itself.
const CREATED_BY: &str = concat!("tabiya version ", env!("CARGO_PKG_VERSION"));

/// How many bytes of disk a ply takes: while it waits to be sorted, in its place, and in the main line
/// of its game. The first follows from the layout of a record with a clock and an evaluation; Lichess
/// games have taken 13 and 2 of the others.
const PLY_BYTES: u64 = 34 + 14 + 2;

/// How much an export writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// The plies of all games, deleted ones too.
    pub plies: u64,
    /// About how many bytes of disk are needed on the way.
    pub bytes: u64,
}

/// How much an export of a store writes, at most. Of each game, as it is now, only what people look
/// for is read and none of its moves; what is damaged is not counted.
#[must_use]
pub fn extent(store: &Store) -> Extent {
    let snapshot = store.snapshot();
    let mut plies = 0;
    for layer in snapshot.layers() {
        let segment = layer.segment();
        for (index, rows) in segment.batches().enumerate() {
            let Ok(header) = segment.header(index) else {
                continue;
            };
            let first = rows.start;
            let last = rows.filter(|row| snapshot.is_last(&layer, layer.ids.get(*row)));
            let counts = last.map(|row| u64::from(header.plies(row - first)));
            plies += counts.sum::<u64>();
        }
    }
    Extent {
        plies,
        bytes: plies * PLY_BYTES + store.bytes(),
    }
}

/// The only profile.
struct Folder;

impl Profile for Folder {
    fn title(&self) -> &'static str {
        "all that games have, and every position of their main lines"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn owns_folder(&self) -> bool {
        true
    }

    fn holds(&self) -> Holds {
        Holds::ALL
    }

    fn options(&self) -> &'static [OptionInfo] {
        &[MEMORY]
    }

    fn recognise(&self, candidate: &Candidate<'_>) -> Certainty {
        match candidate.path.filter(|_| candidate.folder) {
            Some(folder) if is_export(folder) => Certainty::Sure,
            // Others have put something into it: nothing may take its place, and nothing more come in.
            Some(folder) if Manifest::is_in(folder) => Certainty::Perhaps,
            _ => Certainty::No,
        }
    }

    fn write(&self) -> Option<&dyn Creator> {
        Some(self)
    }
}

impl Creator for Folder {
    fn writer(&self, options: &WriteOptions) -> Box<dyn GameWriter> {
        Box::new(ExportWriter::new(options.wishes()))
    }

    fn target(
        &self,
        destination: Destination<'_>,
        options: &WriteOptions,
    ) -> io::Result<Box<dyn Target>> {
        let refused = |message| Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        let path = match destination {
            Destination::New(path) => path,
            Destination::Append(_) => {
                return refused("nothing can be added to Parquet files: write them anew");
            }
            Destination::Stdout => {
                return refused("an export is a folder, and cannot be written to standard output");
            }
        };
        let memory = match options.settings.text(&MEMORY) {
            Some(text) => memory_size(text)?,
            None => import::MEMORY,
        };
        Ok(Box::new(Export::create(path, memory)?))
    }

    fn needs_file(&self) -> bool {
        true
    }

    fn appends(&self) -> bool {
        false
    }
}

/// Whether a file is read as one of an export, by its path within the folder of the export.
///
/// Whoever reads `positions` reads more than what lies in it: folders such as `x=1` are values of a column
/// there, for DataFusion and Spark, and what is in them belongs to the table.
///
/// ```
/// use tabiya_store::parquet::is_read;
///
/// assert!(is_read("games.parquet") && is_read("positions/part-0000.parquet"));
/// assert!(is_read("positions/x=1/part-0000.parquet"));
/// assert!(!is_read("positions/older/part-0000.parquet") && !is_read("positions/_SUCCESS"));
/// ```
#[must_use]
pub fn is_read(path: &str) -> bool {
    path == GAMES || (path.ends_with(".parquet") && may_be_read(path))
}

/// Whether such a file is read, if it is one, or what is in it, if it is a folder.
fn may_be_read(path: &str) -> bool {
    let Some((POSITIONS, part)) = path.split_once('/') else {
        return false;
    };
    let names = part.split('/').filter(|name| !name.contains('='));
    names.count() <= 1
}

/// Whether a folder is an export, and has nothing else in it.
fn is_export(folder: &Path) -> bool {
    let names = |folder: &Path| -> Option<Vec<String>> {
        let entries = fs::read_dir(folder).ok()?;
        let names = entries.map(|entry| entry.ok()?.file_name().into_string().ok());
        names.collect()
    };
    // Exports of before have no list of files.
    let is_ours = |name: &String| [GAMES, POSITIONS, Manifest::NAME].contains(&name.as_str());
    let has_both = |names: &[String]| {
        [GAMES, POSITIONS]
            .iter()
            .all(|it| names.iter().any(|name| name == it))
    };
    let is_part = |name: &String| name.starts_with("part-") && name.ends_with(".parquet");
    let is_all = names(folder).is_some_and(|names| has_both(&names) && names.iter().all(is_ours));
    let parts = names(&folder.join(POSITIONS));
    is_all && parts.is_some_and(|names| names.iter().all(is_part)) && is_by_us(&folder.join(GAMES))
}

/// Whether a file says that tabiya wrote it, in any version.
fn is_by_us(path: &Path) -> bool {
    let reader = File::open(path).map(SerializedFileReader::new);
    let Ok(Ok(reader)) = reader else {
        return false;
    };
    let author = reader.metadata().file_metadata().created_by();
    author.is_some_and(|author| author.starts_with("tabiya "))
}
