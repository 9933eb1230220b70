//! The bytes of a file as they are stored, counted as the decoder takes them.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Chain, Cursor, Read},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use super::{IoError, IoErrorKind};

/// How many stored bytes one call of the system brings.
const BUFFER: usize = 128 << 10;

/// How far the reading of an [`Input`](super::Input) has come. Cheap to clone and to ask from
/// another thread, for a progress bar.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    read: Arc<AtomicU64>,
    total: Option<u64>,
}

impl Progress {
    /// Nothing has been read of so many bytes, if that is known.
    #[must_use]
    pub fn new(total: Option<u64>) -> Progress {
        Progress {
            read: Arc::default(),
            total,
        }
    }

    /// Bytes taken so far, counted before decompression.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Bytes in all, counted before decompression, if that is known.
    pub fn total(&self) -> Option<u64> {
        self.total
    }

    /// Says that the reading has come to a place. Never backwards: parts may come late.
    pub fn reach(&self, offset: u64) {
        self.read.fetch_max(offset, Ordering::Relaxed);
    }

    fn add(&self, bytes: usize) {
        self.read.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// Where stored bytes come from.
pub(super) enum Source {
    /// An ordinary file, that can be sought in.
    File(File),
    /// Standard input, a named pipe or whatever the caller has.
    Stream(Box<dyn Read + Send>),
    /// A zip archive that is read member by member.
    #[cfg(feature = "zip")]
    Archive(Arc<File>),
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Source::File(file) => file.read(buffer),
            Source::Stream(stream) => stream.read(buffer),
            #[cfg(feature = "zip")]
            Source::Archive(file) => file.read(buffer),
        }
    }
}

/// A counted, buffered [`Source`].
///
/// Its errors are [`IoError`]s, which is how they can be told from those of a decoder above.
pub(super) struct Raw {
    reader: Chain<Cursor<Vec<u8>>, BufReader<Source>>,
    progress: Progress,
    name: Arc<str>,
}

impl Raw {
    /// `head` is what has been read from `source` already.
    pub fn new(head: Vec<u8>, source: Source, progress: Progress, name: Arc<str>) -> Raw {
        Raw {
            reader: Cursor::new(head).chain(BufReader::with_capacity(BUFFER, source)),
            progress,
            name,
        }
    }

    /// The file behind it, if it is an ordinary one.
    pub fn file(&self) -> Option<&File> {
        match self.reader.get_ref().1.get_ref() {
            Source::File(file) => Some(file),
            _ => None,
        }
    }
}

fn failed(name: &str, cause: io::Error) -> io::Error {
    match cause.kind() {
        // `Read` asks its callers to try again.
        io::ErrorKind::Interrupted => cause,
        _ => IoError::new(name, IoErrorKind::Read(cause)).into(),
    }
}

impl Read for Raw {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self
            .reader
            .read(buffer)
            .map_err(|cause| failed(&self.name, cause))?;
        self.progress.add(count);
        Ok(count)
    }
}

impl BufRead for Raw {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader
            .fill_buf()
            .map_err(|cause| failed(&self.name, cause))
    }

    fn consume(&mut self, count: usize) {
        self.reader.consume(count);
        self.progress.add(count);
    }
}
