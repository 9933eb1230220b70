//! Positions, one a line, as games without moves.

use std::{
    borrow::Cow,
    io::{self, Read},
};

use encoding_rs::{Encoding, WINDOWS_1252};
use memchr::memrchr;
use tabiya_chess::{Epd, EpdError, Operation, Position};
use tabiya_game::{
    CommentPlace, Error, Flow, GameErrorKind, GameSink, GameState, GameTree, Item, Place,
};

use super::operations;
use crate::{Database, Part, pgn};

/// How many bytes of whole lines are a part. A line that is longer is cut.
const PART: usize = 256 << 10;

/// FEN or EPD, a position a line. Empty lines, and lines that begin with `#`, are no positions; a line
/// that cannot be read is a broken game.
///
/// ```
/// use tabiya_formats::{Database, engine_text::Positions};
/// use tabiya_game::GameTree;
///
/// let epd = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"one\";\n";
/// let mut positions = Positions::new(epd.as_bytes(), None);
/// let mut tree = GameTree::default();
/// positions.next_part()?.unwrap().tell(&mut tree)?;
/// assert_eq!(tree.tags.get("FEN"), Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
/// assert_eq!(tree.tags.get("EPD_bm"), Some("O-O"));
/// # Ok::<(), tabiya_game::Error>(())
/// ```
pub struct Positions<R> {
    input: R,
    encoding: Option<&'static Encoding>,
    buffer: Vec<u8>,
    place: Place,
    at_end: bool,
}

impl<R: Read + Send> Positions<R> {
    /// Reads a stream of text, in an encoding if one is given.
    pub fn new(input: R, encoding: Option<&'static Encoding>) -> Positions<R> {
        Positions {
            input,
            encoding,
            buffer: Vec::new(),
            place: Place {
                line: 1,
                column: 1,
                ..Place::default()
            },
            at_end: false,
        }
    }

    /// Reads as much as a part has; what came before an error stays.
    fn fill(&mut self) -> io::Result<()> {
        while !self.at_end && self.buffer.len() < PART {
            let missing = (PART - self.buffer.len()) as u64;
            let read = (&mut self.input)
                .take(missing)
                .read_to_end(&mut self.buffer);
            self.at_end = !matches!(read, Ok(1..));
            read?;
        }
        Ok(())
    }
}

impl<R: Read + Send> Database for Positions<R> {
    fn next_part(&mut self) -> Result<Option<Box<dyn Part>>, Error> {
        self.fill()?;
        if self.buffer.is_empty() {
            return Ok(None);
        }
        let end = match memrchr(b'\n', &self.buffer) {
            Some(at) if !self.at_end => at + 1,
            _ => self.buffer.len(),
        };
        let rest = self.buffer.split_off(end);
        let bytes = std::mem::replace(&mut self.buffer, rest);
        let part = Lines {
            place: self.place,
            encoding: self.encoding,
            bytes,
        };
        self.place.offset += part.bytes.len() as u64;
        self.place.line += memchr::memchr_iter(b'\n', &part.bytes).count() as u64;
        Ok(Some(Box::new(part)))
    }
}

/// Some lines of a file.
struct Lines {
    bytes: Vec<u8>,
    /// Where they begin.
    place: Place,
    encoding: Option<&'static Encoding>,
}

impl Part for Lines {
    fn tell(&self, sink: &mut dyn GameSink) -> Result<Flow, Error> {
        let mut place = self.place;
        for line in self.bytes.split_inclusive(|byte| *byte == b'\n') {
            let text = decode(line, self.encoding);
            let text = text.trim_start_matches('\u{feff}').trim();
            if !text.is_empty()
                && !text.starts_with('#')
                && game(text, place).tell(sink) == Flow::Stop
            {
                return Ok(Flow::Stop);
            }
            place.offset += line.len() as u64;
            place.line += 1;
        }
        Ok(Flow::Continue)
    }
}

fn decode<'b>(line: &'b [u8], encoding: Option<&'static Encoding>) -> Cow<'b, str> {
    match (encoding, std::str::from_utf8(line)) {
        (None, Ok(text)) => Cow::Borrowed(text),
        (encoding, _) => {
            let encoding = encoding.unwrap_or(WINDOWS_1252);
            encoding.decode_without_bom_handling(line).0
        }
    }
}

/// The game of a line.
fn game(line: &str, place: Place) -> GameTree {
    let mut tree = GameTree {
        place,
        ..GameTree::default()
    };
    tree.tags.push("SetUp", "1");
    match read_line(line) {
        Ok(said) => {
            tree.start = said.start;
            tree.tags.push("FEN", said.fen);
            for operation in &said.operations {
                match operations::tag(operation) {
                    _ if operations::is_clock_of(operation, &tree.start) => {}
                    Some((name, value)) if operations::opcode(&name).is_some() => {
                        tree.tags.push(name, value);
                    }
                    // What cannot be a tag, and a clock that tells no time.
                    _ => tree.items.push(Item::Comment {
                        place: CommentPlace::Before,
                        language: None,
                        text: format!(
                            "{} {};",
                            operation.opcode,
                            operations::spelled(&operation.operands)
                        ),
                    }),
                }
            }
        }
        Err((kind, message)) => {
            tree.tags.push("FEN", line);
            tree.items.push(Item::Error {
                kind,
                message,
                raw: line.to_string(),
                place,
                first: None,
            });
            tree.state = GameState::Broken;
        }
    }
    tree
}

/// What a line says.
struct Said {
    fen: String,
    operations: Vec<Operation>,
    start: Position,
}

fn read_line(line: &str) -> Result<Said, (GameErrorKind, String)> {
    let bad = |error: EpdError| (GameErrorKind::BadStart, error.to_string());
    let epd: Epd = line.parse().map_err(bad)?;
    let words = line.split_whitespace().count();
    // A FEN is kept as it is written; an EPD has no more than four fields of one.
    let fen = match epd.operations.is_empty() && words == 6 {
        true => line.to_string(),
        false => epd.setup.to_string(),
    };
    let start = pgn::start_of_tags(Some(&fen), None)?;
    Ok(Said {
        fen,
        operations: epd.operations,
        start,
    })
}

#[cfg(test)]
mod tests {
    use tabiya_game::LossKind;

    use super::*;
    use crate::{GameWriter, engine_text::PositionWriter};

    fn read(bytes: &[u8]) -> Vec<GameTree> {
        let mut positions = Positions::new(bytes, None);
        let mut trees = Vec::new();
        while let Some(part) = positions.next_part().unwrap() {
            part.tell(&mut trees).unwrap();
        }
        trees
    }

    #[test]
    fn each_line_is_a_game_without_moves() {
        let text = "\u{feff}4k3/8/8/8/8/8/8/4K3 b - - 7 30\r\n\n# a remark\n\
                    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 3; fmvn 9;";
        let games = read(text.as_bytes());
        assert_eq!(games.len(), 2);
        assert_eq!(
            games[0].tags.get("FEN"),
            Some("4k3/8/8/8/8/8/8/4K3 b - - 7 30")
        );
        assert_eq!(games[0].start.fullmove_number(), 30);
        assert_eq!(
            (games[1].place.line, games[1].start.halfmove_clock()),
            (4, 3)
        );
        assert!(games.iter().all(|game| game.items.is_empty()));
        assert!(
            games[1]
                .tags
                .iter()
                .all(|(name, _)| !name.starts_with("EPD"))
        );
    }

    #[test]
    fn a_bad_line_is_a_broken_game_at_its_place() {
        let games = read(b"nonsense\n8/8/8/8/8/8/8/8 w - - 0 1\n4k3/8/8/8/8/8/8/4K3 w - - 0 1\n");
        let states: Vec<_> = games.iter().map(|game| game.state).collect();
        use GameState::{Broken, Complete};
        assert_eq!(states, [Broken, Broken, Complete]);
        assert!(matches!(&games[0].items[..], [Item::Error { raw, .. }] if raw == "nonsense"));
        assert_eq!(games[1].place.line, 2);
    }

    #[test]
    fn the_operations_of_an_epd_come_back() {
        let lines = [
            "4k3/8/8/8/8/8/8/4K2R w K - hmvc 0; fmvn 1; bm O-O Rh8+; id \"a; b\";",
            "4k3/8/8/8/8/8/8/4K2R w K - hmvc 4; fmvn 1; D1 15; c0 \"a text\"; noop;",
            "4k3/8/8/8/8/8/8/4K2R w K - hmvc 0; fmvn 1; eco \"C42\"; zz 1 \"two\" 3;",
        ];
        let mut writer = PositionWriter::epd();
        for game in read(lines.join("\n").as_bytes()) {
            game.tell(&mut writer);
        }
        let losses = writer.take_losses();
        assert!(losses.is_empty(), "{losses:?}");
        assert_eq!(
            String::from_utf8(writer.take()).unwrap(),
            lines.join("\n") + "\n"
        );
    }

    #[test]
    fn an_operation_that_cannot_be_a_tag_is_a_comment() {
        let games = read(b"4k3/8/8/8/8/8/8/4K2R w K - a-b 1 2; bm O-O;\n");
        assert!(matches!(&games[0].items[..], [Item::Comment { text, .. }] if text == "a-b 1 2;"));
        let mut writer = PositionWriter::epd();
        games[0].tell(&mut writer);
        let losses = writer.take_losses();
        assert_eq!(
            losses.iter().map(|(kind, ..)| kind).collect::<Vec<_>>(),
            [LossKind::Comment]
        );
    }

    #[test]
    fn a_clock_that_tells_no_time_is_a_comment() {
        for (said, kept) in [
            ("hmvc abc;", "hmvc abc;"),
            ("fmvn 0;", "fmvn 0;"),
            ("hmvc 3; hmvc 4;", "hmvc 3;"),
            ("hmvc;", "hmvc ;"),
            ("hmvc \"3\";", "hmvc \"3\";"),
        ] {
            let games = read(format!("4k3/8/8/8/8/8/8/4K2R w K - {said}").as_bytes());
            let [Item::Comment { text, .. }] = &games[0].items[..] else {
                panic!("{said}: {:?}", games[0].items);
            };
            assert_eq!(text, kept);
        }
    }

    #[test]
    fn nobody_is_named_who_did_not_play() {
        let line = "4k3/8/8/8/8/8/8/4K2R w K - hmvc 0; fmvn 1;";
        for operations in ["", " bm O-O;", " id \"BK.01\";"] {
            let line = format!("{line}{operations}");
            let mut game = read(line.as_bytes()).remove(0);
            // As PGN has them.
            game.tags.push("White", "?");
            game.tags.push("Black", "?");
            let mut writer = PositionWriter::epd();
            game.tell(&mut writer);
            assert_eq!(String::from_utf8(writer.take()).unwrap(), line + "\n");
        }
    }

    #[test]
    fn lines_of_any_length_and_any_bytes_are_read() {
        let long = "x".repeat(3 * PART);
        assert!(!read(long.as_bytes()).is_empty());
        let many = "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n".repeat(20_000);
        let games = read(many.as_bytes());
        assert_eq!(games.len(), 20_000);
        assert_eq!(games[19_999].place.line, 20_000);
        assert_eq!(read(b"\xff\xfe\x00\n\x80"), read(b"\xff\xfe\x00\n\x80"));
    }
}
