//! `tabiya names`, run as a process.

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output},
};

use tempfile::TempDir;

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

struct Room(TempDir);

impl Room {
    fn new() -> Room {
        let room = Room(tempfile::tempdir().expect("a folder"));
        fs::write(room.path("games.pgn"), GAMES).expect("written");
        room
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
        command.args(args).current_dir(self.0.path());
        command.output().expect("the command runs")
    }

    /// What it prints, if it ends with this code.
    fn out(&self, code: i32, args: &[&str]) -> String {
        let output = self.run(args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
        String::from_utf8(output.stdout).expect("text")
    }
}

#[test]
fn a_plan_is_written_applied_and_undone() {
    let room = Room::new();
    room.out(0, &["import", "games.tabiya", "games.pgn"]);
    let summary = room.out(1, &["names", "games.tabiya", "-o", "plan.tsv"]);
    assert!(
        summary.contains("players  4 names, 1 to replace by 1 others"),
        "{summary}"
    );
    let plan = fs::read_to_string(room.path("plan.tsv")).expect("a plan");
    let line = "1\tgames.tabiya\t2\tset\tBlack\tGarry Kasparov\tKasparov, Garry\tsure: ";
    assert!(plan.lines().any(|it| it.starts_with(line)), "{plan}");
    let applied = room.out(0, &["names", "--apply", "plan.tsv"]);
    assert_eq!(applied, "1 database: 1 games changed\n");
    let list = room.out(0, &["list", "games.tabiya", "--format", "csv"]);
    assert!(!list.contains("Garry Kasparov"), "{list}");
    // Nothing is left to do, and a second time is an error.
    room.out(0, &["names", "games.tabiya"]);
    room.out(2, &["names", "--apply", "plan.tsv"]);
    room.out(0, &["names", "--undo", "plan.tsv"]);
    let list = room.out(0, &["list", "games.tabiya", "--format", "csv"]);
    assert!(list.contains("Garry Kasparov"), "{list}");
}

#[test]
fn a_plan_can_be_json_or_go_to_standard_output() {
    let room = Room::new();
    room.out(1, &["names", "games.pgn", "-o", "plan.json"]);
    let json = fs::read_to_string(room.path("plan.json")).expect("a plan");
    let plan: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(plan["steps"][0]["to"], "Kasparov, Garry");
    let table = room.out(1, &["names", "games.pgn", "-o", "-"]);
    assert!(
        table.starts_with("group\tdatabase\tgames\taction"),
        "{table}"
    );
}

#[test]
fn filters_choose_the_games() {
    let room = Room::new();
    let all = room.out(1, &["names", "games.pgn", "--players"]);
    assert!(
        all.starts_with("player Kasparov, Garry, 1 game of 1985\n"),
        "{all}"
    );
    let some = room.out(0, &["names", "games.pgn", "--until", "1990"]);
    assert!(some.starts_with("1 games\n"), "{some}");
}

#[test]
fn wrong_use_is_refused() {
    let room = Room::new();
    room.out(2, &["names"]);
    room.out(2, &["names", "missing.pgn"]);
    room.out(2, &["names", "games.pgn", "--apply", "plan.tsv"]);
    room.out(2, &["names", "--apply", "missing.tsv"]);
    room.out(2, &["names", "games.pgn", "--fide", "games.pgn"]);
    room.out(2, &["names", "games.pgn", "--spelling", "games.pgn"]);
    // Only a database of tabiya's own is changed.
    room.out(1, &["names", "games.pgn", "-o", "plan.tsv"]);
    let output = room.run(&["names", "--apply", "plan.tsv"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("import"), "{said}");
}
