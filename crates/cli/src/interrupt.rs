//! Ctrl-C: unfinished files are removed and the command ends with 130, at once.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process,
    sync::{Mutex, MutexGuard, PoisonError},
};

use anyhow::Context;
use tabiya_formats::io::remove_temporaries;
use tempfile::NamedTempFile;

/// 128 + SIGINT, as shells have it.
const INTERRUPTED: i32 = 130;

/// Files that are being written.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Listens for Ctrl-C from now on.
pub fn install() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        // Held to the end: no new file may appear after the others have been removed.
        let files = unfinished();
        let _removed = remove_temporaries();
        for file in files.iter() {
            let _ = fs::remove_file(file);
        }
        process::exit(INTERRUPTED);
    })
    .context("cannot listen for Ctrl-C")
}

/// A temporary file that Ctrl-C removes for as long as its [`Guard`] lives.
pub fn temporary(
    builder: &tempfile::Builder<'_, '_>,
    folder: &Path,
) -> io::Result<(NamedTempFile, Guard)> {
    let mut files = unfinished();
    let file = builder.tempfile_in(folder)?;
    files.push(file.path().to_path_buf());
    let guard = Guard(file.path().to_path_buf());
    Ok((file, guard))
}

/// Says that a file is still unfinished.
pub struct Guard(PathBuf);

impl Drop for Guard {
    fn drop(&mut self) {
        unfinished().retain(|file| *file != self.0);
    }
}
