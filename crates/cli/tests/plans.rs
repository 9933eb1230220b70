//! Copies of games and headers that are mended: `duplicates` and `edit`.

use std::{
    fs,
    process::{Command, Output},
};

use tempfile::TempDir;

const GAME: &str = "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 \
    8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 1-0";

struct Room(TempDir);

impl Room {
    /// A folder with three games in it, two of which are the same.
    fn new() -> Room {
        let room = Room(tempfile::tempdir().expect("a folder"));
        let game = |white: &str, date: &str, moves: &str| {
            format!(
                "[White \"{white}\"]\n[Black \"Isouard\"]\n[Date \"{date}\"]\n[Result \"1-0\"]\n\n{moves}\n\n"
            )
        };
        let games = game("Morphy, Paul", "1858.??.??", GAME)
            + &game("Morphy,P", "1858.10.21", GAME)
            + &game("Staunton", "1850.??.??", "1. c4 e5 1-0");
        fs::write(room.0.path().join("games.pgn"), games).expect("a file");
        room.run(0, &["import", "a.tabiya", "games.pgn"]);
        room
    }

    fn run(&self, code: i32, args: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
        let output = command.args(args).current_dir(self.0.path()).output();
        let Output {
            status,
            stdout,
            stderr,
        } = output.expect("it runs");
        let said =
            String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
        assert_eq!(status.code(), Some(code), "{args:?}: {said}");
        said
    }

    /// All that is in the database, deleted games too.
    fn all(&self) -> String {
        self.run(0, &["convert", "a.tabiya", "--deleted", "--to", "pgn"])
    }
}

#[test]
fn a_plan_is_made_applied_and_undone() {
    let room = Room::new();
    let before = room.all();
    let said = room.run(1, &["duplicates", "a.tabiya"]);
    assert!(
        said.contains("3 games: 1 are there more than once, 1 copies could go"),
        "{said}"
    );
    assert!(said.contains("the same 24 plies"), "{said}");
    for plan in ["plan.tsv", "plan.json"] {
        room.run(
            1,
            &[
                "duplicates",
                "a.tabiya",
                "--prefer",
                "longest,header",
                "-o",
                plan,
            ],
        );
        assert_eq!(room.all(), before);
        let said = room.run(0, &["duplicates", "--apply", plan]);
        assert!(said.contains(&format!("--undo {plan}")), "{said}");
        room.run(0, &["duplicates", "a.tabiya"]);
        let said = room.run(2, &["duplicates", "--apply", plan]);
        assert!(said.contains("nothing was changed"), "{said}");
        room.run(0, &["duplicates", "--undo", plan]);
        assert_eq!(room.all(), before);
    }
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let room = Room::new();
    for args in [
        &["duplicates"][..],
        &["duplicates", "a.tabiya", "./a.tabiya"],
        &["duplicates", "games.pgn", "--prefer", "other.pgn"],
        &["duplicates", "--apply", "games.pgn"],
        &["duplicates", "-"],
        &["edit", "a.tabiya"],
        &["edit", "a.tabiya", "--set", "Event=x"],
        &["edit", "a.tabiya", "--game", "9", "--set", "Event=x"],
        &["edit", "a.tabiya", "--all", "--set", "FEN=x"],
        &["edit", "a.tabiya", "--all", "--set", "Event"],
        &["edit", "a.tabiya", "--undo"],
        &["edit", "games.pgn", "--all", "--set", "Event=x"],
    ] {
        room.run(2, args);
    }
    let said = room.run(2, &["edit", "games.pgn", "--all", "--set", "Event=x"]);
    assert!(said.contains("import it into a .tabiya first"), "{said}");
    room.run(1, &["duplicates", "games.pgn", "-o", "plan.tsv"]);
    let said = room.run(2, &["duplicates", "--apply", "plan.tsv"]);
    assert!(said.contains("cannot change where it is"), "{said}");
}

#[test]
fn tags_are_set_and_removed_and_come_back() {
    let room = Room::new();
    let before = room.all();
    let set = [
        "edit",
        "a.tabiya",
        "--white",
        "morphy",
        "--set",
        "White=Morphy, Paul Charles",
        "--remove",
        "Date",
    ];
    let dry = room.run(0, &[&set[..], &["--dry-run"]].concat());
    assert_eq!(dry.lines().count(), 5, "{dry}");
    assert!(
        dry.contains("\tset\tWhite\tMorphy,P\tMorphy, Paul Charles\t"),
        "{dry}"
    );
    assert_eq!(room.all(), before);
    let said = room.run(0, &[&set[..], &["--plan", "done.tsv"]].concat());
    assert!(said.contains("2 games have other tags"), "{said}");
    let after = room.all();
    assert_eq!(after.matches("Morphy, Paul Charles").count(), 2);
    assert!(room.run(0, &set).contains("nothing to change"));
    room.run(0, &["check", "a.tabiya"]);
    room.run(0, &["edit", "a.tabiya", "--undo"]);
    assert_eq!(room.all(), before);
    room.run(2, &["edit", "a.tabiya", "--undo"]);
    room.run(0, &set);
    room.run(0, &["edit", "a.tabiya", "--undo", "done.tsv"]);
    assert_eq!(room.all(), before);
    // The last change is known whatever its plan is called, until numbers begin anew.
    room.run(1, &["duplicates", "a.tabiya", "-o", "plan.tsv"]);
    room.run(0, &["duplicates", "--apply", "plan.tsv"]);
    room.run(0, &["edit", "a.tabiya", "--undo"]);
    assert_eq!(room.all(), before);
    room.run(
        0,
        &["edit", "a.tabiya", "--game", "1,3", "--set", "Event=Club"],
    );
    room.run(0, &["compact", "a.tabiya"]);
    room.run(2, &["edit", "a.tabiya", "--undo"]);
}
