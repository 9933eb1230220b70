//! Real games, where they are at hand.

use std::{env, path::PathBuf};

/// The folder that `TABIYA_DATA` names, or the usual one; `None`, and said so, if there is none.
#[must_use]
pub fn folder() -> Option<PathBuf> {
    let default = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let folder = env::var_os("TABIYA_DATA").map_or(default, PathBuf::from);
    if !folder.is_dir() {
        println!("skipped: no data");
        return None;
    }
    Some(folder)
}
