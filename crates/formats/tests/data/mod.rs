//! Real files, where they are at hand.

use std::{env, path::PathBuf};

/// A file or a folder among the data, all of them if the name is empty; `None`, and said so, if it
/// is not there. `TABIYA_DATA` says where they are if not in the usual place.
pub fn find(name: &str) -> Option<PathBuf> {
    let default = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let path = env::var_os("TABIYA_DATA").map_or(default, PathBuf::from);
    let path = path.join(name);
    if !path.exists() {
        println!("skipped: no data");
        return None;
    }
    Some(path)
}
