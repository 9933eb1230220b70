//! Ctrl-C, and what systems send to a process that shall end: unfinished files are removed and the
//! command ends with 130, at once.

use std::process;

use anyhow::Context;
use tabiya_formats::io::remove_temporaries;

/// 128 + SIGINT, as shells have it.
const INTERRUPTED: i32 = 130;

/// Listens for Ctrl-C, SIGTERM and SIGHUP from now on.
pub fn install() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        // Held to the end: no new file may appear after the others have been removed.
        let _removed = remove_temporaries();
        process::exit(INTERRUPTED);
    })
    .context("cannot listen for Ctrl-C")
}
