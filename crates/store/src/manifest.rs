//! Which files a store consists of.
//!
//! The manifest is the only file of a store that is ever replaced. Whatever it does not name is
//! not part of the store, and is removed by the next writer.

use std::io;

use serde::{Deserialize, Serialize};

use crate::{
    ids::IdList,
    sealed::{Broken, Seal},
    segment::{build::Contents, table::Region},
};

/// The name of the file.
pub(crate) const NAME: &str = "manifest.json";
const VERSION: u32 = 3;
/// A store is recognised by it.
pub(crate) const SEAL: Seal = Seal {
    format: "tabiya",
    version: VERSION,
};

/// How the names of files end, behind a number of at least so many digits.
pub(crate) const GAMES: &str = "-games.arrow";
pub(crate) const MOVES: &str = "-moves.arrow";
pub(crate) const DELETED: &str = "-deleted.bin";
pub(crate) const INDEX: &str = "-index.bin";
pub(crate) const MEMO: &str = "-memo.bin";
pub(crate) const DIGITS: usize = 8;

/// The name of the file with what people look for in games.
pub(crate) fn games_name(number: u64) -> String {
    format!("{number:0DIGITS$}{GAMES}")
}

/// The name of the file with the moves.
pub(crate) fn moves_name(number: u64) -> String {
    format!("{number:0DIGITS$}{MOVES}")
}

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
    /// How the last change of chosen games is taken back, in the words of whoever made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memo: Option<FileEntry>,
}

/// A segment and its files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct SegmentEntry {
    /// The number in the names of its files.
    pub number: u64,
    #[serde(flatten)]
    pub contents: Contents,
    /// Which of its games have which positions, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<FileEntry>,
}

impl SegmentEntry {
    /// How many entries it has.
    pub fn rows(&self) -> u64 {
        self.contents.batches.iter().copied().map(u64::from).sum()
    }

    /// The number in the name of its index.
    fn index_number(&self) -> Option<u64> {
        self.index.as_ref().map(|file| file.number)
    }

    /// How many bytes its files have.
    pub fn bytes(&self) -> u64 {
        let Contents { games, moves, .. } = &self.contents;
        games.iter().chain(moves).map(|region| region.bytes).sum()
    }

    /// Whether each file has a region for each batch and its end, and they can be counted; and
    /// whether there can be so many rows, each of which takes some bytes: whoever makes room for all
    /// of them relies on it.
    fn check(&self) -> Result<(), ManifestError> {
        let Contents {
            batches,
            games,
            moves,
        } = &self.contents;
        let total = |sum: u64, region: &Region| sum.checked_add(region.bytes);
        let is_counted = games.iter().chain(moves).try_fold(0, total).is_some();
        let is_whole = |regions: &[Region]| regions.len() == batches.len() + 1;
        let fits = |(rows, region): (&u32, &Region)| u64::from(*rows) <= region.bytes;
        let has_room = batches.iter().zip(games).all(fits) && self.rows() <= u64::from(u32::MAX);
        match is_counted && is_whole(games) && is_whole(moves) && has_room {
            true => Ok(()),
            false => Err(ManifestError::Wrong("batches of a segment")),
        }
    }
}

/// Entries that were replaced by those of a segment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Replaced {
    /// Their ids, one for each row of the segment.
    pub ids: IdList,
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
    /// The name of the file with an index.
    pub fn index_name(&self) -> String {
        format!("{:0DIGITS$}{INDEX}", self.number)
    }

    /// The name of the file with deleted entries.
    pub fn deleted_name(&self) -> String {
        format!("{:0DIGITS$}{DELETED}", self.number)
    }

    /// The name of the file with a memo.
    pub fn memo_name(&self) -> String {
        format!("{:0DIGITS$}{MEMO}", self.number)
    }
}

/// What is wrong with a manifest.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ManifestError {
    // What it says is part of the sentence: as a source it would be said again.
    #[error("the manifest is damaged: {0}")]
    Json(serde_json::Error),
    #[error("the manifest is not as it was written")]
    Changed,
    #[error("it is of version {0}, which this tabiya does not know: a later one does")]
    Later(u32),
    #[error("the manifest contradicts itself: {0}")]
    Wrong(&'static str),
}

impl From<Broken> for ManifestError {
    fn from(broken: Broken) -> ManifestError {
        match broken {
            Broken::Json(error) => ManifestError::Json(error),
            Broken::Foreign | Broken::Changed => ManifestError::Changed,
            Broken::Later(version) => ManifestError::Later(version),
        }
    }
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
            memo: None,
        }
    }

    /// Reads the file.
    pub fn parse(bytes: &[u8]) -> Result<Manifest, ManifestError> {
        let manifest: Manifest = SEAL.open(bytes)?;
        manifest.check()?;
        // What is written next has all that this version has.
        Ok(Manifest {
            version: VERSION,
            ..manifest
        })
    }

    /// Whether its numbers fit together, so that nobody has to look again.
    pub fn check(&self) -> Result<(), ManifestError> {
        let replacing = self.replaced.iter().map(|replaced| &replaced.by);
        for segment in self.segments.iter().chain(replacing) {
            segment.check()?;
        }
        if self.numbers().any(|number| number >= self.next) {
            // The next file would take the place of one that is there.
            return Err(ManifestError::Wrong("numbers of files"));
        }
        let mut rows = 0u64;
        for segment in &self.segments {
            let sum = rows.checked_add(segment.rows());
            rows = sum.ok_or(ManifestError::Wrong("too many entries"))?;
        }
        for Replaced { ids, by } in &self.replaced {
            let are_there = ids.last().is_none_or(|last| last < rows);
            if !are_there || ids.len() as u64 != by.rows() {
                return Err(ManifestError::Wrong("replaced entries"));
            }
        }
        Ok(())
    }

    /// Writes the file.
    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        SEAL.write(self, out)
    }

    /// How many entries the store has, deleted ones too.
    pub fn rows(&self) -> u64 {
        self.segments.iter().map(SegmentEntry::rows).sum()
    }

    /// All segments, also those with entries that replace others.
    pub fn all_segments(&self) -> impl Iterator<Item = &SegmentEntry> {
        let replaced = self.replaced.iter().map(|replaced| &replaced.by);
        self.segments.iter().chain(replaced)
    }

    /// The same, to change them.
    pub fn all_segments_mut(&mut self) -> impl Iterator<Item = &mut SegmentEntry> {
        let replaced = self.replaced.iter_mut().map(|replaced| &mut replaced.by);
        self.segments.iter_mut().chain(replaced)
    }

    /// How many bytes all its files but this one have.
    pub fn bytes(&self) -> u64 {
        let segments = self.all_segments().map(SegmentEntry::bytes);
        let others = [&self.deleted, &self.memo].into_iter().flatten();
        let others = others.map(|file| file.bytes);
        let all = segments.chain(others).chain([self.index_bytes()]);
        all.fold(0, u64::saturating_add)
    }

    /// How many bytes the indexes have.
    pub fn index_bytes(&self) -> u64 {
        let indexes = self.all_segments().filter_map(|entry| entry.index.as_ref());
        indexes.map(|file| file.bytes).fold(0, u64::saturating_add)
    }

    /// The numbers of all its files.
    fn numbers(&self) -> impl Iterator<Item = u64> {
        let segments = self.all_segments();
        let own = segments.flat_map(|entry| [Some(entry.number), entry.index_number()]);
        let others = [&self.deleted, &self.memo].into_iter().flatten();
        own.flatten().chain(others.map(|file| file.number))
    }

    /// The names of all its files but this one.
    pub fn file_names(&self) -> impl Iterator<Item = String> {
        let names = self.all_segments().map(|segment| segment.number);
        let names = names.flat_map(|number| [games_name(number), moves_name(number)]);
        let indexes = self.all_segments().filter_map(|entry| entry.index.as_ref());
        names
            .chain(indexes.map(FileEntry::index_name))
            .chain(self.deleted.as_ref().map(FileEntry::deleted_name))
            .chain(self.memo.as_ref().map(FileEntry::memo_name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(number: u64) -> FileEntry {
        FileEntry {
            number,
            bytes: 1,
            crc: 0,
        }
    }

    fn segment(number: u64, index: u64) -> SegmentEntry {
        let region = Region { bytes: 9, crc: 0 };
        SegmentEntry {
            number,
            contents: Contents {
                batches: vec![1],
                games: vec![region; 2],
                moves: vec![region; 2],
            },
            index: Some(file(index)),
        }
    }

    fn sealed(manifest: &Manifest) -> Vec<u8> {
        let mut bytes = Vec::new();
        manifest.write(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn what_is_no_json_is_said_once() {
        let error = Manifest::parse(b"{\"format\"").unwrap_err();
        assert!(error.to_string().contains("EOF"), "{error}");
        assert!(std::error::Error::source(&error).is_none());
    }

    #[test]
    fn the_next_file_has_a_number_that_no_other_has() {
        let whole = Manifest {
            next: 7,
            segments: vec![segment(1, 2)],
            replaced: vec![Replaced {
                ids: [0].into_iter().collect(),
                by: segment(3, 4),
            }],
            deleted: Some(file(5)),
            memo: Some(file(6)),
            ..Manifest::empty()
        };
        assert_eq!(Manifest::parse(&sealed(&whole)).unwrap(), whole);
        let takes: [fn(&mut Manifest); 6] = [
            |manifest| manifest.segments[0].number = 7,
            |manifest| manifest.segments[0].index = Some(file(7)),
            |manifest| manifest.replaced[0].by.number = 8,
            |manifest| manifest.replaced[0].by.index = Some(file(7)),
            |manifest| manifest.deleted = Some(file(u64::MAX)),
            |manifest| manifest.memo = Some(file(7)),
        ];
        for take in takes {
            let mut taken = whole.clone();
            take(&mut taken);
            assert!(matches!(
                Manifest::parse(&sealed(&taken)),
                Err(ManifestError::Wrong("numbers of files"))
            ));
        }
    }
}
