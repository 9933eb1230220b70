//! The games that answer a question.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyCapsule, PyDict},
};
use pyo3_arrow::error::PyArrowResult;
use tabiya::{
    Error, Filter,
    openings::{Opening, Openings},
    search::{Conditions, Exact, ParseError, Query, Question, Ranking, Sort},
};

use crate::{
    arrow::Table,
    database::Database,
    error::{bad_value, usage},
    filter::{self, Keywords},
    position::Position,
    rows::{FOUND, Rows},
    tags::{TagSource, Tags, from_pairs, pairs},
    values::{each, flag, number, parsed, pick, text},
    work,
};

/// So many games are near, if nobody says how many are wanted.
const NEAREST: usize = 20;

/// The games that answer a question, in their order: a sequence of Hits, and rows for Arrow.
///
/// >>> import tabiya, pyarrow
/// >>> hits = tabiya.open("samples/famous.pgn").search(mate=True)
/// >>> hits[0].ply is not None
/// True
/// >>> pyarrow.table(hits).num_rows == len(hits)
/// True
#[pyclass(frozen, module = "tabiya")]
pub struct Hits(Arc<Found>);

/// What was found.
pub struct Found {
    pub hits: Vec<tabiya::search::Hit>,
    total: u64,
}

/// A question, and how many of the games that answer it are wanted.
struct Wish {
    question: Question,
    sort: Sort,
    reverse: bool,
    skip: usize,
    limit: usize,
}

impl Hits {
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    pub fn ask(
        py: Python<'_>,
        database: &Database,
        sort: Option<&str>,
        reverse: bool,
        limit: Option<usize>,
        openings: bool,
        progress: Option<&Py<PyAny>>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Hits> {
        let (filter, conditions) = read(database.wanted(), keywords)?;
        let mut wish = Wish::new(&conditions, filter, sort, reverse, limit)?;
        if openings {
            wish.question.openings = Some(Arc::new(Openings::eco().clone()));
        }
        let found = database.work(py, progress, |database| wish.find(&database))?;
        Ok(Hits(Arc::new(found)))
    }
}

/// The hits at some places of a range, each made when it is asked for.
fn each_of<'py>(
    hits: &Bound<'py, Hits>,
    range: (isize, isize, isize),
) -> PyResult<Bound<'py, PyAny>> {
    let builtins = PyModule::import(hits.py(), "builtins")?;
    let places = builtins.getattr("range")?.call1(range)?;
    let hit = hits.getattr("__getitem__")?;
    builtins.getattr("map")?.call1((hit, places))
}

impl Wish {
    fn new(
        conditions: &Conditions,
        filter: Filter,
        sort: Option<&str>,
        reverse: bool,
        limit: Option<usize>,
    ) -> PyResult<Wish> {
        let is_near = conditions.similar.is_some();
        let sort = match sort {
            Some("elo") => Sort::Elo,
            Some("date") => Sort::Date,
            Some("id") => Sort::Id,
            Some(other) => {
                return Err(bad_value(
                    "sort",
                    format_args!("expected elo, date or id, not {other:?}"),
                ));
            }
            None if is_near => Sort::Distance,
            None => Sort::Id,
        };
        let scout = conditions.scout.as_ref();
        let size = |size: u64| usize::try_from(size).unwrap_or(usize::MAX);
        let limit = limit.or_else(|| scout.and_then(|scout| scout.limit).map(size));
        let limit = limit.or(is_near.then_some(NEAREST));
        Ok(Wish {
            question: conditions.question(filter).map_err(usage)?,
            sort,
            reverse,
            skip: scout.map_or(0, |scout| size(scout.skip)),
            limit: limit.unwrap_or(usize::MAX),
        })
    }

    fn find(&self, database: &tabiya::Database) -> Result<Found, Error> {
        let mut ranking = Ranking::new(self.sort)
            .reverse(self.reverse)
            .skip(self.skip)
            .limit(self.limit);
        let wanted = self.limit.saturating_add(self.skip);
        let each = |hit| {
            ranking.take(0, hit);
            Ok::<_, Error>(())
        };
        let total = match (self.sort, self.reverse) {
            (Sort::Distance, false) => self.question.ask_nearest(database, wanted, each),
            (Sort::Id, false) => self.question.ask_first(database, wanted, each),
            _ => self.question.ask(database, each),
        }?;
        let hits = ranking.finish().map(|(_, hit)| hit).collect();
        Ok(Found { hits, total })
    }
}

/// The filters and conditions of keywords.
fn read(base: &Filter, given: Option<&Bound<'_, PyDict>>) -> PyResult<(Filter, Conditions)> {
    let Some(given) = given else {
        return Ok((base.clone(), Conditions::default()));
    };
    let keywords = Keywords::new(given)?;
    let filter = filter::asked(&keywords)?;
    let conditions = asked(&keywords)?;
    keywords.finish()?;
    Ok((filter::joined(base, filter)?, conditions))
}

/// What keywords ask of moves and positions.
fn asked(keywords: &Keywords<'_>) -> PyResult<Conditions> {
    let is_asked = |name| Ok::<_, PyErr>(keywords.one(name, flag)?.unwrap_or_default());
    Ok(Conditions {
        fen: all(keywords, "fen", exact)?,
        moves: all(keywords, "moves", read_as(Exact::after_moves))?,
        loose: is_asked("loose")?,
        pattern: all(keywords, "pattern", parsed)?,
        mirror: is_asked("mirror")?,
        flip: is_asked("flip")?,
        material: all(keywords, "material", parsed)?,
        plies_held: keywords.one("plies_held", plies)?,
        pawns: all(keywords, "pawns", parsed)?,
        manoeuvre: all(keywords, "manoeuvre", parsed)?,
        sequence: all(keywords, "sequence", read_as(Conditions::sequence))?,
        streak: all(keywords, "streak", read_as(Conditions::streak))?,
        castled: keywords.one("castled", castled)?.flatten(),
        check: is_asked("check")?,
        mate: is_asked("mate")?,
        stalemate: is_asked("stalemate")?,
        underpromotion: is_asked("underpromotion")?,
        sacrifice: keywords.one("sacrifice", plies)?,
        similar: keywords.one("similar", similar)?,
        queries: all(keywords, "where", parsed)?,
        scout: keywords.one("query", parsed)?,
        in_variations: is_asked("in_variations")?,
    })
}

/// One value or several.
fn all<'py, T>(
    keywords: &Keywords<'py>,
    name: &str,
    read: impl Fn(&str, &Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    let values = keywords.one(name, |name, value| each(value, |item| read(name, item)))?;
    Ok(values.unwrap_or_default())
}

/// Reads a text as the library does.
fn read_as<T>(
    read: impl Fn(&str) -> Result<T, ParseError>,
) -> impl Fn(&str, &Bound<'_, PyAny>) -> PyResult<T> {
    move |name, value| read(&text(name, value)?).map_err(|error| bad_value(name, error))
}

/// A FEN, or a Position.
fn exact(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Exact> {
    match value.extract::<Position>() {
        Ok(position) => Ok(Exact::new(position.0)),
        Err(_) => read_as(Exact::from_fen)(name, value),
    }
}

/// The same where only the board and who moves count.
fn similar(name: &str, value: &Bound<'_, PyAny>) -> PyResult<tabiya::Position> {
    match value.extract::<Position>() {
        Ok(position) => Ok(position.0),
        Err(_) => read_as(Conditions::similar)(name, value),
    }
}

fn plies(name: &str, value: &Bound<'_, PyAny>) -> PyResult<u32> {
    match number(name, value)? {
        0 => Err(bad_value(name, "expected at least 1")),
        plies => Ok(plies),
    }
}

/// True is either side, a text is that side.
fn castled(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<Query>> {
    let side = match value.extract::<bool>() {
        Ok(false) => return Ok(None),
        Ok(true) => Conditions::EITHER.to_owned(),
        Err(_) => text(name, value)?,
    };
    let query = Conditions::castled(&side).map_err(|error| bad_value(name, error))?;
    Ok(Some(query))
}

#[pymethods]
impl Hits {
    /// How many games answer the question, whether they are wanted or not.
    #[getter]
    fn total(&self) -> u64 {
        self.0.total
    }

    /// The numbers of the games in their file.
    #[getter]
    fn numbers(&self) -> Vec<u64> {
        self.0.hits.iter().map(|hit| hit.number).collect()
    }

    fn __len__(&self) -> usize {
        self.0.hits.len()
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        place: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let hit = |at: usize| Hit(Arc::clone(&self.0), at);
        pick(py, "hit", place, self.0.hits.len(), hit)
    }

    fn __iter__<'py>(slf: &Bound<'py, Hits>) -> PyResult<Bound<'py, PyAny>> {
        each_of(slf, (0, slf.get().__len__() as isize, 1))
    }

    fn __reversed__<'py>(slf: &Bound<'py, Hits>) -> PyResult<Bound<'py, PyAny>> {
        each_of(slf, (slf.get().__len__() as isize - 1, -1, -1))
    }

    fn __contains__(&self, value: &Bound<'_, PyAny>) -> bool {
        self.count(value) > 0
    }

    /// How many of them equal a hit.
    fn count(&self, value: &Bound<'_, PyAny>) -> usize {
        let Ok(hit) = value.cast::<Hit>() else {
            return 0;
        };
        let wanted = hit.get().hit();
        self.0.hits.iter().filter(|hit| *hit == wanted).count()
    }

    /// The place of the first that equals a hit, as of lists.
    #[pyo3(signature = (value, start=0, stop=None))]
    fn index(
        &self,
        value: &Bound<'_, PyAny>,
        start: isize,
        stop: Option<isize>,
    ) -> PyResult<usize> {
        let hits = &self.0.hits;
        let end = |place: isize| match usize::try_from(place) {
            Ok(place) => place.min(hits.len()),
            Err(_) => hits.len().saturating_sub(place.unsigned_abs()),
        };
        let mut places = end(start)..stop.map_or(hits.len(), end);
        let place = value.cast::<Hit>().ok().and_then(|hit| {
            let wanted = hit.get().hit();
            places.find(|place| hits[*place] == *wanted)
        });
        place.ok_or_else(|| PyValueError::new_err("it is none of these hits"))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        let batch = work::run_unwatched(py, || {
            let mut rows = Rows::new(FOUND);
            self.0.hits.iter().for_each(|hit| rows.push(hit));
            rows.take()
        })?;
        Table::new(batch).capsule(py, requested_schema)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, KeptHits)> {
        let restore = py.get_type::<Hits>().getattr("_restore")?;
        let hits = self.0.hits.iter().map(kept).collect();
        Ok((restore, (hits, self.0.total)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(hits: Vec<Kept>, total: u64) -> PyResult<Hits> {
        let hits = hits.into_iter().map(restored).collect::<PyResult<_>>()?;
        Ok(Hits(Arc::new(Found { hits, total })))
    }

    fn __repr__(&self) -> String {
        format!("Hits({} of {})", self.0.hits.len(), self.0.total)
    }
}

/// What `pickle` keeps: number, ply, distance, tags, result and opening.
type Kept = (
    u64,
    Option<u32>,
    Option<u32>,
    Vec<(String, String)>,
    String,
    Option<(String, String)>,
);
/// The same of all, and how many answer the question.
type KeptHits = (Vec<Kept>, u64);

fn kept(hit: &tabiya::search::Hit) -> Kept {
    let (tags, result) = (pairs(&hit.tags), hit.result.tag().to_owned());
    let opening = hit.opening.clone().map(|Opening { eco, name }| (eco, name));
    (hit.number, hit.ply, hit.distance, tags, result, opening)
}

fn restored((number, ply, distance, tags, result, opening): Kept) -> PyResult<tabiya::search::Hit> {
    let result = result.parse().map_err(|error| bad_value("result", error))?;
    let mut hit = tabiya::search::Hit::new(number, from_pairs(&tags), result);
    (hit.ply, hit.distance) = (ply, distance);
    hit.opening = opening.map(|(eco, name)| Opening { eco, name });
    Ok(hit)
}

/// A game that answers a question. `database[hit.number]` is the game itself.
///
/// >>> import tabiya
/// >>> famous = tabiya.open("samples/famous.pgn")
/// >>> hit = famous.search(mate=True)[0]
/// >>> famous[hit.number].positions[hit.ply].is_checkmate
/// True
#[pyclass(frozen, module = "tabiya")]
pub struct Hit(Arc<Found>, usize);

impl Hit {
    fn hit(&self) -> &tabiya::search::Hit {
        &self.0.hits[self.1]
    }
}

#[pymethods]
impl Hit {
    /// The number of the game in its file.
    #[getter]
    fn number(&self) -> u64 {
        self.hit().number
    }

    /// After how many plies the question is answered; None if it is one to tags alone.
    #[getter]
    fn ply(&self) -> Option<u32> {
        self.hit().ply
    }

    /// How far its nearest position is, if one was asked for by `similar`.
    #[getter]
    fn distance(&self) -> Option<u32> {
        self.hit().distance
    }

    /// Its tags.
    #[getter]
    fn tags(&self) -> Tags {
        Tags(TagSource::Found(Arc::clone(&self.0), self.1))
    }

    /// White's name; None if nobody says.
    #[getter]
    fn white(&self) -> Option<&str> {
        self.hit().tags.white()
    }

    /// Black's name; None if nobody says.
    #[getter]
    fn black(&self) -> Option<&str> {
        self.hit().tags.black()
    }

    /// How it ended.
    #[getter]
    fn result(&self) -> &'static str {
        self.hit().result.tag()
    }

    /// Code and name of what its moves come to, if `search` was asked for openings; None if they come to
    /// nothing that has a name.
    #[getter]
    fn opening(&self) -> Option<(&str, &str)> {
        let opening = self.hit().opening.as_ref()?;
        Some((&opening.eco, &opening.name))
    }

    fn __eq__(&self, other: PyRef<'_, Hit>) -> bool {
        self.hit() == other.hit()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.number().hash(&mut hasher);
        self.hit().tags.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Kept,))> {
        let restore = py.get_type::<Hit>().getattr("_restore")?;
        Ok((restore, (kept(self.hit()),)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(kept: Kept) -> PyResult<Hit> {
        let found = Found {
            hits: vec![restored(kept)?],
            total: 1,
        };
        Ok(Hit(Arc::new(found), 0))
    }

    fn __repr__(&self) -> String {
        let (white, black) = (self.white().unwrap_or("?"), self.black().unwrap_or("?"));
        format!(
            "Hit({}, {white:?}, {black:?}, '{}')",
            self.number(),
            self.result()
        )
    }
}
