//! What the two programs tell their users.

use std::io::{self, Write};

use log::{LevelFilter, Log, Metadata, Record};

/// Lines on standard error. What keeps them (systemd, containers) adds the time.
struct Stderr;

static STDERR: Stderr = Stderr;

impl Log for Stderr {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record<'_>) {
        let (level, target) = (record.level().as_str(), record.target());
        // Work goes on if nobody can be told of it.
        let _ = writeln!(io::stderr().lock(), "{level} {target}: {}", record.args());
    }

    fn flush(&self) {}
}

/// Tells on standard error what a scheduler or an executor does, down to a level. Where a program has
/// a logger already, nothing changes.
///
/// ```
/// tabiya_sql::cluster::tell_on_stderr(log::LevelFilter::Warn);
/// ```
pub fn tell_on_stderr(level: LevelFilter) {
    if log::set_logger(&STDERR).is_ok() {
        log::set_max_level(level);
    }
}

/// A level by its name, for arguments.
///
/// # Errors
/// If there is none of that name.
pub fn level(name: &str) -> Result<LevelFilter, String> {
    let wrong = |_| "expected off, error, warn, info, debug or trace".to_owned();
    name.parse().map_err(wrong)
}
