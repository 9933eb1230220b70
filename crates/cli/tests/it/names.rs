//! `tabiya names`, run as a process.

use crate::room::Room;

const GAMES: &str = r#"[Event "Moscow"]
[White "Kasparov, Garry"]
[Black "Karpov, Anatoly"]
[Date "1985.11.09"]

1. e4 c5 1-0

[Event "London"]
[White "Short, Nigel"]
[Black "Garry Kasparov"]
[Date "1993.09.07"]

1. e4 c5 0-1
"#;

fn room() -> Room {
    Room::with("games.pgn", GAMES)
}

#[test]
fn a_plan_is_written_applied_and_undone() {
    let room = room();
    room.run(&["import", "games.tabiya", "games.pgn"]).ends(0);
    let summary = room
        .run(&["names", "games.tabiya", "-o", "plan.tsv"])
        .ends(1)
        .out;
    assert!(
        summary.contains("players  4 names, 1 to replace by 1 other"),
        "{summary}"
    );
    let plan = room.read("plan.tsv");
    let line = "1\tgames.tabiya\t2\tset\tBlack\tGarry Kasparov\tKasparov, Garry\tsure: ";
    assert!(plan.lines().any(|it| it.starts_with(line)), "{plan}");
    let applied = room.run(&["names", "--apply", "plan.tsv"]).ends(0).said();
    assert!(applied.contains("1 game with other tags"), "{applied}");
    assert!(
        applied.contains("`tabiya names --undo plan.tsv`"),
        "{applied}"
    );
    let list = room
        .run(&["list", "games.tabiya", "--format", "csv"])
        .ends(0)
        .out;
    assert!(!list.contains("Garry Kasparov"), "{list}");
    // Nothing is left to do, and a second time is an error.
    room.run(&["names", "games.tabiya"]).ends(0);
    room.run(&["names", "--apply", "plan.tsv"]).ends(2);
    room.run(&["names", "--undo", "plan.tsv"]).ends(0);
    let list = room
        .run(&["list", "games.tabiya", "--format", "csv"])
        .ends(0)
        .out;
    assert!(list.contains("Garry Kasparov"), "{list}");
}

#[test]
fn a_plan_can_be_json_or_go_to_standard_output() {
    let room = room();
    room.run(&["names", "games.pgn", "-o", "plan.json"]).ends(1);
    let json = room.read("plan.json");
    let plan: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(plan["steps"][0]["to"], "Kasparov, Garry");
    let table = room.run(&["names", "games.pgn", "-o", "-"]).ends(1).out;
    assert!(
        table.starts_with("group\tdatabase\tgames\taction"),
        "{table}"
    );
}

#[test]
fn filters_choose_the_games() {
    let room = room();
    let all = room.run(&["names", "games.pgn", "--players"]).ends(1).out;
    assert!(
        all.starts_with("player Kasparov, Garry, 1 game of 1985\n"),
        "{all}"
    );
    let some = room
        .run(&["names", "games.pgn", "--until", "1990"])
        .ends(0)
        .out;
    assert!(some.starts_with("1 game\n"), "{some}");
}

#[test]
fn wrong_use_is_refused() {
    let room = room();
    room.run(&["names"]).ends(2);
    room.run(&["names", "missing.pgn"]).ends(2);
    room.run(&["names", "games.pgn", "--apply", "plan.tsv"])
        .ends(2);
    room.run(&["names", "--apply", "missing.tsv"]).ends(2);
    // What chooses games has no say in a plan that is there.
    for option in [&["--since", "2000"][..], &["--players"], &["--deleted"]] {
        for action in ["--apply", "--undo"] {
            let said = room.error(&[&["names", action, "plan.tsv"][..], option].concat());
            assert!(said.contains("cannot be used with"), "{said}");
        }
    }
    let said = room.error(&["names", "games.pgn", "--deleted", "-o", "plan.tsv"]);
    assert!(said.contains("cannot be used with"), "{said}");
    room.run(&["names", "games.pgn", "--fide", "games.pgn"])
        .ends(2);
    room.run(&["names", "games.pgn", "--spelling", "games.pgn"])
        .ends(2);
    // Only a database of tabiya's own is changed.
    room.run(&["names", "games.pgn", "-o", "plan.tsv"]).ends(1);
    let said = room.error(&["names", "--apply", "plan.tsv"]);
    assert!(said.contains("import"), "{said}");
}
