//! Which games are wanted: the filters of the command as keywords.

use std::{fmt::Display, str::FromStr};

use pyo3::{exceptions::PyTypeError, prelude::*, types::PyDict};
use tabiya::{Filter, GameResult, Span};

use crate::{
    error::bad_value,
    values::{date, number, parsed, span, text, words},
};

/// The filter of keywords, all of which have to be filters, and of another.
pub fn filter(base: &Filter, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Filter> {
    let mut filter = Filter::default();
    for (name, value) in keywords.into_iter().flatten() {
        let name: String = name.extract()?;
        if !set(&mut filter, &name, &value)? {
            return Err(unknown(&name));
        }
    }
    joined(base, filter)
}

/// What passes both filters. A question is asked once: two answers to it cannot be asked for.
pub fn joined(base: &Filter, more: Filter) -> PyResult<Filter> {
    let base = base.clone();
    check(Filter {
        player: one("player", base.player, more.player)?,
        versus: one("versus", base.versus, more.versus)?,
        white: one("white", base.white, more.white)?,
        black: one("black", base.black, more.black)?,
        event: one("event", base.event, more.event)?,
        site: one("site", base.site, more.site)?,
        since: one("since", base.since, more.since)?,
        until: one("until", base.until, more.until)?,
        elo: one("elo", base.elo, more.elo)?,
        elo_difference: one("elo_diff", base.elo_difference, more.elo_difference)?,
        elo_mean: one("elo_mean", base.elo_mean, more.elo_mean)?,
        titles: several("title", base.titles, more.titles)?,
        fide_id: one("fide_id", base.fide_id, more.fide_id)?,
        time_control: one("time_control", base.time_control, more.time_control)?,
        eco: several("eco", base.eco, more.eco)?,
        result: one("result", base.result, more.result)?,
        chess960: one("chess960", base.chess960, more.chess960)?,
        plies: one("plies", base.plies, more.plies)?,
        comment: one("comment", base.comment, more.comment)?,
    })
}

fn one<T: PartialEq>(name: &str, before: Option<T>, more: Option<T>) -> PyResult<Option<T>> {
    match (before, more) {
        (Some(before), Some(more)) if before != more => Err(bad_value(
            name,
            "its games are chosen by another value already: open it without that filter",
        )),
        (before, more) => Ok(more.or(before)),
    }
}

fn several<T: PartialEq>(name: &str, before: Vec<T>, more: Vec<T>) -> PyResult<Vec<T>> {
    let asked = |values: Vec<T>| (!values.is_empty()).then_some(values);
    Ok(one(name, asked(before), asked(more))?.unwrap_or_default())
}

/// A keyword that nobody knows.
pub fn unknown(name: &str) -> PyErr {
    PyTypeError::new_err(format!("unexpected keyword argument {name:?}"))
}

/// What has no sense by itself.
fn check(filter: Filter) -> PyResult<Filter> {
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
        "elo" => filter.elo = range(name, value)?,
        "elo_diff" => filter.elo_difference = range(name, value)?,
        "elo_mean" => filter.elo_mean = range(name, value)?,
        "plies" => filter.plies = range(name, value)?,
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

/// A range; one without ends asks nothing.
fn range<T>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<Span<T>>>
where
    T: TryFrom<i64> + PartialOrd + Copy + Display,
    Span<T>: FromStr<Err: Display>,
{
    let span = span(name, value)?;
    Ok((span.least.is_some() || span.most.is_some()).then_some(span))
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
