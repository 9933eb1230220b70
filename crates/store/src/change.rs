//! Changes: new files first, then the manifest that names them.

use std::{
    fs::{File, TryLockError},
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use tabiya_game::{Error, ErrorKind};

use crate::{
    deleted::Deleted,
    disk::{Disk, DiskFile},
    error::system,
    manifest::{self, FileEntry, Manifest, Replaced, SegmentEntry},
    segment::build::Builder,
    snapshot::{Snapshot, read_manifest},
};

/// The name of the file that says that somebody writes.
const LOCK: &str = "lock";

/// The right to change a store, and what is going to be changed.
pub(crate) struct Change {
    disk: Arc<dyn Disk>,
    folder: PathBuf,
    manifest: Manifest,
    /// The files that the change has made, for the case that it comes to nothing.
    made: Vec<PathBuf>,
    _lock: File,
}

impl Change {
    /// Begins to change a store; makes an empty one if there is none.
    pub fn begin(disk: Arc<dyn Disk>, folder: &Path) -> Result<Change, Error> {
        disk.create_folder(folder)
            .map_err(|error| system(folder, error))?;
        let lock = lock(folder)?;
        let path = folder.join(manifest::NAME);
        let names = disk.names(folder).map_err(|error| system(folder, error))?;
        let manifest = match names.iter().any(|name| name == manifest::NAME) {
            true => read_manifest(&*disk, folder)?,
            // A folder of somebody else is not made a store.
            false if names.iter().any(|name| !is_ours(name)) => {
                let message = "there are other files in the folder, and it is no store";
                return Err(Error::about(
                    ErrorKind::WrongPlace,
                    path.display().to_string(),
                    message,
                ));
            }
            false => Manifest::empty(),
        };
        let change = Change {
            disk,
            folder: folder.to_owned(),
            manifest,
            made: Vec::new(),
            _lock: lock,
        };
        change.sweep(&names);
        Ok(change)
    }

    /// Removes what an interrupted writer has left. What cannot be removed is left to the next.
    fn sweep(&self, names: &[String]) {
        let keep: Vec<String> = self.manifest.file_names().collect();
        for name in names.iter().filter(|name| is_ours(name)) {
            if name != manifest::NAME && name != LOCK && !keep.contains(name) {
                let _ = self.disk.remove(&self.folder.join(name));
            }
        }
    }

    /// The state before the change.
    pub fn snapshot(&self) -> Result<Snapshot, Error> {
        Snapshot::open(&*self.disk, &self.folder)
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Adds entries behind the others.
    pub fn append(&mut self, builder: Builder) -> Result<(), Error> {
        if builder.len() > 0 {
            let segment = self.write(builder)?;
            self.manifest.segments.push(segment);
        }
        Ok(())
    }

    /// Puts a segment in place of some that follow each other.
    pub fn merge(&mut self, range: std::ops::Range<usize>, builder: Builder) -> Result<(), Error> {
        let segment = self.write(builder)?;
        self.manifest.segments.splice(range, [segment]);
        Ok(())
    }

    /// Puts entries in the place of others.
    pub fn replace(&mut self, ids: Vec<u64>, builder: Builder) -> Result<(), Error> {
        let by = self.write(builder)?;
        self.manifest.replaced.push(Replaced { ids, by });
        Ok(())
    }

    /// Says which entries are deleted.
    pub fn set_deleted(&mut self, deleted: &Deleted) -> Result<(), Error> {
        if deleted.is_empty() {
            self.manifest.deleted = None;
            return Ok(());
        }
        let bytes = deleted.to_bytes();
        let entry = FileEntry {
            number: self.next(),
            bytes: bytes.len() as u64,
            crc: crc32fast::hash(&bytes),
        };
        let path = self.folder.join(entry.deleted_name());
        let mut file = self.create(&path)?;
        let written = file.write_all(&bytes).and_then(|()| file.sync());
        written.map_err(|error| system(&path, error))?;
        self.manifest.deleted = Some(entry);
        Ok(())
    }

    /// Begins anew: nothing of what was there before is in the next state.
    pub fn clear(&mut self) {
        self.manifest.segments.clear();
        self.manifest.replaced.clear();
        self.manifest.deleted = None;
    }

    fn next(&mut self) -> u64 {
        let number = self.manifest.next;
        self.manifest.next += 1;
        number
    }

    fn create(&mut self, path: &Path) -> Result<Box<dyn DiskFile>, Error> {
        let file = self
            .disk
            .create(path)
            .map_err(|error| system(path, error))?;
        self.made.push(path.to_owned());
        Ok(file)
    }

    fn write(&mut self, builder: Builder) -> Result<SegmentEntry, Error> {
        let number = self.next();
        let names = |number| SegmentEntry {
            number,
            contents: crate::segment::build::Contents {
                batches: Vec::new(),
                games: Vec::new(),
                moves: Vec::new(),
            },
        };
        let named = names(number);
        let games_path = self.folder.join(named.games_name());
        let moves_path = self.folder.join(named.moves_name());
        let mut games = self.create(&games_path)?;
        let mut moves = self.create(&moves_path)?;
        let contents = builder.write(&mut games, &mut moves).map_err(|error| {
            Error::new(ErrorKind::Io, error).in_file(games_path.display().to_string())
        })?;
        games.sync().map_err(|error| system(&games_path, error))?;
        moves.sync().map_err(|error| system(&moves_path, error))?;
        Ok(SegmentEntry { number, contents })
    }

    /// Makes the change real. From here on it is there, whatever happens.
    pub fn commit(mut self) -> Result<(), Error> {
        self.manifest.generation += 1;
        let folder = self.folder.clone();
        let (new, path) = (folder.join(manifest::NEW_NAME), folder.join(manifest::NAME));
        let sync = |disk: &dyn Disk| {
            disk.sync_folder(&folder)
                .map_err(|error| system(&folder, error))
        };
        sync(&*self.disk)?;
        let _ = self.disk.remove(&new);
        let mut file = self.create(&new)?;
        let written = self.manifest.write(&mut file).and_then(|()| file.sync());
        written.map_err(|error| system(&new, error))?;
        drop(file);
        self.disk
            .rename(&new, &path)
            .map_err(|error| system(&path, error))?;
        self.made.clear();
        sync(&*self.disk)?;
        if let Ok(names) = self.disk.names(&folder) {
            self.sweep(&names);
        }
        Ok(())
    }
}

/// A change that comes to nothing leaves no files.
impl Drop for Change {
    fn drop(&mut self) {
        for path in &self.made {
            let _ = self.disk.remove(path);
        }
    }
}

/// Whether a file is one that stores have.
fn is_ours(name: &str) -> bool {
    let numbered = |suffix: &str| {
        let number = name.strip_suffix(suffix);
        number.is_some_and(|number| {
            number.len() >= 8 && number.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    matches!(name, manifest::NAME | manifest::NEW_NAME | LOCK)
        || ["-games.arrow", "-moves.arrow", "-deleted.bin"]
            .into_iter()
            .any(numbered)
}

/// One writer at a time.
fn lock(folder: &Path) -> Result<File, Error> {
    let path = folder.join(LOCK);
    let file = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path);
    let file = file.map_err(|error| system(&path, error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        // Some network drives have no locks. Who works alone there must not be kept from it.
        Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => {
            Ok(file)
        }
        Err(TryLockError::WouldBlock) => {
            let message = "somebody else is writing to it; try again when they are done";
            Err(Error::about(
                ErrorKind::Io,
                folder.display().to_string(),
                message,
            ))
        }
        Err(TryLockError::Error(error)) => Err(system(&path, error)),
    }
}
