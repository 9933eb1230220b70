//! The files of a database, from entries.

use std::{
    ffi::{OsStr, OsString},
    fs, io,
    path::{Path, PathBuf},
};

use tabiya_game::Losses;

use super::{
    AssemblyError, Limits, Written, names::Names, open, staged::Staged, store::Store, tables,
};
use crate::{
    encoding::TextCodec,
    files::{
        FileKind,
        extended::{self, Extended, ExtendedRecord},
        flags_file::{Flags, GameMarks},
        header::{self, Entry},
        ini::Ini,
        set::{FileSet, Tables},
    },
    writer::StoredEntry,
};

/// Where a record stands in its file and how long it is, if there is one: moves and annotations.
pub type Extents = [Option<(u64, u64)>; 2];

/// Writes the files of a database into a folder.
///
/// Moves, annotations and headers go to the disk as they come; memory is needed for names alone.
pub struct Builder {
    folder: PathBuf,
    stem: OsString,
    header: header::FileHeader,
    headers: Staged,
    extended_header: extended::FileHeader,
    extended: Staged,
    moves: Store,
    annotations: Store,
    names: Names,
    /// The marks that were there, and those of entries that came since.
    old_marks: Option<Flags>,
    marks: Vec<(u32, GameMarks)>,
    /// What a new database says of itself.
    description: Option<Ini>,
    len: u32,
    limits: Limits,
}

impl Builder {
    /// A database without entries.
    ///
    /// # Errors
    /// If its files cannot be created.
    pub fn new(folder: &Path, stem: &OsStr) -> io::Result<Builder> {
        Builder::with_limits(folder, stem, Limits::default())
    }

    pub(super) fn with_limits(folder: &Path, stem: &OsStr, limits: Limits) -> io::Result<Builder> {
        let path = |kind| staged(folder, stem, kind);
        let store = |kind| Store::create(kind, &path(kind), limits);
        let header = header::FileHeader::new(0);
        let extended_header = extended::FileHeader::default();
        let (title, _) = TextCodec::default().encode_name(&stem.to_string_lossy());
        Ok(Builder {
            headers: Staged::create(&path(FileKind::Headers), &header.to_bytes())?,
            header,
            extended: Staged::create(&path(FileKind::Extended), &extended_header.to_bytes(0))?,
            extended_header,
            moves: store(FileKind::Moves)?,
            annotations: store(FileKind::Annotations)?,
            names: Names::new(limits),
            old_marks: None,
            marks: Vec::new(),
            description: Some(Ini::new(&title)),
            len: 0,
            limits,
            folder: folder.to_owned(),
            stem: stem.to_owned(),
        })
    }

    /// A copy of a database, to which entries can be added. What an entry that is going to be
    /// [replaced](Builder::replace) refers to does not count.
    ///
    /// # Errors
    /// If a file that every database has is missing, or one cannot be read or copied.
    pub fn open(folder: &Path, database: &Path, replaced: Option<u32>) -> io::Result<Builder> {
        let files = open(database)?;
        let tables = tables(&files)?;
        let stem = database.file_stem().unwrap_or_default();
        let limits = Limits::default();
        let path = |kind| staged(folder, stem, kind);
        let copy = |kind| Store::copy(kind, &path(kind), contents(&files, kind), limits);
        let len = tables.headers.len();
        // Behind the last record there may be room that was never used.
        let records = (len as usize + 1) * header::RECORD;
        let headers = &contents(&files, FileKind::Headers)[..records];
        let old = OldExtended::of(&tables);
        let mut extended = Staged::create(&path(FileKind::Extended), &old.header.to_bytes(len))?;
        let mut names = Names::of(&tables);
        for (id, entry) in tables.headers.iter() {
            let (record, bytes) = old.get(id, &entry);
            extended.append(&bytes)?;
            if Some(id) != replaced {
                names.refer(id, &entry, &record);
            }
        }
        Ok(Builder {
            headers: Staged::create(&path(FileKind::Headers), headers)?,
            header: *tables.headers.header(),
            extended,
            extended_header: old.header,
            moves: copy(FileKind::Moves)?,
            annotations: copy(FileKind::Annotations)?,
            names,
            old_marks: Flags::from_bytes(contents(&files, FileKind::Flags)).ok(),
            marks: Vec::new(),
            description: None,
            len,
            limits,
            folder: folder.to_owned(),
            stem: stem.to_owned(),
        })
    }

    /// Says that this is another state of a database that has a header. What that says of itself
    /// stays; media are counted from where it stopped, so that no number is given twice.
    pub fn take_place_of(&mut self, old: &header::FileHeader) {
        self.header.next_media = old.next_media;
        self.description = None;
        self.names.keep_apart();
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

    /// What entries lost because of others, since this was last asked.
    #[must_use]
    pub fn take_losses(&mut self) -> Losses {
        self.names.take_losses()
    }

    /// Adds an entry and returns its number, from 1.
    ///
    /// # Errors
    /// If the database is full, or the disk is.
    pub fn add(&mut self, entry: &StoredEntry) -> io::Result<u32> {
        if self.len >= self.limits.entries {
            return Err(AssemblyError::TooManyEntries(self.len).into());
        }
        let id = self.len + 1;
        let (header, extended) = self.place(id, entry, [None; 2])?;
        self.headers.append(&header)?;
        self.extended.append(&extended)?;
        self.len = id;
        Ok(id)
    }

    /// Adds several entries.
    ///
    /// # Errors
    /// As [`Builder::add`].
    pub fn add_all(&mut self, entries: &[StoredEntry]) -> io::Result<()> {
        let mut entries = entries.iter();
        entries.try_for_each(|entry| self.add(entry).map(drop))
    }

    /// Puts an entry in place of another one, of which the number and the places of moves and
    /// annotations are known.
    ///
    /// # Errors
    /// If there is no such entry, the database is full, or the disk is.
    pub fn replace(&mut self, game: u32, entry: &StoredEntry, old: Extents) -> io::Result<()> {
        let count = self.len;
        if !(1..=count).contains(&game) {
            return Err(AssemblyError::NoSuchGame { game, count }.into());
        }
        let (header, extended) = self.place(game, entry, old)?;
        let place = u64::from(game) * header.len() as u64;
        self.headers.overwrite(place, &header)?;
        let begin = self.extended_header.to_bytes(0).len() as u64;
        let place = begin + u64::from(game - 1) * extended.len() as u64;
        self.extended.overwrite(place, &extended)
    }

    /// Writes moves and annotations of an entry, gives it its numbers, and returns its headers.
    fn place(
        &mut self,
        id: u32,
        entry: &StoredEntry,
        [old_moves, old_annotations]: Extents,
    ) -> io::Result<([u8; header::RECORD], Vec<u8>)> {
        let mut annotations = entry.annotations.clone();
        if let Some(game) = annotations.first_chunk_mut() {
            let [_, number @ ..] = id.to_be_bytes();
            *game = number;
        }
        if entry.mark != GameMarks::default() {
            self.marks.push((id, entry.mark));
        }
        let (mut header, mut extended) = self.names.add(id, entry)?;
        let moves = self.moves.replace(old_moves, &entry.moves)?;
        let annotations = self.annotations.replace(old_annotations, &annotations)?;
        match &mut header {
            Entry::Game(game) => (game.moves, game.annotations) = (moves, annotations),
            Entry::Text(text) => text.text = moves,
            Entry::Empty => {}
        }
        say_places(&mut extended, moves, annotations);
        let mut extended = extended.to_bytes().to_vec();
        extended.resize(self.extended_header.record_size as usize, 0);
        Ok((header.to_bytes(), extended))
    }

    fn marks(&self) -> Flags {
        let mut flags = Flags::new(self.len);
        for id in 1..=self.len {
            let old = self.old_marks.as_ref();
            flags.set(id, old.map_or_else(GameMarks::default, |old| old.get(id)));
        }
        for (id, mark) in &self.marks {
            flags.set(*id, *mark);
        }
        flags
    }

    /// Completes the files.
    ///
    /// # Errors
    /// If the disk is full.
    pub fn finish(mut self) -> io::Result<Written> {
        // Marks that did not change stay where they are, in whatever version.
        let marks = (!self.marks.is_empty()).then(|| self.marks());
        let next = self.len + 1;
        self.header.next_game = next;
        // Old programs do not use the second one.
        if self.header.next_game_again != 0 {
            self.header.next_game_again = next;
        }
        self.headers.overwrite(0, &self.header.to_bytes())?;
        self.headers.finish()?;
        let extended_header = self.extended_header.to_bytes(self.len);
        self.extended.overwrite(0, &extended_header)?;
        self.extended.finish()?;
        let path = |kind| staged(&self.folder, &self.stem, kind);
        for (kind, bytes) in self.names.files() {
            fs::write(path(kind), bytes)?;
        }
        if let Some(marks) = marks {
            fs::write(path(FileKind::Flags), marks.to_bytes())?;
        }
        if let Some(ini) = &self.description {
            fs::write(path(FileKind::Ini), ini.to_bytes())?;
        }
        let warnings = [self.moves.finish()?, self.annotations.finish()?];
        Ok(Written {
            entries: self.len,
            losses: self.names.take_losses(),
            warnings: warnings.into_iter().flatten().collect(),
        })
    }
}

/// The path of a file while it is written.
pub(super) fn staged(folder: &Path, stem: &OsStr, kind: FileKind) -> PathBuf {
    let mut name = stem.to_owned();
    name.push(kind.to_string());
    folder.join(name)
}

fn contents(files: &FileSet, kind: FileKind) -> &[u8] {
    files.get(kind).map_or(&[], |file| file)
}

fn say_places(extended: &mut ExtendedRecord, moves: u32, annotations: u32) {
    extended.moves = i64::from(moves);
    extended.annotations = i64::from(annotations);
    extended.seal();
}

/// The extended headers of a database, in the latest version that is known or a later one.
struct OldExtended<'b> {
    file: Option<&'b Extended<'b>>,
    header: extended::FileHeader,
    has_offsets: bool,
}

impl<'b> OldExtended<'b> {
    fn of(tables: &'b Tables<'b>) -> OldExtended<'b> {
        let file = tables.extended.as_ref();
        let latest = extended::FileHeader::default();
        let header = file.map(|file| *file.header());
        let header = header.filter(|header| header.record_size >= latest.record_size);
        OldExtended {
            file,
            header: header.unwrap_or(latest),
            has_offsets: file.is_some_and(Extended::has_offsets),
        }
    }

    /// A record, and its bytes as they will be. What is longer than any version that is known is
    /// kept as it is.
    fn get(&self, id: u32, entry: &Entry) -> (ExtendedRecord, Vec<u8>) {
        let stored = self.file.and_then(|file| file.bytes(id));
        let mut record = stored.map_or_else(ExtendedRecord::default, ExtendedRecord::from_bytes);
        let size = self.header.record_size as usize;
        if let Some(stored) = stored.filter(|stored| stored.len() == size) {
            return (record, stored.to_vec());
        }
        if !self.has_offsets || stored.is_none() {
            match entry {
                Entry::Game(game) => say_places(&mut record, game.moves, game.annotations),
                Entry::Text(text) => say_places(&mut record, text.text, 0),
                Entry::Empty => {}
            }
        }
        let mut bytes = record.to_bytes().to_vec();
        bytes.resize(size, 0);
        (record, bytes)
    }
}
