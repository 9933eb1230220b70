//! How fast is a ChessBase database read, and written? `twic1134` and a database of 100,000 games
//! that tabiya wrote against cbvault, each from opening the files to the last game, on one thread.

use std::{io::Read, path::Path};

use tabiya_chessbase::{Database, ReadOptions, assembly::DatabaseTarget, writer::RecordWriter};
use tabiya_formats::{
    Database as _,
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

fn tell(path: &Path, sink: &mut dyn GameSink) {
    let mut database = Database::open(path, ReadOptions::default()).expect("a database");
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
