//! Games from any format into any other.
//!
//! Threads read parts of the inputs and write them in the new format; [`join::Joiner`] gives the
//! games their numbers and puts their bytes one after the other, so that the output does not
//! depend on the number of threads.

mod edited;
mod inputs;
mod join;
mod outputs;
mod report;
mod texts;

use std::{
    fmt, fs,
    num::{NonZeroU64, NonZeroUsize},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::Arc,
};

use tabiya_formats::{
    Destination, Target, convert_part,
    io::{TemporaryFolder, folder_of},
    ordered,
    registry::{
        FormatProfile, FormatSpec, Opened, PASSWORD, Registry, WriteOptions,
        place::{self, Purpose},
    },
};
use tabiya_game::{Filter, Numbers};

pub use edited::Edit;
pub use inputs::{Damage, Source};
pub use outputs::Left;
pub(crate) use outputs::{number_in, parts_there, unwritten};
pub use report::{Absent, BROKEN_LISTED, BrokenGame, Report, Stopped};

use crate::{Database, EarlierOutput, Error, ErrorKind, Open, Result, folder::expand, registry};
use edited::edited;
use inputs::Inputs;
use join::{Joined, Joiner, Watcher, Wishes};
use outputs::{Outputs, numbered};
use texts::{Texts, Written};

/// A conversion to be: what [`convert`](crate::convert) returns.
///
/// The output appears only when it is complete; if anything fails, what was there before is left.
/// A file may be converted into itself, but not only some of its games.
///
/// ```
/// use tabiya::Filter;
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, output) = (folder.path().join("games.pgn"), folder.path().join("games.si5"));
/// # std::fs::write(&path, "[White \"Morphy\"]\n\n1. e4 *\n\n[White \"Staunton\"]\n\n1. c4 *\n")?;
/// let filter = Filter { player: Some("morphy".into()), ..Filter::default() };
/// let report = tabiya::convert(&path, &output).filter(filter).run()?;
/// assert_eq!((report.counts.written, report.counts.filtered), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "nothing happens before `run`"]
pub struct Convert<'w> {
    inputs: Vec<PathBuf>,
    output: PathBuf,
    format: Option<FormatSpec>,
    how: Open,
    filter: Filter,
    numbers: Numbers,
    /// Those of some inputs.
    numbers_of: Vec<(PathBuf, Numbers)>,
    /// Inputs that are open already.
    ready: Vec<(PathBuf, Opened)>,
    options: WriteOptions,
    strict: bool,
    split: Option<NonZeroU64>,
    append: bool,
    password: Option<String>,
    dry_run: bool,
    texts: Option<PathBuf>,
    /// Where the games go, if somebody has begun that already.
    target: Option<Box<dyn Target>>,
    registry: Option<Arc<Registry>>,
    edit: Option<Edit>,
    watcher: Option<Watcher<'w>>,
}

/// How far a conversion has come.
///
/// ```
/// use std::ops::ControlFlow;
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, output) = (folder.path().join("games.pgn"), folder.path().join("copy.pgn"));
/// # std::fs::write(&path, "1. e4 e5 *\n")?;
/// let mut games = 0;
/// tabiya::convert(&path, &output)
///     .watch(|progress| {
///         games = progress.games;
///         ControlFlow::Continue(())
///     })
///     .run()?;
/// assert_eq!(games, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// Games that have been read and are in their place.
    pub games: u64,
    /// Bytes of all inputs, as they are stored, that have been read.
    pub bytes: u64,
    /// Bytes of all inputs, if all are files.
    pub total: Option<u64>,
    /// What is wrong with inputs as a whole, as far as that is known.
    pub damage: &'a [Damage],
}

impl<'w> Convert<'w> {
    /// Into a file, of inputs that [`Convert::input`] names; `-` is standard output.
    ///
    /// ```
    /// let mut conversion = tabiya::Convert::to("all.si5");
    /// for year in 2020..=2026 {
    ///     conversion = conversion.input(format!("games of {year}.pgn"));
    /// }
    /// ```
    pub fn to(output: impl AsRef<Path>) -> Convert<'w> {
        Convert {
            inputs: Vec::new(),
            output: output.as_ref().to_owned(),
            format: None,
            how: Open::default(),
            filter: Filter::default(),
            numbers: Numbers::default(),
            numbers_of: Vec::new(),
            ready: Vec::new(),
            options: WriteOptions::default(),
            strict: false,
            split: None,
            append: false,
            password: None,
            dry_run: false,
            texts: None,
            target: None,
            registry: None,
            edit: None,
            watcher: None,
        }
    }

    /// One more input, read after the others. They may be of different formats; `-` is standard
    /// input, and a folder stands for the PGN files in it, unless it is a database itself.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = |name: &str| folder.path().join(name);
    /// # std::fs::write(path("a.pgn"), "1. e4 *\n")?;
    /// # std::fs::write(path("b.pgn"), "1. d4 *\n")?;
    /// let report = tabiya::convert(path("a.pgn"), path("all.pgn")).input(path("b.pgn")).run()?;
    /// assert_eq!(report.counts.written, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn input(mut self, path: impl AsRef<Path>) -> Convert<'w> {
        self.inputs.push(path.as_ref().to_owned());
        self
    }

    /// Reads an input as it was when this database was opened, if it is of tabiya's own: whoever has
    /// asked it for [numbers](Convert::numbers_of) of games gets those games, even if somebody else
    /// changes it. Other formats are opened again.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, output) = (folder.path().join("games.tabiya"), folder.path().join("some.pgn"));
    /// # let mut games = tabiya::create(&path)?;
    /// # games.add(&tabiya::GameTree::default())?;
    /// # games.finish()?;
    /// let database = tabiya::open(&path)?;
    /// tabiya::edit(&path, |_, game| {
    ///     game.tags.set("White", "Somebody else");
    ///     true
    /// })?;
    /// tabiya::convert(&path, &output).as_opened(&database).run()?;
    /// assert_eq!(tabiya::open(&output)?.get(1)?.tags.white(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn as_opened(mut self, database: &Database) -> Convert<'w> {
        let again = database.opened_again();
        let path = database.path().to_owned();
        self.ready.extend(again.map(|opened| (path, opened)));
        self
    }

    /// The format to write; without it, what the name of the output says, or PGN.
    ///
    /// ```
    /// let conversion = tabiya::convert("games.pgn", "-").format(tabiya::registry().spec("uci")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn format(mut self, format: FormatSpec) -> Convert<'w> {
        self.format = Some(format);
        self
    }

    /// How the inputs are read.
    ///
    /// ```
    /// use tabiya::Open;
    ///
    /// let conversion = tabiya::convert("games.cbh", "games.pgn").reading(Open::new().deleted(true));
    /// ```
    pub fn reading(mut self, how: Open) -> Convert<'w> {
        self.how = how;
        self
    }

    /// How many threads work; without it, as many as there are cores. The output does not depend
    /// on it.
    ///
    /// ```
    /// use std::num::NonZeroUsize;
    ///
    /// let conversion = tabiya::convert("games.cbh", "games.pgn").jobs(NonZeroUsize::MIN);
    /// ```
    pub fn jobs(mut self, jobs: NonZeroUsize) -> Convert<'w> {
        self.how = self.how.jobs(jobs);
        self
    }

    /// Only the games that pass a filter.
    ///
    /// ```
    /// use tabiya::Filter;
    ///
    /// let conversion = tabiya::convert("games.cbh", "najdorf.pgn")
    ///     .filter(Filter { eco: vec!["B9".parse()?], ..Filter::default() });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn filter(mut self, filter: Filter) -> Convert<'w> {
        self.filter = filter;
        self
    }

    /// Only the games of these numbers in their files. All entries count, deleted games and texts
    /// too.
    ///
    /// ```
    /// let conversion = tabiya::convert("games.cbh", "some.pgn").numbers("1,3,5..9".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn numbers(mut self, numbers: Numbers) -> Convert<'w> {
        self.numbers = numbers;
        self
    }

    /// Only the games of these numbers in one of the inputs, which is a file; it is not asked for
    /// those of [`Convert::numbers`].
    ///
    /// ```
    /// let conversion = tabiya::convert("a.pgn", "some.pgn")
    ///     .input("b.cbh")
    ///     .numbers_of("a.pgn", "7".parse()?)
    ///     .numbers_of("b.cbh", [1, 2, 9].into_iter().collect());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn numbers_of(mut self, input: impl AsRef<Path>, numbers: Numbers) -> Convert<'w> {
        self.numbers_of.push((input.as_ref().to_owned(), numbers));
        self
    }

    /// What is written of a game. What is not wanted is left out and is not lost.
    ///
    /// ```
    /// use tabiya::WriteOptions;
    ///
    /// let conversion = tabiya::convert("games.cbh", "plain.pgn")
    ///     .options(WriteOptions { comments: false, ..WriteOptions::default() });
    /// ```
    pub fn options(mut self, options: WriteOptions) -> Convert<'w> {
        self.options = options;
        self
    }

    /// Stops at the first game that is broken, or would lose or respell something, at an input that
    /// is damaged, and at a number that it does not have, and writes nothing.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, output) = (folder.path().join("games.pgn"), folder.path().join("games.uci"));
    /// # std::fs::write(&path, "1. e4 {best} e5 *\n")?;
    /// let error = tabiya::convert(&path, &output).strict(true).run().unwrap_err();
    /// assert!(error.to_string().contains("the format cannot hold"), "{error}");
    /// assert!(!output.exists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn strict(mut self, strict: bool) -> Convert<'w> {
        self.strict = strict;
        self
    }

    /// So many games a file: `out-0001.pgn`, `out-0002.pgn`. Each appears when it is complete, so
    /// those before a failure are there.
    ///
    /// ```
    /// use std::num::NonZeroU64;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, output) = (folder.path().join("games.pgn"), folder.path().join("part.pgn"));
    /// # std::fs::write(&path, "1. e4 *\n\n1. d4 *\n")?;
    /// tabiya::convert(&path, &output).split(NonZeroU64::MIN).run()?;
    /// assert!(folder.path().join("part-0002.pgn").exists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn split(mut self, games: NonZeroU64) -> Convert<'w> {
        self.split = Some(games);
        self
    }

    /// Adds the games to those that the output has already.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, output) = (folder.path().join("games.pgn"), folder.path().join("all.pgn"));
    /// # std::fs::write(&path, "1. e4 *\n")?;
    /// for _ in 0..2 {
    ///     tabiya::convert(&path, &output).append(true).run()?;
    /// }
    /// assert_eq!(tabiya::open(&output)?.games().count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn append(mut self, append: bool) -> Convert<'w> {
        self.append = append;
        self
    }

    /// Where the games go, if somebody has begun that already: the output says only what it is called,
    /// and of which format it is. An importer of a store makes sure that nobody else has changed it.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, output) = (folder.path().join("games.pgn"), folder.path().join("all.tabiya"));
    /// # std::fs::write(&path, "1. e4 *\n")?;
    /// # tabiya::create(&output)?.finish()?;
    /// let seen = tabiya::store::Store::open(&output)?.of_this_state();
    /// let importer = Box::new(seen.importer()?);
    /// tabiya::convert(&path, &output).append(true).target(importer).run()?;
    /// assert!(seen.has_led_to(&tabiya::store::Store::open(&output)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn target(mut self, target: Box<dyn Target>) -> Convert<'w> {
        self.target = Some(target);
        self
    }

    /// The password of the output, which has to be a new archive.
    ///
    /// ```
    /// use tabiya::Open;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, output) = (folder.path().join("games.pgn"), folder.path().join("games.cbz"));
    /// # std::fs::write(&path, "1. e4 *\n")?;
    /// tabiya::convert(&path, &output).password("open sesame").run()?;
    /// let games = Open::new().password("open sesame").open(&output)?;
    /// assert_eq!(games.games().count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn password(mut self, password: impl Into<String>) -> Convert<'w> {
        self.password = Some(password.into());
        self
    }

    /// Does everything but write.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, output) = (folder.path().join("games.pgn"), folder.path().join("games.uci"));
    /// # std::fs::write(&path, "1. e4 {best} e5 *\n")?;
    /// let report = tabiya::convert(&path, &output).dry_run(true).run()?;
    /// assert_eq!(report.losses.count(), 1);
    /// assert!(!output.exists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn dry_run(mut self, dry_run: bool) -> Convert<'w> {
        self.dry_run = dry_run;
        self
    }

    /// Writes the texts that belong to no game as files into a folder, one for each text and
    /// language, also those that the output holds. They count as written. If the conversion fails,
    /// none is there. A folder that has such files already is refused.
    ///
    /// ```
    /// let conversion = tabiya::convert("course.cbh", "course.pgn").texts("course texts");
    /// ```
    pub fn texts(mut self, folder: impl AsRef<Path>) -> Convert<'w> {
        self.texts = Some(folder.as_ref().to_owned());
        self
    }

    /// Which formats there are, if not those of [`registry`](crate::registry).
    ///
    /// ```
    /// let registry = tabiya::registry().clone();
    /// let conversion = tabiya::convert("games.pgn", "games.cbh").registry(registry);
    /// ```
    pub fn registry(mut self, registry: Registry) -> Convert<'w> {
        self.registry = Some(Arc::new(registry));
        self
    }

    /// Changes each wanted game before it is written. Texts stay as they are.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, output) = (folder.path().join("games.pgn"), folder.path().join("new.pgn"));
    /// # std::fs::write(&path, "1. e4 e5 *\n")?;
    /// tabiya::convert(&path, &output)
    ///     .edit(Arc::new(|game| game.tags.set("Event", "Club evening")))
    ///     .run()?;
    /// assert_eq!(tabiya::open(&output)?.get(1)?.tags.event(), Some("Club evening"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edit(mut self, edit: Edit) -> Convert<'w> {
        self.edit = Some(edit);
        self
    }

    /// Tells somebody, now and then, how far it is. Whoever breaks ends the conversion, which
    /// leaves what was there before.
    ///
    /// ```
    /// use std::{ops::ControlFlow, time::{Duration, Instant}};
    ///
    /// let end = Instant::now() + Duration::from_secs(60);
    /// let conversion = tabiya::convert("games.cbh", "games.pgn").watch(|_| {
    ///     match Instant::now() < end {
    ///         true => ControlFlow::Continue(()),
    ///         false => ControlFlow::Break(()),
    ///     }
    /// });
    /// ```
    pub fn watch(
        mut self,
        watcher: impl FnMut(&Progress<'_>) -> ControlFlow<()> + 'w,
    ) -> Convert<'w> {
        self.watcher = Some(Box::new(watcher));
        self
    }

    /// Converts.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, output) = (folder.path().join("games.pgn"), folder.path().join("games.cbh"));
    /// # std::fs::write(&path, "1. e4 e5 *\n")?;
    /// let report = tabiya::convert(&path, &output).run()?;
    /// assert_eq!(report.counts.written, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If an input cannot be read, the output cannot be written, something is not whole where
    /// everything must be ([`ErrorKind::NotWhole`]), or somebody broke it off
    /// ([`ErrorKind::Cancelled`]).
    pub fn run(mut self) -> Result<Report, Stopped> {
        let texts = self.texts.as_deref().map(Texts::new).transpose();
        let texts = texts.map_err(Stopped::before_all)?;
        let (format, outputs) = self.begin().map_err(Stopped::before_all)?;
        let how = self.how.clone().with_formats(self.registry.as_ref());
        let ready = std::mem::take(&mut self.ready);
        let mut inputs = Inputs::new(self.inputs.clone(), ready, how, self.strict);
        let registry = self.formats();
        let numbers = self.wanted_numbers();
        let wishes = Wishes {
            format,
            numbers: &numbers,
            strict: self.strict,
            inputs: self.inputs.len(),
            watcher: self.watcher,
        };
        let mut joiner = Joiner::new(wishes, &inputs, outputs);
        let (filter, options) = (&self.filter, &self.options);
        let edit = self.edit.as_ref();
        ordered(
            self.how.threads(),
            || inputs.next(),
            |met| {
                met.map(|source, part| {
                    let writer = edited(registry.writer(format, options)?, edit);
                    let numbers = &numbers[source.index];
                    let converted = match &texts {
                        Some(texts) => texts.convert(&*part, filter, numbers, writer),
                        None => convert_part(&*part, filter, numbers, writer),
                    };
                    converted.map_err(|error| error.trying_to("read", &source.name))
                })
            },
            |met| joiner.join(met),
        );
        // Closes the files before one of them may be replaced.
        let opened = inputs.close();
        let mut joined = joiner.finish(opened);
        let mut files = None;
        if let Some(texts) = texts
            && joined.failed.is_none()
            && !self.dry_run
        {
            match texts.write() {
                Ok(written) => files = Some(written),
                Err(error) => joined.failed = Some(error),
            }
        }
        let report = finish(joined)?;
        files.into_iter().for_each(Written::keep);
        Ok(report)
    }

    /// Refuses what would destroy something, and what is certain to fail, before any work is done.
    fn begin(&mut self) -> Result<(FormatProfile, Outputs)> {
        if self.inputs.is_empty() {
            // An empty database would take the place of what is there.
            return Err(Error::new(ErrorKind::Unsupported, "there is no input"));
        }
        if self.split.is_some() && self.append {
            let message = "several files are begun anew, nothing can be appended to them";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        if self.split.is_some() && self.target.is_some() {
            let message = "several files are begun one by one, and the target is one";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let registry = self.formats();
        let registry = &*registry;
        let earlier = match self.split {
            Some(_) => EarlierOutput::Split(&self.output),
            None => EarlierOutput::File(&self.output),
        };
        self.inputs = expand(registry, &self.inputs, earlier)?;
        let purpose = match self.append {
            true => Purpose::Append,
            false => Purpose::New,
        };
        let format = place::profile(registry, Some(&self.output), self.format, purpose)?;
        self.output = place::file(registry, &self.output, format, self.format);
        // Fails here if the format cannot be written.
        registry.writer(format, &self.options)?;
        self.check_inputs()?;
        let is_stream = self.output == Path::new("-");
        if self.split.is_some() && is_stream {
            let message = "several files need a name, not standard output";
            return Err(Error::new(ErrorKind::NeedsFile, message));
        }
        // Of several files, the others are looked at one by one.
        let first = match self.split {
            Some(_) => &numbered(&self.output, 1),
            None => &self.output,
        };
        if !is_stream {
            place::check(registry, first, format, purpose)?;
        }
        self.check_dropped(registry)?;
        Ok((format, self.outputs(format)?))
    }

    /// Refuses to put some games of an input in the place of all of them: nothing would have the others.
    fn check_dropped(&self, registry: &Registry) -> Result<()> {
        if self.append || self.split.is_some() {
            return Ok(());
        }
        let are_some = |numbers: &Numbers| !self.filter.is_empty() || !numbers.is_all();
        let wanted = self.wanted_numbers();
        let mut inputs = self.inputs.iter().zip(&wanted);
        let replaced = inputs.find(|(input, numbers)| {
            are_some(numbers) && place::is_same_database(registry, input, &self.output)
        });
        match replaced {
            Some((input, _)) => {
                let name = input.display().to_string();
                let why = "is an input too, and would lose all games but those that are asked for: \
                           choose another name";
                Err(Error::about(ErrorKind::WrongPlace, name, why))
            }
            None => Ok(()),
        }
    }

    /// The numbers that are wanted of each input. One that comes several times may have others each
    /// time.
    fn wanted_numbers(&self) -> Vec<Numbers> {
        let mut left: Vec<&(PathBuf, Numbers)> = self.numbers_of.iter().collect();
        let numbers = |input: &PathBuf| match left.iter().position(|(path, _)| path == input) {
            Some(place) => left.remove(place).1.clone(),
            None => self.numbers.clone(),
        };
        self.inputs.iter().map(numbers).collect()
    }

    /// The formats that there are.
    fn formats(&self) -> Arc<Registry> {
        let own = self.registry.clone();
        own.unwrap_or_else(|| Arc::new(registry().clone()))
    }

    fn check_inputs(&self) -> Result<()> {
        let is_stream = |path: &&PathBuf| path.as_path() == "-";
        if self.inputs.iter().filter(is_stream).count() > 1 {
            return Err(crate::read_twice(Path::new("-")));
        }
        for path in self.inputs.iter().filter(|path| !is_stream(path)) {
            fs::metadata(path).map_err(|error| {
                Error::from(error).trying_to("open", path.display().to_string())
            })?;
        }
        Ok(())
    }

    fn outputs(&mut self, format: FormatProfile) -> Result<Outputs> {
        if self.dry_run {
            return self.rehearsal(format);
        }
        match (self.split, self.target.take()) {
            (Some(size), _) => Ok(self.parts(format, size, None)),
            (None, Some(target)) => Ok(Outputs::One {
                path: Some(self.output.clone()),
                target,
            }),
            (None, None) => self.output_itself(format),
        }
    }

    fn output_itself(&self, format: FormatProfile) -> Result<Outputs> {
        let (output, options) = (Some(self.output.as_path()), self.target_options());
        Outputs::one(&self.formats(), format, &options, output, self.append)
    }

    fn parts(&self, format: FormatProfile, size: NonZeroU64, elsewhere: Option<&Path>) -> Outputs {
        let (registry, options) = (self.formats(), self.target_options());
        let (path, inputs) = (&self.output, &self.inputs);
        Outputs::split(
            registry,
            format,
            options,
            path,
            elsewhere,
            size.get(),
            inputs,
        )
    }

    /// How the output is written, with its password.
    fn target_options(&self) -> WriteOptions {
        let mut options = self.options.clone();
        if let Some(password) = &self.password {
            options.settings.set(&PASSWORD, password.as_str());
        }
        options
    }

    /// Where the games of a dry run go: nowhere, unless only the database itself knows what is lost
    /// in it.
    fn rehearsal(&self, format: FormatProfile) -> Result<Outputs> {
        let Some(creator) = format.profile.write() else {
            return Ok(Outputs::nothing());
        };
        let named = Some(self.output.as_path()).filter(|path| *path != "-");
        let grows = self.append && self.output.exists();
        if (named.is_none() && creator.needs_file()) || (grows && !creator.appends()) {
            // It says why not.
            return self.output_itself(format);
        }
        if let Some(path) = named {
            fs::metadata(folder_of(path)).map_err(|error| unwritten(error, named))?;
        }
        if !creator.target_loses() {
            return Ok(Outputs::nothing());
        }
        if grows {
            return Ok(Outputs::Rehearsal {
                outputs: Box::new(self.output_itself(format)?),
                folder: None,
            });
        }
        let folder = TemporaryFolder::create()?;
        let extension = format.profile.extensions().first();
        let name = Path::new("games").with_extension(extension.unwrap_or(&""));
        let name = named.and_then(Path::file_name).unwrap_or(name.as_os_str());
        let path = folder.path().join(name);
        let outputs = match self.split {
            Some(size) => self.parts(format, size, Some(folder.path())),
            None => {
                let (place, options) = (Destination::New(&path), self.target_options());
                let target = self.formats().target(format, place, &options);
                Outputs::One {
                    // Nobody knows the file that is written by its name.
                    target: target.map_err(|error| unwritten(error, named))?,
                    path: named.map(Path::to_path_buf),
                }
            }
        };
        Ok(Outputs::Rehearsal {
            outputs: Box::new(outputs),
            folder: Some(folder),
        })
    }
}

/// Puts the output in its place, unless something speaks against it.
fn finish(joined: Joined) -> Result<Report, Stopped> {
    let Joined {
        mut report,
        outputs,
        mut failed,
    } = joined;
    if failed.is_none() && !(report.counts.add_up() && report.others.add_up()) {
        let counts = (report.counts, report.others);
        let words = format!("the counts do not add up, which is a mistake of tabiya: {counts:?}");
        failed = Some(Error::new(ErrorKind::Internal, words));
    }
    let left = outputs.left();
    let finished = match failed {
        Some(error) => Err(error),
        None => outputs.finish(),
    };
    match finished {
        Ok(warnings) => {
            report.warnings = warnings;
            Ok(report)
        }
        Err(error) => Err(Stopped {
            left: left.after(&error),
            error,
            report: Some(Box::new(report)),
        }),
    }
}

impl fmt::Debug for Convert<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Convert")
            .field("inputs", &self.inputs)
            .field("output", &self.output)
            .finish_non_exhaustive()
    }
}
