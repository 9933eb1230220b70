//! Games from any format into any other.

use std::{num::NonZeroU64, path::PathBuf, sync::Arc};

use pyo3::{
    prelude::*,
    types::{PyDict, PyInt, PyString},
};
use tabiya::{Convert, Error, Filter, Numbers, Open};
use tabiya_game::ParseNumbersError;

use crate::{
    create::Writing,
    database::{Reading, format_of},
    error::{bad_value, usage},
    filter::filter,
    loss::Loss,
    values::{arguments, each, number, parsed, paths, wrong_type},
    work::{self, Done, Progress, Signal},
};

/// Converts a file, or several, into another; names and contents say what they are. What is there is
/// replaced when all is written, be it a source; but a source cannot be replaced by some of its games alone,
/// by `games` or a filter, unless `append` adds them.
///
/// `progress` is called now and then with a Progress, at least once before the end; if it returns False
/// or raises something then, nothing is written. Two things are, all the same: the files of `split` that are
/// complete, and what has gone to standard output, which is the target `-`. At the end it is told of all,
/// which takes nothing back.
///
/// `games` are numbers, "1,3,5..9" or a list such as `Hits.numbers`, of each source by itself: "1" is the
/// first game of each. `strict` stops at the first game that is
/// broken, or would lose or respell something, at a source that is damaged, and at a number that it does not
/// have: it goes neither with `salvage` nor with `split`, nor does `append` with `split`. `texts` is a folder
/// for texts that are no games, which has none yet. All other keywords are those of `tabiya.open`, of
/// `tabiya.create`, and filters.
///
/// >>> import tabiya, tempfile, pathlib
/// >>> target = pathlib.Path(tempfile.mkdtemp(), "games.si5")
/// >>> report = tabiya.convert("samples/famous.pgn", target)
/// >>> report.read == report.written, report.losses
/// (True, [])
#[pyfunction]
#[pyo3(signature = (source, target, *, format=None, from_format=None, progress=None, games=None,
                    strict=false, append=false, split=None, dry_run=false, texts=None, encoding=None,
                    deleted=false, salvage=false, password=None, new_password=None, jobs=None,
                    jose_date_fix=false, comments=true, variations=true, nags=true, memory=None,
                    index=true, one_line=false, keep_raw=false, **filters))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub fn convert(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    target: PathBuf,
    format: Option<&str>,
    from_format: Option<String>,
    progress: Option<Py<PyAny>>,
    games: Option<&Bound<'_, PyAny>>,
    strict: bool,
    append: bool,
    #[pyo3(from_py_with = arguments::split)] split: Option<u64>,
    dry_run: bool,
    texts: Option<PathBuf>,
    encoding: Option<String>,
    deleted: bool,
    salvage: bool,
    password: Option<String>,
    new_password: Option<String>,
    #[pyo3(from_py_with = arguments::jobs)] jobs: Option<usize>,
    jose_date_fix: bool,
    comments: bool,
    variations: bool,
    nags: bool,
    memory: Option<&str>,
    index: bool,
    one_line: bool,
    keep_raw: bool,
    filters: Option<&Bound<'_, PyDict>>,
) -> PyResult<Report> {
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
        comments,
        variations,
        nags,
        memory,
        index,
        one_line,
        keep_raw,
    };
    not_both(("strict", strict), ("salvage", salvage))?;
    not_both(("strict", strict), ("split", split.is_some()))?;
    not_both(("append", append), ("split", split.is_some()))?;
    let inputs = Inputs::read(source, games, &reading, filters)?;
    let split = split.map(|games| {
        NonZeroU64::new(games).ok_or_else(|| usage("split: a file has at least one game"))
    });
    let split = split.transpose()?;
    let format = format.map(format_of).transpose()?;
    let options = writing.options()?;
    let done = run(py, progress.as_ref(), move || {
        let mut conversion = inputs.of(Convert::to(&target));
        if let Some(format) = format {
            conversion = conversion.format(format);
        }
        if let Some(games) = split {
            conversion = conversion.split(games);
        }
        if let Some(folder) = texts {
            conversion = conversion.texts(folder);
        }
        if let Some(password) = new_password {
            conversion = conversion.password(password);
        }
        let conversion = conversion.options(options).strict(strict);
        Ok(conversion.append(append).dry_run(dry_run))
    })?;
    done.get().map(|done| Report::of(&done))
}

/// Refuses two keywords that contradict each other.
pub fn not_both(one: (&str, bool), other: (&str, bool)) -> PyResult<()> {
    match one.1 && other.1 {
        true => Err(bad_value(
            one.0,
            format_args!("not together with {}", other.0),
        )),
        false => Ok(()),
    }
}

/// What is read: that of conversions, and of imports.
pub struct Inputs {
    sources: Vec<PathBuf>,
    numbers: Numbers,
    filter: Filter,
    how: Open,
}

impl Inputs {
    /// As arguments and keywords say it.
    pub fn read(
        source: &Bound<'_, PyAny>,
        games: Option<&Bound<'_, PyAny>>,
        reading: &Reading,
        filters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Inputs> {
        Ok(Inputs {
            sources: paths("source", source)?,
            numbers: games.map_or(Ok(Numbers::default()), numbers)?,
            filter: filter(&Filter::default(), filters)?,
            how: reading.open()?,
        })
    }

    /// A conversion that reads them.
    pub fn of(self, conversion: Convert<'static>) -> Convert<'static> {
        let conversion = self.sources.iter().fold(conversion, Convert::input);
        conversion
            .reading(self.how)
            .filter(self.filter)
            .numbers(self.numbers)
    }
}

/// Numbers of games: a text of them, or a list as `Hits.numbers` is.
fn numbers(games: &Bound<'_, PyAny>) -> PyResult<Numbers> {
    if games.is_instance_of::<PyString>() {
        return parsed("games", games);
    }
    let mut numbers = each("games", games, |item| {
        match item.is_instance_of::<PyInt>() {
            true => number::<u64>("games", item),
            false => Err(wrong_type("games", "a str or numbers", item)),
        }
    })?;
    // In their order, one of them is found quickly among many.
    numbers.sort_unstable();
    numbers.dedup();
    match numbers.first() {
        Some(0) => Err(bad_value("games", ParseNumbersError::Zero)),
        _ => Ok(numbers.into_iter().collect()),
    }
}

/// Makes a conversion and runs it.
pub fn run(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    make: impl FnOnce() -> Result<Convert<'static>, Error> + Send,
) -> PyResult<Done<tabiya::Report>> {
    let signal = Arc::new(Signal::default());
    let watching = Arc::clone(&signal);
    work::run(py, &signal, progress, move || {
        let conversion = make()?.watch(move |progress| {
            watching.tell(Progress {
                games: Some(progress.games),
                bytes: progress.bytes,
                total: progress.total,
            })
        });
        conversion.run().map_err(Error::from)
    })
}

/// What became of a conversion, or of an import.
///
/// >>> import tabiya, tempfile, pathlib
/// >>> target = pathlib.Path(tempfile.mkdtemp(), "games.uci")
/// >>> report = tabiya.convert("samples/annotated.pgn", target)
/// >>> report.read, report.written, report.is_whole
/// (9, 9, False)
/// >>> "comments" in [loss.kind for loss in report.losses]
/// True
#[pyclass(frozen, module = "tabiya")]
pub struct Report(Kept);

/// What it tells, as `pickle` keeps it.
#[derive(Clone, FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
struct Kept {
    format: String,
    /// Read, written, refused, filtered, deleted.
    counts: [u64; 5],
    texts: (u64, u64),
    broken: u64,
    broken_games: Vec<(String, u64, String)>,
    losses: Vec<Loss>,
    leaves_out: String,
    respelled: u64,
    damage: Vec<String>,
    absent: Vec<String>,
    warnings: Vec<String>,
    seconds: f64,
    is_whole: bool,
}

impl Report {
    pub fn of(done: &tabiya::Report) -> Report {
        let (counts, losses) = (&done.counts, &done.losses);
        let broken_games = done.broken.iter().map(|game| {
            let (file, what) = (game.source.name.clone(), game.fault.message.clone());
            (file, game.number, what)
        });
        Report(Kept {
            format: done.format.to_string(),
            counts: [
                counts.read,
                counts.written,
                counts.refused,
                counts.filtered,
                counts.deleted,
            ],
            texts: (done.others.read, done.others.written),
            broken: done.broken_count,
            broken_games: broken_games.collect(),
            losses: Loss::all(losses, |kind| Some(done.loss_input(kind).to_owned())),
            leaves_out: done.format.profile.leaves_out().to_owned(),
            respelled: losses.respelled().map_or(0, |respelled| respelled.count),
            damage: done.damage.iter().map(ToString::to_string).collect(),
            absent: done.absent.iter().map(ToString::to_string).collect(),
            warnings: done.warnings.clone(),
            seconds: done.elapsed.as_secs_f64(),
            is_whole: done.is_whole(),
        })
    }
}

#[pymethods]
impl Report {
    /// The format that was written.
    #[getter]
    fn format(&self) -> &str {
        &self.0.format
    }

    /// Games that were read: `read == written + refused + filtered + deleted`.
    #[getter]
    fn read(&self) -> u64 {
        self.0.counts[0]
    }

    /// Games that were written.
    #[getter]
    fn written(&self) -> u64 {
        self.0.counts[1]
    }

    /// Games that the format cannot hold at all.
    #[getter]
    fn refused(&self) -> u64 {
        self.0.counts[2]
    }

    /// Games that nobody asked for.
    #[getter]
    fn filtered(&self) -> u64 {
        self.0.counts[3]
    }

    /// Games that are marked as deleted.
    #[getter]
    fn deleted(&self) -> u64 {
        self.0.counts[4]
    }

    /// Texts that were read, and texts that were written.
    #[getter]
    fn texts(&self) -> (u64, u64) {
        self.0.texts
    }

    /// Games of which something could not be read.
    #[getter]
    fn broken(&self) -> u64 {
        self.0.broken
    }

    /// The first of them: file, number, and what is wrong.
    #[getter]
    fn broken_games(&self) -> Vec<(String, u64, String)> {
        self.0.broken_games.clone()
    }

    /// What the format could not hold, one of each kind.
    #[getter]
    fn losses(&self) -> Vec<Loss> {
        self.0.losses.clone()
    }

    /// What the format never holds, in words: empty where games are held as they are.
    #[getter]
    fn leaves_out(&self) -> &str {
        &self.0.leaves_out
    }

    /// How often something is spelled in another way, which loses nothing.
    #[getter]
    fn respelled(&self) -> u64 {
        self.0.respelled
    }

    /// What is wrong with inputs as a whole.
    #[getter]
    fn damage(&self) -> Vec<String> {
        self.0.damage.clone()
    }

    /// Games that were asked for by number and are not there.
    #[getter]
    fn absent(&self) -> Vec<String> {
        self.0.absent.clone()
    }

    /// What may be a problem with the output.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.0.warnings.clone()
    }

    /// Seconds that it took.
    #[getter]
    fn seconds(&self) -> f64 {
        self.0.seconds
    }

    /// Whether every wanted game was written whole.
    #[getter]
    fn is_whole(&self) -> bool {
        self.0.is_whole
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Kept,))> {
        let restore = py.get_type::<Report>().getattr("_restore")?;
        Ok((restore, (self.0.clone(),)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(kept: Kept) -> Report {
        Report(kept)
    }

    fn __repr__(&self) -> String {
        let losses: u64 = self.0.losses.iter().map(|loss| loss.count).sum();
        let (read, written) = (self.read(), self.written());
        let broken = match self.0.broken {
            0 => String::new(),
            broken => format!(", broken={broken}"),
        };
        format!("Report(read={read}, written={written}, losses={losses}{broken})")
    }
}
