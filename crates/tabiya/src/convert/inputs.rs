//! The inputs, one after the other, as parts.

use std::{
    collections::VecDeque,
    fs, mem,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use tabiya_formats::{
    Database, Part,
    io::{self, Compression},
    registry::Dialect,
};
use tabiya_game::SourceError;

use crate::{Error, Open, Result, input_name};

/// An input of a conversion, as messages and reports name it.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (path, output) = (folder.path().join("games.pgn"), folder.path().join("games.uci"));
/// # std::fs::write(&path, "1. e4 e5 *\n")?;
/// let report = tabiya::convert(&path, &output).run()?;
/// let (input, games) = &report.inputs[0];
/// assert_eq!(input.format.to_string(), "pgn");
/// assert_eq!(*games, 1);
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
    pub format: Dialect,
    /// How it is packed.
    pub compression: Compression,
}

/// A part and where it comes from.
pub type SourcePart = (Arc<Source>, Box<dyn Part>);

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

/// What is wrong with inputs, said by the thread that opens them to the one that joins.
#[derive(Clone, Default)]
pub struct Warnings(Arc<Mutex<Vec<String>>>);

impl Warnings {
    /// Those that have come since this was last asked.
    pub fn take(&self) -> Vec<String> {
        mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, warnings: impl Iterator<Item = String>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend(warnings);
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
    total: Option<u64>,
    watch: Watch,
    warnings: Warnings,
    unwanted: Unwanted,
}

impl Inputs {
    /// Nothing is opened yet.
    pub fn new(paths: Vec<PathBuf>, how: Open) -> Inputs {
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
            watch: Watch::default(),
            warnings: Warnings::default(),
            unwanted: Unwanted::default(),
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

    /// Whom to ask what is wrong with inputs.
    pub fn warnings(&self) -> Warnings {
        self.warnings.clone()
    }

    /// Whom to tell which inputs need not be read any further.
    pub fn unwanted(&self) -> Unwanted {
        self.unwanted.clone()
    }

    /// The next part of whichever input; `None` at the end of the last, and after an error.
    pub fn next_part(&mut self) -> Option<Result<SourcePart>> {
        loop {
            let result = match &mut self.current {
                Some((source, _)) if self.unwanted.contains(source) => {
                    self.current = None;
                    continue;
                }
                Some((source, database)) => match database.next_part() {
                    Ok(Some(part)) => return Some(Ok((Arc::clone(source), part))),
                    Ok(None) => {
                        self.current = None;
                        continue;
                    }
                    // A file says who it is; a place in one does not.
                    Err(SourceError::Io(error)) => Err(error.into()),
                    Err(error) => Err(Error::Read {
                        name: source.name.clone(),
                        error,
                    }),
                },
                None => {
                    let path = self.paths.pop_front()?;
                    self.open(path)
                }
            };
            if let Err(error) = result {
                self.current = None;
                self.paths.clear();
                return Some(Err(error));
            }
        }
    }

    fn open(&mut self, path: PathBuf) -> Result<()> {
        let opened = self.how.source(&path)?;
        self.watch.add(opened.progress);
        let warnings = opened.database.warnings().into_iter();
        let named = |warning| format!("{}: {warning}", path.display());
        self.warnings.add(warnings.map(named));
        let source = Source {
            index: self.opened,
            name: input_name(&path),
            format: opened.dialect,
            compression: opened.compression,
        };
        self.opened += 1;
        self.current = Some((Arc::new(source), opened.database));
        Ok(())
    }
}
