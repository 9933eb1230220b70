//! New databases, game by game.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use tabiya_formats::{
    Destination, GameWriter, Target,
    registry::{
        FormatProfile, FormatSpec, PASSWORD, Registry, WriteOptions,
        place::{self, Purpose},
    },
};
use tabiya_game::{GameTree, Losses};

use crate::{Error, ErrorKind, Result, convert::unwritten, registry};

/// How databases are made, where [`create`](crate::create) does not suffice.
///
/// ```
/// use tabiya::{Create, GameTree};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.pgn");
/// for _ in 0..2 {
///     let mut games = Create::new().append(true).create(&path)?;
///     games.add(&GameTree::default())?;
///     games.finish()?;
/// }
/// assert_eq!(tabiya::open(&path)?.games().count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Create {
    format: Option<FormatSpec>,
    options: WriteOptions,
    append: bool,
    password: Option<String>,
    registry: Option<Registry>,
}

impl Create {
    /// As [`create`](crate::create) does it.
    ///
    /// ```
    /// let create = tabiya::Create::new();
    /// ```
    #[must_use]
    pub fn new() -> Create {
        Create::default()
    }

    /// The format; without it, what the name of the file says, or PGN.
    ///
    /// ```
    /// let create = tabiya::Create::new().format(tabiya::registry().spec("jose:document")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn format(mut self, format: FormatSpec) -> Create {
        self.format = Some(format);
        self
    }

    /// What is written of a game. What is not wanted is left out and is not lost.
    ///
    /// ```
    /// use tabiya::{Create, WriteOptions};
    ///
    /// let create = Create::new().options(WriteOptions { nags: false, ..WriteOptions::default() });
    /// ```
    #[must_use]
    pub fn options(mut self, options: WriteOptions) -> Create {
        self.options = options;
        self
    }

    /// Adds games to those that are in the file already.
    ///
    /// ```
    /// let create = tabiya::Create::new().append(true);
    /// ```
    #[must_use]
    pub fn append(mut self, append: bool) -> Create {
        self.append = append;
        self
    }

    /// The password of the database, which has to be a new archive.
    ///
    /// ```
    /// let create = tabiya::Create::new().password("open sesame");
    /// ```
    #[must_use]
    pub fn password(mut self, password: impl Into<String>) -> Create {
        self.password = Some(password.into());
        self
    }

    /// Which formats there are, if not those of [`registry`](crate::registry).
    ///
    /// ```
    /// let registry = tabiya::registry().clone();
    /// let create = tabiya::Create::new().registry(registry);
    /// ```
    #[must_use]
    pub fn registry(mut self, registry: Registry) -> Create {
        self.registry = Some(registry);
        self
    }

    /// Begins the database. `-` is standard output, for formats that can be streamed.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.si5");
    /// let games = tabiya::Create::new().create(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the format cannot be written, not there, or the system says no.
    pub fn create(mut self, path: impl AsRef<Path>) -> Result<NewDatabase> {
        let path = path.as_ref();
        let registry = self.registry.as_ref().unwrap_or_else(|| registry());
        let purpose = match self.append {
            true => Purpose::Append,
            false => Purpose::New,
        };
        let profile = place::profile(registry, Some(path), self.format, purpose)?;
        let path = &place::file(registry, path, profile, self.format);
        let writer = registry.writer(profile, &self.options)?;
        let file = (path != "-").then_some(path.as_path());
        let destination = match file {
            None => Destination::Stdout,
            Some(path) if self.append => Destination::Append(path),
            Some(path) => Destination::New(path),
        };
        if let Some(password) = self.password {
            self.options.settings.set(&PASSWORD, password);
        }
        let target = registry.target(profile, destination, &self.options);
        Ok(NewDatabase {
            profile,
            writer,
            target: target.map_err(|error| unwritten(error, file))?,
            file: file.map(Path::to_owned),
            added: 0,
        })
    }
}

impl fmt::Debug for Create {
    /// Without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Create")
            .field("format", &self.format)
            .field("append", &self.append)
            .finish_non_exhaustive()
    }
}

/// A database that is being made. It appears when it is finished; one that is dropped leaves what
/// was there before.
///
/// ```
/// use tabiya::GameTree;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.si5");
/// let mut games = tabiya::create(&path)?;
/// let mut game = GameTree::default();
/// game.tags.push("White", "Anderssen, Adolf");
/// let losses = games.add(&game)?;
/// assert!(losses.is_empty());
/// assert!(!path.exists());
///
/// games.finish()?;
/// assert_eq!(tabiya::open(&path)?.get(1)?.tags.get("White"), Some("Anderssen, Adolf"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "it appears when it is finished"]
pub struct NewDatabase {
    profile: FormatProfile,
    writer: Box<dyn GameWriter>,
    target: Box<dyn Target>,
    /// The file; standard output if it is `None`.
    file: Option<PathBuf>,
    added: u64,
}

impl NewDatabase {
    /// Its format.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// let games = tabiya::create(folder.path().join("games.si4"))?;
    /// assert_eq!(games.format().to_string(), "scid:si4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn format(&self) -> FormatProfile {
        self.profile
    }

    /// The file that it becomes, or the folder; `None` for standard output.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("games");
    /// let format = tabiya::registry().spec("scid:si5")?;
    /// let games = tabiya::Create::new().format(format).create(&path)?;
    /// assert_eq!(games.path(), Some(folder.path().join("games.si5").as_path()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Adds a game, and tells what of it the format cannot hold. The number of the game in the
    /// [`Loss`](tabiya_game::Loss)es is which game it is that was added, from 1.
    ///
    /// ```
    /// use tabiya::{GameTree, Item, Nag};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let mut games = tabiya::create(folder.path().join("games.uci"))?;
    /// let mut game = GameTree::default();
    /// game.items.push(Item::Nag(Nag(1)));
    /// assert_eq!(games.add(&game)?.count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the format cannot hold the game at all ([`ErrorKind::CannotHold`]; others may still be
    /// added), the database is full, or it cannot be written.
    pub fn add(&mut self, game: &GameTree) -> Result<Losses> {
        let number = self.added + 1;
        game.tell(&mut *self.writer);
        let mut losses = self.writer.take_losses();
        if self.writer.is_empty()
            && let Some((_, _, loss)) = losses.iter().next()
        {
            let (format, what) = (self.profile, &loss.what);
            let words = format!("{format} cannot hold {what}");
            let error = Error::new(ErrorKind::CannotHold, words).of_game(number);
            return Err(match &self.file {
                Some(file) => error.in_file(file.display().to_string()),
                None => error,
            });
        }
        let added = self.target.add_written(&mut *self.writer);
        added.map_err(|error| self.unwritten(error))?;
        self.added = number;
        losses.append(self.target.take_losses());
        losses.set_game(number);
        Ok(losses)
    }

    /// Makes the database complete and gives it its name. Returns what may be a problem with it,
    /// a sentence each.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.si5");
    /// let warnings = tabiya::create(&path)?.finish()?;
    /// assert!(warnings.is_empty() && path.exists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If that fails; what was there before is then still there.
    pub fn finish(self) -> Result<Vec<String>> {
        let NewDatabase { target, file, .. } = self;
        target
            .finish()
            .map_err(|error| unwritten(error, file.as_deref()))
    }

    fn unwritten(&self, error: io::Error) -> Error {
        unwritten(error, self.file.as_deref())
    }
}

impl fmt::Debug for NewDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewDatabase")
            .field("format", &self.profile.to_string())
            .field("added", &self.added)
            .finish_non_exhaustive()
    }
}
