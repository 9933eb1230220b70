//! Whatever is not there any more is said to be missing, and counts add up.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

/// A folder to work in.
struct Room(TempDir);

impl Room {
    fn with(name: &str, text: &str) -> Room {
        let room = Room(tempfile::tempdir().expect("a folder"));
        fs::write(room.path(name), text).expect("a file");
        room
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, line: &str) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
        let args = command.args(line.split(' ')).current_dir(self.0.path());
        let Output {
            status,
            stdout,
            stderr,
        } = args.output().expect("it runs");
        Ran {
            line: line.to_owned(),
            code: status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&stdout).into_owned(),
            err: String::from_utf8_lossy(&stderr).into_owned(),
        }
    }

    fn read(&self, name: &str) -> String {
        let bytes = fs::read(self.path(name)).expect("a file");
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// A command that has run.
struct Ran {
    line: String,
    code: i32,
    out: String,
    err: String,
}

impl Ran {
    #[track_caller]
    fn ends(self, code: i32) -> Ran {
        let Ran { line, out, err, .. } = &self;
        assert_eq!(self.code, code, "{line}: {out}{err}");
        self
    }

    #[track_caller]
    fn says(self, words: &str) -> Ran {
        let Ran { line, out, err, .. } = &self;
        assert!(format!("{out}{err}").contains(words), "{line}: {out}{err}");
        self
    }

    #[track_caller]
    fn does_not_say(self, words: &str) -> Ran {
        let Ran { line, out, err, .. } = &self;
        assert!(!format!("{out}{err}").contains(words), "{line}: {out}{err}");
        self
    }
}

/// A game with all that has a file of its own.
const TEAMS: &str = "[Event \"Biel\"]\n[White \"Tal\"]\n[EventEndDate \"1976.08.01\"]\n\
     [WhiteTeam \"Riga\"]\n[GameTitle \"A day\"]\n[Result \"*\"]\n\n1. e4 *\n";

#[test]
fn a_file_of_a_database_that_was_there_is_missing() {
    for (file, lost) in [
        ("cbj", "teams and titles"),
        ("cbtt", "when tournaments ended"),
        ("cbe", "the teams of 1 games"),
        ("cbl", "the titles of 1 games"),
    ] {
        let room = Room::with("games.pgn", TEAMS);
        room.run("convert games.pgn -o base.cbh").ends(0);
        room.run("check base.cbh").ends(0);
        fs::remove_file(room.path(&format!("base.{file}"))).expect("a file");
        let missing = format!("the .{file} file is missing: ");
        room.run("check base.cbh").ends(1).says(&missing).says(lost);
        room.run("info base.cbh --json").ends(1).says(&missing);
        room.run("convert base.cbh -o out.pgn --report out.json")
            .ends(1)
            .says(&missing);
        assert!(room.read("out.json").contains(&missing));
        room.run("convert base.cbh -o strict.pgn --strict").ends(1);
        assert!(!room.path("strict.pgn").exists());
    }
}

#[test]
fn a_file_that_had_nothing_to_say_is_not_missed() {
    let room = Room::with("games.pgn", "[White \"Tal\"]\n\n1. e4 *\n");
    room.run("convert games.pgn -o base.cbh").ends(0);
    for file in ["cbe", "cbl"] {
        fs::remove_file(room.path(&format!("base.{file}"))).expect("a file");
        room.run("check base.cbh").ends(0);
    }
}

fn cut(path: &Path, bytes: usize) {
    let whole = fs::read(path).expect("a file");
    fs::write(path, &whole[..whole.len() - bytes]).expect("a file");
}

#[test]
fn what_is_known_of_tournaments_may_be_cut_off() {
    let room = Room::with("games.pgn", TEAMS);
    room.run("convert games.pgn -o base.cbh").ends(0);
    cut(&room.path("base.cbtt"), 20);
    let said = "the .cbtt file is cut off: it has 0 of 1 records";
    room.run("check base.cbh").ends(1).says(said);
}

/// Three games, of which the second is marked as deleted.
fn with_deleted(base: &str) -> Room {
    let game = |name| format!("[White \"{name}\"]\n[Result \"*\"]\n\n1. e4 *\n\n");
    let room = Room::with("games.pgn", &["One", "Two", "Three"].map(game).concat());
    room.run(&format!("convert games.pgn -o {base}")).ends(0);
    room.run(&format!("delete {base} 2")).ends(0);
    room
}

#[test]
fn deletion_marks_go_along_to_all_who_have_them() {
    for from in ["base.cbh", "base.2cbh", "base.si5"] {
        for to in ["out.cbh", "out.2cbh", "out.si4", "out.si5", "out.cbv"] {
            let room = with_deleted(from);
            room.run(&format!("convert {from} --deleted -o {to}"))
                .ends(0)
                .does_not_say("lost");
            room.run(&format!("convert {to} -o left.pgn"))
                .ends(0)
                .says("3 games read = 2 written + 0 refused + 0 filtered + 1 deleted");
            room.run(&format!("convert {to} --deleted -o all.pgn"))
                .ends(0);
            assert!(room.read("all.pgn").contains("[ScidFlags \"D\"]"), "{to}");
        }
    }
}

#[test]
fn deletion_marks_that_have_no_place_are_losses() {
    // A database of ChessBase tells the number of plies too, which the file has no place for.
    for (from, lost) in [("base.cbh", "4 tags lost"), ("base.si5", "tag ScidFlags")] {
        let room = with_deleted(from);
        room.run(&format!("convert {from} --deleted -o out.cdb"))
            .ends(1)
            .says(lost);
    }
}

#[test]
fn games_that_are_not_there_are_said_to_be_absent() {
    for base in ["base.cbh", "base.si5"] {
        let room = with_deleted(base);
        room.run(&format!(
            "convert {base} --games 1,9 -o out.pgn --report out.json"
        ))
        .ends(1)
        .says(&format!("no game 9 of {base}: the last one is 3"));
        assert!(room.read("out.json").contains("\"games\": \"9\""));
        room.run(&format!("convert {base} --games 2 -o out.pgn"))
            .ends(1)
            .says("no game 2 of")
            .says("it is marked as deleted; --deleted reads it");
        room.run(&format!("convert {base} --games 1..100 -o out.pgn"))
            .ends(0);
        room.run(&format!("convert {base} --games 1 -o out.pgn"))
            .ends(0)
            .says("1 games read = 1 written + 0 refused + 0 filtered + 0 deleted");
        room.run(&format!("convert {base} --games 9 --strict -o strict.pgn"))
            .ends(1);
        assert!(!room.path("strict.pgn").exists());
    }
    let room = Room::with("games.pgn", "1. e4 *\n");
    fs::write(room.path("empty.pgn"), "").expect("a file");
    room.run("convert games.pgn empty.pgn --games 2 -o out.pgn --report out.json")
        .ends(1)
        .says("no game 2 of games.pgn: the last one is 1")
        .says("no game 2 of empty.pgn: it has none");
    assert!(room.read("out.json").contains("\"name\": \"empty.pgn\""));
}

#[test]
fn where_the_first_respelling_is_is_known() {
    let room = Room::with("one.pgn", "[White \"Tal, M\"]\n\n*\n");
    fs::write(room.path("two.pgn"), "[White \"Tal,M\"]\n\n*\n").expect("a file");
    room.run("convert one.pgn two.pgn -o out.cbh --report out.json")
        .ends(0)
        .says("1 values respelled, of which nothing is lost; the first in game 1 of two.pgn");
    assert!(
        room.read("out.json")
            .contains("\"first_input\": \"two.pgn\"")
    );
}

#[test]
fn a_deleted_game_is_said_to_be_deleted_however_it_was_found() {
    for base in ["base.cbh", "base.si5"] {
        let room = with_deleted(base);
        for args in ["--game 2", "--deleted --white Two"] {
            room.run(&format!("show {base} {args} --json"))
                .ends(0)
                .says("\"deleted\": true");
        }
        room.run(&format!("show {base} --white One --json"))
            .ends(0)
            .says("\"deleted\": false");
    }
}

#[test]
fn a_generated_database_says_what_it_lost() {
    let room = Room::with("games.pgn", "*\n");
    let made = room.run("generate 30 -o made.cbh");
    room.run("generate 30 -o made.pgn");
    let converted = room.run("convert made.pgn -o again.cbh");
    let lost = |ran: &Ran| {
        ran.err
            .lines()
            .filter(|line| line.contains(" lost"))
            .count()
    };
    assert_eq!(
        lost(&made),
        lost(&converted),
        "{}{}",
        made.err,
        converted.err
    );
}

#[test]
fn a_file_of_games_that_is_cut_off_is_damage_to_all_commands() {
    for (base, games) in [("base.si4", "base.sg4"), ("base.si5", "base.sg5")] {
        let room = with_deleted(base);
        room.run(&format!("info {base} --json"))
            .ends(0)
            .says("\"damage\": []");
        cut(&room.path(games), 3);
        for command in ["info --json", "info", "list", "show", "check"] {
            room.run(&format!("{command} {base}"))
                .ends(1)
                .says("the file of games is cut off");
        }
        room.run(&format!("convert {base} -o out.pgn")).ends(1);
    }
}
