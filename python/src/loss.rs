//! What a format could not hold.

use pyo3::prelude::*;
use tabiya::Losses;

/// What a format could not hold: how often, and the first time of it.
#[pyclass(frozen, get_all, eq, module = "tabiya")]
#[derive(Clone, PartialEq)]
pub struct Loss {
    /// What kind of thing: tags, variations, comments, NAGs, annotations and others.
    pub kind: &'static str,
    /// How often.
    pub count: u64,
    /// The number of the first game that lost something of it; 0 is the database itself.
    pub game: u64,
    /// What exactly, of that game.
    pub what: String,
    /// The file of that game; None where it came of no file.
    pub file: Option<String>,
}

impl Loss {
    /// One of each kind; `file` tells of a kind where its example comes from.
    pub fn all(losses: &Losses, file: impl Fn(tabiya::LossKind) -> Option<String>) -> Vec<Loss> {
        let losses = losses.iter().map(|(kind, count, first)| Loss {
            kind: kind.name(),
            count,
            game: first.game,
            what: first.what.clone(),
            file: file(kind),
        });
        losses.collect()
    }
}

#[pymethods]
impl Loss {
    fn __repr__(&self) -> String {
        format!(
            "Loss({:?}, count={}, game={}, what={:?})",
            self.kind, self.count, self.game, self.what
        )
    }
}
