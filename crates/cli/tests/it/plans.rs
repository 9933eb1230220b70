//! Copies of games and headers that are mended: `duplicates` and `edit`.

use crate::room::Room;

const GAME: &str = "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 \
    8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 1-0";

/// A folder with three games in it, two of which are the same.
fn room() -> Room {
    let game = |white: &str, date: &str, moves: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"Isouard\"]\n[Date \"{date}\"]\n[Result \"1-0\"]\n\n{moves}\n\n"
        )
    };
    let games = game("Morphy, Paul", "1858.??.??", GAME)
        + &game("Morphy,P", "1858.10.21", GAME)
        + &game("Staunton", "1850.??.??", "1. c4 e5 1-0");
    let room = Room::with("games.pgn", games);
    room.fine(&["import", "a.tabiya", "games.pgn"]);
    room
}

impl Room {
    /// All that is in the database, deleted games too.
    fn all(&self) -> String {
        self.fine(&["convert", "a.tabiya", "--deleted", "--to", "pgn"])
    }
}

#[test]
fn a_plan_is_made_applied_and_undone() {
    let room = room();
    let before = room.all();
    let said = room.run(&["duplicates", "a.tabiya"]).ends(1).said();
    assert!(
        said.contains("3 games: 1 is there more than once, 1 copy could go"),
        "{said}"
    );
    assert!(said.contains("the same 24 plies"), "{said}");
    for plan in ["plan.tsv", "plan.json"] {
        room.run(&[
            "duplicates",
            "a.tabiya",
            "--prefer",
            "longest,header",
            "-o",
            plan,
        ])
        .ends(1);
        assert_eq!(room.all(), before);
        let said = room.run(&["duplicates", "--apply", plan]).ends(0).said();
        assert!(said.contains(&format!("--undo {plan}")), "{said}");
        room.run(&["duplicates", "a.tabiya"]).ends(0);
        let said = room.run(&["duplicates", "--apply", plan]).ends(2).said();
        assert!(said.contains("nothing was changed"), "{said}");
        room.run(&["duplicates", "--undo", plan]).ends(0);
        assert_eq!(room.all(), before);
    }
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let room = room();
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
        &["edit", "a.tabiya", "--undo", "--white", "morphy"],
        &[
            "edit", "a.tabiya", "--all", "--set", "White=A", "--set", "White=B",
        ],
        &[
            "edit", "a.tabiya", "--all", "--set", "White=A", "--remove", "White",
        ],
        &["report", "a.tabiya", "./a.tabiya", "--player", "morphy"],
        &["names", "games.pgn", "./games.pgn"],
        &["merge", "games.pgn", "./games.pgn", "-o", "tree.pgn"],
        &["duplicates", "--apply", "plan.tsv", "--since", "1900"],
        &["duplicates", "--undo", "plan.tsv", "--jobs", "1"],
    ] {
        room.run(args).ends(2);
    }
    let said = room
        .run(&["edit", "games.pgn", "--all", "--set", "Event=x"])
        .ends(2)
        .said();
    assert!(said.contains("import it into a .tabiya first"), "{said}");
    room.run(&["duplicates", "games.pgn", "-o", "plan.tsv"])
        .ends(1);
    let said = room
        .run(&["duplicates", "--apply", "plan.tsv"])
        .ends(2)
        .said();
    assert!(said.contains("cannot change where it is"), "{said}");
}

#[test]
fn tags_are_set_and_removed_and_come_back() {
    let room = room();
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
    let dry = room
        .run(&[&set[..], &["--dry-run"]].concat())
        .ends(0)
        .said();
    assert_eq!(dry.lines().count(), 5, "{dry}");
    assert!(
        dry.contains("\tset\tWhite\tMorphy,P\tMorphy, Paul Charles\t"),
        "{dry}"
    );
    assert_eq!(room.all(), before);
    let said = room
        .run(&[&set[..], &["--plan", "done.tsv"]].concat())
        .ends(0)
        .said();
    assert!(said.contains("2 games have other tags"), "{said}");
    let after = room.all();
    assert_eq!(after.matches("Morphy, Paul Charles").count(), 2);
    assert!(room.run(&set).ends(0).said().contains("nothing to change"));
    room.run(&["check", "a.tabiya"]).ends(0);
    room.run(&["edit", "a.tabiya", "--undo"]).ends(0);
    assert_eq!(room.all(), before);
    room.run(&["edit", "a.tabiya", "--undo"]).ends(2);
    room.run(&set).ends(0);
    room.run(&["edit", "a.tabiya", "--undo", "done.tsv"])
        .ends(0);
    assert_eq!(room.all(), before);
    // The last change is known whatever its plan is called, until numbers begin anew.
    room.run(&["duplicates", "a.tabiya", "-o", "plan.tsv"])
        .ends(1);
    room.run(&["duplicates", "--apply", "plan.tsv"]).ends(0);
    room.run(&["edit", "a.tabiya", "--undo"]).ends(0);
    assert_eq!(room.all(), before);
    room.run(&["edit", "a.tabiya", "--game", "1,3", "--set", "Event=Club"])
        .ends(0);
    room.run(&["compact", "a.tabiya"]).ends(0);
    room.run(&["edit", "a.tabiya", "--undo"]).ends(2);
}

#[test]
fn a_plan_file_says_what_was_done_to_its_database() {
    let room = room();
    let set = |event: &'static str| ["edit", "a.tabiya", "--game", "1", "--set", event];
    let plan = |event| [&set(event)[..], &["--plan", "done.tsv"]].concat();
    // What is refused or changes nothing leaves no plan.
    room.run(&plan("Result=won")).ends(2);
    room.run(&set("Event=Club")).ends(0);
    let said = room.run(&plan("Event=Club")).ends(0).said();
    assert!(said.contains("nothing to change"), "{said}");
    room.run(&plan("Event=Opera")).ends(0);
    let done = room.read("done.tsv");
    let said = room.run(&plan("Event=Other")).ends(2).said();
    assert!(said.contains("done.tsv exists"), "{said}");
    assert_eq!(room.read("done.tsv"), done);
    // A plan of another database is not undone by mistake.
    room.fine(&["import", "b.tabiya", "games.pgn"]);
    let said = room
        .run(&["edit", "b.tabiya", "--undo", "done.tsv"])
        .ends(2)
        .said();
    assert!(
        said.contains("done.tsv is about a.tabiya, not b.tabiya"),
        "{said}"
    );
    room.run(&["edit", "a.tabiya", "--undo", "done.tsv"])
        .ends(0);
}

#[test]
fn a_plan_that_was_applied_is_not_overwritten() {
    let room = room();
    let make = ["duplicates", "a.tabiya", "-o", "plan.tsv"];
    room.run(&make).ends(1);
    // It has changed nothing yet, and may be made anew.
    room.run(&make).ends(1);
    room.run(&["duplicates", "--apply", "plan.tsv"]).ends(0);
    let plan = room.read("plan.tsv");
    for command in ["duplicates", "names"] {
        room.run(&[command, "a.tabiya", "-o", "plan.tsv"])
            .ends(2)
            .says("plan.tsv may have been applied")
            .says(&format!("`tabiya {command} --undo plan.tsv`"));
    }
    // A later change of the same games does not make it one that was not applied.
    let all = ["edit", "a.tabiya", "--all", "--set", "Annotator=Later"];
    room.run(&all).ends(0);
    room.run(&make).ends(2);
    room.run(&["edit", "a.tabiya", "--undo"]).ends(0);
    assert_eq!(room.read("plan.tsv"), plan);
    room.run(&["duplicates", "--undo", "plan.tsv"]).ends(0);
    room.run(&make).ends(1);
}

#[cfg(unix)]
#[test]
fn a_plan_is_written_into_a_pipe() {
    let room = room();
    let plan = room.run(&["duplicates", "a.tabiya", "-o", "/dev/stdout"]);
    assert!(plan.ends(1).out.contains("a.tabiya\t"));
}

#[test]
fn what_is_not_in_a_plan_is_not_said_to_be_undone() {
    let room = room();
    let before = room.all();
    room.run(&["duplicates", "a.tabiya", "-o", "plan.tsv"])
        .ends(1);
    room.run(&["duplicates", "--apply", "plan.tsv"]).ends(0);
    let after = room.all();
    let plan = room.read("plan.tsv");
    let lines: Vec<&str> = plan.lines().collect();
    room.write("heading.tsv", lines[0]);
    room.run(&["duplicates", "--undo", "heading.tsv"])
        .ends(2)
        .says("heading.tsv has no steps: nothing was undone");
    room.run(&["duplicates", "--apply", "heading.tsv"])
        .ends(0)
        .says("nothing was changed");
    // A line that is cut off is none.
    let (last, whole) = lines.split_last().expect("steps");
    let torn = last.split('\t').take(3).collect::<Vec<_>>().join("\t");
    room.write("torn.tsv", format!("{}\n{torn}", whole.join("\n")));
    room.run(&["duplicates", "--undo", "torn.tsv"]).ends(2);
    assert_eq!(room.all(), after);
    // Without its last line it changes nothing, and what was in it can still be taken back.
    room.write("cut.tsv", whole.join("\n"));
    room.run(&["duplicates", "--undo", "cut.tsv"])
        .ends(2)
        .says("nothing was undone");
    assert_eq!(room.all(), after);
    room.run(&["edit", "a.tabiya", "--undo"]).ends(0);
    assert_eq!(room.all(), before);
}

#[cfg(unix)]
#[test]
fn who_interrupts_is_told_what_that_leaves() {
    use std::{io::Read, process::Stdio, time::Duration};

    let room = Room::new();
    for (line, words) in [
        ("names -", "interrupted: nothing was changed\n"),
        ("merge - -o tree.pgn", "interrupted: nothing was written\n"),
    ] {
        let mut command = room.command(line);
        command.stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command starts");
        std::thread::sleep(Duration::from_millis(500));
        let id = child.id().to_string();
        let killed = std::process::Command::new("kill")
            .args(["-INT", &id])
            .status();
        assert!(killed.expect("kill runs").success());
        let mut said = String::new();
        let mut stderr = child.stderr.take().expect("piped");
        stderr.read_to_string(&mut said).expect("UTF-8");
        assert_eq!(child.wait().expect("an end").code(), Some(130));
        assert_eq!(said, words, "{line}");
        assert!(room.names().is_empty());
    }
}
