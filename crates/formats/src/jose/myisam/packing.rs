//! How the columns of a dynamic table are packed.
//!
//! The `.MYI` says it. Its numbers are big-endian: at 6 the length of its head, at 12 the place of
//! the part that has the number of columns at its byte 64. The head ends with seven bytes for each
//! column: packing (2), length (2), bit (1) and byte (2) of NULL. The bytes of NULL bits at the
//! beginning of a row count as a column.

use super::{
    TableError, TableErrorKind,
    definition::{Column, ColumnKind, Definition},
};

/// How a column is packed. All but `Plain` and `VarChar` have a flag at the beginning of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Packing {
    /// As it is.
    Plain,
    /// The flag says that spaces at the end were cut off; then the length comes first.
    EndSpace,
    /// The flag says that the value is zero and not stored.
    Zero,
    /// The flag says that there is none; else the length comes first.
    Blob { length_bytes: usize },
    /// The length comes first. Columns of more than 255 bytes write FF and two bytes for lengths
    /// of 255 and more.
    VarChar { long: bool },
}

impl Packing {
    pub fn has_flag(self) -> bool {
        !matches!(self, Packing::Plain | Packing::VarChar { .. })
    }
}

const MAGIC: [u8; 2] = [0xfe, 0xfe];
const ENTRY: usize = 7;

/// The packing of each column.
pub(super) fn of_columns(
    definition: &Definition,
    myi: Option<&[u8]>,
) -> Result<Vec<Packing>, TableError> {
    let columns = &definition.columns;
    let codes = myi.and_then(|myi| codes(myi, definition));
    let packings: Option<Vec<Packing>> = match &codes {
        Some(codes) => {
            let pairs = columns.iter().zip(codes);
            pairs.map(|(column, code)| of_code(column, *code)).collect()
        }
        None => Some(columns.iter().map(of_kind).collect()),
    };
    // A code that makes no sense for its column is damage: types are the better guess.
    let packings = packings.unwrap_or_else(|| columns.iter().map(of_kind).collect());
    // How longer texts have their length written is not documented.
    let unknown = |(c, p): &(&Column, &Packing)| **p == Packing::EndSpace && c.length > 255;
    match columns.iter().zip(&packings).find(unknown) {
        None => Ok(packings),
        Some((column, _)) => Err(TableError::new(
            column.start,
            TableErrorKind::UnknownPacking {
                name: column.name.clone(),
                length: column.length,
            },
        )),
    }
}

/// What MySQL chooses for a type.
fn of_kind(column: &Column) -> Packing {
    match column.kind {
        ColumnKind::Integer { .. } | ColumnKind::Date => Packing::Zero,
        ColumnKind::Char => Packing::EndSpace,
        ColumnKind::VarChar => Packing::VarChar {
            long: column.length_bytes() > 1,
        },
        ColumnKind::Blob { length_bytes } => Packing::Blob { length_bytes },
        ColumnKind::Other => Packing::Zero,
    }
}

/// What a number in the `.MYI` means for a column; `None` if it cannot be true.
fn of_code(column: &Column, code: u16) -> Option<Packing> {
    Some(match (code, of_kind(column)) {
        (4, blob @ Packing::Blob { .. }) => blob,
        (8, text @ Packing::VarChar { .. }) => text,
        (4 | 8, _) | (_, Packing::Blob { .. } | Packing::VarChar { .. }) => return None,
        (0, _) => Packing::Plain,
        (1, _) => Packing::EndSpace,
        (3, _) => Packing::Zero,
        _ => return None,
    })
}

/// How many rows a table has, as its `.MYI` says.
#[must_use]
pub fn stated_rows(myi: &[u8]) -> Option<u64> {
    let number = myi.starts_with(&MAGIC).then(|| myi.get(28..36))??;
    Some(u64::from_be_bytes(number.try_into().ok()?))
}

/// The numbers of the packings of all columns, if the `.MYI` is of the same table.
fn codes(myi: &[u8], definition: &Definition) -> Option<Vec<u16>> {
    let short = |at: usize| {
        let bytes = myi.get(at..at + 2)?;
        Some(u16::from_be_bytes(bytes.try_into().ok()?))
    };
    if !myi.starts_with(&MAGIC) {
        return None;
    }
    let head = usize::from(short(6)?);
    let base = usize::from(short(12)?);
    let count = u32::from_be_bytes(myi.get(base + 64..base + 68)?.try_into().ok()?);
    let length = usize::try_from(count).ok()?.checked_mul(ENTRY)?;
    let entries = myi.get(head.checked_sub(length)?..head)?;
    let mut entries = entries.chunks_exact(ENTRY).map(|entry| {
        let short = |at: usize| u16::from_be_bytes([entry[at], entry[at + 1]]);
        (short(0), usize::from(short(2)))
    });
    if definition.null_bytes > 0 && entries.next()? != (0, definition.null_bytes) {
        return None;
    }
    let mut codes = Vec::with_capacity(definition.columns.len());
    for column in &definition.columns {
        let (code, length) = entries.next()?;
        if length != column.length {
            return None;
        }
        codes.push(code);
    }
    entries.next().is_none().then_some(codes)
}
