//! A database that is open for reading.

use std::{
    num::NonZeroUsize,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyDict, PySlice},
};
use tabiya::{
    Error, ErrorKind, Event, Filter, Flow, GameSink, GameTree, Needs, Open, ReadOptions, Settings,
    registry,
};
use tabiya_formats::io::Unchanged;

use crate::{
    arrow::Stream,
    check::Check,
    error::{Closed, bad_value, in_path, usage},
    filter::filter,
    game::Game,
    games::Games,
    info::Info,
    planes::PositionArrays,
    search::Hits,
    tree::Tree,
    values::{arguments, optional},
    work::{self, Signal},
};

/// Opens a file or a folder of any format, packed or not; its content says what it is.
///
/// `format` names the format if the content does not tell, `encoding` that of texts, `password` that of
/// an archive. With `deleted`, games that are marked as deleted are read, too; with `salvage`, what is
/// left of a damaged file: its games end where it cannot be read any further, and `check` says why.
/// `jobs` says how many threads work. All other keywords are filters, the same as those of the command:
/// `player`, `versus`, `white`, `black`, `event`, `site`, `since`, `until`, `elo`, `elo_diff`,
/// `elo_mean`, `title`, `fide_id`, `time_control`, `eco`, `result`, `chess960`, `plies`, `comment`.
///
/// >>> import tabiya
/// >>> for game in tabiya.open("samples/famous.pgn", player="Fischer", until=1956):
/// ...     print(game.white, game.result)
/// Byrne, Donald 0-1
#[pyfunction]
#[pyo3(signature = (path, *, format=None, encoding=None, deleted=false, salvage=false, password=None,
                    jobs=None, jose_date_fix=false, **filters))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub fn open(
    py: Python<'_>,
    path: PathBuf,
    format: Option<String>,
    encoding: Option<String>,
    deleted: bool,
    salvage: bool,
    password: Option<String>,
    #[pyo3(from_py_with = arguments::jobs)] jobs: Option<usize>,
    jose_date_fix: bool,
    filters: Option<&Bound<'_, PyDict>>,
) -> PyResult<Database> {
    let reading = Reading {
        format,
        encoding,
        deleted,
        salvage,
        password,
        jobs,
        jose_date_fix,
    };
    let chosen = Chosen::default().and(py, filters)?;
    Database::open(py, &path, reading, chosen)
}

/// How databases are read, as keywords say it.
#[derive(Clone, Default)]
pub struct Reading {
    pub format: Option<String>,
    pub encoding: Option<String>,
    pub deleted: bool,
    pub salvage: bool,
    pub password: Option<String>,
    pub jobs: Option<usize>,
    pub jose_date_fix: bool,
}

impl Reading {
    /// The same for the library.
    pub fn open(&self) -> PyResult<Open> {
        let mut settings = Settings::new();
        if self.jose_date_fix {
            settings.set(&tabiya_formats::jose::DATE_FIX, true);
        }
        let encoding = self.encoding.as_deref().map(tabiya::encoding).transpose();
        let encoding = encoding.map_err(|error| bad_value("encoding", error))?;
        let mut open = Open::new()
            .options(ReadOptions {
                encoding,
                settings,
                ..ReadOptions::default()
            })
            .deleted(self.deleted)
            .salvage(self.salvage);
        if let Some(format) = &self.format {
            open = open.format(format_of(format)?);
        }
        if let Some(password) = &self.password {
            open = open.password(password);
        }
        if let Some(jobs) = self.jobs {
            let jobs = NonZeroUsize::new(jobs).ok_or_else(|| usage("jobs: at least one works"))?;
            open = open.jobs(jobs);
        }
        Ok(open)
    }

    /// The keywords themselves, for `pickle`. A password is nothing to leave in a file.
    fn keywords<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        if self.password.is_some() {
            return Err(usage("a database with a password cannot be pickled"));
        }
        let keywords = PyDict::new(py);
        keywords.set_item("format", &self.format)?;
        keywords.set_item("encoding", &self.encoding)?;
        keywords.set_item("deleted", self.deleted)?;
        keywords.set_item("salvage", self.salvage)?;
        keywords.set_item("jobs", self.jobs)?;
        keywords.set_item("jose_date_fix", self.jose_date_fix)?;
        Ok(keywords)
    }
}

/// Which games are wanted, and the keywords that said so.
#[derive(Default)]
pub struct Chosen {
    filter: Filter,
    keywords: Option<Py<PyDict>>,
}

impl Chosen {
    /// Those that pass more filters, too.
    fn and(&self, py: Python<'_>, more: Option<&Bound<'_, PyDict>>) -> PyResult<Chosen> {
        let filter = filter(&self.filter, more)?;
        let keywords = PyDict::new(py);
        for some in [self.keywords.as_ref().map(|known| known.bind(py)), more] {
            for (name, value) in some.into_iter().flatten() {
                if !value.is_none() {
                    keywords.set_item(name, value)?;
                }
            }
        }
        // Lists may be changed by whoever has given them.
        let copy = PyModule::import(py, "copy")?.getattr("deepcopy")?;
        let keywords = copy.call1((keywords,))?.cast_into::<PyDict>()?;
        Ok(Chosen {
            filter,
            keywords: Some(keywords.unbind()),
        })
    }
}

/// A format by its name.
pub fn format_of(name: &str) -> PyResult<tabiya::FormatSpec> {
    registry()
        .spec(name)
        .map_err(|error| bad_value("format", error))
}

/// A database that is open for reading: what `tabiya.open` returns.
///
/// Iterating it gives its games, one after the other, read ahead by all cores. `database[7]` is the
/// game of number 7 in the file, and `database[3:10]` those of 3 to 9: numbers begin at 1, as
/// `game.number` and the command have them.
///
/// >>> import tabiya
/// >>> famous = tabiya.open("samples/famous.pgn")
/// >>> famous.format
/// 'pgn'
/// >>> famous[1].white == next(iter(famous)).white
/// True
/// >>> [game.number for game in famous[2:4]]
/// [2, 3]
///
/// Formats that have a list of their games find each at once. Others, whose `entries` is None, such as PGN, are
/// read from their beginning for each number and for each slice: take many games in one slice, or iterate and
/// pick those whose `game.number` is wanted.
///
/// It is no sequence, for those begin at 0: neither `reversed` nor `random.choice` is for it. Texts that
/// are no games are passed over; `info` counts them, and `tabiya.convert` takes them along.
///
/// As a context manager it is closed at the end. `len` counts the games, and so does `list`, which asks
/// for it: `[game for game in database]` reads a file but once. A pickled Database is opened again, by
/// its path.
#[pyclass(frozen, subclass, mapping, module = "tabiya")]
pub struct Database {
    path: PathBuf,
    reading: Reading,
    how: Open,
    chosen: Chosen,
    opened: Mutex<Opened>,
    said: Mutex<Said>,
}

/// What it says of itself, of its files as they were read last.
struct Said {
    format: String,
    compression: Option<&'static str>,
    damage: Vec<String>,
}

impl Said {
    fn by(database: &tabiya::Database) -> Said {
        Said {
            format: database.format().to_string(),
            compression: database.compression().extension(),
            damage: database.damage().to_vec(),
        }
    }
}

/// What there is to read.
enum Opened {
    /// The database as it was opened, and how many games it has, once they have been counted.
    Unread(Box<tabiya::Database>, Arc<Mutex<Option<Counted>>>),
    /// Nothing: it can be read once, and has been.
    Read,
    /// Nothing: somebody has closed it.
    Closed,
}

/// How many games there are, as long as nobody has changed the files.
#[derive(Clone)]
struct Counted {
    games: usize,
    files: Unchanged,
}

impl Opened {
    fn unread(database: tabiya::Database) -> Opened {
        Opened::Unread(Box::new(database), Arc::default())
    }
}

impl Database {
    /// Opens what is there.
    pub fn open(
        py: Python<'_>,
        path: &Path,
        reading: Reading,
        chosen: Chosen,
    ) -> PyResult<Database> {
        let how = reading.open()?;
        let opened = work::run_unwatched(py, || how.clone().open(path));
        let opened = opened.map_err(|error| in_path(py, error, path))?;
        Ok(Database::new(opened, reading, how, chosen))
    }

    fn new(opened: tabiya::Database, reading: Reading, how: Open, chosen: Chosen) -> Database {
        Database {
            path: opened.path().to_owned(),
            reading,
            how,
            chosen,
            said: Mutex::new(Said::by(&opened)),
            opened: Mutex::new(Opened::unread(opened)),
        }
    }

    /// The filter that its games pass.
    pub fn wanted(&self) -> &Filter {
        &self.chosen.filter
    }

    /// Where it is.
    pub fn place(&self) -> &Path {
        &self.path
    }

    /// How it is read.
    pub fn how(&self) -> &Open {
        &self.how
    }

    /// How it is read, as keywords say it.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// The same once more, for one piece of work, which a signal may end. Not to be called with
    /// Python's lock.
    pub fn lease(&self, signal: &Arc<Signal>) -> Result<tabiya::Database, Error> {
        let database = self.lease_strictly(signal)?;
        Ok(match self.reading.salvage {
            true => database.until_damage(),
            false => database,
        })
    }

    /// The same, and what cannot be read is an error even if it was to be salvaged.
    pub fn lease_strictly(&self, signal: &Arc<Signal>) -> Result<tabiya::Database, Error> {
        let database = self.again()?.filter(self.wanted().clone());
        if tabiya::is_read_once(&self.path) {
            signal.depend_on_others();
        }
        Ok(signal.watch(database))
    }

    fn again(&self) -> Result<tabiya::Database, Error> {
        let mut opened = self.opened();
        let is_read_once = tabiya::is_read_once(&self.path);
        if let (Opened::Unread(database, _), false) = (&mut *opened, is_read_once) {
            if !database.files().holds() {
                **database = database.reopen()?;
                *self.said() = Said::by(database);
            }
            return database.reopen();
        }
        match std::mem::replace(&mut *opened, Opened::Read) {
            Opened::Unread(database, _) => Ok(*database),
            other => {
                let error = self.nothing(&other);
                *opened = other;
                Err(error)
            }
        }
    }

    /// The store that it is, as it was when it was opened. Not to be called with Python's lock.
    pub fn snapshot(&self) -> Result<tabiya::store::Store, Error> {
        match &*self.opened() {
            Opened::Unread(database, _) => database.any_store().ok_or_else(|| {
                let words = "is none of tabiya's own";
                Error::about(ErrorKind::Unsupported, self.file(), words)
            }),
            other => Err(self.nothing(other)),
        }
    }

    /// Refuses what would read a database that is closed. Not to be called with Python's lock.
    pub fn check_open(&self) -> Result<(), Error> {
        match &*self.opened() {
            Opened::Unread(..) => Ok(()),
            other => Err(self.nothing(other)),
        }
    }

    fn opened(&self) -> MutexGuard<'_, Opened> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Not locked for longer than it takes to look.
    fn said(&self) -> MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why there is nothing to read.
    fn nothing(&self, opened: &Opened) -> Error {
        match opened {
            Opened::Closed => Error::about(ErrorKind::Unsupported, self.file(), Closed),
            _ => Error::about(ErrorKind::Unsupported, self.file(), "can be read only once"),
        }
    }

    fn file(&self) -> String {
        self.path.display().to_string()
    }

    /// Long work on the database.
    pub fn work<T: Send>(
        &self,
        py: Python<'_>,
        progress: Option<&Py<PyAny>>,
        work: impl FnOnce(tabiya::Database) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let signal = Arc::new(Signal::default());
        work::run(py, &signal, progress, || work(self.lease(&signal)?))?.get()
    }

    /// Opens it again, to see what was changed since. Not to be called with Python's lock.
    pub fn renew(&self) -> Result<(), Error> {
        self.show(self.how.clone().open(&self.path)?)
    }

    /// The same after a change by way of a store. If somebody else has changed it since, it is left as
    /// it was: whoever asks for numbers of games that nobody here has seen hears of it at the next
    /// change. Not to be called with Python's lock.
    pub fn renew_after(&self, change: &tabiya::store::Store) -> Result<(), Error> {
        let now = self.how.clone().open(&self.path)?;
        match now.any_store().is_some_and(|now| change.has_led_to(&now)) {
            true => self.show(now),
            false => Ok(()),
        }
    }

    fn show(&self, now: tabiya::Database) -> Result<(), Error> {
        let mut opened = self.opened();
        if let Opened::Closed = *opened {
            return Err(self.nothing(&opened));
        }
        *self.said() = Said::by(&now);
        *opened = Opened::unread(now);
        Ok(())
    }

    /// A game by a number, from the end if it is negative.
    fn game(&self, py: Python<'_>, number: i64) -> PyResult<Game> {
        let tree = self.work(py, None, |database| {
            let number = number_of(&database, number)?;
            if !self.reading.deleted && database.is_deleted(number) {
                return Err(Error::no_such_game(number).in_file(database.name()));
            }
            database.get(number)
        });
        tree.map(Game::from)
    }

    /// Games by their numbers.
    fn slice(&self, py: Python<'_>, slice: &Bound<'_, PySlice>) -> PyResult<Vec<Game>> {
        let end = |name: &str| optional(name, &slice.getattr(name)?);
        let (start, stop, step) = (end("start")?, end("stop")?, end("step")?.unwrap_or(1));
        let Ok(step @ 1..) = u64::try_from(step) else {
            return Err(usage("a slice of games has a step of 1 or more"));
        };
        let signal = Arc::new(Signal::default());
        let trees = work::run(py, &signal, None, || {
            let database = self.lease(&signal)?;
            // As those of lists, ends that are beyond the games mean the first or the last of them.
            let end = |number| place_of(&database, number).map(|place| place.unwrap_or(0));
            let start = start.map_or(Ok(1), end)?.max(1);
            let stop = stop.map_or(Ok(u64::MAX), end)?;
            let numbers = Numbers { start, stop, step };
            some(&database, numbers, self.reading.deleted, &signal)
        })?;
        let trees = trees.get()?;
        Ok(trees.into_iter().map(Game::from).collect())
    }
}

/// What `pickle` keeps: the path, and all keywords.
type Kept<'py> = (PathBuf, Bound<'py, PyDict>);

/// The number of a game that is asked for; a negative one counts from behind the last entry.
fn number_of(database: &tabiya::Database, number: i64) -> Result<u64, Error> {
    let place = place_of(database, number)?;
    place.ok_or_else(|| {
        let words = format!("there is no game {number}");
        Error::new(ErrorKind::NoSuchGame, words).in_file(database.name())
    })
}

/// A number as it is, a negative one from behind the last entry; nothing before the first.
fn place_of(database: &tabiya::Database, number: i64) -> Result<Option<u64>, Error> {
    if let Ok(number) = u64::try_from(number) {
        return Ok(Some(number));
    }
    let last = match database.count() {
        Some(count) => count,
        None => games_in(&database.reopen()?.filter(Filter::default()))?,
    };
    let place = (last + 1).checked_add_signed(number);
    Ok(place.filter(|place| *place > 0))
}

/// Numbers from one up to another, in steps.
#[derive(Clone, Copy)]
struct Numbers {
    start: u64,
    stop: u64,
    step: u64,
}

/// The games of some numbers; those that are deleted too, if they are wanted.
fn some(
    database: &tabiya::Database,
    Numbers { start, stop, step }: Numbers,
    deleted: bool,
    signal: &Signal,
) -> Result<Vec<GameTree>, Error> {
    let mut found = Vec::new();
    let is_wanted = |number: u64| number >= start && (number - start).is_multiple_of(step);
    // Few games are asked for by their numbers, where that is possible.
    if let Some(count) = database.count()
        && stop.saturating_sub(start) < count / 4
    {
        for number in (start..stop.min(count + 1)).filter(|number| is_wanted(*number)) {
            signal.check()?;
            if !deleted && database.is_deleted(number) {
                continue;
            }
            match database.get(number) {
                Ok(game) => found.push(game),
                Err(error) if is_other(&error) => {}
                Err(error) => return Err(error),
            }
        }
        return Ok(found);
    }
    database.par_games(|games| {
        let mut flow = ControlFlow::Continue(());
        for game in games {
            let number = game.place.number;
            if number >= stop {
                flow = ControlFlow::Break(());
                break;
            }
            if is_wanted(number) {
                found.push(game);
            }
        }
        flow
    })?;
    Ok(found)
}

/// Whether there is something else than a game that is wanted.
fn is_other(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotAGame | ErrorKind::Filtered)
}

/// How many games pass the filter.
fn games_in(database: &tabiya::Database) -> Result<u64, Error> {
    let mut games = 0;
    database.par_tell(Counter::default, |Counter(more)| {
        games += more;
        ControlFlow::Continue(())
    })?;
    Ok(games)
}

/// Counts games, and needs to know nothing of them.
#[derive(Default)]
struct Counter(u64);

impl GameSink for Counter {
    fn needs(&mut self) -> Needs {
        Needs::NOTHING
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        self.0 += u64::from(matches!(event, Event::GameStart(_)));
        Flow::Continue
    }
}

#[pymethods]
impl Database {
    /// The path as it was given.
    #[getter]
    fn path(&self) -> &Path {
        &self.path
    }

    /// Its format: pgn, chessbase:cbh, scid:si4 and others. As `compression` and `damage`, it is that of
    /// the files as they were read last.
    #[getter]
    fn format(&self) -> String {
        self.said().format.clone()
    }

    /// How it is packed: zst, gz, bz2, xz, zip; None if it is not.
    #[getter]
    fn compression(&self) -> Option<&'static str> {
        self.said().compression
    }

    /// What is wrong with the database as a whole, in sentences: files that are missing, for example. What is
    /// met only when games are read, `check` tells.
    #[getter]
    fn damage(&self) -> Vec<String> {
        self.said().damage.clone()
    }

    /// How many entries it has, if that is known without reading it: deleted games and texts count.
    #[getter]
    fn entries(&self, py: Python<'_>) -> Option<u64> {
        py.detach(|| match &*self.opened() {
            Opened::Unread(database, _) => database.count(),
            Opened::Read | Opened::Closed => None,
        })
    }

    /// Only the games that pass these filters, and those that it has already. A filter that it has
    /// with another value is refused.
    ///
    /// Texts are found in others as people type them: case, accents, spaces and the order of words do not
    /// count, and a part is enough, so that "vander" finds Van der Wiel and "sac" finds "is accurate".
    /// `elo` is that of either player, and `elo_diff` White's less Black's.
    ///
    /// >>> import tabiya
    /// >>> famous = tabiya.open("samples/famous.pgn")
    /// >>> len(famous.filter(result="1-0")) < len(famous)
    /// True
    #[pyo3(signature = (**filters))]
    fn filter(&self, py: Python<'_>, filters: Option<&Bound<'_, PyDict>>) -> PyResult<Database> {
        let chosen = self.chosen.and(py, filters)?;
        let opened = work::run_unwatched(py, || match &*self.opened() {
            Opened::Unread(database, _) => database.reopen(),
            other => Err(self.nothing(other)),
        })?;
        let (reading, how) = (self.reading.clone(), self.how.clone());
        Ok(Database::new(opened, reading, how, chosen))
    }

    /// Closes it: nothing can be read of it any more. Iterators that are under way go on.
    fn close(&self, py: Python<'_>) {
        py.detach(|| *self.opened() = Opened::Closed);
    }

    fn __enter__(slf: PyRef<'_, Database>) -> PyRef<'_, Database> {
        slf
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        _exception: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) {
        self.close(py);
    }

    fn __iter__(&self, py: Python<'_>) -> Games {
        Games::new(py, self)
    }

    /// How many games it has that pass its filters. Texts are read to their end for that, once, and
    /// again when one of its files has changed.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        // Of the state that is counted, or of an earlier one, which nobody asks any more.
        let counted = py.detach(|| match &*self.opened() {
            Opened::Unread(_, counted) => Arc::clone(counted),
            Opened::Read | Opened::Closed => Arc::default(),
        });
        let counted = || counted.lock().unwrap_or_else(PoisonError::into_inner);
        let known = counted().clone();
        if let Some(known) = known.filter(|known| py.detach(|| known.files.holds())) {
            return Ok(known.games);
        }
        // A TypeError is what `list` passes over: it asks for the length, and does without.
        if tabiya::is_read_once(&self.path) {
            let words = "what can be read only once has no length that is known before";
            return Err(PyTypeError::new_err(words));
        }
        let now = self.work(py, None, |database| {
            let games = games_in(&database)? as usize;
            let files = database.files().clone();
            Ok(Counted { games, files })
        })?;
        let games = now.games;
        *counted() = Some(now);
        Ok(games)
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        number: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(slice) = number.cast::<PySlice>() {
            return Ok(self.slice(py, slice)?.into_pyobject(py)?.into_any());
        }
        let number = crate::values::number("number", number)?;
        Ok(self.game(py, number)?.into_pyobject(py)?.into_any())
    }

    /// What it holds, in numbers.
    ///
    /// >>> import tabiya
    /// >>> info = tabiya.open("samples/famous.pgn").info()
    /// >>> info.games == sum(info.results.values())
    /// True
    #[pyo3(signature = (*, progress=None))]
    fn info(&self, py: Python<'_>, progress: Option<Py<PyAny>>) -> PyResult<Info> {
        self.work(py, progress.as_ref(), |database| {
            Info::gather(&database, self.wanted())
        })
    }

    /// Looks for what is wrong with its games, and with its files. What cannot be read any further is told by
    /// `damage`, beside what was found before it.
    ///
    /// Every finding is kept, of which a large file may have millions, or only as many as `limit` says: the
    /// counts are those of all.
    ///
    /// >>> import tabiya
    /// >>> tabiya.open("samples/famous.pgn").check().ok
    /// True
    #[pyo3(signature = (*, limit=None, progress=None))]
    fn check(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::limit)] limit: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Check> {
        let signal = Arc::new(Signal::default());
        let work = || Check::of(self, limit, &signal);
        work::run(py, &signal, progress.as_ref(), work)?.get()
    }

    /// The games that answer a question: filters, and every condition of the command as a keyword.
    ///
    /// `fen`, `moves`, `loose`, `pattern`, `mirror`, `flip`, `material`, `plies_held`, `pawns`,
    /// `manoeuvre`, `sequence`, `streak`, `castled`, `check`, `mate`, `stalemate`, `underpromotion`,
    /// `sacrifice`, `similar`, `where`, `query`, `in_variations`; docs/search.md defines each of them.
    /// Of a list of conditions, a game meets each, at one place or another; `where` and `query` know "or". Of
    /// a list of filters, such as eco, it passes one.
    /// `sort` is elo (the mean of the known ratings, be it one), date or id; the highest and the newest come
    /// first, and of ids the lowest, or all in reverse. `limit` says how many games are wanted: all, or with `similar` the 20 that come nearest, and as many more as `limit` says. With
    /// `openings`, hits tell the opening that their moves come to.
    ///
    /// With `repertoire`, a path or a Database of games with variations, the games are those that follow it,
    /// by positions, and `Hit.departure` says where they leave it. `colour` says whose it is, white or
    /// black, if it does not tell by having one move where the other side has several. With `left_by`, the
    /// games are instead those that are left by me, opponent, line or game, or by several of them. It goes
    /// together with filters, but not with conditions.
    ///
    /// >>> import tabiya
    /// >>> famous = tabiya.open("samples/famous.pgn")
    /// >>> for hit in famous.search(mate=True, sacrifice=6, limit=1):
    /// ...     print(hit.number, hit.white)
    /// 2 Anderssen, Adolf
    #[pyo3(signature = (*, sort=None, reverse=false, limit=None, openings=false, progress=None,
                        **conditions))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn search(
        &self,
        py: Python<'_>,
        sort: Option<&str>,
        reverse: bool,
        #[pyo3(from_py_with = arguments::limit)] limit: Option<usize>,
        openings: bool,
        progress: Option<Py<PyAny>>,
        conditions: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Hits> {
        Hits::ask(
            py,
            self,
            sort,
            reverse,
            limit,
            openings,
            progress.as_ref(),
            conditions,
        )
    }

    /// What is played in a position: after `moves`, in `fen` or a Position, or at the start. `depth` says how
    /// many plies are told, 1 to 256.
    ///
    /// >>> import tabiya
    /// >>> tree = tabiya.open("samples/famous.pgn").tree(moves="1. e4")
    /// >>> tree.moves[0].san
    /// 'e5'
    #[pyo3(signature = (position=None, *, moves=None, depth=1, min_games=1, progress=None, **filters))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn tree(
        &self,
        py: Python<'_>,
        position: Option<&Bound<'_, PyAny>>,
        moves: Option<&str>,
        #[pyo3(from_py_with = arguments::depth)] depth: u32,
        #[pyo3(from_py_with = arguments::min_games)] min_games: u64,
        progress: Option<Py<PyAny>>,
        filters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Tree> {
        let filter = filter(self.wanted(), filters)?;
        let position = crate::tree::position(position, moves)?;
        if depth == 0 {
            return Err(bad_value("depth", "expected 1 to 256"));
        }
        self.work(py, progress.as_ref(), |database| {
            Tree::grow(&database.filter(filter), &position, depth, min_games)
        })
    }

    /// What tags and ends say of its games, as a stream of Arrow batches: one row a game.
    ///
    /// Columns are `number`, `event`, `site`, `date`, `round`, `white`, `black`, `white_elo`,
    /// `black_elo`, `eco`, `result`, and any tag by its name, which begins with a capital letter. They say
    /// what Game says; a tag is as it is written: the column `White` has "?" where `white` has nothing.
    ///
    /// >>> import tabiya, pyarrow
    /// >>> rows = tabiya.open("samples/famous.pgn").table(columns=["white", "result"])
    /// >>> pyarrow.table(rows).num_columns
    /// 2
    #[pyo3(signature = (*, columns=None, **filters))]
    fn table(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::columns)] columns: Option<Vec<String>>,
        filters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Stream> {
        let filter = filter(self.wanted(), filters)?;
        crate::rows::table(py, self, filter, columns)
    }

    /// The positions of its main lines, as a stream of Arrow batches: one row a ply.
    ///
    /// Columns are `game`, `ply`, `key` (that of Position), `uci`, `san`, `result` (1, 0, -1 for White),
    /// `white_elo`, `black_elo`, `clock` (milliseconds), `evaluation` (centipawns for White), `mate`;
    /// and, if `columns` names them, `fen`, `bitboards`, `turn`, `castling`, `en_passant` and `move`, as
    /// PositionArrays has them: `move` has castling as king takes rook, e1h1, and `en_passant` is the
    /// square where a pawn can be taken now, by its number (a1 0, b1 1, h8 63). All but `evaluation`,
    /// `mate` and `clock` are of the position before the move, which those are said of. Of a null move,
    /// `move` is 0, `uci` 0000 and `san` --; a ply that the game leaves out has no row.
    ///
    /// A library that takes the stream waits for it without looking after Ctrl-C; iterating it does.
    ///
    /// >>> import tabiya, pyarrow
    /// >>> rows = tabiya.open("samples/famous.pgn").positions(columns=["game", "ply", "uci"])
    /// >>> pyarrow.table(rows).column("uci")[0].as_py()
    /// 'e2e4'
    #[pyo3(signature = (*, columns=None, batch_size=65_536, **filters))]
    fn positions(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::columns)] columns: Option<Vec<String>>,
        #[pyo3(from_py_with = arguments::batch_size)] batch_size: usize,
        filters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Stream> {
        let filter = filter(self.wanted(), filters)?;
        crate::positions::stream(py, self, filter, columns, batch_size)
    }

    /// The positions of its main lines as NumPy arrays, batch by batch, for machine learning.
    ///
    /// >>> import tabiya
    /// >>> for batch in tabiya.open("samples/famous.pgn").position_arrays(batch_size=512):
    /// ...     planes = tabiya.planes(batch["bitboards"])
    /// >>> planes.shape[1:]
    /// (12, 8, 8)
    #[pyo3(signature = (*, batch_size=65_536, **filters))]
    fn position_arrays(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::batch_size)] batch_size: usize,
        filters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PositionArrays> {
        let filter = filter(self.wanted(), filters)?;
        PositionArrays::start(py, self, filter, batch_size)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Kept<'py>)> {
        if tabiya::is_read_once(&self.path) {
            let words = "what can be read only once cannot be pickled";
            return Err(usage(words));
        }
        let keywords = self.reading.keywords(py)?;
        if let Some(filters) = &self.chosen.keywords {
            keywords.update(filters.bind(py).as_mapping())?;
        }
        let restore = py.get_type::<Database>().getattr("_restore")?;
        Ok((restore, (self.path.clone(), keywords)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore<'py>(
        py: Python<'py>,
        path: PathBuf,
        keywords: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let module = PyModule::import(py, "tabiya._tabiya")?;
        module.getattr("open")?.call((path,), Some(keywords))
    }

    fn __repr__(&self) -> String {
        format!("Database({:?}, format={:?})", self.path, self.said().format)
    }
}
