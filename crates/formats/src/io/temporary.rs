//! Files and folders that are not meant to stay, so that Ctrl-C can take them along.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::{NamedTempFile, TempDir};

use super::output::folder_of;

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    // A list of paths is right after every step: a panic elsewhere is no reason to leave files.
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps new temporary files from appearing after [`remove_temporaries`].
#[must_use = "hold it until the process ends, or new temporary files may appear"]
pub struct TemporariesRemoved {
    _list: MutexGuard<'static, Vec<PathBuf>>,
}

/// Removes the temporary files of every unfinished [`Output`](super::Output) in this process, and
/// all temporary folders.
///
/// Meant for the thread of a Ctrl-C handler, just before it ends the process. As long as the
/// returned value lives, whoever creates, finishes or drops an output has to wait; what was
/// finished before stays.
///
/// ```standalone_crate
/// use std::{fs, io::Write};
/// use tabiya_formats::io::{Compression, Output, remove_temporaries};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("games.pgn");
/// let mut output = Output::create(&path, Compression::None)?;
/// output.write_all(b"1. e4")?;
/// assert_eq!(fs::read_dir(&folder)?.count(), 1);
///
/// let removed = remove_temporaries();
/// assert_eq!(fs::read_dir(&folder)?.count(), 0);
/// // A handler of Ctrl-C would now call `std::process::exit(130)`.
/// # drop(removed);
/// # Ok(())
/// # }
/// ```
pub fn remove_temporaries() -> TemporariesRemoved {
    let mut list = unfinished();
    for path in list.drain(..) {
        let _ = match path.is_dir() {
            true => fs::remove_dir_all(path),
            false => fs::remove_file(path),
        };
    }
    TemporariesRemoved { _list: list }
}

/// A file of a passing name, on the list for as long as it has it.
pub struct Temporary {
    file: NamedTempFile,
    /// After the file, so that the file is gone before nobody looks after it.
    _entry: Entry,
}

struct Entry(PathBuf);

impl Temporary {
    /// A new one in a folder.
    ///
    /// # Errors
    /// If the system says no.
    pub fn create(folder: &Path) -> io::Result<Temporary> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".tabiya-").suffix(".part");
        // Temporary files are private by default; this one will be an ordinary file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // Created under the lock: there is no moment when the file is there but not on the list.
        let mut list = unfinished();
        let file = builder.tempfile_in(folder)?;
        let path = file.path().to_path_buf();
        list.push(path.clone());
        Ok(Temporary {
            file,
            _entry: Entry(path),
        })
    }

    /// Its passing name.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// To write to.
    pub fn file(&mut self) -> &mut fs::File {
        self.file.as_file_mut()
    }

    /// Gives the file its name, safely on the disk.
    ///
    /// # Errors
    /// If the system says no; what was there before is still there.
    pub fn persist(self, target: &Path) -> io::Result<()> {
        // Without this a power cut after the renaming could leave an empty file.
        self.file.as_file().sync_all()?;
        self.file.persist(target)?;
        sync_folder(folder_of(target));
        Ok(())
    }

    /// The same, unless there is a file of that name already.
    ///
    /// # Errors
    /// If there is one, or the system says no.
    pub fn persist_new(self, target: &Path) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        self.file.persist_noclobber(target)?;
        sync_folder(folder_of(target));
        Ok(())
    }
}

/// Brings names that were given or taken in a folder to the disk. What they name is in place
/// already, and some file systems cannot do this: an error changes nothing.
pub fn sync_folder(folder: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = fs::File::open(folder) {
        let _ = folder.sync_all();
    }
    #[cfg(not(unix))]
    let _ = folder;
}

/// A folder that goes away when it is dropped, on the list for as long as it is there.
pub struct TemporaryFolder {
    folder: TempDir,
    /// After the folder, as with a file.
    _entry: Entry,
}

impl TemporaryFolder {
    /// Where the system keeps such folders.
    ///
    /// # Errors
    /// If the system says no.
    pub fn create() -> io::Result<TemporaryFolder> {
        TemporaryFolder::create_in(&std::env::temp_dir())
    }

    /// In a folder.
    ///
    /// # Errors
    /// If the system says no.
    pub fn create_in(parent: &Path) -> io::Result<TemporaryFolder> {
        let mut list = unfinished();
        let folder = tempfile::Builder::new()
            .prefix(".tabiya-")
            .tempdir_in(parent)?;
        let path = folder.path().to_path_buf();
        list.push(path.clone());
        Ok(TemporaryFolder {
            folder,
            _entry: Entry(path),
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Leaves the folder there, whatever happens to this process from now on.
    pub fn keep(self) {
        // Waits for ever if the process is being stopped: then the folder is gone already.
        drop(self._entry);
        let _ = self.folder.keep();
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        unfinished().retain(|path| *path != self.0);
    }
}
