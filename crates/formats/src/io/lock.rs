//! Only one at a time may change a database.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::OnceLock,
    thread,
    time::{Duration, Instant},
};

use super::{IoError, IoErrorKind, temporary::Entry};

/// Stands behind the name of a database in that of the file that says who changes it.
const SUFFIX: &str = ".tabiya-lock";

/// How many bytes a name has at most on all systems that are used.
const LONGEST: usize = 255;

/// How long somebody waits for another to be done, and how often it is looked.
const PATIENCE: Duration = Duration::from_millis(if cfg!(test) { 200 } else { 5_000 });
const PAUSE: Duration = Duration::from_millis(20);

/// Nobody notices that it takes so long.
const UNNOTICED: Duration = Duration::from_millis(if cfg!(test) { 50 } else { 300 });

static WAITING: OnceLock<fn(&str)> = OnceLock::new();

/// Says who is told, in words for people, that this process waits for somebody else who changes a
/// database. Whoever says it first is told.
pub fn tell_waiting(tell: fn(&str)) {
    let _ = WAITING.set(tell);
}

/// The right to change a database, for as long as it lives. Whoever replaces a database, adds to
/// it or edits it takes it first, whatever the format.
///
/// The files of the database could not be locked instead: each of them may be replaced by another
/// while it changes, and some systems let nobody read a file that is locked.
pub struct Lock {
    /// Ctrl-C takes the file along. There until it is dropped.
    entry: Option<Entry>,
    /// Locked until it is closed, at the latest when the process ends.
    _file: File,
}

impl Lock {
    /// Takes the right to change the database of a file, and waits a little if somebody else has
    /// it.
    ///
    /// # Errors
    /// If somebody else keeps it, or the folder cannot be written to.
    pub fn of(database: &Path) -> io::Result<Lock> {
        Lock::within(database, PATIENCE)
    }

    /// The same for somebody who only reads, and wants nothing to change meanwhile; `None` where
    /// nobody could change it, because nothing can be written there.
    ///
    /// # Errors
    /// If somebody else keeps it.
    pub fn to_read(database: &Path) -> io::Result<Option<Lock>> {
        match Lock::of(database) {
            Err(error) if is_protected(&error) => Ok(None),
            taken => taken.map(Some),
        }
    }

    fn within(database: &Path, patience: Duration) -> io::Result<Lock> {
        let start = Instant::now();
        let mut is_told = false;
        loop {
            match Lock::try_take(database) {
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                    if start.elapsed() >= patience {
                        return Err(error);
                    }
                    if start.elapsed() >= UNNOTICED && !is_told {
                        is_told = true;
                        if let Some(tell) = WAITING.get() {
                            tell(&format!("{}; waiting for it", changed_by(database)));
                        }
                    }
                    thread::sleep(PAUSE);
                }
                taken => return taken,
            }
        }
    }

    fn try_take(database: &Path) -> io::Result<Lock> {
        // Whoever comes by a link has to meet the others.
        let whole = fs::canonicalize(database).unwrap_or_else(|_| database.to_path_buf());
        let path = file_of(&whole);
        loop {
            if let Some((file, entry)) = Entry::of_made(&path, || open_locked(database, &path))? {
                sign(&file);
                return Ok(Lock {
                    entry: Some(entry),
                    _file: file,
                });
            }
        }
    }
}

/// The file that is locked, made if need be; `None` if its last owner removed it meanwhile.
fn open_locked(database: &Path, path: &Path) -> io::Result<Option<File>> {
    let file = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|error| IoError::new(&name(database), IoErrorKind::Create(error)))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => return Err(busy(database)),
        // Some network drives have no locks. Who works alone there must not be kept from it.
        Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => {
            return Err(error);
        }
        Ok(()) | Err(TryLockError::Error(_)) => {}
    }
    Ok(is_at(&file, path).then_some(file))
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Only where `is_at` finds out that a file is not the one of that name any more.
        if let (true, Some(entry)) = (cfg!(unix), self.entry.take()) {
            entry.remove_file();
        }
    }
}

/// The file that says who changes a database. A name that is as long as names may be has no room
/// for more: then a number stands for it, the same for all that come.
fn file_of(database: &Path) -> PathBuf {
    let name = database.file_name().unwrap_or_default();
    let name = match name.len() + SUFFIX.len() <= LONGEST {
        true => name.to_owned(),
        false => {
            let bytes = name.as_encoded_bytes().iter();
            // FNV-1a.
            let number = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |number, byte| {
                (number ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
            });
            format!(".{number:016x}").into()
        }
    };
    let mut file = name;
    file.push(SUFFIX);
    database.with_file_name(file)
}

/// The name of a database, for messages: `games.cbh` is also looked for as `./games.cbh`.
pub(crate) fn name(database: &Path) -> String {
    let path = database.strip_prefix(".").unwrap_or(database);
    path.display().to_string()
}

fn is_protected(error: &io::Error) -> bool {
    let cause = IoError::find(error).map(IoError::kind);
    let Some(IoErrorKind::Create(cause)) = cause else {
        return false;
    };
    matches!(
        cause.kind(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
    )
}

fn busy(database: &Path) -> io::Error {
    let message = format!("{}: try again when it is done", changed_by(database));
    io::Error::new(io::ErrorKind::ResourceBusy, message)
}

/// Says in the file whose it is. It is a help for people: nothing depends on it.
fn sign(mut file: &File) {
    let _ = file.set_len(0);
    let _ = write!(file, "{}", std::process::id());
}

/// Who changes a database, as far as that can be found out.
fn changed_by(database: &Path) -> String {
    let whole = fs::canonicalize(database).unwrap_or_else(|_| database.to_path_buf());
    // A process that has just taken it has not signed, and some systems let nobody read it.
    let owner = fs::read_to_string(file_of(&whole)).unwrap_or_default();
    let owner = match owner.parse::<u32>() {
        Ok(id) => format!("another program (process {id})"),
        Err(_) => "another program".to_string(),
    };
    format!("{} is being changed by {owner}", name(database))
}

/// Whether a path leads to this very file.
#[cfg(unix)]
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |there: fs::Metadata| (there.dev(), there.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(there)) => id(ours) == id(there),
        _ => false,
    }
}

#[cfg(not(unix))]
pub(super) fn is_at(_: &File, _: &Path) -> bool {
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
        let error = Lock::try_take(&index).err().unwrap();
        assert_eq!(error.kind(), io::ErrorKind::ResourceBusy);
        let message = error.to_string();
        assert!(message.contains("a.si4 is being changed by another program"));
        if cfg!(unix) {
            let process = format!("(process {}): try again", std::process::id());
            assert!(message.contains(&process), "{message}");
        }
        drop(lock);
        // Somebody was stopped and could not remove the file.
        fs::write(folder.path().join("a.si4.tabiya-lock"), "").unwrap();
        drop(Lock::of(&index).unwrap());
        if cfg!(unix) {
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }

    #[test]
    fn the_longest_name_has_a_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n".repeat(255));
        let lock = Lock::of(&path).unwrap();
        assert!(Lock::try_take(&path).is_err());
        assert!(Lock::try_take(&folder.path().join("m".repeat(255))).is_ok());
        drop(lock);
        if cfg!(unix) {
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }

    #[test]
    fn who_waits_a_little_gets_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        let lock = Lock::of(&path).unwrap();
        thread::scope(|scope| {
            let second = scope.spawn(|| Lock::of(&path).map(drop));
            thread::sleep(Duration::from_millis(50));
            drop(lock);
            second.join().unwrap().unwrap();
        });
    }

    #[test]
    fn who_waits_is_told_for_whom() {
        static SAID: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());
        tell_waiting(|words| SAID.lock().unwrap().push(words.to_owned()));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("waited for.pgn");
        let lock = Lock::of(&path).unwrap();
        assert!(Lock::of(&path).is_err());
        drop(lock);
        let said = SAID.lock().unwrap();
        let about: Vec<&String> = said
            .iter()
            .filter(|words| words.contains("waited for"))
            .collect();
        assert_eq!(about.len(), 1, "{said:?}");
        assert!(about[0].ends_with("; waiting for it"), "{said:?}");
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
                        let Ok(lock) = Lock::try_take(&index) else {
                            continue;
                        };
                        assert_eq!(owners.fetch_add(1, Ordering::SeqCst), 0);
                        owners.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
    }
}
