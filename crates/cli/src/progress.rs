//! How far it is, for people who wait.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

#[cfg(feature = "sql")]
use crate::text;

/// A line on stderr, where that is a terminal. It is taken away when it is dropped.
pub struct Progress {
    bar: ProgressBar,
    start: Instant,
}

const KNOWN: &str = "{bar:30} {percent:>3}%  {msg}  {binary_bytes_per_sec}  {eta} left";
const UNKNOWN: &str = "{spinner} {binary_bytes}  {msg}  {binary_bytes_per_sec}";

impl Progress {
    /// Nothing is shown before the first update, nor if it is not wanted.
    pub fn new(wanted: bool) -> Progress {
        let target = match wanted {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let progress = Progress {
            bar: ProgressBar::with_draw_target(None, target),
            start: Instant::now(),
        };
        progress.set_style(UNKNOWN);
        progress
    }

    /// Shows how far it is: so many bytes of so many, if that is known.
    pub fn update(&self, read: u64, total: Option<u64>) {
        if self.bar.is_hidden() {
            return;
        }
        if let (Some(total), None) = (total, self.bar.length()) {
            self.bar.set_length(total);
            self.set_style(KNOWN);
        }
        self.bar.set_position(read);
    }

    /// Shows how far it is, and how many games that are.
    pub fn update_games(&self, games: u64, read: u64, total: Option<u64>) {
        if self.bar.is_hidden() {
            return;
        }
        let seconds = self
            .start
            .elapsed()
            .max(Duration::from_millis(1))
            .as_secs_f64();
        let rate = games as f64 / seconds;
        // Some formats have much to do when all games are there.
        let then = if Some(read) == total {
            ", finishing"
        } else {
            ""
        };
        self.bar
            .set_message(format!("{games} games, {rate:.0}/s{then}"));
        self.update(read, total);
    }

    fn set_style(&self, template: &str) {
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
    }
}

/// Says on stderr, where that is a terminal, that something takes its time.
#[cfg(feature = "sql")]
pub struct Waiting(ProgressBar);

#[cfg(feature = "sql")]
impl Waiting {
    /// Shown until it is dropped.
    pub fn begin() -> Waiting {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Waiting(bar)
    }

    /// How many rows have come.
    pub fn rows(&self, rows: u64) {
        self.0.set_message(text::counted(rows, "row"));
    }
}

#[cfg(feature = "sql")]
impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
