//! A database of tabiya's own.

use std::{
    path::PathBuf,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, ThreadId},
};

use arrow_array::{ArrayRef, BooleanArray, Int64Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use pyo3::{prelude::*, types::PyDict};
use tabiya::{Convert, Error, ErrorKind, GameState, store::Store as Stored};

use crate::{
    arrow::Batches,
    background::Background,
    convert::{self, Inputs, Report},
    create::Writing,
    database::{Chosen, Database, Reading, format_of},
    error::{Refused, bad_value, usage},
    game::Game,
    values::arguments,
    work::{self, Signal, TICK},
};

/// A database of tabiya's own, a folder such as games.tabiya: all that a Database has, and games can be
/// added, marked as deleted and replaced.
///
/// >>> import tabiya, tempfile, pathlib
/// >>> path = pathlib.Path(tempfile.mkdtemp(), "games.tabiya")
/// >>> store = tabiya.Store(path, create=True)
/// >>> report = store.import_("samples/famous.pgn")
/// >>> report.written == len(store)
/// True
///
/// It is seen as it was when it was opened, or last changed by this object. If somebody else has changed
/// it since, all that would change it (`import_`, `delete`, `undelete`, `replace`, `compact`, `index`)
/// raises ChangedError and does nothing, for numbers may mean other games; `refresh` shows it as it is
/// then. `check` looks at the files as they are now. A pickled Store is opened again, by its path.
///
/// Threads may share a Store: what they change is done one after the other. `progress` of an import
/// cannot change the Store that it is told of.
#[pyclass(frozen, extends = Database, module = "tabiya")]
#[derive(Default)]
pub struct Store {
    turns: Turns,
}

/// Who changes a store: one thread at a time, so that each sees what the one before has left.
#[derive(Default)]
struct Turns {
    changing: Mutex<Option<ThreadId>>,
    over: Condvar,
}

/// The turn of one thread, which is over when this is dropped.
struct Turn<'a>(&'a Turns);

impl Turns {
    /// Waits for a turn, and looks after Ctrl-C meanwhile; `None` if it is the turn of this thread
    /// already, which would wait for itself.
    fn take(&self, py: Python<'_>) -> PyResult<Option<Turn<'_>>> {
        let me = thread::current().id();
        loop {
            let changing = py.detach(|| {
                let waits = |changing: &mut Option<ThreadId>| {
                    changing.is_some_and(|somebody| somebody != me)
                };
                let waited = self.over.wait_timeout_while(self.changing(), TICK, waits);
                let (mut changing, _) = waited.unwrap_or_else(PoisonError::into_inner);
                let before = *changing;
                changing.get_or_insert(me);
                before
            });
            match changing {
                None => return Ok(Some(Turn(self))),
                Some(somebody) if somebody == me => return Ok(None),
                Some(_) => py.check_signals()?,
            }
        }
    }

    fn changing(&self) -> MutexGuard<'_, Option<ThreadId>> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.0.changing() = None;
        self.0.over.notify_one();
    }
}

impl Store {
    /// Waits until nobody else changes the store by way of this object.
    fn turn(&self, py: Python<'_>) -> PyResult<Turn<'_>> {
        let turn = self.turns.take(py)?;
        turn.ok_or_else(|| usage("progress cannot change the store that is being changed"))
    }

    /// Changes the store, and shows it as it is then.
    fn change(
        slf: &PyRef<'_, Store>,
        change: impl FnOnce(&Stored) -> Result<(), Error> + Send,
    ) -> PyResult<()> {
        let database: &Database = slf.as_super();
        let _turn = slf.turn(slf.py())?;
        work::run_unwatched(slf.py(), || {
            let seen = database.snapshot()?.of_this_state();
            let file = || database.place().display().to_string();
            let changed = change(&seen).map_err(|error| error.in_file(file()));
            // What has failed may be there, too, though it may not last.
            let renewed = database.renew_after(&seen);
            changed.and(renewed)
        })
    }
}

#[pymethods]
impl Store {
    /// Opens a database; with `create`, an empty one is made if it is not there, or is an empty folder.
    #[new]
    #[pyo3(signature = (path, *, create=false, deleted=false, jobs=None))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        create: bool,
        deleted: bool,
        #[pyo3(from_py_with = arguments::jobs)] jobs: Option<usize>,
    ) -> PyResult<PyClassInitializer<Store>> {
        let is_empty = || std::fs::read_dir(&path).is_ok_and(|mut names| names.next().is_none());
        if create && (!path.exists() || is_empty()) {
            work::run_unwatched(py, || Stored::import(&path)?.finish().map(drop))?;
        }
        let how = Reading {
            format: path.exists().then(|| tabiya::store::FORMAT.name.to_owned()),
            deleted,
            jobs,
            ..Reading::default()
        };
        let database = Database::open(py, &path, how, Chosen::default())?;
        Ok(PyClassInitializer::from(database).add_subclass(Store::default()))
    }

    /// Adds games of any format, all or none. Keywords are those of `tabiya.convert` that are about
    /// inputs, `dry_run`, `memory` and `index`, and filters. `games` are numbers of each source by itself.
    #[pyo3(signature = (source, *, progress=None, games=None, strict=false, dry_run=false, from_format=None,
                        encoding=None, deleted=false, salvage=false, password=None, jobs=None,
                        jose_date_fix=false, memory=None, index=true, **filters))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn import_(
        slf: PyRef<'_, Store>,
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        progress: Option<Py<PyAny>>,
        games: Option<&Bound<'_, PyAny>>,
        strict: bool,
        dry_run: bool,
        from_format: Option<String>,
        encoding: Option<String>,
        deleted: bool,
        salvage: bool,
        password: Option<String>,
        #[pyo3(from_py_with = arguments::jobs)] jobs: Option<usize>,
        jose_date_fix: bool,
        memory: Option<&str>,
        index: bool,
        filters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Report> {
        let database: &Database = slf.as_super();
        let reading = Reading {
            format: from_format,
            encoding,
            deleted,
            salvage,
            password,
            jobs,
            jose_date_fix,
        };
        let writing = Writing {
            comments: true,
            variations: true,
            nags: true,
            memory,
            index,
            one_line: false,
            keep_raw: false,
        };
        convert::not_both(("strict", strict), ("salvage", salvage))?;
        let inputs = Inputs::read(source, games, &reading, filters)?;
        let options = writing.options()?;
        let own = format_of(tabiya::store::FORMAT.name)?;
        let _turn = slf.turn(py)?;
        let seen = work::run_unwatched(py, || Ok(database.snapshot()?.of_this_state()))?;
        let done = convert::run(py, progress.as_ref(), || {
            let conversion = Convert::to(database.place()).format(own).append(true);
            let conversion = inputs.of(conversion).strict(strict).dry_run(dry_run);
            if dry_run {
                return Ok(conversion.options(options));
            }
            let importer = seen.importer()?.with_options(&options)?;
            Ok(conversion.options(options).target(Box::new(importer)))
        });
        let renewed = work::run_unwatched(py, || database.renew_after(&seen));
        Ok(Report::of(&done?.after(renewed)?))
    }

    /// Opens it again, to see what others have changed.
    fn refresh(slf: PyRef<'_, Store>, py: Python<'_>) -> PyResult<()> {
        let database: &Database = slf.as_super();
        // Whoever has it already may look, too.
        let _turn = slf.turns.take(py)?;
        work::run_unwatched(py, || database.renew())
    }

    /// Marks games as deleted, by their numbers in this object.
    fn delete(
        slf: PyRef<'_, Store>,
        #[pyo3(from_py_with = arguments::numbers)] numbers: Vec<u64>,
    ) -> PyResult<()> {
        Store::change(&slf, |store| store.mark(&numbers, true))
    }

    /// Takes the marks from them.
    fn undelete(
        slf: PyRef<'_, Store>,
        #[pyo3(from_py_with = arguments::numbers)] numbers: Vec<u64>,
    ) -> PyResult<()> {
        Store::change(&slf, |store| store.mark(&numbers, false))
    }

    /// Puts a game, which is not broken, in place of another, which is not deleted.
    fn replace(
        slf: PyRef<'_, Store>,
        #[pyo3(from_py_with = arguments::number)] number: u64,
        game: &Bound<'_, Game>,
    ) -> PyResult<()> {
        let game = Arc::clone(&game.get().0);
        if game.tree.state == GameState::Broken {
            return Err(bad_value("game", "it is broken: its errors say where"));
        }
        let shows_deleted = slf.as_super().reading().deleted;
        Store::change(&slf, |store| match store.is_deleted(number) {
            true if shows_deleted => {
                let words = Refused("it is deleted: undelete it first");
                Err(Error::new(ErrorKind::Unsupported, words).of_game(number))
            }
            // Nobody would ever see the other game.
            true => Err(Error::no_such_game(number)),
            false => store.replace(number, &game.tree),
        })
    }

    /// Removes deleted and replaced games for good; numbers change.
    fn compact(slf: PyRef<'_, Store>) -> PyResult<()> {
        Store::change(&slf, Stored::compact)
    }

    /// Makes the index of positions where it is missing, in about so much memory.
    #[pyo3(signature = (*, memory="512M", rebuild=false))]
    fn index(slf: PyRef<'_, Store>, memory: &str, rebuild: bool) -> PyResult<()> {
        let bytes = tabiya::store::memory_size(memory);
        let bytes = bytes.map_err(|error| bad_value("memory", error))?;
        Store::change(&slf, |store| match rebuild {
            true => store.reindex(bytes),
            false => store.index(bytes),
        })
    }

    /// Games that are in it more than once: `tabiya.duplicates` of this database.
    #[pyo3(signature = (**keywords))]
    fn duplicates<'py>(
        slf: &Bound<'py, Store>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let module = PyModule::import(slf.py(), "tabiya._tabiya")?;
        module.getattr("duplicates")?.call((slf,), keywords)
    }

    /// Spellings that are one: `tabiya.names` of this database.
    #[pyo3(signature = (**keywords))]
    fn names<'py>(
        slf: &Bound<'py, Store>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let module = PyModule::import(slf.py(), "tabiya._tabiya")?;
        module.getattr("names")?.call((slf,), keywords)
    }

    /// The columns of all entries, as they lie in its files, Table by Table: nothing is copied.
    /// docs/store.md says what they are. A column that says nothing of any entry of a segment is not
    /// there.
    ///
    /// Entries that are deleted or replaced since are among them; the columns `deleted` and `replaced`
    /// tell, and `number` is the number of the entry: a tag of such a name is in `tag_number`. With
    /// `moves`, the columns of moves come along.
    ///
    /// >>> import tabiya, tempfile, pathlib, pyarrow
    /// >>> store = tabiya.Store(pathlib.Path(tempfile.mkdtemp(), "games.tabiya"), create=True)
    /// >>> _ = store.import_("samples/famous.pgn")
    /// >>> for part in store.batches():
    /// ...     print(pyarrow.table(part).column("number")[0].as_py())
    /// 1
    #[pyo3(signature = (*, moves=false))]
    fn batches(slf: PyRef<'_, Store>, py: Python<'_>, moves: bool) -> PyResult<Batches> {
        let database: &Database = slf.as_super();
        work::run_unwatched(py, || {
            let store = database.snapshot()?;
            let signal = Arc::new(Signal::default());
            let batches = Background::start(Arc::clone(&signal), move |hand_out| {
                for batch in store.batches() {
                    let batch = joined(&store, &batch?, moves)?;
                    if signal.flow().is_break() || hand_out(batch).is_break() {
                        break;
                    }
                }
                Ok(())
            });
            batches.map(Batches)
        })
    }

    /// How many entries are marked as deleted.
    #[getter]
    fn deleted(slf: PyRef<'_, Store>, py: Python<'_>) -> PyResult<u64> {
        let database: &Database = slf.as_super();
        work::run_unwatched(py, || Ok(database.snapshot()?.deleted()))
    }

    /// The bytes of its files.
    #[getter]
    fn bytes(slf: PyRef<'_, Store>, py: Python<'_>) -> PyResult<u64> {
        let database: &Database = slf.as_super();
        work::run_unwatched(py, || Ok(database.snapshot()?.bytes()))
    }

    fn __reduce__<'py>(slf: PyRef<'py, Store>, py: Python<'py>) -> PyResult<Kept<'py>> {
        let database: &Database = slf.as_super();
        let reading = database.reading();
        let restore = py.get_type::<Store>().getattr("_restore")?;
        let path = database.place().to_owned();
        Ok((restore, (path, reading.deleted, reading.jobs)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore<'py>(
        py: Python<'py>,
        path: PathBuf,
        deleted: bool,
        jobs: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let keywords = PyDict::new(py);
        keywords.set_item("deleted", deleted)?;
        keywords.set_item("jobs", jobs)?;
        py.get_type::<Store>().call((path,), Some(&keywords))
    }

    fn __repr__(slf: PyRef<'_, Store>) -> String {
        let database: &Database = slf.as_super();
        format!("Store({:?})", database.place())
    }
}

/// What `pickle` keeps: how it is opened again.
type Kept<'py> = (Bound<'py, PyAny>, (PathBuf, bool, Option<usize>));

/// The columns of a batch, and what became of its entries.
fn joined(store: &Stored, batch: &tabiya::store::Batch, moves: bool) -> Result<RecordBatch, Error> {
    let numbers = || batch.numbers.clone();
    let mut fields: Vec<Arc<Field>> = vec![
        Arc::new(Field::new("number", DataType::Int64, false)),
        Arc::new(Field::new("deleted", DataType::Boolean, false)),
        Arc::new(Field::new("replaced", DataType::Boolean, false)),
    ];
    let flags = |flag: &dyn Fn(u64) -> bool| -> ArrayRef {
        let flags: Vec<bool> = numbers().map(flag).collect();
        Arc::new(BooleanArray::from(flags))
    };
    let mut columns: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::from_iter_values(
            numbers().map(|number| number as i64),
        )),
        flags(&|number| store.is_deleted(number)),
        flags(&|number| store.is_replaced(number)),
    ];
    let parts = [Some(&batch.games), moves.then_some(&batch.moves)];
    for part in parts.into_iter().flatten() {
        for (field, column) in part.schema().fields().iter().zip(part.columns()) {
            let mut field = Arc::clone(field);
            // A tag may be called as a column of this table, or even as what it is called then.
            while fields.iter().any(|known| known.name() == field.name()) {
                let name = format!("tag_{}", field.name());
                field = Arc::new(Field::clone(&field).with_name(name));
            }
            fields.push(field);
            columns.push(Arc::clone(column));
        }
    }
    let joined = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns);
    joined.map_err(|error| Error::new(ErrorKind::Internal, error))
}
