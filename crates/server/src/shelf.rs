//! The database that is served, as it is now.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::SystemTime,
};

use tabiya::{
    Error, ErrorKind, Filter, Filtered,
    store::{GameSet, Store},
};
use tokio::sync::watch;

use crate::{census::Census, explorer::Choice, failure::Failure};

/// A database that may grow, or be changed by others, while it is served.
pub struct Shelf {
    path: PathBuf,
    now: watch::Sender<Arc<Opened>>,
}

/// A state of the database.
pub struct Opened {
    pub store: Store,
    /// When its manifest was written, and how long it is.
    written: Option<(SystemTime, u64)>,
    census: OnceLock<Result<Census, String>>,
    /// The games that were asked for last, the latest first.
    selected: Mutex<Vec<(Wish, Arc<GameSet>)>>,
}

/// Which games were asked for.
#[derive(Clone, PartialEq)]
enum Wish {
    Filter(Box<Filter>),
    Choice(Box<Choice>),
}

/// People click through a tree with one filter, and there are few of them.
const SELECTIONS: usize = 8;

impl Shelf {
    pub fn open(path: &Path) -> Result<Shelf, Error> {
        Ok(Shelf {
            path: path.to_owned(),
            now: watch::Sender::new(Arc::new(Opened::open(path)?)),
        })
    }

    /// The last state that was looked at.
    pub fn now(&self) -> Arc<Opened> {
        Arc::clone(&self.now.borrow())
    }

    /// Hears of every new state.
    pub fn subscribe(&self) -> watch::Receiver<Arc<Opened>> {
        self.now.subscribe()
    }

    /// Looks whether somebody has changed the database, and opens it again then.
    ///
    /// # Errors
    /// If it has become unreadable; the last state is served on.
    pub fn refresh(&self) -> Result<(), Error> {
        if written(&self.path) != self.now().written {
            self.now.send_replace(Arc::new(Opened::open(&self.path)?));
        }
        Ok(())
    }
}

/// When the manifest was written, which is the last thing that a change does, and how long it is: the
/// clocks of some file systems are slow.
fn written(path: &Path) -> Option<(SystemTime, u64)> {
    let manifest = path.join("manifest.json").metadata().ok()?;
    Some((manifest.modified().ok()?, manifest.len()))
}

impl Opened {
    fn open(path: &Path) -> Result<Opened, Error> {
        // Before it is opened: a change in between is then seen the next time.
        let written = written(path);
        Ok(Opened {
            store: Store::open(path)?,
            written,
            census: OnceLock::new(),
            selected: Mutex::default(),
        })
    }

    /// Whether nobody has changed the database since.
    pub fn is_current(&self) -> bool {
        written(self.store.path()) == self.written
    }

    /// What the headers of all games say. It is made by the first who asks.
    pub fn census(&self) -> Result<&Census, Failure> {
        let census = self.census.get_or_init(|| {
            let census = Census::of(&self.store);
            census.map_err(|error| error.to_string())
        });
        census.as_ref().map_err(Failure::internal)
    }

    /// The same, if it is there.
    pub fn census_if_made(&self) -> Option<&Census> {
        self.census.get()?.as_ref().ok()
    }

    /// The games that pass a filter; `None` if all do.
    pub fn select(
        &self,
        filter: &Filter,
        cancel: &AtomicBool,
    ) -> Result<Option<Arc<GameSet>>, Failure> {
        if filter.is_empty() {
            return Ok(None);
        }
        let wish = Wish::Filter(Box::new(filter.clone()));
        self.remember(wish, || self.pass(filter, cancel)).map(Some)
    }

    /// The same, as Lichess's explorer asks.
    pub fn choose(&self, choice: &Choice) -> Result<Option<Arc<GameSet>>, Failure> {
        if choice.is_everything() {
            return Ok(None);
        }
        let wish = Wish::Choice(Box::new(choice.clone()));
        self.remember(wish, || Ok(choice.games(self.census()?)))
            .map(Some)
    }

    fn remember(
        &self,
        wish: Wish,
        find: impl FnOnce() -> Result<GameSet, Failure>,
    ) -> Result<Arc<GameSet>, Failure> {
        {
            let mut selected = self.selected();
            let known = selected.iter().position(|(known, _)| *known == wish);
            if let Some(place) = known {
                selected[..=place].rotate_right(1);
                return Ok(Arc::clone(&selected[0].1));
            }
        }
        let games = Arc::new(find()?);
        let mut selected = self.selected();
        selected.insert(0, (wish, Arc::clone(&games)));
        selected.truncate(SELECTIONS);
        Ok(games)
    }

    /// Columns answer what they can; the games that are left are told, which may take long.
    fn pass(&self, filter: &Filter, cancel: &AtomicBool) -> Result<GameSet, Failure> {
        let of_game = filter.of_game();
        let by_tags = self.store.select(&filter.of_tags())?;
        if of_game.is_empty() {
            return Ok(by_tags);
        }
        let mut passed = GameSet::default();
        for number in by_tags.iter() {
            if cancel.load(Ordering::Relaxed) {
                return Err(Error::new(ErrorKind::Cancelled, "nobody waits for the answer").into());
            }
            let mut judge = Filtered::new(&of_game, ());
            self.store.tell(number, &mut judge)?;
            if judge.passed() > 0 {
                passed.insert(number);
            }
        }
        Ok(passed)
    }

    fn selected(&self) -> MutexGuard<'_, Vec<(Wish, Arc<GameSet>)>> {
        self.selected.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
