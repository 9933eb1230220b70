//! Which games are wanted: the filters of the command as keywords.

use pyo3::{exceptions::PyTypeError, prelude::*, types::PyDict};
use tabiya::{Filter, GameResult};

use crate::{
    error::bad_value,
    values::{date, number, parsed, span, text, words},
};

/// The filter of keywords, all of which have to be filters, on top of another.
pub fn filter(base: Filter, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Filter> {
    let mut filter = base;
    for (name, value) in keywords.into_iter().flatten() {
        let name: String = name.extract()?;
        if !set(&mut filter, &name, &value)? {
            return Err(unknown(&name));
        }
    }
    check(filter)
}

/// A keyword that nobody knows.
pub fn unknown(name: &str) -> PyErr {
    PyTypeError::new_err(format!("unexpected keyword argument {name:?}"))
}

/// What has no sense by itself.
pub fn check(filter: Filter) -> PyResult<Filter> {
    match filter.versus.is_some() && filter.player.is_none() {
        true => Err(bad_value("versus", "it belongs to player")),
        false => Ok(filter),
    }
}

/// Sets what a keyword names; `false` if it names no filter. None asks nothing.
pub fn set(filter: &mut Filter, name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    if value.is_none() {
        return Ok(NAMES.contains(&name));
    }
    let words_of = || parsed(name, value).map(Some);
    match name {
        "player" => filter.player = words_of()?,
        "versus" => filter.versus = words_of()?,
        "white" => filter.white = words_of()?,
        "black" => filter.black = words_of()?,
        "event" => filter.event = words_of()?,
        "site" => filter.site = words_of()?,
        "comment" => filter.comment = words_of()?,
        "since" => filter.since = Some(date(name, value)?),
        "until" => filter.until = Some(date(name, value)?),
        "elo" => filter.elo = Some(span(name, value)?),
        "elo_diff" => filter.elo_difference = Some(span(name, value)?),
        "elo_mean" => filter.elo_mean = Some(span(name, value)?),
        "plies" => filter.plies = Some(span(name, value)?),
        "title" => filter.titles = titles(name, value)?,
        "fide_id" => filter.fide_id = Some(number(name, value)?),
        "time_control" => filter.time_control = Some(parsed(name, value)?),
        "eco" => filter.eco = spans(name, value)?,
        "result" => filter.result = Some(result(name, value)?),
        "chess960" => filter.chess960 = Some(start(name, value)?),
        _ => return Ok(false),
    }
    Ok(true)
}

/// All filters.
const NAMES: [&str; 19] = [
    "player",
    "versus",
    "white",
    "black",
    "event",
    "site",
    "comment",
    "since",
    "until",
    "elo",
    "elo_diff",
    "elo_mean",
    "plies",
    "title",
    "fide_id",
    "time_control",
    "eco",
    "result",
    "chess960",
];

fn titles(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let titles = words(name, value)?;
    match titles.iter().any(String::is_empty) {
        true => Err(bad_value(name, "expected a title such as GM")),
        false => Ok(titles),
    }
}

fn spans(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<tabiya::EcoSpan>> {
    let codes = words(name, value)?.into_iter();
    let codes = codes.map(|code| code.parse().map_err(|error| bad_value(name, error)));
    codes.collect()
}

fn result(name: &str, value: &Bound<'_, PyAny>) -> PyResult<GameResult> {
    match text(name, value)?.as_str() {
        token @ ("1-0" | "0-1" | "1/2-1/2" | "*") => {
            token.parse().map_err(|error| bad_value(name, error))
        }
        _ => Err(bad_value(name, "expected 1-0, 0-1, 1/2-1/2 or *")),
    }
}

fn start(name: &str, value: &Bound<'_, PyAny>) -> PyResult<u16> {
    match number(name, value)? {
        start @ 0..960 => Ok(start),
        start => Err(bad_value(name, format_args!("{start} is none of 0 to 959"))),
    }
}
