//! A store, from outside.

use std::{
    collections::BTreeSet,
    num::NonZeroUsize,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use tabiya_formats::ordered;
use tabiya_game::{Error, ErrorKind, Event, Flow, GameSink, GameTree};

use crate::{
    change::{Change, Which},
    disk::{Disk, System},
    ids::IdList,
    import::{Importer, MEMORY, SHARE, segment_of},
    index::Plan,
    marked, merge,
    row::Row,
    segment::build::Builder,
    snapshot::{Batch, Damage, Part, Snapshot},
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
    /// Whether only this state may be changed, and no later one.
    is_of_this_state: bool,
    /// The state that its last change has led to; its own before that.
    led_to: Arc<AtomicU64>,
}

impl Store {
    /// So many entries take long enough to be told one after the other that several threads are worth
    /// it, and somebody wants to know how far it is.
    pub const MANY: u64 = 10_000;

    /// Opens the last state that was committed. It stays as it is while others write.
    ///
    /// ```
    /// use tabiya_store::Store;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.tabiya");
    /// let add_a_game = || -> Result<(), tabiya_game::Error> {
    ///     let mut importer = Store::import(&path)?;
    ///     importer.add(&Default::default())?;
    ///     importer.finish()?;
    ///     Ok(())
    /// };
    /// add_a_game()?;
    /// let before = Store::open(&path)?;
    /// add_a_game()?;
    /// assert_eq!((before.count(), Store::open(&path)?.count()), (1, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is none, or it is damaged.
    pub fn open(folder: impl AsRef<Path>) -> Result<Store, Error> {
        Store::on(Arc::new(System), folder.as_ref(), Damage::Refused)
    }

    /// Opens what is left of a damaged state. What cannot be read is told as broken games;
    /// [`Store::examine`] says what is damaged.
    ///
    /// # Errors
    /// If there is no state, or nothing is left of it.
    pub fn salvage(folder: impl AsRef<Path>) -> Result<Store, Error> {
        Store::on(Arc::new(System), folder.as_ref(), Damage::Told)
    }

    pub(crate) fn on(disk: Arc<dyn Disk>, folder: &Path, damage: Damage) -> Result<Store, Error> {
        let snapshot = Arc::new(Snapshot::open_with(&*disk, folder, damage)?);
        Ok(Store {
            disk,
            is_of_this_state: false,
            led_to: Arc::new(AtomicU64::new(snapshot.manifest.generation)),
            snapshot,
        })
    }

    /// The same for whoever has chosen numbers in this state: all changes are refused if somebody has
    /// changed the store since, for numbers may mean other games then. So they are after a change by
    /// way of this: open it again, and ask [`Store::has_led_to`] whether that was all.
    ///
    /// ```
    /// use tabiya_game::ErrorKind;
    /// use tabiya_store::Store;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.tabiya");
    /// # let mut importer = Store::import(&path)?;
    /// # importer.add(&Default::default())?;
    /// # importer.add(&Default::default())?;
    /// # importer.finish()?;
    /// let seen = Store::open(&path)?.of_this_state();
    /// Store::open(&path)?.mark(&[1], true)?;
    /// Store::open(&path)?.compact()?;
    /// assert_eq!(seen.mark(&[1], true).unwrap_err().kind(), ErrorKind::Changed);
    /// assert_eq!(seen.compact().unwrap_err().kind(), ErrorKind::Changed);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_this_state(self) -> Store {
        Store {
            is_of_this_state: true,
            led_to: Arc::new(AtomicU64::new(self.snapshot.manifest.generation)),
            ..self
        }
    }

    /// Whether another, which was opened later, is what the last change by way of this store has led
    /// to: if not, somebody else has changed it since, or before, and numbers may mean other games.
    ///
    /// ```
    /// use tabiya_store::Store;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.tabiya");
    /// # let mut importer = Store::import(&path)?;
    /// # importer.add(&Default::default())?;
    /// # importer.finish()?;
    /// let seen = Store::open(&path)?.of_this_state();
    /// seen.mark(&[1], true)?;
    /// assert!(seen.has_led_to(&Store::open(&path)?));
    /// Store::open(&path)?.compact()?;
    /// assert!(!seen.has_led_to(&Store::open(&path)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn has_led_to(&self, later: &Store) -> bool {
        self.led_to.load(Ordering::Acquire) == later.snapshot.manifest.generation
    }

    /// Begins a change.
    fn begin(&self) -> Result<Change, Error> {
        let change = Change::begin(Arc::clone(&self.disk), self.path())?;
        let generation = self.snapshot.manifest.generation;
        if self.is_of_this_state && change.manifest().generation != generation {
            let name = self.path().display().to_string();
            let words = "was changed by somebody else meanwhile, so that numbers may mean other games: \
                         look at it again";
            let error = Error::about(ErrorKind::Changed, name, words);
            return Err(error.with_consequence("nothing was changed"));
        }
        Ok(change)
    }

    pub(crate) fn snapshot(&self) -> &Arc<Snapshot> {
        &self.snapshot
    }

    /// Begins to add entries; makes a store if there is none. Nothing is there for others until
    /// [`Importer::finish`]. A game whose tag `ScidFlags` has a `D`, the mark by which deleted games go
    /// from one format to another, is deleted from the beginning.
    ///
    /// # Errors
    /// If somebody else is writing, the folder is no store, or the store is damaged.
    pub fn import(folder: impl AsRef<Path>) -> Result<Importer, Error> {
        Importer::begin(Arc::new(System), folder.as_ref())
    }

    /// The same for a store that is open: [`Store::of_this_state`] and [`Store::has_led_to`] hold for
    /// it as for other changes.
    ///
    /// ```
    /// use tabiya_store::Store;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.tabiya");
    /// # Store::import(&path)?.finish()?;
    /// let seen = Store::open(&path)?.of_this_state();
    /// let mut importer = seen.importer()?;
    /// importer.add(&Default::default())?;
    /// importer.finish()?.merge()?;
    /// let later = Store::open(&path)?;
    /// assert!(later.count() == 1 && seen.has_led_to(&later) && seen.importer().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Store::import`].
    pub fn importer(&self) -> Result<Importer, Error> {
        let change = self.begin()?;
        let (disk, led_to) = (Arc::clone(&self.disk), Arc::clone(&self.led_to));
        Importer::with_change(disk, self.path(), change, led_to)
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
        let places = self.snapshot.batch_places();
        places.map(|place| self.snapshot.batch(place))
    }

    /// Works on all [batches](Store::batches) in so many threads. The results are in the order of the
    /// batches.
    ///
    /// ```
    /// use std::num::NonZeroUsize;
    /// use tabiya_store::Store;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.tabiya");
    /// # let mut importer = Store::import(&path)?;
    /// # importer.add(&Default::default())?;
    /// # importer.finish()?;
    /// let store = Store::open(&path)?;
    /// let jobs = NonZeroUsize::new(2).expect("two");
    /// let games = store.par_batches(jobs, |batch| batch.games.num_rows())?;
    /// assert_eq!(games.iter().sum::<usize>() as u64, store.count());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a batch is damaged.
    pub fn par_batches<T: Send>(
        &self,
        jobs: NonZeroUsize,
        work: impl Fn(Batch) -> T + Sync,
    ) -> Result<Vec<T>, Error> {
        let mut places = self.snapshot.batch_places();
        let (mut results, mut failure) = (Vec::new(), None);
        ordered(
            jobs.get(),
            || places.next(),
            |place| self.snapshot.batch(place).map(&work),
            |result| match result {
                Ok(result) => {
                    results.push(result);
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            },
        );
        failure.map_or(Ok(results), Err)
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
        let mut change = self.begin()?;
        let ids = ids(numbers, change.manifest().rows())?;
        let snapshot = change.snapshot()?;
        let mut marks = snapshot.deleted.clone();
        match deleted {
            true => marks.insert(&ids),
            false => {
                marks.remove(&ids);
                take_marks(&mut change, &snapshot, ids)?;
            }
        }
        change.set_deleted(&marks)?;
        self.commit(change)
    }

    /// Puts a game in the place of an entry, as [`Store::mark`] changes one. A mark that the game has
    /// brought along, of another entry that is deleted, is left out: this one is deleted as it was
    /// before, or not.
    ///
    /// # Errors
    /// If there is no entry of the number, or somebody else is writing.
    pub fn replace(&self, number: u64, game: &GameTree) -> Result<(), Error> {
        self.replace_row(number, &row_of(game))
    }

    /// The same for what a writer of this format has written.
    pub(crate) fn replace_row(&self, number: u64, row: &Row) -> Result<(), Error> {
        let mut change = self.begin()?;
        let ids = ids(&[number], change.manifest().rows())?;
        let segment = match marked::is_marked(&row.tags) {
            true => segment_of(&Row {
                tags: marked::without_mark(&row.tags),
                ..row.clone()
            }),
            false => segment_of(row),
        };
        change.replace(ids.into_iter().collect(), segment)?;
        self.commit(change)
    }

    /// Changes games where they are, all or none: `edit` hears each that is not deleted, with its
    /// number, and says whether it has changed it. How many it has changed is returned. As
    /// [`Store::mark`], this leaves the state that is open as it is.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.tabiya");
    /// # let mut importer = tabiya_store::Store::import(&path)?;
    /// # importer.add(&Default::default())?;
    /// # importer.finish()?;
    /// let changed = tabiya_store::Store::open(&path)?.edit(|_, game| {
    ///     game.tags.set("Event", "Club evening");
    ///     true
    /// })?;
    /// assert_eq!(changed, 1);
    /// let mut game = tabiya_game::GameTree::default();
    /// tabiya_store::Store::open(&path)?.tell(1, &mut game)?;
    /// assert_eq!(game.tags.event(), Some("Club evening"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If somebody else is writing, or an entry is damaged.
    pub fn edit(&self, edit: impl FnMut(u64, &mut GameTree) -> bool) -> Result<u64, Error> {
        self.edit_which(false, edit)
    }

    /// The same, and deleted games are heard, too. They stay deleted.
    ///
    /// # Errors
    /// If somebody else is writing, or an entry is damaged.
    pub fn edit_with_deleted(
        &self,
        edit: impl FnMut(u64, &mut GameTree) -> bool,
    ) -> Result<u64, Error> {
        self.edit_which(true, edit)
    }

    fn edit_which(
        &self,
        deleted: bool,
        mut edit: impl FnMut(u64, &mut GameTree) -> bool,
    ) -> Result<u64, Error> {
        let mut change = self.begin()?;
        let snapshot = change.snapshot()?;
        let mut replacing = Replacing::default();
        let (mut marked_now, mut marked_no_more) = (Vec::new(), Vec::new());
        let is_heard = |id: &u64| deleted || !snapshot.deleted.contains(*id);
        for id in (0..snapshot.len()).filter(is_heard) {
            let mut heard = OnlyGame::default();
            snapshot.tell(id, &mut heard)?;
            let Some(mut game) = heard.0 else { continue };
            let was_marked = marked::is_marked(&game.tags);
            if !edit(id + 1, &mut game) {
                continue;
            }
            // A mark that comes or goes is as if the game had come with it or without.
            match (was_marked, marked::is_marked(&game.tags)) {
                (false, true) => marked_now.push(id),
                (true, false) => marked_no_more.push(id),
                _ => {}
            }
            replacing.add_game(id, &game, &mut change)?;
        }
        let changed = replacing.finish(&mut change)?;
        if changed == 0 {
            return Ok(0);
        }
        let mut marks = snapshot.deleted.clone();
        marks.insert(&marked_now);
        marks.remove(&marked_no_more);
        if marks != snapshot.deleted {
            change.set_deleted(&marks)?;
        }
        self.commit(change)?;
        Ok(changed)
    }

    /// Changes chosen games where they are, all or none: `amend` hears the game of each number once,
    /// in the order of the numbers, deleted or not, and changes it as it likes. What it refuses leaves everything as it is.
    ///
    /// The memo is kept with the store until the next time, or until numbers begin anew: whoever
    /// changes games can say there how that is taken back. As [`Store::mark`], this leaves the state
    /// that is open as it is.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.tabiya");
    /// # let mut importer = tabiya_store::Store::import(&path)?;
    /// # importer.add(&Default::default())?;
    /// # importer.add(&Default::default())?;
    /// # importer.finish()?;
    /// use tabiya_store::Store;
    ///
    /// Store::open(&path)?.amend([2], Some(b"game 2 was not deleted"), |_, entry| {
    ///     entry.deleted = true;
    ///     Ok(())
    /// })?;
    /// let store = Store::open(&path)?;
    /// assert!(store.is_deleted(2) && !store.is_deleted(1));
    /// assert_eq!(store.memo()?, Some(&b"game 2 was not deleted"[..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no game of a number, one is damaged, somebody else is writing, or what `amend`
    /// returns.
    pub fn amend(
        &self,
        numbers: impl IntoIterator<Item = u64>,
        memo: Option<&[u8]>,
        mut amend: impl FnMut(u64, &mut Amended) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut change = self.begin()?;
        let snapshot = change.snapshot()?;
        let mut replacing = Replacing::default();
        let (mut deleted, mut kept) = (Vec::new(), Vec::new());
        let numbers: BTreeSet<u64> = numbers.into_iter().collect();
        for number in numbers {
            let id = ids(&[number], snapshot.len())?[0];
            let mut entry = snapshot.amended(id)?;
            let before = entry.clone();
            amend(number, &mut entry)?;
            match (before.deleted, entry.deleted) {
                (false, true) => deleted.push(id),
                (true, false) => {
                    kept.push(id);
                    entry.game.tags = marked::without_mark(&entry.game.tags);
                }
                _ => {}
            }
            if entry.game != before.game {
                replacing.add_game(id, &entry.game, &mut change)?;
            }
        }
        replacing.finish(&mut change)?;
        let mut marks = snapshot.deleted.clone();
        marks.insert(&deleted);
        marks.remove(&kept);
        change.set_deleted(&marks)?;
        change.set_memo(memo)?;
        self.commit(change)
    }

    /// What the last [`Store::amend`] has left here.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn memo(&self) -> Result<Option<&[u8]>, Error> {
        self.snapshot.memo()
    }

    /// Makes a change real, and puts together what it has made too many of.
    fn commit(&self, change: Change) -> Result<(), Error> {
        let lock = change.commit(&self.led_to)?;
        // It is made: what cannot be put together now is left to the next.
        let (disk, plan) = (&self.disk, Plan::default());
        let _ = merge::all_due(disk, self.path(), lock, MEMORY, plan, &self.led_to);
        Ok(())
    }

    /// Makes deletions and replacements real. Numbers begin anew.
    ///
    /// # Errors
    /// If somebody else is writing, or an entry is damaged.
    pub fn compact(&self) -> Result<(), Error> {
        let mut change = self.begin()?;
        let snapshot = change.snapshot()?;
        merge::rewrite(&mut change, &snapshot, MEMORY / SHARE)?;
        change.commit(&self.led_to)?;
        Ok(())
    }

    /// Makes what finds positions in games wherever it is missing or damaged, with about so many
    /// bytes of memory. This store stays as it is: open it again to see the change.
    ///
    /// # Errors
    /// If somebody else is writing, or an entry is damaged.
    pub fn index(&self, memory: usize) -> Result<(), Error> {
        self.index_as(Plan::with_memory(memory), Which::Missing)
    }

    /// The same, and makes all of it anew.
    ///
    /// # Errors
    /// If somebody else is writing, or an entry is damaged.
    pub fn reindex(&self, memory: usize) -> Result<(), Error> {
        self.index_as(Plan::with_memory(memory), Which::All)
    }

    /// Makes what finds positions in games again where it is damaged, and says which files were: none
    /// if all are as they were written, and then nothing is changed. What was dropped stays so.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.tabiya");
    /// # let mut importer = tabiya_store::Store::import(&path)?;
    /// # importer.add(&Default::default())?;
    /// # importer.finish()?;
    /// let damaged = tabiya_store::Store::open(&path)?.mend_index(512 << 20)?;
    /// assert!(damaged.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If somebody else is writing, or an entry is damaged.
    pub fn mend_index(&self, memory: usize) -> Result<Vec<PathBuf>, Error> {
        let damaged = self.snapshot.damaged_indexes();
        if !damaged.is_empty() {
            self.index_as(Plan::with_memory(memory), Which::Damaged)?;
        }
        Ok(damaged)
    }

    pub(crate) fn index_as(&self, plan: Plan, which: Which) -> Result<(), Error> {
        let mut change = self.begin()?;
        change.set_plan(plan);
        change.index(which)?;
        change.commit(&self.led_to)?;
        Ok(())
    }

    /// Removes what is known of the positions of games. Questions about them are then answered by
    /// telling all games, until [`Store::index`]; what is imported later has an index.
    ///
    /// # Errors
    /// If somebody else is writing.
    pub fn drop_index(&self) -> Result<(), Error> {
        let mut change = self.begin()?;
        change.drop_index();
        change.commit(&self.led_to)?;
        Ok(())
    }

    /// How many bytes of its files are the index of positions.
    #[must_use]
    pub fn index_bytes(&self) -> u64 {
        self.snapshot.manifest.index_bytes()
    }

    /// How many entries are not in the index of positions, at most: [`Store::tree_at`] tells each of
    /// them to find out what it plays.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.tabiya");
    /// # let mut importer = tabiya_store::Store::import(&path)?;
    /// # importer.add(&Default::default())?;
    /// # importer.finish()?;
    /// // So few games need no index.
    /// assert_eq!(tabiya_store::Store::open(&path)?.unindexed(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn unindexed(&self) -> u64 {
        let left_out = |part: Part<'_>| match part.index() {
            Some(index) => index.left_out(),
            None => part.rows.into(),
        };
        self.snapshot.parts().map(left_out).sum()
    }

    /// Everything that is not as it was written, in sentences for people. All of it is read.
    #[must_use]
    pub fn examine(&self) -> Vec<String> {
        self.snapshot.examine()
    }
}

/// Takes the mark out of the tags of entries that came with it, so that they do not take it elsewhere.
fn take_marks(change: &mut Change, snapshot: &Snapshot, mut ids: Vec<u64>) -> Result<(), Error> {
    ids.sort_unstable();
    ids.dedup();
    let mut replacing = Replacing::default();
    let mut row = Row::default();
    for id in ids {
        snapshot.row(id, &mut row)?;
        if marked::is_marked(&row.tags) {
            row.tags = marked::without_mark(&row.tags);
            replacing.add(id, &row, change)?;
        }
    }
    replacing.finish(change)?;
    Ok(())
}

/// Entries that take the places of others, in the order of their ids.
#[derive(Default)]
struct Replacing {
    ids: IdList,
    builder: Builder,
    /// How many there were in all.
    count: u64,
}

impl Replacing {
    fn add_game(&mut self, id: u64, game: &GameTree, change: &mut Change) -> Result<(), Error> {
        self.add(id, &row_of(game), change)
    }

    /// Takes an entry. What does not fit into memory any more becomes part of the change.
    fn add(&mut self, id: u64, row: &Row, change: &mut Change) -> Result<(), Error> {
        // Rows that are not in the order of the ids would be told as those of each other.
        self.ids.push(id).expect("they come in order, each once");
        self.builder.add(row);
        self.count += 1;
        match self.builder.memory() > MEMORY / SHARE {
            true => self.flush(change),
            false => Ok(()),
        }
    }

    fn flush(&mut self, change: &mut Change) -> Result<(), Error> {
        let builder = std::mem::take(&mut self.builder);
        let ids = std::mem::take(&mut self.ids);
        change.replace(ids, builder)
    }

    /// How many entries have taken the places of others.
    fn finish(mut self, change: &mut Change) -> Result<u64, Error> {
        if self.ids.len() > 0 {
            self.flush(change)?;
        }
        Ok(self.count)
    }
}

/// A game taken apart.
fn row_of(game: &GameTree) -> Row {
    let mut writer = RowWriter::new(Default::default());
    game.tell(&mut writer);
    writer.take_rows().pop().expect("a game is a row")
}

/// A game that may be changed.
#[derive(Clone, PartialEq, Debug)]
pub struct Amended {
    /// All that is in it.
    pub game: GameTree,
    /// Whether it is deleted.
    pub deleted: bool,
}

impl Snapshot {
    /// The game of an id, as it is now.
    fn amended(&self, id: u64) -> Result<Amended, Error> {
        let mut heard = OnlyGame::default();
        self.tell(id, &mut heard)?;
        let not_a_game = || {
            let error = Error::new(ErrorKind::NotAGame, "it is no game");
            error.of_game(id + 1)
        };
        Ok(Amended {
            game: heard.0.ok_or_else(not_a_game)?,
            deleted: self.deleted.contains(id),
        })
    }
}

/// Keeps an entry if it is a game.
#[derive(Default)]
struct OnlyGame(Option<GameTree>);

impl GameSink for OnlyGame {
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Text { .. } | Event::Opaque { .. } => Flow::Continue,
            event => self.0.get_or_insert_default().event(event),
        }
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
