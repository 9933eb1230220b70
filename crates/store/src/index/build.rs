//! The games of a segment to its index.
//!
//! Positions are many, eighty a game: where not all of them fit into memory, shards are made a few
//! at a time, and all games are played again for the next ones. Playing is the smallest part of it.

use std::{
    io::{self, Write},
    ops::{ControlFlow, Range},
    sync::{Mutex, PoisonError},
    thread,
};

use tabiya_chess::Move;
use tabiya_formats::ordered;
use tabiya_search::tree::Tally;

use super::{
    checker::Checker,
    entry::{self, Entry, MOST_ROWS},
    facts::{Facts, Sum},
    file::{Foot, PageWriter},
    fuse::Filler,
    run::Visit,
    shard,
};
use crate::{
    import::MEMORY,
    movetext::{MOST_PLIES, Player},
    number,
    segment::{SegmentError, read::Segment},
};

/// How many of the lowest bits of a row the tables leave out. Of 32 games instead of one, signatures
/// rule out nearly all before they are played; a bit more takes 9 bytes a game.
const GROUP_BITS: u8 = 5;

/// How an index is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// About how many bytes of memory positions may take while they are sorted.
    pub memory: usize,
    /// How many bits of keys count: fewer than all to see what happens when keys collide.
    pub key_bits: u8,
    /// About how many positions a shard has: few enough to be sorted in a cache.
    pub shard_positions: u64,
    /// Segments of fewer entries have none: telling their games takes no time.
    pub least_rows: usize,
}

impl Plan {
    /// The usual one, for a program that may use so many bytes of memory. What waits to be written has
    /// been written when an index is made, but not all of its memory has gone back to the system; those
    /// who read have read on, shards are sorted, and some that are made wait.
    pub fn with_memory(memory: usize) -> Plan {
        Plan {
            memory: memory / 2,
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
        Plan::with_memory(MEMORY)
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
    let shards = (survey.positions / plan.shard_positions).max(1);
    let mut builder = Builder {
        segment,
        foot: Foot {
            rows: rows as u32,
            key_bits: plan.key_bits,
            shard_bits: shards.next_power_of_two().ilog2() as u8,
            group_bits: GROUP_BITS,
            rest: 0,
        },
        survey,
        checker: Checker::new(),
    };
    let mut file = PageWriter::new(out);
    let mut directory = Vec::new();
    let mut gathered = vec![Gathered::default(); threads];
    let shards = 1usize << builder.foot.shard_bits;
    let some = builder.shards_in(plan.memory);
    for first in (0..shards).step_by(some) {
        let some = first..shards.min(first + some);
        builder.gather(some.clone(), &mut gathered)?;
        if first == 0 {
            builder.write_head(&mut file)?;
            directory.push(file.len());
        }
        builder.write_shards(some.len(), &gathered, |shard| {
            file.write(shard)?;
            directory.push(file.len());
            Ok(())
        })?;
    }
    for place in directory {
        file.write(&place.to_le_bytes())?;
    }
    Ok(Some(file.finish(builder.foot)?))
}

/// What is known of the games before they are sorted by positions.
#[derive(Default)]
struct Survey {
    facts: Vec<Facts>,
    /// Rows of games that are not in the index: at first those whose tags are damaged, then those too
    /// that turn out not to be plain when they are played.
    rest: Vec<u32>,
    /// About how many positions there are.
    positions: u64,
}

/// Does the same on several threads, each with something of its own.
fn in_parallel<S: Send, T: Send>(
    own: impl IntoIterator<Item = S>,
    work: impl Fn(S) -> T + Sync,
) -> Vec<T> {
    thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> = own
            .into_iter()
            .map(|own| scope.spawn(move || work(own)))
            .collect();
        let results = workers.into_iter().map(|worker| match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        results.collect()
    })
}

/// Shares rows among threads.
fn shares(rows: usize, threads: usize) -> impl Iterator<Item = Range<usize>> + Clone {
    let share = rows.div_ceil(threads);
    (0..threads).map(move |thread| rows.min(thread * share)..rows.min((thread + 1) * share))
}

fn survey(segment: &Segment, threads: usize) -> Result<Survey, SegmentError> {
    let parts = in_parallel(shares(segment.len(), threads), |rows| {
        let mut part = Survey::default();
        for row in rows {
            let brought = segment.brought(row)?;
            let positions = segment.positions(row)?;
            if positions > 0 && brought.is_none() {
                part.rest.push(row as u32);
            }
            let facts = brought.map_or(Facts::default(), |game| Facts::new(&game));
            part.facts.push(facts);
            // Games with more are not in the index.
            part.positions += positions.min(u64::from(MOST_PLIES) + 1);
        }
        Ok::<_, SegmentError>(part)
    });
    let mut all = Survey::default();
    for part in parts {
        let part = part?;
        all.facts.extend(part.facts);
        all.rest.extend(part.rest);
        all.positions += part.positions;
    }
    Ok(all)
}

/// The positions of some games in some shards, by shards, in the order of the games. The memory
/// serves the next shards.
#[derive(Clone, Default)]
struct Gathered(Vec<Vec<Entry>>);

impl Gathered {
    /// Makes room for some shards with so many positions each. What grows by doubling takes half as
    /// much memory again as was planned.
    fn clear(&mut self, shards: usize, positions: usize) {
        if self.0.len() < shards {
            self.0.resize_with(shards, Vec::new);
        }
        for shard in &mut self.0[..shards] {
            shard.clear();
            shard.reserve_exact(positions);
        }
    }

    /// Says what is played in the last position of a shard.
    #[inline]
    fn set_play(&mut self, shard: Option<usize>, play: Option<Move>) {
        if let Some(entry) = shard.and_then(|shard| self.0[shard].last_mut()) {
            entry.set_play(play);
        }
    }

    /// Forgets the last game.
    fn forget(&mut self, row: u32) {
        for shard in &mut self.0 {
            while shard.pop_if(|entry| entry.row() == row).is_some() {}
        }
    }
}

struct Builder<'a> {
    segment: &'a Segment,
    foot: Foot,
    survey: Survey,
    checker: Checker,
}

impl Builder<'_> {
    /// How many positions a shard has, about: keys are spread evenly, but for what repeats.
    fn positions_in_shard(&self) -> usize {
        let even = self.survey.positions as usize >> self.foot.shard_bits;
        even + even / 32 + 1
    }

    /// How many shards are made at a time: as many each time, about.
    fn shards_in(&self, memory: usize) -> usize {
        let shards = 1usize << self.foot.shard_bits;
        let bytes = self.positions_in_shard() * size_of::<Entry>();
        let most = (memory / bytes).clamp(1, shards);
        shards.div_ceil(shards.div_ceil(most))
    }

    /// Writes what comes before the shards.
    fn write_head(&mut self, file: &mut PageWriter<impl Write>) -> io::Result<()> {
        for facts in &self.survey.facts {
            file.write(&facts.0.to_le_bytes())?;
        }
        let mut rest = Vec::new();
        let mut last = 0;
        for &row in &self.survey.rest {
            number::put(u64::from(row - last), &mut rest);
            last = row;
        }
        self.foot.rest = rest.len() as u32;
        file.write(&rest)
    }

    /// Gathers the positions of all games in some shards, on as many threads as there is something
    /// to put them into.
    fn gather(
        &mut self,
        shards: Range<usize>,
        gathered: &mut [Gathered],
    ) -> Result<(), SegmentError> {
        let rows = shares(self.segment.len(), gathered.len());
        for (rows, gathered) in rows.clone().zip(&mut *gathered) {
            // Not on the threads: an allocator that keeps memory for each of them would not use again
            // what was given back on this one.
            let share = self.positions_in_shard() * rows.len() / self.segment.len().max(1);
            gathered.clear(shards.len(), share);
        }
        let found = in_parallel(rows.zip(gathered), |(rows, gathered)| {
            self.gather_rows(rows, shards.clone(), gathered)
        });
        for rest in found {
            self.survey.rest.extend(rest?);
        }
        self.survey.rest.sort_unstable();
        Ok(())
    }

    /// Gathers the positions of some games in some shards. Gives the rows of those that are not plain.
    fn gather_rows(
        &self,
        rows: Range<usize>,
        shards: Range<usize>,
        gathered: &mut Gathered,
    ) -> Result<Vec<u32>, SegmentError> {
        let player = Player::new();
        let mut rest = Vec::new();
        for row in rows {
            let number = row as u32;
            let game = self.segment.stored(row)?;
            let Some(game) = game.filter(|_| self.survey.rest.binary_search(&number).is_err())
            else {
                continue;
            };
            // The shard of the position before: what is played there is not known yet.
            let mut last: Option<usize> = None;
            let played = player.play(game, |ply, board, play| {
                gathered.set_play(last.take(), play);
                let key = board.exact_key().0;
                let (shard, _) = self.foot.shard_of(self.foot.narrow(key));
                if shards.contains(&shard) {
                    let entry = Entry::new(key, self.checker.check(board), number, ply);
                    let shard = shard - shards.start;
                    gathered.0[shard].push(entry);
                    last = Some(shard);
                }
                ControlFlow::Continue(())
            });
            gathered.set_play(last, None);
            if played.is_none() {
                gathered.forget(number);
                rest.push(number);
            }
        }
        Ok(rest)
    }

    /// Hands on the bytes of some shards, in their order and as soon as they are made: what waits takes
    /// memory.
    fn write_shards(
        &self,
        count: usize,
        gathered: &[Gathered],
        mut write: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut shards = 0..count;
        // What one shard was sorted in serves the next.
        let spare: Mutex<Vec<(Vec<Entry>, Filler)>> = Mutex::default();
        let spare = || spare.lock().unwrap_or_else(PoisonError::into_inner);
        let mut written = Ok(());
        ordered(
            gathered.len(),
            || shards.next(),
            |shard| {
                let (mut sorted, mut filler) = spare().pop().unwrap_or_default();
                let parts: Vec<&[Entry]> = gathered.iter().map(|part| &*part.0[shard]).collect();
                let entries = entry::sort(&parts, self.foot.shard_bits, &mut sorted);
                let tally = |visits: &[Visit]| self.tally(visits);
                let bytes = shard::write(entries, &self.foot, &mut filler, tally);
                spare().push((sorted, filler));
                bytes
            },
            |bytes| {
                written = write(&bytes);
                match written.is_ok() {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            },
        );
        written
    }

    fn tally(&self, visits: &[Visit]) -> Tally {
        let mut sum = Sum::default();
        for visit in visits {
            sum.add(self.survey.facts[visit.row as usize]);
        }
        sum.tally()
    }
}
