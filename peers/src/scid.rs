//! The Scid that is installed, driven by scripts.
//!
//! Debian's package has `tkscid`, an interpreter of Tcl with commands for databases of version 4.
//! It needs no display as long as a script opens no window. Which commands there are, it says
//! itself: called without arguments they print how they are used.

use std::{
    env, fs,
    path::PathBuf,
    process::{Command, Output},
};

/// What scripts need before they begin: Scid tells the progress of long work to this procedure,
/// and names are UTF-8.
const PRELUDE: &str = "proc ::progressCallBack args {}\nfconfigure stdout -encoding utf-8\n";

/// A Scid that can be started.
pub struct Scid {
    program: PathBuf,
}

impl Scid {
    /// Looks for it where programs are, games included; `None`, and said so, if there is none.
    #[must_use]
    pub fn find() -> Option<Scid> {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
        let found = folders
            .map(|folder| folder.join("tkscid"))
            .find(|path| path.is_file());
        if found.is_none() {
            println!("skipped: no Scid");
        }
        found.map(|program| Scid { program })
    }

    /// Runs a script in a process of its own; what it printed.
    ///
    /// # Panics
    /// If the script fails.
    #[must_use]
    pub fn run(&self, script: &str) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("script.tcl");
        fs::write(&file, format!("{PRELUDE}{script}")).expect("a script");
        let Output {
            status,
            stdout,
            stderr,
        } = Command::new(&self.program)
            .arg(&file)
            .output()
            .expect("it starts");
        let stderr = String::from_utf8_lossy(&stderr);
        assert!(status.success(), "{status}: {stderr}\n{script}");
        String::from_utf8_lossy(&stdout).into_owned()
    }
}
