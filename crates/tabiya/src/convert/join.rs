//! Parts in their order: numbers, counts, and the records to the output.

use std::{
    mem,
    ops::{ControlFlow, Range},
    sync::Arc,
    time::Instant,
};

use tabiya_formats::{Converted, ConvertedEntry, DeletedEntry, Records, registry::FormatProfile};
use tabiya_game::{Losses, Numbers};

use super::{
    BrokenGame, Progress, Report,
    inputs::{Inputs, Met, Source, Unwanted, Watch},
    outputs::Outputs,
    report::BROKEN_LISTED,
};
use crate::{Error, ErrorKind};

/// All that is left to do when the last part has come.
pub struct Joined {
    pub report: Report,
    pub outputs: Outputs,
    /// Why it could not be finished.
    pub failed: Option<Error>,
}

/// Who watches, and may end it.
pub type Watcher<'w> = Box<dyn FnMut(&Progress<'_>) -> ControlFlow<()> + 'w>;

/// What the parts are joined for.
pub struct Wishes<'w> {
    /// The format that is written.
    pub format: FormatProfile,
    /// The numbers that are wanted of each input.
    pub numbers: &'w [Numbers],
    /// Whatever is broken or would be lost ends it.
    pub strict: bool,
    /// How many inputs there are.
    pub inputs: usize,
    pub watcher: Option<Watcher<'w>>,
}

pub struct Joiner<'w> {
    /// The numbers that are wanted of each input.
    wanted: &'w [Numbers],
    strict: bool,
    /// How many inputs there are.
    inputs: usize,
    /// Says which inputs need not be read any further.
    unwanted: Unwanted,
    /// Games of this file in the parts before, where the file has no numbers for them.
    uncounted: u64,
    /// The last number of this file so far.
    last: u64,
    /// Those that are marked as deleted, if somebody asked for some numbers.
    deleted: Vec<u64>,
    outputs: Outputs,
    watcher: Option<Watcher<'w>>,
    /// Nobody has been told anything.
    is_silent: bool,
    watch: Watch,
    total: Option<u64>,
    start: Instant,
    report: Report,
    failed: Option<Error>,
}

impl<'w> Joiner<'w> {
    pub fn new(wishes: Wishes<'w>, inputs: &Inputs, outputs: Outputs) -> Joiner<'w> {
        Joiner {
            wanted: wishes.numbers,
            strict: wishes.strict,
            inputs: wishes.inputs,
            unwanted: inputs.unwanted(),
            uncounted: 0,
            last: 0,
            deleted: Vec::new(),
            outputs,
            watcher: wishes.watcher,
            is_silent: true,
            watch: inputs.watch(),
            total: inputs.total(),
            start: Instant::now(),
            report: Report::new(wishes.format),
            failed: None,
        }
    }

    /// Takes what was met next.
    pub fn join(&mut self, met: Met<Converted>) -> ControlFlow<()> {
        let is_unwanted = |source: &Arc<Source>| self.unwanted.contains(source);
        if met.source().is_some_and(is_unwanted) {
            // Other threads were ahead.
            return ControlFlow::Continue(());
        }
        let result = match met {
            Met::Part(source, part) => Ok(self.take(&source, part)),
            Met::Damage(_, damage) => {
                self.report.damage.push(damage);
                Ok(ControlFlow::Continue(()))
            }
            Met::Failure(source, error) => {
                self.count_source(&source, 0);
                Err(error)
            }
            Met::Unopened(error) => Err(error),
        };
        let watched = self.tell_watcher();
        match result {
            Ok(ControlFlow::Continue(())) if watched.is_break() => {
                self.failed = Some(cancelled());
                watched
            }
            Ok(flow) => flow,
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn tell_watcher(&mut self) -> ControlFlow<()> {
        self.is_silent = false;
        let Some(watcher) = &mut self.watcher else {
            return ControlFlow::Continue(());
        };
        watcher(&Progress {
            games: self.report.counts.read,
            bytes: self.watch.read(),
            total: self.total,
            damage: &self.report.damage,
        })
    }

    fn take(&mut self, source: &Arc<Source>, part: Converted) -> ControlFlow<()> {
        if self.is_new(source) {
            self.end_source();
        }
        // Games behind the last wanted one are not even counted.
        let wanted = &self.wanted[source.index];
        let last = wanted.last().unwrap_or(u64::MAX);
        let uncounted = self.uncounted + part.uncounted;
        let behind = uncounted.saturating_sub(last).min(part.uncounted);
        let mut read = part.read - behind;
        let mut start = 0;
        for entry in part.entries {
            let which = start..entry.end;
            start = entry.end;
            let (index, number) = (entry.index, entry.number.after(self.uncounted));
            let is_wanted = |number| wanted.contains(number);
            if !number.map_or(wanted.is_all(), is_wanted) {
                continue;
            }
            if !self.entry(source, number, entry, (&part.records, which)) {
                // The game that stopped it is the last one read.
                read = index + 1;
                break;
            }
        }
        let others = part.others.iter().filter(|index| **index < read).count() as u64;
        self.report.others.read_on(others);
        self.report.counts.read_on(read - others);
        let deleted_games = self.count_deleted(wanted, &part.deleted);
        self.count_source(source, read - others + deleted_games);
        self.uncounted = uncounted;
        let reached = uncounted.max(part.last_number);
        self.last = self.last.max(reached);
        self.report.reached = Some((Arc::clone(source), reached.min(last)));
        let ends_file = reached >= last;
        if ends_file {
            self.unwanted.add(source);
        }
        let ends_all = ends_file && source.index + 1 == self.inputs;
        match self.failed.is_some() || ends_all || part.stopped {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Counts entries that were not told, and says how many of them are games. Those that nobody
    /// asked for are filtered, whether they are deleted or not.
    fn count_deleted(&mut self, wanted: &Numbers, deleted: &[DeletedEntry]) -> u64 {
        let mut games = 0;
        for entry in deleted {
            games += u64::from(entry.is_game);
            let counts = match entry.is_game {
                true => &mut self.report.counts,
                false => &mut self.report.others,
            };
            counts.read += 1;
            match wanted.contains(entry.number) {
                true => counts.deleted += 1,
                false => counts.filtered += 1,
            }
        }
        if !wanted.is_all() {
            let numbers = deleted.iter().map(|entry| entry.number);
            self.deleted.extend(numbers);
        }
        games
    }

    /// The input of the parts before has ended, or nothing more of it is wanted.
    fn end_source(&mut self) {
        let deleted = mem::take(&mut self.deleted);
        let last = mem::take(&mut self.last);
        self.uncounted = 0;
        if let Some((source, _)) = self.report.inputs.last() {
            let source = Arc::clone(source);
            let report = &mut self.report;
            report.look_for_absent(&source, &self.wanted[source.index], last, &deleted);
        }
    }

    /// Inputs of which nothing came are inputs too.
    fn add_empty(&mut self, opened: Vec<Arc<Source>>) {
        for source in opened {
            let mut known = self.report.inputs.iter();
            if !known.any(|(known, _)| known.index == source.index) {
                let wanted = &self.wanted[source.index];
                self.report.look_for_absent(&source, wanted, 0, &[]);
                self.report.inputs.push((source, 0));
            }
        }
        let inputs = &mut self.report.inputs;
        inputs.sort_by_key(|(source, _)| source.index);
    }

    /// Whether no part of an input has come before.
    fn is_new(&self, source: &Source) -> bool {
        let last = self.report.inputs.last();
        last.is_none_or(|(last, _)| last.index != source.index)
    }

    /// Takes an entry that is wanted; `false` if it stops everything.
    fn entry(
        &mut self,
        source: &Arc<Source>,
        number: Option<u64>,
        entry: ConvertedEntry,
        (records, which): (&Records, Range<usize>),
    ) -> bool {
        let (name, place) = (&source.name, entry.place);
        let stop = |reason: String| match number {
            Some(number) => Error::new(ErrorKind::NotWhole, reason)
                .in_file(name)
                .of_game(number)
                .at(place),
            None => Error::about(ErrorKind::NotWhole, name, format!("itself: {reason}")),
        };
        let wrong = self.strict.then(|| objection(&entry)).flatten();
        self.failed = wrong.map(stop);
        let mut losses = entry.losses;
        // A text that went into a file of its own leaves nothing here.
        if !entry.refused && self.failed.is_none() && which.start != which.end {
            match self.outputs.game(records, which) {
                Ok(beside_others) => {
                    let wrong = self.strict.then(|| loss(&beside_others)).flatten();
                    self.failed = wrong.map(stop);
                    losses.append(beside_others);
                }
                Err(error) => self.failed = Some(error),
            }
        }
        self.add_losses(source, number, losses);
        if let (Some(fault), Some(number)) = (entry.fault, number) {
            self.report.broken_count += 1;
            if self.report.broken.len() < BROKEN_LISTED {
                self.report.broken.push(BrokenGame {
                    number,
                    source: Arc::clone(source),
                    fault: *fault,
                });
            }
        }
        let counts = match entry.is_game {
            true => &mut self.report.counts,
            false => &mut self.report.others,
        };
        if entry.refused || self.failed.is_some() {
            counts.refused += 1;
        } else {
            counts.written += 1;
        }
        self.failed.is_none()
    }

    fn add_losses(&mut self, source: &Arc<Source>, number: Option<u64>, mut losses: Losses) {
        losses.set_game(number.unwrap_or_default());
        for (kind, ..) in losses.iter() {
            let first = self.report.loss_inputs.entry(kind);
            first.or_insert_with(|| Arc::clone(source));
        }
        if losses.respelled().is_some() {
            let first = &mut self.report.respelled_input;
            first.get_or_insert_with(|| Arc::clone(source));
        }
        self.report.losses.append(losses);
    }

    fn count_source(&mut self, source: &Arc<Source>, read: u64) {
        match self.is_new(source) {
            true => self.report.inputs.push((Arc::clone(source), read)),
            false => self
                .report
                .inputs
                .last_mut()
                .into_iter()
                .for_each(|(_, games)| *games += read),
        }
    }

    pub fn finish(mut self, opened: Vec<Arc<Source>>) -> Joined {
        if self.failed.is_none() {
            self.end_source();
            self.add_empty(opened);
        }
        // Of nothing that could be read: whoever says no is heard all the same.
        if self.failed.is_none() && self.is_silent && self.tell_watcher().is_break() {
            self.failed = Some(cancelled());
        }
        self.report.elapsed = self.start.elapsed();
        if let (true, None, Some(first)) = (self.strict, &self.failed, self.report.damage.first()) {
            let words = format!("is damaged: {}", first.message);
            self.failed = Some(Error::about(ErrorKind::NotWhole, &first.input, words));
        }
        if let (true, None, Some(first)) = (self.strict, &self.failed, self.report.absent.first()) {
            self.failed = Some(Error::new(ErrorKind::NotWhole, first.to_string()));
        }
        Joined {
            report: self.report,
            outputs: self.outputs,
            failed: self.failed,
        }
    }
}

fn cancelled() -> Error {
    Error::new(ErrorKind::Cancelled, "cancelled")
}

/// What is against a game, if all are to be whole.
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
