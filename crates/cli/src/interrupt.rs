//! Ctrl-C, and what systems send to a process that shall end: unfinished files are removed and the
//! command ends at once, with 128 and the number of the signal, as shells have it.

use std::process;

use anyhow::Context;
use tabiya_formats::io::remove_temporaries;

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
    std::thread::Builder::new().spawn(move || {
        if let Some(signal) = signals.forever().next() {
            end(signal);
        }
    })?;
    Ok(())
}

/// Other systems have Ctrl-C alone.
#[cfg(not(unix))]
fn listen() -> Result<(), ctrlc::Error> {
    const SIGINT: i32 = 2;
    ctrlc::set_handler(|| end(SIGINT))
}

fn end(signal: i32) {
    // Held to the end: no new file may appear after the others have been removed.
    let _removed = remove_temporaries();
    process::exit(128 + signal);
}
