//! Parts in their order: numbers, counts, and the bytes to the output.

use std::{collections::BTreeMap, fmt, ops::ControlFlow, sync::Arc, time::Duration};

use tabiya_formats::{Converted, ConvertedEntry, Fault};
use tabiya_game::{Counts, LossKind, Losses, Numbers, Span};

use super::{
    Args,
    inputs::{Damage, Source, Unwanted},
    outputs::Outputs,
};
use crate::progress::Progress;

/// How many broken games a report lists; all are counted.
pub const BROKEN_LISTED: usize = 10_000;

/// What has happened.
#[derive(Default)]
pub struct Facts {
    /// Games.
    pub counts: Counts,
    /// Entries that are no games: texts, descriptions, what nobody understands.
    pub others: Counts,
    pub broken_count: u64,
    /// The first of them.
    pub broken: Vec<BrokenGame>,
    pub losses: Losses,
    /// Where the first loss of each kind was.
    pub loss_sources: BTreeMap<LossKind, Arc<Source>>,
    /// Where the first respelling was.
    pub respelled_source: Option<Arc<Source>>,
    /// How many games each input that has been opened has.
    pub sources: Vec<(Arc<Source>, u64)>,
    /// What is wrong with inputs as a whole.
    pub damage: Vec<Damage>,
    /// Games that were asked for by their numbers, and are not there.
    pub absent: Vec<Absent>,
    /// Why `--strict` stopped it.
    pub stopped: Option<String>,
    pub elapsed: Duration,
    /// The file that was read last, and the number of the last entry that was read of it.
    pub reached: Option<(Arc<Source>, u64)>,
}

/// Games that were asked for by their numbers, and are not there.
pub struct Absent {
    pub input: String,
    pub numbers: Span<u64>,
    pub reason: String,
}

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no game {} of {}: {}",
            self.numbers, self.input, self.reason
        )
    }
}

pub struct BrokenGame {
    /// Its number in its file.
    pub number: u64,
    pub source: Arc<Source>,
    pub fault: Fault,
}

impl Facts {
    /// Takes note of inputs that are not whole, which `--strict` does not read.
    pub fn damaged(&mut self, damage: Vec<Damage>, strict: bool) {
        if let (true, Some(first)) = (strict, damage.first()) {
            let Damage { input, message } = first;
            let stopped = || format!("{input} is damaged: {message}");
            self.stopped.get_or_insert_with(stopped);
        }
        if let (true, Some(absent)) = (strict, self.absent.first()) {
            self.stopped.get_or_insert_with(|| absent.to_string());
        }
        self.damage = damage;
    }

    /// Takes note of inputs of which nothing came.
    pub fn opened(&mut self, sources: Vec<Arc<Source>>, wanted: &Numbers) {
        for source in sources {
            let counted = |(known, _): &(Arc<Source>, u64)| known.index == source.index;
            if !self.sources.iter().any(counted) {
                self.look_for_absent(&source, wanted, 0, &[]);
                self.sources.push((source, 0));
            }
        }
        self.sources.sort_by_key(|(source, _)| source.index);
    }

    /// Takes note of the numbers that were asked for and are behind the last one of an input, or
    /// are those of single games that are deleted.
    fn look_for_absent(&mut self, source: &Source, wanted: &Numbers, last: u64, deleted: &[u64]) {
        for numbers in wanted.spans() {
            let reason = match numbers.least {
                Some(first) if first > last && last == 0 => "it has none".to_string(),
                Some(first) if first > last => format!("the last one is {last}"),
                Some(first) if numbers.most == Some(first) && deleted.contains(&first) => {
                    "it is marked as deleted; --deleted reads it".to_string()
                }
                _ => continue,
            };
            self.absent.push(Absent {
                input: source.name.clone(),
                numbers,
                reason,
            });
        }
    }

    /// Whether every wanted game was written whole.
    pub fn is_fine(&self) -> bool {
        self.broken_count == 0
            && self.counts.refused == 0
            && self.others.refused == 0
            && self.losses.is_empty()
            && self.damage.is_empty()
            && self.absent.is_empty()
            && self.stopped.is_none()
    }
}

/// All that is left to do when the last part has come.
pub struct Joined {
    pub facts: Facts,
    pub outputs: Outputs,
    /// Why it could not be finished.
    pub failed: Option<anyhow::Error>,
}

pub struct Joiner {
    wanted: Numbers,
    strict: bool,
    /// How many inputs there are.
    inputs: usize,
    /// Says which inputs need not be read any further.
    unwanted: Unwanted,
    /// Games of this file in the parts before, where the file has no numbers for them.
    uncounted: u64,
    /// The last number of this file so far.
    last: u64,
    /// Those that were asked for and are marked as deleted.
    deleted: Vec<u64>,
    outputs: Outputs,
    progress: Progress,
    facts: Facts,
    failed: Option<anyhow::Error>,
}

impl Joiner {
    pub fn new(args: &Args, unwanted: Unwanted, outputs: Outputs, progress: Progress) -> Joiner {
        Joiner {
            wanted: args.games.clone().unwrap_or_default(),
            strict: args.strict,
            inputs: args.inputs.len(),
            unwanted,
            uncounted: 0,
            last: 0,
            deleted: Vec::new(),
            outputs,
            progress,
            facts: Facts::default(),
            failed: None,
        }
    }

    /// Takes the next part.
    pub fn join(&mut self, part: anyhow::Result<(Arc<Source>, Converted)>) -> ControlFlow<()> {
        let result = part.and_then(|(source, part)| self.take(&source, part));
        self.progress.update_games(self.facts.counts.read);
        match result {
            Ok(flow) => flow,
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn take(&mut self, source: &Arc<Source>, part: Converted) -> anyhow::Result<ControlFlow<()>> {
        if self.unwanted.contains(source) {
            // Other threads were ahead.
            return Ok(ControlFlow::Continue(()));
        }
        if self.is_new(source) {
            self.end_source();
        }
        // Games behind the last wanted one are not even counted.
        let last = self.wanted.last().unwrap_or(u64::MAX);
        let uncounted = self.uncounted + part.uncounted;
        let behind = uncounted.saturating_sub(last).min(part.uncounted);
        let mut read = part.read - behind;
        let mut start = 0;
        for entry in part.entries {
            let bytes = &part.bytes[start..entry.end];
            start = entry.end;
            let (index, number) = (entry.index, entry.number.after(self.uncounted));
            let is_wanted = |number| self.wanted.contains(number);
            if !number.map_or(self.wanted.is_all(), is_wanted) {
                continue;
            }
            if !self.entry(source, number, entry, bytes)? {
                // The game that stopped it is the last one read.
                read = index + 1;
                break;
            }
        }
        let others = part.others.iter().filter(|index| **index < read).count() as u64;
        self.facts.others.read_on(others);
        self.facts.counts.read_on(read - others);
        for entry in &part.deleted {
            let counts = match entry.is_game {
                true => &mut self.facts.counts,
                false => &mut self.facts.others,
            };
            counts.read += 1;
            counts.deleted += 1;
        }
        let deleted = part.deleted.iter();
        let deleted_games = deleted.clone().filter(|entry| entry.is_game).count() as u64;
        self.count_source(source, read - others + deleted_games);
        if !self.wanted.is_all() {
            self.deleted.extend(deleted.map(|entry| entry.number));
        }
        self.uncounted = uncounted;
        let reached = uncounted.max(part.last_number);
        self.last = self.last.max(reached);
        self.facts.reached = Some((Arc::clone(source), reached.min(last)));
        let ends_file = reached >= last;
        if ends_file {
            self.unwanted.add(source);
        }
        let ends_all = ends_file && source.index + 1 == self.inputs;
        Ok(
            match self.facts.stopped.is_some() || ends_all || part.stopped {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            },
        )
    }

    /// The input of the parts before has ended, or nothing more of it is wanted.
    fn end_source(&mut self) {
        let deleted = std::mem::take(&mut self.deleted);
        let last = std::mem::take(&mut self.last);
        self.uncounted = 0;
        if let Some((source, _)) = self.facts.sources.last() {
            let source = Arc::clone(source);
            self.facts
                .look_for_absent(&source, &self.wanted, last, &deleted);
        }
    }

    /// Whether no part of an input has come before.
    fn is_new(&self, source: &Source) -> bool {
        let last = self.facts.sources.last();
        last.is_none_or(|(last, _)| last.index != source.index)
    }

    /// Takes an entry that is wanted; `false` if it stops everything.
    fn entry(
        &mut self,
        source: &Arc<Source>,
        number: Option<u64>,
        entry: ConvertedEntry,
        bytes: &[u8],
    ) -> anyhow::Result<bool> {
        let stop = |reason| match number {
            Some(number) => format!("game {number} ({}, {}): {reason}", source.name, entry.place),
            None => format!("{} itself: {reason}", source.name),
        };
        let wrong = self.strict.then(|| objection(&entry)).flatten();
        self.facts.stopped = wrong.map(stop);
        let mut losses = entry.losses;
        // A text that went into a file of its own leaves nothing here.
        if !entry.refused && self.facts.stopped.is_none() && !bytes.is_empty() {
            let beside_others = self.outputs.game(bytes)?;
            let wrong = self.strict.then(|| loss(&beside_others)).flatten();
            self.facts.stopped = wrong.map(stop);
            losses.append(beside_others);
        }
        self.add_losses(source, number, losses);
        if let (Some(fault), Some(number)) = (entry.fault, number) {
            self.facts.broken_count += 1;
            if self.facts.broken.len() < BROKEN_LISTED {
                self.facts.broken.push(BrokenGame {
                    number,
                    source: Arc::clone(source),
                    fault: *fault,
                });
            }
        }
        let counts = match entry.is_game {
            true => &mut self.facts.counts,
            false => &mut self.facts.others,
        };
        if entry.refused || self.facts.stopped.is_some() {
            counts.refused += 1;
        } else {
            counts.written += 1;
        }
        Ok(self.facts.stopped.is_none())
    }

    fn add_losses(&mut self, source: &Arc<Source>, number: Option<u64>, mut losses: Losses) {
        losses.set_game(number.unwrap_or_default());
        for (kind, ..) in losses.iter() {
            let first = self.facts.loss_sources.entry(kind);
            first.or_insert_with(|| Arc::clone(source));
        }
        if losses.respelled().is_some() {
            let first = &mut self.facts.respelled_source;
            first.get_or_insert_with(|| Arc::clone(source));
        }
        self.facts.losses.append(losses);
    }

    fn count_source(&mut self, source: &Arc<Source>, read: u64) {
        match self.is_new(source) {
            true => self.facts.sources.push((Arc::clone(source), read)),
            false => self
                .facts
                .sources
                .last_mut()
                .into_iter()
                .for_each(|(_, games)| *games += read),
        }
    }

    pub fn finish(mut self) -> Joined {
        if self.failed.is_none() && self.facts.stopped.is_none() {
            self.end_source();
        }
        self.facts.elapsed = self.progress.elapsed();
        Joined {
            facts: self.facts,
            outputs: self.outputs,
            failed: self.failed,
        }
    }
}

/// What `--strict` has against a game.
fn objection(entry: &ConvertedEntry) -> Option<String> {
    if let Some(fault) = &entry.fault {
        return Some(format!(
            "{} at {}, {}",
            fault.kind, fault.place, fault.message
        ));
    }
    loss(&entry.losses)
}

/// The first loss, or else the first thing that is spelled otherwise, as an objection.
fn loss(losses: &Losses) -> Option<String> {
    if let Some((_, _, loss)) = losses.iter().next() {
        return Some(format!("the format cannot hold {}", loss.what));
    }
    let respelled = losses.respelled()?;
    Some(format!("the format respells it: {}", respelled.what))
}
