//! Programs of others that Python starts. They are run where Python has them; `TABIYA_PYTHON` names one
//! that has, and then they must be there.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// The Python to use, and whether it must have what is asked of it.
fn python() -> (PathBuf, bool) {
    match std::env::var_os("TABIYA_PYTHON") {
        Some(path) => (path.into(), true),
        None => ("python3".into(), false),
    }
}

/// Python with a script, if it has the package that the script needs.
pub fn script(name: &str, package: &str) -> Option<Command> {
    let (python, needed) = python();
    let import = format!("import {package}");
    let import = Command::new(&python).args(["-c", &import]).output();
    let found = import.is_ok_and(|output| output.status.success());
    assert!(found || !needed, "{} has no {package}", python.display());
    if !found {
        eprintln!("skipped: no {package}; TABIYA_PYTHON names a Python that has it");
        return None;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients");
    let mut command = Command::new(python);
    command.arg(folder.join(name));
    Some(command)
}
