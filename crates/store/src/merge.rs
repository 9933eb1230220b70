//! Small segments become large ones.
//!
//! A weekly append makes a small segment. Ten years of them would be slow to read, so segments of
//! about the same size that follow each other are made one: each entry is written again about once
//! for every power of ten that the store grows by.

use std::{ops::Range, sync::Arc};

use tabiya_game::Error;

use crate::{
    change::Change, disk::Disk, manifest::SegmentEntry, row::Row, segment::build::Builder,
    snapshot::Snapshot,
};

/// So many neighbours of one size are made one.
const NEIGHBOURS: usize = 8;

/// The size of a segment: the number of digits of its rows.
fn tier(entry: &SegmentEntry) -> u32 {
    entry.rows().max(1).ilog10()
}

/// The segments that should be made one, if there are any: the smallest first.
pub(crate) fn due(segments: &[SegmentEntry]) -> Option<Range<usize>> {
    let mut start = 0;
    let mut best: Option<(u32, Range<usize>)> = None;
    for run in segments.chunk_by(|one, other| tier(one) == tier(other)) {
        let range = start..start + run.len();
        start = range.end;
        let found = (tier(&run[0]), range);
        if run.len() >= NEIGHBOURS && best.as_ref().is_none_or(|best| found.0 < best.0) {
            best = Some(found);
        }
    }
    best.map(|(_, range)| range)
}

/// Merges until nothing is due. Ids stay as they are. Returns how often.
pub(crate) fn all_due(disk: &Arc<dyn Disk>, folder: &std::path::Path) -> Result<usize, Error> {
    let mut merges = 0;
    loop {
        let mut change = Change::begin(Arc::clone(disk), folder)?;
        let Some(range) = due(&change.manifest().segments) else {
            return Ok(merges);
        };
        let snapshot = change.snapshot()?;
        let ids: Vec<Range<u64>> = snapshot.ranges().collect();
        let builder = rows(
            &snapshot,
            ids[range.start].start..ids[range.end - 1].end,
            false,
        )?;
        change.merge(range, builder)?;
        change.commit()?;
        merges += 1;
    }
}

/// The entries of some ids; those that are deleted may be left out, replaced ones are as they are
/// now then.
pub(crate) fn rows(snapshot: &Snapshot, ids: Range<u64>, real: bool) -> Result<Builder, Error> {
    let mut builder = Builder::new();
    let mut row = Row::default();
    for id in ids {
        if real && snapshot.deleted.contains(id) {
            continue;
        }
        match real {
            true => snapshot.row(id, &mut row)?,
            false => snapshot.original_row(id, &mut row)?,
        }
        builder.add(&row);
    }
    Ok(builder)
}
