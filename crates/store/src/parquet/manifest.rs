//! What files an export has, with checksums: `export.json`, which is written last.
//!
//! Parquet has room for checksums of pages, and the crates that write it do not fill it. Here every
//! block of every file has one, those with which files end as well: what they say of least and greatest
//! values decides what is not read at all.

use std::{
    io::{self, Write},
    ops::Range,
    path::Path,
};

use serde::{Deserialize, Serialize};

use crate::sealed::{Broken, Seal};

const VERSION: u32 = 1;
const SEAL: Seal = Seal {
    format: "tabiya export",
    version: VERSION,
};
/// So many bytes have a checksum: as many as are fetched at once anyway by whoever asks for a few.
const BLOCK: u64 = 256 << 10;

/// What files an export has.
///
/// ```
/// use tabiya_store::parquet::Manifest;
///
/// let error = Manifest::parse(b"{}").expect_err("no list of files");
/// assert!(error.to_string().contains("damaged"), "{error}");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    version: u32,
    files: Vec<FileEntry>,
}

/// A file of an export, as it was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileEntry {
    name: String,
    bytes: u64,
    rows: u64,
    /// So many bytes have a checksum; the last ones may be fewer.
    block: u64,
    crc32: Vec<u32>,
}

/// How a file of an export is not as the list has it, in words that follow its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Difference {
    /// There is no such file.
    #[error("is not there")]
    Missing,
    /// It is longer or shorter.
    #[error("has {bytes} bytes instead of {expected}")]
    Length {
        /// So many bytes it has.
        bytes: u64,
        /// So many were written.
        expected: u64,
    },
    /// Everybody would read it, and nobody has written it with the others.
    #[error("does not belong to the export")]
    Stranger,
}

/// Why a list of files cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// It is not as it was written.
    #[error("the list of files is damaged: {0}")]
    Damaged(String),
    /// Whoever wrote it knows more.
    #[error("it is of version {0}, which this tabiya does not know: a later one does")]
    Later(u32),
}

impl From<Broken> for ManifestError {
    fn from(broken: Broken) -> ManifestError {
        let damaged = |what: &str| ManifestError::Damaged(what.to_owned());
        match broken {
            Broken::Json(error) => damaged(&error.to_string()),
            Broken::Foreign => damaged("it is none of an export"),
            Broken::Changed => damaged("it is not as it was written"),
            Broken::Later(version) => ManifestError::Later(version),
        }
    }
}

impl Manifest {
    /// What the file is called.
    pub const NAME: &'static str = "export.json";
    /// The key in the metadata of `games.parquet` that says that there is one.
    pub const KEY: &'static str = "tabiya.files";

    pub(super) fn new(files: Vec<FileEntry>) -> Manifest {
        Manifest {
            version: VERSION,
            files,
        }
    }

    /// Whether a folder has such a file, be it damaged.
    pub(super) fn is_in(folder: &Path) -> bool {
        SEAL.is_on(&folder.join(Manifest::NAME)).unwrap_or(false)
    }

    /// Reads the file.
    ///
    /// # Errors
    /// If it is damaged, or of a later version.
    pub fn parse(bytes: &[u8]) -> Result<Manifest, ManifestError> {
        let manifest: Manifest = SEAL.open(bytes)?;
        match manifest.files.iter().all(FileEntry::is_sound) {
            true => Ok(manifest),
            false => Err(ManifestError::Damaged("it contradicts itself".to_owned())),
        }
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        SEAL.write(self, out)
    }

    /// The files, but for this one.
    #[must_use]
    pub fn files(&self) -> &[FileEntry] {
        &self.files
    }

    /// What is wrong with the files that there are, by their names and lengths: those that are not as they
    /// should be.
    #[must_use]
    pub fn differences<'f>(&'f self, found: &'f [(String, u64)]) -> Vec<(&'f str, Difference)> {
        let own = self.files.iter().filter_map(|file| {
            let there = found.iter().find(|(name, _)| *name == file.name);
            let difference = match there {
                None => Difference::Missing,
                Some((_, bytes)) if *bytes != file.bytes => Difference::Length {
                    bytes: *bytes,
                    expected: file.bytes,
                },
                Some(_) => return None,
            };
            Some((file.name.as_str(), difference))
        });
        let strangers = found.iter().filter(|(name, _)| self.file(name).is_none());
        let strangers = strangers.map(|(name, _)| (name.as_str(), Difference::Stranger));
        own.chain(strangers).collect()
    }

    /// The file of a name.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<&FileEntry> {
        self.files.iter().find(|file| file.name == name)
    }
}

impl FileEntry {
    /// Its name within the folder of the export: `positions/part-0000.parquet`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many bytes it has.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many rows it has.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// So many of its bytes have a checksum.
    #[must_use]
    pub fn block(&self) -> u64 {
        self.block
    }

    /// The blocks that some of its bytes are in, by their bytes.
    #[must_use]
    pub fn blocks(&self, bytes: &Range<u64>) -> Range<u64> {
        let start = bytes.start / self.block * self.block;
        let end = bytes.end.div_ceil(self.block).saturating_mul(self.block);
        start..end.min(self.bytes)
    }

    /// The first of some whole blocks that is not as it was written, by its bytes; they stand from a byte on.
    #[must_use]
    pub fn damage(&self, start: u64, blocks: &[u8]) -> Option<Range<u64>> {
        // No part of a file that is in memory is larger than memory can be.
        let size = usize::try_from(self.block).unwrap_or(usize::MAX);
        let first = usize::try_from(start / self.block).unwrap_or(usize::MAX);
        let mut sums = self.crc32.iter().skip(first);
        let mut at = start;
        for block in blocks.chunks(size) {
            let end = at + block.len() as u64;
            if sums.next() != Some(&crc32fast::hash(block)) {
                return Some(at..end);
            }
            at = end;
        }
        None
    }

    /// Whether there is a checksum for each block.
    fn is_sound(&self) -> bool {
        self.block > 0 && self.crc32.len() as u64 == self.bytes.div_ceil(self.block)
    }
}

/// Writes a file, and counts and sums up what is written.
pub(super) struct Summed<W> {
    file: W,
    bytes: u64,
    crc32: Vec<u32>,
    /// The block that grows, and how many bytes it has.
    hasher: crc32fast::Hasher,
    filled: u64,
}

impl<W: Write> Summed<W> {
    pub fn new(file: W) -> Summed<W> {
        Summed {
            file,
            bytes: 0,
            crc32: Vec::new(),
            hasher: crc32fast::Hasher::new(),
            filled: 0,
        }
    }

    /// What has been written, under the name that it has; what writes it, so that it can be ended.
    pub fn finish(&mut self, name: String, rows: u64) -> (FileEntry, &mut W) {
        if self.filled > 0 {
            self.end_block();
        }
        let entry = FileEntry {
            name,
            bytes: self.bytes,
            rows,
            block: BLOCK,
            crc32: std::mem::take(&mut self.crc32),
        };
        (entry, &mut self.file)
    }

    fn end_block(&mut self) {
        let hasher = std::mem::take(&mut self.hasher);
        self.crc32.push(hasher.finalize());
        self.filled = 0;
    }

    fn sum(&mut self, mut bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        while !bytes.is_empty() {
            let room = usize::try_from(BLOCK - self.filled).unwrap_or(usize::MAX);
            let (these, rest) = bytes.split_at(room.min(bytes.len()));
            self.hasher.update(these);
            self.filled += these.len() as u64;
            if self.filled == BLOCK {
                self.end_block();
            }
            bytes = rest;
        }
    }
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.sum(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of some bytes, as it is written in pieces.
    fn written(bytes: &[u8], piece: usize) -> FileEntry {
        let mut file = Summed::new(Vec::new());
        for piece in bytes.chunks(piece) {
            file.write_all(piece).unwrap();
        }
        let (entry, out) = file.finish("games.parquet".to_owned(), 7);
        assert_eq!(out, bytes);
        entry
    }

    fn bytes(count: usize) -> Vec<u8> {
        (0..count).map(|index| (index * 7 % 251) as u8).collect()
    }

    #[test]
    fn sums_do_not_depend_on_how_a_file_is_written() {
        let bytes = bytes(BLOCK as usize * 2 + 5);
        let entry = written(&bytes, 1 << 20);
        assert_eq!(entry.crc32.len(), 3);
        assert_eq!(written(&bytes, 1_001), entry);
        assert_eq!(written(&bytes[..BLOCK as usize], 4_096).crc32.len(), 1);
        assert!(written(&[], 1).crc32.is_empty());
    }

    #[test]
    fn every_bit_that_changes_is_found_in_its_block() {
        let mut bytes = bytes(BLOCK as usize * 2 + 5);
        let entry = written(&bytes, 1 << 20);
        assert_eq!(entry.damage(0, &bytes), None);
        for at in [0, BLOCK as usize - 1, BLOCK as usize, bytes.len() - 1] {
            bytes[at] ^= 8;
            let block = entry.blocks(&(at as u64..at as u64 + 1));
            assert_eq!(entry.damage(0, &bytes), Some(block.clone()));
            let these = &bytes[block.start as usize..block.end as usize];
            assert_eq!(entry.damage(block.start, these), Some(block));
            bytes[at] ^= 8;
        }
        // What is cut off, and what is too much.
        let last = entry.blocks(&(bytes.len() as u64 - 1..bytes.len() as u64));
        assert!(entry.damage(0, &bytes[..bytes.len() - 1]).is_some());
        bytes.push(0);
        assert_eq!(entry.damage(0, &bytes).map(|it| it.start), Some(last.start));
    }

    #[test]
    fn a_list_comes_back_or_is_refused() {
        let manifest = Manifest::new(vec![written(&bytes(10), 3)]);
        let mut text = Vec::new();
        manifest.write(&mut text).unwrap();
        assert_eq!(Manifest::parse(&text).unwrap(), manifest);
        for at in 0..text.len() {
            let mut damaged = text.clone();
            damaged[at] ^= 1;
            // A space for the line break behind it says the same.
            match Manifest::parse(&damaged) {
                Ok(parsed) => assert_eq!(parsed, manifest, "{at}"),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        let later = Manifest {
            version: VERSION + 1,
            ..manifest
        };
        let mut text = Vec::new();
        later.write(&mut text).unwrap();
        let error = Manifest::parse(&text).expect_err("a later one").to_string();
        assert!(error.contains("version 2"), "{error}");
    }
}
