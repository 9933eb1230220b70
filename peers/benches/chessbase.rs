//! How fast is a ChessBase database read? `twic1134` against cbvault, each from opening the files
//! to the last game, on one thread.

use std::path::Path;

use tabiya_formats::{
    Database as _,
    chessbase::{Database, ReadOptions},
    pgn::Writer,
};
use tabiya_game::{Event, Flow, GameSink, Needs};
use tabiya_peers::{contest::Contest, data};

fn main() {
    let Some(folder) = data::folder() else {
        return;
    };
    let path = folder.join("chessbase/uncbv/twic1134/twic1134.cbh");
    let plies = tabiya_plies(&path);
    Contest::new("twic1134: moves of main lines", "ply", plies)
        .add("tabiya", || tabiya_plies(&path))
        .add("cbvault", || cbvault_plies(&path))
        .run();
    Contest::new("twic1134: CBH to PGN", "ply", plies)
        .add("tabiya", || tabiya_pgn(&path))
        .add_other("cbvault", || cbvault_pgn(&path))
        .run();
}

struct Plies(u64);

impl GameSink for Plies {
    fn needs(&self) -> Needs {
        Needs {
            tags: false,
            moves: true,
            ..Needs::TAGS
        }
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
