//! A store whose manifest is lost: what its files say of themselves.

use std::path::Path;

use arrow_buffer::Buffer;
use tabiya_game::Error;

use crate::{
    disk::Disk,
    error::system,
    manifest::{self, Manifest, SegmentEntry},
    segment::{
        SegmentFile,
        build::Contents,
        table::{self, Region},
    },
};

/// All segments that can be found, in the order of their numbers. Which entries are deleted or replaced,
/// and what is left of an interrupted change, only the manifest knew.
pub(crate) fn manifest(disk: &dyn Disk, folder: &Path) -> Result<Manifest, Error> {
    let names = disk.names(folder).map_err(|error| system(folder, error))?;
    let names = names.unwrap_or_default();
    let of_kind = |kind| names.iter().filter_map(move |name| number(name, kind));
    let mut numbers: Vec<u64> = of_kind(manifest::GAMES)
        .chain(of_kind(manifest::MOVES))
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    let segments = numbers.into_iter().filter_map(|number| {
        let contents = contents(disk, folder, number)?;
        Some(SegmentEntry {
            number,
            contents,
            index: None,
        })
    });
    Ok(Manifest {
        segments: segments.collect(),
        ..Manifest::empty()
    })
}

fn number(name: &str, kind: &str) -> Option<u64> {
    name.strip_suffix(kind)?.parse().ok()
}

/// What is in the files of a segment; `None` if neither of them tells how many rows there are.
fn contents(disk: &dyn Disk, folder: &Path, number: u64) -> Option<Contents> {
    let survey = |file: SegmentFile| {
        let bytes = disk.contents(&folder.join(file.name(number))).ok()?;
        table::survey(&Buffer::from(bytes)).ok()
    };
    let (games, moves) = (survey(SegmentFile::Games), survey(SegmentFile::Moves));
    let batches = games.as_ref().or(moves.as_ref())?.rows.clone();
    // A file that does not fit will be found to be damaged: no file has these lengths.
    let unknown = || vec![Region { bytes: 0, crc: 0 }; batches.len() + 1];
    let regions = |file: Option<table::Survey>| match file {
        Some(file) if file.rows == batches => file.regions,
        _ => unknown(),
    };
    Some(Contents {
        games: regions(games),
        moves: regions(moves),
        batches,
    })
}
