//! What makes the command easy to use: lists, tables, positions as input, folders, names as people
//! type them, and reports that do not cry wolf.

use std::fs;

use crate::room::Room;

const GAMES: &str = r#"[Event "Tata Steel"]
[Site "Wijk aan Zee NED"]
[Date "2007.01.13"]
[Round "01"]
[White "Kramnik,V"]
[Black "Réti, Richard"]
[Result "1-0"]
[WhiteElo "2766"]
[ECO "E04"]

1. d4 {[%csl Gd4][%cal Gd4d5,Re2e4]} Nf6 (1... d5! 2. c4 {Queen's Gambit}) 2. c4 {good} 1-0

[Event "Casual"]
[Date "1921.??.??"]
[White "Topalov, Veselin"]
[Black "Kramnik, Vladimir"]
[Result "1/2-1/2"]
[BlackElo "2799"]

1. e4 e5 2. Nf3 Nc6 1/2-1/2

[Event "?"]
[Date "????.??.??"]
[White "Kramnik, Boris"]
[Black "?"]
[Result "*"]

1. c4 *
"#;

fn room() -> Room {
    Room::with("games.pgn", GAMES)
}

#[test]
fn what_is_respelled_is_not_lost() {
    let room = room();
    room.write(
        "one.pgn",
        "[White \"Gormally,D\"]\n[Round \"01\"]\n\n1. e4 *\n",
    );
    let run = room
        .run("convert one.pgn -o one.cbh --report report.json")
        .ends(0);
    assert!(!run.err.contains("lost, the first"), "{}", run.err);
    let respelled = "2 values respelled, of which nothing is lost; the first in game 1";
    assert!(run.err.contains(respelled), "{}", run.err);
    let report = room.read("report.json");
    assert!(
        report.contains("\"respelled\": {\n    \"count\": 2"),
        "{report}"
    );
    assert!(report.contains("\"losses\": []"), "{report}");
    let run = room.run(&["convert", "one.pgn", "-o", "two.cbh", "--strict"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("the format respells it"), "{}", run.err);
    assert!(!room.path("two.cbh").exists());
}

#[test]
fn what_has_no_place_is_lost_all_the_same() {
    let room = room();
    room.write(
        "one.pgn",
        "[White \"Gormally,D\"]\n[WhiteTitle \"GM\"]\n\n1. e4 *\n",
    );
    let run = room.run(&["convert", "one.pgn", "-o", "one.cbh"]);
    assert_eq!(run.code, 1);
    assert!(
        run.err
            .contains("1 tags lost, the first in game 1: WhiteTitle"),
        "{}",
        run.err
    );
    assert!(run.err.contains("1 values respelled"), "{}", run.err);
}

#[test]
fn names_are_found_however_they_are_typed() {
    let room = room();
    for (name, found) in [
        ("Vladimir Kramnik", 2),
        ("Kramnik, Vladimir", 2),
        ("kramnik", 3),
        ("Boris Kramnik", 1),
        ("reti", 1),
        ("RÉTI richard", 1),
        ("Richard Topalov", 0),
    ] {
        let run = room.run(&["convert", "games.pgn", "--player", name]);
        assert_eq!(run.out.matches("[Event ").count(), found, "{name}");
    }
    let run = room.run(&["convert", "games.pgn", "--event", "steel tata"]);
    assert_eq!(run.out.matches("[Event ").count(), 1);
}

#[test]
fn formats_have_short_names_that_shells_complete() {
    let room = room();
    for name in ["cbh", "si5", "si4", "cbv", "josedb", "cdb"] {
        let output = format!("out.{name}");
        let run = room.run(&["convert", "games.pgn", "--to", name, "-o", &output]);
        assert!(run.code < 2, "{name}: {}", run.err);
        assert!(room.path(&output).exists(), "{name}");
    }
    let run = room.run("completions bash").ends(0);
    for name in ["cbh", "si5", "jsonl"] {
        assert!(run.out.contains(&format!(" {name}")), "{name}");
    }
    let run = room.run(&["convert", "games.pgn", "--to", "cbx"]);
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("cbh") && run.err.contains("si5"),
        "{}",
        run.err
    );
}

#[test]
fn a_folder_of_pgn_is_an_input() {
    let room = room();
    fs::create_dir_all(room.path("all/more")).expect("a folder");
    room.write("all/b.pgn", "[White \"B\"]\n\n1. d4 *\n");
    room.write("all/a.pgn", "[White \"A\"]\n\n1. e4 *\n");
    room.write("all/more/c.pgn", "[White \"C\"]\n\n1. c4 *\n");
    room.write("all/notes.txt", "no games");
    let run = room.run("convert all --dry-run").ends(0);
    assert!(run.err.starts_with("3 games read"), "{}", run.err);
    let run = room.run("list all --format csv").ends(0);
    let whites: Vec<_> = run
        .out
        .lines()
        .skip(1)
        .filter_map(|row| row.split(',').nth(2))
        .collect();
    assert_eq!(whites, ["A", "B", "C"]);
    let run = room.run(&["info", "all"]);
    assert!(run.out.contains("total of 3 files"), "{}", run.out);
    fs::create_dir(room.path("empty")).expect("a folder");
    let run = room.run(&["convert", "empty"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("folder without PGN files"), "{}", run.err);
}

#[test]
fn a_list_is_a_table_of_games() {
    let room = room();
    let run = room.run("list games.pgn").ends(0);
    let lines: Vec<_> = run.out.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(
        lines[0].trim_start().starts_with("no white"),
        "{}",
        lines[0]
    );
    let words: Vec<_> = lines[1].split_whitespace().collect();
    let expected =
        "1 Kramnik,V 2766 Réti, Richard 1-0 2007.01.13 E04 3 Tata Steel Indian Defence: 2. c4";
    assert_eq!(words.join(" "), expected);
    // Columns stand under each other.
    let place = lines[0].find("result").expect("a column");
    let result: String = lines[2].chars().skip(place).take(7).collect();
    assert_eq!(result, "1/2-1/2");
    assert!(run.out.lines().all(|line| line.chars().count() <= 160));
}

#[test]
fn a_list_is_sorted_cut_and_sampled() {
    let room = room();
    let numbers = |options: &str| -> Vec<String> {
        let run = room
            .run(&format!("list games.pgn --format csv {options}"))
            .ends(0);
        let rows = run.out.lines().skip(1);
        rows.map(|row| row.split(',').nth(1).expect("a number").to_string())
            .collect()
    };
    assert_eq!(numbers("--sort date"), ["2", "1", "3"]);
    assert_eq!(numbers("--sort date --reverse"), ["1", "2", "3"]);
    assert_eq!(numbers("--sort white"), ["3", "1", "2"]);
    assert_eq!(numbers("--sort elo --reverse --limit 1"), ["2"]);
    assert_eq!(numbers("--reverse"), ["3", "2", "1"]);
    assert_eq!(numbers("--limit 2"), ["1", "2"]);
    assert_eq!(numbers("--player kramnik --result 1/2-1/2"), ["2"]);
    assert_eq!(
        numbers("--sample 2 --seed 5"),
        numbers("--sample 2 --seed 5 --jobs 1")
    );
    assert_eq!(numbers("--sample 2").len(), 2);
    let run = room.run(&["list", "games.pgn", "--sort", "colour"]);
    assert_eq!(run.code, 2);
    let run = room.run(&["list", "missing.pgn"]);
    assert_eq!(run.code, 2);
}

#[test]
fn a_list_is_json_for_programs() {
    let room = room();
    let run = room.run("list games.pgn --format json").ends(0);
    let rows: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(rows[0]["white_elo"], 2766);
    assert_eq!(rows[1]["number"], 2);
    assert_eq!(rows[2]["black_elo"], serde_json::Value::Null);
    let run = room
        .run("list games.pgn --format json --player nobody")
        .ends(0);
    assert_eq!(run.out, "[]\n");
}

#[test]
fn headers_are_written_as_tables() {
    let room = room();
    let run = room.run("convert games.pgn -o games.csv").ends(0);
    let line = "csv holds no moves, variations, comments and NAGs: they are left out";
    assert_eq!(run.err.matches(line).count(), 1, "{}", run.err);
    assert!(!run.err.contains("lost"), "{}", run.err);
    let csv = room.read("games.csv");
    assert_eq!(csv.lines().count(), 4);
    assert!(csv.starts_with("Event,Site,Date,Round,White,Black,Result,WhiteElo,BlackElo,"));
    room.run("convert games.pgn --append -o games.csv").ends(0);
    assert_eq!(room.read("games.csv").matches("Event,Site").count(), 1);
    assert_eq!(room.read("games.csv").lines().count(), 7);
    let run = room.run("convert games.pgn --to jsonl").ends(0);
    let rows: Vec<serde_json::Value> = run
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(
        (rows.len(), &rows[1]["PlyCount"]),
        (3, &serde_json::Value::from(4))
    );
}

#[test]
fn json_takes_the_place_of_its_own_and_of_no_other() {
    let room = room();
    for _ in 0..2 {
        room.run("convert games.pgn -o games.jsonl --report report.json")
            .ends(0);
        room.run("convert games.pgn --to jsonl -o new.json.jsonl")
            .ends(0);
    }
    assert_eq!(room.read("games.jsonl").lines().count(), 3);
    room.run("convert games.pgn --to jsonl -o rows.json")
        .ends(0);
    let other = "{\"name\": \"x\"}\n";
    room.write("package.json", other);
    let run = room.run("convert games.pgn --to jsonl -o package.json");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("a JSON file"), "{}", run.err);
    assert_eq!(room.read("package.json"), other);
}

#[test]
fn a_quotation_in_the_first_comment_makes_no_json() {
    let room = room();
    let game = "{\"It is a draw,\" said Black.} 1. e4 e5 1/2-1/2\n";
    room.write("quoted.pgn", game);
    for _ in 0..2 {
        let run = room.run("convert quoted.pgn -o quoted.pgn").ends(0);
        assert!(run.err.contains("1 game"), "{}", run.err);
    }
    assert!(room.read("quoted.pgn").contains("said Black.} 1. e4 e5"));
    for json in ["[ {\n  \"a\\\"b\" : 1}]", "\n{\"White\":\"Tal\"}"] {
        room.write("games.pgn", json);
        let run = room.run("convert games.pgn").ends(2);
        assert!(run.err.contains("a JSON file"), "{}", run.err);
    }
}

#[test]
fn positions_are_games_without_moves() {
    let room = room();
    let epd = "4k3/8/8/8/8/8/8/4K2R w K - hmvc 0; fmvn 1; bm O-O; id \"one\";\n\
               4k3/8/8/8/8/8/8/4K2R b K - hmvc 3; fmvn 9; acd 12;\n";
    room.write("suite.epd", epd);
    let run = room.run("convert suite.epd").ends(0);
    assert!(
        run.out.contains("[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 9\"]"),
        "{}",
        run.out
    );
    assert!(run.out.contains("[EPD_bm \"O-O\"]"), "{}", run.out);
    room.run("convert suite.epd -o suite.pgn").ends(0);
    let run = room.run("convert suite.epd --to epd").ends(0);
    assert!(
        run.out.starts_with(epd.lines().next().expect("a line")),
        "{}",
        run.out
    );
    room.write("one.fen", "4k3/8/8/8/8/8/8/4K2R b K - 3 9\n");
    let run = room.run("show one.fen").ends(0);
    assert!(
        run.out.contains("4k3/8/8/8/8/8/8/4K2R b K - 3 9"),
        "{}",
        run.out
    );
    room.write("bad.fen", "4k3/8/8/8/8/8/8/4K2R b K - 3 9\nnonsense\n");
    let run = room.run(&["check", "bad.fen"]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("bad.fen:2:1: error"), "{}", run.out);
}

#[test]
fn a_game_is_json_for_programs() {
    let room = room();
    let run = room.run("show games.pgn --json").ends(0);
    let game: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(game["tags"][0], serde_json::json!(["Event", "Tata Steel"]));
    assert_eq!(game["result"], "1-0");
    let moves = &game["moves"];
    assert_eq!(
        (&moves[0]["san"], &moves[0]["uci"]),
        (&"d4".into(), &"d2d4".into())
    );
    assert_eq!(moves[1]["variations"][0]["moves"][0]["san"], "d5");
    assert_eq!(moves[1]["variations"][0]["moves"][0]["ply"], 2);
    assert_eq!(moves[1]["variations"][0]["moves"][0]["notes"][0]["nag"], 1);
    assert_eq!(moves[2]["notes"][0]["comment"]["text"], "good");
    assert_eq!(moves.as_array().map(Vec::len), Some(3));
}

#[test]
fn arrows_and_circles_are_drawn() {
    let room = room();
    let run = room.run("show games.pgn --svg - --ply 1").ends(0);
    assert_eq!(run.out.matches("rotate(").count(), 2, "{}", run.out);
    assert_eq!(
        run.out.matches("stroke=\"#15781b\"").count(),
        1,
        "{}",
        run.out
    );
    let run = room.run("show games.pgn --svg - --ply 2").ends(0);
    assert!(!run.out.contains("rotate("));
}

#[test]
fn deleted_games_are_named() {
    let room = room();
    for base in ["base.si5", "base.cbh"] {
        room.run(&["convert", "games.pgn", "-o", base]);
        room.run(&format!("delete {base} 2")).ends(0);
        let run = room.run(&format!("info {base}")).ends(0);
        let line = "1 marked as deleted and not counted";
        assert!(run.out.contains(line), "{base}: {}", run.out);
        let run = room.run(&format!("info {base} --json")).ends(0);
        assert!(run.out.contains("\"deleted\": 1"), "{base}: {}", run.out);
        let run = room.run(&format!("show {base} --game 2")).ends(0);
        assert!(
            run.out.contains("This game is marked as deleted."),
            "{base}: {}",
            run.out
        );
        let run = room.run(&format!("show {base} --game 1")).ends(0);
        assert!(!run.out.contains("deleted"), "{base}: {}", run.out);
    }
}

#[test]
fn the_size_is_that_of_the_whole_database() {
    let room = room();
    for (base, parts) in [
        ("base.si5", &["si5", "sn5", "sg5"][..]),
        ("other.cbh", &["cbh", "cbg"]),
    ] {
        room.run(&["convert", "games.pgn", "-o", base]);
        let run = room.run(&format!("info {base} --json")).ends(0);
        let info: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        let stem = base.split('.').next().expect("a stem");
        let length = |part: &&str| {
            let metadata = fs::metadata(room.path(&format!("{stem}.{part}")));
            metadata.expect("a file").len()
        };
        let least: u64 = parts.iter().map(length).sum();
        let bytes = info["files"][0]["bytes"].as_u64().expect("a number");
        assert!(bytes >= least, "{base}: {bytes} of {least}");
    }
}

#[test]
fn a_text_is_not_counted_as_a_game() {
    let room = room();
    let run = room.run(&["convert", "games.pgn", "-o", "base.si4"]);
    assert!(run.err.contains("3 games read = 3 written"), "{}", run.err);
    // The description of a Scid base stands in its index, from byte 20 on.
    let mut index = fs::read(room.path("base.si4")).expect("an index");
    index[20..28].copy_from_slice(b"My games");
    room.write("base.si4", index);
    let run = room.run(&["convert", "base.si4", "-o", "again.pgn"]);
    assert!(run.err.contains("3 games read = 3 written"), "{}", run.err);
    assert!(
        run.err
            .contains("1 texts and other entries read = 0 written + 1 refused"),
        "{}",
        run.err
    );
}

#[test]
fn what_is_left_of_a_cut_archive_can_be_salvaged() {
    let room = room();
    room.run("generate --games 300 -o many.pgn").ends(0);
    room.run(&["convert", "many.pgn", "-o", "many.cbv"]);
    let bytes = fs::read(room.path("many.cbv")).expect("an archive");
    // Headers come first, moves behind them.
    room.write("cut.cbv", &bytes[..bytes.len() / 2]);
    let run = room.run(&["convert", "cut.cbv", "-o", "out.pgn"]);
    assert_eq!(run.code, 2, "{}", run.err);
    let run = room.run(&["convert", "cut.cbv", "--salvage", "-o", "out.pgn"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(
        run.err.contains("is not all there: the archive is cut off"),
        "{}",
        run.err
    );
    let said = "damaged, games may be missing: cut.cbv";
    assert!(run.err.contains(said), "{}", run.err);
    let rescued = room.read("out.pgn");
    assert_eq!(rescued.matches("[Event ").count(), 300, "{}", run.err);
}

#[test]
fn what_is_left_of_a_cut_file_can_be_salvaged() {
    let room = room();
    // Enough for several blocks of every kind.
    room.run("generate --games 3000 -o many.pgn").ends(0);
    for packing in ["gz", "zst", "xz", "bz2"] {
        let packed = format!("many.pgn.{packing}");
        room.run(&format!("convert many.pgn -o {packed}")).ends(0);
        let bytes = fs::read(room.path(&packed)).expect("a file");
        room.write("cut.pgn", &bytes[..bytes.len() * 4 / 5]);
        let run = room.run(&["convert", "cut.pgn", "-o", "out.pgn"]);
        assert_eq!(run.code, 2, "{packing}: {}", run.err);
        assert!(!room.path("out.pgn").exists());
        let run = room.run(&["convert", "cut.pgn", "--salvage", "-o", "out.pgn"]);
        assert_eq!(run.code, 1, "{packing}: {}", run.err);
        let said = "damaged, games may be missing: cut.pgn";
        assert!(run.err.contains(said), "{packing}: {}", run.err);
        let why = "warning: cut.pgn: ";
        assert!(run.err.contains(why), "{packing}: {}", run.err);
        let games = room.read("out.pgn").matches("[White ").count();
        assert!((500..3_000).contains(&games), "{packing}: {games}");
        fs::remove_file(room.path("out.pgn")).expect("a file");
    }
}

#[test]
fn a_report_is_written_of_a_conversion_that_failed_too() {
    let room = room();
    room.run("generate --games 3000 -o many.pgn").ends(0);
    room.run("convert many.pgn -o many.pgn.gz").ends(0);
    let bytes = fs::read(room.path("many.pgn.gz")).expect("a file");
    room.write("cut.pgn", &bytes[..bytes.len() * 4 / 5]);
    let args = [
        "convert", "cut.pgn", "-o", "out.pgn", "--report", "why.json",
    ];
    let run = room.run(&args);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(!room.path("out.pgn").exists());
    let report = room.read("why.json");
    assert!(report.contains("\"name\": \"cut.pgn\""), "{report}");
    assert!(
        report.contains("\"stopped\": \"cut.pgn: the gzip data is cut off"),
        "{report}"
    );
}
