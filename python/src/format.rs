//! The formats that there are.

use pyo3::prelude::*;
use tabiya::registry;

/// What `pickle` keeps of it.
type Kept = (String, String, Vec<String>, bool, bool);

/// A format of databases.
///
/// >>> import tabiya
/// >>> [format.title for format in tabiya.formats() if format.name == "tabiya"]
/// ["tabiya's own database, a folder of Arrow files"]
#[pyclass(frozen, get_all, module = "tabiya")]
#[derive(Clone)]
pub struct Format {
    /// Its name, as `format=` takes it: chessbase:cbh.
    name: String,
    /// What people call it.
    title: String,
    /// How its files are called: cbh.
    extensions: Vec<String>,
    /// Whether it can be read.
    reads: bool,
    /// Whether it can be written.
    writes: bool,
}

#[pymethods]
impl Format {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Kept)> {
        let restore = py.get_type::<Format>().getattr("_restore")?;
        let Format {
            name,
            title,
            extensions,
            reads,
            writes,
        } = self.clone();
        Ok((restore, (name, title, extensions, reads, writes)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(
        name: String,
        title: String,
        extensions: Vec<String>,
        reads: bool,
        writes: bool,
    ) -> Format {
        Format {
            name,
            title,
            extensions,
            reads,
            writes,
        }
    }

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
        title: profile.format.title.to_owned(),
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
