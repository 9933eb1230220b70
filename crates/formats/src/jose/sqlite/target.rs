//! Records into a database.

use std::{
    fs::{self, File},
    io,
    ops::Range,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, ToSql, params_from_iter};

use super::{APPLICATION_ID, JosedbError, VERSION, check, connect, harden, with_suffix};
use crate::{
    Records,
    io::{Lock, Temporary, folder_of},
    jose::record::{COLUMNS, RECORDS, Record},
    target::Target,
};

const SCHEMA: &str = "\
CREATE TABLE Game (
    Id INTEGER PRIMARY KEY,
    Event TEXT, Site TEXT, Date TEXT, Round TEXT, White TEXT, Black TEXT, Result TEXT,
    WhiteElo INTEGER, BlackElo INTEGER, ECO TEXT,
    FEN TEXT,
    Variant TEXT,
    Tags TEXT NOT NULL,
    GameText BLOB NOT NULL
)";

/// What people ask for first. Made at the end: that is quicker than keeping them up to date.
const INDEXES: &str = "\
CREATE INDEX GameWhite ON Game (White);
CREATE INDEX GameBlack ON Game (Black)";

/// A `.josedb` that is being written: a new one, or an old one that grows.
///
/// A new file, or a copy of an old one, is made under another name in the same folder and takes
/// its name when it is complete. Whenever the process ends, the old file or the new one is there,
/// and no journal that only a writer could make sense of.
pub struct JosedbTarget {
    /// Before the file, so that it is closed first.
    connection: Connection,
    file: Temporary,
    target: PathBuf,
    insert: String,
    /// What the file is a copy of.
    old: Option<Old>,
    /// Given up last. SQLite has locks of its own, but they know nothing of a file that takes the
    /// place of another.
    _lock: Lock,
}

/// A database that is copied, locked so that other programs do not write to it meanwhile.
struct Old {
    connection: Connection,
    /// Closed after the connection: closing it would give up the locks of SQLite.
    file: File,
}

impl std::fmt::Debug for JosedbTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JosedbTarget").finish_non_exhaustive()
    }
}

impl JosedbTarget {
    /// Begins a new database, in place of what may be there.
    ///
    /// # Errors
    /// If the folder cannot be written to, or the file that is there is read-only.
    pub fn create(path: &Path) -> Result<JosedbTarget, JosedbError> {
        let Place {
            target,
            lock,
            temporary,
        } = Place::take(path)?;
        let connection = private(temporary.path())?;
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        connection.pragma_update(None, "user_version", VERSION)?;
        connection.execute_batch("BEGIN")?;
        connection.execute_batch(SCHEMA)?;
        Ok(JosedbTarget {
            connection,
            file: temporary,
            target,
            insert: insert_statement(),
            old: None,
            _lock: lock,
        })
    }

    /// Opens a database to add games to it. The games that are there keep their numbers.
    ///
    /// # Errors
    /// If it is none, or somebody else is writing to it.
    pub fn append(path: &Path) -> Result<JosedbTarget, JosedbError> {
        let Place {
            target,
            lock,
            mut temporary,
        } = Place::take(path)?;
        let mut old = Old::open(&target)?;
        let columns = check(&mut old.connection)?;
        let missing = |name: &&'static str| !columns.iter().any(|c| c.eq_ignore_ascii_case(name));
        if let Some(name) = COLUMNS.iter().chain(&["Tags"]).find(|name| missing(name)) {
            return Err(JosedbError::NoColumn(name));
        }
        io::copy(&mut old.file, temporary.file())?;
        let connection = private(temporary.path())?;
        connection.execute_batch("BEGIN")?;
        Ok(JosedbTarget {
            connection,
            file: temporary,
            target,
            insert: insert_statement(),
            old: Some(old),
            _lock: lock,
        })
    }

    /// Adds games, as [`RecordWriter`](crate::jose::RecordWriter) made them.
    ///
    /// # Errors
    /// If the disk is full.
    pub fn add(&mut self, records: &[Record]) -> io::Result<()> {
        let mut records = records.iter();
        records.try_for_each(|record| self.insert(record).map_err(io::Error::other))
    }

    fn insert(&self, record: &Record) -> rusqlite::Result<()> {
        let mut insert = self.connection.prepare_cached(&self.insert)?;
        let columns = record.columns.iter().map(|column| column as &dyn ToSql);
        let rest = [&record.tags as &dyn ToSql, &record.moves];
        insert.execute(params_from_iter(columns.chain(rest)))?;
        Ok(())
    }

    /// Makes everything last.
    ///
    /// # Errors
    /// If the disk is full. Then what was there before is still there.
    pub fn finish(self) -> io::Result<()> {
        let JosedbTarget {
            connection,
            file,
            target,
            old,
            _lock,
            ..
        } = self;
        if old.is_none() {
            connection
                .execute_batch(INDEXES)
                .map_err(io::Error::other)?;
        }
        connection
            .execute_batch("COMMIT")
            .map_err(io::Error::other)?;
        connection.flush_prepared_statement_cache();
        let closed = connection.close();
        closed.map_err(|(_, error)| io::Error::other(error))?;
        file.persist(&target)
    }
}

/// Where a file goes, and the right to put it there.
struct Place {
    target: PathBuf,
    lock: Lock,
    temporary: Temporary,
}

impl Place {
    fn take(path: &Path) -> Result<Place, JosedbError> {
        // What a link points to is replaced, not the link.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let lock = Lock::of(&target)?;
        let there = fs::metadata(&target).ok();
        let is_protected = |there: &fs::Metadata| there.permissions().readonly();
        if there.as_ref().is_some_and(is_protected) {
            let kind = io::ErrorKind::PermissionDenied;
            return Err(io::Error::new(kind, "the file that is there is read-only").into());
        }
        let mut temporary = Temporary::create(folder_of(&target))?;
        if let Some(there) = there {
            temporary.file().set_permissions(there.permissions())?;
        }
        Ok(Place {
            target,
            lock,
            temporary,
        })
    }
}

/// Opens a file that nobody else knows, and that is worth nothing before it is complete.
fn private(path: &Path) -> Result<Connection, JosedbError> {
    let connection = Connection::open(path)?;
    harden(&connection)?;
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    // A file that is hardened does without none: this one is in nobody's way.
    connection.pragma_update(None, "journal_mode", "MEMORY")?;
    connection.pragma_update(None, "synchronous", "OFF")?;
    Ok(connection)
}

impl Old {
    /// Takes the lock of SQLite, which undoes what somebody was interrupted in.
    fn open(path: &Path) -> Result<Old, JosedbError> {
        let connection = connect(path, true)?;
        // All that a program with another kind of journal wrote belongs to the file, too.
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        connection.execute_batch("BEGIN IMMEDIATE")?;
        let journal = with_suffix(path, "-wal");
        if fs::metadata(&journal).is_ok_and(|there| there.len() > 0) {
            let message = "another program is writing to it: close it there first";
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, message).into());
        }
        Ok(Old {
            file: File::open(path)?,
            connection,
        })
    }
}

impl Target for JosedbTarget {
    fn add(&mut self, records: &Records, which: Range<usize>) -> io::Result<()> {
        JosedbTarget::add(self, records.slice(RECORDS, which)?)
    }

    fn finish(self: Box<Self>) -> io::Result<Vec<String>> {
        JosedbTarget::finish(*self)?;
        Ok(Vec::new())
    }
}

fn insert_statement() -> String {
    let columns = COLUMNS.join(", ");
    let marks = vec!["?"; COLUMNS.len() + 2].join(", ");
    format!("INSERT INTO Game ({columns}, Tags, GameText) VALUES ({marks})")
}
