//! How fast is a ChessBase database read, and written? `twic1134` and a database of 100,000 games
//! that tabiya wrote against cbvault, and the same games in both families of ChessBase; each from
//! opening the files to the last game, on one thread.

use std::{io::Read, path::Path};

use tabiya_chessbase::{
    Database, ReadOptions, assembly::DatabaseTarget, cbh2, writer::RecordWriter,
};
use tabiya_formats::{
    io::Input,
    pgn::{Parser, Writer},
};
use tabiya_game::{Event, Flow, GameSink, Needs};
use tabiya_peers::{contest::Contest, data};

fn main() {
    let Some(folder) = data::folder() else {
        return;
    };
    let path = folder.join("chessbase/uncbv/twic1134/twic1134.cbh");
    read("twic1134", &path);
    let place = tempfile::tempdir().expect("a folder");
    let path = place.path().join("written.cbh");
    let games = Games::of(&folder.join("pgn/twic-medium.pgn.zst"));
    Contest::new("PGN in memory to CBH", "game", GAMES)
        .add("tabiya", || games.write(&path))
        .run();
    read("100,000 games written by tabiya", &path);
    let newer = place.path().join("written.2cbh");
    Contest::new("PGN in memory to both families", "game", GAMES)
        .add("2CBH", || games.write_newer(&newer))
        .add("CBH", || games.write(&path))
        .run();
    families(&newer, &path);
}

/// The same games in the newer family and in the classic one.
fn families(newer: &Path, classic: &Path) {
    let plies = tabiya_plies(classic);
    Contest::new("both families: moves of main lines", "ply", plies)
        .add("2CBH", || plies_of(newer_database(newer)))
        .add("CBH", || tabiya_plies(classic))
        .run();
    Contest::new("both families: to PGN", "ply", plies)
        .add("2CBH", || pgn_of(newer_database(newer)))
        .add_other("CBH", || tabiya_pgn(classic))
        .run();
    Contest::new("both families: plies of main lines, counted", "game", GAMES)
        .add("2CBH, from words", || counted_plies(newer_database(newer)))
        .add("CBH, played", || tabiya_plies(classic))
        .run();
    Contest::new("both families: tags", "game", GAMES)
        .add("2CBH", || games_of(newer_database(newer)))
        .add("CBH", || games_of(classic_database(classic)))
        .run();
}

/// Reads a database: its main lines, and all of it to PGN.
fn read(name: &str, path: &Path) {
    let plies = tabiya_plies(path);
    Contest::new(format!("{name}: moves of main lines"), "ply", plies)
        .add("tabiya", || tabiya_plies(path))
        .add("cbvault", || cbvault_plies(path))
        .run();
    Contest::new(format!("{name}: CBH to PGN"), "ply", plies)
        .add("tabiya", || tabiya_pgn(path))
        .add_other("cbvault", || cbvault_pgn(path))
        .run();
}

/// How many games are written.
const GAMES: u64 = 100_000;

/// The text of the first games of a file.
struct Games(String);

impl Games {
    fn of(path: &Path) -> Games {
        let mut input = Input::open(path).expect("a file");
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes).expect("its contents");
        let text = String::from_utf8_lossy(&bytes);
        let end = text.match_indices("[Event \"").nth(GAMES as usize);
        let end = end.expect("enough games").0;
        Games(text[..end].to_string())
    }

    /// Makes a database of them, and says how many entries it has.
    fn write(&self, path: &Path) -> u64 {
        let mut target = DatabaseTarget::create(path).expect("a place");
        let mut parser = Parser::new(&self.0);
        let mut writer = RecordWriter::default();
        while parser.read_game(&mut writer) {
            target.add(&writer.take()).expect("room");
        }
        target.finish().expect("a database").entries.into()
    }

    /// The same in the newer family.
    fn write_newer(&self, path: &Path) -> u64 {
        let mut target = cbh2::assembly::DatabaseTarget::create(path).expect("a place");
        let mut parser = Parser::new(&self.0);
        let mut writer = cbh2::writer::RecordWriter::default();
        while parser.read_game(&mut writer) {
            target.add(&writer.take()).expect("room");
        }
        target.finish().expect("a database").into()
    }
}

struct Plies(u64);

impl GameSink for Plies {
    fn needs(&mut self) -> Needs {
        Needs::NOTHING.moves(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        self.0 += u64::from(matches!(event, Event::Move { .. } | Event::Null { .. }));
        Flow::Continue
    }
}

/// Hears tags: how many games there are, and how many plies they say they have.
#[derive(Default)]
struct Headers {
    games: u64,
    plies: u64,
}

impl GameSink for Headers {
    fn needs(&mut self) -> Needs {
        Needs::TAGS
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => self.games += 1,
            Event::Tag {
                name: "PlyCount",
                value,
            } => self.plies += value.parse().unwrap_or(0),
            _ => {}
        }
        Flow::Continue
    }
}

fn classic_database(path: &Path) -> Box<dyn tabiya_formats::Database> {
    Box::new(Database::open(path, ReadOptions::default()).expect("a database"))
}

fn newer_database(path: &Path) -> Box<dyn tabiya_formats::Database> {
    Box::new(cbh2::Database::open(path, ReadOptions::default()).expect("a database"))
}

fn games_of(database: Box<dyn tabiya_formats::Database>) -> u64 {
    let mut headers = Headers::default();
    tell_all(database, &mut headers);
    headers.games
}

fn counted_plies(database: Box<dyn tabiya_formats::Database>) -> u64 {
    let mut headers = Headers::default();
    tell_all(database, &mut headers);
    headers.plies
}

fn plies_of(database: Box<dyn tabiya_formats::Database>) -> u64 {
    let mut plies = Plies(0);
    tell_all(database, &mut plies);
    plies.0
}

fn pgn_of(database: Box<dyn tabiya_formats::Database>) -> u64 {
    let mut writer = Writer::default();
    tell_all(database, &mut writer);
    writer.take().len() as u64
}

fn tell(path: &Path, sink: &mut dyn GameSink) {
    tell_all(classic_database(path), sink);
}

fn tell_all(mut database: Box<dyn tabiya_formats::Database>, sink: &mut dyn GameSink) {
    while let Some(part) = database.next_part().expect("a part") {
        part.tell(sink).expect("a part");
    }
}

fn tabiya_plies(path: &Path) -> u64 {
    let mut plies = Plies(0);
    tell(path, &mut plies);
    plies.0
}

fn tabiya_pgn(path: &Path) -> u64 {
    let mut writer = Writer::default();
    tell(path, &mut writer);
    writer.take().len() as u64
}

struct Counted(u64);

impl cbvault::bridge::GameSink for Counted {
    fn game(&mut self, game: cbvault::bridge::GameRef<'_>) {
        self.0 += game.plies() as u64;
    }
}

fn cbvault_plies(path: &Path) -> u64 {
    let database = cbvault::bridge::Database::open(path.with_extension("")).expect("a database");
    let mut counted = Counted(0);
    cbvault::bridge::for_each_game(&database, &mut counted).expect("games");
    counted.0
}

fn cbvault_pgn(path: &Path) -> u64 {
    let mut bytes = Vec::new();
    cbvault::pgn::export_parallel(&path.with_extension(""), &mut bytes, 1, 0, 100)
        .expect("an export");
    bytes.len() as u64
}
