//! A store as it was at one moment.

use std::{
    io,
    ops::Range,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use bytes::Bytes;
use tabiya_game::{Error, ErrorKind, Flow, GameSink, Place};

use crate::{
    deleted::Deleted,
    disk::Disk,
    error::{damaged, no_store, system},
    ids::IdList,
    index::Index,
    manifest::{self, FileEntry, Manifest, ManifestError, Replaced, SegmentEntry},
    recover,
    row::{Kind, Row},
    segment::{SegmentError, SegmentFile, read::Segment, table::Region},
    signature::Signature,
    writer::RowWriter,
};

/// What becomes of a store that is damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Damage {
    /// It is an error.
    #[default]
    Refused,
    /// What is left of it is told. What is not is told as broken games.
    Told,
}

/// A store as it was when it was opened. It stays valid while others write; who wants to see what
/// they wrote opens it again.
pub(crate) struct Snapshot {
    pub folder: PathBuf,
    pub manifest: Manifest,
    pub deleted: Deleted,
    /// What is in the file of the memo, if it is there.
    memo: Option<Bytes>,
    /// What is not known of all entries together, if what is left is told: sentences for people.
    lost: Vec<String>,
    damage: Damage,
    segments: Vec<Lazy>,
    /// The first id of each segment, and the number of all entries.
    starts: Vec<u64>,
    replaced: Vec<Lazy>,
}

/// Columns of some entries in a row, as Arrow has them: their buffers are those of the files, nothing
/// is copied. `docs/store.md` lists the columns; those that say nothing of any entry are not there.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The numbers of the entries.
    pub numbers: Range<u64>,
    /// What people look for in games.
    pub games: RecordBatch,
    /// Their moves.
    pub moves: RecordBatch,
}

/// The rows of a segment, and which entries they are.
pub(crate) struct Layer<'a> {
    pub ids: Ids<'a>,
    lazy: &'a Lazy,
}

impl<'a> Layer<'a> {
    pub fn segment(&self) -> &'a Segment {
        self.lazy.segment()
    }
}

/// The ids of rows, in order.
pub(crate) enum Ids<'a> {
    Range(Range<u64>),
    List(&'a IdList),
}

impl Ids<'_> {
    /// That of a row.
    pub fn get(&self, row: usize) -> u64 {
        match self {
            Ids::Range(range) => range.start + row as u64,
            Ids::List(ids) => ids.get(row),
        }
    }
}

/// A segment whose files are open, and are looked into when somebody asks.
struct Lazy {
    entry: SegmentEntry,
    games: Result<Bytes, SegmentError>,
    moves: Result<Bytes, SegmentError>,
    opened: OnceLock<Segment>,
    /// The index, if there is one and nothing is wrong with it so far.
    index: Option<Index>,
    /// Rows that do not count: deleted or replaced. They are in order.
    hidden: OnceLock<Vec<u32>>,
}

/// Entries of one segment that are asked together.
pub(crate) struct Part<'a> {
    layer: Layer<'a>,
    pub rows: u32,
    use_index: bool,
}

impl<'a> Part<'a> {
    /// The number of a row's entry.
    pub fn number(&self, row: u32) -> u64 {
        1 + self.layer.ids.get(row as usize)
    }

    /// The numbers of all rows, if they follow each other.
    pub fn numbers(&self) -> Option<Range<u64>> {
        match &self.layer.ids {
            Ids::Range(ids) => Some(ids.start + 1..ids.end + 1),
            Ids::List(_) => None,
        }
    }

    /// Rows that do not count: deleted or replaced. They are in order.
    pub fn hidden(&self) -> &[u32] {
        self.layer.lazy.hidden.get().map_or(&[], Vec::as_slice)
    }

    pub fn is_hidden(&self, row: u32) -> bool {
        self.hidden().binary_search(&row).is_ok()
    }

    /// Whether a row is a game; one that cannot be read is.
    pub fn is_game(&self, row: u32) -> bool {
        let kind = self.segment().kind(row as usize);
        kind.unwrap_or_default() == Kind::Game
    }

    pub fn segment(&self) -> &'a Segment {
        self.layer.segment()
    }

    /// The file of its index, if that is as it was written.
    pub fn whole_index(&self) -> Option<&FileEntry> {
        let is_whole = self.layer.lazy.index.as_ref().is_some_and(Index::is_whole);
        self.layer.lazy.entry.index.as_ref().filter(|_| is_whole)
    }

    /// Whether it has an index that is not as it was written.
    pub fn has_damaged_index(&self) -> bool {
        self.layer.lazy.damaged_index().is_some()
    }

    pub fn index(&self) -> Option<&'a Index> {
        self.layer.lazy.index.as_ref().filter(|_| self.use_index)
    }
}

impl Snapshot {
    /// Opens the last state that was committed.
    pub fn open(disk: &dyn Disk, folder: &Path) -> Result<Snapshot, Error> {
        Snapshot::open_with(disk, folder, Damage::Refused)
    }

    pub fn open_with(disk: &dyn Disk, folder: &Path, damage: Damage) -> Result<Snapshot, Error> {
        let mut last = None;
        loop {
            let manifest = match (read_manifest(disk, folder), damage) {
                (Err(error), Damage::Told) => return Snapshot::recover(disk, folder, error),
                (manifest, _) => manifest?,
            };
            let generation = manifest.generation;
            // A writer may have replaced files since the manifest was read: what is missing then is
            // no damage, and is there when one looks again.
            let is_settled = last == Some(generation);
            let tolerated = match is_settled {
                true => damage,
                false => Damage::Refused,
            };
            match Snapshot::of(disk, folder, manifest, tolerated) {
                Ok(snapshot) => return Ok(Snapshot { damage, ..snapshot }),
                Err(_) if !is_settled => last = Some(generation),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// What is left without a manifest that can be read.
    fn recover(disk: &dyn Disk, folder: &Path, error: Error) -> Result<Snapshot, Error> {
        let manifest = match error.kind() {
            ErrorKind::Damaged => recover::manifest(disk, folder)?,
            _ => return Err(error),
        };
        if manifest.segments.is_empty() {
            return Err(error);
        }
        let mut snapshot = Snapshot::of(disk, folder, manifest, Damage::Told)?;
        snapshot.lost.push(format!(
            "{error}: entries are told in the order of their files, deleted and replaced ones too"
        ));
        Ok(snapshot)
    }

    /// The state of a store that is not there yet.
    pub fn empty(folder: &Path) -> Snapshot {
        Snapshot {
            folder: folder.to_owned(),
            manifest: Manifest::empty(),
            deleted: Deleted::default(),
            memo: None,
            lost: Vec::new(),
            damage: Damage::Refused,
            segments: Vec::new(),
            starts: vec![0],
            replaced: Vec::new(),
        }
    }

    /// The state that a manifest tells of.
    fn of(
        disk: &dyn Disk,
        folder: &Path,
        manifest: Manifest,
        damage: Damage,
    ) -> Result<Snapshot, OpenError> {
        let open = |entry: &SegmentEntry| Lazy::open(disk, folder, entry, damage);
        let segments = manifest.segments.iter().map(open);
        let segments: Vec<Lazy> = segments.collect::<Result<_, _>>()?;
        let replaced = manifest.replaced.iter().map(|replaced| open(&replaced.by));
        let replaced: Vec<Lazy> = replaced.collect::<Result<_, _>>()?;
        let mut starts = vec![0];
        starts.extend(manifest.segments.iter().scan(0, |sum, entry| {
            *sum += entry.rows();
            Some(*sum)
        }));
        let (deleted, lost) = match deleted(disk, folder, &manifest) {
            Ok(deleted) => (deleted, Vec::new()),
            Err(error) if damage == Damage::Refused => return Err(error),
            Err(error) => (Deleted::default(), vec![marks_lost(&error.into())]),
        };
        // What is wrong with it is no reason not to open a store.
        let memo = manifest.memo.as_ref();
        let memo = memo.and_then(|file| disk.contents(&folder.join(file.memo_name())).ok());
        Ok(Snapshot {
            folder: folder.to_owned(),
            deleted,
            memo,
            lost,
            manifest,
            damage,
            segments,
            starts,
            replaced,
        })
    }

    /// How the last change of chosen games is taken back, if there was one.
    pub fn memo(&self) -> Result<Option<&[u8]>, Error> {
        let Some(file) = &self.manifest.memo else {
            return Ok(None);
        };
        let is_sound =
            |bytes: &&Bytes| bytes.len() as u64 == file.bytes && crc32fast::hash(bytes) == file.crc;
        match self.memo.as_ref().filter(is_sound) {
            Some(bytes) => Ok(Some(bytes)),
            None => Err(not_as_written(&self.folder.join(file.memo_name()))),
        }
    }

    /// How many entries there are, deleted ones too.
    pub fn len(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// The ids of each segment.
    pub fn ranges(&self) -> impl Iterator<Item = Range<u64>> {
        self.starts.windows(2).map(|pair| pair[0]..pair[1])
    }

    /// Tells the entry of an id.
    pub fn tell(&self, id: u64, sink: &mut dyn GameSink) -> Result<Flow, Error> {
        self.tell_at(id, self.find(id)?, sink)
    }

    fn tell_at(
        &self,
        id: u64,
        (lazy, row): (&Lazy, usize),
        sink: &mut dyn GameSink,
    ) -> Result<Flow, Error> {
        let told = lazy
            .segment()
            .tell(row, Place::of_entry(id + 1, 0), self.damage, sink);
        told.map_err(|error| self.damaged(lazy, id, &error))
    }

    /// What the entry of an id is; a game, if it cannot be read.
    pub fn kind(&self, id: u64) -> Kind {
        let found = self.find(id).ok();
        let kind = found.and_then(|(lazy, row)| lazy.segment().kind(row).ok());
        kind.unwrap_or_default()
    }

    /// The entry of an id as it was before it was replaced, taken apart.
    pub fn original_row(&self, id: u64, into: &mut Row) -> Result<(), Error> {
        self.row_of(id, self.original(id)?, into)
    }

    /// The entry of an id, taken apart.
    pub fn row(&self, id: u64, into: &mut Row) -> Result<(), Error> {
        self.row_of(id, self.find(id)?, into)
    }

    fn row_of(&self, id: u64, (lazy, row): (&Lazy, usize), into: &mut Row) -> Result<(), Error> {
        let read = lazy.segment().row(row, into);
        read.map_err(|error| self.damaged(lazy, id, &error))?;
        // Stores of before have none: it is made when an entry is written again.
        if into.kind == Kind::Game && into.signature == Signature::UNKNOWN {
            let mut writer = RowWriter::new(Default::default());
            self.tell_at(id, (lazy, row), &mut writer)?;
            let told = writer.take_rows();
            into.signature = told.first().map_or(Signature::UNKNOWN, |row| row.signature);
        }
        Ok(())
    }

    fn damaged(&self, lazy: &Lazy, id: u64, error: &SegmentError) -> Error {
        damaged(&lazy.path(&self.folder, error.file), error.to_string()).of_game(id + 1)
    }

    /// Where the batches of all entries are: a segment, and one of its batches.
    pub fn batch_places(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let segments = self.manifest.segments.iter().enumerate();
        segments.flat_map(|(segment, entry)| {
            let batches = 0..entry.contents.batches.len();
            batches.map(move |batch| (segment, batch))
        })
    }

    /// The columns of some entries, as they were imported.
    pub fn batch(&self, (segment, index): (usize, usize)) -> Result<Batch, Error> {
        let (first, lazy) = (self.starts[segment], &self.segments[segment]);
        let segment = lazy.segment();
        let rows = segment.batch_rows(index);
        let id = |row: usize| first + row as u64;
        let damaged = |error| self.damaged(lazy, id(rows.start), &error);
        Ok(Batch {
            numbers: id(rows.start) + 1..id(rows.end) + 1,
            games: segment.games_arrays(index).map_err(damaged)?.clone(),
            moves: segment.moves_arrays(index).map_err(damaged)?.clone(),
        })
    }

    /// All rows that there are, with the ids of their entries: first those of the segments, then
    /// those that replace some of them, of which later ones win.
    pub fn layers(&self) -> impl Iterator<Item = Layer<'_>> {
        let segments = self.ranges().map(Ids::Range).zip(&self.segments);
        let replaced = self.manifest.replaced.iter();
        let replaced = replaced.map(|replaced| Ids::List(&replaced.ids));
        let layers = segments.chain(replaced.zip(&self.replaced));
        layers.map(|(ids, lazy)| Layer { ids, lazy })
    }

    /// Tells the entry of a row of a layer.
    pub fn tell_row(
        &self,
        layer: &Layer<'_>,
        row: usize,
        sink: &mut dyn GameSink,
    ) -> Result<Flow, Error> {
        self.tell_at(layer.ids.get(row), (layer.lazy, row), sink)
    }

    /// Tells the entry of a row of a part.
    pub fn tell_part(
        &self,
        part: &Part<'_>,
        row: u32,
        sink: &mut dyn GameSink,
    ) -> Result<Flow, Error> {
        self.tell_row(&part.layer, row as usize, sink)
    }

    /// Whether a layer of replacements has the last one of an entry that is in it.
    pub fn is_last(&self, layer: &Layer<'_>, id: u64) -> bool {
        let found = self.find(id);
        found.is_ok_and(|(lazy, _)| std::ptr::eq(lazy, layer.lazy))
    }

    /// What becomes of an error in a row of a layer; nothing, if what is left is to be told.
    pub fn refuse(&self, layer: &Layer<'_>, row: usize, error: &SegmentError) -> Result<(), Error> {
        match self.damage {
            Damage::Told => Ok(()),
            Damage::Refused => Err(self.damaged(layer.lazy, layer.ids.get(row), error)),
        }
    }

    /// All entries by segments, those that replace others behind them.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        // Of a damaged store everything is told, as far as it can be.
        let use_index = self.damage == Damage::Refused;
        let segments = self.ranges().zip(&self.segments).map(move |(range, lazy)| {
            lazy.hidden.get_or_init(|| self.hidden(range.clone()));
            Part {
                rows: (range.end - range.start) as u32,
                layer: Layer {
                    ids: Ids::Range(range),
                    lazy,
                },
                use_index,
            }
        });
        let all = self.manifest.replaced.iter().zip(&self.replaced);
        let replaced = all.enumerate().map(move |(index, (replaced, lazy))| {
            let later = &self.manifest.replaced[index + 1..];
            let is_hidden = |id: &u64| {
                let again = |replaced: &Replaced| replaced.ids.contains(*id);
                self.deleted.contains(*id) || later.iter().any(again)
            };
            let rows = (0..).zip(replaced.ids.iter());
            let hidden = rows.filter(|(_, id)| is_hidden(id)).map(|(row, _)| row);
            lazy.hidden.get_or_init(|| hidden.collect());
            Part {
                layer: Layer {
                    ids: Ids::List(&replaced.ids),
                    lazy,
                },
                rows: replaced.ids.len() as u32,
                use_index,
            }
        });
        segments.chain(replaced)
    }

    /// The rows of a segment of these entries that are deleted or replaced.
    fn hidden(&self, range: Range<u64>) -> Vec<u32> {
        let mut ids: Vec<u64> = self.deleted.within(range.clone()).to_vec();
        for replaced in &self.manifest.replaced {
            ids.extend(replaced.ids.within(range.clone()));
        }
        ids.sort_unstable();
        ids.dedup();
        ids.iter().map(|id| (id - range.start) as u32).collect()
    }

    /// A file of a part.
    pub fn path_of(&self, part: &Part<'_>, file: SegmentFile) -> PathBuf {
        part.layer.lazy.path(&self.folder, file)
    }

    /// An error about a part.
    pub fn damaged_part(&self, part: &Part<'_>, error: &SegmentError) -> Error {
        damaged(&self.path_of(part, error.file), error.to_string())
    }

    /// Whether the entry of an id was replaced.
    pub fn is_replaced(&self, id: u64) -> bool {
        let mut replaced = self.manifest.replaced.iter();
        replaced.any(|replaced| replaced.ids.contains(id))
    }

    /// Everything that is not as it was written, in sentences for people: reads all of it.
    pub fn examine(&self) -> Vec<String> {
        let lost = self.lost.iter().cloned();
        let all = self.segments.iter().chain(&self.replaced);
        let found = all.flat_map(|lazy| {
            let errors = lazy.segment().examine().into_iter();
            let errors = errors.map(|error| {
                let path = lazy.path(&self.folder, error.file);
                format!("{}: {error}", path.display())
            });
            errors.chain(lazy.examine_index(&self.folder))
        });
        let memo = self.memo().err().map(|error| {
            format!("{error}: the last change of games cannot be undone without its plan")
        });
        lost.chain(found).chain(memo).collect()
    }

    /// The files of indexes that are not as they were written: reads all of them.
    pub fn damaged_indexes(&self) -> Vec<PathBuf> {
        let all = self.segments.iter().chain(&self.replaced);
        let damaged = all.filter_map(Lazy::damaged_index);
        let paths = damaged.map(|file| self.folder.join(file.index_name()));
        paths.collect()
    }

    /// Where an entry is: the last one that replaced it counts.
    fn find(&self, id: u64) -> Result<(&Lazy, usize), Error> {
        let replaced = self.manifest.replaced.iter().zip(&self.replaced);
        for (replaced, lazy) in replaced.rev() {
            if let Some(row) = replaced.ids.row_of(id) {
                return Ok((lazy, row));
            }
        }
        self.original(id)
    }

    fn original(&self, id: u64) -> Result<(&Lazy, usize), Error> {
        let behind = self.starts.partition_point(|start| *start <= id);
        match behind
            .checked_sub(1)
            .and_then(|index| self.segments.get(index))
        {
            Some(lazy) => Ok((lazy, (id - self.starts[behind - 1]) as usize)),
            None => Err(Error::no_such_game(id.saturating_add(1))),
        }
    }
}

/// Why a state cannot be opened.
enum OpenError {
    /// A file is not there.
    Missing(PathBuf),
    Other(Error),
}

impl From<Error> for OpenError {
    fn from(error: Error) -> OpenError {
        OpenError::Other(error)
    }
}

impl From<OpenError> for Error {
    fn from(error: OpenError) -> Error {
        match error {
            OpenError::Missing(path) => damaged(&path, "a file of the database is not there"),
            OpenError::Other(error) => error,
        }
    }
}

/// The last manifest that was committed.
pub(crate) fn read_manifest(disk: &dyn Disk, folder: &Path) -> Result<Manifest, Error> {
    let path = folder.join(manifest::NAME);
    let bytes = disk.contents(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound if has_segments(disk, folder) => {
            OpenError::Missing(path.clone()).into()
        }
        io::ErrorKind::NotADirectory => no_store(folder),
        io::ErrorKind::NotFound if matches!(disk.names(folder), Ok(Some(_))) => no_store(folder),
        _ => system(&path, error),
    })?;
    Manifest::parse(&bytes).map_err(|error| match error {
        ManifestError::Later(_) => {
            Error::new(ErrorKind::Unsupported, error).in_file(path.display().to_string())
        }
        _ => damaged(&path, error),
    })
}

/// Whether there are games of a store in a folder.
pub(crate) fn has_segments(disk: &dyn Disk, folder: &Path) -> bool {
    let names = disk.names(folder).ok().flatten().unwrap_or_default();
    names.iter().any(|name| name.ends_with(manifest::GAMES))
}

fn marks_lost(error: &Error) -> String {
    format!("{error}: which entries are deleted is lost, and all are told as if none were")
}

/// Which entries are deleted.
fn deleted(disk: &dyn Disk, folder: &Path, manifest: &Manifest) -> Result<Deleted, OpenError> {
    let Some(file) = &manifest.deleted else {
        return Ok(Deleted::default());
    };
    let path = folder.join(file.deleted_name());
    let bytes = contents(disk, &path, file.bytes)?;
    let is_sound = crc32fast::hash(&bytes) == file.crc;
    let deleted = is_sound.then(|| Deleted::from_bytes(&bytes)).flatten();
    let deleted = deleted.filter(|deleted| deleted.last().is_none_or(|id| id < manifest.rows()));
    deleted.ok_or_else(|| not_as_written(&path).into())
}

fn not_as_written(path: &Path) -> Error {
    damaged(path, "it is not as it was written")
}

/// What is in a file that has so many bytes.
fn contents(disk: &dyn Disk, path: &Path, len: u64) -> Result<Bytes, OpenError> {
    let bytes = disk.contents(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => OpenError::Missing(path.to_owned()),
        _ => OpenError::Other(system(path, error)),
    })?;
    if bytes.len() as u64 != len {
        let message = format!("it has {} bytes instead of {len}", bytes.len());
        return Err(damaged(path, message).into());
    }
    Ok(bytes)
}

/// The index of a segment; what is wrong with it is no reason not to open a store.
fn open_index(disk: &dyn Disk, folder: &Path, entry: &SegmentEntry) -> Option<Index> {
    let file = entry.index.as_ref()?;
    let bytes = disk.contents(&folder.join(file.index_name())).ok()?;
    let is_whole = bytes.len() as u64 == file.bytes;
    is_whole.then(|| Index::open(bytes, file.crc, entry.rows()))?
}

impl Lazy {
    fn open(
        disk: &dyn Disk,
        folder: &Path,
        entry: &SegmentEntry,
        damage: Damage,
    ) -> Result<Lazy, OpenError> {
        let open = |file: SegmentFile, regions: &[Region]| {
            let len = regions.iter().map(|region| region.bytes).sum();
            match contents(disk, &folder.join(file.name(entry.number)), len) {
                Ok(bytes) => Ok(Ok(bytes)),
                Err(error) if damage == Damage::Refused => Err(error),
                Err(OpenError::Missing(_)) => Ok(Err(SegmentError::new(file, "it is not there"))),
                Err(OpenError::Other(error)) => {
                    Ok(Err(SegmentError::new(file, error.cause().to_string())))
                }
            }
        };
        Ok(Lazy {
            games: open(SegmentFile::Games, &entry.contents.games)?,
            moves: open(SegmentFile::Moves, &entry.contents.moves)?,
            index: open_index(disk, folder, entry),
            hidden: OnceLock::new(),
            entry: entry.clone(),
            opened: OnceLock::new(),
        })
    }

    /// The file of the index, if it should be there and is not as it was written.
    fn damaged_index(&self) -> Option<&FileEntry> {
        let is_whole = self.index.as_ref().is_some_and(Index::is_whole);
        self.entry.index.as_ref().filter(|_| !is_whole)
    }

    /// What is wrong with the index. It can be made again.
    fn examine_index(&self, folder: &Path) -> Option<String> {
        let path = folder.join(self.damaged_index()?.index_name());
        Some(format!(
            "{}: it is not as it was written, and is not asked: `tabiya index` makes it again",
            path.display()
        ))
    }

    fn segment(&self) -> &Segment {
        self.opened.get_or_init(|| {
            let buffer = |bytes: &Result<Bytes, SegmentError>| match bytes {
                Ok(bytes) => Ok(Buffer::from(bytes.clone())),
                Err(error) => Err(error.clone()),
            };
            Segment::open(
                buffer(&self.games),
                buffer(&self.moves),
                &self.entry.contents,
            )
        })
    }

    fn path(&self, folder: &Path, file: SegmentFile) -> PathBuf {
        folder.join(file.name(self.entry.number))
    }
}
