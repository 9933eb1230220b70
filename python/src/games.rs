//! Games one after the other.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use pyo3::prelude::*;
use tabiya::GameTree;

use crate::{
    background::Background,
    database::Database,
    game::Game,
    work::{self, Signal},
};

/// The games of a database, one after the other. Up to four threads read a little ahead of
/// whoever takes them; they have ended when nobody has it any more.
///
/// >>> import tabiya
/// >>> games = iter(tabiya.open("samples/famous.pgn"))
/// >>> next(games).number, next(games).number
/// (1, 2)
#[pyclass(frozen, module = "tabiya")]
pub struct Games {
    /// Those of the parts that have been read last.
    waiting: Mutex<VecDeque<GameTree>>,
    parts: Result<Background<Vec<GameTree>>, Mutex<Option<PyErr>>>,
}

impl Games {
    /// Begins to read. What goes wrong is told with the first game.
    pub fn new(py: Python<'_>, database: &Database) -> Games {
        let signal = Arc::new(Signal::default());
        let parts = work::run_unwatched(py, || {
            let leased = database.lease(&signal)?;
            Background::start(signal, move |hand_out| leased.par_games(hand_out))
        });
        Games {
            waiting: Mutex::new(VecDeque::new()),
            parts: parts.map_err(|error| Mutex::new(Some(error))),
        }
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, VecDeque<GameTree>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Games {
    fn drop(&mut self) {
        if let Ok(parts) = &self.parts {
            parts.stop();
        }
    }
}

#[pymethods]
impl Games {
    fn __iter__(slf: PyRef<'_, Games>) -> PyRef<'_, Games> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        let parts = match &self.parts {
            Ok(parts) => parts,
            Err(error) => {
                let error = error.lock().unwrap_or_else(PoisonError::into_inner).take();
                return error.map_or(Ok(None), Err);
            }
        };
        loop {
            if let Some(tree) = self.waiting().pop_front() {
                return Ok(Some(tree.into()));
            }
            match parts.next(py)? {
                Some(games) => self.waiting().extend(games),
                None => return Ok(None),
            }
        }
    }
}
