//! The games that answer a question.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    ops::Range,
    sync::Arc,
};

use arrow_array::RecordBatch;
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyCapsule, PyDict},
};
use pyo3_arrow::error::PyArrowResult;
use tabiya::{
    Error, Filter, Variant,
    openings::{Opening, Openings},
    search::{Conditions, Exact, ParseError, Query, Question, Ranking, Sort},
};

use crate::{
    arrow::Table,
    convert::not_both,
    database::Database,
    error::{bad_value, usage},
    filter::{self, Keywords},
    position::{Position, warn_of_left_out},
    repertoire::{Beside, Departure, Departures, beside, nobody_says_whose},
    rows::{FOUND, Rows},
    tags::{TagSource, Tags, from_pairs, pairs},
    values::{each, flag, number, parsed, pick, text},
    work::{self, Signal},
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
    answers: Answers,
    total: u64,
}

/// The games, and where they leave a repertoire if one was asked about.
enum Answers {
    Alone(Vec<tabiya::search::Hit>),
    Beside(Vec<(tabiya::search::Hit, Departure)>),
}

impl Found {
    fn len(&self) -> usize {
        match &self.answers {
            Answers::Alone(hits) => hits.len(),
            Answers::Beside(games) => games.len(),
        }
    }

    /// The game at a place.
    pub fn hit(&self, place: usize) -> &tabiya::search::Hit {
        match &self.answers {
            Answers::Alone(hits) => &hits[place],
            Answers::Beside(games) => &games[place].0,
        }
    }

    fn departure(&self, place: usize) -> Option<&Departure> {
        match &self.answers {
            Answers::Alone(_) => None,
            Answers::Beside(games) => Some(&games[place].1),
        }
    }

    fn hits(&self) -> impl Iterator<Item = &tabiya::search::Hit> {
        (0..self.len()).map(|place| self.hit(place))
    }

    fn rows(&self, places: Range<usize>) -> Result<RecordBatch, Error> {
        let mut rows = Rows::new(FOUND);
        places.clone().for_each(|place| rows.push(self.hit(place)));
        let rows = rows.take()?;
        match &self.answers {
            Answers::Alone(_) => Ok(rows),
            Answers::Beside(games) => {
                beside(rows, games[places].iter().map(|(_, departure)| departure))
            }
        }
    }
}

/// What keywords ask.
#[derive(Default)]
struct Asked {
    filter: Filter,
    conditions: Conditions,
    beside: Option<Beside>,
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
        let asked = Asked::read(database.wanted(), keywords)?;
        let mut wish = Wish::new(&asked.conditions, asked.filter, sort, reverse, limit)?;
        if let Some(beside) = asked.beside {
            not_both(("sort", sort.is_some()), ("repertoire", true))?;
            not_both(("reverse", reverse), ("repertoire", true))?;
            not_both(("openings", openings), ("repertoire", true))?;
            return wish.find_beside(py, database, &beside, progress);
        }
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
        let answers = Answers::Alone(hits);
        Ok(Found { answers, total })
    }

    /// The games that are wanted beside a repertoire.
    fn find_beside(
        &self,
        py: Python<'_>,
        database: &Database,
        beside: &Beside,
        progress: Option<&Py<PyAny>>,
    ) -> PyResult<Hits> {
        let Question {
            query,
            near,
            variations,
            ..
        } = &self.question;
        if query.is_some() || near.is_some() || *variations {
            return Err(bad_value(
                "repertoire",
                "it goes together with filters, but not with conditions",
            ));
        }
        let signal = Arc::new(Signal::default());
        let found = work::run(py, &signal, progress, || {
            let database = database.lease(&signal)?;
            beside.find(&database, &self.question.filter, self.limit, &signal)
        })?;
        let Departures { games, total } = found.get()?.ok_or_else(nobody_says_whose)?;
        let answers = Answers::Beside(games);
        Ok(Hits(Arc::new(Found { answers, total })))
    }
}

impl Asked {
    /// By keywords, and which games are wanted already.
    fn read(base: &Filter, given: Option<&Bound<'_, PyDict>>) -> PyResult<Asked> {
        let Some(given) = given else {
            return Ok(Asked {
                filter: base.clone(),
                ..Asked::default()
            });
        };
        let keywords = Keywords::new(given)?;
        let filter = filter::asked(&keywords)?;
        let conditions = asked(&keywords)?;
        let beside = Beside::asked(&keywords)?;
        keywords.finish()?;
        Ok(Asked {
            filter: filter::joined(base, filter)?,
            conditions,
            beside,
        })
    }
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
    let values = keywords.one(name, |name, value| {
        each(name, value, |item| read(name, item))
    })?;
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
        Err(_) => {
            let exact = read_as(Exact::from_fen)(name, value)?;
            warn_of_fen(name, value)?;
            Ok(exact)
        }
    }
}

/// Tells what is left out of a FEN that makes a position.
fn warn_of_fen(name: &str, fen: &Bound<'_, PyAny>) -> PyResult<()> {
    match text(name, fen)?.trim().parse() {
        Ok(setup) => warn_of_left_out(fen.py(), name, &setup, Variant::Standard),
        Err(error) => Err(bad_value(name, error)),
    }
}

/// The same where only the board and who moves count.
fn similar(name: &str, value: &Bound<'_, PyAny>) -> PyResult<tabiya::Position> {
    match value.extract::<Position>() {
        Ok(position) => Ok(position.0),
        Err(_) => {
            let position = read_as(Conditions::similar)(name, value)?;
            warn_of_fen(name, value)?;
            Ok(position)
        }
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
        self.0.hits().map(|hit| hit.number).collect()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        place: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let hit = |at: usize| Hit(Arc::clone(&self.0), at);
        pick(py, "hit", place, self.0.len(), hit)
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
        let hit = hit.get();
        (0..self.0.len())
            .filter(|place| hit.is_at(&self.0, *place))
            .count()
    }

    /// The place of the first that equals a hit, as of lists.
    #[pyo3(signature = (value, start=0, stop=None))]
    fn index(
        &self,
        value: &Bound<'_, PyAny>,
        start: isize,
        stop: Option<isize>,
    ) -> PyResult<usize> {
        let len = self.0.len();
        let end = |place: isize| match usize::try_from(place) {
            Ok(place) => place.min(len),
            Err(_) => len.saturating_sub(place.unsigned_abs()),
        };
        let mut places = end(start)..stop.map_or(len, end);
        let place = value.cast::<Hit>().ok().and_then(|hit| {
            let hit = hit.get();
            places.find(|place| hit.is_at(&self.0, *place))
        });
        place.ok_or_else(|| PyValueError::new_err("it is none of these hits"))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        let rows = || Table::of_parts(self.0.len(), |places| self.0.rows(places));
        let table = work::run_unwatched(py, rows)?;
        table.capsule(py, requested_schema)
    }

    fn __eq__(&self, other: PyRef<'_, Hits>) -> bool {
        let (found, len) = (&self.0, self.0.len());
        let is_same = |place| Hit(Arc::clone(found), place).is_at(&other.0, place);
        found.total == other.0.total && len == other.0.len() && (0..len).all(is_same)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, KeptHits)> {
        let restore = py.get_type::<Hits>().getattr("_restore")?;
        let hits = (0..self.0.len())
            .map(|place| kept(&self.0, place))
            .collect();
        let is_beside = matches!(self.0.answers, Answers::Beside(_));
        Ok((restore, (hits, self.0.total, is_beside)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(hits: Vec<Kept>, total: u64, is_beside: bool) -> PyResult<Hits> {
        let answers = restored(hits, is_beside)?;
        Ok(Hits(Arc::new(Found { answers, total })))
    }

    fn __repr__(&self) -> String {
        format!("Hits({} of {})", self.0.len(), self.0.total)
    }
}

/// What `pickle` keeps: number, ply, distance, tags, result, opening, and where it leaves a repertoire.
type Kept = (
    u64,
    Option<u32>,
    Option<u32>,
    Vec<(String, String)>,
    String,
    Option<(String, String)>,
    Option<Departure>,
);
/// The same of all, how many answer the question, and whether it was about a repertoire.
type KeptHits = (Vec<Kept>, u64, bool);

fn kept(found: &Found, place: usize) -> Kept {
    let (hit, departure) = (found.hit(place), found.departure(place).cloned());
    let (tags, result) = (pairs(&hit.tags), hit.result.tag().to_owned());
    let opening = hit.opening.clone().map(|Opening { eco, name }| (eco, name));
    (
        hit.number,
        hit.ply,
        hit.distance,
        tags,
        result,
        opening,
        departure,
    )
}

fn restored(kept: Vec<Kept>, is_beside: bool) -> PyResult<Answers> {
    let games = kept.into_iter().map(|kept| {
        let (number, ply, distance, tags, result, opening, departure) = kept;
        let result = result.parse().map_err(|error| bad_value("result", error))?;
        let mut hit = tabiya::search::Hit::new(number, from_pairs(&tags), result);
        (hit.ply, hit.distance) = (ply, distance);
        hit.opening = opening.map(|(eco, name)| Opening { eco, name });
        Ok((hit, departure))
    });
    if !is_beside {
        let hits = games.map(|game| game.map(|(hit, _)| hit));
        return hits.collect::<PyResult<_>>().map(Answers::Alone);
    }
    let games = games.map(|game| match game? {
        (hit, Some(departure)) => Ok((hit, departure)),
        (_, None) => Err(usage("this is no pickled Hits")),
    });
    games.collect::<PyResult<_>>().map(Answers::Beside)
}

/// A game that answers a question. `database[hit.number]` is the game itself; who wants the games of many
/// hits iterates a database that has no `entries`, such as PGN, for it is read from its beginning each time.
///
/// >>> import tabiya
/// >>> famous = tabiya.open("samples/famous.pgn")
/// >>> hits = famous.search(mate=True)
/// >>> famous[hits[0].number][hits[0].ply - 1].position.is_checkmate
/// True
/// >>> numbers = set(hits.numbers)
/// >>> len([game for game in famous if game.number in numbers]) == len(hits)
/// True
#[pyclass(frozen, module = "tabiya")]
pub struct Hit(Arc<Found>, usize);

impl Hit {
    fn hit(&self) -> &tabiya::search::Hit {
        self.0.hit(self.1)
    }

    /// Whether it equals another.
    fn is_at(&self, found: &Found, place: usize) -> bool {
        self.hit() == found.hit(place) && self.0.departure(self.1) == found.departure(place)
    }
}

#[pymethods]
impl Hit {
    /// The number of the game in its file.
    #[getter]
    fn number(&self) -> u64 {
        self.hit().number
    }

    /// After how many plies the question is answered, or the last position of a repertoire stands; None if
    /// only tags were asked about.
    ///
    /// The position is `game[hit.ply - 1].position`, and `game.start` if it is 0; `game.positions[hit.ply]`
    /// is the same, but `positions` ends where a game leaves a ply out. Among the rows of
    /// `Database.positions`, each of which is the position before a move, it is the one with
    /// `ply == hit.ply + 1`, but that at the end of a game has no row. With `in_variations` it may be one of a
    /// variation, and then it is none of these: it is that of one of the nodes with `node.ply == hit.ply`.
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

    /// Where it leaves the repertoire that `search` was asked about; None if it was asked about none.
    #[getter]
    fn departure(&self) -> Option<Departure> {
        self.0.departure(self.1).cloned()
    }

    fn __eq__(&self, other: PyRef<'_, Hit>) -> bool {
        self.is_at(&other.0, other.1)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.number().hash(&mut hasher);
        self.hit().tags.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Kept,))> {
        let restore = py.get_type::<Hit>().getattr("_restore")?;
        Ok((restore, (kept(&self.0, self.1),)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(kept: Kept) -> PyResult<Hit> {
        let is_beside = kept.6.is_some();
        let answers = restored(vec![kept], is_beside)?;
        Ok(Hit(Arc::new(Found { answers, total: 1 }), 0))
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
