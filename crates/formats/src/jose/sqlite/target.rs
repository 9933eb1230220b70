//! Records into a database.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, params_from_iter, types::ToSqlOutput};

use super::{APPLICATION_ID, JosedbError, VERSION, check, connect, harden};
use crate::{
    io::{Lock, Temporary},
    jose::record::{COLUMNS, Record},
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
/// A new file is made under another name in the same folder and takes its name when it is
/// complete. An old one gets all games in one transaction. In either case whatever was there
/// before is still there if [`finish`](JosedbTarget::finish) does not come to its end.
pub struct JosedbTarget {
    /// Before the file, so that it is closed first.
    connection: Connection,
    file: Option<(Temporary, PathBuf)>,
    insert: String,
    /// Given up last. SQLite has locks of its own, but they know nothing of a file that takes the
    /// place of another.
    _lock: Lock,
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
        // What a link points to is replaced, not the link.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let there = fs::metadata(&target).ok();
        if there
            .as_ref()
            .is_some_and(|there| there.permissions().readonly())
        {
            let kind = io::ErrorKind::PermissionDenied;
            return Err(io::Error::new(kind, "the file that is there is read-only").into());
        }
        let lock = Lock::of(&target)?;
        let mut temporary = Temporary::create(folder_of(&target))?;
        if let Some(there) = there {
            temporary.file().set_permissions(there.permissions())?;
        }
        let connection = Connection::open(temporary.path())?;
        harden(&connection)?;
        // Nobody else knows the file, and it is worth nothing before it is complete.
        connection.pragma_update(None, "journal_mode", "OFF")?;
        connection.pragma_update(None, "synchronous", "OFF")?;
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        connection.pragma_update(None, "user_version", VERSION)?;
        connection.execute_batch("BEGIN")?;
        connection.execute_batch(SCHEMA)?;
        Ok(JosedbTarget {
            connection,
            file: Some((temporary, target)),
            insert: insert_statement(),
            _lock: lock,
        })
    }

    /// Opens a database to add games to it. The games that are there keep their numbers.
    ///
    /// # Errors
    /// If it is none, or somebody else is writing to it.
    pub fn append(path: &Path) -> Result<JosedbTarget, JosedbError> {
        let lock = Lock::of(path)?;
        let mut connection = connect(path, true)?;
        connection.execute_batch("BEGIN IMMEDIATE")?;
        let columns = check(&mut connection)?;
        let missing = |name: &&'static str| !columns.iter().any(|c| c.eq_ignore_ascii_case(name));
        if let Some(name) = COLUMNS.iter().chain(&["Tags"]).find(|name| missing(name)) {
            return Err(JosedbError::NoColumn(name));
        }
        Ok(JosedbTarget {
            connection,
            file: None,
            insert: insert_statement(),
            _lock: lock,
        })
    }

    /// Adds a game, or several in a row, as [`RecordWriter`](crate::jose::RecordWriter) made them.
    ///
    /// # Errors
    /// If the record is none, or the disk is full.
    pub fn add(&mut self, mut records: &[u8]) -> io::Result<()> {
        while !records.is_empty() {
            let (record, rest) = Record::read(records)?;
            self.insert(&record).map_err(io::Error::other)?;
            records = rest;
        }
        Ok(())
    }

    fn insert(&self, record: &Record<'_>) -> rusqlite::Result<()> {
        let mut insert = self.connection.prepare_cached(&self.insert)?;
        let columns = record.columns.iter().map(ToSqlOutput::from_column);
        let rest = [
            ToSqlOutput::Borrowed(record.tags.into()),
            ToSqlOutput::Borrowed(record.moves.into()),
        ];
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
            _lock,
            ..
        } = self;
        if file.is_some() {
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
        match file {
            Some((temporary, target)) => temporary.persist(&target),
            None => Ok(()),
        }
    }
}

impl Target for JosedbTarget {
    fn add(&mut self, record: &[u8]) -> io::Result<()> {
        JosedbTarget::add(self, record)
    }

    fn finish(self: Box<Self>) -> io::Result<Vec<String>> {
        JosedbTarget::finish(*self)?;
        Ok(Vec::new())
    }
}

/// A column of a record as a parameter.
trait FromColumn<'r> {
    fn from_column(column: &Option<&'r str>) -> Self;
}

impl<'r> FromColumn<'r> for ToSqlOutput<'r> {
    fn from_column(column: &Option<&'r str>) -> ToSqlOutput<'r> {
        match column {
            Some(text) => ToSqlOutput::Borrowed((*text).into()),
            None => ToSqlOutput::Borrowed(rusqlite::types::ValueRef::Null),
        }
    }
}

fn insert_statement() -> String {
    let columns = COLUMNS.join(", ");
    let marks = vec!["?"; COLUMNS.len() + 2].join(", ");
    format!("INSERT INTO Game ({columns}, Tags, GameText) VALUES ({marks})")
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
