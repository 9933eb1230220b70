//! Other programs open the files as they are: pyarrow, where it is installed.

use std::{
    io::{self, Write},
    process::Command,
};

use tabiya_formats::pgn::Parser;
use tabiya_game::GameTree;
use tabiya_store::Store;

const GAMES: &str = "\
[Event \"Match\"]\n[Date \"1960.03.??\"]\n[White \"Tal, Mikhail\"]\n[WhiteElo \"2700\"]\n\
[WhiteFideId \"2147483647\"]\n[Result \"1-0\"]\n\n1. e4 {[%clk 0:03:00]} c6 2. d4 d5 1-0\n\n\
[White \"Réti, Richard\"]\n[WhiteElo \"2500?\"]\n\n1. Nf3 *\n";

/// Reads all files of a store, mapped, and says what is in them.
const SCRIPT: &str = r#"
import glob, sys
import pyarrow as pa
for kind in ("games", "moves"):
    for path in sorted(glob.glob(sys.argv[1] + "/*-" + kind + ".arrow")):
        with pa.memory_map(path) as source:
            table = pa.ipc.open_file(source).read_all()
        table.validate(full=True)
        for name in table.column_names:
            print(kind, name, table.schema.field(name).type, table[name].to_pylist())
"#;

/// Whether Python has pyarrow; says so if it does not.
fn is_there() -> bool {
    let found = Command::new("python3")
        .args(["-c", "import pyarrow"])
        .output();
    let is_there = found.is_ok_and(|output| output.status.success());
    if !is_there {
        let _ = writeln!(io::stderr(), "skipped: python3 has no pyarrow");
    }
    is_there
}

#[test]
fn pyarrow_reads_the_columns_under_the_names_people_know() {
    if !is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    let mut importer = Store::import(&path).unwrap();
    let mut parser = Parser::new(GAMES);
    let mut game = GameTree::default();
    while parser.read_game(&mut game) {
        importer.add(&game).unwrap();
    }
    importer.finish().unwrap().merge().unwrap();
    let output = Command::new("python3")
        .args(["-c", SCRIPT])
        .arg(&path)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let texts = "dictionary<values=string, indices=int8, ordered=0>";
    for line in [
        format!("games white {texts} ['Tal, Mikhail', 'Réti, Richard']"),
        format!("games event {texts} ['Match', None]"),
        format!("games result {texts} ['1-0', '*']"),
        "games white_rating int16 [2700, None]".to_owned(),
        "games white_fide_id int32 [2147483647, None]".to_owned(),
        "games date int32 [19600300, None]".to_owned(),
        "games ply_count int16 [4, 1]".to_owned(),
        format!("games other_tags {texts} [None, '[\"2500?\"]']"),
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    let has_column = |name: &str| text.lines().any(|line| line.starts_with(name));
    assert!(has_column("moves moves binary [b") && has_column("moves clocks binary [b"));
    // What no game has is not there.
    assert!(!has_column("games black_rating"));
}
