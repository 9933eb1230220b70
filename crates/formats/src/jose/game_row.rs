//! The columns of a game, made into tags and moves.

use std::{borrow::Cow, collections::HashMap};

use tabiya_game::{Annotation, Date, GameErrorKind, GameResult, Needs, Place, Tags};

use super::{
    dates,
    frame::Frame,
    myisam::{ColumnKind, Row, Table, Value},
    names::Names,
    program::Shared,
    reader::Input,
};

/// The number that a raw annotation has if it is the column `Eval`.
const EVAL: u16 = 1;

/// In `Attributes`.
const CHESS960: i64 = 0x08;

/// The columns that become tags in a way of their own, or none, in lower case.
const KNOWN: [&str; 10] = [
    "eco",
    "whitetitle",
    "blacktitle",
    "round",
    "board",
    "fen",
    "info",
    "soundex",
    "bin",
    "comments",
];

/// Where the columns of a game are.
#[derive(Debug)]
pub(super) struct Columns {
    by_name: HashMap<String, Column>,
    /// Texts that are not known: newer versions of the program may have more.
    others: Vec<(String, Column)>,
}

/// A column of the table of games, or of the table that has the rest of them.
#[derive(Clone, Copy, Debug)]
struct Column {
    rest: bool,
    index: usize,
}

impl Columns {
    pub fn new(games: &Table, more: Option<&Table>) -> Columns {
        let mut columns = Columns {
            by_name: HashMap::new(),
            others: Vec::new(),
        };
        for (rest, table) in [(false, Some(games)), (true, more)] {
            let all = table.into_iter().flat_map(|t| &t.definition().columns);
            for (index, column) in all.enumerate() {
                let name = column.name.to_lowercase();
                let place = Column { rest, index };
                let text = matches!(column.kind, ColumnKind::VarChar | ColumnKind::Char);
                if text && !KNOWN.contains(&&*name) {
                    columns.others.push((column.name.clone(), place));
                }
                columns.by_name.entry(name).or_insert(place);
            }
        }
        columns
    }

    /// Whether there is a column, named in lower case.
    pub fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }
}

/// A game as its row has it.
pub(super) struct GameRow<'r> {
    pub shared: &'r Shared,
    pub row: &'r Row<'r>,
    pub values: Vec<Value<'r>>,
    /// The row that has the rest of it, in a live database.
    pub rest: Option<(&'r Row<'r>, Vec<Value<'r>>)>,
}

impl<'r> GameRow<'r> {
    /// The moves and the texts in them.
    pub fn moves(&self) -> Option<Input<'_>> {
        let bin = self.bytes("bin")?;
        let row = match &self.rest {
            Some((row, _)) => row,
            None => self.row,
        };
        // A row in pieces has no place for a single byte of it.
        let within = bin.as_ptr().addr().wrapping_sub(row.bytes.as_ptr().addr());
        let within = if row.data == row.offset {
            0
        } else {
            within as u64
        };
        Some(Input {
            main: bin,
            texts: self.bytes("comments").unwrap_or_default(),
            offset: row.data + within,
        })
    }

    /// Everything else.
    pub fn frame(&self, needs: Needs) -> Frame {
        let attributes = self.number("attributes").unwrap_or(0);
        let fen = self.text("fen").filter(|fen| !fen.trim().is_empty());
        let mut frame = Frame {
            place: Place::at_byte(self.row.offset),
            fen: fen.map(Cow::into_owned),
            variant: (attributes & CHESS960 != 0).then(|| "Chess960".to_owned()),
            result: self.number("result").and_then(result_of),
            note: self.evaluations(),
            ..Frame::default()
        };
        if self.bytes("bin").is_none() {
            let message = "the game has no moves: its row or its column Bin is missing".to_owned();
            frame.fault(GameErrorKind::Unreadable, message, String::new());
        }
        if needs.tags {
            self.roster(&mut frame);
            self.ratings_and_more(&mut frame);
            self.own_tags(&mut frame, attributes);
        }
        frame
    }

    /// The seven tags that every game has.
    fn roster(&self, frame: &mut Frame) {
        let shared = self.shared;
        let flags = self.number("dateflags").unwrap_or(0);
        let event = self.name(frame, &shared.events, "eventid");
        let site = self.name(frame, &shared.sites, "siteid");
        let white = self.name(frame, &shared.players, "whiteid");
        let black = self.name(frame, &shared.players, "blackid");
        let date = self.date("gamedate", flags as u8).unwrap_or_default();
        let round = self.text("round").filter(|round| !round.is_empty());
        let unknown = || Cow::Borrowed("?");
        let tags = &mut frame.tags;
        tags.push("Event", event.unwrap_or("?"));
        tags.push("Site", site.unwrap_or("?"));
        tags.push("Date", date.to_string());
        tags.push("Round", round.unwrap_or_else(unknown));
        tags.push("White", white.unwrap_or("?"));
        tags.push("Black", black.unwrap_or("?"));
        tags.push("Result", frame.result.unwrap_or_default().tag());
    }

    fn ratings_and_more(&self, frame: &mut Frame) {
        for (tag, column) in [("WhiteElo", "whiteelo"), ("BlackElo", "blackelo")] {
            if let Some(rating) = self.number(column).filter(|rating| *rating != 0) {
                frame.tags.push(tag, rating.to_string());
            }
        }
        self.push_text(&mut frame.tags, "ECO", "eco");
        if let Some(opening) = self.name(frame, &self.shared.openings, "openingid") {
            frame.tags.push("Opening", opening);
        }
        let flags = self.number("dateflags").unwrap_or(0);
        if let Some(date) = self.date("eventdate", (flags >> 8) as u8) {
            frame.tags.push("EventDate", date.to_string());
        }
        for (tag, column) in [
            ("WhiteTitle", "whitetitle"),
            ("BlackTitle", "blacktitle"),
            ("Board", "board"),
        ] {
            self.push_text(&mut frame.tags, tag, column);
        }
        if let Some(annotator) = self.name(frame, &self.shared.players, "annotatorid") {
            frame.tags.push("Annotator", annotator);
        }
    }

    /// Tags that the program has no column for, and those that only the program has.
    fn own_tags(&self, frame: &mut Frame, attributes: i64) {
        let info = self.text("info").unwrap_or_default();
        for pair in info.split(';').filter(|pair| !pair.trim().is_empty()) {
            match pair.split_once('=') {
                Some((key, value)) if !key.trim().is_empty() => {
                    frame.tags.push(key.trim(), value);
                }
                _ => frame.tags.push("Info", pair),
            }
        }
        for (name, column) in &self.shared.columns.others {
            if let Some(text) = self.text_at(*column).filter(|text| !text.is_empty()) {
                frame.tags.push(name.as_str(), text);
            }
        }
        let flag = attributes >> 4 & 7;
        if flag != 0 {
            frame.tags.push("Flag", flag.to_string());
        }
        if self.shared.collections.len() > 1
            && let Some(collection) = self.name(frame, &self.shared.collections, "cid")
        {
            frame.tags.push("Collection", collection);
        }
        if let Some(variant) = frame.variant.clone() {
            frame.tags.push("Variant", variant);
        }
        if let Some(fen) = frame.fen.clone() {
            frame.tags.push("SetUp", "1");
            frame.tags.push("FEN", fen);
        }
    }

    fn evaluations(&self) -> Option<Annotation> {
        let bytes = self.bytes("eval").filter(|bytes| !bytes.is_empty())?;
        Some(Annotation::Raw {
            format: "jose".to_owned(),
            code: EVAL,
            bytes: bytes.to_vec(),
        })
    }

    fn push_text(&self, tags: &mut Tags, tag: &str, column: &str) {
        if let Some(text) = self.text(column).filter(|text| !text.is_empty()) {
            tags.push(tag, text);
        }
    }

    /// A name by the number that a column has for it.
    fn name<'n>(&self, frame: &mut Frame, names: &'n Names, column: &str) -> Option<&'n str> {
        let id = self.number(column).filter(|id| *id != 0)?;
        let name = names.get(id);
        if name.is_none() {
            let message = format!("number {id} is missing in the table {}", names.table);
            frame.fault(GameErrorKind::BadTag, message, id.to_string());
        }
        name
    }

    /// A date, if the column is not NULL.
    fn date(&self, column: &str, flags: u8) -> Option<Date> {
        let number = match self.value(column)? {
            Value::Date(number) => number,
            _ => return None,
        };
        Some(dates::date(number, flags, self.shared.options.date_fix))
    }

    fn value(&self, column: &str) -> Option<Value<'r>> {
        self.value_at(*self.shared.columns.by_name.get(column)?)
    }

    fn value_at(&self, column: Column) -> Option<Value<'r>> {
        let values = match (column.rest, &self.rest) {
            (false, _) => &self.values,
            (true, Some((_, values))) => values,
            (true, None) => return None,
        };
        values.get(column.index).copied()
    }

    fn number(&self, column: &str) -> Option<i64> {
        match self.value(column)? {
            Value::Integer(number) => Some(number),
            _ => None,
        }
    }

    fn bytes(&self, column: &str) -> Option<&'r [u8]> {
        match self.value(column)? {
            Value::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    fn text(&self, column: &str) -> Option<Cow<'r, str>> {
        self.text_at(*self.shared.columns.by_name.get(column)?)
    }

    fn text_at(&self, column: Column) -> Option<Cow<'r, str>> {
        let Value::Bytes(bytes) = self.value_at(column)? else {
            return None;
        };
        let table = match &self.shared.more {
            Some(more) if column.rest => &more.table,
            _ => &self.shared.games.table,
        };
        Some(table.text(column.index, bytes))
    }
}

/// What a number in the column `Result` means.
fn result_of(number: i64) -> Option<GameResult> {
    Some(match number {
        -1 => GameResult::Unknown,
        0 => GameResult::BlackWins,
        1 => GameResult::Draw,
        2 => GameResult::WhiteWins,
        _ => return None,
    })
}
