//! Databases of the program jose.
//!
//! # Tags
//!
//! In this order; those of the roster are always there.
//!
//! | tag | from |
//! |---|---|
//! | `Event`, `Site`, `White`, `Black` | the tables of names; `?` for number 0 or NULL |
//! | `Date` | `GameDate` and the low byte of `DateFlags` |
//! | `Round` | as it is, or `?` |
//! | `Result` | `Result` |
//! | `WhiteElo`, `BlackElo` | as they are, unless 0 |
//! | `ECO` | as it is |
//! | `Opening` | the table of openings |
//! | `EventDate` | `EventDate` and the high byte of `DateFlags` |
//! | `WhiteTitle`, `BlackTitle`, `Board` | as they are |
//! | `Annotator` | the table of players |
//! | others | from `Info`, `Key=Value;Key=Value`; a piece without `=` is a tag `Info` |
//! | others | text columns that are not known here, by their names |
//! | `Flag` | the flag of the user in `Attributes`, 1 to 4, if there is one |
//! | `Collection` | the name of the game's collection, if the database has several |
//! | `Variant`, `SetUp`, `FEN` | `Chess960` if `Attributes` says so; `FEN` |
//!
//! `Eval` (two shares for each move) is kept as one raw annotation at the start of the game, for
//! no file is known that would show which move is which in a game with variations. `PlyCount`,
//! `Idx` and the columns for searching positions say nothing that the moves do not.

use std::{collections::HashMap, fmt, sync::Arc};

use tabiya_game::{Error, ErrorKind, Flow, GameErrorKind, GameSink, Listener, Needs, Place};

use super::{
    Profile, ReadOptions, Reader,
    archive::{ArchiveError, Files},
    frame::{Frame, hex},
    game_row::{Columns, GameRow},
    myisam::{Next, Row, Rows, Table, TableError, Value, stated_rows},
    names::{self, Names},
};
use crate::{
    Database, Part,
    dump::Dump,
    io::{Contents, Progress, Unchanged},
};

/// How many games a part has: enough that starting on one costs nothing, few enough that several
/// threads have work.
const PART: usize = 1_000;

/// How a database of the program is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProgramOptions {
    /// Dates are a day early, as in the archives that were published: a day is added.
    pub date_fix: bool,
    /// How the moves are read.
    pub moves: ReadOptions,
}

/// A database of the program, open for reading.
///
/// ```no_run
/// use std::path::Path;
/// use tabiya_formats::{Database, io::InputLimits, jose::{Files, Program, ProgramOptions}};
/// use tabiya_game::GameTree;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let files = Files::open(Path::new("database.jose"), &InputLimits::default())?;
/// let mut database = Program::open(&files, ProgramOptions::default())?;
/// while let Some(part) = database.next_part()? {
///     let mut last = GameTree::default();
///     part.tell(&mut last)?;
///     println!("{:?}", last.tags.white());
/// }
/// # Ok(())
/// # }
/// ```
pub struct Program {
    shared: Arc<Shared>,
    /// Its files as they were before they were opened.
    files: Option<Unchanged>,
    /// Where the next part begins in the rows of games.
    next: Position,
    /// How many games have been handed out, and how many there should be.
    told: u64,
    stated: Option<u64>,
    /// Where the rest of each game is, in a live database. It is taken out when its game comes, so
    /// that a thousand games cannot share the same long row.
    rests: HashMap<i64, Position>,
}

/// Where the iterator over rows is.
type Position = (usize, usize);

/// What all parts need.
pub(super) struct Shared {
    pub games: Rowset,
    /// The table `MoreGame` of a live database.
    pub more: Option<Rowset>,
    pub columns: Columns,
    pub players: Names,
    pub events: Names,
    pub sites: Names,
    pub openings: Names,
    pub collections: Names,
    pub options: ProgramOptions,
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Program");
        debug.field("games", &self.shared.games.name);
        debug.field("next", &self.next).finish_non_exhaustive()
    }
}

/// A table with its rows.
pub(super) struct Rowset {
    pub name: String,
    pub table: Table,
    data: Contents,
}

impl Rowset {
    fn open(files: &Files, name: &str) -> Result<Rowset, ArchiveError> {
        let file = format!("{name}.MYD");
        let data = files.get(&file).cloned();
        Ok(Rowset {
            name: name.to_owned(),
            table: names::open_table(files, name)?,
            data: data.ok_or(ArchiveError::Missing(file))?,
        })
    }

    fn rows(&self, from: Position) -> Rows<'_> {
        let mut rows = self.table.rows(&self.data);
        rows.seek(from);
        rows
    }

    fn first(&self) -> Position {
        self.table.rows(&self.data).position()
    }
}

impl Program {
    /// Opens the tables of an archive or of a live database.
    ///
    /// # Errors
    /// If the table of games is missing, or a table is not one.
    pub fn open(files: &Files, options: ProgramOptions) -> Result<Program, ArchiveError> {
        let there = |table: &str| files.get(&format!("{table}.MYD")).is_some();
        let (prefix, live) = match () {
            () if there("IO_Game") => ("IO_", false),
            () if there("Game") && there("MoreGame") => ("", true),
            () => return Err(ArchiveError::NoGames),
        };
        let names = |table: &str| Names::read(files, &format!("{prefix}{table}"));
        let games = Rowset::open(files, &format!("{prefix}Game"))?;
        let more = match live {
            true => Some(Rowset::open(files, "MoreGame")?),
            false => None,
        };
        let columns = Columns::new(&games.table, more.as_ref().map(|more| &more.table));
        if !columns.has("bin") {
            let table = games.name;
            return Err(ArchiveError::NoColumn {
                table,
                column: "Bin",
            });
        }
        let rests = match &more {
            Some(more) => find_rests(more)?,
            None => HashMap::new(),
        };
        let myi = files.get(&format!("{}.MYI", games.name));
        Ok(Program {
            files: files.opened().cloned(),
            next: games.first(),
            told: 0,
            stated: myi.and_then(|myi| stated_rows(myi)),
            rests,
            shared: Arc::new(Shared {
                games,
                more,
                columns,
                players: names("Player")?,
                events: names("Event")?,
                sites: names("Site")?,
                openings: names("Opening")?,
                collections: names("Collection")?,
                options,
            }),
        })
    }
}

impl Program {
    /// What every byte of a game means, by its place among the games from 0; `None` if there are
    /// not so many.
    ///
    /// # Errors
    /// If its row is damaged.
    pub fn explain(&mut self, index: u64) -> Result<Option<Dump>, TableError> {
        let mut before = 0;
        loop {
            let entries = self.next_entries();
            if entries.is_empty() {
                return Ok(None);
            }
            let found = usize::try_from(index - before).unwrap_or(usize::MAX);
            if let Some(entry) = entries.get(found) {
                return self.shared.explain(entry);
            }
            before += entries.len() as u64;
        }
    }
}

/// Where the row of each game is in `MoreGame`.
fn find_rests(more: &Rowset) -> Result<HashMap<i64, Position>, ArchiveError> {
    let column = names::column(&more.table, &more.name, "GId")?;
    let mut rests = HashMap::new();
    let mut rows = more.rows(more.first());
    loop {
        let position = rows.position();
        let Some(next) = rows.next() else {
            return Ok(rests);
        };
        if let Next::Row(row) = next
            && let Ok(values) = more.table.values(&row.bytes)
            && let Value::Integer(game) = values[column]
        {
            rests.entry(game).or_insert(position);
        }
    }
}

impl Program {
    /// At the end, whether there were as many rows as the index says. One that was cut off between
    /// two rows shows it nowhere else.
    fn check_count(&mut self) -> Result<Option<Box<dyn Part>>, Error> {
        let games = &self.shared.games;
        match self.stated.take() {
            Some(stated) if self.told < stated => {
                let message = format!(
                    "{0}.MYD ends after {1} of the {stated} games that {0}.MYI says it has: it is \
                     cut off, or the two do not belong together",
                    games.name, self.told
                );
                let place = Place::at_byte(games.data.len() as u64);
                Err(Error::new(ErrorKind::Damaged, message).at(place))
            }
            _ => Ok(None),
        }
    }

    fn next_entries(&mut self) -> Vec<Entry> {
        let shared = &*self.shared;
        let id = shared.games.table.column("Id");
        let mut rows = shared.games.rows(self.next);
        let mut entries = Vec::new();
        while entries.len() < PART {
            let game = rows.position();
            let Some(next) = rows.next() else { break };
            if let Next::Damaged { .. } = next {
                // It may have been many rows, and says itself that something is missing.
                self.stated = None;
            }
            let rest = match (&shared.more, next, id) {
                (Some(_), Next::Row(row), Some(id)) => {
                    let values = shared.games.table.values(&row.bytes);
                    match values.ok().map(|values| values[id]) {
                        Some(Value::Integer(id)) => self.rests.remove(&id),
                        _ => None,
                    }
                }
                _ => None,
            };
            entries.push(Entry { game, rest });
        }
        self.next = rows.position();
        shared.games.data.progress().reach(self.next.0 as u64);
        entries
    }
}

impl Database for Program {
    fn next_part(&mut self) -> Result<Option<Box<dyn Part>>, Error> {
        let entries = self.next_entries();
        if entries.is_empty() {
            return self.check_count();
        }
        self.told += entries.len() as u64;
        let shared = Arc::clone(&self.shared);
        Ok(Some(Box::new(ProgramPart { shared, entries })))
    }

    fn progress(&self) -> Option<Progress> {
        Some(self.shared.games.data.progress().clone())
    }

    fn files(&self) -> Option<Unchanged> {
        self.files.clone()
    }
}

/// Where a game is.
struct Entry {
    game: Position,
    rest: Option<Position>,
}

struct ProgramPart {
    shared: Arc<Shared>,
    entries: Vec<Entry>,
}

impl Part for ProgramPart {
    fn tell(&self, sink: &mut dyn GameSink) -> Result<Flow, Error> {
        let options = self.shared.options.moves;
        let mut reader = Reader::new(Profile::Program).with_options(options);
        for entry in &self.entries {
            let mut listener: Listener<'_> = Listener::new(sink);
            self.shared.tell(entry, &mut reader, &mut listener);
            if listener.finish() == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }
}

impl Shared {
    fn tell(&self, entry: &Entry, reader: &mut Reader, sink: &mut Listener<'_>) {
        let row = match self.games.rows(entry.game).next() {
            Some(Next::Row(row)) => row,
            Some(Next::Damaged {
                offset,
                bytes,
                error,
            }) => return self.tell_damaged(offset, bytes, &error, reader, sink),
            None => return,
        };
        let rest = self.rest(entry);
        match self.game(&row, rest.as_ref()) {
            Ok(game) => game.frame(sink.needs()).tell(game.moves(), reader, sink),
            Err(error) => self.tell_damaged(row.offset, &row.bytes, &error, reader, sink),
        }
    }

    fn explain(&self, entry: &Entry) -> Result<Option<Dump>, TableError> {
        let row = match self.games.rows(entry.game).next() {
            Some(Next::Row(row)) => row,
            Some(Next::Damaged { error, .. }) => return Err(error),
            None => return Ok(None),
        };
        let rest = self.rest(entry);
        let game = self.game(&row, rest.as_ref())?;
        let frame = game.frame(Needs::ALL);
        Ok(Some(frame.explain(game.moves(), Profile::Program)))
    }

    /// The row of `MoreGame` that belongs to a game.
    fn rest(&self, entry: &Entry) -> Option<(&Rowset, Row<'_>)> {
        let (more, at) = self.more.as_ref().zip(entry.rest)?;
        match more.rows(at).next() {
            Some(Next::Row(row)) => Some((more, row)),
            _ => None,
        }
    }

    fn game<'r>(
        &'r self,
        row: &'r Row<'r>,
        rest: Option<&'r (&Rowset, Row<'r>)>,
    ) -> Result<GameRow<'r>, TableError> {
        let values = self.games.table.values(&row.bytes)?;
        let more = match rest {
            Some((more, row)) => Some(more.table.values(&row.bytes)?),
            None => None,
        };
        Ok(GameRow {
            shared: self,
            row,
            values,
            rest: rest.map(|(_, row)| row).zip(more),
        })
    }

    /// Tells a game of which nothing but bytes is there.
    fn tell_damaged(
        &self,
        offset: u64,
        bytes: &[u8],
        error: &TableError,
        reader: &mut Reader,
        sink: &mut Listener<'_>,
    ) {
        let mut frame = Frame {
            place: Place::at_byte(offset),
            ..Frame::default()
        };
        let message = format!("a row of {}.MYD cannot be read: {error}", self.games.name);
        frame.fault(GameErrorKind::Unreadable, message, hex(bytes));
        frame.tell(None, reader, sink);
    }
}
