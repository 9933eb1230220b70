//! What a database holds, in numbers.

use std::{
    collections::{BTreeMap, HashMap},
    ops::ControlFlow,
};

use pyo3::prelude::*;
use tabiya::{Error, Filter, Filtered, Survey};
use tabiya_formats::registry::bytes_on_disk;
use tabiya_game::survey::most_frequent;

use crate::values::arguments;

/// What a database holds, in numbers: what `Database.info` returns.
///
/// >>> import tabiya
/// >>> info = tabiya.open("samples/famous.pgn").info()
/// >>> info.games, info.results["1-0"], info.top_players(1)
/// (34, 17, [('Fischer, Robert James', 5)])
#[pyclass(frozen, module = "tabiya")]
pub struct Info(Kept);

/// What it tells, as `pickle` keeps it.
#[derive(Clone, FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
struct Kept {
    format: String,
    compression: Option<String>,
    bytes: Option<u64>,
    damage: Vec<String>,
    filtered: u64,
    deleted: u64,
    games: u64,
    texts: u64,
    broken: u64,
    plies: u64,
    longest: u64,
    variations: u64,
    comments: u64,
    annotations: u64,
    nags: u64,
    annotated: u64,
    set_up: u64,
    variants: BTreeMap<String, u64>,
    results: BTreeMap<String, u64>,
    years: BTreeMap<u16, u64>,
    eco: BTreeMap<char, u64>,
    ratings: BTreeMap<u16, u64>,
    players: HashMap<String, u64>,
    events: HashMap<String, u64>,
}

impl Info {
    pub fn gather(database: &tabiya::Database, filter: &Filter) -> Result<Info, Error> {
        let mut survey = Survey::default();
        let (mut filtered, mut deleted) = (0, 0);
        database.par_parts(
            |part| {
                let mut wanted = Filtered::new(filter, Survey::default());
                part.tell(&mut wanted)?;
                let dropped = wanted.dropped();
                Ok((wanted.into_sink(), dropped, part.deleted().len() as u64))
            },
            |(more, dropped, marked)| {
                survey.append(more);
                filtered += dropped;
                deleted += marked;
                Ok::<_, Error>(ControlFlow::Continue(()))
            },
        )?;
        let named = |counts: BTreeMap<&'static str, u64>| {
            let counts = counts.into_iter();
            counts
                .map(|(name, games)| (name.to_owned(), games))
                .collect()
        };
        Ok(Info(Kept {
            format: database.format().to_string(),
            compression: database.compression().extension().map(str::to_owned),
            bytes: bytes_on_disk(database.path(), database.format())
                .or_else(|| database.progress().total()),
            damage: database.damage().to_vec(),
            filtered,
            deleted,
            games: survey.games,
            texts: survey.others,
            broken: survey.broken,
            plies: survey.plies,
            longest: survey.longest,
            variations: survey.variations,
            comments: survey.comments,
            annotations: survey.annotations,
            nags: survey.nags,
            annotated: survey.annotated,
            set_up: survey.set_up,
            variants: named(survey.variants),
            results: named(survey.results),
            years: survey.years,
            eco: survey.eco,
            ratings: survey.ratings,
            players: survey.players,
            events: survey.events,
        }))
    }
}

#[pymethods]
impl Info {
    /// Its format.
    #[getter]
    fn format(&self) -> &str {
        &self.0.format
    }

    /// How it is packed.
    #[getter]
    fn compression(&self) -> Option<&str> {
        self.0.compression.as_deref()
    }

    /// The bytes of all its files; None if nobody knows.
    #[getter]
    fn bytes(&self) -> Option<u64> {
        self.0.bytes
    }

    /// What is wrong with it as a whole.
    #[getter]
    fn damage(&self) -> Vec<String> {
        self.0.damage.clone()
    }

    /// Games that did not pass the filters.
    #[getter]
    fn filtered(&self) -> u64 {
        self.0.filtered
    }

    /// Games that are marked as deleted, and not counted.
    #[getter]
    fn deleted(&self) -> u64 {
        self.0.deleted
    }

    /// Games.
    #[getter]
    fn games(&self) -> u64 {
        self.0.games
    }

    /// Entries that are no games, but texts.
    #[getter]
    fn texts(&self) -> u64 {
        self.0.texts
    }

    /// Games of which something could not be read.
    #[getter]
    fn broken(&self) -> u64 {
        self.0.broken
    }

    /// Plies of the main lines.
    #[getter]
    fn plies(&self) -> u64 {
        self.0.plies
    }

    /// Plies of the longest main line.
    #[getter]
    fn longest(&self) -> u64 {
        self.0.longest
    }

    /// Variations, however deep.
    #[getter]
    fn variations(&self) -> u64 {
        self.0.variations
    }

    /// Comments.
    #[getter]
    fn comments(&self) -> u64 {
        self.0.comments
    }

    /// Clocks, arrows and other annotations that stand alone.
    #[getter]
    fn annotations(&self) -> u64 {
        self.0.annotations
    }

    /// Glyphs.
    #[getter]
    fn nags(&self) -> u64 {
        self.0.nags
    }

    /// Games with a comment, an annotation, a glyph or a variation.
    #[getter]
    fn annotated(&self) -> u64 {
        self.0.annotated
    }

    /// Games that start from a position of their own.
    #[getter]
    fn set_up(&self) -> u64 {
        self.0.set_up
    }

    /// Games by their rules.
    #[getter]
    fn variants(&self) -> BTreeMap<String, u64> {
        self.0.variants.clone()
    }

    /// Games by their results.
    #[getter]
    fn results(&self) -> BTreeMap<String, u64> {
        self.0.results.clone()
    }

    /// Games by year.
    #[getter]
    fn years(&self) -> BTreeMap<u16, u64> {
        self.0.years.clone()
    }

    /// Games by the letter of their opening.
    #[getter]
    fn eco(&self) -> BTreeMap<char, u64> {
        self.0.eco.clone()
    }

    /// Ratings of both players, by the lower end of steps of 100.
    #[getter]
    fn ratings(&self) -> BTreeMap<u16, u64> {
        self.0.ratings.clone()
    }

    /// How many players there are, by their spelling.
    #[getter]
    fn players(&self) -> usize {
        self.0.players.len()
    }

    /// How many events there are.
    #[getter]
    fn events(&self) -> usize {
        self.0.events.len()
    }

    /// The players with the most games, and how many they have.
    #[pyo3(signature = (n=10))]
    fn top_players(&self, #[pyo3(from_py_with = arguments::n)] n: usize) -> Vec<(&str, u64)> {
        most_frequent(&self.0.players, n)
    }

    /// The events with the most games.
    #[pyo3(signature = (n=10))]
    fn top_events(&self, #[pyo3(from_py_with = arguments::n)] n: usize) -> Vec<(&str, u64)> {
        most_frequent(&self.0.events, n)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Kept,))> {
        let restore = py.get_type::<Info>().getattr("_restore")?;
        Ok((restore, (self.0.clone(),)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(kept: Kept) -> Info {
        Info(kept)
    }

    fn __repr__(&self) -> String {
        let (games, plies) = (self.0.games, self.0.plies);
        format!(
            "Info(format={:?}, games={games}, plies={plies})",
            self.0.format
        )
    }
}
