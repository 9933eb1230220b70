//! Changes: new files first, then the manifest that names them.

use std::{
    ops::Range,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use tabiya_formats::io::folder_of;
use tabiya_game::{Error, ErrorKind};

use crate::{
    deleted::Deleted,
    disk::{Disk, DiskFile, Guard, NEW_FOLDER, NewFolder},
    error::{damaged, system},
    ids::IdList,
    index::{self, BuildError, Plan},
    manifest::{self, FileEntry, Manifest, Replaced, SegmentEntry},
    segment::{SegmentFile, build::Builder, read::Segment},
    snapshot::{Snapshot, read_manifest},
};

/// Which segments get another index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    /// Those that have none or a damaged one.
    Missing,
    /// Those that have a damaged one.
    Damaged,
    /// All.
    All,
}

/// The right to change a store, and what is going to be changed.
///
/// All new files are made in a folder of their own, which goes if the change comes to nothing. A
/// store that is not there yet is that folder, under another name.
pub(crate) struct Change {
    disk: Arc<dyn Disk>,
    /// The folder of the store.
    folder: PathBuf,
    /// Whether it is there already.
    is_there: bool,
    manifest: Manifest,
    /// Where new files are made.
    new: Option<Box<dyn NewFolder>>,
    /// The names of those that are there.
    made: Vec<String>,
    /// Those that have their places in the store, for the case that it comes to nothing now.
    moved: Vec<PathBuf>,
    lock: Option<Guard>,
    /// How indexes are made.
    plan: Plan,
}

impl Change {
    /// Begins to change a store; if there is none, a new one begins.
    pub fn begin(disk: Arc<dyn Disk>, folder: &Path) -> Result<Change, Error> {
        let lock = disk.lock(folder)?;
        Change::with_lock(disk, folder, lock)
    }

    /// The same for whoever has the right already.
    pub fn with_lock(disk: Arc<dyn Disk>, folder: &Path, lock: Guard) -> Result<Change, Error> {
        let names = disk.names(folder).map_err(|error| system(folder, error))?;
        let there = names.as_deref().unwrap_or_default();
        // Games whose manifest is gone are not taken for what an interrupted writer has left.
        let is_store = |name: &String| name == manifest::NAME || is_numbered(name);
        let manifest = match there.iter().any(is_store) {
            true => read_manifest(&*disk, folder)?,
            // A folder of somebody else is not made a store.
            false if there.iter().any(|name| !is_ours(name)) => {
                let name = folder.display().to_string();
                let message = "is a folder with other files: choose another name";
                return Err(Error::about(ErrorKind::WrongPlace, name, message));
            }
            false => Manifest::empty(),
        };
        let change = Change {
            disk,
            folder: folder.to_owned(),
            // A new store takes the place of an empty folder.
            is_there: !there.is_empty(),
            manifest,
            new: None,
            made: Vec::new(),
            moved: Vec::new(),
            lock: Some(lock),
            plan: Plan::default(),
        };
        change.sweep(there);
        Ok(change)
    }

    /// Removes what an interrupted writer has left. What cannot be removed is left to the next.
    fn sweep(&self, names: &[String]) {
        let keep: Vec<String> = self.manifest.file_names().collect();
        for name in names.iter().filter(|name| is_numbered(name)) {
            if !keep.contains(name) {
                let _ = self.disk.remove(&self.folder.join(name));
            }
        }
    }

    /// The state before the change.
    pub fn snapshot(&self) -> Result<Snapshot, Error> {
        match self.manifest.generation {
            0 => Ok(Snapshot::empty(&self.folder)),
            _ => Snapshot::open(&*self.disk, &self.folder),
        }
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Adds entries behind the others.
    pub fn append(&mut self, builder: Builder) -> Result<(), Error> {
        if builder.len() > 0 {
            let segment = self.write(builder)?;
            self.manifest.segments.push(segment);
        }
        Ok(())
    }

    /// Puts a segment in place of some that follow each other.
    pub fn merge(&mut self, range: Range<usize>, builder: Builder) -> Result<(), Error> {
        let segment = self.write(builder)?;
        self.manifest.segments.splice(range, [segment]);
        Ok(())
    }

    /// Puts entries in the place of others, a row for each.
    pub fn replace(&mut self, ids: IdList, builder: Builder) -> Result<(), Error> {
        let by = self.write(builder)?;
        self.manifest.replaced.push(Replaced { ids, by });
        Ok(())
    }

    /// Puts one segment in the place of several whose entries replace others.
    pub fn merge_replaced(
        &mut self,
        range: Range<usize>,
        ids: IdList,
        builder: Builder,
    ) -> Result<(), Error> {
        let by = self.write(builder)?;
        self.manifest.replaced.splice(range, [Replaced { ids, by }]);
        Ok(())
    }

    /// Says which entries are deleted.
    pub fn set_deleted(&mut self, deleted: &Deleted) -> Result<(), Error> {
        if deleted.is_empty() {
            self.manifest.deleted = None;
            return Ok(());
        }
        let entry = self.write_file(&deleted.to_bytes(), FileEntry::deleted_name)?;
        self.manifest.deleted = Some(entry);
        Ok(())
    }

    /// Says how this change is taken back, in place of what was said of the one before.
    pub fn set_memo(&mut self, memo: Option<&[u8]>) -> Result<(), Error> {
        self.manifest.memo = match memo {
            Some(bytes) => Some(self.write_file(bytes, FileEntry::memo_name)?),
            None => None,
        };
        Ok(())
    }

    fn write_file(
        &mut self,
        bytes: &[u8],
        name: impl Fn(&FileEntry) -> String,
    ) -> Result<FileEntry, Error> {
        let entry = FileEntry {
            number: self.next()?,
            bytes: bytes.len() as u64,
            crc: crc32fast::hash(bytes),
        };
        let (mut file, path) = self.create(name(&entry))?;
        let written = file.write_all(bytes).and_then(|()| file.sync());
        written.map_err(|error| system(&path, error))?;
        Ok(entry)
    }

    /// Begins anew: nothing of what was there before is in the next state.
    pub fn clear(&mut self) {
        self.manifest.segments.clear();
        self.manifest.replaced.clear();
        self.manifest.deleted = None;
        // Numbers begin anew: what it says is of other games.
        self.manifest.memo = None;
    }

    fn next(&mut self) -> Result<u64, Error> {
        let number = self.manifest.next;
        let next = number.checked_add(1);
        let full = || damaged(&self.folder.join(manifest::NAME), "it counts no further");
        self.manifest.next = next.ok_or_else(full)?;
        Ok(number)
    }

    /// Where new files are made.
    fn new_folder(&mut self) -> Result<PathBuf, Error> {
        if let Some(new) = &self.new {
            return Ok(new.path().to_owned());
        }
        let parent = match self.is_there {
            true => &*self.folder,
            false => folder_of(&self.folder),
        };
        let new = self.disk.new_folder(parent);
        let new = new.map_err(|error| system(&self.folder, error))?;
        Ok(self.new.insert(new).path().to_owned())
    }

    fn create(&mut self, name: String) -> Result<(Box<dyn DiskFile>, PathBuf), Error> {
        let path = self.new_folder()?.join(&name);
        let created = self.disk.create(&path);
        let file = created.map_err(|error| system(&path, error))?;
        self.made.push(name);
        Ok((file, path))
    }

    fn write(&mut self, builder: Builder) -> Result<SegmentEntry, Error> {
        let number = self.next()?;
        let (mut games, games_path) = self.create(manifest::games_name(number))?;
        let (mut moves, moves_path) = self.create(manifest::moves_name(number))?;
        let contents = builder.write(&mut games, &mut moves);
        let contents = contents.map_err(|error| system(&games_path, error))?;
        games.sync().map_err(|error| system(&games_path, error))?;
        moves.sync().map_err(|error| system(&moves_path, error))?;
        let contents_of = |path: &Path| {
            self.disk
                .contents(path)
                .map_err(|error| system(path, error))
        };
        let segment = Segment::open(
            Ok(contents_of(&games_path)?.into()),
            Ok(contents_of(&moves_path)?.into()),
            &contents,
        );
        let name = |file| match file {
            SegmentFile::Games => games_path.clone(),
            SegmentFile::Moves => moves_path.clone(),
        };
        let index = self.write_index(number, &segment, name)?;
        Ok(SegmentEntry {
            number,
            contents,
            index,
        })
    }

    /// Makes the index of a segment, if it is to have one.
    fn write_index(
        &mut self,
        number: u64,
        segment: &Segment,
        name: impl Fn(SegmentFile) -> PathBuf,
    ) -> Result<Option<FileEntry>, Error> {
        if segment.len() < self.plan.least_rows {
            return Ok(None);
        }
        let mut entry = FileEntry {
            number,
            bytes: 0,
            crc: 0,
        };
        let (mut file, path) = self.create(entry.index_name())?;
        let built = index::build(segment, self.plan, &mut file);
        let built = built.map_err(|error| match error {
            BuildError::Io(error) => system(&path, error),
            BuildError::Segment(error) => damaged(&name(error.file), error.to_string()),
        })?;
        file.sync().map_err(|error| system(&path, error))?;
        Ok(built.map(|(bytes, crc)| {
            (entry.bytes, entry.crc) = (bytes, crc);
            entry
        }))
    }

    /// Makes the indexes of some segments.
    pub fn index(&mut self, which: Which) -> Result<(), Error> {
        let snapshot = self.snapshot()?;
        let mut indexes = Vec::new();
        for part in snapshot.parts() {
            let kept = match which {
                Which::Missing => part.whole_index().map(|entry| Some(entry.clone())),
                Which::Damaged => (!part.has_damaged_index()).then(|| part.whole_index().cloned()),
                Which::All => None,
            };
            if let Some(index) = kept {
                indexes.push(index);
                continue;
            }
            let number = self.next()?;
            let index =
                self.write_index(number, part.segment(), |file| snapshot.path_of(&part, file));
            indexes.push(index?);
        }
        for (segment, index) in self.manifest.all_segments_mut().zip(indexes) {
            segment.index = index;
        }
        Ok(())
    }

    /// No segment has an index any more.
    pub fn drop_index(&mut self) {
        self.manifest
            .all_segments_mut()
            .for_each(|segment| segment.index = None);
    }

    /// How indexes are made.
    pub fn set_plan(&mut self, plan: Plan) {
        self.plan = plan;
    }

    /// Makes the change real: from here on it is there, whatever happens. Returns the right to make
    /// another, and says which state it has led to.
    pub fn commit(mut self, led_to: &AtomicU64) -> Result<Guard, Error> {
        let generation = self.manifest.generation.checked_add(1);
        let full = || damaged(&self.folder.join(manifest::NAME), "it counts no further");
        self.manifest.generation = generation.ok_or_else(full)?;
        // Nobody could open what nobody would read.
        let checked = self.manifest.check();
        checked.map_err(|error| {
            let path = self.folder.join(manifest::NAME);
            Error::new(ErrorKind::Internal, error).in_file(path.display().to_string())
        })?;
        let done = match self.is_there {
            true => self.swap(),
            false => self.appear(),
        };
        match &done {
            Err(error) if error.kind() != ErrorKind::NotLasting => {}
            // What may not last is there.
            _ => led_to.store(self.manifest.generation, Ordering::Release),
        }
        done?;
        Ok(self.lock.take().expect("it is given away once"))
    }

    /// A new store gets its name.
    fn appear(&mut self) -> Result<(), Error> {
        self.write_manifest()?;
        let new = self.new_folder()?;
        self.sync(&new)?;
        self.rename(&new, &self.folder)?;
        self.settle(folder_of(&self.folder))
    }

    /// New files get their places, then another manifest takes that of the old one.
    fn swap(&mut self) -> Result<(), Error> {
        let (new, folder) = (self.new_folder()?, self.folder.clone());
        for name in std::mem::take(&mut self.made) {
            self.rename(&new.join(&name), &folder.join(&name))?;
            self.moved.push(folder.join(name));
        }
        // What the manifest names is there before it is.
        self.sync(&folder)?;
        let manifest = self.write_manifest()?;
        self.rename(&manifest, &folder.join(manifest::NAME))?;
        self.moved.clear();
        self.settle(&folder)?;
        if let Ok(Some(names)) = self.disk.names(&folder) {
            self.sweep(&names);
        }
        Ok(())
    }

    fn write_manifest(&mut self) -> Result<PathBuf, Error> {
        let (mut file, path) = self.create(manifest::NAME.to_owned())?;
        let written = self.manifest.write(&mut file).and_then(|()| file.sync());
        written.map_err(|error| system(&path, error))?;
        Ok(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), Error> {
        let renamed = self.disk.rename(from, to);
        renamed.map_err(|error| system(to, error))
    }

    /// Makes it last that a change is there. It is so for everybody already, even if this fails.
    fn settle(&self, folder: &Path) -> Result<(), Error> {
        self.disk.sync_folder(folder).map_err(|error| {
            let words =
                format!("it was written, but may be lost if the machine stops now: {error}");
            Error::new(ErrorKind::NotLasting, words).in_file(folder.display().to_string())
        })
    }

    fn sync(&self, folder: &Path) -> Result<(), Error> {
        let synced = self.disk.sync_folder(folder);
        synced.map_err(|error| system(folder, error))
    }
}

/// A change that comes to nothing leaves no files.
impl Drop for Change {
    fn drop(&mut self) {
        for path in &self.moved {
            let _ = self.disk.remove(path);
        }
    }
}

/// Whether a file or folder is one that stores have.
fn is_ours(name: &str) -> bool {
    name == manifest::NAME || name.starts_with(NEW_FOLDER) || is_numbered(name)
}

/// Whether a file is one that a manifest may name.
fn is_numbered(name: &str) -> bool {
    let is_number = |number: &str| {
        number.len() >= manifest::DIGITS && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    let kinds = [
        manifest::GAMES,
        manifest::MOVES,
        manifest::DELETED,
        manifest::INDEX,
        manifest::MEMO,
    ];
    let mut numbers = kinds.iter().filter_map(|kind| name.strip_suffix(kind));
    numbers.any(is_number)
}
