//! Which games are wanted: the filters of the command as keywords.

use std::{fmt::Display, str::FromStr};

use pyo3::{exceptions::PyTypeError, prelude::*, types::PyDict};
use tabiya::{Filter, GameResult, Span};

use crate::{
    error::bad_value,
    values::{date, number, parsed, span, text, words},
};

/// Keywords that are taken one after the other, until none is left.
pub struct Keywords<'py>(Bound<'py, PyDict>);

impl<'py> Keywords<'py> {
    pub fn new(given: &Bound<'py, PyDict>) -> PyResult<Keywords<'py>> {
        given.copy().map(Keywords)
    }

    /// What a keyword asks for. None asks nothing.
    pub fn one<T>(
        &self,
        name: &str,
        read: impl FnOnce(&str, &Bound<'py, PyAny>) -> PyResult<T>,
    ) -> PyResult<Option<T>> {
        let Some(value) = self.0.get_item(name)? else {
            return Ok(None);
        };
        self.0.del_item(name)?;
        match value.is_none() {
            true => Ok(None),
            false => read(name, &value).map(Some),
        }
    }

    /// Nobody knows those that are left.
    pub fn finish(self) -> PyResult<()> {
        match self.0.keys().iter().next() {
            Some(name) => Err(PyTypeError::new_err(format!(
                "unexpected keyword argument {name:?}"
            ))),
            None => Ok(()),
        }
    }
}

/// The filter of keywords, all of which have to be filters, and of another.
pub fn filter(base: &Filter, given: Option<&Bound<'_, PyDict>>) -> PyResult<Filter> {
    let Some(given) = given else {
        return Ok(base.clone());
    };
    let keywords = Keywords::new(given)?;
    let filter = asked(&keywords)?;
    keywords.finish()?;
    joined(base, filter)
}

/// What keywords ask of tags and ends.
pub fn asked(keywords: &Keywords<'_>) -> PyResult<Filter> {
    Ok(Filter {
        player: keywords.one("player", parsed)?,
        versus: keywords.one("versus", parsed)?,
        white: keywords.one("white", parsed)?,
        black: keywords.one("black", parsed)?,
        event: keywords.one("event", parsed)?,
        site: keywords.one("site", parsed)?,
        since: keywords.one("since", date)?,
        until: keywords.one("until", date)?,
        elo: keywords.one("elo", range)?.flatten(),
        elo_difference: keywords.one("elo_diff", range)?.flatten(),
        elo_mean: keywords.one("elo_mean", range)?.flatten(),
        titles: keywords.one("title", titles)?.unwrap_or_default(),
        fide_id: keywords.one("fide_id", number)?,
        time_control: keywords.one("time_control", parsed)?,
        eco: keywords.one("eco", spans)?.unwrap_or_default(),
        result: keywords.one("result", result)?,
        chess960: keywords.one("chess960", start)?,
        plies: keywords.one("plies", range)?.flatten(),
        comment: keywords.one("comment", parsed)?,
    })
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

/// What has no sense by itself.
fn check(filter: Filter) -> PyResult<Filter> {
    match filter.versus.is_some() && filter.player.is_none() {
        true => Err(bad_value("versus", "it belongs to player")),
        false => Ok(filter),
    }
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
