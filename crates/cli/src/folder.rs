//! Folders as inputs.

use std::path::PathBuf;

use tabiya::{EarlierOutput, expand_folders, left_in_folders};

use crate::message;

/// How many files are named that are not read.
const NAMED: usize = 3;

/// Inputs in which a folder is replaced by the PGN files in it. Says which others are not read.
pub fn expand(inputs: &[PathBuf], earlier: EarlierOutput<'_>) -> anyhow::Result<Vec<PathBuf>> {
    let files = expand_folders(inputs, earlier)?;
    let left = left_in_folders(inputs, earlier);
    if !left.is_empty() {
        let names = left.iter().take(NAMED);
        let names: Vec<String> = names.map(|path| path.display().to_string()).collect();
        let more = match left.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        message::warning(format_args!(
            "a folder stands for the PGN files in it; name others to read them: {}{more}",
            names.join(", ")
        ));
    }
    Ok(files)
}
