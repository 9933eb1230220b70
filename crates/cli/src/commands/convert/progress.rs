//! How far it is, for people who wait.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::inputs::Watch;

/// A line on stderr, where that is a terminal.
pub struct Progress {
    bar: ProgressBar,
    watch: Watch,
    start: Instant,
}

const KNOWN: &str = "{bar:30} {percent:>3}%  {msg}  {binary_bytes_per_sec}  {eta} left";
const UNKNOWN: &str = "{spinner} {binary_bytes}  {msg}  {binary_bytes_per_sec}";

impl Progress {
    pub fn new(total: Option<u64>, watch: Watch, wanted: bool) -> Progress {
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
            watch,
            start: Instant::now(),
        }
    }

    pub fn update(&self, games: u64) {
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
        self.bar.set_position(self.watch.read());
    }

    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
