//! Games from any format into any other.

use std::{num::NonZeroU64, path::PathBuf, sync::Arc};

use pyo3::{prelude::*, types::PyDict};
use tabiya::{Convert, Error, Filter};

use crate::{
    create::Writing,
    database::{Reading, format_of},
    error::{bad_value, usage},
    filter::filter,
    loss::Loss,
    values::paths,
    work::{self, Done, Progress, Signal},
};

/// Converts a file, or several, into another; names and contents say what they are.
///
/// `progress` is called now and then with a Progress, at least once before the end; if it returns False
/// or raises something then, nothing is written. At the end it is told of all, which takes nothing
/// back. `games` are numbers, "1,3,5..9". `strict` stops at the first game that would lose
/// something. All other keywords are those of `tabiya.open`, of `tabiya.create`, and filters.
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
    games: Option<&str>,
    strict: bool,
    append: bool,
    split: Option<u64>,
    dry_run: bool,
    texts: Option<PathBuf>,
    encoding: Option<String>,
    deleted: bool,
    salvage: bool,
    password: Option<String>,
    new_password: Option<String>,
    jobs: Option<usize>,
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
    let sources = paths(source)?;
    if sources.is_empty() {
        return Err(usage("source: name a file to convert"));
    }
    let numbers = games.map_or(Ok(Default::default()), |games| {
        games.parse().map_err(|error| bad_value("games", error))
    })?;
    let split = split.map(|games| {
        NonZeroU64::new(games).ok_or_else(|| usage("split: a file has at least one game"))
    });
    let split = split.transpose()?;
    let format = format.map(format_of).transpose()?;
    let (how, options) = (reading.open()?, writing.options());
    let filter = filter(&Filter::default(), filters)?;
    let done = run(py, progress.as_ref(), move || {
        let conversion = Convert::to(&target)
            .reading(how)
            .filter(filter)
            .numbers(numbers);
        let mut conversion = sources.iter().fold(conversion, Convert::input);
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
        conversion
            .options(options)
            .strict(strict)
            .append(append)
            .dry_run(dry_run)
    })?;
    done.get().map(Report)
}

/// Makes a conversion and runs it.
pub fn run(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    make: impl FnOnce() -> Convert<'static> + Send,
) -> PyResult<Done<tabiya::Report>> {
    let signal = Arc::new(Signal::default());
    let watching = Arc::clone(&signal);
    work::run(py, &signal, progress, move || {
        let conversion = make().watch(move |progress| {
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
#[pyclass(frozen, module = "tabiya")]
pub struct Report(pub tabiya::Report);

#[pymethods]
impl Report {
    /// The format that was written.
    #[getter]
    fn format(&self) -> String {
        self.0.format.to_string()
    }

    /// Games that were read: `read == written + refused + filtered + deleted`.
    #[getter]
    fn read(&self) -> u64 {
        self.0.counts.read
    }

    /// Games that were written.
    #[getter]
    fn written(&self) -> u64 {
        self.0.counts.written
    }

    /// Games that the format cannot hold at all.
    #[getter]
    fn refused(&self) -> u64 {
        self.0.counts.refused
    }

    /// Games that nobody asked for.
    #[getter]
    fn filtered(&self) -> u64 {
        self.0.counts.filtered
    }

    /// Games that are marked as deleted.
    #[getter]
    fn deleted(&self) -> u64 {
        self.0.counts.deleted
    }

    /// Texts that were read, and texts that were written.
    #[getter]
    fn texts(&self) -> (u64, u64) {
        (self.0.others.read, self.0.others.written)
    }

    /// Games of which something could not be read.
    #[getter]
    fn broken(&self) -> u64 {
        self.0.broken_count
    }

    /// The first of them: file, number, and what is wrong.
    #[getter]
    fn broken_games(&self) -> Vec<(String, u64, String)> {
        let broken = self.0.broken.iter();
        let broken = broken.map(|game| {
            (
                game.source.name.clone(),
                game.number,
                game.fault.message.clone(),
            )
        });
        broken.collect()
    }

    /// What the format could not hold, one of each kind.
    #[getter]
    fn losses(&self) -> Vec<Loss> {
        let losses = &self.0.losses;
        Loss::all(losses, |kind| Some(self.0.loss_input(kind).to_owned()))
    }

    /// What the format never holds, in words: empty where games are held as they are.
    #[getter]
    fn leaves_out(&self) -> &'static str {
        self.0.format.profile.leaves_out()
    }

    /// How often something is spelled in another way, which loses nothing.
    #[getter]
    fn respelled(&self) -> u64 {
        self.0
            .losses
            .respelled()
            .map_or(0, |respelled| respelled.count)
    }

    /// What is wrong with inputs as a whole.
    #[getter]
    fn damage(&self) -> Vec<String> {
        self.0.damage.iter().map(ToString::to_string).collect()
    }

    /// Games that were asked for by number and are not there.
    #[getter]
    fn absent(&self) -> Vec<String> {
        self.0.absent.iter().map(ToString::to_string).collect()
    }

    /// What may be a problem with the output.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.0.warnings.clone()
    }

    /// Seconds that it took.
    #[getter]
    fn seconds(&self) -> f64 {
        self.0.elapsed.as_secs_f64()
    }

    /// Whether every wanted game was written whole.
    #[getter]
    fn is_whole(&self) -> bool {
        self.0.is_whole()
    }

    fn __repr__(&self) -> String {
        let (counts, losses) = (&self.0.counts, self.0.losses.count());
        format!(
            "Report(read={}, written={}, losses={losses})",
            counts.read, counts.written
        )
    }
}
