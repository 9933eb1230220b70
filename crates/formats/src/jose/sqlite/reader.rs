//! A database, read in parts.

use std::path::Path;

use rusqlite::{Connection, params_from_iter};
use tabiya_game::{Error, Flow, GameSink, Listener};

use super::{
    JosedbError, check, connect, harden,
    row::{Layout, StoredGame},
    undo_interrupted,
};
use crate::{
    Database, Part,
    dump::Dump,
    jose::{Profile, ReadOptions, Reader},
};

/// A part has at most so many games, and so many bytes of them but for the last.
const PART: usize = 1_000;
const PART_BYTES: usize = 4 << 20;

/// A `.josedb`, open for reading. What somebody else adds in the meantime is not seen.
pub struct Josedb {
    connection: Connection,
    layout: Layout,
    options: ReadOptions,
    /// The number of the last game that was read.
    last: Option<i64>,
}

impl std::fmt::Debug for Josedb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = f.debug_struct("Josedb");
        debug.field("last", &self.last).finish_non_exhaustive()
    }
}

impl Josedb {
    /// Opens a file.
    ///
    /// # Errors
    /// If it is no such database.
    pub fn open(path: &Path) -> Result<Josedb, JosedbError> {
        undo_interrupted(path);
        Josedb::new(connect(path, false)?)
    }

    /// Opens a database that is in memory: it is copied.
    ///
    /// # Errors
    /// If it is no such database.
    pub fn from_bytes(bytes: &[u8]) -> Result<Josedb, JosedbError> {
        let mut connection = Connection::open_in_memory()?;
        connection.deserialize_read_exact("main", bytes, bytes.len(), true)?;
        harden(&connection)?;
        Josedb::new(connection)
    }

    fn new(mut connection: Connection) -> Result<Josedb, JosedbError> {
        // One state of the file for all that is read.
        connection.execute_batch("BEGIN")?;
        let columns = check(&mut connection)?;
        Ok(Josedb {
            connection,
            layout: Layout::new(&columns),
            options: ReadOptions::default(),
            last: None,
        })
    }

    /// Reads the moves in another way.
    #[must_use]
    pub fn with_options(mut self, options: ReadOptions) -> Josedb {
        self.options = options;
        self
    }

    /// Tells a sink the game with a number; `false` if there is none.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn read(&self, id: i64, sink: &mut dyn GameSink) -> Result<bool, JosedbError> {
        let mut select = self.connection.prepare_cached(&self.layout.one)?;
        let mut rows = select.query([id])?;
        let Some(row) = rows.next()? else {
            return Ok(false);
        };
        let game = self.layout.game(row)?;
        game.tell(&mut self.reader(), &mut Listener::new(sink));
        Ok(true)
    }

    /// What every byte of a game means, by its place among the games from 0; `None` if there are
    /// not so many.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn explain(&self, index: u64) -> Result<Option<Dump>, JosedbError> {
        let select = format!("{} LIMIT 1 OFFSET ?1", self.layout.first);
        let mut select = self.connection.prepare(&select)?;
        let mut rows = select.query([i64::try_from(index).unwrap_or(i64::MAX)])?;
        match rows.next()? {
            Some(row) => Ok(Some(self.layout.game(row)?.explain())),
            None => Ok(None),
        }
    }

    fn reader(&self) -> Reader {
        Reader::new(Profile::Document).with_options(self.options)
    }

    /// The games after the last one: as many as make a part, or those before one that cannot be
    /// read.
    fn next_games(&self, games: &mut Vec<StoredGame>) -> Result<(), JosedbError> {
        let mut select = self.connection.prepare_cached(match self.last {
            Some(_) => &self.layout.many,
            None => &self.layout.first,
        })?;
        let mut rows = select.query(params_from_iter(self.last))?;
        let mut bytes = 0;
        let mut last = self.last;
        while games.len() < PART && bytes < PART_BYTES {
            let Some(row) = rows.next()? else { break };
            let game = self.layout.game(row)?;
            // The pages of a damaged file may lead in a circle.
            if Some(game.id) <= last {
                return Err(JosedbError::Order { id: game.id });
            }
            last = Some(game.id);
            bytes += game.len();
            games.push(game);
        }
        Ok(())
    }

    /// The number of the game after the last one, if its row cannot be read.
    fn next_id(&self) -> Result<Option<i64>, JosedbError> {
        let select = match self.last {
            Some(_) => "SELECT min(Id) FROM main.Game WHERE Id > ?1",
            None => "SELECT min(Id) FROM main.Game",
        };
        let last = params_from_iter(self.last);
        Ok(self.connection.query_row(select, last, |row| row.get(0))?)
    }
}

impl Database for Josedb {
    fn next_part(&mut self) -> Result<Option<Box<dyn Part>>, Error> {
        let mut games = Vec::new();
        if let Err(error) = self.next_games(&mut games)
            && games.is_empty()
        {
            // The next row itself is bad: it becomes a broken game, and reading goes on behind
            // it. If not even its number can be found, the file ends here.
            match self.next_id() {
                Ok(Some(id)) if Some(id) > self.last => {
                    games.push(StoredGame::damaged(id, &error));
                }
                _ => return Err(std::io::Error::other(error).into()),
            }
        }
        let Some(last) = games.last() else {
            return Ok(None);
        };
        self.last = Some(last.id);
        let options = self.options;
        Ok(Some(Box::new(JosedbPart { games, options })))
    }
}

struct JosedbPart {
    games: Vec<StoredGame>,
    options: ReadOptions,
}

impl Part for JosedbPart {
    fn tell(&self, sink: &mut dyn GameSink) -> Result<Flow, Error> {
        let mut reader = Reader::new(Profile::Document).with_options(self.options);
        for game in &self.games {
            let mut listener: Listener<'_> = Listener::new(sink);
            game.tell(&mut reader, &mut listener);
            if listener.finish() == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }
}
