//! Parts in their order: numbers, counts, and the bytes to the output.

use std::{ops::ControlFlow, sync::Arc, time::Duration};

use tabiya_formats::{Converted, ConvertedEntry, Fault};
use tabiya_game::{Counts, Losses, Span};

use super::{
    Args,
    inputs::{Damage, Source},
    outputs::Outputs,
};
use crate::progress::Progress;

/// How many broken games a report lists; all are counted.
pub const BROKEN_LISTED: usize = 10_000;

/// What has happened.
#[derive(Default)]
pub struct Facts {
    pub counts: Counts,
    pub broken_count: u64,
    /// The first of them.
    pub broken: Vec<BrokenGame>,
    pub losses: Losses,
    /// What came out of each input that has been opened.
    pub sources: Vec<(Arc<Source>, u64)>,
    /// What is wrong with inputs as a whole.
    pub damage: Vec<Damage>,
    /// Why `--strict` stopped it.
    pub stopped: Option<String>,
    pub elapsed: Duration,
}

pub struct BrokenGame {
    /// Its number, counted over all inputs.
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
    wanted: Option<Span<u64>>,
    strict: bool,
    outputs: Outputs,
    progress: Progress,
    facts: Facts,
    failed: Option<anyhow::Error>,
}

impl Joiner {
    pub fn new(args: &Args, outputs: Outputs, progress: Progress) -> Joiner {
        Joiner {
            wanted: args.games,
            strict: args.strict,
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
        let before = self.facts.counts;
        // Games behind the last wanted one are not even counted.
        let last = self.wanted.and_then(|span| span.most).unwrap_or(u64::MAX);
        let told = before.read - before.deleted;
        let mut read = part.read.min(last.saturating_sub(told));
        let mut start = 0;
        for entry in part.entries {
            let bytes = &part.bytes[start..entry.end];
            start = entry.end;
            let (index, number) = (entry.index, told + entry.index + 1);
            if self.wanted.is_some_and(|span| !span.contains(&number)) {
                continue;
            }
            if !self.entry(source, number, entry, bytes)? {
                // The game that stopped it is the last one read.
                read = index + 1;
                break;
            }
        }
        let counts = &mut self.facts.counts;
        counts.read += read;
        let kept = counts.written + counts.refused - before.written - before.refused;
        counts.filtered += read - kept;
        counts.read += part.deleted;
        counts.deleted += part.deleted;
        self.count_source(source, read + part.deleted);
        let done = self.facts.stopped.is_some() || told + read >= last;
        Ok(if done {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    }

    /// Takes an entry that is wanted; `false` if it stops everything.
    fn entry(
        &mut self,
        source: &Arc<Source>,
        number: u64,
        entry: ConvertedEntry,
        bytes: &[u8],
    ) -> anyhow::Result<bool> {
        if self.strict
            && let Some(reason) = objection(&entry)
        {
            let (name, place) = (&source.name, entry.place);
            self.facts.stopped = Some(format!("game {number} ({name}, {place}): {reason}"));
        }
        let mut losses = entry.losses;
        losses.set_game(number);
        self.facts.losses.append(losses);
        if let Some(fault) = entry.fault {
            self.facts.broken_count += 1;
            if self.facts.broken.len() < BROKEN_LISTED {
                self.facts.broken.push(BrokenGame {
                    number,
                    source: Arc::clone(source),
                    fault: *fault,
                });
            }
        }
        if entry.refused || self.facts.stopped.is_some() {
            self.facts.counts.refused += 1;
        } else {
            self.facts.counts.written += 1;
            // A text that went into a file of its own leaves nothing here.
            if !bytes.is_empty() {
                self.outputs.game(bytes)?;
            }
        }
        Ok(self.facts.stopped.is_none())
    }

    fn count_source(&mut self, source: &Arc<Source>, read: u64) {
        match self.facts.sources.last_mut() {
            Some((last, games)) if last.index == source.index => *games += read,
            _ => self.facts.sources.push((Arc::clone(source), read)),
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
    let (_, _, loss) = entry.losses.iter().next()?;
    Some(format!("the format cannot hold {}", loss.what))
}
