//! The inputs, one after the other, as parts.

use std::{
    collections::VecDeque,
    fs,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use tabiya_formats::{
    Database, Part,
    io::{self, Compression},
    registry::{FormatSpec, ReadOptions},
};

use crate::{games::open_database, message};

/// An input, as messages and reports name it.
pub struct Source {
    /// Which of the inputs it is, from 0.
    pub index: usize,
    pub name: String,
    pub format: String,
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
    from: Option<FormatSpec>,
    options: ReadOptions,
    total: Option<u64>,
    watch: Watch,
    unwanted: Unwanted,
    /// Nothing is read of an input that is not whole, nor of those behind it.
    strict: bool,
    /// The input in which damage was met, by its number.
    damaged: Option<usize>,
    damage: Vec<Damage>,
}

/// Something that is wrong with an input as a whole.
pub struct Damage {
    pub input: String,
    pub message: String,
}

impl Inputs {
    /// Nothing is opened yet.
    pub fn new(
        paths: Vec<PathBuf>,
        from: Option<FormatSpec>,
        options: ReadOptions,
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
            from,
            options,
            watch: Watch::default(),
            unwanted: Unwanted::default(),
            strict,
            damaged: None,
            damage: Vec::new(),
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

    /// What is wrong with the inputs that have been opened.
    pub fn into_damage(self) -> Vec<Damage> {
        self.damage
    }

    /// The next part of whichever input; `None` at the end of the last, and after an error.
    pub fn next_part(&mut self) -> Option<anyhow::Result<SourcePart>> {
        loop {
            let result =
                match &mut self.current {
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
                        Err(error) if error.place().is_some() => Err(anyhow::Error::from(error)
                            .context(format!("cannot read {}", source.name))),
                        Err(error) => Err(error.into()),
                    },
                    None => {
                        let path = self.paths.pop_front()?;
                        self.open(path)
                    }
                };
            if let Err(error) = result {
                if self.options.salvage
                    && let Some((source, _)) = &self.current
                {
                    let input = source.name.clone();
                    self.note_damage(input, &error);
                    continue;
                }
                self.current = None;
                self.paths.clear();
                return Some(Err(error));
            }
        }
    }

    /// A reader may still have what came before the damage: it is asked once more.
    fn note_damage(&mut self, input: String, error: &anyhow::Error) {
        if self.damaged.replace(self.opened) == Some(self.opened) {
            self.current = None;
            return;
        }
        let message = format!("{error:#}");
        message::warning(&message);
        self.damage.push(Damage { input, message });
    }

    fn open(&mut self, path: PathBuf) -> anyhow::Result<()> {
        let opened = open_database(&path, self.from, &mut self.options.clone())?;
        self.watch.add(opened.progress);
        let damage = opened.database.warnings();
        let name = match path.to_str() {
            Some("-") => "standard input".to_string(),
            _ => path.display().to_string(),
        };
        let source = Source {
            index: self.opened,
            name,
            format: opened.dialect.to_string(),
            compression: opened.compression,
        };
        self.opened += 1;
        let is_whole = damage.is_empty();
        self.damage.extend(damage.into_iter().map(|message| Damage {
            input: source.name.clone(),
            message,
        }));
        if self.strict && !is_whole {
            self.paths.clear();
            return Ok(());
        }
        self.current = Some((Arc::new(source), opened.database));
        Ok(())
    }
}
