//! A database as a stream of games and texts.
//!
//! Records of the header file are told in their order: a game with its tags, moves and notes, a
//! guiding text as one [`Event::Text`](tabiya_game::Event::Text) for each of its languages. What
//! is marked as deleted is left out, unless it is asked for.
//!
//! | what | told as |
//! |---|---|
//! | a game | tags, moves, variations, notes, and the result of its header |
//! | one whose moves are damaged | the legal moves, an error at its byte in `.cbg`, the rest of its record in hexadecimal |
//! | one of a mode that nobody knows (Chatrang, Makruk, …) | [`Event::Opaque`](tabiya_game::Event::Opaque): 46 bytes of header, then the record; the format is `chessbase, mode 16 (Makruk)` |
//! | a text | one `Text` for each language that has contents, or one if none has |
//! | its formatting, of versions 1 and 2 | `Opaque`: header and record; the format is `chessbase, formatting of a text` |
//! | a text that cannot be read | `Opaque`: header and record; the format is `chessbase, damaged text` |
//! | any of these but games, for a sink that [stores](tabiya_game::Needs::native) such entries | `Opaque`: everything that belongs to the entry, names too; the format is `chessbase, whole entry` |
//! | room for games that were never written | nothing |

mod detect;
mod game;
#[cfg(test)]
mod tests;

use std::{fs, io, ops::Range, path::Path, sync::Arc};

use encoding_rs::Encoding;
use tabiya_game::{Error, Flow, GameSink, Listener};

pub(super) use self::game::Files;
use self::game::GameTeller;
use super::{
    archive::{Archive, Unpacked, salvage_temporary, unpack_temporary},
    assembly::swap::recover,
    complete,
    encoding::TextCodec,
    files::{
        FileKind,
        flags_file::Flags,
        header::{Entry, RECORD},
        set::{FileSet, Tables},
    },
    opening::{DatabaseError, ReadOptions},
};
use tabiya_formats::{
    DeletedEntry, Entries, Part,
    dump::Dump,
    io::{Progress, Unchanged},
};

/// How many records a part has: enough for a thread to be busy, few enough to be shared out.
const PART: u32 = 512;

/// A ChessBase database, open for reading.
///
/// ```no_run
/// use tabiya_chessbase::Database;
/// use tabiya_formats::{Database as _, pgn::Writer};
///
/// let mut database = Database::open("mega.cbh", Default::default())?;
/// for warning in database.warnings() {
///     eprintln!("{warning}");
/// }
/// let mut writer = Writer::default();
/// while let Some(part) = database.next_part()? {
///     part.tell(&mut writer)?;
///     print!("{}", String::from_utf8_lossy(&writer.take()));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Database {
    shared: Arc<Shared>,
    warnings: Vec<String>,
    /// The next record, from 1.
    next: u32,
    count: u32,
    progress: Progress,
}

/// What the parts of a database have in common.
pub(super) struct Shared {
    pub(super) files: FileSet,
    pub(super) codec: TextCodec,
    /// Which games are the best ones.
    flags: Option<Flags>,
    options: ReadOptions,
    /// The files are there as long as this is.
    _unpacked: Option<Unpacked>,
    /// As they were when they were opened, or the archive that they were in.
    opened: Unchanged,
}

impl Shared {
    /// Whether a record is wanted.
    fn tells(&self, entry: &Entry) -> bool {
        self.options.deleted || !is_marked(entry)
    }
}

impl Database {
    /// Opens the database that a file of the family belongs to.
    ///
    /// # Errors
    /// If there are no headers or they cannot be read. Other files may be missing or damaged:
    /// [`Database::warnings`] tells.
    pub fn open(path: impl AsRef<Path>, options: ReadOptions) -> Result<Database, DatabaseError> {
        let path = path.as_ref();
        // Somebody may have been stopped while the files got their names.
        recover(path).map_err(DatabaseError::Interrupted)?;
        Database::new(FileSet::open(path)?, None, options, length_of(path))
    }

    /// Opens the database in a `.cbv` or `.cbz`. It is unpacked into a temporary folder, which
    /// goes away with the database and its parts.
    ///
    /// # Errors
    /// If the archive cannot be unpacked, as [`unpack_temporary`] says, or the database in it
    /// cannot be opened. With [`ReadOptions::salvage`], what is missing is a warning where it can be.
    pub fn open_archive(
        path: impl AsRef<Path>,
        password: Option<&str>,
        options: ReadOptions,
    ) -> Result<Database, DatabaseError> {
        let path = path.as_ref();
        let archive = Unchanged::of(path);
        let (unpacked, damage) = match options.salvage {
            true => salvage_temporary(&mut Archive::open_cut_path(path, password)?)?,
            false => {
                let mut opened = Archive::open_path(path, password)?;
                (unpack_temporary(&mut opened)?, Vec::new())
            }
        };
        let files = FileSet::open(unpacked.database())?;
        let unpacked = Some((unpacked, archive));
        let mut database = Database::new(files, unpacked, options, length_of(path))?;
        database.warnings.splice(0..0, damage);
        Ok(database)
    }

    /// Opens a database whose files are open already.
    ///
    /// # Errors
    /// As [`Database::open`].
    pub fn from_files(files: FileSet, options: ReadOptions) -> Result<Database, DatabaseError> {
        Database::new(files, None, options, None)
    }

    fn new(
        files: FileSet,
        unpacked: Option<(Unpacked, Unchanged)>,
        options: ReadOptions,
        length: Option<u64>,
    ) -> Result<Database, DatabaseError> {
        let tables = files.tables()?;
        let mut warnings = complete::warnings(&files, &tables);
        let flags = files
            .get(FileKind::Flags)
            .map(|file| Flags::from_bytes(file));
        let flags = flags.and_then(|read| read.map_err(|e| warnings.push(e.to_string())).ok());
        let codec = match options.encoding {
            Some(encoding) => TextCodec::new(encoding),
            None => TextCodec::mixed(detect::encoding(&files, &tables)),
        };
        let count = tables.headers.len();
        let (unpacked, archive) = unpacked.unzip();
        let opened = archive.unwrap_or_else(|| files.opened().clone());
        Ok(Database {
            shared: Arc::new(Shared {
                files,
                codec,
                flags,
                options,
                _unpacked: unpacked,
                opened,
            }),
            warnings,
            next: 1,
            count,
            progress: Progress::new(length),
        })
    }

    /// Which files are missing or cannot be read. Games are told without what is in them.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The encoding of names and texts.
    #[must_use]
    pub fn encoding(&self) -> &'static Encoding {
        self.shared.codec.encoding()
    }

    /// What every byte of a record means, by its number in the header file from 1; `None` if there
    /// are not so many. Texts and deleted games are counted.
    #[must_use]
    pub fn explain(&self, number: u64) -> Option<Dump> {
        let id = u32::try_from(number).ok()?;
        let tables = self.shared.files.tables().ok()?;
        super::explain::explain(&self.shared, &tables, id)
    }

    /// Says how far the reading has come, as a share of the file that was opened.
    fn report(&self) {
        if let Some(total) = self.progress.total() {
            let done = u128::from(total) * u128::from(self.next - 1);
            let done = done / u128::from(self.count.max(1));
            self.progress.reach(u64::try_from(done).unwrap_or(total));
        }
    }
}

fn length_of(path: &Path) -> Option<u64> {
    fs::metadata(path).ok().map(|metadata| metadata.len())
}

impl tabiya_formats::Database for Database {
    fn next_part(&mut self) -> Result<Option<Box<dyn Part>>, Error> {
        if self.next > self.count {
            return Ok(None);
        }
        let end = self.next.saturating_add(PART).min(self.count + 1);
        let ids = self.next..end;
        let tables = self.shared.files.tables().map_err(io::Error::other)?;
        let deleted = match self.shared.options.deleted {
            true => Vec::new(),
            false => marked(&tables, ids.clone()),
        };
        self.next = end;
        self.report();
        Ok(Some(Box::new(DatabasePart {
            shared: Arc::clone(&self.shared),
            ids,
            deleted,
        })))
    }

    fn progress(&self) -> Option<Progress> {
        Some(self.progress.clone())
    }

    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    fn entries(&self) -> Option<&dyn Entries> {
        Some(self)
    }

    fn files(&self) -> Option<Unchanged> {
        Some(self.shared.opened.clone())
    }

    /// If nobody has changed its files since: they would change under their readers. An archive is not
    /// unpacked again.
    fn again(&self) -> Option<Box<dyn tabiya_formats::Database>> {
        if !self.shared.opened.holds() {
            return None;
        }
        Some(Box::new(Database {
            shared: Arc::clone(&self.shared),
            warnings: self.warnings.clone(),
            next: 1,
            count: self.count,
            progress: Progress::new(self.progress.total()),
        }))
    }
}

impl Entries for Database {
    fn count(&self) -> u64 {
        self.count.into()
    }

    fn tell(&self, number: u64, sink: &mut dyn GameSink) -> Result<bool, Error> {
        let tables = self.shared.files.tables().map_err(io::Error::other)?;
        let id = u32::try_from(number).ok();
        let found = id.and_then(|id| Some((id, tables.headers.get(id)?)));
        if let Some((id, entry)) = found {
            let sink = &mut Listener::new(sink);
            GameTeller::new(&self.shared, &tables).tell(id, &entry, sink);
        }
        Ok(found.is_some())
    }

    fn is_deleted(&self, number: u64) -> bool {
        let id = u32::try_from(number).ok();
        let tables = self.shared.files.tables().ok();
        let entry = tables.and_then(|tables| tables.headers.get(id?));
        entry.is_some_and(|entry| is_marked(&entry))
    }
}

/// Whether a record was deleted; one that was never written was not.
fn is_marked(entry: &Entry) -> bool {
    entry.is_deleted() && !matches!(entry, Entry::Empty)
}

/// The records that were deleted.
fn marked(tables: &Tables<'_>, ids: Range<u32>) -> Vec<DeletedEntry> {
    let entries = ids.filter_map(|id| Some((id, tables.headers.get(id)?)));
    let marked = entries.filter(|(_, entry)| is_marked(entry));
    let deleted = marked.map(|(id, entry)| DeletedEntry {
        number: id.into(),
        is_game: matches!(entry, Entry::Game(_)),
    });
    deleted.collect()
}

struct DatabasePart {
    shared: Arc<Shared>,
    ids: Range<u32>,
    deleted: Vec<DeletedEntry>,
}

impl Part for DatabasePart {
    fn tell(&self, sink: &mut dyn GameSink) -> Result<Flow, Error> {
        let tables = self.shared.files.tables().map_err(io::Error::other)?;
        let mut teller = GameTeller::new(&self.shared, &tables);
        for id in self.ids.clone() {
            let Some(entry) = tables.headers.get(id) else {
                continue;
            };
            if !self.shared.tells(&entry) {
                continue;
            }
            let mut listener: Listener<'_> = Listener::new(sink);
            teller.tell(id, &entry, &mut listener);
            if listener.finish() == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }

    fn deleted(&self) -> Vec<DeletedEntry> {
        self.deleted.clone()
    }
}

/// Where a record stands in the header file.
pub(super) fn offset_of(id: u32) -> u64 {
    u64::from(id) * RECORD as u64
}
