//! The games of a segment to its index.
//!
//! Positions are many, eighty a game: shards are made a few at a time, so that their positions fit
//! into memory, and all games are played again for the next ones. That is cheaper than it sounds.

use std::{
    io::{self, Write},
    ops::{ControlFlow, Range},
    thread,
};

use tabiya_search::tree::Tally;

use super::{
    entry::{Entry, MOST_ROWS},
    facts::{Facts, Sum},
    file::{Foot, PageWriter},
    player::{self, Checker, Player},
    run::Visit,
    shard,
};
use crate::{
    import::MEMORY,
    number,
    segment::{SegmentError, read::Segment},
};

/// How many of the lowest bits of a row the tables leave out: so many games are played instead of one.
const GROUP_BITS: u8 = 4;

/// How an index is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// About how many bytes of memory it may take.
    pub memory: usize,
    /// How many bits of keys count: fewer than all to see what happens when keys collide.
    pub key_bits: u8,
    /// About how many positions a shard has: few enough to be sorted in a cache.
    pub shard_positions: u64,
    /// Segments of fewer entries have none: telling their games takes no time.
    pub least_rows: usize,
}

impl Plan {
    pub fn with_memory(memory: usize) -> Plan {
        Plan {
            memory,
            key_bits: 64,
            shard_positions: 300_000,
            least_rows: 64,
        }
    }

    /// No segment gets one.
    pub fn none() -> Plan {
        Plan {
            least_rows: usize::MAX,
            ..Plan::with_memory(0)
        }
    }
}

impl Default for Plan {
    fn default() -> Plan {
        Plan::with_memory(MEMORY / 2)
    }
}

/// Why an index could not be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BuildError {
    #[error(transparent)]
    Segment(#[from] SegmentError),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Writes the index of a segment: how many bytes it has, and its checksum. Nothing is written, and
/// `None` returned, if it has too few or too many rows.
pub(crate) fn build(
    segment: &Segment,
    plan: Plan,
    out: impl Write,
) -> Result<Option<(u64, u32)>, BuildError> {
    let rows = segment.len();
    if !(plan.least_rows..=MOST_ROWS).contains(&rows) {
        return Ok(None);
    }
    let threads = thread::available_parallelism().map_or(1, |count| count.get().min(8));
    let survey = survey(segment, threads)?;
    let mut rest = Vec::new();
    let mut last = 0;
    for &row in &survey.rest {
        number::put(u64::from(row - last), &mut rest);
        last = row;
    }
    let shards = (survey.positions / plan.shard_positions).max(1);
    let foot = Foot {
        rows: rows as u32,
        key_bits: plan.key_bits,
        shard_bits: shards.next_power_of_two().ilog2() as u8,
        group_bits: GROUP_BITS,
        rest: rest.len() as u32,
    };
    let mut file = PageWriter::new(out);
    for facts in &survey.facts {
        file.write(&facts.0.to_le_bytes())?;
    }
    file.write(&rest)?;
    let mut directory = vec![file.len()];
    let builder = Builder {
        segment,
        foot,
        survey: &survey,
        threads,
        checker: Checker::new(),
    };
    let shards = 1usize << foot.shard_bits;
    let some = builder.shards_in(plan.memory);
    for first in (0..shards).step_by(some) {
        for shard in builder.shards(first..shards.min(first + some))? {
            file.write(&shard)?;
            directory.push(file.len());
        }
    }
    for place in directory {
        file.write(&place.to_le_bytes())?;
    }
    Ok(Some(file.finish(foot)?))
}

/// What is known of the games before they are sorted by positions.
struct Survey {
    facts: Vec<Facts>,
    /// Rows of games that are not plain.
    rest: Vec<u32>,
    /// About how many positions there are.
    positions: u64,
}

/// Does the same for some ranges of rows at the same time.
fn in_parallel<T: Send>(
    rows: usize,
    threads: usize,
    work: impl Fn(Range<usize>) -> Result<T, SegmentError> + Sync,
) -> Result<Vec<T>, SegmentError> {
    let share = rows.div_ceil(threads).max(1);
    thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> = (0..rows)
            .step_by(share)
            .map(|first| scope.spawn(move || work(first..rows.min(first + share))))
            .collect();
        let results = workers.into_iter().map(|worker| match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        results.collect()
    })
}

fn survey(segment: &Segment, threads: usize) -> Result<Survey, SegmentError> {
    let parts = in_parallel(segment.len(), threads, |rows| {
        let player = Player::new();
        let mut part = Survey {
            facts: Vec::with_capacity(rows.len()),
            rest: Vec::new(),
            positions: 0,
        };
        for row in rows {
            let game = segment.stored(row)?;
            let brought = segment.brought(row)?;
            part.facts
                .push(brought.map_or(Facts::default(), |game| Facts::new(&game)));
            let Some(game) = game else {
                continue;
            };
            let mut positions = 0;
            let played = player.play(game, |_, _, _| {
                positions += 1;
                ControlFlow::Continue(())
            });
            match played.filter(|()| brought.is_some()) {
                Some(()) => part.positions += positions,
                None => part.rest.push(row as u32),
            }
        }
        Ok(part)
    })?;
    let mut all = Survey {
        facts: Vec::with_capacity(segment.len()),
        rest: Vec::new(),
        positions: 0,
    };
    for part in parts {
        all.facts.extend(part.facts);
        all.rest.extend(part.rest);
        all.positions += part.positions;
    }
    Ok(all)
}

struct Builder<'a> {
    segment: &'a Segment,
    foot: Foot,
    survey: &'a Survey,
    threads: usize,
    checker: Checker,
}

impl Builder<'_> {
    /// How many shards are made at a time.
    fn shards_in(&self, memory: usize) -> usize {
        let entries = self.survey.positions as usize >> self.foot.shard_bits;
        // Some shards are larger than others, and what is made of them takes room too.
        let bytes = (entries + 1) * size_of::<Entry>() * 5 / 4;
        (memory / bytes).max(1)
    }

    /// The bytes of some shards.
    fn shards(&self, shards: Range<usize>) -> Result<Vec<Vec<u8>>, SegmentError> {
        let mut parts = in_parallel(self.segment.len(), self.threads, |rows| {
            self.entries(rows, shards.clone())
        })?;
        let mut gathered: Vec<Vec<Entry>> = parts
            .pop()
            .unwrap_or_else(|| vec![Vec::new(); shards.len()]);
        for part in parts {
            for (all, some) in gathered.iter_mut().zip(part) {
                all.extend(some);
            }
        }
        let gathered: Vec<_> = gathered.into_iter().map(std::sync::Mutex::new).collect();
        let made = in_parallel(shards.len(), self.threads, |some| {
            let shards = some.map(|shard| {
                let mut entries = std::mem::take(
                    &mut *gathered[shard]
                        .lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner),
                );
                sort(&mut entries, self.foot.shard_bits);
                shard::write(&entries, &self.foot, |visits| self.tally(visits))
            });
            Ok(shards.collect::<Vec<_>>())
        })?;
        Ok(made.into_iter().flatten().collect())
    }

    /// The positions of some games in some shards.
    fn entries(
        &self,
        rows: Range<usize>,
        shards: Range<usize>,
    ) -> Result<Vec<Vec<Entry>>, SegmentError> {
        let player = Player::new();
        let expected = self.survey.positions as usize >> self.foot.shard_bits;
        let share = expected * rows.len() / self.segment.len().max(1);
        let mut entries: Vec<Vec<Entry>> = shards
            .clone()
            .map(|_| Vec::with_capacity(share + share / 16))
            .collect();
        for row in rows {
            if self.survey.rest.binary_search(&(row as u32)).is_ok() {
                continue;
            }
            let Some(game) = self.segment.stored(row)? else {
                continue;
            };
            // Where the position before is.
            let mut last: Option<usize> = None;
            player.play(game, |ply, board, play| {
                if let (Some(shard), Some(play)) = (last, play)
                    && let Some(entry) = entries[shard].last_mut()
                {
                    entry.set_play(play.to_bits());
                }
                let full = player::key(board);
                let key = self.foot.narrow(full);
                let (shard, _) = self.foot.shard_of(key);
                last = shards.contains(&shard).then(|| shard - shards.start);
                if let Some(shard) = last {
                    let check = self.checker.check(board, full);
                    let bits = self.foot.key_bits;
                    entries[shard].push(Entry::new(key, bits, check, row as u32, ply));
                }
                ControlFlow::Continue(())
            });
        }
        Ok(entries)
    }

    fn tally(&self, visits: &[Visit]) -> Tally {
        let mut sum = Sum::default();
        for visit in visits {
            sum.add(self.survey.facts[visit.row as usize]);
        }
        sum.tally()
    }
}

/// Sorts the entries of a shard: by the next bits of their keys first, into parts so small that
/// the rest is done at once.
fn sort(entries: &mut Vec<Entry>, shard_bits: u8) {
    const BITS: u32 = 11;
    if entries.len() < 1 << BITS {
        return entries.sort_unstable();
    }
    let part = |entry: &Entry| (entry.key(64) << shard_bits >> (64 - BITS)) as usize;
    let mut ends = vec![0usize; (1 << BITS) + 1];
    for entry in &*entries {
        ends[part(entry) + 1] += 1;
    }
    for at in 1..ends.len() {
        ends[at] += ends[at - 1];
    }
    let mut sorted = vec![entries[0]; entries.len()];
    let mut next = ends.clone();
    for entry in &*entries {
        let next = &mut next[part(entry)];
        sorted[*next] = *entry;
        *next += 1;
    }
    for pair in ends.windows(2) {
        sorted[pair[0]..pair[1]].sort_unstable();
    }
    *entries = sorted;
}
