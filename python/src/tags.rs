//! The tags of a game, as a mapping.

use std::sync::Arc;

use pyo3::{
    basic::CompareOp,
    exceptions::PyKeyError,
    prelude::*,
    types::{IntoPyDict, PyDict, PyNotImplemented},
};
use tabiya::Date;

use crate::{game::Inner, search::Found};

/// The tags of a game in their order: a mapping of names to values. Of a tag that is there twice it
/// has the first; `pairs` and `get_all` have all.
///
/// >>> import tabiya
/// >>> game = tabiya.Game.from_pgn('[White "Réti"]\n[Black "Tartakower"]\n\n1. e4 c6 *')
/// >>> game.tags["White"]
/// 'Réti'
/// >>> dict(game.tags)
/// {'White': 'Réti', 'Black': 'Tartakower'}
#[pyclass(frozen, mapping, module = "tabiya")]
pub struct Tags(pub TagSource);

/// Whose tags they are.
pub enum TagSource {
    /// Those of a game.
    Game(Arc<Inner>),
    /// Those of one of the games that were found.
    Found(Arc<Found>, usize),
    /// Those that a pickle has kept.
    Kept(tabiya::Tags),
}

/// The day of a game as it is written, if anything is known of it: the tag that filters go by, or what else
/// is written.
pub fn date(tags: &tabiya::Tags) -> Option<&str> {
    let written = || {
        let values = ["Date", "UTCDate"].into_iter();
        values.filter_map(|name| tags.get(name))
    };
    let has_year = |date: &&str| date.parse().is_ok_and(|date: Date| date.year.is_some());
    let says_something = |date: &&str| date.contains(char::is_alphanumeric);
    let dated = written().find(has_year);
    dated.or_else(|| written().find(says_something))
}

/// Names and values, for who keeps them.
pub fn pairs(tags: &tabiya::Tags) -> Vec<(String, String)> {
    let pairs = tags.iter();
    pairs
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// The tags of names and values.
pub fn from_pairs(pairs: &[(String, String)]) -> tabiya::Tags {
    let pairs = pairs.iter();
    pairs
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect()
}

impl Tags {
    fn tags(&self) -> &tabiya::Tags {
        match &self.0 {
            TagSource::Game(game) => &game.tree.tags,
            TagSource::Found(found, place) => &found.hit(*place).tags,
            TagSource::Kept(tags) => tags,
        }
    }

    /// All names and values in their order.
    pub fn all(&self) -> Vec<(String, String)> {
        pairs(self.tags())
    }

    /// The first tag of each name.
    fn first(&self) -> Vec<(&str, &str)> {
        let mut first: Vec<(&str, &str)> = Vec::with_capacity(self.tags().len());
        for (name, value) in self.tags().iter() {
            if first.iter().all(|(known, _)| *known != name) {
                first.push((name, value));
            }
        }
        first
    }
}

#[pymethods]
impl Tags {
    fn __getitem__(&self, name: &str) -> PyResult<&str> {
        let value = self.tags().get(name);
        value.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __len__(&self) -> usize {
        self.first().len()
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        name.extract::<&str>()
            .is_ok_and(|name| self.tags().get(name).is_some())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let names: Vec<&str> = self.first().into_iter().map(|(name, _)| name).collect();
        Ok(names.into_pyobject(py)?.try_iter()?.into_any())
    }

    /// The value of a tag, or something else if it is not there.
    #[pyo3(signature = (key, default=None, /))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        key: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.tags().get(key) {
            Some(value) => Ok(Some(value.into_pyobject(py)?.into_any())),
            None => Ok(default),
        }
    }

    /// A view of the names in their order, each once.
    fn keys<'py>(slf: &Bound<'py, Tags>) -> PyResult<Bound<'py, PyAny>> {
        view(slf, "KeysView")
    }

    /// A view of their values.
    fn values<'py>(slf: &Bound<'py, Tags>) -> PyResult<Bound<'py, PyAny>> {
        view(slf, "ValuesView")
    }

    /// A view of names and values, each name once.
    fn items<'py>(slf: &Bound<'py, Tags>) -> PyResult<Bound<'py, PyAny>> {
        view(slf, "ItemsView")
    }

    /// All names and values in their order, those that are there twice too.
    fn pairs(&self) -> Vec<(&str, &str)> {
        self.tags().iter().collect()
    }

    /// All values of a name.
    fn get_all(&self, name: &str) -> Vec<&str> {
        let named = self.tags().iter().filter(|(known, _)| *known == name);
        named.map(|(_, value)| value).collect()
    }

    /// As mappings are equal: whoever wants to compare tags that are there twice, too, and their order,
    /// compares `pairs`.
    fn __eq__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        let own = self.first().into_py_dict(py)?;
        if let Ok(other) = other.cast::<Tags>() {
            let other = other.get().first().into_py_dict(py)?;
            return own.rich_compare(other, CompareOp::Eq);
        }
        match other.cast::<PyDict>() {
            Ok(other) => own.rich_compare(other, CompareOp::Eq),
            Err(_) => Ok(PyNotImplemented::get(py).to_owned().into_any()),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Pairs,))> {
        let restore = py.get_type::<Tags>().getattr("_restore")?;
        Ok((restore, (self.all(),)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(pairs: Vec<(String, String)>) -> Tags {
        Tags(TagSource::Kept(from_pairs(&pairs)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let pairs = self.pairs().into_pyobject(py)?;
        Ok(format!("Tags({})", pairs.repr()?))
    }
}

/// What `pickle` keeps.
type Pairs = Vec<(String, String)>;

/// A view of a mapping, as those of all mappings are.
fn view<'py>(tags: &Bound<'py, Tags>, kind: &str) -> PyResult<Bound<'py, PyAny>> {
    let kinds = PyModule::import(tags.py(), "collections.abc")?;
    kinds.getattr(kind)?.call1((tags,))
}
