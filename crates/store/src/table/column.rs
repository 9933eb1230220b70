//! Columns of a store as the tables have them.

use std::{borrow::Cow, sync::Arc};

use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BooleanArray, Int32Array, PrimitiveArray,
    builder::{BinaryViewBuilder, StringViewBuilder},
    cast::AsArray,
    types::{Int16Type, Int32Type, Int64Type},
};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::DataType;
use arrow_select::take::take;
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
        DataType::Int16 => Arc::new(match array.and_then(NumberColumn::of) {
            Some(NumberColumn::Byte(numbers)) => taken::<_, Int16Type>(&numbers, rows),
            Some(NumberColumn::Short(numbers)) => taken(&numbers, rows),
            Some(NumberColumn::Int(numbers)) => {
                let short = |row: &u32| {
                    let number = numbers.is_valid(*row as usize);
                    let number = number.then(|| numbers.value(*row as usize))?;
                    i16::try_from(number).ok()
                };
                rows.iter().map(short).collect()
            }
            None => PrimitiveArray::new_null(rows.len()),
        }),
        DataType::Int32 => Arc::new(match array.and_then(NumberColumn::of) {
            Some(NumberColumn::Byte(numbers)) => taken::<_, Int32Type>(&numbers, rows),
            Some(NumberColumn::Short(numbers)) => taken(&numbers, rows),
            Some(NumberColumn::Int(numbers)) => taken(&numbers, rows),
            None => PrimitiveArray::new_null(rows.len()),
        }),
        DataType::Int64 => {
            let longs = array.and_then(|array| array.as_primitive_opt::<Int64Type>());
            let longs = longs.map(|longs| taken::<_, Int64Type>(longs, rows));
            Arc::new(longs.unwrap_or_else(|| PrimitiveArray::new_null(rows.len())))
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
            let shared = column.as_ref().and_then(|column| shared(column, rows));
            shared.unwrap_or_else(|| texts(rows, |row| column.as_ref()?.get(row)))
        }
    }
}

/// The texts of some rows, each put down once for all of them: that pays where there are fewer texts than
/// rows. `None` where there are not, and where keys make no sense.
fn shared(column: &TextColumn, rows: &[u32]) -> Option<ArrayRef> {
    let TextColumn::Keyed(keys, distinct) = column else {
        return None;
    };
    if distinct.len() > rows.len() {
        return None;
    }
    let keys: Int32Array = match keys {
        NumberColumn::Byte(keys) => taken(keys, rows),
        NumberColumn::Short(keys) => taken(keys, rows),
        NumberColumn::Int(keys) => taken(keys, rows),
    };
    let is_there = |key| usize::try_from(key).is_ok_and(|key| key < distinct.len());
    if !keys.iter().flatten().all(is_there) {
        return None;
    }
    let all: Vec<u32> = (0..distinct.len() as u32).collect();
    take(&texts(&all, |row| Some(distinct.value(row))), &keys, None).ok()
}

/// Some rows of numbers, none of which is too large. No row is looked at by itself, which takes most of
/// the time of a question to headers.
fn taken<S, T>(numbers: &PrimitiveArray<S>, rows: &[u32]) -> PrimitiveArray<T>
where
    S: ArrowPrimitiveType,
    T: ArrowPrimitiveType<Native: From<S::Native>>,
{
    let values = numbers.values();
    let taken = rows.iter().map(|row| values[*row as usize].into());
    let nulls = numbers.nulls().map(|nulls| {
        let is_valid = |index: usize| nulls.is_valid(rows[index] as usize);
        NullBuffer::new(BooleanBuffer::collect_bool(rows.len(), is_valid))
    });
    PrimitiveArray::new(taken.collect(), nulls)
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
