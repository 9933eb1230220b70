//! `.josedb`: games in the `document` profile, in an SQLite database that anybody can ask.
//!
//! ```sql
//! CREATE TABLE Game (
//!     Id INTEGER PRIMARY KEY,
//!     Event TEXT, Site TEXT, Date TEXT, Round TEXT, White TEXT, Black TEXT, Result TEXT,
//!     WhiteElo INTEGER, BlackElo INTEGER, ECO TEXT,
//!     FEN TEXT,               -- if the game does not start from the initial position
//!     Variant TEXT,           -- if it is not standard chess
//!     Tags TEXT NOT NULL,     -- the order of the tags, and those without a column
//!     GameText BLOB NOT NULL  -- the moves
//! );
//! ```
//!
//! `Tags` is a JSON array: `"White"` stands for the tag of that name with the value of its column,
//! `["Mode", "OTB"]` for a tag with its value. So tags come back as they were and in their order,
//! and whoever changes a column changes the tag. A row whose `Tags` is NULL has the tags of its
//! columns.
//!
//! The `application_id` of the file is `0x6A6F7365` ("jose"), its `user_version` 1. Reading asks
//! for no more than a table `Game` with `Id INTEGER PRIMARY KEY` and `GameText`.
//!
//! ```
//! use tabiya_formats::{Database, jose::{Josedb, JosedbTarget, RecordWriter}, pgn::Parser};
//! use tabiya_game::GameTree;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! let path = folder.path().join("games.josedb");
//! let mut writer = RecordWriter::new();
//! Parser::new("[White \"Réti\"]\n[Mode \"OTB\"]\n\n1. Nf3 d5 *").read_game(&mut writer);
//! let mut target = JosedbTarget::create(&path)?;
//! target.add(&writer.take())?;
//! target.finish()?;
//!
//! let mut database = Josedb::open(&path)?;
//! let mut game = GameTree::default();
//! assert!(database.read(1, &mut game)?);
//! assert_eq!(game.tags.get("Mode"), Some("OTB"));
//! assert_eq!(game.main_line().count(), 2);
//! # Ok(())
//! # }
//! ```

mod reader;
mod row;
mod target;
#[cfg(test)]
mod tests;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

pub use reader::Josedb;
use rusqlite::{Connection, OpenFlags, config::DbConfig, limits::Limit};
pub use target::JosedbTarget;

use crate::registry::Certainty;

/// "jose".
pub(super) const APPLICATION_ID: u32 = 0x6a6f_7365;

/// The layout described above.
pub(super) const VERSION: u32 = 1;

/// The largest value: that of [`tabiya_game::Limits`].
const MAX_VALUE: i32 = 64 << 20;

/// Reading a schema takes SQLite some dozen instructions a table: a million is plenty.
const STEP: i32 = 10_000;
const MAX_STEPS: u32 = 100;

const MAGIC: &[u8] = b"SQLite format 3\0";

/// Why a file is not a `.josedb`, or cannot be written as one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JosedbError {
    /// SQLite says no: the file is damaged, locked, or no database at all.
    // No source: its words are here already.
    #[error("SQLite: {0}")]
    Sqlite(rusqlite::Error),
    /// The file cannot be created or moved to its place.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It belongs to another program.
    #[error(
        "the SQLite database belongs to another program (application_id {application_id:#010x})"
    )]
    Foreign {
        /// Its mark.
        application_id: u32,
    },
    /// A newer version wrote it.
    #[error("the database has version {version}: expected 0 to {VERSION}; update tabiya")]
    Newer {
        /// Its version.
        version: u32,
    },
    /// There is no table of games, or it is a view or something else that could run programs.
    #[error("there is no plain table Game")]
    NoTable,
    /// Games do not come in the order of their numbers, as they would in a sound file.
    #[error("the database is damaged: game {id} is out of order")]
    Order {
        /// The number of a game.
        id: i64,
    },
    /// A column that must be there is missing, computed, or of another type.
    #[error("the table Game has no column {0} as it should be")]
    NoColumn(&'static str),
}

impl From<rusqlite::Error> for JosedbError {
    fn from(error: rusqlite::Error) -> JosedbError {
        JosedbError::Sqlite(error)
    }
}

/// What SQLite says while a database is read or written. Its own cause says the same once more, so
/// that is left out.
fn failed(error: rusqlite::Error) -> io::Error {
    io::Error::other(JosedbError::from(error))
}

/// Whether the first bytes of a file are those of a `.josedb`.
#[must_use]
pub fn recognise(head: &[u8]) -> Certainty {
    // The header of SQLite keeps the mark of the application at byte 68.
    let mark = head.get(68..72);
    match head.starts_with(MAGIC) {
        true if mark == Some(&APPLICATION_ID.to_be_bytes()) => Certainty::Sure,
        true if mark == Some(&[0; 4]) => Certainty::Perhaps,
        _ => Certainty::No,
    }
}

/// Undoes what a program was interrupted in that writes to the file itself, as SQLite does: it left
/// a journal, and the file cannot be read without it.
fn undo_interrupted(path: &Path) {
    // What a link points to has the journal.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let journal = with_suffix(&path, "-journal");
    if fs::metadata(journal).is_ok_and(|there| there.len() > 0) {
        let undo = |file: Connection| Ok(file.execute_batch("BEGIN IMMEDIATE; COMMIT")?);
        // Where it cannot be undone, or is being written to now, whoever reads finds out.
        let _: Result<(), JosedbError> = connect(&path, true).and_then(undo);
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Opens a file; nothing that a stranger put into its schema is run.
fn connect(path: &Path, write: bool) -> Result<Connection, JosedbError> {
    let mode = match write {
        true => OpenFlags::SQLITE_OPEN_READ_WRITE,
        false => OpenFlags::SQLITE_OPEN_READ_ONLY,
    };
    // A path is a path: `file:` has no meaning.
    let connection = Connection::open_with_flags(path, mode | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    harden(&connection)?;
    Ok(connection)
}

fn harden(connection: &Connection) -> Result<(), JosedbError> {
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE)?;
    for (config, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    ] {
        connection.set_db_config(config, on)?;
    }
    Ok(())
}

/// Makes sure that it is ours, or nobody's and good enough. Returns the names of the columns of
/// the table of games.
fn check(connection: &mut Connection) -> Result<Vec<String>, JosedbError> {
    // The pages of a hostile file may lead in circles within circles: SQLite would read its
    // schema for years.
    let mut steps = 0;
    let too_long = move || {
        steps += 1;
        steps > MAX_STEPS
    };
    connection.progress_handler(STEP, Some(too_long))?;
    let columns = check_schema(connection);
    connection.progress_handler(0, None::<fn() -> bool>)?;
    columns
}

fn check_schema(connection: &Connection) -> Result<Vec<String>, JosedbError> {
    let number = |pragma: &str| connection.pragma_query_value(None, pragma, |row| row.get(0));
    let application_id = number("application_id")?;
    let application_id = i32::cast_unsigned(application_id);
    if application_id != APPLICATION_ID && application_id != 0 {
        return Err(JosedbError::Foreign { application_id });
    }
    let version = i32::cast_unsigned(number("user_version")?);
    if version > VERSION {
        return Err(JosedbError::Newer { version });
    }
    let mut tables = connection.prepare("PRAGMA main.table_list('Game')")?;
    let mut tables = tables.query([])?;
    let mut plain = false;
    while let Some(table) = tables.next()? {
        let (kind, without_rowid): (String, bool) = (table.get("type")?, table.get("wr")?);
        plain |= kind == "table" && !without_rowid;
    }
    if !plain {
        return Err(JosedbError::NoTable);
    }
    check_columns(connection)
}

fn check_columns(connection: &Connection) -> Result<Vec<String>, JosedbError> {
    let mut names = Vec::new();
    let mut key = false;
    let mut columns = connection.prepare("PRAGMA main.table_xinfo('Game')")?;
    let mut columns = columns.query([])?;
    while let Some(column) = columns.next()? {
        let name: String = column.get("name")?;
        let (kind, hidden): (String, i64) = (column.get("type")?, column.get("hidden")?);
        // A column that is computed could take forever.
        if hidden != 0 {
            continue;
        }
        let primary: i64 = column.get("pk")?;
        if name.eq_ignore_ascii_case("Id") {
            key = primary == 1 && kind.eq_ignore_ascii_case("INTEGER");
        }
        names.push(name);
    }
    if !key {
        return Err(JosedbError::NoColumn("Id"));
    }
    let text = |name: &String| name.eq_ignore_ascii_case("GameText");
    if !names.iter().any(text) {
        return Err(JosedbError::NoColumn("GameText"));
    }
    Ok(names)
}
