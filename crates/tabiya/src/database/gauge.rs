//! How far a database of tabiya's own has come with an answer of its own.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicU64, Ordering},
};

use tabiya_formats::io::Progress;

use super::Watch;
use crate::{Error, ErrorKind, Result};

/// Counts entries that have been looked at, and tells whoever waits.
pub(crate) struct Gauge {
    watch: Option<Watch>,
    progress: Progress,
    looked_at: AtomicU64,
    /// How many will have been looked at in the end.
    all: u64,
}

impl Gauge {
    pub fn new(watch: Option<Watch>, progress: Progress, all: u64) -> Gauge {
        Gauge {
            watch,
            progress,
            looked_at: AtomicU64::new(0),
            all,
        }
    }

    /// So many more have been looked at.
    pub fn add(&self, entries: u64) -> ControlFlow<()> {
        let before = self.looked_at.fetch_add(entries, Ordering::Relaxed);
        let bytes = u128::from(self.progress.total().unwrap_or(0));
        let share = bytes * u128::from((before + entries).min(self.all));
        let reached = share.checked_div(self.all.into()).unwrap_or(bytes);
        self.progress
            .reach(u64::try_from(reached).unwrap_or(u64::MAX));
        match &self.watch {
            Some(watch) => watch(&self.progress),
            None => ControlFlow::Continue(()),
        }
    }

    /// The same; an error if nobody waits any more.
    pub fn look(&self, entries: u64) -> Result<()> {
        match self.add(entries) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::new(ErrorKind::Cancelled, "cancelled")),
        }
    }

    /// All has been looked at.
    pub fn finish(&self) -> Result<()> {
        self.progress.reach(self.progress.total().unwrap_or(0));
        self.look(0)
    }
}
