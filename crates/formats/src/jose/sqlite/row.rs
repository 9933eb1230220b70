//! A row of a database, made into a game.

use rusqlite::{Row, types::ValueRef};
use serde_json::Value;
use tabiya_game::{GameErrorKind, Listener, Place, Tags};

use super::JosedbError;
use crate::{
    dump::Dump,
    jose::{
        Input, Profile, Reader,
        frame::{Frame, hex},
        record::COLUMNS,
    },
};

/// Which columns a database has, and how to ask for them.
#[derive(Debug)]
pub(super) struct Layout {
    /// For each of [`COLUMNS`], `Tags` and `GameText`, where it is in the answer.
    places: [Option<usize>; COLUMNS.len() + 2],
    pub one: String,
    pub many: String,
    pub first: String,
}

const TAGS: usize = COLUMNS.len();
const MOVES: usize = COLUMNS.len() + 1;

impl Layout {
    pub fn new(columns: &[String]) -> Layout {
        let mut places = [None; COLUMNS.len() + 2];
        let mut select = "SELECT Id".to_owned();
        let mut count = 1;
        let names = COLUMNS.iter().chain(&["Tags", "GameText"]);
        for (place, name) in places.iter_mut().zip(names) {
            if columns
                .iter()
                .any(|column| column.eq_ignore_ascii_case(name))
            {
                select = format!("{select}, {name}");
                *place = Some(count);
                count += 1;
            }
        }
        select.push_str(" FROM main.Game");
        Layout {
            places,
            one: format!("{select} WHERE Id = ?1"),
            many: format!("{select} WHERE Id > ?1 ORDER BY Id"),
            first: format!("{select} ORDER BY Id"),
        }
    }

    /// Takes a row out of the database.
    pub fn game(&self, row: &Row<'_>) -> Result<StoredGame, JosedbError> {
        let mut game = StoredGame {
            id: row.get(0)?,
            ..StoredGame::default()
        };
        let value = |index: usize| match self.places[index] {
            Some(place) => row.get_ref(place),
            None => Ok(ValueRef::Null),
        };
        for (index, name) in COLUMNS.iter().enumerate() {
            game.columns[index] = game.text(name, value(index)?);
        }
        game.order = game.text("Tags", value(TAGS)?);
        match value(MOVES)? {
            ValueRef::Blob(bytes) => game.moves = Some(bytes.to_vec()),
            ValueRef::Null => game.fault("GameText", "is NULL", ""),
            other => {
                let message = format!("is {}, not a blob", other.data_type());
                game.fault("GameText", &message, "");
            }
        }
        Ok(game)
    }
}

/// A row.
#[derive(Debug, Default)]
pub(super) struct StoredGame {
    pub id: i64,
    columns: [Option<String>; COLUMNS.len()],
    order: Option<String>,
    moves: Option<Vec<u8>>,
    faults: Vec<(GameErrorKind, String, String)>,
}

impl StoredGame {
    /// A row that cannot be read.
    pub fn damaged(id: i64, error: &JosedbError) -> StoredGame {
        let message = format!("game {id} cannot be read: {error}");
        let fault = (GameErrorKind::Unreadable, message, String::new());
        StoredGame {
            id,
            faults: vec![fault],
            ..StoredGame::default()
        }
    }

    /// Roughly how much memory it takes.
    pub fn len(&self) -> usize {
        let texts = self.columns.iter().chain([&self.order]).flatten();
        let texts: usize = texts.map(String::len).sum();
        texts + self.moves.as_ref().map_or(0, Vec::len)
    }

    fn fault(&mut self, column: &str, message: &str, raw: &str) {
        let kind = match column {
            "GameText" => GameErrorKind::Unreadable,
            _ => GameErrorKind::BadTag,
        };
        let message = format!("column {column} of game {} {message}", self.id);
        self.faults.push((kind, message, raw.to_owned()));
    }

    fn text(&mut self, column: &str, value: ValueRef<'_>) -> Option<String> {
        match value {
            ValueRef::Null => None,
            ValueRef::Integer(number) => Some(number.to_string()),
            ValueRef::Real(number) => Some(number.to_string()),
            ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => Some(text.to_owned()),
                Err(_) => {
                    self.fault(column, "is not UTF-8", &hex(bytes));
                    Some(String::from_utf8_lossy(bytes).into_owned())
                }
            },
            ValueRef::Blob(bytes) => {
                self.fault(column, "is a blob, not a text", &hex(bytes));
                None
            }
        }
    }

    fn column(&self, name: &str) -> Option<&str> {
        let index = COLUMNS.iter().position(|column| *column == name)?;
        self.columns[index].as_deref()
    }

    /// Tells a sink the game. Its place is its number.
    pub fn tell(&self, reader: &mut Reader, sink: &mut Listener<'_>) {
        let moves = self.moves.as_deref().map(Input::from);
        self.frame().tell(moves, reader, sink);
    }

    /// What every byte of it means.
    pub fn explain(&self) -> Dump {
        let moves = self.moves.as_deref().map(Input::from);
        self.frame().explain(moves, Profile::Document)
    }

    fn frame(&self) -> Frame {
        let owned = |name| self.column(name).map(str::to_owned);
        let mut frame = Frame {
            place: Place::at_byte(self.id.cast_unsigned()),
            fen: owned("FEN"),
            variant: owned("Variant"),
            ..Frame::default()
        };
        for (kind, message, raw) in &self.faults {
            frame.fault(*kind, message.clone(), raw.clone());
        }
        frame.result = self.column("Result").and_then(|result| result.parse().ok());
        if frame.result.is_none() && self.column("Result").is_some() {
            let message = format!("column Result of game {} is no result", self.id);
            let raw = owned("Result").unwrap_or_default();
            frame.fault(GameErrorKind::BadTag, message, raw);
        }
        self.tags(&mut frame);
        frame
    }

    fn tags(&self, frame: &mut Frame) {
        let Some(order) = &self.order else {
            frame.tags = self.usual_tags();
            return;
        };
        match self.ordered_tags(order) {
            Some(tags) => frame.tags = tags,
            None => {
                let message = format!(
                    "column Tags of game {} is not an array of names and of pairs of texts",
                    self.id
                );
                frame.fault(GameErrorKind::BadTag, message, order.clone());
                frame.tags = self.usual_tags();
            }
        }
    }

    /// The tags of a row that has nothing but columns.
    fn usual_tags(&self) -> Tags {
        let mut tags = Tags::new();
        for (name, value) in COLUMNS.iter().zip(&self.columns) {
            if *name == "FEN" && value.is_some() {
                tags.push("SetUp", "1");
            }
            if let Some(value) = value {
                tags.push(*name, value.as_str());
            }
        }
        tags
    }

    fn ordered_tags(&self, order: &str) -> Option<Tags> {
        let order: Vec<Value> = serde_json::from_str(order).ok()?;
        let mut tags = Tags::new();
        for item in &order {
            match item {
                Value::String(name) => {
                    if let Some(value) = self.column(name) {
                        tags.push(name.as_str(), value);
                    }
                }
                Value::Array(pair) => match pair.as_slice() {
                    [Value::String(name), Value::String(value)] => {
                        tags.push(name.as_str(), value.as_str());
                    }
                    _ => return None,
                },
                _ => return None,
            }
        }
        Some(tags)
    }
}
