//! How fast is PGN read? `twic-medium` and `lichess` against pgn-reader with shakmaty.
//!
//! `TABIYA_ONLY=tabiya` or `pgn-reader` runs one contestant of the first contest once, for
//! counting instructions under callgrind.

use std::{env, fs::File, io, io::Read, ops::ControlFlow};

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};
use tabiya_formats::pgn::{Parser, Writer};
use tabiya_game::{Event, Flow, GameSink, Needs};
use tabiya_peers::{contest::Contest, data};

fn main() {
    let Some(folder) = data::folder() else {
        return;
    };
    for name in ["twic-medium", "lichess"] {
        let path = folder.join("pgn").join(format!("{name}.pgn.zst"));
        let file = File::open(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut text = String::new();
        zstd::Decoder::new(file)
            .expect("zstd")
            .read_to_string(&mut text)
            .expect("UTF-8");
        contest(name, &text);
    }
}

fn contest(name: &str, text: &str) {
    if let Ok(only) = env::var("TABIYA_ONLY") {
        let plies = match only.as_str() {
            "tabiya" => tabiya_plies(text),
            _ => pgn_reader_plies(text),
        };
        return println!("{name}: {plies} plies");
    }
    let plies = tabiya_plies(text);
    Contest::new(format!("{name}: read with legal moves"), "ply", plies)
        .add("tabiya", || tabiya_plies(text))
        .add("pgn-reader + shakmaty", || pgn_reader_plies(text))
        .run();
    Contest::new(format!("{name}: tags and tokens only"), "ply", plies)
        .add("tabiya", || tabiya_tags(text))
        .add("pgn-reader", || pgn_reader_tags(text))
        .run();
    Contest::new(format!("{name}: PGN to PGN"), "ply", plies)
        .add("tabiya", || tabiya_pgn(text))
        .run();
}

/// Counts the plies of main lines.
struct Plies(u64);

impl GameSink for Plies {
    // pgn-reader's contestant skips variations, too.
    fn needs(&mut self) -> Needs {
        Needs::ALL.variations(false)
    }

    #[inline]
    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::Move { .. } = event {
            self.0 += 1;
        }
        Flow::Continue
    }
}

fn tabiya_plies(text: &str) -> u64 {
    let mut parser = Parser::new(text);
    let mut sink = Plies(0);
    while parser.read_game(&mut sink) {}
    sink.0
}

struct Tags(u64);

impl GameSink for Tags {
    fn needs(&mut self) -> Needs {
        Needs::TAGS
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::Tag { name, value } = event {
            self.0 += (name.len() + value.len()) as u64;
        }
        Flow::Continue
    }
}

fn tabiya_tags(text: &str) -> u64 {
    let mut parser = Parser::new(text);
    let mut sink = Tags(0);
    while parser.read_game(&mut sink) {}
    sink.0
}

fn tabiya_pgn(text: &str) -> u64 {
    let mut parser = Parser::new(text);
    let mut writer = Writer::default();
    let mut bytes = 0;
    while parser.read_game(&mut writer) {
        if writer.len() > 1 << 20 {
            bytes += writer.take().len() as u64;
        }
    }
    bytes + writer.take().len() as u64
}

struct Legal;

impl Visitor for Legal {
    type Tags = Option<Fen>;
    type Movetext = (Chess, u64);
    type Output = u64;

    fn begin_tags(&mut self) -> ControlFlow<u64, Option<Fen>> {
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, fen: &mut Option<Fen>, name: &[u8], value: RawTag<'_>) -> ControlFlow<u64> {
        if name == b"FEN" {
            *fen = Fen::from_ascii(value.as_bytes()).ok();
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, fen: Option<Fen>) -> ControlFlow<u64, (Chess, u64)> {
        let start = fen.and_then(|fen| fen.into_position(CastlingMode::Chess960).ok());
        ControlFlow::Continue((start.unwrap_or_default(), 0))
    }

    fn begin_variation(&mut self, _: &mut (Chess, u64)) -> ControlFlow<u64, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, (position, plies): &mut (Chess, u64), san: SanPlus) -> ControlFlow<u64> {
        match san.san.to_move(position) {
            Ok(play) => position.play_unchecked(play),
            Err(_) => return ControlFlow::Break(*plies),
        }
        *plies += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (_, plies): (Chess, u64)) -> u64 {
        plies
    }
}

fn pgn_reader_plies(text: &str) -> u64 {
    let mut reader = Reader::new(io::Cursor::new(text));
    let mut visitor = Legal;
    let games = reader.read_games(&mut visitor);
    games.map(|plies| plies.expect("readable text")).sum()
}

struct TagLengths;

impl Visitor for TagLengths {
    type Tags = u64;
    type Movetext = u64;
    type Output = u64;

    fn begin_tags(&mut self) -> ControlFlow<u64, u64> {
        ControlFlow::Continue(0)
    }

    fn tag(&mut self, sum: &mut u64, name: &[u8], value: RawTag<'_>) -> ControlFlow<u64> {
        *sum += (name.len() + value.decode_utf8_lossy().len()) as u64;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, sum: u64) -> ControlFlow<u64, u64> {
        ControlFlow::Continue(sum)
    }

    fn end_game(&mut self, sum: u64) -> u64 {
        sum
    }
}

fn pgn_reader_tags(text: &str) -> u64 {
    let mut reader = Reader::new(io::Cursor::new(text));
    let mut visitor = TagLengths;
    let games = reader.read_games(&mut visitor);
    games.map(|sum| sum.expect("readable text")).sum()
}
