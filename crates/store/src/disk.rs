//! The files of a store, behind a trait: tests let every step of it fail.

use std::{
    fmt::Debug,
    fs::{self, File},
    io::{self, Write},
    path::Path,
};

use bytes::Bytes;
use tabiya_formats::io::Contents;

/// What a store asks of the system.
pub(crate) trait Disk: Send + Sync + Debug {
    /// Begins a file that is not there yet.
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;

    /// What is in a file. It stays as it is, even if the file is removed.
    fn contents(&self, path: &Path) -> io::Result<Bytes>;

    /// Gives a file another name; what had that name before is gone.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Makes a folder, if it is not there.
    fn create_folder(&self, path: &Path) -> io::Result<()>;

    /// The names in a folder.
    fn names(&self, folder: &Path) -> io::Result<Vec<String>>;

    /// What has been created, renamed and removed in a folder lasts.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// A file that is written.
pub(crate) trait DiskFile: Write + Send {
    /// What has been written lasts.
    fn sync(&mut self) -> io::Result<()>;
}

/// The disk of this machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct System;

impl Disk for System {
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

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        match fs::create_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
            made => made,
        }
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name()));
        let names: io::Result<Vec<_>> = names.collect();
        // What is not a text is no file of a store.
        let names = names?
            .into_iter()
            .filter_map(|name| name.into_string().ok());
        Ok(names.collect())
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

struct Owned(Contents);

impl AsRef<[u8]> for Owned {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
