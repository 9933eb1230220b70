//! A game a row.

use std::borrow::Cow;

use serde_json::Value;
use tabiya_chess::{Position, Setup, Variant};
use tabiya_game::{Event, Flow, GameResult, GameSink, LossKind, Losses, Needs, Tags};

use crate::{GameWriter, Records, writing::Ledger};

/// The columns that are tags, the last two excepted: the length of the main line, and all other tags
/// as a JSON object.
pub const COLUMNS: [&str; 24] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "WhiteElo",
    "BlackElo",
    "WhiteTitle",
    "BlackTitle",
    "WhiteFideId",
    "BlackFideId",
    "ECO",
    "Opening",
    "Variation",
    "EventDate",
    "TimeControl",
    "Termination",
    "Annotator",
    "Variant",
    "FEN",
    "PlyCount",
    "OtherTags",
];

/// The first line of a table.
pub(super) const HEADING: &[u8] = b"Event,Site,Date,Round,White,Black,Result,WhiteElo,BlackElo,\
    WhiteTitle,BlackTitle,WhiteFideId,BlackFideId,ECO,Opening,Variation,EventDate,TimeControl,\
    Termination,Annotator,Variant,FEN,PlyCount,OtherTags\n";

/// How many columns are tags.
const TAGS: usize = COLUMNS.len() - 2;

/// Writes the tags of each game in a line; see the [module](super).
#[derive(Debug)]
pub struct RowWriter {
    notation: Notation,
    out: Vec<u8>,
    tags: Tags,
    plies: u64,
    /// Where a game starts that has no tag for it.
    start: Option<(Option<String>, Option<&'static str>)>,
    ledger: Ledger,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Notation {
    Csv,
    Jsonl,
}

impl RowWriter {
    fn new(notation: Notation) -> RowWriter {
        RowWriter {
            notation,
            out: Vec::new(),
            tags: Tags::new(),
            plies: 0,
            start: None,
            ledger: Ledger::default(),
        }
    }

    /// Comma-separated values, without the line of names.
    #[must_use]
    pub fn csv() -> RowWriter {
        RowWriter::new(Notation::Csv)
    }

    /// Objects of JSON.
    #[must_use]
    pub fn jsonl() -> RowWriter {
        RowWriter::new(Notation::Jsonl)
    }

    /// The lines that have been written since they were last taken.
    #[must_use]
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    fn tag(&mut self, name: &str, value: &str) {
        if self.tags.get(name).is_some() {
            self.ledger
                .lose(LossKind::Tag, || format!("a second tag {name}"));
        } else {
            self.tags.push(name, value);
        }
    }

    fn start(&mut self, position: &Position) {
        let setup = position.to_setup();
        let variant = position.variant();
        self.start = Some((
            (setup != Setup::INITIAL).then(|| setup.to_string()),
            (variant != Variant::Standard).then(|| variant.name()),
        ));
    }

    /// What the moves know and no tag says.
    fn complete(&mut self, result: GameResult) {
        match self.tags.get("Result").map(str::parse::<GameResult>) {
            Some(Ok(told)) if told.token() == result.token() => {}
            Some(_) => self.ledger.lose_result(result),
            None => self.tags.push("Result", result.tag()),
        }
        let (fen, variant) = self.start.take().unwrap_or_default();
        for (name, value) in [("FEN", fen.as_deref()), ("Variant", variant)] {
            if let (None, Some(value)) = (self.tags.get(name), value) {
                self.tags.push(name, value);
            }
        }
        let plies = self.plies.to_string();
        if let Some(told) = self.tags.get("PlyCount").filter(|told| *told != plies) {
            let what = || format!("PlyCount {told:?}: the game has {plies} plies");
            self.ledger.lose(LossKind::Tag, what);
        }
    }

    fn end(&mut self, result: GameResult) {
        self.complete(result);
        let mut values = [None; TAGS];
        let mut others = Vec::new();
        for (name, value) in self.tags.iter() {
            match COLUMNS[..TAGS].iter().position(|column| *column == name) {
                Some(column) => values[column] = Some(value),
                None if name == "PlyCount" => {}
                None => others.push((name, value)),
            }
        }
        let out = &mut self.out;
        match self.notation {
            Notation::Csv => write_csv(&values, self.plies, &others, out),
            Notation::Jsonl => write_json(&values, self.plies, &others, out),
        }
        out.push(b'\n');
    }
}

type Values<'t> = [Option<&'t str>; TAGS];

fn write_csv(values: &Values<'_>, plies: u64, others: &[(&str, &str)], out: &mut Vec<u8>) {
    for value in values {
        out.extend_from_slice(quoted(value.unwrap_or_default()).as_bytes());
        out.push(b',');
    }
    out.extend_from_slice(plies.to_string().as_bytes());
    out.push(b',');
    if !others.is_empty() {
        let object = String::from_utf8(object(others)).unwrap_or_default();
        out.extend_from_slice(quoted(&object).as_bytes());
    }
}

/// A value of CSV, in quotation marks if it needs them.
///
/// ```
/// use tabiya_formats::table::quoted;
///
/// assert_eq!(quoted("Tal"), "Tal");
/// assert_eq!(quoted("Tal, Mikhail"), "\"Tal, Mikhail\"");
/// ```
#[must_use]
pub fn quoted(value: &str) -> Cow<'_, str> {
    match value.contains(['"', ',', '\n', '\r']) {
        true => Cow::Owned(format!("\"{}\"", value.replace('"', "\"\""))),
        false => Cow::Borrowed(value),
    }
}

fn write_json(values: &Values<'_>, plies: u64, others: &[(&str, &str)], out: &mut Vec<u8>) {
    out.push(b'{');
    for (name, value) in COLUMNS.iter().zip(values) {
        put_text(name, out);
        out.push(b':');
        match value {
            Some(value) if is_number(name, value) => out.extend_from_slice(value.as_bytes()),
            Some(value) => put_text(value, out),
            None => out.extend_from_slice(b"null"),
        }
        out.push(b',');
    }
    out.extend_from_slice(format!("\"PlyCount\":{plies},\"OtherTags\":").as_bytes());
    out.extend_from_slice(&object(others));
    out.push(b'}');
}

/// Whether a value can be a number without being another one: `02500` cannot.
fn is_number(name: &str, value: &str) -> bool {
    let numeric = name.ends_with("Elo") || name.ends_with("FideId");
    numeric
        && value
            .parse::<u32>()
            .is_ok_and(|number| number.to_string() == value)
}

fn object(tags: &[(&str, &str)]) -> Vec<u8> {
    let mut out = vec![b'{'];
    for (place, (name, value)) in tags.iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        put_text(name, &mut out);
        out.push(b':');
        put_text(value, &mut out);
    }
    out.push(b'}');
    out
}

fn put_text(text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(Value::from(text).to_string().as_bytes());
}

impl GameSink for RowWriter {
    fn needs(&mut self) -> Needs {
        Needs::ALL.variations(false).notes(false)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => {
                self.ledger.start_game();
                self.tags.clear();
                self.plies = 0;
                self.start = None;
            }
            Event::Tag { name, value } => self.tag(name, value),
            Event::Start(position) => self.start(position),
            Event::Move { .. } | Event::Null { .. } | Event::Missing => self.plies += 1,
            Event::VariationStart => return Flow::SkipVariation,
            Event::GameEnd { result, .. } => self.end(result),
            // What is said about moves, and what could not be read of them, is left out.
            Event::Nag(_)
            | Event::Comment(_)
            | Event::Annotation(_)
            | Event::Error(_)
            | Event::VariationEnd => {}
            other => return self.ledger.enter(other),
        }
        Flow::Continue
    }
}

impl GameWriter for RowWriter {
    fn len(&self) -> usize {
        self.out.len()
    }

    fn take(&mut self) -> Records {
        let name = match self.notation {
            Notation::Csv => "csv",
            Notation::Jsonl => "jsonl",
        };
        Records::new(name, RowWriter::take(self))
    }

    fn take_losses(&mut self) -> Losses {
        std::mem::take(&mut self.ledger.losses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Parser;

    const PGN: &str = "[Event \"A, \\\"B\\\"\"]\n[White \"Réti\"]\n[WhiteElo \"2710\"]\n\
        [BlackElo \"02500\"]\n[UTCTime \"10:00:00\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n\
        1. O-O {x} (1. Ke2) Kd7 1-0";

    fn write(mut writer: RowWriter, pgn: &str) -> (String, Losses) {
        let mut parser = Parser::new(pgn);
        while parser.read_game(&mut writer) {}
        let losses = writer.take_losses();
        (String::from_utf8(writer.take()).unwrap(), losses)
    }

    #[test]
    fn the_heading_names_the_columns() {
        let heading = COLUMNS.join(",") + "\n";
        assert_eq!(heading.as_bytes(), HEADING);
    }

    #[test]
    fn a_row_of_csv_is_quoted_where_it_has_to_be() {
        let (text, losses) = write(RowWriter::csv(), PGN);
        assert_eq!(
            text,
            "\"A, \"\"B\"\"\",,,,Réti,,1-0,2710,02500,,,,,,,,,,,,,4k3/8/8/8/8/8/8/4K2R w K - 0 1,2,\
             \"{\"\"UTCTime\"\":\"\"10:00:00\"\"}\"\n"
        );
        assert!(losses.is_empty());
    }

    #[test]
    fn an_object_of_json_has_numbers_where_they_are_exact() {
        let (text, losses) = write(RowWriter::jsonl(), PGN);
        let row: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(row["Event"], "A, \"B\"");
        assert_eq!(row["WhiteElo"], 2710);
        assert_eq!(row["BlackElo"], "02500");
        assert_eq!(row["PlyCount"], 2);
        assert_eq!(row["Black"], Value::Null);
        assert_eq!(row["OtherTags"]["UTCTime"], "10:00:00");
        assert_eq!(row.as_object().unwrap().len(), COLUMNS.len());
        assert!(losses.is_empty());
    }

    #[test]
    fn what_a_row_has_no_place_for_is_lost() {
        let pgn = "[White \"a\"]\n[White \"b\"]\n[Result \"0-1\"]\n[PlyCount \"7\"]\n\n1. e4 1-0";
        let (text, losses) = write(RowWriter::csv(), pgn);
        assert!(text.starts_with(",,,,a,,0-1,"), "{text}");
        let kinds: Vec<_> = losses
            .iter()
            .map(|(kind, count, _)| (kind, count))
            .collect();
        assert_eq!(kinds, [(LossKind::Tag, 2), (LossKind::Result, 1)]);
    }

    #[test]
    fn a_start_without_a_tag_is_told_all_the_same() {
        let mut tree = tabiya_game::GameTree::default();
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        tree.start = Position::from_setup(&fen.parse().unwrap(), Variant::Standard).unwrap();
        let mut writer = RowWriter::jsonl();
        tree.tell(&mut writer);
        let row: Value = serde_json::from_slice(&writer.take()).unwrap();
        assert_eq!(
            (&row["FEN"], &row["Result"]),
            (&Value::from(fen), &Value::from("*"))
        );
    }
}
