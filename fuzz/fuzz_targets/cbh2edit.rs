//! Databases of ChessBase 17 and later, changed: files of any contents are stored again, and every
//! change of them is made or refused. What is written is whole.

#![no_main]

mod databases;

use std::{fs, path::Path};

use libfuzzer_sys::fuzz_target;
use tabiya_chessbase::{
    ReadOptions,
    cbh2::{Database, assembly::DatabaseTarget, edit, set::FileKind, writer::RecordWriter},
};
use tabiya_formats::{Database as _, pgn::Parser};
use tabiya_game::GameSink;

use databases::{EXPLAINED, Listener, files};

const GAME: &str = "[White \"Tal, Mikhail\"]\n\n1. e4 {best by test} e5 (1... c5) *";

fuzz_target!(|data: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.2cbh");
    for (kind, contents) in files(&FileKind::ALL, data) {
        fs::write(path.with_extension(kind.extension()), &*contents).expect("a file");
    }
    let mut writer = RecordWriter::default();
    if !tell(&path, &mut writer) {
        return;
    }
    let copy = folder.path().join("copy.2cbh");
    let mut target = DatabaseTarget::create(&copy).expect("a place");
    target.add(&writer.take()).expect("there is room");
    target.finish().expect("there is room");
    check(&copy);

    Parser::new(GAME).read_game(&mut writer);
    let game = writer.take();
    let changes = [
        edit::replace(&path, 1, &game[0]),
        edit::append(&path, &game).map(drop),
        edit::delete(&path, &[1]),
        edit::compact(&path).map(drop),
    ];
    if changes.iter().any(Result::is_ok) {
        check(&path);
    }
});

/// Tells a database; `false` if there is none.
fn tell(path: &Path, sink: &mut dyn GameSink) -> bool {
    let Ok(mut database) = Database::open(path, ReadOptions::default()) else {
        return false;
    };
    while let Some(part) = database.next_part().expect("the headers were read") {
        part.tell(sink).expect("the headers were read");
    }
    true
}

/// A database that was written has all of its files, and they are whole.
fn check(path: &Path) {
    let database = Database::open(path, ReadOptions::default()).expect("a database");
    assert_eq!(database.warnings(), [""; 0]);
    for number in 1..=EXPLAINED {
        let _ = database.explain(number);
    }
    let mut listener = Listener::default();
    tell(path, &mut listener);
    listener.finish();
}
