//! What functions are given.

use std::ops::Range;

use datafusion::{
    arrow::{
        array::{Array, ArrayRef, AsArray, PrimitiveArray},
        datatypes::{ArrowPrimitiveType, DataType, Int64Type},
    },
    common::{Result, exec_datafusion_err, exec_err, plan_err},
    logical_expr::ColumnarValue,
};
use tabiya_store::movetext::Movetext;

/// What an argument is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The column `moves`.
    Moves,
    Text,
    Integer,
}

impl Kind {
    /// The type that an argument of a type is turned into.
    pub fn coerce(self, syntax: &str, name: &str, given: &DataType) -> Result<DataType> {
        // A column with few values comes as a dictionary.
        if let DataType::Dictionary(_, values) = given {
            return self.coerce(syntax, name, values);
        }
        match (self, given) {
            (Kind::Moves, DataType::Binary | DataType::LargeBinary | DataType::BinaryView)
            | (Kind::Text, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) => {
                Ok(given.clone())
            }
            (Kind::Moves, DataType::Null) => Ok(DataType::BinaryView),
            (Kind::Text, DataType::Null) => Ok(DataType::Utf8View),
            (Kind::Integer, given) if given.is_integer() || given.is_null() => Ok(DataType::Int64),
            (Kind::Moves, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) => plan_err!(
                "{syntax}: `{name}` is the column `moves` of games, which is binary; a text such as \
                 `main_line` is not enough, for it does not say where the game starts"
            ),
            (Kind::Moves, given) => {
                plan_err!("{syntax}: `{name}` is the column `moves` of games, not {given}")
            }
            (Kind::Text, given) => plan_err!("{syntax}: `{name}` is a text, not {given}"),
            (Kind::Integer, given) => {
                plan_err!("{syntax}: `{name}` is a whole number, not {given}")
            }
        }
    }
}

/// The arguments of a batch of rows.
pub(super) struct Arguments {
    /// Whom they are given to.
    pub function: &'static str,
    pub rows: usize,
    all: Vec<Argument>,
}

/// An argument of all rows: a value for each, or one for all.
struct Argument {
    array: ArrayRef,
    constant: bool,
}

impl Arguments {
    pub fn new(
        function: &'static str,
        values: Vec<ColumnarValue>,
        rows: usize,
    ) -> Result<Arguments> {
        let argument = |value| {
            Ok(match value {
                ColumnarValue::Array(array) => Argument {
                    array,
                    constant: false,
                },
                ColumnarValue::Scalar(value) => Argument {
                    array: value.to_array_of_size(1)?,
                    constant: true,
                },
            })
        };
        Ok(Arguments {
            function,
            rows,
            all: values.into_iter().map(argument).collect::<Result<_>>()?,
        })
    }

    fn get(&self, index: usize) -> Result<&Argument> {
        let argument = self.all.get(index);
        argument.ok_or_else(|| exec_datafusion_err!("{} lacks an argument", self.function))
    }

    /// An argument that is moves.
    pub fn moves(&self, index: usize) -> Result<Moves<'_>> {
        let Argument { array, constant } = self.get(index)?;
        Ok(Moves {
            function: self.function,
            bytes: match array.data_type() {
                DataType::Binary => Bytes::Binary(array.as_binary()),
                DataType::LargeBinary => Bytes::Large(array.as_binary()),
                DataType::BinaryView => Bytes::View(array.as_binary_view()),
                other => return exec_err!("{}: moves are not {other}", self.function),
            },
            constant: *constant,
        })
    }

    /// An argument that is a text.
    pub fn texts(&self, index: usize) -> Result<Texts<'_>> {
        let Argument { array, constant } = self.get(index)?;
        Texts::of(array, *constant, self.rows)
    }

    /// An argument that is a number.
    pub fn numbers(&self, index: usize) -> Result<Numbers<'_>> {
        let Argument { array, constant } = self.get(index)?;
        match array.as_primitive_opt::<Int64Type>() {
            Some(array) => Ok(Numbers {
                array,
                constant: *constant,
            }),
            None => exec_err!("{}: not a number: {}", self.function, array.data_type()),
        }
    }
}

/// Moves of rows.
pub(super) struct Moves<'a> {
    function: &'static str,
    bytes: Bytes<'a>,
    constant: bool,
}

enum Bytes<'a> {
    Binary(&'a datafusion::arrow::array::BinaryArray),
    Large(&'a datafusion::arrow::array::LargeBinaryArray),
    View(&'a datafusion::arrow::array::BinaryViewArray),
}

impl Moves<'_> {
    /// The game of a row; `None` if there is none.
    #[inline]
    pub fn game(&self, row: usize) -> Result<Option<Movetext<'_>>> {
        let row = if self.constant { 0 } else { row };
        let bytes = match &self.bytes {
            Bytes::Binary(array) => array.is_valid(row).then(|| array.value(row)),
            Bytes::Large(array) => array.is_valid(row).then(|| array.value(row)),
            Bytes::View(array) => array.is_valid(row).then(|| array.value(row)),
        };
        match bytes {
            Some(bytes) => Movetext::parse(bytes).map_err(|error| self.damaged(&error)),
            None => Ok(None),
        }
    }

    /// The error for moves that cannot be read.
    #[cold]
    pub fn damaged(
        &self,
        error: &tabiya_formats::jose::Error,
    ) -> datafusion::error::DataFusionError {
        exec_datafusion_err!(
            "{}: the moves of a game are damaged: {error}; is this the column `moves`?",
            self.function
        )
    }
}

/// Texts of rows.
pub(super) struct Texts<'a> {
    texts: Utf8<'a>,
    constant: bool,
    rows: usize,
}

enum Utf8<'a> {
    Plain(&'a datafusion::arrow::array::StringArray),
    Large(&'a datafusion::arrow::array::LargeStringArray),
    View(&'a datafusion::arrow::array::StringViewArray),
}

impl<'a> Texts<'a> {
    /// The texts of an array: one for each of so many rows, or one for all of them.
    pub fn of(array: &'a ArrayRef, constant: bool, rows: usize) -> Result<Texts<'a>> {
        Ok(Texts {
            texts: match array.data_type() {
                DataType::Utf8 => Utf8::Plain(array.as_string()),
                DataType::LargeUtf8 => Utf8::Large(array.as_string()),
                DataType::Utf8View => Utf8::View(array.as_string_view()),
                other => return exec_err!("not a text: {other}"),
            },
            constant,
            rows,
        })
    }

    /// The text of a row.
    #[inline]
    pub fn get(&self, row: usize) -> Option<&'a str> {
        let row = if self.constant { 0 } else { row };
        match self.texts {
            Utf8::Plain(array) => array.is_valid(row).then(|| array.value(row)),
            Utf8::Large(array) => array.is_valid(row).then(|| array.value(row)),
            Utf8::View(array) => array.is_valid(row).then(|| array.value(row)),
        }
    }

    /// All rows in their order, as runs with one text: it need be understood only once for each.
    pub fn runs(&self) -> impl Iterator<Item = (Range<usize>, Option<&'a str>)> {
        let mut start = 0;
        std::iter::from_fn(move || {
            if start >= self.rows {
                return None;
            }
            let text = self.get(start);
            let end = match self.constant {
                true => self.rows,
                false => (start + 1..self.rows)
                    .find(|row| self.get(*row) != text)
                    .unwrap_or(self.rows),
            };
            let run = start..end;
            start = end;
            Some((run, text))
        })
    }
}

/// Numbers of rows.
pub(super) struct Numbers<'a> {
    array: &'a PrimitiveArray<Int64Type>,
    constant: bool,
}

impl Numbers<'_> {
    /// The number of a row.
    #[inline]
    pub fn get(&self, row: usize) -> Option<<Int64Type as ArrowPrimitiveType>::Native> {
        let row = if self.constant { 0 } else { row };
        self.array.is_valid(row).then(|| self.array.value(row))
    }
}
