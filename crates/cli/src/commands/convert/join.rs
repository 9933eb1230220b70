//! Parts in their order: numbers, counts, and the bytes to the output.

use std::{collections::BTreeMap, ops::ControlFlow, sync::Arc, time::Duration};

use tabiya_formats::{Converted, ConvertedEntry, Fault};
use tabiya_game::{Counts, LossKind, Losses, Numbers};

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
    /// What came out of each input that has been opened.
    pub sources: Vec<(Arc<Source>, u64)>,
    /// What is wrong with inputs as a whole.
    pub damage: Vec<Damage>,
    /// Why `--strict` stopped it.
    pub stopped: Option<String>,
    pub elapsed: Duration,
    /// The file that was read last, and the number of the last entry that was read of it.
    pub reached: Option<(Arc<Source>, u64)>,
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
        self.damage = damage;
    }

    /// Whether every wanted game was written whole.
    pub fn is_fine(&self) -> bool {
        self.broken_count == 0
            && self.counts.refused == 0
            && self.others.refused == 0
            && self.losses.is_empty()
            && self.damage.is_empty()
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
            self.uncounted = 0;
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
        self.facts.counts.read += part.deleted;
        self.facts.counts.deleted += part.deleted;
        self.count_source(source, read + part.deleted);
        self.uncounted = uncounted;
        let reached = uncounted.max(part.last_number);
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
