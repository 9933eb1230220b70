//! The rows of a table, one after the other, whatever is damaged between them.

use std::borrow::Cow;

use super::{
    Definition, TableError, TableErrorKind as Kind,
    block::{Block, Role},
};

/// 64 MiB: a row is a game, and no game comes near it.
pub const MAX_ROW: u64 = 64 << 20;

/// The shortest row of fixed length: MySQL needs room for a mark and a place in rows that are
/// deleted.
const SHORTEST_FIXED: usize = 7;

/// A row, still packed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row<'d> {
    /// Where it begins in the `.MYD`.
    pub offset: u64,
    /// Where its data begins, if it is in one piece; else as `offset`.
    pub data: u64,
    /// Its data.
    pub bytes: Cow<'d, [u8]>,
}

/// What comes next in a `.MYD`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next<'d> {
    /// A row.
    Row(Row<'d>),
    /// A row that cannot be put together, or bytes that are no block.
    Damaged {
        /// Where.
        offset: u64,
        /// The bytes up to where rows go on.
        bytes: &'d [u8],
        /// What is wrong.
        error: TableError,
    },
}

/// Goes through a `.MYD`.
#[derive(Clone, Debug)]
pub struct Rows<'d> {
    file: &'d [u8],
    at: usize,
    /// The length of all rows, if they are of one length.
    fixed: Option<usize>,
    /// How many bytes of pieces of rows may still be followed. Pieces belong to one row each, so
    /// all of them together are no more than the file; without this, a small file whose rows share
    /// their pieces could take hours.
    budget: usize,
}

impl<'d> Rows<'d> {
    pub(super) fn new(definition: &Definition, file: &'d [u8]) -> Rows<'d> {
        let fixed = definition.row_length.max(SHORTEST_FIXED);
        Rows {
            file,
            at: 0,
            fixed: (!definition.dynamic).then_some(fixed),
            budget: file.len(),
        }
    }

    /// Where it is, for [`Rows::seek`].
    pub(in crate::jose) fn position(&self) -> (usize, usize) {
        (self.at, self.budget)
    }

    /// Goes on where another iterator has been.
    pub(in crate::jose) fn seek(&mut self, (at, budget): (usize, usize)) {
        self.at = at;
        self.budget = budget;
    }

    fn next_fixed(&mut self, length: usize) -> Option<Next<'d>> {
        while self.at < self.file.len() {
            let at = self.at;
            let end = (at + length).min(self.file.len());
            let bytes = &self.file[at..end];
            self.at = end;
            if bytes.len() < length {
                return Some(self.damaged(at, TableError::new(at, Kind::UnexpectedEnd)));
            }
            // A deleted row begins with 0; others have the lowest bit set.
            if bytes[0] != 0 {
                return Some(Next::Row(Row {
                    offset: at as u64,
                    data: at as u64,
                    bytes: Cow::Borrowed(bytes),
                }));
            }
        }
        None
    }

    fn next_dynamic(&mut self) -> Option<Next<'d>> {
        while self.at < self.file.len() {
            let at = self.at;
            let block = match Block::read(self.file, at) {
                Ok(block) => block,
                Err(error) => {
                    self.at = self.resume(at + 4);
                    return Some(self.damaged(at, error));
                }
            };
            self.at = block.end.min(self.file.len());
            let row = match block.role {
                Role::Whole => Ok(Cow::Borrowed(&self.file[block.data..][..block.length])),
                Role::First => self.join(at, &block).map(Cow::Owned),
                Role::Deleted | Role::Middle | Role::Last => continue,
            };
            return Some(match row {
                Ok(bytes) => Next::Row(Row {
                    offset: at as u64,
                    data: match bytes {
                        Cow::Borrowed(_) => block.data as u64,
                        Cow::Owned(_) => at as u64,
                    },
                    bytes,
                }),
                Err(error) => self.damaged(at, error),
            });
        }
        None
    }

    fn damaged(&self, at: usize, error: TableError) -> Next<'d> {
        Next::Damaged {
            offset: at as u64,
            bytes: &self.file[at..self.at],
            error,
        }
    }

    /// Puts the pieces of a row together.
    fn join(&mut self, at: usize, first: &Block) -> Result<Vec<u8>, TableError> {
        if first.row > MAX_ROW {
            return Err(TableError::new(at, Kind::RowTooLong(first.row)));
        }
        if first.row > self.file.len() as u64 {
            return Err(TableError::new(at, Kind::BlockBeyondEnd));
        }
        let total = first.row as usize;
        let mut row = Vec::with_capacity(total);
        let mut block = *first;
        loop {
            row.extend_from_slice(&self.file[block.data..][..block.length]);
            let broken = TableError::new(at, Kind::BrokenChain(block.next));
            if row.len() > total {
                return Err(broken);
            }
            if block.role == Role::Last {
                let complete = row.len() == total;
                return if complete { Ok(row) } else { Err(broken) };
            }
            let next = usize::try_from(block.next).map_err(|_| broken.clone())?;
            block = Block::read(self.file, next).map_err(|_| broken.clone())?;
            let size = block.end - next;
            self.budget = self.budget.checked_sub(size).ok_or(broken.clone())?;
            if !matches!(block.role, Role::Middle | Role::Last) {
                return Err(broken);
            }
        }
    }

    /// Where blocks go on after something that is none: at a row or a deleted block with another
    /// block behind it, or the end.
    fn resume(&self, from: usize) -> usize {
        let plausible = |at: usize| {
            let Ok(block) = Block::read(self.file, at) else {
                return false;
            };
            let starts = match block.role {
                Role::Whole | Role::First => block.row > 0,
                Role::Deleted => block.end >= at + 20,
                Role::Middle | Role::Last => block.length > 0,
            };
            let end = block.end;
            starts && (end >= self.file.len() || Block::read(self.file, end).is_ok())
        };
        let mut candidates = (from..self.file.len()).step_by(4);
        let found = candidates.find(|at| plausible(*at));
        found.unwrap_or(self.file.len())
    }
}

impl<'d> Iterator for Rows<'d> {
    type Item = Next<'d>;

    fn next(&mut self) -> Option<Next<'d>> {
        match self.fixed {
            Some(length) => self.next_fixed(length),
            None => self.next_dynamic(),
        }
    }
}
