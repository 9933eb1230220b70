//! Arguments as Python gives them.

use std::{fmt::Display, path::PathBuf, str::FromStr};

use pyo3::{
    IntoPyObjectExt,
    exceptions::PyIndexError,
    prelude::*,
    types::{PyBool, PyBytes, PyInt, PySequence, PySlice, PyString},
};
use tabiya::{Color, Date, Span};

use crate::error::bad_value;

/// A text that is read as the command reads it.
pub fn parsed<T>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<T>
where
    T: FromStr<Err: Display>,
{
    let text = text(name, value)?;
    text.parse().map_err(|error| bad_value(name, error))
}

/// A text.
pub fn text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    match value.cast::<PyString>() {
        Ok(text) => Ok(text.to_str()?.to_owned()),
        Err(_) => Err(wrong_type(name, "a str", value)),
    }
}

/// White or Black.
pub fn side(name: &str, side: &str) -> PyResult<Color> {
    match side {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        _ => Err(bad_value(name, "expected white or black")),
    }
}

/// A flag.
pub fn flag(name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    value
        .extract()
        .map_err(|_| wrong_type(name, "a bool", value))
}

/// A whole number. For Python, True is 1, but nobody means that.
pub fn number<T: TryFrom<i64>>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<T> {
    if value.is_instance_of::<PyBool>() {
        return Err(wrong_type(name, "an int", value));
    }
    let out_of_range = || bad_value(name, format_args!("{value} is out of range"));
    let number: i64 = value
        .extract()
        .map_err(|_| match value.is_instance_of::<PyInt>() {
            true => out_of_range(),
            false => wrong_type(name, "an int", value),
        })?;
    T::try_from(number).map_err(|_| out_of_range())
}

/// The same where None is none.
pub fn optional<T: TryFrom<i64>>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<T>> {
    match value.is_none() {
        true => Ok(None),
        false => number(name, value).map(Some),
    }
}

/// A list. A text is a sequence of texts for Python, but nobody means its letters.
fn list<'py, T>(
    name: &str,
    value: &Bound<'py, PyAny>,
    read: impl FnMut(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    if value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>() {
        return Err(bad_value(
            name,
            format_args!("expected a list: [{}]", value.repr()?),
        ));
    }
    let items = value.extract::<Vec<Bound<'py, PyAny>>>();
    let items = items.map_err(|_| wrong_type(name, "a list", value))?;
    items.iter().map(read).collect()
}

/// A list of texts.
fn texts(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    list(name, value, |item| text(name, item))
}

/// The same where None is none.
fn optional_texts(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<Vec<String>>> {
    match value.is_none() {
        true => Ok(None),
        false => texts(name, value).map(Some),
    }
}

/// A list of numbers.
fn numbers(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    list(name, value, |item| number(name, item))
}

/// A list of paths.
fn list_of_paths(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    list(name, value, |item| item.extract())
}

/// Arguments that say their names when they cannot be read. Those that are read by their types do not.
pub mod arguments {
    use super::{Bound, PathBuf, PyAny, PyResult};

    macro_rules! arguments {
        ($($function:ident: $name:literal, $read:ident -> $type:ty;)*) => {
            $(
                pub fn $function(value: &Bound<'_, PyAny>) -> PyResult<$type> {
                    super::$read($name, value)
                }
            )*
        };
    }

    arguments! {
        arrows: "arrows", texts -> Vec<String>;
        batch_size: "batch_size", number -> usize;
        columns: "columns", optional_texts -> Option<Vec<String>>;
        depth: "depth", number -> u32;
        jobs: "jobs", optional -> Option<usize>;
        kinds: "kinds", optional_texts -> Option<Vec<String>>;
        limit: "limit", optional -> Option<usize>;
        min_games: "min_games", number -> u64;
        n: "n", number -> usize;
        number: "number", number -> u64;
        numbers: "numbers", numbers -> Vec<u64>;
        prefer: "prefer", list_of_paths -> Vec<PathBuf>;
        split: "split", optional -> Option<u64>;
        squares: "squares", texts -> Vec<String>;
        start_number: "number", number -> u16;
        width: "columns", optional -> Option<usize>;
    }
}

/// One value, or several in a sequence; a text is one. An empty sequence would ask for nothing, and get
/// everything.
pub fn each<'py, T>(
    name: &str,
    value: &Bound<'py, PyAny>,
    mut read: impl FnMut(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    let is_text = value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>();
    if is_text || value.cast::<PySequence>().is_err() {
        return Ok(vec![read(value)?]);
    }
    let values = value.try_iter()?.map(|item| read(&item?));
    at_least_one(name, values.collect::<PyResult<_>>()?)
}

/// A list that is not empty.
pub fn at_least_one<T>(name: &str, values: Vec<T>) -> PyResult<Vec<T>> {
    match values.is_empty() {
        true => Err(bad_value(name, "name at least one")),
        false => Ok(values),
    }
}

/// Several texts: in a list, or with commas between.
pub fn words(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let texts = each(name, value, |item| text(name, item))?;
    let words = texts.iter().flat_map(|text| text.split(','));
    Ok(words.map(|word| word.trim().to_owned()).collect())
}

/// A range: `(2500, None)`, `"2500.."`, or a number that is meant exactly.
pub fn span<T>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Span<T>>
where
    T: TryFrom<i64> + PartialOrd + Copy + Display,
    Span<T>: FromStr<Err: Display>,
{
    if value.is_instance_of::<PyString>() {
        return parsed(name, value);
    }
    if let Ok((least, most)) = value.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() {
        let end = |end: Bound<'_, PyAny>| match end.is_none() {
            true => Ok(None),
            false => number(name, &end).map(Some),
        };
        let (least, most) = (end(least)?, end(most)?);
        if let (Some(least), Some(most)) = (least, most)
            && most < least
        {
            return Err(bad_value(name, format_args!("{most} is less than {least}")));
        }
        return Ok(Span { least, most });
    }
    let exactly = number(name, value)?;
    Ok(Span {
        least: Some(exactly),
        most: Some(exactly),
    })
}

/// A day, a month or a year: a text, a number, or a `datetime.date`.
pub fn date(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Date> {
    let text = if value.is_instance_of::<PyString>() {
        text(name, value)?
    } else if let (Ok(year), false) = (value.extract::<u16>(), value.is_instance_of::<PyBool>()) {
        format!("{year:04}")
    } else if let Some([year, month, day]) = day(value) {
        format!("{year:04}-{month:02}-{day:02}")
    } else {
        return Err(wrong_type(name, "a str, a year or a date", value));
    };
    match text.parse::<Date>() {
        Ok(date) if date.year.is_some() => Ok(date),
        _ => Err(bad_value(name, "expected YYYY, YYYY-MM or YYYY-MM-DD")),
    }
}

/// Year, month and day of what has them, as a `datetime.date`.
fn day(value: &Bound<'_, PyAny>) -> Option<[u16; 3]> {
    let part = |name| value.getattr(name).ok()?.extract().ok();
    Some([part("year")?, part("month")?, part("day")?])
}

/// One path, or several.
pub fn paths(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    each(name, value, |path| path.extract())
}

/// A `TypeError` in the words of Python.
pub fn wrong_type(name: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyErr {
    let found = value
        .get_type()
        .name()
        .map_or_else(|_| "something else".to_owned(), |name| name.to_string());
    pyo3::exceptions::PyTypeError::new_err(format!("{name}: expected {expected}, not {found}"))
}

/// What stands at a place of a sequence, from its end if the place is negative, or the list of what a
/// slice names.
pub fn pick<'py, T>(
    py: Python<'py>,
    what: &str,
    place: &Bound<'py, PyAny>,
    len: usize,
    at: impl Fn(usize) -> T,
) -> PyResult<Bound<'py, PyAny>>
where
    T: IntoPyObjectExt<'py>,
    Vec<T>: IntoPyObjectExt<'py>,
{
    if let Ok(slice) = place.cast::<PySlice>() {
        let slice = slice.indices(len as isize)?;
        let steps = 0..slice.slicelength as isize;
        let places = steps.map(|step| (slice.start + step * slice.step) as usize);
        return places.map(at).collect::<Vec<T>>().into_bound_py_any(py);
    }
    let given: isize = place.extract()?;
    let from_end = if given < 0 { len as isize } else { 0 };
    match usize::try_from(given + from_end) {
        Ok(place) if place < len => at(place).into_bound_py_any(py),
        _ => Err(PyIndexError::new_err(format!(
            "no {what} {given}: there are {len}"
        ))),
    }
}
