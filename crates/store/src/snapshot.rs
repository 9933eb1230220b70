//! A store as it was at one moment.

use std::{
    io,
    ops::Range,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use arrow_buffer::Buffer;
use bytes::Bytes;
use tabiya_game::{Error, Flow, GameSink, Place};

use crate::{
    deleted::Deleted,
    disk::Disk,
    error::{damaged, system},
    manifest::{self, Manifest, SegmentEntry},
    row::Row,
    segment::read::Segment,
};

/// A store as it was when it was opened. It stays valid while others write; who wants to see what
/// they wrote opens it again.
pub(crate) struct Snapshot {
    pub folder: PathBuf,
    pub manifest: Manifest,
    pub deleted: Deleted,
    segments: Vec<Lazy>,
    /// The first id of each segment, and the number of all entries.
    starts: Vec<u64>,
    replaced: Vec<Lazy>,
}

/// A segment whose files are open, and are looked into when somebody asks.
struct Lazy {
    entry: SegmentEntry,
    games: Bytes,
    moves: Bytes,
    opened: OnceLock<Segment>,
}

impl Snapshot {
    /// Opens the last state that was committed.
    pub fn open(disk: &dyn Disk, folder: &Path) -> Result<Snapshot, Error> {
        let mut last = None;
        loop {
            let manifest = read_manifest(disk, folder)?;
            let generation = manifest.generation;
            match Snapshot::of(disk, folder, manifest) {
                // A writer may have replaced files since the manifest was read.
                Err(OpenError::Missing(path, error)) => {
                    if last == Some(generation) {
                        return Err(system(&path, error));
                    }
                    last = Some(generation);
                }
                Err(OpenError::Other(error)) => return Err(error),
                Ok(snapshot) => return Ok(snapshot),
            }
        }
    }

    /// The state that a manifest tells of.
    fn of(disk: &dyn Disk, folder: &Path, manifest: Manifest) -> Result<Snapshot, OpenError> {
        let open = |entry: &SegmentEntry| Lazy::open(disk, folder, entry);
        let segments: Vec<Lazy> = manifest
            .segments
            .iter()
            .map(open)
            .collect::<Result<_, _>>()?;
        let replaced = manifest.replaced.iter().map(|replaced| open(&replaced.by));
        let replaced: Vec<Lazy> = replaced.collect::<Result<_, _>>()?;
        let deleted = match &manifest.deleted {
            Some(file) => {
                let path = folder.join(file.deleted_name());
                let bytes = contents(disk, &path, file.bytes)?;
                let sound = crc32fast::hash(&bytes) == file.crc;
                let deleted = sound.then(|| Deleted::from_bytes(&bytes)).flatten();
                deleted.ok_or_else(|| damaged(&path, "is not as it was written"))?
            }
            None => Deleted::default(),
        };
        let mut starts = vec![0];
        starts.extend(manifest.segments.iter().scan(0, |sum, entry| {
            *sum += entry.rows();
            Some(*sum)
        }));
        Ok(Snapshot {
            folder: folder.to_owned(),
            manifest,
            deleted,
            segments,
            starts,
            replaced,
        })
    }

    /// How many entries there are, deleted ones too.
    pub fn len(&self) -> u64 {
        *self
            .starts
            .last()
            .expect("one more than there are segments")
    }

    /// The ids of each segment.
    pub fn ranges(&self) -> impl Iterator<Item = Range<u64>> {
        self.starts.windows(2).map(|pair| pair[0]..pair[1])
    }

    /// Tells the entry of an id.
    pub fn tell(&self, id: u64, sink: &mut dyn GameSink) -> Result<Flow, Error> {
        let (segment, row) = self.find(id).ok_or_else(|| Error::no_such_game(id + 1))?;
        let place = Place::of_entry(id + 1, 0);
        let told = segment.segment(&self.folder)?.tell(row, place, sink);
        told.map_err(|error| self.damaged(segment, id, error.to_string()))
    }

    /// The entry of an id as it was before it was replaced, taken apart.
    pub fn original_row(&self, id: u64, into: &mut Row) -> Result<(), Error> {
        let (segment, row) = self
            .original(id)
            .ok_or_else(|| Error::no_such_game(id + 1))?;
        let read = segment.segment(&self.folder)?.row(row, into);
        read.map_err(|error| self.damaged(segment, id, error.to_string()))
    }

    /// The entry of an id, taken apart.
    pub fn row(&self, id: u64, into: &mut Row) -> Result<(), Error> {
        let (segment, row) = self.find(id).ok_or_else(|| Error::no_such_game(id + 1))?;
        let read = segment.segment(&self.folder)?.row(row, into);
        read.map_err(|error| self.damaged(segment, id, error.to_string()))
    }

    fn damaged(&self, segment: &Lazy, id: u64, what: String) -> Error {
        damaged(&self.folder.join(segment.entry.games_name()), what).of_game(id + 1)
    }

    /// Where an entry is: the last one that replaced it counts.
    fn find(&self, id: u64) -> Option<(&Lazy, usize)> {
        let replaced = self.manifest.replaced.iter().zip(&self.replaced);
        for (replaced, segment) in replaced.rev() {
            if let Some(row) = replaced.ids.iter().position(|one| *one == id) {
                return Some((segment, row));
            }
        }
        self.original(id)
    }

    fn original(&self, id: u64) -> Option<(&Lazy, usize)> {
        let index = self.starts.partition_point(|start| *start <= id) - 1;
        let segment = self.segments.get(index)?;
        Some((segment, (id - self.starts[index]) as usize))
    }
}

/// Why a state cannot be opened.
enum OpenError {
    /// A file is not there.
    Missing(PathBuf, io::Error),
    Other(Error),
}

impl From<Error> for OpenError {
    fn from(error: Error) -> OpenError {
        OpenError::Other(error)
    }
}

/// The last manifest that was committed.
pub(crate) fn read_manifest(disk: &dyn Disk, folder: &Path) -> Result<Manifest, Error> {
    let path = folder.join(manifest::NAME);
    let bytes = disk.contents(&path).map_err(|error| system(&path, error))?;
    Manifest::parse(&bytes).map_err(|error| damaged(&path, error))
}

/// What is in a file that has so many bytes.
fn contents(disk: &dyn Disk, path: &Path, len: u64) -> Result<Bytes, OpenError> {
    let bytes = disk.contents(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => OpenError::Missing(path.to_owned(), error),
        _ => OpenError::Other(system(path, error)),
    })?;
    if bytes.len() as u64 != len {
        let message = format!("has {} bytes instead of {len}", bytes.len());
        return Err(damaged(path, message).into());
    }
    Ok(bytes)
}

impl Lazy {
    fn open(disk: &dyn Disk, folder: &Path, entry: &SegmentEntry) -> Result<Lazy, OpenError> {
        let len = |regions: &[crate::segment::table::Region]| {
            regions.iter().map(|region| region.bytes).sum()
        };
        let games = folder.join(entry.games_name());
        let moves = folder.join(entry.moves_name());
        Ok(Lazy {
            games: contents(disk, &games, len(&entry.contents.games))?,
            moves: contents(disk, &moves, len(&entry.contents.moves))?,
            entry: entry.clone(),
            opened: OnceLock::new(),
        })
    }

    fn segment(&self, folder: &Path) -> Result<&Segment, Error> {
        if let Some(segment) = self.opened.get() {
            return Ok(segment);
        }
        let buffer = |bytes: &Bytes| Buffer::from(bytes.clone());
        let opened = Segment::open(
            buffer(&self.games),
            buffer(&self.moves),
            &self.entry.contents,
        );
        let opened = opened
            .map_err(|error| damaged(&folder.join(self.entry.games_name()), error.to_string()))?;
        Ok(self.opened.get_or_init(|| opened))
    }
}
