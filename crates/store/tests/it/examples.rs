//! The programs in `examples/`.

use std::path::{Path, PathBuf};

use tabiya_formats::pgn::Parser;
use tabiya_game::GameTree;
use tabiya_store::Store;
use tempfile::TempDir;

use crate::example::run;

const GAMES: &str = "\
[Date \"1999.??.??\"]
[WhiteElo \"2700\"]

1. e4 d5 2. exd5 Qxd5 *

[Date \"1999.01.02\"]
[WhiteElo \"2500\"]

1. e4 e5 *

[Date \"????.??.??\"]
[WhiteElo \"2500\"]

1. Nf3 e5 2. Nxe5 *

[Date \"2001.??.??\"]
[WhiteElo \"2400\"]

*
";

fn store() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    let mut importer = Store::import(&path).unwrap();
    let (mut parser, mut game) = (Parser::new(GAMES), GameTree::default());
    while parser.read_game(&mut game) {
        importer.add(&game).unwrap();
    }
    importer.finish().unwrap();
    (folder, path)
}

#[track_caller]
fn prints(example: &str, path: &Path, lines: &[&str]) {
    let printed = run(example, &[path]);
    assert_eq!(printed.lines().collect::<Vec<_>>(), lines);
}

#[test]
fn ratings_are_averaged_by_year() {
    let (_folder, path) = store();
    let years = ["1999: 2600 in 2 games", "2001: 2400 in 1 games"];
    prints("rating_by_year", &path, &years);
}

#[test]
fn captures_are_counted_in_games_that_are_not_deleted() {
    let (_folder, path) = store();
    prints(
        "parallel_scan",
        &path,
        &["knight: 1", "pawn: 1", "queen: 1"],
    );
    Store::open(&path).unwrap().mark(&[3], true).unwrap();
    prints("parallel_scan", &path, &["pawn: 1", "queen: 1"]);
}

#[test]
fn what_is_appended_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    prints(
        "follow_appends",
        &folder.path().join("new.tabiya"),
        &[
            "2 games before, 3 now",
            "3: Steinitz, William",
            "3 games before, 5 now",
            "4: Lasker, Emanuel",
            "5: Tarrasch, Siegbert",
        ],
    );
}
