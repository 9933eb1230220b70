//! What can be wrong with a file.

use super::FileKind;

/// A file that is not what it should be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}, byte {offset}: {kind}")]
pub struct FileError {
    file: FileKind,
    offset: u64,
    kind: FileErrorKind,
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileErrorKind {
    /// The file ends within its header, or the header says what no such file says.
    #[error("not the header of such a file of ChessBase: {0}")]
    BadHeader(&'static str),
    /// The header of a file of names is not one, or its records have another size.
    #[error("not a file of names: {0}")]
    BadEntityFile(&'static str),
    /// There is no record of that number.
    #[error("no record {id}: the file has {count}")]
    RecordOutOfRange {
        /// The number that was asked for.
        id: u32,
        /// How many there are.
        count: u32,
    },
}

impl FileError {
    pub(super) fn new(file: FileKind, offset: u64, kind: FileErrorKind) -> FileError {
        FileError { file, offset, kind }
    }

    /// A header that cannot be read, at a byte of it.
    pub(crate) fn header(file: FileKind, offset: u64, why: &'static str) -> FileError {
        FileError::new(file, offset, FileErrorKind::BadHeader(why))
    }

    /// Which file it is.
    #[must_use]
    pub fn file(&self) -> FileKind {
        self.file
    }

    /// Where in the file.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> &FileErrorKind {
        &self.kind
    }
}
