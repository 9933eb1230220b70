//! The formats that there are.

use pyo3::prelude::*;
use tabiya::registry;

/// A format of databases.
#[pyclass(frozen, get_all, module = "tabiya")]
pub struct Format {
    /// Its name, as `format=` takes it: chessbase:cbh.
    name: String,
    /// What people call it.
    title: &'static str,
    /// How its files are called: cbh.
    extensions: Vec<String>,
    /// Whether it can be read.
    reads: bool,
    /// Whether it can be written.
    writes: bool,
}

#[pymethods]
impl Format {
    fn __repr__(&self) -> String {
        format!(
            "Format({:?}, reads={}, writes={})",
            self.name, self.reads, self.writes
        )
    }
}

/// All formats that can be read or written.
///
/// >>> import tabiya
/// >>> sorted(format.name for format in tabiya.formats() if "si5" in format.extensions)
/// ['scid:si5']
#[pyfunction]
pub fn formats() -> Vec<Format> {
    let formats = registry().profiles().map(|profile| Format {
        name: profile.to_string(),
        title: profile.format.title,
        extensions: profile
            .profile
            .extensions()
            .iter()
            .map(ToString::to_string)
            .collect(),
        reads: profile.profile.reads(),
        writes: profile.profile.writes(),
    });
    formats.collect()
}
