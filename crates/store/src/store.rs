//! A store, from outside.

use std::{path::Path, sync::Arc};

use tabiya_game::{Error, Flow, GameSink, GameTree};

use crate::{
    change::Change,
    disk::{Disk, System},
    import::{Importer, segment_of},
    merge,
    snapshot::Snapshot,
    writer::RowWriter,
};

/// A database that is open: a state of it that stays as it is while others write.
///
/// ```
/// use tabiya_game::GameTree;
/// use tabiya_store::Store;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.tabiya");
/// let mut importer = Store::import(&path)?;
/// let mut game = GameTree::default();
/// game.tags.push("White", "Morphy, Paul");
/// importer.add(&game)?;
/// importer.finish()?;
///
/// let store = Store::open(&path)?;
/// let mut found = GameTree::default();
/// store.tell(1, &mut found)?;
/// assert_eq!(found.tags.get("White"), Some("Morphy, Paul"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Store {
    disk: Arc<dyn Disk>,
    snapshot: Arc<Snapshot>,
}

impl Store {
    /// Opens the last state that was committed.
    ///
    /// # Errors
    /// If there is none, or it is damaged.
    pub fn open(folder: impl AsRef<Path>) -> Result<Store, Error> {
        Store::on(Arc::new(System), folder.as_ref())
    }

    pub(crate) fn on(disk: Arc<dyn Disk>, folder: &Path) -> Result<Store, Error> {
        let snapshot = Arc::new(Snapshot::open(&*disk, folder)?);
        Ok(Store { disk, snapshot })
    }

    /// Begins to add entries; makes a store if there is none. Nothing is there for others until
    /// [`Importer::finish`].
    ///
    /// # Errors
    /// If somebody else is writing, or the folder is no store.
    pub fn import(folder: impl AsRef<Path>) -> Result<Importer, Error> {
        Importer::begin(Arc::new(System), folder.as_ref())
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.snapshot.folder
    }

    /// How many entries there are, deleted ones too. They are numbered from 1.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.snapshot.len()
    }

    /// How many of them are deleted.
    #[must_use]
    pub fn deleted(&self) -> u64 {
        self.snapshot.deleted.len()
    }

    /// How many segments there are.
    #[must_use]
    pub fn segments(&self) -> usize {
        self.snapshot.manifest.segments.len()
    }

    /// Whether the entry of a number is deleted.
    #[must_use]
    pub fn is_deleted(&self, number: u64) -> bool {
        number > 0 && self.snapshot.deleted.contains(number - 1)
    }

    /// Tells the entry of a number, deleted or not.
    ///
    /// # Errors
    /// If there is none, or it is damaged.
    pub fn tell(&self, number: u64, sink: &mut dyn GameSink) -> Result<Flow, Error> {
        let id = number
            .checked_sub(1)
            .ok_or_else(|| Error::no_such_game(0))?;
        self.snapshot.tell(id, sink)
    }

    /// Marks entries as deleted, or no longer so. They are all still there until
    /// [`Store::compact`]. This store stays as it is: open it again to see the change.
    ///
    /// # Errors
    /// If there is no entry of a number, or somebody else is writing.
    pub fn mark(&self, numbers: &[u64], deleted: bool) -> Result<(), Error> {
        let mut change = Change::begin(Arc::clone(&self.disk), self.path())?;
        let ids = ids(numbers, change.manifest().rows())?;
        let mut marks = change.snapshot()?.deleted;
        match deleted {
            true => marks.insert(&ids),
            false => marks.remove(&ids),
        }
        change.set_deleted(&marks)?;
        change.commit()
    }

    /// Puts a game in the place of an entry, as [`Store::mark`] changes one.
    ///
    /// # Errors
    /// If there is no entry of the number, or somebody else is writing.
    pub fn replace(&self, number: u64, game: &GameTree) -> Result<(), Error> {
        let mut change = Change::begin(Arc::clone(&self.disk), self.path())?;
        let ids = ids(&[number], change.manifest().rows())?;
        let mut writer = RowWriter::new();
        game.tell(&mut writer);
        change.replace(ids, segment_of(&mut writer)?)?;
        change.commit()
    }

    /// Makes deletions and replacements real, and one segment of all.
    ///
    /// # Errors
    /// If somebody else is writing, or an entry is damaged.
    pub fn compact(&self) -> Result<(), Error> {
        let mut change = Change::begin(Arc::clone(&self.disk), self.path())?;
        let snapshot = change.snapshot()?;
        let builder = merge::rows(&snapshot, 0..snapshot.len(), true)?;
        change.clear();
        change.append(builder)?;
        change.commit()
    }
}

/// Ids of entries that are there.
fn ids(numbers: &[u64], count: u64) -> Result<Vec<u64>, Error> {
    let there = |number: &u64| match number {
        1.. if *number <= count => Ok(number - 1),
        _ => Err(Error::no_such_game(*number)),
    };
    numbers.iter().map(there).collect()
}
