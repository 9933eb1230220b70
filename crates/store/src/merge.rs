//! Small segments become large ones.
//!
//! A weekly append makes a small segment. Ten years of them would be slow to read, so segments of
//! about the same size that follow each other are made one: each entry is written again about once
//! for every power of ten that the store grows by. What replaces entries is kept in few segments
//! in the same way.

use std::{
    collections::BTreeSet,
    ops::Range,
    path::Path,
    sync::{Arc, atomic::AtomicU64},
};

use tabiya_game::Error;

use crate::{
    change::Change,
    disk::{Disk, Guard},
    ids::IdList,
    index::Plan,
    manifest::{Manifest, SegmentEntry},
    row::Row,
    segment::build::Builder,
    snapshot::Snapshot,
};

/// So many neighbours of one size are made one.
const NEIGHBOURS: usize = 8;

/// How many bytes the files of a merged segment have at most, where so many bytes of memory may be
/// used: rows take about twice as much there, and the old ones are mapped.
fn largest(memory: usize) -> u64 {
    const MOST: u64 = 96 << 20;
    (memory as u64 / 5).min(MOST)
}

/// The size of a segment: the number of digits of its rows; `None` if it is large enough.
fn tier(entry: &SegmentEntry, largest: u64) -> Option<u32> {
    let is_small = entry.bytes() <= largest / NEIGHBOURS as u64;
    is_small.then(|| entry.rows().max(1).ilog10())
}

/// The segments that should be made one, if there are any: the smallest first.
///
/// Neighbours of one size are, and so are neighbours of several, if there are as many as would do
/// for each size: appends that are now a little smaller and now a little larger than a power of ten
/// would never be. With fewer, large ones would be written again for the sake of a few small ones.
fn due(segments: &[SegmentEntry], largest: u64) -> Option<Range<usize>> {
    let tiers: Vec<Option<u32>> = segments.iter().map(|it| tier(it, largest)).collect();
    let sizes: BTreeSet<u32> = tiers.iter().flatten().copied().collect();
    let run = sizes.into_iter().find_map(|size| {
        let same = long_run(&tiers, |tier| tier == size);
        same.or_else(|| long_run(&tiers, |tier| tier <= size))
    })?;
    Some(run.start..run.start + fitting(&segments[run], largest))
}

/// The first neighbours of some sizes that are enough to be made one.
fn long_run(tiers: &[Option<u32>], of: impl Fn(u32) -> bool) -> Option<Range<usize>> {
    let is_one = |tier: &Option<u32>| tier.is_some_and(&of);
    let mut start = 0;
    let runs = tiers.chunk_by(|one, other| is_one(one) && is_one(other));
    let mut runs = runs.map(|run| {
        start += run.len();
        (start - run.len()..start, run)
    });
    let is_long = |run: &[Option<u32>]| {
        let sizes: BTreeSet<_> = run.iter().collect();
        is_one(&run[0]) && run.len() >= NEIGHBOURS * sizes.len()
    };
    let found = runs.find(|(_, run)| is_long(run));
    found.map(|(range, _)| range)
}

/// How many segments of a run fit into memory together.
fn fitting(run: &[SegmentEntry], largest: u64) -> usize {
    let sums = run.iter().scan(0, |sum, entry| {
        *sum += entry.bytes();
        Some(*sum)
    });
    sums.take_while(|sum| *sum <= largest).count()
}

/// Merges until nothing is due, in about so many bytes of memory. Ids stay as they are. Returns how
/// often, and says to which state each led. Of segments without an index the plan says whether they
/// get one together.
pub(crate) fn all_due(
    disk: &Arc<dyn Disk>,
    folder: &Path,
    mut lock: Guard,
    memory: usize,
    plan: Plan,
    led_to: &AtomicU64,
) -> Result<usize, Error> {
    let largest = largest(memory);
    let mut merges = 0;
    loop {
        let mut change = Change::with_lock(Arc::clone(disk), folder, lock)?;
        let manifest = change.manifest();
        // Whoever wants none of what is new does not give up that of what was there.
        let plan = |merged: &[SegmentEntry]| match merged.iter().any(|it| it.index.is_some()) {
            true => Plan::with_memory(memory),
            false => plan,
        };
        let replaced = replaced(manifest);
        if let Some(range) = due(&manifest.segments, largest) {
            let plan = plan(&manifest.segments[range.clone()]);
            change.set_plan(plan);
            merge(&mut change, range)?;
        } else if let Some(range) = due(&replaced, largest) {
            change.set_plan(plan(&replaced[range.clone()]));
            merge_replaced(&mut change, range)?;
        } else {
            return Ok(merges);
        }
        lock = change.commit(led_to)?;
        merges += 1;
    }
}

/// The segments of entries that replace others.
fn replaced(manifest: &Manifest) -> Vec<SegmentEntry> {
    let replaced = manifest.replaced.iter();
    replaced.map(|replaced| replaced.by.clone()).collect()
}

fn merge(change: &mut Change, range: Range<usize>) -> Result<(), Error> {
    let snapshot = change.snapshot()?;
    let ids: Vec<Range<u64>> = snapshot.ranges().collect();
    let (mut builder, mut row) = (Builder::new(), Row::default());
    for id in ids[range.start].start..ids[range.end - 1].end {
        snapshot.original_row(id, &mut row)?;
        builder.add(&row);
    }
    change.merge(range, builder)
}

/// Makes one segment of several whose entries replace others. What later ones replace again is what
/// they say already.
fn merge_replaced(change: &mut Change, range: Range<usize>) -> Result<(), Error> {
    let snapshot = change.snapshot()?;
    let replaced = change.manifest().replaced[range.clone()].iter();
    let ids: IdList = replaced.flat_map(|replaced| replaced.ids.iter()).collect();
    let (mut builder, mut row) = (Builder::new(), Row::default());
    for id in ids.iter() {
        snapshot.row(id, &mut row)?;
        builder.add(&row);
    }
    change.merge_replaced(range, ids, builder)
}

/// Writes all entries again as they are now, without those that are deleted, in segments of so many
/// bytes of memory.
pub(crate) fn rewrite(
    change: &mut Change,
    snapshot: &Snapshot,
    memory: usize,
) -> Result<(), Error> {
    change.clear();
    let (mut builder, mut row) = (Builder::new(), Row::default());
    for id in (0..snapshot.len()).filter(|id| !snapshot.deleted.contains(*id)) {
        snapshot.row(id, &mut row)?;
        builder.add(&row);
        if builder.memory() > memory {
            change.append(std::mem::take(&mut builder))?;
        }
    }
    change.append(builder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::{build::Contents, table::Region};

    const LARGEST: u64 = 96 << 20;

    fn segment(rows: u32, bytes: u64) -> SegmentEntry {
        let region = Region { bytes, crc: 0 };
        SegmentEntry {
            number: 1,
            contents: Contents {
                batches: vec![rows],
                games: vec![region, Region { bytes: 0, crc: 0 }],
                moves: Vec::new(),
            },
            index: None,
        }
    }

    #[test]
    fn eight_neighbours_of_one_size_are_due_and_the_smallest_come_first() {
        let mut segments = vec![segment(50_000, 1); 8];
        assert_eq!(due(&segments, LARGEST), Some(0..8));
        segments.extend(vec![segment(500, 1); 9]);
        assert_eq!(due(&segments, LARGEST), Some(8..17));
        assert_eq!(due(&segments[1..15], LARGEST), None);
    }

    #[test]
    fn a_large_one_is_not_written_again_for_a_few_small_ones() {
        let mut segments = vec![segment(50_000, 1)];
        segments.extend(vec![segment(5, 1); 7]);
        assert_eq!(due(&segments, LARGEST), None);
        segments.push(segment(5, 1));
        assert_eq!(due(&segments, LARGEST), Some(1..9));
    }

    proptest::proptest! {
        #[test]
        fn appends_of_any_sizes_are_merged_and_seldom_written_again(
            power in 0u32..5,
            sizes in proptest::collection::vec(500u64..1_500, 300),
        ) {
            let (mut segments, mut written, mut rows) = (Vec::new(), 0, 0);
            for size in sizes {
                let size = (10u64.pow(power) * size / 1_000).max(1);
                rows += size;
                segments.push(segment(size as u32, 1));
                while let Some(range) = due(&segments, LARGEST) {
                    let merged: u64 = segments[range.clone()].iter().map(SegmentEntry::rows).sum();
                    written += merged;
                    segments.splice(range, [segment(merged as u32, 1)]);
                }
                proptest::prop_assert!(segments.len() < 8 * 4, "{}", segments.len());
            }
            proptest::prop_assert!(written < rows * 4, "{written} of {rows}");
        }
    }

    #[test]
    fn what_does_not_fit_into_memory_is_not_merged() {
        assert_eq!(due(&vec![segment(900_000, 80 << 20); 20], LARGEST), None);
        let mut segments = vec![segment(900_000, 80 << 20)];
        segments.extend(vec![segment(900_000, 10 << 20); 12]);
        assert_eq!(due(&segments, LARGEST), Some(1..10));
    }
}
