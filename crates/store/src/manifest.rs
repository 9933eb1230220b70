//! Which files a store consists of.
//!
//! The manifest is the only file of a store that is ever replaced. Whatever it does not name is
//! not part of the store, and is removed by the next writer.

use std::io;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::segment::build::Contents;

/// The name of the file.
pub(crate) const NAME: &str = "manifest.json";
/// What it is called until it is complete.
pub(crate) const NEW_NAME: &str = "manifest.json.new";
/// The version that is written; later ones are not read.
const VERSION: u32 = 1;

/// All that a store is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub version: u32,
    /// Counts the changes.
    pub generation: u64,
    /// The number of the next file.
    pub next: u64,
    /// Entries are numbered through all segments, in this order.
    pub segments: Vec<SegmentEntry>,
    /// Entries that were replaced; later ones win.
    pub replaced: Vec<Replaced>,
    /// Ids of deleted entries, in order.
    pub deleted: Option<FileEntry>,
}

/// A segment and its files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct SegmentEntry {
    /// The number in the names of its files.
    pub number: u64,
    #[serde(flatten)]
    pub contents: Contents,
}

impl SegmentEntry {
    /// How many entries it has.
    pub fn rows(&self) -> u64 {
        self.contents.batches.iter().copied().map(u64::from).sum()
    }

    /// The name of the file with what people look for.
    pub fn games_name(&self) -> String {
        format!("{:08}-games.arrow", self.number)
    }

    /// The name of the file with the moves.
    pub fn moves_name(&self) -> String {
        format!("{:08}-moves.arrow", self.number)
    }
}

/// Entries that were replaced by those of a segment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Replaced {
    /// Their ids, one for each row of the segment.
    pub ids: Vec<u64>,
    pub by: SegmentEntry,
}

/// A file of another kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct FileEntry {
    pub number: u64,
    pub bytes: u64,
    pub crc: u32,
}

impl FileEntry {
    /// The name of the file with deleted entries.
    pub fn deleted_name(&self) -> String {
        format!("{:08}-deleted.bin", self.number)
    }
}

/// What is wrong with a manifest.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ManifestError {
    #[error("the manifest is damaged: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the manifest is not as it was written")]
    Changed,
    #[error("the store is of version {0}, which this program does not know yet")]
    Later(u32),
}

/// The file: a manifest and its checksum.
#[derive(Serialize, Deserialize)]
struct Sealed<'a> {
    crc32: u32,
    #[serde(borrow)]
    manifest: &'a RawValue,
}

#[derive(Deserialize)]
struct Version {
    version: u32,
}

impl Manifest {
    /// A store without entries.
    pub fn empty() -> Manifest {
        Manifest {
            version: VERSION,
            generation: 0,
            next: 1,
            segments: Vec::new(),
            replaced: Vec::new(),
            deleted: None,
        }
    }

    /// Reads the file.
    pub fn parse(bytes: &[u8]) -> Result<Manifest, ManifestError> {
        let sealed: Sealed<'_> = serde_json::from_slice(bytes)?;
        let text = sealed.manifest.get();
        let Version { version } = serde_json::from_str(text)?;
        if version > VERSION {
            return Err(ManifestError::Later(version));
        }
        if crc32fast::hash(text.as_bytes()) != sealed.crc32 {
            return Err(ManifestError::Changed);
        }
        Ok(serde_json::from_str(text)?)
    }

    /// Writes the file.
    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let text = serde_json::to_string(self)?;
        let crc32 = crc32fast::hash(text.as_bytes());
        let manifest = RawValue::from_string(text)?;
        let sealed = Sealed {
            crc32,
            manifest: &manifest,
        };
        serde_json::to_writer(&mut *out, &sealed)?;
        out.write_all(b"\n")
    }

    /// How many entries the store has, deleted ones too.
    pub fn rows(&self) -> u64 {
        self.segments.iter().map(SegmentEntry::rows).sum()
    }

    /// The names of all its files but this one.
    pub fn file_names(&self) -> impl Iterator<Item = String> {
        let replaced = self.replaced.iter().map(|replaced| &replaced.by);
        let segments = self.segments.iter().chain(replaced);
        let names = segments.flat_map(|segment| [segment.games_name(), segment.moves_name()]);
        names.chain(self.deleted.as_ref().map(FileEntry::deleted_name))
    }
}
