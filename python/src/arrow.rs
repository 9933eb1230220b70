//! Rows as Arrow: what pyarrow, Polars, pandas and DuckDB take without a copy.

use std::{
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_schema::{ArrowError, Field, FieldRef, Schema, SchemaRef};
use pyo3::{prelude::*, types::PyCapsule};
use pyo3_arrow::{
    error::PyArrowResult,
    ffi::{ArrayIterator, to_schema_pycapsule, to_stream_pycapsule},
};
use tabiya::Error;

use crate::{
    background::Background,
    error::{usage, without_nul},
};

/// How many rows a part of what is in memory has.
const PART: usize = 65_536;

/// Rows in memory. Any library that knows Arrow takes them as they are: `pyarrow.table(rows)`,
/// `polars.DataFrame(rows)`, and DuckDB by the name of the variable.
///
/// >>> import tabiya, pyarrow
/// >>> part = next(tabiya.open("samples/famous.pgn").table())
/// >>> len(part), pyarrow.table(part).num_rows
/// (34, 34)
#[pyclass(frozen, module = "tabiya")]
pub struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Table {
    pub fn new(batch: RecordBatch) -> Table {
        Table {
            schema: batch.schema(),
            batches: vec![batch],
        }
    }

    /// So many rows, a part of them at a time: no batch can hold more than 2 GiB of texts. Without rows
    /// there is a part, too, which says what columns there would be.
    pub fn of_parts<E>(
        rows: usize,
        part: impl Fn(Range<usize>) -> Result<RecordBatch, E>,
    ) -> Result<Table, E> {
        let mut table = Table::new(part(0..rows.min(PART))?);
        for first in (PART..rows).step_by(PART) {
            let rows = first..rows.min(first + PART);
            table.batches.push(part(rows)?);
        }
        Ok(table)
    }

    /// Its capsule, for `__arrow_c_stream__`.
    pub fn capsule<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        let batches = self.batches.clone().into_iter().map(Ok);
        stream_capsule(py, &self.schema, batches, requested_schema)
    }
}

#[pymethods]
impl Table {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        self.capsule(py, requested_schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        to_schema_pycapsule(py, self.schema.as_ref())
    }

    /// The names of its columns.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        names(&self.schema)
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn __repr__(&self) -> String {
        format!(
            "Table({} rows, columns={:?})",
            self.__len__(),
            self.column_names()
        )
    }
}

/// Rows that are made while they are read, batch by batch. They can be read once: as a whole by any
/// library that knows Arrow, or as Tables by iterating.
///
/// A library that takes them as a whole waits for them without looking after Ctrl-C, which ends it when
/// all are there. Iterating looks: `pyarrow.concat_tables(pyarrow.table(part) for part in stream)`.
///
/// >>> import tabiya
/// >>> stream = tabiya.open("samples/famous.pgn").table(columns=["white", "result"])
/// >>> stream.column_names, [len(part) for part in stream]
/// (['white', 'result'], [34])
#[pyclass(frozen, module = "tabiya")]
pub struct Stream {
    schema: SchemaRef,
    rows: Mutex<Unread>,
}

/// What of a stream has not been read.
enum Unread {
    All(Arc<Background<RecordBatch>>),
    /// Some have been handed out, one after the other.
    Rest(Arc<Background<RecordBatch>>),
    /// All have been.
    Nothing,
    /// Another library reads it.
    Lent,
}

impl Stream {
    pub fn new(schema: SchemaRef, batches: Background<RecordBatch>) -> Stream {
        Stream {
            schema,
            rows: Mutex::new(Unread::All(Arc::new(batches))),
        }
    }

    fn rows(&self) -> MutexGuard<'_, Unread> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Unread::All(batches) | Unread::Rest(batches) = &*self.rows() {
            batches.stop();
        }
    }
}

#[pymethods]
impl Stream {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        let batches = {
            let mut rows = self.rows();
            // Whoever takes it as a whole would miss what has been handed out.
            let Unread::All(batches) = &*rows else {
                return Err(read_already().into());
            };
            let batches = Arc::clone(batches);
            *rows = Unread::Lent;
            batches
        };
        let batches = std::iter::from_fn(move || {
            let batch = batches.wait()?;
            Some(batch.map_err(|error| told(&error)))
        });
        stream_capsule(py, &self.schema, batches, requested_schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        to_schema_pycapsule(py, self.schema.as_ref())
    }

    /// The names of its columns.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        names(&self.schema)
    }

    fn __iter__(slf: PyRef<'_, Stream>) -> PyRef<'_, Stream> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Table>> {
        let batches = {
            let mut rows = self.rows();
            let batches = match &*rows {
                Unread::All(batches) | Unread::Rest(batches) => Arc::clone(batches),
                Unread::Nothing => return Ok(None),
                Unread::Lent => return Err(read_already()),
            };
            *rows = Unread::Rest(Arc::clone(&batches));
            batches
        };
        let next = batches.next(py)?;
        if next.is_none() {
            *self.rows() = Unread::Nothing;
        }
        Ok(next.map(Table::new))
    }

    fn __repr__(&self) -> String {
        format!("Stream(columns={:?})", self.column_names())
    }
}

/// Tables one after the other, each with columns of its own: what `Store.batches` returns.
///
/// >>> import tabiya, tempfile, pathlib
/// >>> store = tabiya.Store(pathlib.Path(tempfile.mkdtemp(), "games.tabiya"), create=True)
/// >>> _ = store.import_("samples/famous.pgn")
/// >>> [len(part) for part in store.batches()]
/// [34]
#[pyclass(frozen, module = "tabiya")]
pub struct Batches(pub Background<RecordBatch>);

impl Drop for Batches {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[pymethods]
impl Batches {
    fn __iter__(slf: PyRef<'_, Batches>) -> PyRef<'_, Batches> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Table>> {
        Ok(self.0.next(py)?.map(Table::new))
    }
}

/// An error for whoever reads a stream by the interface for C: nothing but words get there.
fn told(error: &Error) -> ArrowError {
    ArrowError::ExternalError(without_nul(&error.to_string()).into())
}

fn read_already() -> PyErr {
    usage("a stream can be read only once: ask for it again")
}

fn names(schema: &Schema) -> Vec<&str> {
    schema
        .fields()
        .iter()
        .map(|field| field.name().as_str())
        .collect()
}

fn stream_capsule<'py>(
    py: Python<'py>,
    schema: &SchemaRef,
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>> + Send + 'static,
    requested_schema: Option<Bound<'py, PyCapsule>>,
) -> PyArrowResult<Bound<'py, PyCapsule>> {
    let field: FieldRef = Arc::new(
        Field::new_struct("", schema.fields().clone(), false)
            .with_metadata(schema.metadata.clone()),
    );
    let arrays = batches.map(|batch| Ok(Arc::new(StructArray::from(batch?)) as ArrayRef));
    to_stream_pycapsule(
        py,
        Box::new(ArrayIterator::new(arrays, field)),
        requested_schema,
    )
}
