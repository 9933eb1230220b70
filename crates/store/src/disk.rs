//! The files of a store, behind a trait: tests let every step of it fail.

use std::{
    fmt::Debug,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use bytes::Bytes;
use tabiya_formats::io::{Contents, Lock, TemporaryFolder};

/// How the names of new folders begin.
pub(crate) const NEW_FOLDER: &str = ".tabiya-";

/// Held for as long as something must not be touched by others.
pub(crate) type Guard = Box<dyn Send>;

/// What a store asks of the system.
pub(crate) trait Disk: Send + Sync + Debug {
    /// The right to change the store of a folder; nobody else has it.
    fn lock(&self, folder: &Path) -> io::Result<Guard>;

    /// A new folder in another. It is gone when it is dropped.
    fn new_folder(&self, parent: &Path) -> io::Result<Box<dyn NewFolder>>;

    /// Begins a file that is not there yet.
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;

    /// What is in a file. It stays as it is, even if the file is removed.
    fn contents(&self, path: &Path) -> io::Result<Bytes>;

    /// Gives a file or a folder another name; a file that had that name before is gone.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// The names in a folder; `None` if it is not there.
    fn names(&self, folder: &Path) -> io::Result<Option<Vec<String>>>;

    /// What has been created, renamed and removed in a folder lasts.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// A file that is written.
pub(crate) trait DiskFile: Write + Send {
    /// What has been written lasts.
    fn sync(&mut self) -> io::Result<()>;
}

/// A folder that is gone when it is dropped, unless it has got another name by then.
pub(crate) trait NewFolder: Send {
    /// Where it is.
    fn path(&self) -> &Path;
}

/// The disk of this machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct System;

impl Disk for System {
    fn lock(&self, folder: &Path) -> io::Result<Guard> {
        Ok(Box::new(Lock::of(folder)?))
    }

    fn new_folder(&self, parent: &Path) -> io::Result<Box<dyn NewFolder>> {
        let around = TemporaryFolder::create_in(parent)?;
        // Temporary folders are private; the one inside will be an ordinary one.
        let path = around.path().join("store");
        fs::create_dir(&path)?;
        Ok(Box::new(Inside {
            path,
            _around: around,
        }))
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(File::create_new(path)?))
    }

    fn contents(&self, path: &Path) -> io::Result<Bytes> {
        let contents = Contents::map(path).map_err(io::Error::from)?;
        Ok(Bytes::from_owner(Owned(contents)))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn names(&self, folder: &Path) -> io::Result<Option<Vec<String>>> {
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            entries => entries?,
        };
        let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        Ok(Some(names.collect::<io::Result<_>>()?))
    }

    #[cfg(unix)]
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }

    /// Other systems have no such thing.
    #[cfg(not(unix))]
    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

impl DiskFile for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

/// A folder in a temporary one.
struct Inside {
    path: PathBuf,
    _around: TemporaryFolder,
}

impl NewFolder for Inside {
    fn path(&self) -> &Path {
        &self.path
    }
}

struct Owned(Contents);

impl AsRef<[u8]> for Owned {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
