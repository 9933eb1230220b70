//! The inputs, one after the other, as parts.

use std::{
    collections::VecDeque,
    fmt, fs,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use tabiya_formats::{
    Database, Part,
    io::{self, Compression},
    registry::{FormatProfile, Opened},
};

use tabiya_game::names_file;

use crate::{Error, Open, Result, input_name};

/// An input of a conversion, as messages and reports name it.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (path, output) = (folder.path().join("games.pgn"), folder.path().join("games.uci"));
/// # std::fs::write(&path, "1. e4 e5 *\n")?;
/// let report = tabiya::convert(&path, &output).run()?;
/// let (input, entries) = &report.inputs[0];
/// assert_eq!(input.format.to_string(), "pgn");
/// assert_eq!(*entries, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Source {
    /// Which of the inputs it is, from 0.
    pub index: usize,
    /// Its path, or what stands for standard input.
    pub name: String,
    /// Its format.
    pub format: FormatProfile,
    /// How it is packed.
    pub compression: Compression,
}

/// What the reading of an input meets, in its order. Threads read ahead: what is met behind the last
/// game that is wanted is as if it had never been met.
pub enum Met<P> {
    /// A part, or what it became.
    Part(Arc<Source>, P),
    /// Something is wrong with the input as a whole.
    Damage(Arc<Source>, Damage),
    /// Nothing more of the input can be read.
    Failure(Arc<Source>, Error),
    /// The input cannot be opened.
    Unopened(Error),
}

impl<P> Met<P> {
    /// Works on a part.
    pub fn map<Q>(self, work: impl FnOnce(&Source, P) -> Result<Q>) -> Met<Q> {
        match self {
            Met::Part(source, part) => match work(&source, part) {
                Ok(done) => Met::Part(source, done),
                Err(error) => Met::Failure(source, error),
            },
            Met::Damage(source, damage) => Met::Damage(source, damage),
            Met::Failure(source, error) => Met::Failure(source, error),
            Met::Unopened(error) => Met::Unopened(error),
        }
    }

    /// The input, if it could be opened.
    pub fn source(&self) -> Option<&Arc<Source>> {
        match self {
            Met::Part(source, _) | Met::Damage(source, _) | Met::Failure(source, _) => Some(source),
            Met::Unopened(_) => None,
        }
    }
}

/// How far the reading of all inputs has come, asked by the thread that joins.
#[derive(Clone, Default)]
pub struct Watch(Arc<Mutex<Vec<io::Progress>>>);

impl Watch {
    /// Bytes of files, as they are stored, read so far.
    pub fn read(&self) -> u64 {
        let inputs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inputs.iter().map(io::Progress::read).sum()
    }

    fn add(&self, progress: io::Progress) {
        let mut inputs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inputs.push(progress);
    }
}

/// Something that is wrong with an input as a whole.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = |name: &str| folder.path().join(name);
/// # std::fs::write(path("games.pgn"), "1. e4 {best} e5 *\n")?;
/// # tabiya::convert(path("games.pgn"), path("games.cbh")).run()?;
/// std::fs::remove_file(path("games.cba"))?;
/// let report = tabiya::convert(path("games.cbh"), path("copy.pgn")).run()?;
/// assert!(report.damage[0].message.contains(".cba"));
/// assert!(!report.is_whole());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Damage {
    /// The name of the input.
    pub input: String,
    /// What is wrong with it, a sentence for people.
    pub message: String,
}

/// Names the input once.
impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Damage { input, message } = self;
        match names_file(message, input) {
            true => write!(f, "{message}"),
            false => write!(f, "{input}: {message}"),
        }
    }
}

/// The inputs that need not be read any further: those up to one, for they are read in order.
#[derive(Clone, Default)]
pub struct Unwanted(Arc<AtomicUsize>);

impl Unwanted {
    /// Nothing more of an input is wanted.
    pub fn add(&self, source: &Source) {
        self.0.fetch_max(source.index + 1, Ordering::Relaxed);
    }

    /// Whether nothing more of it is wanted.
    pub fn contains(&self, source: &Source) -> bool {
        source.index < self.0.load(Ordering::Relaxed)
    }
}

/// Opens one input after the other.
pub struct Inputs {
    paths: VecDeque<PathBuf>,
    opened: usize,
    current: Option<(Arc<Source>, Box<dyn Database>)>,
    how: Open,
    /// Those that are open already.
    ready: Vec<(PathBuf, Opened)>,
    total: Option<u64>,
    watch: Watch,
    unwanted: Unwanted,
    /// Nothing is read of an input that is not whole, nor of those behind it.
    strict: bool,
    /// The input in which damage was met, by its number.
    damaged: Option<usize>,
    /// Damage that was met and has not been told.
    damage: VecDeque<(Arc<Source>, Damage)>,
    sources: Vec<Arc<Source>>,
}

impl Inputs {
    /// Nothing is opened yet but what somebody has opened before.
    pub fn new(
        paths: Vec<PathBuf>,
        ready: Vec<(PathBuf, Opened)>,
        how: Open,
        strict: bool,
    ) -> Inputs {
        let length = |path: &PathBuf| {
            let metadata = fs::metadata(path).ok()?;
            metadata.is_file().then_some(metadata.len())
        };
        Inputs {
            total: paths.iter().map(length).sum(),
            paths: paths.into(),
            opened: 0,
            current: None,
            how,
            ready,
            watch: Watch::default(),
            unwanted: Unwanted::default(),
            strict,
            damaged: None,
            damage: VecDeque::new(),
            sources: Vec::new(),
        }
    }

    /// Bytes of all files as they are stored, if all are files.
    pub fn total(&self) -> Option<u64> {
        self.total
    }

    /// Whom to ask how far the reading has come.
    pub fn watch(&self) -> Watch {
        self.watch.clone()
    }

    /// Whom to tell which inputs need not be read any further.
    pub fn unwanted(&self) -> Unwanted {
        self.unwanted.clone()
    }

    /// The inputs that have been opened. Their files are closed.
    pub fn close(self) -> Vec<Arc<Source>> {
        self.sources
    }

    /// What is met next, of whichever input; `None` at the end of the last. After a failure the
    /// next input is read: nobody may have wanted more of this one.
    pub fn next(&mut self) -> Option<Met<Box<dyn Part>>> {
        loop {
            if let Some((source, damage)) = self.damage.pop_front() {
                return Some(Met::Damage(source, damage));
            }
            let Some((source, database)) = &mut self.current else {
                let path = self.paths.pop_front()?;
                match self.open(path) {
                    Ok(()) => continue,
                    Err(error) => return Some(Met::Unopened(error)),
                }
            };
            if self.unwanted.contains(source) {
                self.current = None;
                continue;
            }
            match database.next_part() {
                Ok(Some(part)) => return Some(Met::Part(Arc::clone(source), part)),
                Ok(None) => self.current = None,
                Err(error) if self.how.salvages() => self.note_damage(&error),
                Err(error) => {
                    let source = Arc::clone(source);
                    self.current = None;
                    let error = error.trying_to("read", &source.name);
                    return Some(Met::Failure(source, error));
                }
            }
        }
    }

    /// A reader may still have what came before the damage: it is asked once more.
    fn note_damage(&mut self, error: &Error) {
        if self.damaged.replace(self.opened) == Some(self.opened) {
            self.current = None;
        } else if let Some((source, _)) = &self.current {
            let input = source.name.clone();
            let message = error.to_string();
            let damage = Damage { input, message };
            self.damage.push_back((Arc::clone(source), damage));
        }
    }

    fn open(&mut self, path: PathBuf) -> Result<()> {
        let opened = match self.ready.iter().position(|(ready, _)| *ready == path) {
            Some(place) => self.ready.remove(place).1,
            None => self.how.source(&path)?,
        };
        self.watch.add(opened.progress);
        let damage = opened.database.warnings();
        let source = Source {
            index: self.opened,
            name: input_name(&path),
            format: opened.profile,
            compression: opened.compression,
        };
        self.opened += 1;
        let is_whole = damage.is_empty();
        let source = Arc::new(source);
        for message in damage {
            let input = source.name.clone();
            let damage = Damage { input, message };
            self.damage.push_back((Arc::clone(&source), damage));
        }
        if self.strict && !is_whole {
            self.paths.clear();
            return Ok(());
        }
        self.sources.push(Arc::clone(&source));
        self.current = Some((source, opened.database));
        Ok(())
    }
}
