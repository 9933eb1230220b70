//! `tabiya merge`, `tabiya report` and `tabiya search --repertoire`, run as processes.

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

const GAMES: &str = r#"[Event "Cup"]
[White "Tal, Mikhail"]
[Black "<b>Keres</b>"]
[Date "1959.05.01"]
[WhiteElo "2600"]
[BlackElo "2500"]
[Result "1-0"]

1. e4 e5 {open} 2. Nf3 Nc6 3. Bb5 a6 1-0

[White "Smyslov, Vasily"]
[Black "Tal, Mikhail"]
[Date "1960.??.??"]
[Result "1/2-1/2"]

1. e4 c5 2. Nf3 d6 1/2-1/2

[White "Tal, Mikhail"]
[Black "Petrosian, Tigran"]
[Date "1961.01.01"]
[Result "0-1"]

1. d4 d5 0-1
"#;

const MINE: &str = "1. e4 e5 (1... c5 2. c3) 2. Nf3 Nc6 3. Bc4 *\n";

struct Room(TempDir);

impl Room {
    fn new() -> Room {
        let room = Room(tempfile::tempdir().expect("a folder"));
        fs::write(room.path("games.pgn"), GAMES).expect("written");
        fs::write(room.path("mine.pgn"), MINE).expect("written");
        room
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, args: &[&str]) -> (i32, String, String) {
        let Output {
            status,
            stdout,
            stderr,
        } = Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .args(args)
            .current_dir(self.0.path())
            .env_remove("TABIYA_OPENINGS")
            .stdin(Stdio::null())
            .output()
            .expect("it runs");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (status.code().expect("ended"), text(stdout), text(stderr))
    }

    #[track_caller]
    fn ends(&self, code: i32, args: &[&str]) -> (String, String) {
        let (ended, stdout, stderr) = self.run(args);
        assert_eq!(ended, code, "{args:?}: {stderr}");
        (stdout, stderr)
    }

    #[track_caller]
    fn fine(&self, args: &[&str]) -> String {
        self.ends(0, args).0
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("it is there")
    }
}

#[test]
fn games_are_merged_into_any_format_that_holds_variations() {
    let room = Room::new();
    let (_, said) = room.ends(0, &["merge", "games.pgn", "-o", "tree.pgn", "--statistics"]);
    assert!(said.contains("3 games in 1 tree\n"), "{said}");
    let tree = room.read("tree.pgn");
    assert!(tree.contains("[Event \"Tree of 3 games\"]"), "{tree}");
    assert!(
        tree.contains("{open}") && tree.contains("{2 games: +1 =1 -0, 75 %}"),
        "{tree}"
    );
    for name in ["tree.si5", "tree.cbh", "tree.tabiya"] {
        room.fine(&["merge", "games.pgn", "-o", name]);
        let back = room.fine(&["convert", name]);
        assert!(
            back.contains("{open}") && back.contains("(1. d4 d5)"),
            "{name}: {back}"
        );
    }
    let printed = room.fine(&["merge", "games.pgn", "--sources", "--max-ply", "2"]);
    let printed = printed.replace('\n', " ");
    assert!(
        printed.contains("{Smyslov, Vasily - Tal, Mikhail, 1960, 1/2-1/2}"),
        "{printed}"
    );
}

#[test]
fn a_merge_that_cannot_be_is_refused_and_writes_nothing() {
    let room = Room::new();
    let (_, said) = room.ends(2, &["merge", "games.pgn", "-o", "tree.uci"]);
    assert!(said.contains("holds no variations"), "{said}");
    let (_, said) = room.ends(
        1,
        &["merge", "games.pgn", "--player", "nobody", "-o", "tree.pgn"],
    );
    assert!(said.contains("no game was found"), "{said}");
    room.ends(2, &["merge", "missing.pgn", "-o", "tree.pgn"]);
    room.ends(2, &["merge", "games.pgn", "--max-ply", "0"]);
    assert!(!room.path("tree.pgn").exists() && !room.path("tree.uci").exists());
}

#[test]
fn a_dossier_is_what_its_name_says() {
    let room = Room::new();
    room.fine(&["report", "games.pgn", "--player", "tal", "-o", "tal.html"]);
    let html = room.read("tal.html");
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("<h1>Tal, Mikhail</h1>"));
    assert!(html.contains("&lt;b&gt;Keres&lt;/b&gt;") && !html.contains("<b>Keres"));
    room.fine(&["report", "games.pgn", "--player", "tal", "-o", "tal.json"]);
    let json: Value = serde_json::from_str(&room.read("tal.json")).expect("JSON");
    assert_eq!(json["subject"]["kind"], "player");
    assert_eq!(
        (&json["games"], &json["total"]["percent"]),
        (&3.into(), &50.0.into())
    );
    let markdown = room.fine(&["report", "games.pgn", "--moves", "1. e4"]);
    assert!(markdown.starts_with("# B00 King's Pawn"), "{markdown}");
    assert!(markdown.contains("* Games: 2 (+1 =1 −0)"), "{markdown}");
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let json = room.fine(&[
        "report",
        "games.pgn",
        "--fen",
        fen,
        "--player",
        "keres",
        "--format",
        "json",
    ]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["games"], 1);
}

#[test]
fn a_page_takes_the_place_of_an_earlier_one() {
    let room = Room::new();
    for name in ["tal.html", "tal.md", "tal.json"] {
        for _ in 0..2 {
            room.fine(&["report", "games.pgn", "--player", "tal", "-o", name]);
        }
    }
    // Games are nothing that a page is called.
    let (_, said) = room.ends(2, &["convert", "games.pgn", "-o", "games.html"]);
    assert!(said.contains("a web page"), "{said}");
    room.ends(2, &["board", "--as", "svg", "-o", "tal.html"]);
}

#[test]
fn a_dossier_of_nobody_is_not_written() {
    let room = Room::new();
    let (_, said) = room.ends(
        1,
        &["report", "games.pgn", "--player", "nobody", "-o", "x.html"],
    );
    assert!(said.contains("no game was found"), "{said}");
    assert!(!room.path("x.html").exists());
    let (_, said) = room.ends(2, &["report", "games.pgn", "-o", "x.html"]);
    assert!(said.contains("--player NAME"), "{said}");
    let (_, said) = room.ends(
        2,
        &["report", "games.pgn", "--player", "tal", "-o", "x.txt"],
    );
    assert!(said.contains(".html, .md or .json"), "{said}");
    room.ends(
        2,
        &[
            "report",
            "games.pgn",
            "--player",
            "tal",
            "-o",
            "games.pgn",
            "--format",
            "html",
        ],
    );
    assert_eq!(
        room.read("games.pgn"),
        GAMES,
        "no page takes the place of games"
    );
    room.ends(2, &["report", "games.pgn", "--moves", "1. e5"]);
    let (_, said) = room.ends(2, &["report", "-", "--player", "tal"]);
    assert!(said.contains("only once"), "{said}");
}

#[test]
fn a_repertoire_says_where_games_leave_it() {
    let room = Room::new();
    // White plays something else in all of them: none follows it.
    let (table, _) = room.ends(1, &["search", "games.pgn", "--repertoire", "mine.pgn"]);
    assert!(
        table.contains("mine.pgn, for White: 8 positions, 2 lines"),
        "{table}"
    );
    assert!(
        table.contains("Where its own side played something else"),
        "{table}"
    );
    let json = room.fine(&[
        "search",
        "games.pgn",
        "--repertoire",
        "mine.pgn",
        "--left-by",
        "me",
        "--format",
        "json",
    ]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json["total"], &json["found"]), (&3.into(), &3.into()));
    assert_eq!(json["left_by_me"], 3);
    let second = &json["games"][1];
    assert_eq!(
        (&second["plies"], &second["played"]),
        (&2.into(), &"Nf3".into())
    );
    assert_eq!(second["expected"], serde_json::json!(["c3"]));
}

#[test]
fn a_base_is_cut_down_to_a_repertoire() {
    let room = Room::new();
    let black = [
        "search",
        "games.pgn",
        "--repertoire",
        "mine.pgn",
        "--colour",
        "black",
    ];
    // Black follows it to the third move of one game; in the others White or Black does otherwise.
    let mut args = black.to_vec();
    args.extend(["-o", "cut.pgn"]);
    room.fine(&args);
    let cut = room.read("cut.pgn");
    assert_eq!(cut.matches("[White ").count(), 2, "{cut}");
    assert!(
        cut.contains("3. Bb5") && cut.contains("1. e4 c5 2. Nf3"),
        "{cut}"
    );
    args.extend(["--left-by", "line"]);
    let (_, said) = room.ends(1, &args);
    assert!(said.contains("no game was found"), "{said}");
}

#[test]
fn what_does_not_go_together_with_a_repertoire_is_refused() {
    let room = Room::new();
    for more in [
        &["--check"][..],
        &["--sort", "elo"],
        &["--format", "csv"],
        &["--similar", "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"],
    ] {
        let args = [&["search", "games.pgn", "--repertoire", "mine.pgn"], more].concat();
        room.ends(2, &args);
    }
    room.ends(2, &["search", "games.pgn", "--colour", "white"]);
    fs::write(room.path("line.pgn"), "1. e4 e5 *\n").expect("written");
    let (_, said) = room.ends(2, &["search", "games.pgn", "--repertoire", "line.pgn"]);
    assert!(said.contains("--colour white"), "{said}");
}
