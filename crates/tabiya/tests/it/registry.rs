//! What is recognised as what.

use std::io::Cursor;

use tabiya_game::GameTree;

use tabiya::registry;
use tabiya_formats::{
    io::{Input, InputLimits},
    pgn,
    registry::{ReadOptions, WriteOptions},
};

fn try_open(name: &str, bytes: &[u8]) -> Result<&'static str, String> {
    let reader = Cursor::new(bytes.to_vec());
    let input = Input::from_reader(name, reader, InputLimits::default()).unwrap();
    registry()
        .open_input(input, None, &ReadOptions::default())
        .map(|opened| opened.profile.format.name)
        .map_err(|error| error.to_string())
}

#[test]
fn content_counts_more_than_the_name() {
    for (name, content) in [
        ("games.pgn", "[Event \"x\"]\n\n1. e4 *"),
        ("games.epd", "[Event \"x\"]\n\n1. e4 *"),
        ("games.cbh", "\n\n% a comment\n[White \"x\"]\n"),
        ("standard input", "1. e4 e5 *"),
        ("standard input", "\u{feff}{A game} 1.e4"),
        ("standard input", ""),
        ("notes.pgn", "anything at all"),
        ("latin.pgn", "[White \"R\u{e9}ti\"]"),
    ] {
        assert_eq!(try_open(name, content.as_bytes()), Ok("pgn"), "{name}");
    }
}

#[test]
fn positions_are_recognised() {
    for (content, expected) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1\n", "fen"),
        ("4k3/8/8/8/8/8/8/4K3 w - - id \"x\";\n", "epd"),
    ] {
        assert_eq!(try_open("a", content.as_bytes()), Ok(expected));
    }
}

#[test]
fn formats_are_called_by_their_extensions_too() {
    for (name, profile) in [
        ("cbh", "chessbase:cbh"),
        ("CBV", "chessbase:archive"),
        ("cbz", "chessbase:archive"),
        ("si5", "scid:si5"),
        ("si4", "scid:si4"),
        ("josedb", "jose:document"),
        ("cdb", "ply16:program"),
        ("cmbr24", "cmbr:cmbr24"),
    ] {
        assert_eq!(registry().spec(name).unwrap().to_string(), profile);
    }
    for name in registry().names(|_| true) {
        assert!(registry().spec(name).is_ok(), "{name}");
    }
    assert!(
        registry()
            .names(|profile| profile.writes())
            .contains(&"cbh")
    );
    assert!(!registry().names(|profile| profile.reads()).contains(&"uci"));
}

#[test]
fn what_cannot_be_read_is_called_by_its_name() {
    let tar = [&[0; 257][..], b"ustar\0"].concat();
    for (name, content, expected) in [
        // Too short for what its name says.
        (
            "a.2cbh",
            &b"\x00\x00"[..],
            "not a file of a ChessBase database",
        ),
        ("a.cbone", b"\x00\x00", "a ChessBase database in one file"),
        ("a.CBB", b"\x00\x00", "open the .cbh file beside it"),
        // A stream has no companions.
        (
            "a.pgn",
            b"\x00\x00\x2c\x00\x2e\x01\x00",
            "not a file of a ChessBase database",
        ),
        ("a.CBV", b"\x08\x00\x0c\x00", "no ChessBase archive"),
        // A stream has no companions.
        ("a", b"Scid.si\0\x01\x90", "is not called .si4 or .si5"),
        ("a.pgn", b"SQLite format 3\0", "an SQLite database"),
        ("a.pgn", b"Rar!\x1a\x07\x01", "a RAR archive"),
        ("a.pgn", b"\x89PNG\r\n\x1a\n", "an image"),
        ("a.pgn", b"\x7fELF\x02", "a program"),
        ("a.pgn", b"\xff\xfe[\0E\0", "a file in UTF-16"),
        ("a.pgn", b"<!DOCTYPE html>", "a web page"),
        ("a.pgn", &tar, "a tar archive"),
        (
            "a",
            b"e2e4 e7e5\n",
            "is uci:moves, which tabiya writes but cannot read",
        ),
        ("a", b"position startpos\n", "is uci:moves,"),
        ("a", b"e2-e4 Ng8-f6 O-O\n", "no known format"),
        ("a", b"e2-e4 Ng8-f6\n", "is lan,"),
        ("a", b"Dear reader,", "is of no known format"),
        ("a", b"12 apples", "is of no known format"),
    ] {
        let error = try_open(name, content).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_given_format_is_believed() {
    let input = Cursor::new(b"SQLite format 3\0".to_vec());
    let input = Input::from_reader("x", input, InputLimits::default()).unwrap();
    let spec = registry().spec("pgn").ok();
    assert!(
        registry()
            .open_input(input, spec, &ReadOptions::default())
            .is_ok()
    );
}

#[test]
fn nothing_is_lost_by_looking() {
    let pgn = "[Event \"x\"]\n\n1. e4 e5 *\n\n".repeat(2_000);
    let input = Cursor::new(pgn.clone().into_bytes());
    let input = Input::from_reader("x", input, InputLimits::default()).unwrap();
    let mut opened = registry()
        .open_input(input, None, &ReadOptions::default())
        .unwrap();
    let mut writer = registry()
        .writer(
            registry().by_path("a.pgn").unwrap(),
            &WriteOptions::default(),
        )
        .unwrap();
    let mut games = 0;
    while let Some(part) = opened.database.next_part().unwrap() {
        part.tell(&mut writer).unwrap();
        let records = writer.take();
        let text = records.bytes().unwrap();
        games += text.windows(2).filter(|two| two == b"1.").count();
    }
    assert_eq!(games, 2_000);
}

#[test]
fn names_and_extensions() {
    assert_eq!(registry().by_name("PGN").unwrap().name, "pgn");
    for (path, expected) in [
        ("a.pgn", Some("pgn")),
        ("a.PGN.GZ", Some("pgn")),
        ("folder.pgn/a.epd.zst", Some("epd")),
        ("a.zst", None),
        ("pgn", None),
    ] {
        let found = registry().by_path(path).map(|profile| profile.format.name);
        assert_eq!(found, expected, "{path}");
    }
    assert_eq!(
        registry().spec("uci:position").unwrap().to_string(),
        "uci:position"
    );
    let error = |text: &str| registry().spec(text).unwrap_err().to_string();
    assert_eq!(
        error("uci:x"),
        "uci has no profile \"x\": expected moves or position"
    );
    assert_eq!(
        error("pgn:x"),
        "pgn has no profile \"x\": expected pgn alone"
    );
}

#[test]
fn every_format_that_is_written_says_what_it_lost() {
    let pgn = "[White \"x\"]\n\n1. e4! {good} (1. d4) 1-0";
    for profile in registry().profiles().filter(|profile| profile.writes()) {
        let mut writer = registry()
            .writer(profile, &WriteOptions::default())
            .unwrap();
        let mut tree = GameTree::default();
        pgn::Parser::new(pgn).read_game(&mut tree);
        tree.tell(&mut writer);
        assert!(!writer.is_empty(), "{profile}");
        let lost = |kind| {
            let losses = &mut writer.take_losses();
            losses.iter().any(|(lost, ..)| lost == kind)
        };
        use tabiya_game::LossKind::Variation;
        let mut lost = lost;
        let said = lost(Variation) || profile.leaves_out().contains("variations");
        assert_eq!(said, !profile.holds().variations, "{profile}");
    }
}
