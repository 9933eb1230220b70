//! The programs in `examples/`, run on the samples. `cargo test` builds them beside the tests.

use std::path::{Path, PathBuf};

use crate::example::run;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../samples")
        .join(name)
}

#[test]
fn games_of_a_chessbase_database_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("famous.cbh");
    tabiya::convert(sample("famous.pgn"), &path).run().unwrap();
    let printed = run("list_games", &[&path]);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[0], "chessbase:cbh, Some(34) entries");
    assert_eq!(
        lines[2],
        "   2  Anderssen, Adolf - Kieseritzky, Lionel  1-0  45 plies"
    );
    assert_eq!(lines.len(), 35);
}

#[test]
fn openings_are_counted() {
    let printed = run("opening_statistics", &[&sample("famous.pgn")]);
    assert_eq!(printed, OPENINGS);
}

const OPENINGS: &str = "\
e4 e6 d4 d5           +2 =1 -0
d4 Nf6 c4 g6          +0 =0 -2
e4 c5 Nf3 Nc6         +1 =0 -1
e4 e5 f4 exf4         +2 =0 -0
Nf3 Nf6 c4 e6         +1 =0 -0
";

#[test]
fn a_scid_database_is_made_move_by_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.si5");
    let printed = run("write_scid", &[&path]);
    let expected = format!("0 losses\n{}: 7 plies\n", path.display());
    assert_eq!(printed, expected);
}

#[test]
fn mistakes_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.pgn");
    let game = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 Ke4 0-1\n";
    std::fs::write(&path, game).unwrap();
    let printed = run("find_mistakes", &[&path]);
    assert_eq!(printed, MISTAKES);
}

const MISTAKES: &str = "\
game 1, 5:7: no king can go to e4: Ke4
game 1, 1:1: the tag Result says 1-0, the moves end with 0-1
error illegal move: 1
error results differ: 1
note incomplete roster: 1
1 games, 1 broken
";

#[test]
fn a_conversion_shows_how_far_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("annotated.si5");
    let printed = run("convert_with_progress", &[&sample("annotated.pgn"), &path]);
    assert_eq!(printed, CONVERTED);
    assert_eq!(tabiya::open(&path).unwrap().count(), Some(9));
}

const CONVERTED: &str = "\
9 games read = 9 written + 0 refused + 0 filtered + 0 deleted
";

#[test]
fn a_listener_of_ones_own_hears_castlings() {
    assert_eq!(
        run("own_sink", &[&sample("famous.pgn")]),
        "O-O 55, O-O-O 5\n"
    );
}
