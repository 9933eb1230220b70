//! The rows of a table, one after the other, whatever is damaged between them.

use std::borrow::Cow;

use super::{
    Table, TableError, TableErrorKind as Kind,
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
    table: &'d Table,
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
    pub(super) fn new(table: &'d Table, file: &'d [u8]) -> Rows<'d> {
        let definition = table.definition();
        let fixed = definition.row_length.max(SHORTEST_FIXED);
        Rows {
            table,
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
                Err(error) => return Some(self.hole(at, error)),
            };
            self.at = block.end.min(self.file.len());
            let row = match block.role {
                Role::Whole | Role::First => self.row(at, &block),
                Role::Deleted | Role::Middle | Role::Last if self.goes_on() => continue,
                _ => Err(TableError::new(at, Kind::BlockBeyondEnd)),
            };
            return Some(match row {
                Ok(row) => Next::Row(row),
                // Where the next block is one, this row alone is bad; else its length is.
                Err(error) if self.goes_on() => self.damaged(at, error),
                Err(error) => self.hole(at, error),
            });
        }
        None
    }

    fn row(&mut self, at: usize, block: &Block) -> Result<Row<'d>, TableError> {
        let (bytes, data) = match block.role {
            Role::First => (Cow::Owned(self.join(at, block)?), at),
            _ => {
                let bytes = &self.file[block.data..][..block.length];
                (Cow::Borrowed(bytes), block.data)
            }
        };
        self.table.check(&bytes)?;
        Ok(Row {
            offset: at as u64,
            data: data as u64,
            bytes,
        })
    }

    /// Whether there is a block, or the end, where one should be.
    fn goes_on(&self) -> bool {
        self.at >= self.file.len() || Block::read(self.file, self.at).is_ok()
    }

    /// Passes over what is no block, up to the next row that is as long as its columns.
    fn hole(&mut self, at: usize, error: TableError) -> Next<'d> {
        let sound = |at: &usize| {
            let Ok(block) = Block::read(self.file, *at) else {
                return false;
            };
            let data = &self.file[block.data..][..block.length];
            match block.role {
                Role::Whole => self.table.check(data).is_ok(),
                Role::Deleted => true,
                // Its other pieces would have to be found: the next whole row is near.
                Role::First | Role::Middle | Role::Last => false,
            }
        };
        let mut candidates = (at + 4..self.file.len()).step_by(4);
        self.at = candidates.find(sound).unwrap_or(self.file.len());
        self.damaged(at, error)
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
