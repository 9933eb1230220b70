//! `tabiya merge`, `tabiya report` and `tabiya search --repertoire`, run as processes.

use serde_json::Value;

use crate::room::Room;

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

fn room() -> Room {
    let room = Room::with("games.pgn", GAMES);
    room.write("mine.pgn", MINE);
    room
}

#[test]
fn games_are_merged_into_any_format_that_holds_variations() {
    let room = room();
    let said = room
        .run(&["merge", "games.pgn", "-o", "tree.pgn", "--statistics"])
        .ends(0)
        .err;
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
    let room = room();
    let said = room
        .run(&["merge", "games.pgn", "-o", "tree.uci"])
        .ends(2)
        .err;
    assert!(said.contains("holds no variations"), "{said}");
    let said = room
        .run(&["merge", "games.pgn", "--player", "nobody", "-o", "tree.pgn"])
        .ends(1)
        .err;
    assert!(said.contains("no game was found"), "{said}");
    room.run(&["merge", "missing.pgn", "-o", "tree.pgn"])
        .ends(2);
    room.run(&["merge", "games.pgn", "--max-ply", "0"]).ends(2);
    assert!(!room.path("tree.pgn").exists() && !room.path("tree.uci").exists());
}

#[test]
fn a_dossier_is_what_its_name_says() {
    let room = room();
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
    let room = room();
    for name in ["tal.html", "tal.md", "tal.json"] {
        for _ in 0..2 {
            room.fine(&["report", "games.pgn", "--player", "tal", "-o", name]);
        }
    }
    // Games are nothing that a page is called.
    let said = room
        .run(&["convert", "games.pgn", "-o", "games.html"])
        .ends(2)
        .err;
    assert!(said.contains("a web page"), "{said}");
    room.run(&["board", "--as", "svg", "-o", "tal.html"])
        .ends(2);
}

#[test]
fn a_dossier_of_nobody_is_not_written() {
    let room = room();
    let said = room
        .run(&["report", "games.pgn", "--player", "nobody", "-o", "x.html"])
        .ends(1)
        .err;
    assert!(said.contains("no game was found"), "{said}");
    assert!(!room.path("x.html").exists());
    let said = room
        .run(&["report", "games.pgn", "-o", "x.html"])
        .ends(2)
        .err;
    assert!(said.contains("--player NAME"), "{said}");
    let said = room
        .run(&["report", "games.pgn", "--player", "tal", "-o", "x.txt"])
        .ends(2)
        .err;
    assert!(said.contains(".html, .md or .json"), "{said}");
    room.run(&[
        "report",
        "games.pgn",
        "--player",
        "tal",
        "-o",
        "games.pgn",
        "--format",
        "html",
    ])
    .ends(2);
    assert_eq!(
        room.read("games.pgn"),
        GAMES,
        "no page takes the place of games"
    );
    room.run(&["report", "games.pgn", "--moves", "1. e5"])
        .ends(2);
    let said = room.run(&["report", "-", "--player", "tal"]).ends(2).err;
    assert!(said.contains("only once"), "{said}");
}

#[test]
fn a_repertoire_says_where_games_leave_it() {
    let room = room();
    // White plays something else in all of them: none follows it.
    let table = room
        .run(&["search", "games.pgn", "--repertoire", "mine.pgn"])
        .ends(1)
        .out;
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
    let room = room();
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
    let said = room.run(&args).ends(1).err;
    assert!(said.contains("no game was found"), "{said}");
}

#[test]
fn what_does_not_go_together_with_a_repertoire_is_refused() {
    let room = room();
    for more in [
        &["--check"][..],
        &["--sort", "elo"],
        &["--format", "csv"],
        &["--similar", "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"],
    ] {
        let args = [&["search", "games.pgn", "--repertoire", "mine.pgn"], more].concat();
        room.run(&args).ends(2);
    }
    room.run(&["search", "games.pgn", "--colour", "white"])
        .ends(2);
    room.write("line.pgn", "1. e4 e5 *\n");
    let said = room
        .run(&["search", "games.pgn", "--repertoire", "line.pgn"])
        .ends(2)
        .err;
    assert!(said.contains("--colour white"), "{said}");
}
