//! A file that is being written.

use std::{
    fs::File,
    io::{self, BufWriter, Seek, SeekFrom, Write},
    path::Path,
};

/// Large enough that the system is not asked for every other game.
const BUFFER: usize = 1 << 18;

/// A file that grows, and in which something can still be changed.
pub(crate) struct Staged {
    file: BufWriter<File>,
    len: u64,
}

impl Staged {
    /// A new file that begins with some bytes.
    pub fn create(path: &Path, begin: &[u8]) -> io::Result<Staged> {
        let file = BufWriter::with_capacity(BUFFER, File::create_new(path)?);
        let mut staged = Staged { file, len: 0 };
        staged.append(begin)?;
        Ok(staged)
    }

    pub fn len(&self) -> u64 {
        self.len
    }

    /// Adds bytes, and says where they stand.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<u64> {
        self.file.write_all(bytes)?;
        let place = self.len;
        self.len += bytes.len() as u64;
        Ok(place)
    }

    /// Puts bytes in place of others that are there.
    pub fn overwrite(&mut self, place: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(place))?;
        self.file.write_all(bytes)?;
        self.file.seek(SeekFrom::Start(self.len))?;
        Ok(())
    }

    /// Hands everything to the system.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()
    }
}
