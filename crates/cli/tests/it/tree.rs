//! `tabiya tree` and `tabiya eco`, run as processes.

use std::{fs, path::Path, process::Command};

use serde_json::Value;

use crate::{
    data,
    room::{Ran, Room},
};

const GAMES: &str = r#"[White "A"]
[Black "B"]
[Date "1999.05.01"]
[WhiteElo "2600"]
[BlackElo "2400"]
[Result "1-0"]
[ECO "E00"]

1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 1-0

[White "B"]
[Black "C"]
[Date "2001.??.??"]
[WhiteElo "2500"]
[Result "0-1"]
[ECO "E20"]

1. c4 e6 (1... e5) 2. d4 Nf6 3. Nc3 Bb4 0-1

[White "C"]
[Black "A"]
[Date "2003.01.01"]
[Result "1/2-1/2"]

1. e4 c5 1/2-1/2
"#;

fn room() -> Room {
    Room::with("games.pgn", GAMES)
}

impl Room {
    #[track_caller]
    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.fine(args)).expect("JSON")
    }
}

#[test]
fn both_counts_are_told_for_each_move() {
    let room = room();
    let tree = room.json(&[
        "tree",
        "games.pgn",
        "--moves",
        "1. d4 Nf6 2. c4",
        "--format",
        "json",
    ]);
    assert_eq!((&tree["white"], &tree["black"]), (&1.into(), &0.into()));
    let e6 = &tree["moves"][0];
    assert_eq!(e6["san"], "e6");
    assert_eq!((&e6["played"], &e6["reached"]), (&1.into(), &2.into()));
    assert_eq!(e6["opening"]["eco"], "E00");
    assert_eq!(tree["opening"]["eco"], "A50");
}

#[test]
fn the_json_has_the_fields_of_the_explorer() {
    let room = room();
    let tree = room.json(&["tree", "games.pgn", "--format", "json"]);
    for field in [
        "opening",
        "white",
        "draws",
        "black",
        "moves",
        "topGames",
        "recentGames",
    ] {
        assert!(tree.get(field).is_some(), "{field}");
    }
    let d4 = tree["moves"]
        .as_array()
        .and_then(|moves| moves.iter().find(|play| play["uci"] == "d2d4"))
        .expect("a move");
    assert_eq!(d4["averageRating"], 2500);
    assert_eq!(d4["averageOpponentRating"], 2400);
    assert_eq!(d4["performance"], 3200);
    assert_eq!(d4["lastYear"], 1999);
    assert!(d4["game"].is_null());
}

#[test]
fn filters_choose_the_games() {
    let room = room();
    let tree = room.json(&["tree", "games.pgn", "--since", "2000", "--format", "json"]);
    assert_eq!(
        (&tree["white"], &tree["draws"], &tree["black"]),
        (&0.into(), &1.into(), &1.into())
    );
}

#[test]
fn a_fen_is_asked_for_without_its_clocks() {
    let room = room();
    let fen = "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 4 17";
    let tree = room.json(&["tree", "games.pgn", "--fen", fen, "--format", "json"]);
    assert_eq!(tree["moves"][0]["played"], 2);
    assert_eq!(tree["opening"]["eco"], "E00");
}

#[test]
fn a_deep_tree_is_nested() {
    let room = room();
    let tree = room.json(&["tree", "games.pgn", "--depth", "3", "--format", "json"]);
    let d4 = &tree["moves"].as_array().expect("moves")[1];
    assert_eq!(d4["san"], "d4");
    let nf6 = &d4["moves"][0];
    assert_eq!(
        (&nf6["san"], &nf6["moves"][0]["san"]),
        (&"Nf6".into(), &"c4".into())
    );
    assert_eq!(nf6["moves"][0]["reached"], 1);
    let csv = room.fine(&["tree", "games.pgn", "--depth", "3", "--format", "csv"]);
    assert!(
        csv.contains("\nd4 Nf6,c4,c2c4,1,1,1,0,0,0,100.0,2500,3200,1999,A50,"),
        "{csv}"
    );
}

#[test]
fn nothing_is_played_where_no_game_was() {
    let room = room();
    let text = room.fine(&["tree", "games.pgn", "--moves", "1. h4"]);
    assert!(text.ends_with("games     none\n"), "{text}");
}

#[test]
fn wrong_use_is_refused() {
    let room = room();
    for (args, words) in [
        (&["--moves", "1. e5"][..], "e5"),
        (&["--fen", "9/8 w"], "bad FEN"),
        (&["--only-white"], "--polyglot"),
        (&["--max-ply", "3"], "--novelties"),
        (&["--depth", "0"], "--depth"),
        (&["--fen", "x", "--moves", "y"], "cannot be used with"),
    ] {
        let Ran {
            code, err: stderr, ..
        } = room.run(&[&["tree", "games.pgn"][..], args].concat());
        assert_eq!(code, 2, "{args:?}");
        assert!(stderr.contains(words), "{stderr}");
    }
    let Ran {
        code,
        out: stdout,
        err: stderr,
        ..
    } = room.run(&["tree", "none.pgn", "games.pgn"]);
    assert_eq!(code, 2);
    assert!(
        stderr.contains("none.pgn") && stdout.contains("1. d4"),
        "{stderr}{stdout}"
    );
}

#[test]
fn novelties_are_listed_with_their_games() {
    let room = room();
    let found = room.json(&[
        "tree",
        "games.pgn",
        "--novelties",
        "--since",
        "2000",
        "--format",
        "json",
    ]);
    let list = found["novelties"].as_array().expect("a list");
    let told: Vec<_> = list
        .iter()
        .map(|row| {
            (
                row["number"].as_u64(),
                row["ply"].as_u64(),
                row["san"].as_str(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (Some(2), Some(1), Some("c4")),
            (Some(3), Some(1), Some("e4"))
        ]
    );
    let text = room.fine(&["tree", "games.pgn", "--novelties"]);
    let last = "3 games: 2 novelties listed, 1 in positions of fewer games, 0 games following earlier ones";
    assert_eq!(text.lines().last(), Some(last));
}

#[test]
fn a_book_is_written_and_no_other_file_is_replaced() {
    let room = room();
    let Ran {
        code,
        out: stdout,
        err: stderr,
        ..
    } = room.run(&[
        "tree",
        "games.pgn",
        "--polyglot",
        "book.bin",
        "--min-games",
        "1",
    ]);
    assert_eq!((code, stdout.as_str()), (0, ""));
    assert!(stderr.contains("moves of 3 games"), "{stderr}");
    let book = fs::read(room.path("book.bin")).expect("a book");
    assert!(book.len().is_multiple_of(16));
    // The start of a game has Polyglot's own key; 1. c4 lost and is left out.
    let start: Vec<&[u8]> = book
        .chunks(16)
        .filter(|entry| entry[..8] == 0x463b_9618_1691_fc9c_u64.to_be_bytes())
        .collect();
    assert_eq!(start.len(), 2);
    assert_eq!(
        &start[0][8..],
        &[0x02, 0xdb, 0, 2, 0, 0, 0, 0],
        "1. d4, won"
    );
    let Ran { code, .. } = room.run(&["tree", "games.pgn", "--polyglot", "games.pgn"]);
    assert_eq!(code, 2);
    assert_eq!(
        fs::read(room.path("games.pgn")).expect("games"),
        GAMES.as_bytes()
    );
}

#[test]
fn openings_are_found_by_position() {
    let room = room();
    let found = room.json(&["eco", "games.pgn", "--format", "json"]);
    let games = found["games"].as_array().expect("games");
    let told: Vec<_> = games
        .iter()
        .map(|game| (game["eco"].as_str(), game["agreement"].as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (Some("E20"), Some("other")),
            (Some("E20"), Some("same")),
            (Some("B20"), Some("untagged")),
        ]
    );
    assert_eq!(found["summary"]["same"], 1);
    let text = room.fine(&["eco", "games.pgn", "--differ"]);
    assert!(text.contains("tagged E00, found E20"), "{text}");
    assert_eq!(
        text.lines().filter(|line| line.contains("Nimzo")).count(),
        1
    );
}

#[test]
fn a_table_of_others_counts_by_option_and_by_variable() {
    let room = room();
    let table = "eco\tname\tpgn\nB20\tMy Sicilian\t1. e4 c5\n";
    fs::create_dir(room.path("tables")).expect("a folder");
    room.write("tables/b.tsv", table);
    let csv = room.fine(&["eco", "games.pgn", "--table", "tables", "--format", "csv"]);
    assert!(csv.contains("B20,My Sicilian,2,untagged"), "{csv}");
    assert!(csv.contains(",unnamed\n"), "{csv}");
    let named = |variable: &str, args: &[&str]| {
        let mut command = room.command(args);
        let output = command.env("TABIYA_OPENINGS", variable).output();
        Ran::new(args.join(" "), output.expect("it runs"))
    };
    for args in [
        &["tree", "games.pgn", "--moves", "1. e4"][..],
        &["show", "games.pgn", "--game", "3"],
        &["info", "games.pgn"],
    ] {
        let out = named("tables/b.tsv", args).out;
        assert!(out.contains("My Sicilian"), "{args:?}");
    }
    room.write("bad.tsv", "eco\tname\tpgn\nB20\tx\t1. e5\n");
    let stderr = named("bad.tsv", &["eco", "games.pgn"]).ends(2).err;
    assert!(
        stderr.contains("bad.tsv") && stderr.contains("line 2"),
        "{stderr}"
    );
}

#[test]
fn tags_are_set_in_a_copy() {
    let room = room();
    let args = ["eco", "games.pgn", "--apply", "--names", "-o", "new.pgn"];
    let Ran {
        code, err: stderr, ..
    } = room.run(&args);
    assert_eq!(code, 0);
    assert!(stderr.contains("3 games with new tags"), "{stderr}");
    let new = room.read("new.pgn");
    assert_eq!(new.matches("[ECO \"E20\"]").count(), 2);
    assert!(new.contains("[Opening \"Sicilian Defence"), "{new}");
    assert!(new.contains("(1... e5)"), "the rest is as it was: {new}");
    assert_eq!(
        fs::read(room.path("games.pgn")).expect("games"),
        GAMES.as_bytes()
    );
}

#[test]
fn tags_are_set_in_place_of_a_database_and_the_rest_stays() {
    let room = room();
    room.fine(&["import", "a.tabiya", "games.pgn"]);
    room.fine(&["delete", "a.tabiya", "3"]);
    let told = room.fine(&["eco", "a.tabiya", "--apply"]);
    assert_eq!(told, "2 games classified, 1 with new tags\n");
    let told = room.fine(&["eco", "a.tabiya", "--apply"]);
    assert_eq!(told, "2 games classified, 0 with new tags\n");
    room.fine(&["undelete", "a.tabiya", "3"]);
    room.fine(&["check", "a.tabiya"]);
    room.fine(&["export", "a.tabiya", "-o", "b.pgn"]);
    room.fine(&["convert", "games.pgn", "-o", "c.pgn"]);
    let expected = room.read("c.pgn");
    let changed = room.read("b.pgn");
    assert_eq!(changed, expected.replace("[ECO \"E00\"]", "[ECO \"E20\"]"));
}

#[test]
fn tags_of_deleted_games_are_set_if_they_are_asked_for() {
    let room = room();
    room.fine(&["import", "a.tabiya", "games.pgn"]);
    room.fine(&["delete", "a.tabiya", "1..3"]);
    let told = room.fine(&["eco", "a.tabiya", "--apply"]);
    assert_eq!(told, "0 games classified, 0 with new tags\n");
    let told = room.fine(&["eco", "a.tabiya", "--apply", "--deleted"]);
    assert_eq!(told, "3 games classified, 2 with new tags\n");
    // They stay deleted.
    let listed = room.fine(&["list", "a.tabiya", "--format", "csv"]);
    assert_eq!(listed.lines().count(), 1, "{listed}");
}

#[test]
fn a_file_is_not_changed_in_place() {
    let room = room();
    for args in [
        &["eco", "games.pgn", "--apply"][..],
        &["eco", "-", "--apply"],
        &["eco", "games.pgn", "games.pgn", "--apply"],
    ] {
        let Ran {
            code, err: stderr, ..
        } = room.run(args);
        assert_eq!(code, 2);
        assert!(stderr.contains("-o OUT"), "{stderr}");
    }
}

#[test]
#[ignore = "needs python-chess and real games"]
fn python_chess_reads_the_book() {
    let Some(path) = data::find("pgn/twic-small.pgn.zst") else {
        return;
    };
    let room = room();
    let path = path.display().to_string();
    let Ran {
        code, err: stderr, ..
    } = room.run(&["tree", &path, "--polyglot", "book.bin"]);
    assert_eq!(code, 0, "{stderr}");
    let Some(told) = python(&room.path("book.bin")) else {
        return;
    };
    let tree = room.json(&["tree", &path, "--format", "json"]);
    let mut moves: Vec<String> = tree["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .filter(|play| play["played"].as_u64() >= Some(3))
        .map(|play| {
            let points =
                2 * play["white"].as_u64().expect("wins") + play["draws"].as_u64().expect("draws");
            format!("{} {points}", play["uci"].as_str().expect("a move"))
        })
        .collect();
    moves.sort();
    assert_eq!(told, moves);
}

/// The moves and weights of the start, as python-chess reads them; nothing if it is not there.
fn python(book: &Path) -> Option<Vec<String>> {
    const PROGRAM: &str = "import sys, chess, chess.polyglot\n\
        with chess.polyglot.open_reader(sys.argv[1]) as book:\n \
        entries = list(book)\n \
        assert entries == sorted(entries, key=lambda entry: entry.key)\n \
        for entry in book.find_all(chess.Board()):\n  \
        print(entry.move.uci(), entry.weight)\n";
    let output = Command::new("python3")
        .args(["-c", PROGRAM])
        .arg(book)
        .output()
        .ok()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    if stderr.contains("No module named") {
        return None;
    }
    assert!(output.status.success(), "{stderr}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    lines.sort();
    Some(lines)
}
