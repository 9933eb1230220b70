//! Real files, where they are at hand. The tests of all crates find them here.

use std::{
    env,
    io::{self, Write},
    path::PathBuf,
    thread,
};

/// A file or a folder among the data, all of them if the name is empty; `None`, and said so, if it
/// is not there. `TABIYA_DATA` says where they are if not in the usual place.
///
/// # Panics
/// If `CI=true` and there is data, but not this: what should be there is not skipped.
pub fn find(name: &str) -> Option<PathBuf> {
    let default = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = env::var_os("TABIYA_DATA").map_or(default, PathBuf::from);
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    let promised = folder.is_dir() && env::var_os("CI").is_some_and(|value| value == "true");
    assert!(!promised, "the data lacks {name}: {}", path.display());
    // Not by `println!`, which nobody hears of a test that passes.
    let test = thread::current();
    let test = test.name().unwrap_or_default();
    let _ = writeln!(io::stderr(), "test {test} ... skipped: no data");
    None
}
