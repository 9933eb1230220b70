//! Where an executor puts what others fetch, and what does not fit into memory.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use sysinfo::System;
use tempfile::TempDir;

use super::Error;

/// A folder that is gone with whoever has it: at once, or, if he is killed, when another is made beside it.
/// Several executors may share a disk, and none knows what another still needs. Machines may share one as
/// well, and not all of these show the locks of the others: each machine removes what is its own.
pub(super) struct WorkFolder {
    /// Held by whoever lives, and let go before the folder is removed. Not every disk knows locks.
    _lock: Option<File>,
    folder: TempDir,
}

const LOCK: &str = "lock";

impl WorkFolder {
    /// A new one in a folder, or among the system's temporary files.
    pub fn new(parent: Option<&Path>) -> Result<WorkFolder, Error> {
        let parent = parent.map_or_else(std::env::temp_dir, Path::to_owned);
        let made = || {
            fs::create_dir_all(&parent)?;
            let prefix = prefix();
            remove_left(&parent, &prefix)?;
            let folder = tempfile::Builder::new()
                .prefix(&prefix)
                .tempdir_in(&parent)?;
            let made = WorkFolder {
                _lock: locked(folder.path()).ok(),
                folder,
            };
            fs::create_dir(made.jobs())?;
            fs::create_dir(made.spilled())?;
            Ok(made)
        };
        made().map_err(|source| Error::WorkFolder {
            folder: parent.display().to_string(),
            source,
        })
    }

    /// What others fetch, in a folder for each job.
    pub fn jobs(&self) -> PathBuf {
        self.folder.path().join("jobs")
    }

    /// What does not fit into memory.
    pub fn spilled(&self) -> PathBuf {
        self.folder.path().join("spilled")
    }
}

/// How the names of all folders of this machine begin. No name of a machine has what ends it.
fn prefix() -> String {
    let machine = System::host_name().unwrap_or_default();
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '.';
    let machine = machine.replace(|letter| !is_plain(letter), "-");
    format!("tabiya-executor-{machine}_")
}

/// A lock that is held before others can see it.
fn locked(folder: &Path) -> io::Result<File> {
    let unseen = folder.join("unseen");
    let lock = File::create_new(&unseen)?;
    lock.lock()?;
    fs::rename(unseen, folder.join(LOCK))?;
    Ok(lock)
}

/// Removes what executors have left that were killed.
fn remove_left(parent: &Path, prefix: &str) -> io::Result<()> {
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        let is_ours = entry.file_name().to_string_lossy().starts_with(prefix);
        if is_ours && is_left(&entry.path()) {
            // Others may be removing it, too.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    Ok(())
}

/// Whether nobody holds the lock of a folder, as far as can be seen. NFS gives locks only to those who may
/// write.
fn is_left(folder: &Path) -> bool {
    let lock = File::options()
        .read(true)
        .write(true)
        .open(folder.join(LOCK));
    lock.is_ok_and(|lock| lock.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_removed_when_nobody_has_it_any_more() {
        let parent = tempfile::tempdir().expect("a folder");
        let parent = parent.path();
        let new = || WorkFolder::new(Some(parent)).expect("a folder");
        let (one, killed) = (new(), new());
        fs::write(killed.jobs().join("rows"), "rows").expect("a file");
        let WorkFolder { _lock, folder } = killed;
        let left = folder.keep();
        drop(_lock);
        assert!(left.exists());
        fs::create_dir(parent.join("another's")).expect("a folder");
        // The lock of another machine may not be seen from here.
        let elsewhere = parent.join("tabiya-executor-elsewhere_1");
        fs::create_dir(&elsewhere).expect("a folder");
        fs::write(elsewhere.join(LOCK), "").expect("a lock");
        let other = new();
        assert!(!left.exists(), "nobody has it");
        assert!(one.jobs().exists() && other.spilled().exists());
        drop((one, other));
        let names: Vec<_> = fs::read_dir(parent)
            .expect("a folder")
            .map(|entry| entry.expect("a name").file_name())
            .collect();
        assert_eq!(names.len(), 2, "{names:?}");
        assert!(elsewhere.exists() && parent.join("another's").exists());
    }
}
