//! A database that is open for reading.

mod games;
#[cfg(feature = "store")]
mod gauge;
mod numbered;
mod parts;
mod picker;
mod placed;

use std::{
    fmt,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tabiya_formats::{
    self as formats, Entries, Part,
    io::{Compression, Progress, Unchanged},
    ordered_within,
    registry::{FormatProfile, Opened},
    usual_window,
};
use tabiya_game::{Event, Filter, Filtered, Flow, GameSink, GameTree};

pub use games::Games;
#[cfg(feature = "store")]
pub(crate) use gauge::Gauge;
pub use parts::is_damage;
pub(crate) use placed::InPlace;

use crate::{Error, ErrorKind, Open, Result, input_name};
use numbered::Numbered;
use parts::Parts;
use picker::{Picker, Wanted};

/// A database that is open for reading.
///
/// Its games can be read as often as you like, one after the other or by all cores; only standard
/// input, which nobody can read twice, gives its games once.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.pgn");
/// # std::fs::write(&path, "[White \"Morphy\"]\n\n1. e4 e5 *\n\n[White \"Staunton\"]\n\n1. c4 *\n")?;
/// let database = tabiya::open(&path)?;
/// assert_eq!(database.format().to_string(), "pgn");
/// for game in database.games() {
///     let game = game?;
///     println!("{}: {}", game.place.number, game.tags.get("White").unwrap_or("?"));
/// }
/// assert_eq!(database.get(2)?.tags.get("White"), Some("Staunton"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Database {
    path: PathBuf,
    how: Open,
    filter: Filter,
    profile: FormatProfile,
    compression: Compression,
    damage: Vec<String>,
    files: Unchanged,
    watch: Option<Watch>,
    until_damage: bool,
    state: Mutex<State>,
}

/// Who wants to know how far the reading has come.
type Watch = Arc<dyn Fn(&Progress) -> ControlFlow<()> + Send + Sync>;

/// How many threads read, and how many parts are under way at a time.
#[derive(Clone, Copy)]
pub(crate) struct Crew {
    jobs: usize,
    window: usize,
}

impl Crew {
    /// All that may work.
    fn all(how: &Open) -> Crew {
        let jobs = how.threads();
        Crew {
            jobs,
            window: usual_window(jobs),
        }
    }

    /// Those that read whole games for one who takes them. A part has many times the memory of its
    /// text then, and more threads than this are always ahead.
    fn for_games(how: &Open) -> Crew {
        let jobs = how.threads().min(4);
        Crew {
            jobs,
            window: jobs + 2,
        }
    }
}

/// What changes while it is read.
struct State {
    /// Of the reading that began last.
    progress: Progress,
    /// As it was opened; `None` when somebody has begun to read it.
    unread: Option<Unread>,
}

/// A database that nobody has read.
struct Unread {
    database: Box<dyn formats::Database>,
    progress: Progress,
    /// Somebody has read it before, from the same files.
    once_more: bool,
}

impl State {
    fn new(opened: Opened) -> State {
        State {
            progress: opened.progress.clone(),
            unread: Some(Unread::new(opened)),
        }
    }
}

impl Unread {
    fn new(opened: Opened) -> Unread {
        Unread {
            database: opened.database,
            progress: opened.progress,
            once_more: false,
        }
    }

    fn entries(&self) -> Option<&dyn Entries> {
        self.database.entries()
    }

    /// The same once more, if it need not be opened for that.
    fn again(&self) -> Option<Unread> {
        let database = self.database.again()?;
        Some(Unread {
            progress: database.progress().unwrap_or_default(),
            database,
            once_more: true,
        })
    }
}

impl Database {
    pub(crate) fn open(path: &Path, how: Open) -> Result<Database> {
        let opened = how.source(path)?;
        Ok(Database {
            path: path.to_owned(),
            how,
            filter: Filter::default(),
            profile: opened.profile,
            compression: opened.compression,
            damage: opened.database.warnings(),
            files: opened.files.clone(),
            watch: None,
            until_damage: false,
            state: Mutex::new(State::new(opened)),
        })
    }

    /// Only the games that pass a filter are read from now on.
    ///
    /// ```
    /// use tabiya::Filter;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "[White \"Morphy\"]\n\n1. e4 *\n\n[White \"Staunton\"]\n\n1. c4 *\n")?;
    /// let filter = Filter { white: Some("staunton".into()), ..Filter::default() };
    /// let game = tabiya::open(&path)?.filter(filter).games().next().unwrap()?;
    /// // Numbers are those in the file.
    /// assert_eq!(game.place.number, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn filter(mut self, filter: Filter) -> Database {
        self.filter = filter;
        self
    }

    /// Tells somebody, before each part of the database and at its end, how far the reading has
    /// come. Whoever breaks ends the reading: that is an error of kind
    /// [`Cancelled`](ErrorKind::Cancelled).
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 *\n")?;
    /// let database = tabiya::open(&path)?.watch(|progress| {
    ///     eprintln!("{} of {:?} bytes", progress.read(), progress.total());
    ///     ControlFlow::Continue(())
    /// });
    /// let plies = database.par_fold(|| 0, |sum, game| *sum += game.items.len(), |a, b| *a += b)?;
    /// assert_eq!(plies, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn watch(
        mut self,
        watch: impl Fn(&Progress) -> ControlFlow<()> + Send + Sync + 'static,
    ) -> Database {
        self.watch = Some(Arc::new(watch));
        self
    }

    /// Asks who watches whether to go on with what is made of its games, once they have been read.
    pub(crate) fn go_on(&self) -> Result<()> {
        match &self.watch {
            Some(watch) if watch(&self.progress()).is_break() => {
                Err(Error::new(ErrorKind::Cancelled, "cancelled"))
            }
            _ => Ok(()),
        }
    }

    /// Where it cannot be read any further, its games end without an error.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn.gz");
    /// # let mut games = tabiya::create(&path)?;
    /// # games.add(&tabiya::GameTree::default())?;
    /// # games.finish()?;
    /// let whole = std::fs::read(&path)?;
    /// std::fs::write(&path, &whole[..whole.len() - 4])?;
    /// assert!(tabiya::open(&path)?.games().any(|game| game.is_err()));
    /// let database = tabiya::Open::new().salvage(true).open(&path)?.until_damage();
    /// assert!(database.games().all(|game| game.is_ok()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn until_damage(mut self) -> Database {
        self.until_damage = true;
        self
    }

    /// The path as it was given.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 *\n")?;
    /// assert_eq!(tabiya::open(&path)?.path(), path);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What messages call it: its path, or what stands for standard input.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 *\n")?;
    /// assert!(tabiya::open(&path)?.name().ends_with("games.pgn"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> String {
        input_name(&self.path)
    }

    /// Its format.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 *\n")?;
    /// assert_eq!(tabiya::open(&path)?.format().to_string(), "pgn");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn format(&self) -> FormatProfile {
        self.profile
    }

    /// How it is packed.
    ///
    /// ```
    /// use tabiya::Compression;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn.gz");
    /// # tabiya::create(&path)?.finish()?;
    /// assert_eq!(tabiya::open(&path)?.compression(), Compression::Gzip);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// What is wrong with the database as a whole, in sentences for people: files that are
    /// missing, for example. Its games are read without them.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 *\n")?;
    /// assert!(tabiya::open(&path)?.damage().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn damage(&self) -> &[String] {
        &self.damage
    }

    /// Its files as they were when it was opened. If they still are, what was read of it holds. One of
    /// tabiya's own is what it was when it was opened, whoever changes its files.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 *\n")?;
    /// let database = tabiya::open(&path)?;
    /// let games = database.games().count();
    /// assert!(database.files().holds());
    /// std::fs::write(&path, "1. e4 e5 *\n\n1. d4 *\n")?;
    /// assert!(!database.files().holds());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn files(&self) -> &Unchanged {
        &self.files
    }

    /// How many entries it has, if that is known without reading it: deleted games and texts
    /// count.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 *\n")?;
    /// # let scid = folder.path().join("games.si5");
    /// # tabiya::convert(&path, &scid).run()?;
    /// assert_eq!(tabiya::open(&scid)?.count(), Some(1));
    /// // A text has to be read to its end.
    /// assert_eq!(tabiya::open(&path)?.count(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        let unread = self.unread().ok()?;
        let count = unread.entries().map(Entries::count);
        self.give_back(unread);
        count
    }

    /// Whether the entry of a number in the file is marked as deleted. Formats without such marks
    /// have none.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.si5");
    /// # let mut games = tabiya::create(&path)?;
    /// # games.add(&tabiya::GameTree::default())?;
    /// # games.finish()?;
    /// assert!(!tabiya::open(&path)?.is_deleted(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_deleted(&self, number: u64) -> bool {
        let Ok(unread) = self.unread() else {
            return false;
        };
        let is_deleted = unread
            .entries()
            .is_some_and(|entries| entries.is_deleted(number));
        self.give_back(unread);
        is_deleted
    }

    /// Whether it is of tabiya's own format, whose games are changed where they are.
    pub(crate) fn is_own(&self) -> bool {
        #[cfg(feature = "store")]
        return self.profile.format.name == tabiya_store::FORMAT.name;
        #[cfg(not(feature = "store"))]
        false
    }

    /// The same once more, to be read as it was when it was opened, whoever has changed it since;
    /// `None` if it has to be opened again for that.
    pub(crate) fn opened_again(&self) -> Option<Opened> {
        let unread = self.unread().ok()?;
        let again = unread.again();
        self.give_back(unread);
        let Unread {
            database, progress, ..
        } = again?;
        Some(Opened {
            profile: self.profile,
            compression: self.compression,
            progress,
            files: self.files.clone(),
            database,
        })
    }

    /// The store that it is, if it is one and answers questions as they are asked of any database:
    /// it leaves deleted games out, and refuses what is damaged.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 *\n")?;
    /// assert!(tabiya::open(&path)?.store().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "store")]
    #[must_use]
    pub fn store(&self) -> Option<tabiya_store::Store> {
        match self.how.reads_deleted() || self.how.salvages() {
            true => None,
            false => self.any_store(),
        }
    }

    /// The store that it is, if it is one, whatever of it is read: as it was when it was opened.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.tabiya");
    /// # tabiya::create(&path)?.finish()?;
    /// let database = tabiya::Open::new().deleted(true).open(&path)?;
    /// assert!(database.store().is_none() && database.any_store().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "store")]
    #[must_use]
    pub fn any_store(&self) -> Option<tabiya_store::Store> {
        let unread = self.unread().ok()?;
        let store = unread.database.as_any().and_then(|any| any.downcast_ref());
        let store = store.cloned();
        self.give_back(unread);
        store
    }

    /// The same once more, to be read by somebody else at the same time: if it is of tabiya's own, as
    /// it was when it was opened, whoever has changed it since; if not, as its files are now. What is not
    /// to be opened again for that, as an archive of ChessBase, takes no time. Filter and watcher are the
    /// same, too.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 *\n")?;
    /// let database = tabiya::open(&path)?;
    /// let mut games = database.games();
    /// assert_eq!(database.reopen()?.games().count(), 1);
    /// assert!(games.next().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be opened again, as standard input.
    pub fn reopen(&self) -> Result<Database> {
        if let Some(opened) = self.opened_again() {
            // Which need not be looked for again.
            let damage = self.damage.clone();
            return Ok(self.like(opened, damage));
        }
        if crate::is_read_once(&self.path) {
            return Err(crate::read_twice(&self.path));
        }
        let opened = self.how.source(&self.path)?;
        let damage = opened.database.warnings();
        Ok(self.like(opened, damage))
    }

    /// The same once more, if it is a store: as it was when it was opened.
    #[cfg(feature = "store")]
    pub(crate) fn again(&self) -> Option<Database> {
        Some(self.like(self.opened_again()?, self.damage.clone()))
    }

    /// The same of what was opened once more, which may be something else by now.
    fn like(&self, opened: Opened, damage: Vec<String>) -> Database {
        Database {
            path: self.path.clone(),
            how: self.how.clone(),
            filter: self.filter.clone(),
            profile: opened.profile,
            compression: opened.compression,
            damage,
            files: opened.files.clone(),
            watch: self.watch.clone(),
            until_damage: self.until_damage,
            state: Mutex::new(State::new(opened)),
        }
    }

    /// Tells who watches how far a store has come that looks at so many entries.
    #[cfg(feature = "store")]
    pub(crate) fn gauge(&self, store: &tabiya_store::Store, entries: u64) -> Gauge {
        let progress = Progress::new(Some(store.bytes()));
        self.state().progress = progress.clone();
        Gauge::new(self.watch.clone(), progress, entries)
    }

    /// By how many threads it is read.
    #[cfg(feature = "store")]
    pub(crate) fn threads(&self) -> usize {
        self.how.threads()
    }

    /// The filter that games have to pass.
    #[cfg(feature = "store")]
    pub(crate) fn wanted(&self) -> &Filter {
        &self.filter
    }

    /// The games of a store that pass the filter; `None` if all do.
    #[cfg(feature = "store")]
    pub(crate) fn selected(
        &self,
        store: &tabiya_store::Store,
        gauge: &Gauge,
    ) -> Result<Option<tabiya_store::GameSet>> {
        select(store, &self.filter, gauge)
    }

    /// How far the reading has come: bytes of the file as it is stored.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 *\n")?;
    /// let database = tabiya::open(&path)?;
    /// let games = database.games().count();
    /// assert_eq!(games, 1);
    /// assert_eq!(Some(database.progress().read()), database.progress().total());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.state().progress.clone()
    }

    /// Its games, one after the other, with their numbers in the file
    /// ([`place`](GameTree::place)). Texts that belong to no game are passed over.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 *\n\n1. d4 d5 *\n")?;
    /// for (number, game) in (1..).zip(tabiya::open(&path)?.games()) {
    ///     assert_eq!(game?.place.number, number);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn games(&self) -> Games {
        Games::new(self.parts(), self.filter.clone())
    }

    /// Its games in their order, read by all cores: those of a part at a time, with their numbers in
    /// the file. Whoever breaks has heard enough.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 *\n\n1. d4 d5 *\n")?;
    /// let mut numbers = Vec::new();
    /// tabiya::open(&path)?.par_games(|games| {
    ///     numbers.extend(games.iter().map(|game| game.place.number));
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(numbers, [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the database cannot be read to its end; what came before has been handed out.
    pub fn par_games(&self, mut each: impl FnMut(Vec<GameTree>) -> ControlFlow<()>) -> Result<()> {
        let join = |mut games: Vec<GameTree>, before| {
            games
                .iter_mut()
                .for_each(|game| game.place.number += before);
            Ok::<_, Error>(each(games))
        };
        self.par_counted(Crew::for_games(&self.how), &self.filter, Vec::new, join)
    }

    /// As [`Database::par_tell`], for sinks that want to know the numbers of games: where the file has
    /// none, those of each part are counted from 1. `join` hears what is to be added to the numbers of
    /// a part, and gets what was told before an error, too.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use tabiya::GameTree;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 *\n\n1. d4 d5 *\n")?;
    /// let mut last = 0;
    /// tabiya::open(&path)?.par_numbered(GameTree::default, |game, before| {
    ///     last = before + game.place.number;
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(last, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the database cannot be read to its end.
    pub fn par_numbered<S: GameSink + Send>(
        &self,
        make: impl Fn() -> S + Sync,
        mut join: impl FnMut(S, u64) -> ControlFlow<()>,
    ) -> Result<()> {
        let join = |sink, before| Ok::<_, Error>(join(sink, before));
        self.par_counted(self.crew(), &self.filter, make, join)
    }

    /// As [`Database::par_numbered`], by a crew, with a filter that is given.
    pub(crate) fn par_counted<S: GameSink + Send, E: From<Error>>(
        &self,
        crew: Crew,
        filter: &Filter,
        make: impl Fn() -> S + Sync,
        mut join: impl FnMut(S, u64) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let mut before = 0;
        self.for_each_part(
            crew,
            |part| {
                if filter.is_empty() {
                    let mut numbered = Numbered::new(0, make());
                    let told = part.tell(&mut numbered);
                    let (sink, counted) = numbered.into_parts();
                    return Ok((sink, counted, told));
                }
                let mut numbered = Numbered::new(0, Filtered::new(filter, make()));
                let told = part.tell(&mut numbered);
                let (filtered, counted) = numbered.into_parts();
                Ok((filtered.into_sink(), counted, told))
            },
            |(sink, counted, told): (S, u64, Result<Flow>), _| {
                // Those of a part are counted, or all have numbers of their own.
                let flow = join(sink, if counted > 0 { before } else { 0 })?;
                before += counted;
                told.map_err(|error| error.trying_to("read", self.name()))?;
                Ok(flow)
            },
        )
    }

    /// All threads that may read it.
    pub(crate) fn crew(&self) -> Crew {
        Crew::all(&self.how)
    }

    /// The game of a number in the file, from 1. All entries count, deleted games and texts too,
    /// and deleted games are found.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 *\n\n1. d4 d5 *\n")?;
    /// let database = tabiya::open(&path)?;
    /// assert_eq!(database.get(2)?.place.number, 2);
    /// let error = database.get(3).unwrap_err();
    /// assert_eq!(error.kind(), tabiya::ErrorKind::NoSuchGame);
    /// assert!(error.to_string().starts_with("no game 3"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such game, it does not pass the filter, or the database cannot be read.
    pub fn get(&self, number: u64) -> Result<GameTree> {
        self.check_number(number)?;
        let unread = self.unread()?;
        let Some(entries) = unread.entries() else {
            self.give_back(unread);
            return self.nth(number, &self.filter);
        };
        let mut picker = Picker::new(&self.filter, Wanted::First);
        let found = entries.tell(number, &mut picker);
        let count = entries.count();
        self.give_back(unread);
        let found = found.map_err(|error| error.trying_to("read", self.name()))?;
        match (found, picker.heard()) {
            (false, _) => Err(self.no_game(number, count)),
            (true, 0) => {
                let words = format!("entry {number} of {} is no game", self.name());
                Err(self.error_of(number, ErrorKind::NotAGame, words))
            }
            _ => {
                let game = picker.into_game(number - 1);
                game.ok_or_else(|| self.no_pass(number))
            }
        }
    }

    /// The first game that passes the filter. All cores look for it.
    ///
    /// ```
    /// use tabiya::Filter;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 *\n\n1. d4 d5 2. c4 *\n")?;
    /// let long = Filter { plies: Some("3..".parse()?), ..Filter::default() };
    /// let game = tabiya::open(&path)?.filter(long).first()?.unwrap();
    /// assert_eq!(game.main_line().count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the database cannot be read as far as that.
    pub fn first(&self) -> Result<Option<GameTree>> {
        let mut before = 0;
        let mut found = None;
        let read: Result<()> = self.par_parts(
            |part| {
                let mut picker = Picker::new(&self.filter, Wanted::First);
                part.tell(&mut picker)?;
                Ok(picker)
            },
            |picker| {
                let heard = picker.heard();
                found = picker.into_game(before);
                before += heard;
                Ok(match found {
                    Some(_) => ControlFlow::Break(()),
                    None => ControlFlow::Continue(()),
                })
            },
        );
        match found {
            Some(game) => Ok(Some(game)),
            None => read.map(|()| None),
        }
    }

    /// Tells a sink all entries, texts too, until it wants to stop. What a sink does not need is not even read, so this
    /// is the quickest way to look at tags alone, or to count.
    ///
    /// ```
    /// use tabiya::Survey;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 *\n\n1. d4 d5 2. c4 *\n")?;
    /// let mut survey = Survey::default();
    /// tabiya::open(&path)?.tell(&mut survey)?;
    /// assert_eq!((survey.games, survey.plies, survey.longest), (2, 5, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the database cannot be read to its end; what came before has been told.
    pub fn tell(&self, sink: &mut dyn GameSink) -> Result<()> {
        let mut parts = self.parts()?;
        match self.filter.is_empty() {
            true => tell_parts(&mut parts, sink)?,
            false => tell_parts(&mut parts, Filtered::new(&self.filter, sink))?,
        }
        parts.finish()
    }

    /// Tells a sink the entry of a number, as [`Database::get`] finds it: a game that is deleted,
    /// or a text. The filter is not asked.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 *\n\n1. d4 d5 *\n")?;
    /// let mut game = tabiya::GameTree::default();
    /// tabiya::open(&path)?.tell_entry(2, &mut game)?;
    /// assert_eq!(game.items.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such entry, or the database cannot be read.
    pub fn tell_entry(&self, number: u64, sink: &mut dyn GameSink) -> Result<()> {
        self.check_number(number)?;
        let unread = self.unread()?;
        let Some(entries) = unread.entries() else {
            self.give_back(unread);
            self.nth(number, &Filter::default())?.tell(sink);
            return Ok(());
        };
        let found = entries.tell(number, sink);
        let count = entries.count();
        self.give_back(unread);
        match found.map_err(|error| error.trying_to("read", self.name()))? {
            true => Ok(()),
            false => Err(self.no_game(number, count)),
        }
    }

    /// Tells all entries to sinks, several at once. Each part of the database gets a sink of its
    /// own from `make`; `join` takes them back in the order of the parts, and may end it. So what
    /// comes out does not depend on the number of threads.
    ///
    /// Threads do not know how many games came before, so games have numbers only in formats that
    /// store them.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use tabiya::Survey;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 *\n\n1. d4 d5 2. c4 *\n")?;
    /// let mut survey = Survey::default();
    /// tabiya::open(&path)?.par_tell(Survey::default, |part| {
    ///     survey.append(part);
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(survey.games, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the database cannot be read to its end; what came before has been joined.
    pub fn par_tell<S: GameSink + Send>(
        &self,
        make: impl Fn() -> S + Sync,
        mut join: impl FnMut(S) -> ControlFlow<()>,
    ) -> Result<()> {
        self.par_parts(
            |part| {
                if self.filter.is_empty() {
                    let mut sink = make();
                    part.tell(&mut sink)?;
                    return Ok(sink);
                }
                let mut filtered = Filtered::new(&self.filter, make());
                part.tell(&mut filtered)?;
                Ok(filtered.into_sink())
            },
            |sink| Ok(join(sink)),
        )
    }

    /// Sums up all games by all cores: `fold` adds a game to a sum, `merge` adds the sum of later
    /// games to that of earlier ones. Sums are merged in the order of the games, so the result
    /// does not depend on the number of threads. Numbers of games are known as in
    /// [`Database::par_tell`].
    ///
    /// ```
    /// use std::collections::BTreeMap;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 1-0\n\n1. d4 d5 1-0\n\n1. c4 0-1\n")?;
    /// let results = tabiya::open(&path)?.par_fold(
    ///     BTreeMap::new,
    ///     |results, game| *results.entry(game.result.token()).or_insert(0) += 1,
    ///     |results, later| {
    ///         for (result, count) in later {
    ///             *results.entry(result).or_insert(0) += count;
    ///         }
    ///     },
    /// )?;
    /// assert_eq!(results, BTreeMap::from([("1-0", 2), ("0-1", 1)]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the database cannot be read to its end.
    pub fn par_fold<T: Send>(
        &self,
        init: impl Fn() -> T + Sync,
        fold: impl Fn(&mut T, &GameTree) + Sync,
        mut merge: impl FnMut(&mut T, T),
    ) -> Result<T> {
        let mut all = init();
        let make = || Fold {
            tree: GameTree::default(),
            sum: init(),
            fold: &fold,
        };
        self.par_tell(make, |part| {
            merge(&mut all, part.sum);
            ControlFlow::Continue(())
        })?;
        Ok(all)
    }

    /// Works on parts of the database, several at once, and joins the results in their order: the
    /// tool of which the others are made. The filter is for `work` to ask.
    ///
    /// What was read before an error is joined before the error is returned.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use tabiya::{Error, Survey};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 *\n\n1. d4 d5 2. c4 *\n")?;
    /// let (mut games, mut deleted) = (0, 0);
    /// tabiya::open(&path)?.par_parts(
    ///     |part| {
    ///         let mut survey = Survey::default();
    ///         part.tell(&mut survey)?;
    ///         Ok((survey.games, part.deleted().len()))
    ///     },
    ///     |(told, marked)| {
    ///         games += told;
    ///         deleted += marked;
    ///         Ok::<_, Error>(ControlFlow::Continue(()))
    ///     },
    /// )?;
    /// assert_eq!((games, deleted), (2, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the database cannot be read to its end, or what `join` returns.
    pub fn par_parts<U: Send, E: From<Error>>(
        &self,
        work: impl Fn(&dyn Part) -> Result<U> + Sync,
        mut join: impl FnMut(U) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        self.for_each_part(self.crew(), work, |result, _| join(result))
    }

    /// As [`Database::par_parts`]; the part comes with its result.
    fn for_each_part<U: Send, E: From<Error>>(
        &self,
        crew: Crew,
        work: impl Fn(&dyn Part) -> Result<U> + Sync,
        mut join: impl FnMut(U, &dyn Part) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let mut parts = self.parts()?;
        let name = self.name();
        let mut failed = None;
        let mut broke = false;
        let work = |part: Box<dyn Part>| (work(&*part), part);
        ordered_within(
            crew.jobs,
            crew.window,
            || parts.next(),
            work,
            |(result, part)| {
                let result = result.map_err(|error| error.trying_to("read", &name).into());
                match result.and_then(|result| join(result, &*part)) {
                    Ok(flow) => {
                        broke = flow.is_break();
                        flow
                    }
                    Err(error) => {
                        failed = Some(error);
                        ControlFlow::Break(())
                    }
                }
            },
        );
        match failed {
            Some(error) => Err(error),
            // What is wrong behind that does not matter, however far others have read ahead.
            None if broke => Ok(()),
            None => Ok(parts.finish()?),
        }
    }

    /// The game of a number, found by counting.
    fn nth(&self, number: u64, filter: &Filter) -> Result<GameTree> {
        let mut before = 0;
        let mut found = None;
        // Each thread looks through a part of its own, without knowing how many games came
        // before: it only counts. The part that has the game is then read again, for that game
        // alone.
        let read: Result<()> = self.for_each_part(
            self.crew(),
            |part| {
                let mut counter = Picker::new(filter, Wanted::Nothing);
                part.tell(&mut counter)?;
                Ok(counter.heard())
            },
            |count, part| {
                if before + count < number {
                    before += count;
                    return Ok(ControlFlow::Continue(()));
                }
                let mut picker = Picker::new(filter, Wanted::Nth(number - before));
                part.tell(&mut picker)?;
                found = Some(picker.into_game(before));
                Ok(ControlFlow::Break(()))
            },
        );
        match found {
            Some(game) => game.ok_or_else(|| self.no_pass(number)),
            None => {
                read?;
                Err(self.no_game(number, before))
            }
        }
    }

    /// The database as it is opened, to be read by whoever calls.
    fn parts(&self) -> Result<Parts> {
        let unread = self.unread()?;
        // Who reads it twice reads the same, where that can be had.
        self.state().unread = unread.again();
        let Unread {
            database, progress, ..
        } = unread;
        self.state().progress = progress.clone();
        Ok(Parts {
            until_damage: self.until_damage,
            name: self.name(),
            database,
            progress,
            watch: self.watch.clone(),
            failed: None,
        })
    }

    fn unread(&self) -> Result<Unread> {
        let unread = self.state().unread.take();
        let unread = match unread {
            // Its files may have changed since.
            Some(unread) if unread.once_more => unread.again(),
            unread => unread,
        };
        if let Some(unread) = unread {
            return Ok(unread);
        }
        if crate::is_read_once(&self.path) {
            return Err(crate::read_twice(&self.path));
        }
        self.how.source(&self.path).map(Unread::new)
    }

    /// It was only looked at.
    fn give_back(&self, unread: Unread) {
        self.state().unread = Some(unread);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check_number(&self, number: u64) -> Result<()> {
        match number {
            0 => {
                let words = "there is no game 0: numbers begin at 1";
                Err(Error::new(ErrorKind::NoSuchGame, words).in_file(self.name()))
            }
            _ => Ok(()),
        }
    }

    /// Texts have numbers too: how many games there are is another question.
    fn no_game(&self, number: u64, last: u64) -> Error {
        let name = self.name();
        let words = match last {
            0 => format!("no game {number}: {name} has no games"),
            last => format!("no game {number}: the last one of {name} is {last}"),
        };
        self.error_of(number, ErrorKind::NoSuchGame, words)
    }

    fn no_pass(&self, number: u64) -> Error {
        let words = format!("game {number} of {} does not pass the filters", self.name());
        self.error_of(number, ErrorKind::Filtered, words)
    }

    /// An error whose words name the game and the file.
    fn error_of(&self, number: u64, kind: ErrorKind, words: String) -> Error {
        let error = Error::new(kind, words);
        error.trying_to("read", self.name()).of_game(number)
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database")
            .field("path", &self.path)
            .field("format", &self.profile.to_string())
            .finish_non_exhaustive()
    }
}

/// The games of a store that pass a filter; `None` if all do.
#[cfg(feature = "store")]
pub(crate) fn select(
    store: &tabiya_store::Store,
    filter: &Filter,
    gauge: &Gauge,
) -> Result<Option<tabiya_store::GameSet>> {
    if filter.is_empty() {
        return Ok(None);
    }
    let counts = tells_games(filter);
    let hear = |entries| gauge.add(if counts { entries } else { 0 });
    let watch = tabiya_store::Watch::new(&hear);
    Ok(Some(store.select_watched(filter, watch)?))
}

/// Whether games have to be told to judge them: other filters take no time.
#[cfg(feature = "store")]
pub(crate) fn tells_games(filter: &Filter) -> bool {
    filter.comment.is_some() || filter.chess960.is_some()
}

/// Tells a sink one part after the other, and the numbers of games.
fn tell_parts(parts: &mut Parts, sink: impl GameSink) -> Result<()> {
    let mut numbered = Numbered::new(0, sink);
    while let Some(part) = parts.next() {
        let told = part.tell(&mut numbered);
        if told.map_err(|error| parts.error(error))? == Flow::Stop {
            // What is wrong behind that does not matter.
            parts.failed = None;
            break;
        }
    }
    Ok(())
}

/// Adds games to a sum.
struct Fold<'f, T, F> {
    /// One for all games, so that its memory serves for all.
    tree: GameTree,
    sum: T,
    fold: &'f F,
}

impl<T, F: Fn(&mut T, &GameTree)> GameSink for Fold<'_, T, F> {
    fn event(&mut self, event: Event<'_>) -> Flow {
        let flow = self.tree.event(event);
        if let Event::GameEnd { .. } = event {
            (self.fold)(&mut self.sum, &self.tree);
        }
        flow
    }
}
