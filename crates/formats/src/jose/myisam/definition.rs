//! The columns of a table, from its `.frm`.
//!
//! Numbers are little-endian. The file begins with 64 bytes about itself, then names of "forms";
//! the place of the one form stands behind them. The form has 288 bytes about itself, then screens
//! (MySQL's ancestor showed tables on terminals), then 17 bytes for each column, then the names.
//!
//! | where | bytes | what |
//! |---|---|---|
//! | file 0 | 2 | `FE 01` |
//! | file 4 | 2 | length of the names of forms |
//! | file 16 | 2 | length of a row |
//! | file 30 | 2 | options: 1 rows are packed, 4 compressed |
//! | file 64 + length of names | 4 | place of the form |
//! | form 258 | 2 | number of columns |
//! | form 260 | 2 | length of the screens |
//! | form 268 | 2 | length of the names |
//! | column 3 | 2 | length as declared |
//! | column 5 | 3 | place in the row, from 1 |
//! | column 8 | 2 | flags: 1 signed, 8000 may be NULL |
//! | column 13 | 1 | type |
//! | column 11, 14 | 1, 1 | character set, high and low byte |

use super::{TableError, TableErrorKind as Kind};

/// As many columns as MySQL allows.
pub const MAX_COLUMNS: usize = 4_096;

const MAGIC: [u8; 2] = [0xfe, 0x01];
const PACKED_ROWS: usize = 1;
const COMPRESSED_ROWS: usize = 4;
const FORM_LENGTH: usize = 288;
const COLUMN_LENGTH: usize = 17;
const SIGNED: usize = 1;
const MAY_BE_NULL: usize = 0x8000;

/// What a table is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// Its columns, in their order.
    pub columns: Vec<Column>,
    /// How long a row is before it is packed.
    pub row_length: usize,
    /// How many bytes of a row say which values are NULL; they come first.
    pub null_bytes: usize,
    /// Rows are packed and of any length; else all are of one length.
    pub dynamic: bool,
}

/// A column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: ColumnKind,
    /// Where its value begins in an unpacked row.
    pub start: usize,
    /// How many bytes its value has in an unpacked row, with the length of a text.
    pub length: usize,
    /// The bit that says that the value is NULL, if it may be.
    pub null_bit: Option<usize>,
    /// The number of its character set and collation.
    pub charset: u16,
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnKind {
    /// A whole number.
    Integer {
        /// It may be negative.
        signed: bool,
    },
    /// A day in three bytes.
    Date,
    /// A text filled up with spaces.
    Char,
    /// A text with its length.
    VarChar,
    /// Bytes or a long text, with a length of so many bytes.
    Blob {
        /// How many bytes the length has.
        length_bytes: usize,
    },
    /// Something else, kept as its bytes.
    Other,
}

impl ColumnKind {
    fn of_code(code: u8, signed: bool) -> ColumnKind {
        match code {
            1..=3 | 8 | 9 => ColumnKind::Integer { signed },
            14 => ColumnKind::Date,
            15 => ColumnKind::VarChar,
            249 => ColumnKind::Blob { length_bytes: 1 },
            252 => ColumnKind::Blob { length_bytes: 2 },
            250 => ColumnKind::Blob { length_bytes: 3 },
            251 => ColumnKind::Blob { length_bytes: 4 },
            253 | 254 => ColumnKind::Char,
            _ => ColumnKind::Other,
        }
    }
}

impl Definition {
    /// Reads a `.frm`.
    ///
    /// # Errors
    /// If it is none, or cut off, or of a compressed table.
    pub fn read(frm: &[u8]) -> Result<Definition, TableError> {
        if !frm.starts_with(&MAGIC) {
            return Err(TableError::new(0, Kind::NotADefinition));
        }
        let row_length = number(frm, 16, 2)?;
        let options = number(frm, 30, 2)?;
        if options & COMPRESSED_ROWS != 0 {
            return Err(TableError::new(30, Kind::Compressed));
        }
        let form = number(frm, 64 + number(frm, 4, 2)?, 4)?;
        let count = number(frm, form + 258, 2)?;
        if count == 0 || count > MAX_COLUMNS {
            return Err(TableError::new(form + 258, Kind::ColumnCount(count)));
        }
        let columns_at = form + FORM_LENGTH + number(frm, form + 260, 2)?;
        let names_at = columns_at + count * COLUMN_LENGTH;
        let names_length = number(frm, form + 268, 2)?;
        let names = frm.get(names_at..names_at + names_length);
        let names = names.ok_or(TableError::new(names_at, Kind::UnexpectedEnd))?;
        let dynamic = options & PACKED_ROWS != 0;
        let mut definition = Definition {
            columns: Vec::with_capacity(count),
            row_length,
            null_bytes: 0,
            dynamic,
        };
        definition.read_columns(&frm[columns_at..names_at], columns_at, names)?;
        Ok(definition)
    }

    fn read_columns(&mut self, bytes: &[u8], at: usize, names: &[u8]) -> Result<(), TableError> {
        // FF, then each name with an FF behind it.
        let mut names = names.split(|byte| *byte == 0xff).skip(1);
        // The first bit of a row of fixed length says whether the row is deleted.
        let mut null_bits = if self.dynamic { 0.. } else { 1.. };
        for (index, column) in bytes.chunks_exact(COLUMN_LENGTH).enumerate() {
            let bad = || TableError::new(at + index * COLUMN_LENGTH, Kind::BadColumn(index));
            let flags = number(column, 8, 2)?;
            let start = number(column, 5, 3)?.checked_sub(1).ok_or_else(bad)?;
            let name = names.next().ok_or_else(bad)?;
            let null_bit = match flags & MAY_BE_NULL {
                0 => None,
                _ => null_bits.next(),
            };
            match self.columns.last_mut() {
                None => self.null_bytes = start,
                Some(last) => {
                    let length = start.checked_sub(last.start);
                    last.length = length.filter(|l| *l > 0).ok_or_else(bad)?;
                }
            }
            self.columns.push(Column {
                name: String::from_utf8_lossy(name).into_owned(),
                kind: ColumnKind::of_code(column[13], flags & SIGNED != 0),
                start,
                // Up to the next column, or to the end.
                length: self.row_length.saturating_sub(start),
                null_bit,
                charset: u16::from_be_bytes([column[11], column[14]]),
            });
        }
        self.check(at, null_bits.start)
    }

    /// The last column must end within the row, and each NULL have its bit.
    fn check(&self, at: usize, null_bits: usize) -> Result<(), TableError> {
        let fits = |column: &Column| column.length > 0 && column.fits_its_kind();
        match self.columns.iter().position(|column| !fits(column)) {
            Some(index) => Err(TableError::new(
                at + index * COLUMN_LENGTH,
                Kind::BadColumn(index),
            )),
            None if null_bits > self.null_bytes * 8 && null_bits > 1 => {
                Err(TableError::new(at, Kind::BadColumn(0)))
            }
            None => Ok(()),
        }
    }
}

impl Column {
    fn fits_its_kind(&self) -> bool {
        match self.kind {
            ColumnKind::Integer { .. } => self.length <= 8,
            ColumnKind::Date => self.length == 3,
            ColumnKind::Blob { length_bytes } => self.length >= length_bytes,
            ColumnKind::VarChar => self.length > self.length_bytes(),
            ColumnKind::Char | ColumnKind::Other => true,
        }
    }

    /// How many bytes of its part of an unpacked row are the length of a `VARCHAR`.
    pub(super) fn length_bytes(&self) -> usize {
        if self.length <= 256 { 1 } else { 2 }
    }
}

/// A little-endian number of up to four bytes.
fn number(bytes: &[u8], at: usize, length: usize) -> Result<usize, TableError> {
    let bytes = bytes.get(at..at + length);
    let bytes = bytes.ok_or(TableError::new(at, Kind::UnexpectedEnd))?;
    let digits = bytes.iter().rev();
    Ok(digits.fold(0, |number, byte| number << 8 | usize::from(*byte)))
}
