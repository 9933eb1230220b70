//! The blocks of a dynamic table: a row is one of them, or several.
//!
//! Blocks begin at multiples of four. Numbers are big-endian.
//!
//! | type | what | length of row | of data | of what is unused | next block |
//! |---|---|---|---|---|---|
//! | 00 | deleted | – | 3, with the head | – | 8, and 8 for the one before |
//! | 01, 02 | whole row | 2, 3 | the same | – | – |
//! | 03, 04 | whole row | 2, 3 | the same | 1 | – |
//! | 05, 06, 0D | first of a row | 2, 3, 4 | 2, 3, 3 | – | 8 |
//! | 07, 08 | last of a row | – | 2, 3 | – | – |
//! | 09, 0A | last of a row | – | 2, 3 | 1 | – |
//! | 0B, 0C | between | – | 2, 3 | – | 8 |

use super::{TableError, TableErrorKind as Kind};

/// What a block is of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Deleted,
    Whole,
    First,
    Middle,
    Last,
}

/// The head of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Block {
    pub role: Role,
    /// Where its data begins.
    pub data: usize,
    /// How long its data is.
    pub length: usize,
    /// How long the whole row is, in the first block of a row.
    pub row: u64,
    /// Where the block ends.
    pub end: usize,
    /// Where the next block of the row is, if there is one.
    pub next: u64,
}

/// (role, bytes of the row's length, of the data's, of what is unused, of the next block's place).
const LAYOUTS: [(Role, usize, usize, usize, usize); 14] = [
    (Role::Deleted, 0, 3, 0, 8),
    (Role::Whole, 0, 2, 0, 0),
    (Role::Whole, 0, 3, 0, 0),
    (Role::Whole, 0, 2, 1, 0),
    (Role::Whole, 0, 3, 1, 0),
    (Role::First, 2, 2, 0, 8),
    (Role::First, 3, 3, 0, 8),
    (Role::Last, 0, 2, 0, 0),
    (Role::Last, 0, 3, 0, 0),
    (Role::Last, 0, 2, 1, 0),
    (Role::Last, 0, 3, 1, 0),
    (Role::Middle, 0, 2, 0, 8),
    (Role::Middle, 0, 3, 0, 8),
    (Role::First, 4, 3, 0, 8),
];

impl Block {
    /// Reads the head of the block at a byte and makes sure that the file holds all of it.
    pub fn read(file: &[u8], at: usize) -> Result<Block, TableError> {
        let error = |kind| TableError::new(at, kind);
        let code = *file.get(at).ok_or(error(Kind::UnexpectedEnd))?;
        let layout = LAYOUTS.get(usize::from(code));
        let &(role, row, length, unused, next) = layout.ok_or(error(Kind::UnknownBlock(code)))?;
        let mut bytes = &file[at + 1..];
        let mut take = |count: usize| -> Result<u64, TableError> {
            let taken = bytes.split_at_checked(count);
            let (number, rest) = taken.ok_or(error(Kind::BlockBeyondEnd))?;
            bytes = rest;
            Ok(number.iter().fold(0, |n, byte| n << 8 | u64::from(*byte)))
        };
        let row = take(row)?;
        let length = take(length)? as usize;
        let unused = take(unused)? as usize;
        let next = take(next)?;
        if role == Role::Deleted {
            // Deleted blocks are linked both ways; the ends of the list are all ones.
            let linked = |place: u64| place == u64::MAX || place < file.len() as u64;
            if length < 20 || !length.is_multiple_of(4) || !linked(next) || !linked(take(8)?) {
                return Err(error(Kind::BadDeleted));
            }
        }
        let data = file.len() - bytes.len();
        let (length, end) = match role {
            // The length of a deleted block counts its head.
            Role::Deleted => (0, at + length),
            _ => (length, data + length + unused),
        };
        let end = end.next_multiple_of(4);
        // Nothing but the space that fills the last block up may be missing.
        if data + length > file.len() || end > file.len().next_multiple_of(4) {
            return Err(error(Kind::BlockBeyondEnd));
        }
        let row = match role {
            Role::Whole => length as u64,
            _ => row,
        };
        Ok(Block {
            role,
            data,
            length,
            row,
            end,
            next,
        })
    }
}
