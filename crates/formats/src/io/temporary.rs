//! Files and folders that are not meant to stay, so that Ctrl-C can take them along.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use tempfile::{NamedTempFile, TempDir};

use super::{lock::is_at, output::folder_of};

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
        match path.is_dir() {
            true => remove_folder(&path),
            false => drop(fs::remove_file(path)),
        }
    }
    TemporariesRemoved { _list: list }
}

/// Removes a folder into which another thread may be putting files at this moment.
fn remove_folder(path: &Path) {
    for _ in 0..50 {
        match fs::remove_dir_all(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                thread::sleep(Duration::from_millis(2));
            }
            _ => return,
        }
    }
}

/// How the names of temporary files and folders begin, and those of files end.
const PREFIX: &str = ".tabiya-";
const SUFFIX: &str = ".part";

/// How many letters are drawn for a name.
const DRAWN: usize = 12;

/// How the names of lists end that say what becomes of the files in a temporary folder.
pub const SWAP_LIST: &str = ".tabiya-swap";

/// A folder that belongs to this process, as a lock says: it goes when the process does.
#[derive(Debug)]
pub struct Held {
    _lock: Option<fs::File>,
}

impl Held {
    /// Takes a folder; `None` if somebody has just removed it.
    fn folder(path: &Path) -> Option<Held> {
        // Not all systems can open a folder. There nobody sweeps, either.
        let Ok(lock) = fs::File::open(path) else {
            let held = Held { _lock: None };
            return path.is_dir().then_some(held);
        };
        is_held(&lock, path).then_some(Held { _lock: Some(lock) })
    }
}

/// Takes a file or folder for this process; `false` if somebody has just removed it.
fn is_held(file: &fs::File, path: &Path) -> bool {
    // Elsewhere a lock would keep others from reading, and libraries from writing.
    if cfg!(unix) {
        let _ = file.lock();
    }
    is_at(file, path)
}

/// Sweeps a folder. Once in the life of a process is enough.
fn sweep_once(folder: &Path) {
    static SWEPT: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
    // The system sees to its own folder.
    if cfg!(unix) && folder != std::env::temp_dir() && swept.iter().all(|it| it != folder) {
        swept.push(folder.to_path_buf());
        sweep(folder);
    }
}

/// Removes what processes left in a folder that were killed: what nobody holds.
fn sweep(folder: &Path) {
    for (name, path) in entries(folder) {
        if is_beside_nothing(&name, folder) {
            let _ = fs::remove_file(&path);
        }
        if !is_passing(&name, &path) {
            continue;
        }
        let Ok(file) = fs::File::open(&path) else {
            continue;
        };
        if file.try_lock().is_err() || !is_at(&file, &path) {
            continue;
        }
        // Looked for now that its owner is gone: a list brings the files of a folder to their
        // places when the database is opened.
        let is_listed = || entries(folder).any(|(name, _)| name.ends_with(SWAP_LIST));
        let _ = match path.is_dir() {
            true if is_listed() => Ok(()),
            true => fs::remove_dir_all(&path),
            false => fs::remove_file(&path),
        };
    }
}

/// Whether a file is one that SQLite keeps beside a temporary one that is gone.
fn is_beside_nothing(name: &str, folder: &Path) -> bool {
    let journals = ["-journal", "-wal", "-shm"].into_iter();
    let mut main = journals.filter_map(|journal| name.strip_suffix(journal));
    main.any(|main| {
        let path = folder.join(main);
        is_passing(main, &path) && !path.exists()
    })
}

/// Whether a name is one that only tabiya gives: people have folders with names of their own.
fn is_passing(name: &str, path: &Path) -> bool {
    let drawn = name.strip_prefix(PREFIX);
    let drawn = match path.is_dir() {
        true => drawn,
        false => drawn.and_then(|name| name.strip_suffix(SUFFIX)),
    };
    drawn.is_some_and(|letters| {
        letters.len() == DRAWN && letters.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// What is in a folder; links are left out.
fn entries(folder: &Path) -> impl Iterator<Item = (String, PathBuf)> {
    let found = fs::read_dir(folder).into_iter().flatten().flatten();
    let found = found.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
    found.map(|entry| {
        (
            entry.file_name().to_string_lossy().into_owned(),
            entry.path(),
        )
    })
}

/// A file of a passing name, on the list for as long as it has it.
pub struct Temporary {
    file: NamedTempFile,
    /// After the file, so that the file is gone before nobody looks after it.
    _entry: Entry,
}

/// A path on the list, for as long as this lives.
#[derive(Debug)]
pub(super) struct Entry(PathBuf);

impl Entry {
    /// Lists what is made at a path, if it is: nobody ends the process between the two.
    pub(super) fn of_made<T>(
        path: &Path,
        make: impl FnOnce() -> io::Result<Option<T>>,
    ) -> io::Result<Option<(T, Entry)>> {
        let mut list = unfinished();
        Ok(make()?.map(|made| {
            list.push(path.to_path_buf());
            (made, Entry(path.to_path_buf()))
        }))
    }

    /// Removes the file, and leaves the list: nobody ends the process between the two, and removes what
    /// somebody else has made there.
    pub(super) fn remove_file(mut self) {
        let mut list = unfinished();
        let path = std::mem::take(&mut self.0);
        let _ = fs::remove_file(&path);
        strike(&mut list, &path);
    }
}

/// Takes a path from the list, once: somebody else of this process may have listed it, too.
fn strike(list: &mut Vec<PathBuf>, path: &Path) {
    if let Some(own) = list.iter().position(|listed| listed == path) {
        list.swap_remove(own);
    }
}

impl Temporary {
    /// A new one in a folder.
    ///
    /// # Errors
    /// If the system says no.
    pub fn create(folder: &Path) -> io::Result<Temporary> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(DRAWN);
        // Temporary files are private by default; this one will be an ordinary file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        sweep_once(folder);
        // Created under the lock: there is no moment when the file is there but not on the list.
        let mut list = unfinished();
        loop {
            let file = builder.tempfile_in(folder).map_err(nameless)?;
            let path = file.path().to_path_buf();
            if !is_held(file.as_file(), &path) {
                continue;
            }
            list.push(path.clone());
            return Ok(Temporary {
                file,
                _entry: Entry(path),
            });
        }
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

/// What the system said. The library that makes temporary files adds their names, which mean nothing
/// to anybody.
fn nameless(error: io::Error) -> io::Error {
    let words = error.to_string();
    match words.rsplit_once(" at path ") {
        Some((said, _)) => io::Error::new(error.kind(), said),
        None => error,
    }
}

/// A folder that goes away when it is dropped, on the list for as long as it is there.
#[derive(Debug)]
pub struct TemporaryFolder {
    folder: TempDir,
    held: Held,
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
        sweep_once(parent);
        let mut list = unfinished();
        loop {
            let mut builder = tempfile::Builder::new();
            let folder = builder.prefix(PREFIX).rand_bytes(DRAWN).tempdir_in(parent);
            let folder = folder.map_err(nameless)?;
            let path = folder.path().to_path_buf();
            let Some(held) = Held::folder(&path) else {
                continue;
            };
            list.push(path.clone());
            return Ok(TemporaryFolder {
                folder,
                held,
                _entry: Entry(path),
            });
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Leaves the folder there, whatever happens to this process from now on. As long as the
    /// returned value lives, nobody else takes it for one that was left behind.
    pub fn keep(self) -> Held {
        // Waits for ever if the process is being stopped: then the folder is gone already.
        drop(self._entry);
        let _ = self.folder.keep();
        self.held
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        strike(&mut unfinished(), &self.0);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_the_killed_left_is_removed_and_what_is_in_use_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mine = Temporary::create(folder.path()).unwrap();
        let ours = TemporaryFolder::create_in(folder.path()).unwrap();
        fs::write(at(".tabiya-dead00000001.part"), "half a file").unwrap();
        fs::create_dir(at(".tabiya-gone00000002")).unwrap();
        fs::write(at(".tabiya-gone00000002/a.cbh"), "half a database").unwrap();
        fs::write(at("games.pgn"), "").unwrap();
        fs::create_dir(at(".tabiya-notes")).unwrap();
        fs::write(at(".tabiya-my.part"), "").unwrap();
        fs::write(at(".tabiya-dead00000003.part-journal"), "").unwrap();
        fs::write(at("games.josedb-journal"), "").unwrap();
        sweep(folder.path());
        assert!(!at(".tabiya-dead00000003.part-journal").exists());
        assert!(at("games.josedb-journal").exists());
        assert!(!at(".tabiya-dead00000001.part").exists());
        assert!(!at(".tabiya-gone00000002").exists());
        assert!(at("games.pgn").exists());
        assert!(at(".tabiya-notes").exists() && at(".tabiya-my.part").exists());
        assert!(mine.path().exists() && ours.path().exists());
    }

    #[test]
    fn passing_names_are_not_told() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing");
        let errors = [
            Temporary::create(&missing).err(),
            TemporaryFolder::create_in(&missing).err(),
        ];
        for error in errors {
            let error = error.expect("there is no such folder");
            assert_eq!(error.kind(), io::ErrorKind::NotFound);
            assert!(!error.to_string().contains(PREFIX), "{error}");
        }
    }

    #[test]
    fn a_folder_that_a_list_waits_for_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at(".tabiya-wanted000003")).unwrap();
        fs::write(at(".a.tabiya-swap"), "folder .tabiya-wanted").unwrap();
        sweep(folder.path());
        assert!(at(".tabiya-wanted000003").exists());
        fs::remove_file(at(".a.tabiya-swap")).unwrap();
        sweep(folder.path());
        assert!(!at(".tabiya-wanted000003").exists());
    }
}
