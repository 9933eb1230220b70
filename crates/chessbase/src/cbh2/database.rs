//! A database as a stream of games and texts.
//!
//! | record | told as |
//! |---|---|
//! | a game | tags, moves, variations, notes, and the result of its header |
//! | one whose moves are damaged | the legal moves, an error at its byte in `.2cbg`, the rest of its content in hexadecimal |
//! | a position without both kings | tags, notes, and an error that holds its moves |
//! | an analysis | a game whose event is its title |
//! | a text | one [`Event::Text`] for each language that has contents |
//! | one that cannot be read, or of an unknown kind | [`Event::Opaque`]: the header and the content |
//! | what is no game, for a sink that [stores](tabiya_game::Needs::native) such entries | `Opaque`: a whole [`StoredEntry`] |

use std::{fs, io, ops::Range, path::Path, sync::Arc};

use encoding_rs::UTF_8;
use tabiya_game::{Error, Flow, GameSink, Listener};

use super::{
    archive,
    header::{Kind, RECORD},
    set::{FileKind, FileSet, Tables},
    tell::EntryTeller,
};
use crate::{
    DatabaseError, ReadOptions, archive::Unpacked, assembly::swap::recover, encoding::TextCodec,
};
use tabiya_formats::{
    DeletedEntry, Entries, Part,
    dump::Dump,
    io::{Progress, Unchanged},
};

/// How many records a part has.
const PART: u32 = 512;

/// A database of ChessBase 17 or later, open for reading.
///
/// ```no_run
/// use tabiya_chessbase::cbh2::Database;
/// use tabiya_formats::{Database as _, pgn::Writer};
///
/// let mut database = Database::open("mega.2cbh", Default::default())?;
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
    deleted: bool,
    /// The files are there as long as this is.
    _unpacked: Option<Unpacked>,
    /// As they were when they were opened, or the archive that they were in.
    opened: Unchanged,
}

impl Shared {
    fn tables(&self) -> Result<Tables<'_>, DatabaseError> {
        self.files.tables().ok_or(DatabaseError::NewHeaders)
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
        recover(path).map_err(DatabaseError::Interrupted)?;
        Database::new(FileSet::open(path)?, None, options, length_of(path))
    }

    /// Opens the database in a `.2cbv`. It is unpacked into a temporary folder, which goes away
    /// with the database and its parts.
    ///
    /// # Errors
    /// If the archive cannot be unpacked, or the database in it cannot be opened. With
    /// [`ReadOptions::salvage`], what is missing is a warning where it can be.
    pub fn open_archive(
        path: impl AsRef<Path>,
        options: ReadOptions,
    ) -> Result<Database, DatabaseError> {
        let path = path.as_ref();
        let archive = Unchanged::of(path);
        let (unpacked, damage) = match options.salvage {
            true => archive::salvage_temporary(path)?,
            false => (archive::unpack_temporary(path)?, Vec::new()),
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
        let count = files
            .tables()
            .ok_or_else(
                || match files.get(FileKind::Headers).map_or(0, <[u8]>::len) {
                    length @ ..RECORD => DatabaseError::NewHeadersCutOff(length),
                    _ => DatabaseError::NewHeaders,
                },
            )?
            .headers
            .len();
        let warnings = files.warnings();
        let codec = match options.encoding {
            Some(encoding) => TextCodec::new(encoding),
            None => TextCodec::mixed(UTF_8),
        };
        let (unpacked, archive) = unpacked.unzip();
        let opened = archive.unwrap_or_else(|| files.opened().clone());
        Ok(Database {
            shared: Arc::new(Shared {
                files,
                codec,
                deleted: options.deleted,
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

    /// What every byte of a record means, by its number from 1; `None` if there are not so many.
    #[must_use]
    pub fn explain(&self, number: u64) -> Option<Dump> {
        let id = u32::try_from(number).ok()?;
        super::explain::explain(&self.shared.files.tables()?, &self.shared.codec, id)
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
        let headers = self.shared.tables().map_err(io::Error::other)?.headers;
        let deleted = match self.shared.deleted {
            true => Vec::new(),
            false => {
                let entries = ids.clone().filter_map(|id| Some((id, headers.get(id)?)));
                let marked = entries.filter(|(_, header)| header.is_deleted());
                let deleted = marked.map(|(id, header)| DeletedEntry {
                    number: id.into(),
                    is_game: header.kind() != Some(Kind::Text),
                });
                deleted.collect()
            }
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
        let tables = self.shared.tables().map_err(io::Error::other)?;
        let id = u32::try_from(number).ok();
        let found = id.and_then(|id| Some((id, tables.headers.get(id)?)));
        if let Some((id, header)) = found {
            let sink = &mut Listener::new(sink);
            EntryTeller::new(&tables, &self.shared.codec).tell(id, &header, sink);
        }
        Ok(found.is_some())
    }

    fn is_deleted(&self, number: u64) -> bool {
        let id = u32::try_from(number).ok();
        let tables = self.shared.tables().ok();
        let header = tables.and_then(|tables| tables.headers.get(id?));
        header.is_some_and(|header| header.is_deleted())
    }
}

struct DatabasePart {
    shared: Arc<Shared>,
    ids: Range<u32>,
    deleted: Vec<DeletedEntry>,
}

impl Part for DatabasePart {
    fn tell(&self, sink: &mut dyn GameSink) -> Result<Flow, Error> {
        let tables = self.shared.tables().map_err(io::Error::other)?;
        let mut teller = EntryTeller::new(&tables, &self.shared.codec);
        for id in self.ids.clone() {
            let Some(header) = tables.headers.get(id) else {
                continue;
            };
            if !self.shared.deleted && header.is_deleted() {
                continue;
            }
            let mut listener: Listener<'_> = Listener::new(sink);
            teller.tell(id, &header, &mut listener);
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
