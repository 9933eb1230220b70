//! What is to be changed in databases, and can be changed back.

use std::{convert::Infallible, ops::Range, path::PathBuf};

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use pyo3::{prelude::*, types::PyCapsule};
use pyo3_arrow::error::PyArrowResult;
use tabiya::plan::{Action, PlanFormat};

use crate::{arrow::Table, work};

/// What is to be changed in databases: steps, of which nothing is done before `apply`, and which
/// `undo` takes back. Its text is that of the command's plans.
///
/// Neither is ended by Ctrl-C: a database is wholly changed, or not at all.
///
/// >>> import tabiya, tempfile, pathlib
/// >>> store = tabiya.Store(pathlib.Path(tempfile.mkdtemp(), "games.tabiya"), create=True)
/// >>> _ = store.import_(["samples/famous.pgn", "samples/famous.pgn"])
/// >>> plan = store.duplicates().plan
/// >>> tabiya.Plan.parse(plan.to_text()) == plan
/// True
#[pyclass(frozen, module = "tabiya")]
pub struct Plan(pub tabiya::plan::Plan);

impl Plan {
    fn text(&self, py: Python<'_>, format: PlanFormat) -> PyResult<String> {
        let text = py.detach(|| {
            let mut text = Vec::new();
            self.0.write(&mut text, format)?;
            Ok::<_, std::io::Error>(text)
        })?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    fn batch(&self, places: Range<usize>) -> RecordBatch {
        let steps = &self.0.steps[places];
        let texts = |text: &dyn Fn(&tabiya::plan::Step) -> Option<String>| -> ArrayRef {
            std::sync::Arc::new(steps.iter().map(text).collect::<StringArray>())
        };
        let groups = steps.iter().map(|step| step.group as i64);
        let columns: [(&str, ArrayRef); 8] = [
            ("group", std::sync::Arc::new(groups.collect::<Int64Array>())),
            (
                "database",
                texts(&|step| Some(step.database.display().to_string())),
            ),
            ("games", texts(&|step| Some(step.games.to_string()))),
            ("action", texts(&|step| Some(action(step).to_owned()))),
            ("tag", texts(&|step| tag(step).map(str::to_owned))),
            ("from", texts(&|step| from(step).map(str::to_owned))),
            ("to", texts(&|step| to(step).map(str::to_owned))),
            ("reason", texts(&|step| Some(step.reason.clone()))),
        ];
        RecordBatch::try_from_iter(columns).expect("columns are equally long")
    }
}

#[pymethods]
impl Plan {
    /// The plan of a text: lines with tabs, or JSON.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<Plan> {
        work::run_unwatched(py, || tabiya::plan::Plan::parse(text)).map(Plan)
    }

    /// The plan of a file.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Plan> {
        work::run_unwatched(py, || tabiya::plan::Plan::read(path)).map(Plan)
    }

    /// The plan that was applied to a database of tabiya's own last; None if there is none.
    #[staticmethod]
    fn last_of(py: Python<'_>, path: PathBuf) -> PyResult<Option<Plan>> {
        let plan = work::run_unwatched(py, || tabiya::plan::Plan::last_of(path))?;
        Ok(plan.map(Plan))
    }

    /// The plan as lines with tabs.
    fn to_text(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py, PlanFormat::Tsv)
    }

    /// The plan as JSON.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py, PlanFormat::Json)
    }

    /// Its steps.
    #[getter]
    fn steps(&self, py: Python<'_>) -> Vec<Step> {
        py.detach(|| self.0.steps.iter().cloned().map(Step).collect())
    }

    /// Does what it says; nothing, if some of it cannot be done.
    fn apply(&self, py: Python<'_>) -> PyResult<Applied> {
        work::run_unwatched(py, || self.0.apply()).map(Applied)
    }

    /// Takes back what it has done.
    fn undo(&self, py: Python<'_>) -> PyResult<Applied> {
        work::run_unwatched(py, || self.0.undo()).map(Applied)
    }

    fn __len__(&self) -> usize {
        self.0.steps.len()
    }

    fn __eq__(&self, py: Python<'_>, other: PyRef<'_, Plan>) -> PyResult<bool> {
        Ok(self.to_json(py)? == other.to_json(py)?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        let batch = |places| Ok::<_, Infallible>(self.batch(places));
        let Ok(table) = py.detach(|| Table::of_parts(self.0.steps.len(), batch));
        table.capsule(py, requested_schema)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let parse = py.get_type::<Plan>().getattr("parse")?;
        Ok((parse, (self.to_json(py)?,)))
    }

    fn __repr__(&self) -> String {
        format!("Plan({} steps)", self.0.steps.len())
    }
}

/// A step of a plan.
///
/// >>> import tabiya, tempfile, pathlib
/// >>> store = tabiya.Store(pathlib.Path(tempfile.mkdtemp(), "games.tabiya"), create=True)
/// >>> _ = store.import_(["samples/famous.pgn", "samples/famous.pgn"])
/// >>> plan = store.duplicates().plan
/// >>> sorted({step.action for step in plan.steps})
/// ['delete', 'keep']
#[pyclass(frozen, module = "tabiya")]
pub struct Step(tabiya::plan::Step);

#[pymethods]
impl Step {
    /// Steps of one group belong together.
    #[getter]
    fn group(&self) -> u64 {
        self.0.group
    }

    /// The database that is changed.
    #[getter]
    fn database(&self) -> PathBuf {
        self.0.database.clone()
    }

    /// The numbers of the games.
    #[getter]
    fn games(&self) -> Vec<u64> {
        self.0.games.iter().collect()
    }

    /// What is done: keep, delete, set or remove.
    #[getter]
    fn action(&self) -> &'static str {
        action(&self.0)
    }

    /// The tag that is set or removed.
    #[getter]
    fn tag(&self) -> Option<&str> {
        tag(&self.0)
    }

    /// Its value now; of games that are kept or deleted, which game is meant.
    #[getter]
    #[pyo3(name = "from_value")]
    fn value_now(&self) -> Option<&str> {
        from(&self.0)
    }

    /// The value that it gets.
    #[getter]
    #[pyo3(name = "to_value")]
    fn value_then(&self) -> Option<&str> {
        to(&self.0)
    }

    /// Why.
    #[getter]
    fn reason(&self) -> &str {
        &self.0.reason
    }

    fn __repr__(&self) -> String {
        format!(
            "Step({}, games {}, {:?})",
            self.action(),
            self.0.games,
            self.0.reason
        )
    }
}

fn action(step: &tabiya::plan::Step) -> &'static str {
    match step.action {
        Action::Keep { .. } => "keep",
        Action::Delete { .. } => "delete",
        Action::Set { .. } => "set",
        Action::Remove { .. } => "remove",
    }
}

fn tag(step: &tabiya::plan::Step) -> Option<&str> {
    match &step.action {
        Action::Set { tag, .. } | Action::Remove { tag, .. } => Some(tag),
        _ => None,
    }
}

fn from(step: &tabiya::plan::Step) -> Option<&str> {
    match &step.action {
        Action::Keep { from } | Action::Delete { from } | Action::Set { from, .. } => {
            from.as_deref()
        }
        Action::Remove { from, .. } => Some(from),
    }
}

fn to(step: &tabiya::plan::Step) -> Option<&str> {
    match &step.action {
        Action::Set { to, .. } => Some(to),
        _ => None,
    }
}

/// What a plan has changed.
///
/// >>> import tabiya, tempfile, pathlib
/// >>> store = tabiya.Store(pathlib.Path(tempfile.mkdtemp(), "games.tabiya"), create=True)
/// >>> _ = store.import_(["samples/famous.pgn", "samples/famous.pgn"])
/// >>> store.duplicates().plan.apply()
/// Applied(databases=1, edited=0, marked=34)
#[pyclass(frozen, module = "tabiya")]
pub struct Applied(tabiya::plan::Applied);

#[pymethods]
impl Applied {
    /// Databases that were changed.
    #[getter]
    fn databases(&self) -> u64 {
        self.0.databases
    }

    /// Games with other tags.
    #[getter]
    fn edited(&self) -> u64 {
        self.0.edited
    }

    /// Games that were marked as deleted, or unmarked.
    #[getter]
    fn marked(&self) -> u64 {
        self.0.marked
    }

    /// Steps that were applied with these and are not taken back.
    #[getter]
    fn left(&self) -> u64 {
        self.0.left
    }

    fn __repr__(&self) -> String {
        let tabiya::plan::Applied {
            databases,
            edited,
            marked,
            ..
        } = self.0;
        format!("Applied(databases={databases}, edited={edited}, marked={marked})")
    }
}
