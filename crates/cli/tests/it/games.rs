//! The commands that read games: `check`, `info` and `show`, run as processes.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{data, room::Room};

/// A sound game, one with an illegal move and a result at odds with its tag, one with a mate that
/// nobody has noticed and a comment without an end.
const GAMES: &str = r#"[Event "Friendly"]
[Site "Paris"]
[Date "1858.11.02"]
[Round "1"]
[White "Morphy"]
[Black "Allies"]
[Result "1-0"]
[ECO "C41"]

1. e4 e5 2. Nf3 d6 (2... Nc6 3. Bb5 {Ruy Lopez}) 3. d4! Bg4 $2 1-0

[Event "Friendly"]
[Site "?"]
[Date "2023.02.30"]
[Round "?"]
[White "Réti"]
[Black "Morphy"]
[WhiteElo "abc"]
[Result "0-1"]

1. Nf3 d5 2. Ke3 d4 1/2-1/2

[White "A"]
[Black "B"]

1. f3 e5 2. g4 Qh4# {mate
"#;

fn room() -> Room {
    Room::with("games.pgn", GAMES)
}

#[test]
fn check_names_the_place_the_game_and_the_kind() {
    let output = room().run("check games.pgn");
    assert_eq!(
        output.ends(1).out,
        "\
games.pgn:12:1: warning: bad date in game 2: Date \"2023.02.30\": there is no such day
games.pgn:12:1: warning: bad rating in game 2: WhiteElo \"abc\": not a rating
games.pgn:21:14: error: illegal move in game 2: no king can go to e3: Ke3 d4
games.pgn:12:1: error: results differ in game 2: the tag Result says 0-1, the moves end with 1/2-1/2
games.pgn:23:1: warning: missing tags in game 3: no tag Result
games.pgn:26:21: error: unbalanced brackets in game 3: a comment without an end: {mate

error    illegal move                  1
error    unbalanced brackets           1
error    results differ                1
warning  missing tags                  1
warning  bad date                      1
warning  bad rating                    1
note     incomplete roster             1

3 games: 2 with errors or warnings, 2 broken
"
    );
}

#[test]
fn check_shows_as_much_as_it_is_asked_for() {
    let room = room();
    let errors = room.run("check games.pgn --level error").ends(1).out;
    assert_eq!(errors.matches("error: ").count(), 3);
    assert!(!errors.contains("warning: "));
    let notes = room.run("check games.pgn --level note").ends(1).out;
    assert!(
        notes.contains("games.pgn:23:1: note: incomplete roster in game 3: no tag Event, Site,")
    );
}

#[test]
fn check_is_content_with_sound_games() {
    let room = room();
    let output = room.run("check games.pgn --event friendly --result 1-0");
    assert_eq!(
        output.ends(0).out,
        "1 game: nothing wrong; 2 not asked for\n"
    );
    // The number is the one in the file, whatever was left out.
    let output = room.run("check games.pgn --white réti").ends(1).out;
    assert!(output.contains("illegal move in game 2"), "{output}");
}

#[test]
fn check_prints_json() {
    let output = room().run("check games.pgn --json").ends(1).out;
    let json: serde_json::Value = serde_json::from_str(&output).expect("JSON");
    let problems = json["problems"].as_array().expect("an array");
    assert_eq!(problems.len(), 6);
    assert_eq!(problems[2]["kind"], "illegal move");
    assert_eq!(
        (&problems[2]["line"], &problems[2]["game"]),
        (&21.into(), &2.into())
    );
    assert_eq!(json["counts"]["games"], 3);
    assert_eq!(json["counts"]["broken"], 2);
    assert_eq!(json["counts"]["kinds"][0]["findings"], 1);
}

#[test]
fn check_mends_what_needs_no_guessing() {
    let room = room();
    let output = room.run("check games.pgn --repair mended.pgn").ends(1).out;
    assert!(output.contains("games.pgn:23:1: mended: comment closed in game 3\n"));
    assert!(output.contains("\nmended   roster completed              1\n"));
    assert!(output.ends_with("3 written, 1 still broken\n"), "{output}");
    let mended = room.read("mended.pgn");
    // The comment is closed, and then the mate decides.
    let moves = "1. f3 e5 2. g4 Qh4# {mate} 0-1\n";
    assert!(mended.contains(moves), "{mended}");
    assert!(mended.contains("[%tabiya error illegal-move 21:14"));

    // What is left is what could not be mended.
    let again = room.run("check mended.pgn --level error").ends(1).out;
    assert!(again.contains("illegal move in game 2"));
    assert!(!again.contains("unbalanced"));

    // Mended again, it is the same.
    room.run("check mended.pgn --repair again.pgn").ends(1);
    assert_eq!(room.read("again.pgn"), mended);
}

#[test]
fn a_repair_that_misses_games_replaces_nothing() {
    let room = room();
    room.run("check games.pgn --repair mended.pgn").ends(1);
    let before = fs::read(room.path("mended.pgn")).expect("a file");
    let said = room.error("check games.pgn missing.pgn --repair mended.pgn");
    assert!(said.contains("mended.pgn was not written"), "{said}");
    assert_eq!(fs::read(room.path("mended.pgn")).expect("a file"), before);
}

#[test]
fn check_writes_mended_games_to_standard_output() {
    let ran = room().run("check games.pgn --repair -").ends(1);
    assert!(ran.out.starts_with("[Event \"Friendly\"]\n"));
    assert!(ran.err.contains("illegal move in game 2"));
}

#[test]
fn an_input_that_cannot_be_read_does_not_stop_the_others() {
    let room = room();
    let ran = room.run("check missing.pgn games.pgn").ends(2);
    assert!(ran.out.contains("3 games: 2 with errors"));
    assert!(ran.err.contains("missing.pgn"));
    let report = room.run("check missing.pgn").out;
    assert_eq!(report, "0 games: no errors in what could be read\n");
    let info = room.run("info missing.pgn games.pgn").ends(2).out;
    let total = "total of 1 files\ngames       3, 2 broken";
    assert!(info.contains(total), "{info}");
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let room = room();
    room.write("many.pgn", GAMES.repeat(8_000));
    for line in [
        "check many.pgn --repair -",
        "check many.pgn --json",
        "info many.pgn",
        "show many.pgn --game 23999",
    ] {
        let one = room.run(&format!("{line} --jobs 1"));
        let three = room.run(&format!("{line} --jobs 3"));
        assert_eq!(one.code, three.code, "{line}");
        assert!(one.out == three.out, "{line}");
        assert!(one.err == three.err, "{line}");
        assert!(!one.out.is_empty(), "{line}");
    }
}

#[test]
fn info_tells_what_is_there() {
    let output = room().run("info games.pgn --top 1");
    assert_eq!(
        output.ends(0).out,
        format!(
            "\
games.pgn
format      Portable Game Notation, {} bytes
games       3, 2 broken
plies       12, 4.0 a game, 6 at most
annotated   1 game, 1 variations, 2 plies in variations, 1 comments, 2 NAGs
results
  1-0                 1  ████████████████████████████████
  1/2-1/2             1  ████████████████████████████████
  *                   1  ████████████████████████████████
years
  1850s               1  ████████████████████████████████
  2020s               1  ████████████████████████████████
ECO
  C                   1  ████████████████████████████████
2 openings
  A06 Réti Opening: 1... d5          1  ████████████████████████████████
5 players
  Morphy              2  ████████████████████████████████
1 events
  Friendly            2  ████████████████████████████████
",
            GAMES.len()
        )
    );
}

#[test]
fn info_prints_json_and_a_total() {
    let output = room().run("info --json games.pgn games.pgn --player morphy");
    let json: serde_json::Value = serde_json::from_str(&output.ends(0).out).expect("JSON");
    assert_eq!(json["files"][0]["games"], 2);
    assert_eq!(json["files"][0]["filtered"], 1);
    assert_eq!(json["files"][1]["years"]["1858"], 1);
    assert_eq!(json["total"]["games"], 4);
    assert_eq!(json["total"]["players"]["top"][0]["name"], "Morphy");
    assert_eq!(json["total"]["players"]["top"][0]["games"], 4);
}

#[test]
fn show_tells_a_game() {
    let output = room().run("show games.pgn");
    assert_eq!(
        output.ends(0).out,
        "\
Morphy – Allies  1-0
Friendly, Paris, 1858.11.02, round 1
ECO              C41
opening          C41 Philidor Defence: 2... d6 (ply 4)

8 ♜ ♞ · ♛ ♚ ♝ ♞ ♜
7 ♟ ♟ ♟ · · ♟ ♟ ♟
6 · · · ♟ · · · ·
5 · · · · ♟ · · ·
4 · · · ♙ ♙ · ♝ ·
3 · · · · · ♘ · ·
2 ♙ ♙ ♙ · · ♙ ♙ ♙
1 ♖ ♘ ♗ ♕ ♔ ♗ · ♖
  a b c d e f g h

after 3... Bg4 (ply 6)
rn1qkbnr/ppp2ppp/3p4/4p3/3PP1b1/5N2/PPP2PPP/RNBQKB1R w KQkq - 1 4

1.e4 e5 2.Nf3 d6
   (2...Nc6 3.Bb5 {Ruy Lopez})
3.d4! Bg4? 1-0
"
    );
}

#[test]
fn show_tells_what_could_not_be_read() {
    let output = room()
        .run("show games.pgn --game 2 --ply 0 --flip")
        .ends(0)
        .out;
    assert!(output.contains("\n1 ♖ ♘ ♗ ♔ ♕ ♗ ♘ ♖\n"), "{output}");
    assert!(output.contains("\nat the start\n"));
    assert!(output.contains("1.Nf3 d5 [illegal move: no king can go to e3] Ke3 d4 1/2-1/2\n"));
    assert!(output.ends_with("\nNot all of this game could be read.\n"));
}

#[test]
fn show_draws_the_position() {
    let room = room();
    let output = room.run("show games.pgn --game 3 --svg mate.svg");
    assert_eq!(output.ends(0).out, "");
    let image = room.read("mate.svg");
    assert!(image.ends_with("</svg>\n"));
    // Two squares of the last move, and the king in check.
    assert_eq!(image.matches("#d8c22e").count(), 2);
    assert_eq!(image.matches("#d3402f").count(), 1);
}

#[test]
fn show_says_how_many_games_and_plies_there_are() {
    let room = room();
    for (line, message) in [
        (
            "--game 4",
            "error: no game 4: the last one of games.pgn is 3\n",
        ),
        (
            "--game 3 --player morphy",
            "error: game 3 of games.pgn does not pass the filters\n",
        ),
        ("--ply 7", "error: no ply 7: the game has 6 plies\n"),
    ] {
        let ran = room.run(&format!("show games.pgn {line}")).ends(2);
        assert_eq!(ran.err, message);
        assert!(ran.out.is_empty());
    }
    let error = room.error("show games.pgn --game 0");
    assert!(error.contains("numbers begin at 1"), "{error}");
}

#[test]
fn packed_games_encodings_and_standard_input_are_read() {
    let room = room();
    room.write(
        "koi8.pgn",
        b"[White \"\xeb\xc1\xd2\xd0\xcf\xd7\"]\n\n1. e4 *\n",
    );
    let output = room.run("show koi8.pgn --encoding koi8-r").ends(0).out;
    assert!(output.starts_with("Карпов – ?  *\n"), "{output}");
    let error = room.error("show koi8.pgn --encoding x");
    assert!(error.contains("expected a name"), "{error}");

    room.run("check games.pgn --repair packed.pgn.zst");
    let info = room.fine("info packed.pgn.zst");
    let packed = "format      Portable Game Notation, zstd, ";
    assert!(info.contains(packed), "{info}");

    let shown = room.fed("show - --game 2", GAMES).ends(0).out;
    assert!(shown.starts_with("Réti – Morphy"), "{shown}");
}

#[test]
fn escape_sequences_do_not_reach_the_terminal() {
    let room = room();
    let hostile =
        "[White \"\u{1b}[31mred\"]\n[Date \"\u{1b}]0;x\u{7}\"]\n\n1. e4 {\u{1b}[2J} \u{1b}[2Jx *\n";
    room.write("hostile.pgn", hostile);
    for command in ["check --level note", "info", "show"] {
        room.run(&format!("{command} hostile.pgn"))
            .does_not_say("\u{1b}");
    }
}

/// Every file of the torture collections and the annotated games goes through all three commands.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn hostile_files_are_survived() {
    let mut inputs = Vec::new();
    for folder in ["torture", "pgn/annotated"] {
        if let Some(folder) = data::find(folder) {
            collect(&folder, &mut inputs);
        }
    }
    if inputs.is_empty() {
        return;
    }
    let room = room();
    let run = |args: &[&str], inputs: &[PathBuf]| {
        let mut command = room.command(args);
        let output = command.args(inputs).output();
        let output = output.expect("the command starts");
        let code = output.status.code();
        assert!(matches!(code, Some(0..=2)), "{args:?} {inputs:?}");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!stderr.contains("panicked"), "{args:?} {stderr}");
    };
    run(
        &["check", "--level", "note", "--repair", "all.pgn"],
        &inputs,
    );
    run(&["info"], &inputs);
    for input in &inputs {
        run(&["show"], std::slice::from_ref(input));
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        match entry.path() {
            folder if folder.is_dir() => collect(&folder, files),
            file => files.push(file),
        }
    }
    files.sort();
}
