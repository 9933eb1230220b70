//! The files of a database, from entries.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use super::{collation::Collated, lists::Lists, names::Names, open, orders, tables};
use crate::{
    assembly::{AssemblyError, staged::Staged},
    cbh2::{
        entities::EntityKind,
        entry::StoredEntry,
        frame::{self, FILE_HEADER, Frame, tag},
        header::{self, Headers, at},
        set::FileKind,
    },
};
use tabiya_formats::io::Contents;

/// So many records can be numbered.
const MOST: u32 = i32::MAX as u32 - 1;

/// A file of frames that grows.
struct Store {
    file: Staged,
    moves: bool,
    buffer: Vec<u8>,
}

impl Store {
    fn create(path: &Path, moves: bool, old: Option<&[u8]>) -> io::Result<Store> {
        let begin = frame::file_header(FILE_HEADER as u64, moves, true);
        Ok(Store {
            file: Staged::create(path, old.unwrap_or(&begin))?,
            moves,
            buffer: Vec::new(),
        })
    }

    /// Adds a record with fresh room behind it, and says where it stands.
    fn add(&mut self, tag: u16, content: &[u8]) -> io::Result<i64> {
        let begin = self.file.len();
        self.buffer.clear();
        let spare = frame::fresh_spare(tag, begin, content.len());
        Frame::write(&mut self.buffer, tag, content, spare);
        self.file.append(&self.buffer)?;
        i64::try_from(begin).map_err(io::Error::other)
    }

    fn finish(mut self) -> io::Result<()> {
        let length = self.file.len();
        let empty = length == FILE_HEADER as u64;
        let header = frame::file_header(length, self.moves, empty);
        self.file.overwrite(0, &header)?;
        self.file.finish()
    }
}

/// Writes the files of a database into a folder.
pub struct Builder {
    folder: PathBuf,
    stem: OsString,
    headers: Staged,
    moves: Store,
    annotations: Store,
    names: Names,
    len: u32,
}

impl Builder {
    /// A database without entries.
    ///
    /// # Errors
    /// If its files cannot be created.
    pub fn new(folder: &Path, stem: &OsStr) -> io::Result<Builder> {
        Builder::begin(folder, stem, None, Names::default(), 0)
    }

    /// A copy of a database, to which entries can be added.
    ///
    /// # Errors
    /// If a file is missing or damaged, or cannot be copied.
    pub fn open(folder: &Path, database: &Path) -> io::Result<Builder> {
        let files = open(database)?;
        let tables = tables(&files)?;
        let stem = database.file_stem().unwrap_or_default();
        let names = tables.entities.as_ref().map(Names::of).unwrap_or_default();
        let contents = |kind| files.get(kind).unwrap_or_default();
        let old = [
            contents(FileKind::Headers),
            contents(FileKind::Moves),
            contents(FileKind::Annotations),
        ];
        let len = tables.headers.len();
        Builder::begin(folder, stem, Some(old), names, len)
    }

    fn begin(
        folder: &Path,
        stem: &OsStr,
        old: Option<[&[u8]; 3]>,
        names: Names,
        len: u32,
    ) -> io::Result<Builder> {
        let path = |kind| staged(folder, stem, kind);
        let [headers, moves, annotations] = match old {
            Some(old) => old.map(Some),
            None => [None; 3],
        };
        let new = header::file_header(0);
        Ok(Builder {
            headers: Staged::create(&path(FileKind::Headers), headers.unwrap_or(&new))?,
            moves: Store::create(&path(FileKind::Moves), true, moves)?,
            annotations: Store::create(&path(FileKind::Annotations), false, annotations)?,
            names,
            len,
            folder: folder.to_owned(),
            stem: stem.to_owned(),
        })
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds an entry and returns its number, from 1.
    ///
    /// # Errors
    /// If the database is full, a name has no room, or the disk is full.
    pub fn add(&mut self, entry: &StoredEntry) -> io::Result<u32> {
        if self.len >= MOST {
            return Err(AssemblyError::TooManyEntries(self.len).into());
        }
        let mut header = self.names.add(entry)?;
        if let Some((tag, content)) = &entry.moves {
            header.set_i64(at::MOVES, self.moves.add(*tag, content)?);
        }
        if header.annotations().is_some() {
            // A game without any has an empty record all the same.
            let none = super::super::annotations::write([]);
            let content = entry.annotations.as_deref().unwrap_or(&none);
            let place = self.annotations.add(tag::ANNOTATIONS, content)?;
            header.set_i64(at::ANNOTATIONS, place);
        }
        self.headers.append(&header.0)?;
        self.len += 1;
        Ok(self.len)
    }

    /// Adds several entries.
    ///
    /// # Errors
    /// As [`Builder::add`].
    pub fn add_all(&mut self, entries: &[StoredEntry]) -> io::Result<()> {
        let mut entries = entries.iter();
        entries.try_for_each(|entry| self.add(entry).map(drop))
    }

    /// Completes the files and returns how many entries there are.
    ///
    /// # Errors
    /// If the disk is full.
    pub fn finish(mut self) -> io::Result<u32> {
        self.headers.overwrite(0, &header::file_header(self.len))?;
        self.headers.finish()?;
        self.moves.finish()?;
        self.annotations.finish()?;
        let path = |kind| staged(&self.folder, &self.stem, kind);
        write_tables(&path, &self.names)?;
        Ok(self.len)
    }
}

/// Writes names, and what is computed from them and the headers, which are written.
pub(super) fn write_tables(path: &dyn Fn(FileKind) -> PathBuf, names: &Names) -> io::Result<()> {
    let mut file = create(&path(FileKind::Entities))?;
    names.write(&mut file)?;
    file.flush()?;
    let headers = Contents::map(path(FileKind::Headers)).map_err(io::Error::from)?;
    let mut lists = Lists::default();
    let all = Headers::new(&headers).ok_or(io::ErrorKind::InvalidData)?;
    for (game, header) in all.iter() {
        lists.add(game, &header);
    }
    let most = EntityKind::ALL
        .into_iter()
        .map(|kind| names.count(kind))
        .max();
    let mut file = create(&path(FileKind::Lists))?;
    lists.write(&mut file, most.unwrap_or(0))?;
    file.flush()?;
    let mut file = create(&path(FileKind::Orders))?;
    let members = |role| lists.members(role).collect();
    orders::write(&mut file, members, |kind, id| {
        Collated::new(kind, names.record(kind, id).unwrap_or_default())
    })?;
    file.flush()
}

fn create(path: &Path) -> io::Result<BufWriter<File>> {
    Ok(BufWriter::new(File::create_new(path)?))
}

/// The path of a file while it is written.
pub(super) fn staged(folder: &Path, stem: &OsStr, kind: FileKind) -> PathBuf {
    let mut name = stem.to_owned();
    name.push(kind.to_string());
    folder.join(name)
}
