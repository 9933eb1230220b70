//! How databases are opened.

use std::{fmt, num::NonZeroUsize, path::Path, sync::Arc, thread};

use encoding_rs::Encoding;
use tabiya_formats::registry::{FormatSpec, Opened, PASSWORD, ReadOptions, Registry};

use crate::{Database, Error, ErrorKind, Result, registry};

/// How databases are opened, where [`open`](crate::open) does not suffice.
///
/// ```
/// use tabiya::Open;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.txt");
/// # std::fs::write(&path, "1. e4 e5 *\n")?;
/// let games = Open::new().format(tabiya::registry().spec("pgn")?).deleted(true).open(&path)?;
/// assert_eq!(games.games().count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Open {
    format: Option<FormatSpec>,
    options: ReadOptions,
    ask: Option<Ask>,
    jobs: Option<NonZeroUsize>,
    registry: Option<Arc<Registry>>,
}

/// An encoding by its name, for [`ReadOptions::encoding`]: one in which tags and moves can be found byte by
/// byte.
///
/// ```
/// assert_eq!(tabiya::encoding("latin1")?.name(), "windows-1252");
/// assert!(tabiya::encoding("utf-16").is_err() && tabiya::encoding("latin").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is none of that name, or a file has to be converted first.
pub fn encoding(name: &str) -> Result<&'static Encoding> {
    let words = match Encoding::for_label(name.as_bytes()) {
        Some(encoding) if encoding.is_ascii_compatible() => return Ok(encoding),
        Some(_) => "convert the file to UTF-8 first, for example by iconv",
        None => "expected a name such as utf-8, windows-1251 or iso-8859-2",
    };
    Err(Error::new(ErrorKind::Unsupported, words))
}

/// Who knows the password of a file.
type Ask = Arc<dyn Fn(&Path) -> Option<String> + Send + Sync>;

impl Open {
    /// As [`open`](crate::open) does it: the content tells the format, deleted games are passed
    /// over, all cores work.
    ///
    /// ```
    /// assert!(tabiya::Open::new().open("no such file.pgn").is_err());
    /// ```
    #[must_use]
    pub fn new() -> Open {
        Open::default()
    }

    /// The format, if the content does not tell. It is believed.
    ///
    /// ```
    /// use tabiya::Open;
    ///
    /// let open = Open::new().format(tabiya::registry().spec("scid:si4")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn format(mut self, format: FormatSpec) -> Open {
        self.format = Some(format);
        self
    }

    /// Everything else that a reader can be told: the encoding of texts, limits, and what belongs
    /// to one format. [`Open::deleted`], [`Open::salvage`] and [`Open::password`] are part of it: call
    /// them after it.
    ///
    /// ```
    /// use tabiya::{Open, ReadOptions, Settings};
    /// use tabiya_formats::jose;
    ///
    /// let open = Open::new().options(ReadOptions {
    ///     settings: Settings::new().with(&jose::DATE_FIX, true),
    ///     ..ReadOptions::default()
    /// });
    /// ```
    #[must_use]
    pub fn options(mut self, options: ReadOptions) -> Open {
        self.options = options;
        self
    }

    /// Whether games that are marked as deleted are read too.
    ///
    /// ```
    /// let open = tabiya::Open::new().deleted(true);
    /// ```
    #[must_use]
    pub fn deleted(mut self, deleted: bool) -> Open {
        self.options.deleted = deleted;
        self
    }

    /// Whether what is left of a file is read, if the file is damaged or cut off. Its last game may
    /// be incomplete; what is missing is told.
    ///
    /// ```
    /// let open = tabiya::Open::new().salvage(true);
    /// ```
    #[must_use]
    pub fn salvage(mut self, salvage: bool) -> Open {
        self.options.salvage = salvage;
        self
    }

    /// The password of an archive.
    ///
    /// ```
    /// let open = tabiya::Open::new().password("open sesame");
    /// ```
    #[must_use]
    pub fn password(mut self, password: impl Into<String>) -> Open {
        self.options.settings.set(&PASSWORD, password.into());
        self
    }

    /// Whom to ask for the password of an archive that needs one. `None` means that nobody knows.
    ///
    /// ```
    /// let open = tabiya::Open::new().ask_password(|path| {
    ///     println!("Which password has {}?", path.display());
    ///     None
    /// });
    /// ```
    #[must_use]
    pub fn ask_password(
        mut self,
        ask: impl Fn(&Path) -> Option<String> + Send + Sync + 'static,
    ) -> Open {
        self.ask = Some(Arc::new(ask));
        self
    }

    /// How many threads work; without it, as many as there are cores. Results do not depend on it.
    ///
    /// ```
    /// use std::num::NonZeroUsize;
    ///
    /// let open = tabiya::Open::new().jobs(NonZeroUsize::MIN);
    /// ```
    #[must_use]
    pub fn jobs(mut self, jobs: NonZeroUsize) -> Open {
        self.jobs = Some(jobs);
        self
    }

    /// Which formats there are, if not those of [`registry`](crate::registry).
    ///
    /// ```
    /// let registry = tabiya::registry().clone();
    /// let open = tabiya::Open::new().registry(registry);
    /// ```
    #[must_use]
    pub fn registry(mut self, registry: Registry) -> Open {
        self.registry = Some(Arc::new(registry));
        self
    }

    /// Opens a file or a folder, packed or not; `-` is standard input.
    ///
    /// ```
    /// assert!(tabiya::Open::new().open("no such file.pgn").is_err());
    /// ```
    ///
    /// # Errors
    /// If it is not there, or no database that can be read.
    pub fn open(self, path: impl AsRef<Path>) -> Result<Database> {
        Database::open(path.as_ref(), self)
    }

    /// The same with the formats of somebody who has none of his own.
    pub(crate) fn with_formats(mut self, registry: Option<&Arc<Registry>>) -> Open {
        self.registry = self.registry.or_else(|| registry.cloned());
        self
    }

    /// How many threads work.
    pub(crate) fn threads(&self) -> usize {
        let jobs = self.jobs.or_else(|| thread::available_parallelism().ok());
        jobs.map_or(1, NonZeroUsize::get)
    }

    /// Whether what is left of a damaged file is wanted.
    #[cfg(feature = "store")]
    pub(crate) fn reads_deleted(&self) -> bool {
        self.options.deleted
    }

    pub(crate) fn salvages(&self) -> bool {
        self.options.salvage
    }

    /// Opens what a format reads. Asks for the password if it needs one.
    pub(crate) fn source(&self, path: &Path) -> Result<Opened> {
        let registry = self.registry.as_deref().unwrap_or_else(|| registry());
        let opened = registry.open(path, self.format, &self.options);
        let needs_password = |error: &Error| error.kind() == ErrorKind::NeedsPassword;
        let (true, Some(ask)) = (opened.as_ref().is_err_and(needs_password), &self.ask) else {
            return opened;
        };
        let Some(password) = ask(path) else {
            return opened;
        };
        let mut options = self.options.clone();
        options.settings.set(&PASSWORD, password);
        registry.open(path, self.format, &options)
    }
}

impl fmt::Debug for Open {
    /// Without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Open")
            .field("format", &self.format)
            .field("deleted", &self.options.deleted)
            .field("jobs", &self.jobs)
            .finish_non_exhaustive()
    }
}
