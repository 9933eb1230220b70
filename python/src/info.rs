//! What a database holds, in numbers.

use std::{collections::BTreeMap, ops::ControlFlow};

use pyo3::prelude::*;
use tabiya::{Error, Filter, Filtered, Survey};
use tabiya_formats::registry::bytes_on_disk;
use tabiya_game::survey::most_frequent;

/// What a database holds, in numbers: what `Database.info` returns.
#[pyclass(frozen, module = "tabiya")]
pub struct Info {
    survey: Survey,
    /// Its format.
    #[pyo3(get)]
    format: String,
    /// How it is packed.
    #[pyo3(get)]
    compression: Option<&'static str>,
    /// The bytes of all its files; None if nobody knows.
    #[pyo3(get)]
    bytes: Option<u64>,
    /// What is wrong with it as a whole.
    #[pyo3(get)]
    damage: Vec<String>,
    /// Games that did not pass the filters.
    #[pyo3(get)]
    filtered: u64,
    /// Games that are marked as deleted, and not counted.
    #[pyo3(get)]
    deleted: u64,
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
        Ok(Info {
            survey,
            format: database.format().to_string(),
            compression: database.compression().extension(),
            bytes: bytes_on_disk(database.path(), database.format())
                .or_else(|| database.progress().total()),
            damage: database.damage().to_vec(),
            filtered,
            deleted,
        })
    }
}

#[pymethods]
impl Info {
    /// Games.
    #[getter]
    fn games(&self) -> u64 {
        self.survey.games
    }

    /// Entries that are no games, but texts.
    #[getter]
    fn texts(&self) -> u64 {
        self.survey.others
    }

    /// Games of which something could not be read.
    #[getter]
    fn broken(&self) -> u64 {
        self.survey.broken
    }

    /// Plies of the main lines.
    #[getter]
    fn plies(&self) -> u64 {
        self.survey.plies
    }

    /// Plies of the longest main line.
    #[getter]
    fn longest(&self) -> u64 {
        self.survey.longest
    }

    /// Variations, however deep.
    #[getter]
    fn variations(&self) -> u64 {
        self.survey.variations
    }

    /// Comments.
    #[getter]
    fn comments(&self) -> u64 {
        self.survey.comments
    }

    /// Clocks, arrows and other annotations that stand alone.
    #[getter]
    fn annotations(&self) -> u64 {
        self.survey.annotations
    }

    /// Glyphs.
    #[getter]
    fn nags(&self) -> u64 {
        self.survey.nags
    }

    /// Games with a comment, an annotation, a glyph or a variation.
    #[getter]
    fn annotated(&self) -> u64 {
        self.survey.annotated
    }

    /// Games that start from a position of their own.
    #[getter]
    fn set_up(&self) -> u64 {
        self.survey.set_up
    }

    /// Games by their rules.
    #[getter]
    fn variants(&self) -> BTreeMap<&'static str, u64> {
        self.survey.variants.clone()
    }

    /// Games by their results.
    #[getter]
    fn results(&self) -> BTreeMap<&'static str, u64> {
        self.survey.results.clone()
    }

    /// Games by year.
    #[getter]
    fn years(&self) -> BTreeMap<u16, u64> {
        self.survey.years.clone()
    }

    /// Games by the letter of their opening.
    #[getter]
    fn eco(&self) -> BTreeMap<char, u64> {
        self.survey.eco.clone()
    }

    /// Ratings of both players, by the lower end of steps of 100.
    #[getter]
    fn ratings(&self) -> BTreeMap<u16, u64> {
        self.survey.ratings.clone()
    }

    /// How many players there are, by their spelling.
    #[getter]
    fn players(&self) -> usize {
        self.survey.players.len()
    }

    /// How many events there are.
    #[getter]
    fn events(&self) -> usize {
        self.survey.events.len()
    }

    /// The players with the most games, and how many they have.
    #[pyo3(signature = (n=10))]
    fn top_players(&self, n: usize) -> Vec<(&str, u64)> {
        most_frequent(&self.survey.players, n)
    }

    /// The events with the most games.
    #[pyo3(signature = (n=10))]
    fn top_events(&self, n: usize) -> Vec<(&str, u64)> {
        most_frequent(&self.survey.events, n)
    }

    fn __repr__(&self) -> String {
        let (games, plies) = (self.survey.games, self.survey.plies);
        format!(
            "Info(format={:?}, games={games}, plies={plies})",
            self.format
        )
    }
}
