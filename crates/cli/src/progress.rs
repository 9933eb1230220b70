//! How far it is, for people who wait.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A line on stderr, where that is a terminal. It is taken away when it is dropped.
pub struct Progress {
    bar: ProgressBar,
    read: Box<dyn Fn() -> u64>,
    start: Instant,
}

const KNOWN: &str = "{bar:30} {percent:>3}%  {msg}  {binary_bytes_per_sec}  {eta} left";
const UNKNOWN: &str = "{spinner} {binary_bytes}  {msg}  {binary_bytes_per_sec}";

impl Progress {
    /// `total` bytes are to be read, if that is known; `read` says how many have been.
    pub fn new(total: Option<u64>, read: impl Fn() -> u64 + 'static, wanted: bool) -> Progress {
        let target = match wanted {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(total, target);
        let template = if total.is_some() { KNOWN } else { UNKNOWN };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Progress {
            bar,
            read: Box::new(read),
            start: Instant::now(),
        }
    }

    /// Shows how far it is.
    pub fn update(&self) {
        if !self.bar.is_hidden() {
            self.bar.set_position((self.read)());
        }
    }

    /// Shows how far it is, and how many games that are.
    pub fn update_games(&self, games: u64) {
        if self.bar.is_hidden() {
            return;
        }
        let seconds = self
            .start
            .elapsed()
            .max(Duration::from_millis(1))
            .as_secs_f64();
        let rate = games as f64 / seconds;
        self.bar.set_message(format!("{games} games, {rate:.0}/s"));
        self.update();
    }

    /// Since the beginning.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
