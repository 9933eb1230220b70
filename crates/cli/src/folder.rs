//! Folders as inputs.

use std::path::PathBuf;

use tabiya::{EarlierOutput, expand_folders, left_in_folders, parts_in_folders};

use crate::message;

/// How many files are named that are not read.
const NAMED: usize = 3;

/// Inputs in which a folder is replaced by the PGN files in it. Says which others are not read.
pub fn expand(inputs: &[PathBuf], earlier: EarlierOutput<'_>) -> anyhow::Result<Vec<PathBuf>> {
    warn(
        "the output of an earlier run is not read",
        &parts_in_folders(inputs, earlier),
    );
    let files = expand_folders(inputs, earlier)?;
    warn(
        "a folder stands for the PGN files in it; name others to read them",
        &left_in_folders(inputs, earlier),
    );
    Ok(files)
}

/// Names the files that something is true of, the first of them if there are many.
fn warn(what: &str, files: &[PathBuf]) {
    if files.is_empty() {
        return;
    }
    let names = files.iter().take(NAMED);
    let names: Vec<String> = names.map(|path| path.display().to_string()).collect();
    let more = match files.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    message::warning(format_args!("{what}: {}{more}", names.join(", ")));
}
