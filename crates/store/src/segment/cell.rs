//! Cells of columns, whatever their width.

use arrow_array::{
    Array, ArrayRef, BinaryArray, Int8Array, Int16Array, Int32Array, LargeBinaryArray, StringArray,
    cast::AsArray,
    types::{Int8Type, Int16Type, Int32Type},
};
use arrow_schema::DataType;

/// A column of texts.
#[derive(Clone)]
pub(crate) enum TextColumn {
    Plain(StringArray),
    /// Keys, as wide as they have to be, and what they stand for.
    Keyed(NumberColumn, StringArray),
}

impl TextColumn {
    /// The column, if it is one of texts.
    pub fn of(array: &ArrayRef) -> Option<TextColumn> {
        if let Some(plain) = array.as_string_opt::<i32>() {
            return Some(TextColumn::Plain(plain.clone()));
        }
        let dictionary = array.as_any_dictionary_opt()?;
        let keys = dictionary.keys();
        let keys = match keys.data_type() {
            DataType::Int8 => NumberColumn::Byte(keys.as_primitive::<Int8Type>().clone()),
            DataType::Int16 => NumberColumn::Short(keys.as_primitive::<Int16Type>().clone()),
            DataType::Int32 => NumberColumn::Int(keys.as_primitive::<Int32Type>().clone()),
            _ => return None,
        };
        let values = dictionary.values().as_string_opt::<i32>()?.clone();
        Some(TextColumn::Keyed(keys, values))
    }

    /// The text of a row, if it has one.
    pub fn get(&self, row: usize) -> Option<&str> {
        match self {
            TextColumn::Plain(texts) => texts.is_valid(row).then(|| texts.value(row)),
            TextColumn::Keyed(_, texts) => {
                let key = self.key(row).filter(|key| *key < texts.len())?;
                Some(texts.value(key))
            }
        }
    }

    /// How many texts are kept once for all rows.
    pub fn distinct(&self) -> usize {
        match self {
            TextColumn::Plain(_) => 0,
            TextColumn::Keyed(_, texts) => texts.len(),
        }
    }

    /// Which of the distinct texts a row has.
    pub fn key(&self, row: usize) -> Option<usize> {
        match self {
            TextColumn::Plain(_) => None,
            TextColumn::Keyed(keys, _) => usize::try_from(keys.get(row)?).ok(),
        }
    }
}

/// A column of numbers.
#[derive(Clone)]
pub(crate) enum NumberColumn {
    Byte(Int8Array),
    Short(Int16Array),
    Int(Int32Array),
}

impl NumberColumn {
    /// The column, if it is one of numbers.
    pub fn of(array: &ArrayRef) -> Option<NumberColumn> {
        let byte = || Some(NumberColumn::Byte(array.as_primitive_opt()?.clone()));
        let short = || Some(NumberColumn::Short(array.as_primitive_opt()?.clone()));
        let int = || Some(NumberColumn::Int(array.as_primitive_opt()?.clone()));
        byte().or_else(short).or_else(int)
    }

    /// The number of a row, if it has one.
    pub fn get(&self, row: usize) -> Option<i32> {
        match self {
            NumberColumn::Byte(numbers) => numbers.is_valid(row).then(|| numbers.value(row).into()),
            NumberColumn::Short(numbers) => {
                numbers.is_valid(row).then(|| numbers.value(row).into())
            }
            NumberColumn::Int(numbers) => numbers.is_valid(row).then(|| numbers.value(row)),
        }
    }
}

/// A column of bytes.
#[derive(Clone)]
pub(crate) enum BytesColumn {
    Narrow(BinaryArray),
    /// For games that are too long for others.
    Wide(LargeBinaryArray),
}

impl BytesColumn {
    /// The column, if it is one of bytes.
    pub fn of(array: &ArrayRef) -> Option<BytesColumn> {
        let narrow = || Some(BytesColumn::Narrow(array.as_binary_opt::<i32>()?.clone()));
        let wide = || Some(BytesColumn::Wide(array.as_binary_opt::<i64>()?.clone()));
        narrow().or_else(wide)
    }

    /// The bytes of a row; none if it has none.
    pub fn get(&self, row: usize) -> &[u8] {
        match self {
            BytesColumn::Narrow(cells) => cells.value(row),
            BytesColumn::Wide(cells) => cells.value(row),
        }
    }
}
