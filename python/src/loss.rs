//! What a format could not hold.

use pyo3::prelude::*;
use tabiya::Losses;

/// What `pickle` keeps of it.
type Kept = (String, u64, u64, String, Option<String>);

/// What a format could not hold: how often, and the first time of it.
///
/// >>> import tabiya, tempfile, pathlib
/// >>> with tabiya.create(pathlib.Path(tempfile.mkdtemp(), "games.uci")) as games:
/// ...     losses = games.add(tabiya.Game("1. e4 {best} e5"))
/// >>> losses[0].kind, losses[0].count, losses[0].game
/// ('comments', 1, 1)
#[pyclass(frozen, get_all, eq, from_py_object, module = "tabiya")]
#[derive(Clone, PartialEq)]
pub struct Loss {
    /// What kind of thing: tags, variations, comments, NAGs, annotations and others.
    pub kind: String,
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
            kind: kind.name().to_owned(),
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
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Kept)> {
        let restore = py.get_type::<Loss>().getattr("_restore")?;
        let loss = self.clone();
        let kept = (loss.kind, loss.count, loss.game, loss.what, loss.file);
        Ok((restore, kept))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(kind: String, count: u64, game: u64, what: String, file: Option<String>) -> Loss {
        Loss {
            kind,
            count,
            game,
            what,
            file,
        }
    }

    fn __repr__(&self) -> String {
        format!(
            "Loss({:?}, count={}, game={}, what={:?})",
            self.kind, self.count, self.game, self.what
        )
    }
}
