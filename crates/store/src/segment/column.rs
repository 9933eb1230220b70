//! Columns while they grow, and the narrowest arrays that hold them.

use std::{ops::Range, sync::Arc};

use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, DictionaryArray, Int8Array, Int16Array, Int32Array,
    Int64Array, LargeBinaryArray, PrimitiveArray, StringArray,
    types::{ArrowDictionaryKeyType, Int8Type, Int16Type, Int32Type},
};
use indexmap::IndexSet;
use tabiya_game::GameResult;

use crate::row::index_of;

/// A column of which all rows are known: an array for each batch of rows.
pub(crate) trait Column {
    /// Whether it says nothing of any row; then it need not be there.
    fn is_empty(&self) -> bool;

    /// The array of some rows.
    fn array(&self, rows: Range<usize>) -> ArrayRef;
}

/// Texts, each kept once.
pub(crate) struct Texts {
    /// The number of each row's text, `NONE` where there is none.
    rows: Vec<u32>,
    texts: IndexSet<Box<str>, foldhash::fast::RandomState>,
    /// How many bytes they have.
    bytes: usize,
    /// The texts as an array, made once for all batches.
    values: std::cell::OnceCell<Arc<StringArray>>,
}

const NONE: u32 = u32::MAX;

impl Texts {
    pub fn new() -> Texts {
        Texts {
            rows: Vec::new(),
            texts: IndexSet::default(),
            bytes: 0,
            values: std::cell::OnceCell::new(),
        }
    }

    /// Gives a row its text. Rows come in order; those that are passed over have none.
    pub fn set(&mut self, row: usize, text: &str) {
        let number = match self.texts.get_index_of(text) {
            Some(number) => number,
            None => {
                self.bytes += text.len();
                self.texts.insert_full(text.into()).0
            }
        };
        self.rows.resize(row, NONE);
        self.rows.push(number as u32);
    }

    /// Gives a row the text of the last one that has one.
    pub fn set_again(&mut self, row: usize) {
        let last = self.rows.last().copied().unwrap_or(NONE);
        self.rows.resize(row, NONE);
        self.rows.push(last);
    }

    /// How many bytes of memory it takes, about.
    pub fn memory(&self) -> usize {
        // A text has its place, its hash and its number.
        self.rows.capacity() * size_of::<u32>() + self.bytes + self.texts.capacity() * 48
    }

    /// Whether a row has a text; it is the last one that came.
    pub fn has(&self, row: usize) -> bool {
        self.rows.len() > row
    }

    fn key(&self, row: usize) -> Option<u32> {
        self.rows.get(row).copied().filter(|&number| number != NONE)
    }

    /// Texts that are hardly ever the same are cheaper one by one.
    fn is_dictionary(&self) -> bool {
        let used = self.rows.iter().filter(|&&number| number != NONE).count();
        self.texts.len() * 4 < used * 3 || self.texts.len() < 128
    }

    fn dictionary<K: ArrowDictionaryKeyType>(&self, rows: Range<usize>) -> ArrayRef
    where
        K::Native: TryFrom<u32>,
    {
        let keys = rows.map(|row| {
            let key = self.key(row)?;
            Some(
                K::Native::try_from(key)
                    .ok()
                    .expect("the keys are wide enough"),
            )
        });
        let keys: PrimitiveArray<K> = keys.collect();
        let values = self
            .values
            .get_or_init(|| Arc::new(StringArray::from_iter_values(self.texts.iter())));
        Arc::new(DictionaryArray::new(keys, Arc::clone(values) as ArrayRef))
    }
}

impl Column for Texts {
    fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    fn array(&self, rows: Range<usize>) -> ArrayRef {
        let last = self.texts.len().saturating_sub(1);
        if !self.is_dictionary() {
            let texts = rows.map(|row| Some(&*self.texts[self.key(row)? as usize]));
            return Arc::new(texts.collect::<StringArray>());
        }
        match last {
            _ if i8::try_from(last).is_ok() => self.dictionary::<Int8Type>(rows),
            _ if i16::try_from(last).is_ok() => self.dictionary::<Int16Type>(rows),
            _ => self.dictionary::<Int32Type>(rows),
        }
    }
}

/// Numbers from 0 on.
#[derive(Default)]
pub(crate) struct Numbers {
    /// `MISSING` where there is none.
    rows: Vec<i32>,
    most: i32,
    /// The narrowest width that is used whatever the numbers are, in bytes.
    width: usize,
}

const MISSING: i32 = -1;

impl Numbers {
    /// Numbers of at least so many bytes.
    pub fn of_width(width: usize) -> Numbers {
        Numbers {
            width,
            ..Numbers::default()
        }
    }

    /// Gives a row its number, as [`Texts::set`] does.
    pub fn set(&mut self, row: usize, number: i32) {
        self.rows.resize(row, MISSING);
        self.rows.push(number);
        self.most = self.most.max(number);
    }

    /// Whether a row has a number; it is the last one that came.
    pub fn has(&self, row: usize) -> bool {
        self.rows.len() > row
    }

    /// How many bytes of memory it takes.
    pub fn memory(&self) -> usize {
        self.rows.capacity() * size_of::<i32>()
    }

    fn get(&self, row: usize) -> Option<i32> {
        self.rows
            .get(row)
            .copied()
            .filter(|&number| number != MISSING)
    }
}

impl Column for Numbers {
    fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn array(&self, rows: Range<usize>) -> ArrayRef {
        let fits = |width: usize, most: i32| self.width <= width && self.most <= most;
        let numbers = rows.map(|row| self.get(row));
        if fits(1, i8::MAX.into()) {
            let narrow = numbers.map(|number| number.map(|number| number as i8));
            Arc::new(narrow.collect::<Int8Array>())
        } else if fits(2, i16::MAX.into()) {
            let narrow = numbers.map(|number| number.map(|number| number as i16));
            Arc::new(narrow.collect::<Int16Array>())
        } else {
            Arc::new(numbers.collect::<Int32Array>())
        }
    }
}

/// Numbers of 64 bits, one for each row.
#[derive(Default)]
pub(crate) struct Longs {
    rows: Vec<i64>,
}

impl Longs {
    /// Adds that of the next row.
    pub fn push(&mut self, number: i64) {
        self.rows.push(number);
    }

    /// How many bytes of memory it takes.
    pub fn memory(&self) -> usize {
        self.rows.capacity() * size_of::<i64>()
    }
}

impl Column for Longs {
    fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn array(&self, rows: Range<usize>) -> ArrayRef {
        Arc::new(Int64Array::from(self.rows[rows].to_vec()))
    }
}

/// How games ended, as their tags say it.
#[derive(Default)]
pub(crate) struct Results {
    rows: Vec<i8>,
}

impl Results {
    /// Adds that of the next row.
    pub fn push(&mut self, result: GameResult) {
        self.rows.push(index_of(&GameResult::ALL, result) as i8);
    }
}

impl Column for Results {
    fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn array(&self, rows: Range<usize>) -> ArrayRef {
        let keys: Int8Array = self.rows[rows].iter().map(|key| Some(*key)).collect();
        let values = StringArray::from_iter_values(GameResult::ALL.map(GameResult::tag));
        Arc::new(DictionaryArray::new(keys, Arc::new(values)))
    }
}

/// What is true of some rows.
#[derive(Default)]
pub(crate) struct Flags {
    rows: Vec<usize>,
}

impl Flags {
    /// Rows come in order.
    pub fn set(&mut self, row: usize) {
        self.rows.push(row);
    }
}

impl Column for Flags {
    fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn array(&self, rows: Range<usize>) -> ArrayRef {
        let flags = rows.map(|row| Some(self.rows.binary_search(&row).is_ok()));
        Arc::new(flags.collect::<BooleanArray>())
    }
}

/// Bytes of rows one after the other.
#[derive(Default)]
pub(crate) struct Cells {
    bytes: Vec<u8>,
    /// Where those of each row end.
    ends: Vec<usize>,
    /// The most bytes that a row has.
    longest: usize,
}

/// A batch ends before it has so many bytes, but a row may have more by itself. Two of these fit into
/// an array whose places are numbers of 32 bits.
pub(crate) const NARROW: usize = 1 << 30;

impl Cells {
    /// Adds the bytes of the next row.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.ends.push(self.bytes.len());
        self.longest = self.longest.max(bytes.len());
    }

    /// How many bytes of memory it takes.
    pub fn memory(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * size_of::<usize>()
    }

    /// The bytes of some rows in all.
    pub fn len_of(&self, rows: Range<usize>) -> usize {
        self.range(rows.start)
            .start
            .abs_diff(self.ends[rows.end - 1])
    }

    fn range(&self, row: usize) -> Range<usize> {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[row]
    }
}

impl Column for Cells {
    fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    fn array(&self, rows: Range<usize>) -> ArrayRef {
        let cells = rows.map(|row| &self.bytes[self.range(row)]);
        match self.longest > NARROW {
            true => Arc::new(LargeBinaryArray::from_iter_values(cells)),
            false => Arc::new(BinaryArray::from_iter_values(cells)),
        }
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{Array, cast::AsArray};
    use arrow_schema::DataType;

    use super::*;

    fn key_type(texts: usize) -> DataType {
        let mut column = Texts::new();
        for row in 0..texts * 2 {
            column.set(row, &format!("text {}", row % texts));
        }
        let array = column.array(0..texts * 2);
        assert_eq!(array.len(), texts * 2);
        match array.data_type() {
            DataType::Dictionary(key, _) => (**key).clone(),
            other => other.clone(),
        }
    }

    #[test]
    fn keys_are_as_narrow_as_can_be() {
        assert_eq!(key_type(128), DataType::Int8);
        assert_eq!(key_type(129), DataType::Int16);
        assert_eq!(key_type(32_768), DataType::Int16);
        assert_eq!(key_type(32_769), DataType::Int32);
    }

    #[test]
    fn texts_of_one_row_each_are_not_numbered() {
        let mut column = Texts::new();
        for row in 0..1_000 {
            column.set(row, &row.to_string());
        }
        let array = column.array(10..20);
        assert_eq!(array.as_string::<i32>().value(3), "13");
    }

    #[test]
    fn rows_without_a_text_have_none() {
        let mut column = Texts::new();
        column.set(2, "text");
        let array = column.array(0..5);
        let nulls: Vec<bool> = (0..5).map(|row| array.is_null(row)).collect();
        assert_eq!(nulls, [true, true, false, true, true]);
    }

    #[test]
    fn numbers_are_as_narrow_as_they_may_be() {
        for (most, width, expected) in [
            (127, 1, DataType::Int8),
            (127, 2, DataType::Int16),
            (128, 1, DataType::Int16),
            (32_768, 2, DataType::Int32),
            (0, 4, DataType::Int32),
        ] {
            let mut column = Numbers::of_width(width);
            column.set(0, most);
            let array = column.array(0..2);
            assert_eq!((array.data_type(), array.is_null(1)), (&expected, true));
        }
    }
}
