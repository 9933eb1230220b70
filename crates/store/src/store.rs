//! A store, from outside.

use std::{path::Path, sync::Arc};

use tabiya_game::{Error, Flow, GameSink, GameTree};

use crate::{
    change::Change,
    disk::{Disk, System},
    import::{Importer, MEMORY, SHARE, segment_of},
    index::Plan,
    merge,
    row::Row,
    snapshot::{Batch, Damage, Snapshot},
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
/// importer.finish()?.merge()?;
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
        Store::on(Arc::new(System), folder.as_ref(), Damage::Refused)
    }

    /// Opens what is left of a damaged state. What cannot be read is told as broken games.
    ///
    /// # Errors
    /// If there is no state, or its manifest is damaged.
    pub fn salvage(folder: impl AsRef<Path>) -> Result<Store, Error> {
        Store::on(Arc::new(System), folder.as_ref(), Damage::Told)
    }

    pub(crate) fn on(disk: Arc<dyn Disk>, folder: &Path, damage: Damage) -> Result<Store, Error> {
        let snapshot = Arc::new(Snapshot::open_with(&*disk, folder, damage)?);
        Ok(Store { disk, snapshot })
    }

    pub(crate) fn snapshot(&self) -> &Arc<Snapshot> {
        &self.snapshot
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

    /// How many bytes its files have in all.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.snapshot.manifest.bytes()
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

    /// The columns of all entries, batch by batch, as they were imported: entries that are deleted
    /// or replaced since are among them, as [`Store::is_deleted`] and [`Store::is_replaced`] tell.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.tabiya");
    /// # let mut importer = tabiya_store::Store::import(&path)?;
    /// # importer.add(&Default::default())?;
    /// # importer.finish()?;
    /// let store = tabiya_store::Store::open(&path)?;
    /// for batch in store.batches() {
    ///     let batch = batch?;
    ///     let plies = batch.games.column_by_name("ply_count").expect("always there");
    ///     assert_eq!(plies.len() as u64, batch.numbers.end - batch.numbers.start);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn batches(&self) -> impl Iterator<Item = Result<Batch, Error>> + '_ {
        self.snapshot.batches()
    }

    /// Whether the entry of a number was replaced since it was imported.
    #[must_use]
    pub fn is_replaced(&self, number: u64) -> bool {
        number > 0 && self.snapshot.is_replaced(number - 1)
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
        change.commit()?;
        Ok(())
    }

    /// Puts a game in the place of an entry, as [`Store::mark`] changes one.
    ///
    /// # Errors
    /// If there is no entry of the number, or somebody else is writing.
    pub fn replace(&self, number: u64, game: &GameTree) -> Result<(), Error> {
        let mut writer = RowWriter::new(Default::default());
        game.tell(&mut writer);
        let rows = writer.take_rows();
        self.replace_row(number, rows.first().expect("a game is a row"))
    }

    /// The same for what a writer of this format has written.
    pub(crate) fn replace_row(&self, number: u64, row: &Row) -> Result<(), Error> {
        let mut change = Change::begin(Arc::clone(&self.disk), self.path())?;
        let ids = ids(&[number], change.manifest().rows())?;
        change.replace(ids, segment_of(row))?;
        let lock = change.commit()?;
        // It is replaced: what cannot be put together now is left to the next.
        let _ = merge::all_due(&self.disk, self.path(), lock, merge::largest(MEMORY));
        Ok(())
    }

    /// Makes deletions and replacements real. Numbers begin anew.
    ///
    /// # Errors
    /// If somebody else is writing, or an entry is damaged.
    pub fn compact(&self) -> Result<(), Error> {
        let mut change = Change::begin(Arc::clone(&self.disk), self.path())?;
        let snapshot = change.snapshot()?;
        merge::rewrite(&mut change, &snapshot, MEMORY / SHARE)?;
        change.commit()?;
        Ok(())
    }

    /// Makes what finds positions in games wherever it is missing or damaged, with about so many
    /// bytes of memory. This store stays as it is: open it again to see the change.
    ///
    /// # Errors
    /// If somebody else is writing, or an entry is damaged.
    pub fn index(&self, memory: usize) -> Result<(), Error> {
        self.index_as(Plan::with_memory(memory / 2), false)
    }

    /// The same, and makes all of it anew.
    ///
    /// # Errors
    /// If somebody else is writing, or an entry is damaged.
    pub fn reindex(&self, memory: usize) -> Result<(), Error> {
        self.index_as(Plan::with_memory(memory / 2), true)
    }

    pub(crate) fn index_as(&self, plan: Plan, anew: bool) -> Result<(), Error> {
        let mut change = Change::begin(Arc::clone(&self.disk), self.path())?;
        change.set_plan(plan);
        change.index(anew)?;
        change.commit()?;
        Ok(())
    }

    /// Removes what is known of the positions of games. Questions about them are then answered by
    /// telling all games, until [`Store::index`]; what is imported later has an index.
    ///
    /// # Errors
    /// If somebody else is writing.
    pub fn drop_index(&self) -> Result<(), Error> {
        let mut change = Change::begin(Arc::clone(&self.disk), self.path())?;
        change.drop_index();
        change.commit()?;
        Ok(())
    }

    /// How many bytes of its files are the index of positions.
    #[must_use]
    pub fn index_bytes(&self) -> u64 {
        self.snapshot.manifest.index_bytes()
    }

    /// Everything that is not as it was written, in sentences for people. All of it is read.
    #[must_use]
    pub fn examine(&self) -> Vec<String> {
        self.snapshot.examine()
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
