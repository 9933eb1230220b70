//! The files of moves and of annotations.

use std::{io, path::Path};

use super::{AssemblyError, Limits, Warning, staged::Staged};
use crate::files::{FileError, FileKind, stores::StoreHeader};

/// A file of records that headers point to.
pub(super) struct Store {
    kind: FileKind,
    file: Staged,
    header: StoreHeader,
    wasted: u64,
    limits: Limits,
}

impl Store {
    /// A file without records.
    pub fn create(kind: FileKind, path: &Path, limits: Limits) -> io::Result<Store> {
        Store::copy(kind, path, &StoreHeader::default().to_bytes(), limits)
    }

    /// A copy of a file that is there.
    pub fn copy(kind: FileKind, path: &Path, old: &[u8], limits: Limits) -> io::Result<Store> {
        let header = StoreHeader::from_bytes(old).ok_or_else(|| {
            let why = "the size of the header is not one that is known";
            io::Error::other(FileError::header(kind, 0, why))
        })?;
        Ok(Store {
            kind,
            file: Staged::create(path, old)?,
            header,
            wasted: u64::from(header.wasted),
            limits,
        })
    }

    /// Adds a record, and says where it stands. There is nothing at 0: that is where an empty one
    /// is.
    pub fn add(&mut self, record: &[u8]) -> io::Result<u32> {
        if record.is_empty() {
            return Ok(0);
        }
        if self.file.len() + record.len() as u64 > self.limits.file {
            return Err(AssemblyError::TooLarge(self.kind).into());
        }
        let place = self.file.append(record)?;
        u32::try_from(place).map_err(|_| AssemblyError::TooLarge(self.kind).into())
    }

    /// Puts a record in place of one of which place and size are known: there if it is not longer,
    /// else behind the others. What is not used any more is counted.
    pub fn replace(&mut self, old: Option<(u64, u64)>, record: &[u8]) -> io::Result<u32> {
        let Some((place, size)) = old else {
            return self.add(record);
        };
        let len = record.len() as u64;
        match u32::try_from(place) {
            Ok(short) if len <= size && len > 0 => {
                self.file.overwrite(place, record)?;
                self.wasted += size - len;
                Ok(short)
            }
            _ => {
                self.wasted += size;
                self.add(record)
            }
        }
    }

    /// Completes the file.
    pub fn finish(mut self) -> io::Result<Option<Warning>> {
        let size = self.file.len();
        self.header.set(size, self.wasted);
        self.file.overwrite(0, &self.header.to_bytes())?;
        self.file.finish()?;
        let warning = Warning::Large {
            file: self.kind,
            size,
        };
        Ok((size >= self.limits.large).then_some(warning))
    }
}
