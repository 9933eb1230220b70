//! Only one at a time may change a database.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use super::files::with_suffix;

/// Stands behind the name of the index in that of the file that says who changes the database.
const SUFFIX: &str = ".tabiya-lock";

/// The right to change a database, for as long as it lives.
///
/// None of the three files could be locked instead: each of them may be replaced by another while
/// the database changes, and some systems let nobody read a file that is locked.
pub(super) struct Lock {
    path: PathBuf,
    /// Locked until it is closed, at the latest when the process ends.
    _file: File,
}

impl Lock {
    /// Takes the right to change the database of an index.
    ///
    /// # Errors
    /// If somebody else has it, or the folder cannot be written to.
    pub(super) fn of(index: &Path) -> io::Result<Lock> {
        // Whoever comes by a link has to meet the others.
        let index = fs::canonicalize(index).unwrap_or_else(|_| index.to_path_buf());
        let path = with_suffix(&index, SUFFIX);
        loop {
            let file = File::options()
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(busy(&index)),
                // Some network drives have no locks. Who works alone there must not be kept from it.
                Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => {
                    return Err(error);
                }
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            // It may have been removed by the last owner after it was opened here.
            if is_at(&file, &path) {
                return Ok(Lock { path, _file: file });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Only where `is_at` finds out that a file is not the one of that name any more.
        if cfg!(unix) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn busy(index: &Path) -> io::Error {
    let message = format!("{} is being changed by another program", index.display());
    io::Error::new(io::ErrorKind::ResourceBusy, message)
}

/// Whether a path leads to this very file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |there: fs::Metadata| (there.dev(), there.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(there)) => id(ours) == id(there),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_and_no_traces() {
        let folder = tempfile::tempdir().unwrap();
        let index = folder.path().join("a.si4");
        let lock = Lock::of(&index).unwrap();
        let error = Lock::of(&index).err().unwrap();
        assert_eq!(error.kind(), io::ErrorKind::ResourceBusy);
        let message = error.to_string();
        assert!(message.ends_with("a.si4 is being changed by another program"));
        drop(lock);
        // Somebody was stopped and could not remove the file.
        fs::write(with_suffix(&index, SUFFIX), "").unwrap();
        drop(Lock::of(&index).unwrap());
        if cfg!(unix) {
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }

    /// Many take turns, and the file comes and goes: there are never two at once.
    #[test]
    fn never_two_even_while_the_file_comes_and_goes() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let folder = tempfile::tempdir().unwrap();
        let index = folder.path().join("a.si5");
        let owners = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..2_000 {
                        let Ok(lock) = Lock::of(&index) else { continue };
                        assert_eq!(owners.fetch_add(1, Ordering::SeqCst), 0);
                        owners.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
    }
}
