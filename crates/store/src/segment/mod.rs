//! Segments: some entries, in columns, in files that never change.
//!
//! A segment is two Arrow files of the same rows in the same batches: one with what people look
//! for in games, one with their moves. Each batch has its checksum.

pub(crate) mod build;
pub(crate) mod cell;
pub(crate) mod column;
pub(crate) mod header;
pub(crate) mod moves;
pub(crate) mod read;
pub(crate) mod table;
#[cfg(test)]
mod tests;

use crate::manifest;

/// One of the files of a segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SegmentFile {
    /// What people look for in games.
    Games,
    /// Their moves.
    Moves,
}

impl SegmentFile {
    /// Its name in the folder of the store.
    pub fn name(self, number: u64) -> String {
        match self {
            SegmentFile::Games => manifest::games_name(number),
            SegmentFile::Moves => manifest::moves_name(number),
        }
    }
}

/// What is wrong with a file of a segment.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{what}")]
pub(crate) struct SegmentError {
    pub file: SegmentFile,
    what: String,
}

impl SegmentError {
    pub fn new(file: SegmentFile, what: impl ToString) -> SegmentError {
        let what = what.to_string();
        SegmentError { file, what }
    }

    /// A column is not of the type that it should have, or is not there.
    fn column(file: SegmentFile, name: &str) -> SegmentError {
        SegmentError::new(file, format!("column {name} is not as it should be"))
    }
}
