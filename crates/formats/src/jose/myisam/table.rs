//! A table: its columns and the values in its rows.

use std::borrow::Cow;

use super::{
    Column, ColumnKind, Definition, Rows, TableError, TableErrorKind as Kind,
    packing::{self, Packing},
};

/// The columns of a table, ready to read rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    definition: Definition,
    packings: Vec<Packing>,
}

/// A value of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value<'r> {
    /// Nothing.
    Null,
    /// A whole number.
    Integer(i64),
    /// A day: day + 32 · month + 512 · year.
    Date(u32),
    /// A text or other bytes.
    Bytes(&'r [u8]),
}

/// Character sets whose texts are Windows-1252, which MySQL calls latin1.
const LATIN1: [u16; 8] = [5, 8, 15, 31, 47, 48, 49, 94];

impl Table {
    /// Reads what a table is made of: its `.frm`, and its `.MYI` if there is one.
    ///
    /// # Errors
    /// If the `.frm` is none, or the table is packed in a way that is not known. A bad `.MYI` is
    /// left aside.
    pub fn open(frm: &[u8], myi: Option<&[u8]>) -> Result<Table, TableError> {
        let definition = Definition::read(frm)?;
        let packings = packing::of_columns(&definition, myi)?;
        Ok(Table {
            definition,
            packings,
        })
    }

    /// What the table is made of.
    #[must_use]
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// The number of a column, whatever the case of its name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        let mut columns = self.definition.columns.iter();
        columns.position(|column| column.name.eq_ignore_ascii_case(name))
    }

    /// The rows of the table's `.MYD`.
    #[must_use]
    pub fn rows<'d>(&'d self, myd: &'d [u8]) -> Rows<'d> {
        Rows::new(self, myd)
    }

    /// The values of a row, one for each column.
    ///
    /// # Errors
    /// If the row is not as long as its columns, with the byte of its data.
    pub fn values<'r>(&self, row: &'r [u8]) -> Result<Vec<Value<'r>>, TableError> {
        if !self.definition.dynamic {
            return self.slice(row);
        }
        let mut values = Vec::with_capacity(self.packings.len());
        self.unpack(row, |column, bytes, nulls| {
            values.push(value_of(column, bytes, nulls));
        })?;
        Ok(values)
    }

    /// A text of a column. What is no text in its character set is read as Windows-1252.
    #[must_use]
    pub fn text<'r>(&self, column: usize, bytes: &'r [u8]) -> Cow<'r, str> {
        let charset = self.definition.columns.get(column).map(|c| c.charset);
        if !charset.is_some_and(|charset| LATIN1.contains(&charset))
            && let Ok(text) = std::str::from_utf8(bytes)
        {
            return Cow::Borrowed(text);
        }
        let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes);
        text
    }

    /// Whether a row of a dynamic table is as long as its columns.
    pub(super) fn check(&self, row: &[u8]) -> Result<(), TableError> {
        self.unpack(row, |_, _, _| {})
    }

    /// Goes through a row of a dynamic table: flags, NULL bits, values. The receiver gets each
    /// column with its bytes and the NULL bits.
    fn unpack<'r>(
        &self,
        row: &'r [u8],
        mut receive: impl FnMut(&Column, &'r [u8], &'r [u8]),
    ) -> Result<(), TableError> {
        let flags = self.packings.iter().filter(|packing| packing.has_flag());
        let mut packed = Packed { row, at: 0 };
        let flags = packed.take(flags.count().div_ceil(8))?;
        let nulls = packed.take(self.definition.null_bytes)?;
        let mut flag = 0;
        for (column, packing) in self.definition.columns.iter().zip(&self.packings) {
            let set = packing.has_flag() && {
                flag += 1;
                bit(flags, flag - 1)
            };
            receive(column, packed.value(column, *packing, set)?, nulls);
        }
        match row.len() - packed.at {
            // A table may have a checksum behind each row.
            0 | 1 => Ok(()),
            left => Err(TableError::new(packed.at, Kind::LeftOver(left))),
        }
    }

    /// Reads a row of fixed length.
    fn slice<'r>(&self, row: &'r [u8]) -> Result<Vec<Value<'r>>, TableError> {
        let mut packed = Packed { row, at: 0 };
        let nulls = packed.take(self.definition.null_bytes)?;
        let columns = self.definition.columns.iter().map(|column| {
            packed.at = column.start;
            let mut bytes = packed.take(column.length)?;
            if column.kind == ColumnKind::VarChar {
                let (length, text) = bytes.split_at(column.length_bytes());
                let length = length.iter().rev();
                let length = length.fold(0, |n, byte| n << 8 | usize::from(*byte));
                bytes = &text[..length.min(text.len())];
            }
            Ok(value_of(column, bytes, nulls))
        });
        columns.collect()
    }
}

/// A packed row as far as it has been read.
struct Packed<'r> {
    row: &'r [u8],
    at: usize,
}

impl<'r> Packed<'r> {
    fn take(&mut self, length: usize) -> Result<&'r [u8], TableError> {
        let at = self.at;
        let bytes = self.row.get(at..at.saturating_add(length));
        self.at += length;
        bytes.ok_or(TableError::new(at, Kind::UnexpectedEnd))
    }

    /// A little-endian number.
    fn length(&mut self, bytes: usize) -> Result<usize, TableError> {
        let bytes = self.take(bytes)?.iter().rev();
        Ok(bytes.fold(0, |n, byte| n << 8 | usize::from(*byte)))
    }

    /// The bytes of a value; those of zero, and of a text that is not there, are empty.
    fn value(
        &mut self,
        column: &Column,
        packing: Packing,
        flag: bool,
    ) -> Result<&'r [u8], TableError> {
        let length = match packing {
            Packing::Zero | Packing::Blob { .. } if flag => 0,
            Packing::EndSpace if flag => self.length(1)?,
            Packing::Plain | Packing::Zero | Packing::EndSpace => column.length,
            Packing::Blob { length_bytes } => self.length(length_bytes)?,
            Packing::VarChar { long } => match self.length(1)? {
                0xff if long => {
                    let bytes = self.take(2)?;
                    usize::from(u16::from_be_bytes([bytes[0], bytes[1]]))
                }
                length => length,
            },
        };
        self.take(length)
    }
}

fn bit(bytes: &[u8], bit: usize) -> bool {
    let byte = bytes.get(bit / 8);
    byte.is_some_and(|byte| byte >> (bit % 8) & 1 == 1)
}

fn value_of<'r>(column: &Column, bytes: &'r [u8], nulls: &[u8]) -> Value<'r> {
    if column.null_bit.is_some_and(|null| bit(nulls, null)) {
        return Value::Null;
    }
    let unsigned = bytes.iter().rev().take(8);
    let unsigned = unsigned.fold(0u64, |n, byte| n << 8 | u64::from(*byte));
    match column.kind {
        ColumnKind::Integer { signed: true } if !bytes.is_empty() => {
            // Shifting up and down again spreads the sign.
            let shift = 64 - 8 * bytes.len().min(8) as u32;
            Value::Integer((unsigned << shift) as i64 >> shift)
        }
        ColumnKind::Integer { .. } => Value::Integer(unsigned as i64),
        ColumnKind::Date => Value::Date(unsigned as u32),
        ColumnKind::Char => {
            let end = bytes.iter().rposition(|byte| *byte != b' ');
            Value::Bytes(&bytes[..end.map_or(0, |last| last + 1)])
        }
        ColumnKind::VarChar | ColumnKind::Blob { .. } | ColumnKind::Other => Value::Bytes(bytes),
    }
}
