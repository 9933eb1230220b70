//! Ctrl-C, and what systems send to a process that shall end: unfinished files are removed and the
//! command ends at once, with 128 and the number of the signal, as shells have it. A command that has
//! something to bring to an end hears of it first, and may see to it.

use std::{
    process,
    sync::{Mutex, OnceLock, PoisonError},
};

use anyhow::Context;
use tabiya_formats::io::remove_temporaries;

use crate::message;

/// Hears which signal has come, brings what a command does to its end, and says whether there was something.
type Farewell = Box<dyn Fn(i32) -> bool + Send + Sync>;

static FAREWELL: OnceLock<Farewell> = OnceLock::new();

/// From now on a signal ends the command only if there is nothing to bring to an end.
#[cfg(any(feature = "server", feature = "sql"))]
pub fn say_farewell(farewell: impl Fn(i32) -> bool + Send + Sync + 'static) {
    // Who has said so once has said it for all.
    let _ = FAREWELL.set(Box::new(farewell));
}

/// What an end leaves that came too early.
static LEFT: Mutex<&str> = Mutex::new("");

/// From now on whoever interrupts the command is told what that leaves.
pub fn leaves(words: &'static str) {
    *LEFT.lock().unwrap_or_else(PoisonError::into_inner) = words;
}

/// Listens for Ctrl-C, SIGTERM and SIGHUP from now on.
pub fn install() -> anyhow::Result<()> {
    listen().context("cannot listen for Ctrl-C")
}

#[cfg(unix)]
fn listen() -> std::io::Result<()> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM},
        iterator::Signals,
    };
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    std::thread::Builder::new().spawn(move || signals.forever().for_each(hear))?;
    Ok(())
}

/// Other systems have Ctrl-C alone.
#[cfg(not(unix))]
fn listen() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| hear(2))
}

/// A signal has come.
fn hear(signal: i32) {
    match FAREWELL.get() {
        Some(farewell) if farewell(signal) => {}
        _ => end(signal),
    }
}

/// Whether it is that of Ctrl-C.
#[cfg(feature = "sql")]
pub fn is_ctrl_c(signal: i32) -> bool {
    signal == 2
}

/// Ends as a signal does, behind whatever had to be brought to an end first.
pub fn end(signal: i32) -> ! {
    // Held to the end: no new file may appear after the others have been removed.
    let _removed = remove_temporaries();
    let left = *LEFT.lock().unwrap_or_else(PoisonError::into_inner);
    if !left.is_empty() {
        message::note(format_args!("interrupted: {left}"));
    }
    process::exit(128 + signal);
}
