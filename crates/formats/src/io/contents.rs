//! All bytes of a file at once, for formats that jump about in them.

use std::{
    fs::File,
    io::{self, Read, Write},
    ops::Deref,
    path::Path,
    sync::Arc,
};

use memmap2::Mmap;

use super::{Input, IoError, IoErrorKind, Progress, map::map};

/// So much of a stream is kept in memory; what is longer goes to a nameless temporary file.
const IN_MEMORY: usize = 32 << 20;

/// All bytes of a file, to be had from any thread. A plain file is mapped into memory, so that
/// only what is looked at is read; a stream, or what comes out of a compressed file, is collected
/// first.
///
/// A file that another program shortens while it is mapped ends the process.
///
/// ```
/// use tabiya_formats::io::Contents;
///
/// let contents = Contents::from(b"cmbr\x04".to_vec());
/// assert!(contents.starts_with(b"cmbr"));
/// ```
#[derive(Clone)]
pub struct Contents {
    bytes: Arc<Bytes>,
    progress: Progress,
}

enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl Contents {
    /// Maps a file as it is.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn map(path: impl AsRef<Path>) -> Result<Contents, IoError> {
        let path = path.as_ref();
        let mapped = File::open(path).and_then(|file| Contents::of_file(&file));
        let fail = |cause| IoError::new(&path.display().to_string(), IoErrorKind::Open(cause));
        mapped.map_err(fail)
    }

    fn of_file(file: &File) -> io::Result<Contents> {
        let len = file.metadata()?.len();
        Ok(Contents {
            // An empty file cannot be mapped on every system.
            bytes: Arc::new(match len {
                0 => Bytes::Owned(Vec::new()),
                _ => Bytes::Mapped(map(file)?),
            }),
            progress: Progress::new(Some(len)),
        })
    }

    /// Collects a stream.
    ///
    /// # Errors
    /// If it cannot be read to its end, or there is no room for it.
    pub fn collect(mut stream: impl Read) -> io::Result<Contents> {
        let mut bytes = Vec::new();
        (&mut stream)
            .take(IN_MEMORY as u64)
            .read_to_end(&mut bytes)?;
        if bytes.len() < IN_MEMORY {
            return Ok(Contents::from(bytes));
        }
        let mut copy = tempfile::tempfile()?;
        copy.write_all(&bytes)?;
        drop(bytes);
        io::copy(&mut stream, &mut copy)?;
        Contents::of_file(&copy)
    }

    /// How far its reader has come; the reader tells it.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }
}

impl Input {
    /// All that is left to read.
    pub(crate) fn into_contents(self, head: Vec<u8>) -> io::Result<Contents> {
        match self.file() {
            Some(file) => Contents::of_file(file),
            None => Contents::collect(io::Cursor::new(head).chain(self)),
        }
    }
}

impl From<Vec<u8>> for Contents {
    fn from(bytes: Vec<u8>) -> Contents {
        Contents {
            progress: Progress::new(Some(bytes.len() as u64)),
            bytes: Arc::new(Bytes::Owned(bytes)),
        }
    }
}

impl Deref for Contents {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &*self.bytes {
            Bytes::Mapped(mapped) => mapped,
            Bytes::Owned(bytes) => bytes,
        }
    }
}

impl AsRef<[u8]> for Contents {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_and_a_stream_have_the_same_contents() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        for len in [0, 5, IN_MEMORY, IN_MEMORY + 5] {
            let bytes: Vec<u8> = (0..len).map(|place| (place % 251) as u8).collect();
            std::fs::write(&path, &bytes).unwrap();
            assert!(*Contents::map(&path).unwrap() == bytes);
            assert!(*Contents::collect(bytes.as_slice()).unwrap() == bytes);
        }
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = Contents::map("no/such/file").err().unwrap();
        assert!(
            error
                .to_string()
                .starts_with("no/such/file: cannot be opened")
        );
    }
}
