//! Columns of a store as the tables have them.

use std::{borrow::Cow, sync::Arc};

use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BooleanArray, Int32Array, Int64Array, PrimitiveArray,
    builder::{BinaryViewBuilder, StringViewBuilder},
    cast::AsArray,
    types::{Int16Type, Int64Type},
};
use arrow_schema::DataType;
use tabiya_chess::Variant;

use crate::{
    movetext::{join, join_other},
    row::Kind,
    segment::cell::{BytesColumn, NumberColumn, TextColumn},
};

/// Some rows of a column, as a table has them, whatever its width in the store; one that is not there
/// has nothing to say of any row.
pub(super) fn column(array: Option<&ArrayRef>, kind: &DataType, rows: &[u32]) -> ArrayRef {
    match kind {
        DataType::Int16 => {
            let short = |number| i16::try_from(number).ok();
            Arc::new(numbers::<Int16Type>(array, rows, short))
        }
        DataType::Int32 => {
            let column = array.and_then(NumberColumn::of);
            let number = |row: &u32| column.as_ref()?.get(*row as usize);
            Arc::new(rows.iter().map(number).collect::<Int32Array>())
        }
        DataType::Int64 => {
            let longs = array.and_then(|array| array.as_primitive_opt::<Int64Type>());
            let long = |row: &u32| longs.map(|longs| longs.value(*row as usize));
            Arc::new(rows.iter().map(long).collect::<Int64Array>())
        }
        DataType::Boolean => {
            let flags = array.and_then(|array| array.as_boolean_opt());
            let flag = |row: &u32| {
                let row = *row as usize;
                Some(flags.is_some_and(|flags| flags.is_valid(row) && flags.value(row)))
            };
            Arc::new(rows.iter().map(flag).collect::<BooleanArray>())
        }
        DataType::BinaryView => {
            let cells = array.and_then(BytesColumn::of);
            bytes(rows, |row| Some(cells.as_ref()?.get(row)))
        }
        _ => {
            let column = array.and_then(TextColumn::of);
            texts(rows, |row| column.as_ref()?.get(row))
        }
    }
}

fn numbers<T: ArrowPrimitiveType>(
    array: Option<&ArrayRef>,
    rows: &[u32],
    narrow: impl Fn(i32) -> Option<T::Native>,
) -> PrimitiveArray<T> {
    let column = array.and_then(NumberColumn::of);
    let number = |row: &u32| narrow(column.as_ref()?.get(*row as usize)?);
    rows.iter().map(number).collect()
}

/// The texts of some rows.
pub(super) fn texts<T: AsRef<str>>(rows: &[u32], text: impl Fn(usize) -> Option<T>) -> ArrayRef {
    let mut builder = StringViewBuilder::with_capacity(rows.len());
    for row in rows {
        builder.append_option(text(*row as usize));
    }
    Arc::new(builder.finish())
}

/// The bytes of some rows; none are nothing.
fn bytes<T: AsRef<[u8]>>(rows: &[u32], cell: impl Fn(usize) -> Option<T>) -> ArrayRef {
    let mut builder = BinaryViewBuilder::with_capacity(rows.len());
    for row in rows {
        builder.append_option(cell(*row as usize).filter(|bytes| !bytes.as_ref().is_empty()));
    }
    Arc::new(builder.finish())
}

/// The columns that make moves complete in themselves.
pub(super) struct WholeMoves<'a> {
    pub moves: Option<&'a ArrayRef>,
    pub kinds: Option<&'a ArrayRef>,
    pub starts: Option<&'a ArrayRef>,
    pub variants: Option<&'a ArrayRef>,
}

impl WholeMoves<'_> {
    /// The moves of some rows with all that belongs to them.
    pub fn column(&self, rows: &[u32]) -> ArrayRef {
        let moves = self.moves.and_then(BytesColumn::of);
        let of = |array: Option<&ArrayRef>| array.and_then(TextColumn::of);
        let (kinds, starts, variants) = (of(self.kinds), of(self.starts), of(self.variants));
        bytes(rows, |row| {
            let body = moves.as_ref()?.get(row);
            if text(&kinds, row).is_some_and(|kind| kind != Kind::Game.name()) {
                return Some(Cow::Owned(join_other(body)));
            }
            let variant = text(&variants, row).and_then(|name| name.parse().ok());
            let variant = variant.unwrap_or(Variant::Standard);
            Some(join(text(&starts, row), variant, body))
        })
    }
}

fn text(column: &Option<TextColumn>, row: usize) -> Option<&str> {
    column.as_ref()?.get(row)
}
