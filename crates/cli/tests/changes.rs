//! The commands that change a database where it is, run as processes.

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output},
};

use tempfile::TempDir;

const GAMES: &str = r#"[Event "Match"]
[Date "1960.03.15"]
[White "Tal, Mikhail"]
[Black "Botvinnik, Mikhail"]
[Result "1-0"]

1. e4 c6 2. d4 d5 1-0

[Event "Havana"]
[Date "1918.??.??"]
[White "Capablanca"]
[Black "Marshall"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0

[Date "1925.02.30"]
[White "Réti"]
[Black "Alekhine"]
[Result "0-1"]

1. g3 e5 2. Nf3 e4 0-1
"#;

/// The formats whose databases can be changed.
const FORMATS: [&str; 5] = ["si4", "si5", "cbh", "2cbh", "tabiya"];

struct Base {
    folder: TempDir,
    name: String,
}

impl Base {
    /// A database of three games.
    fn new(extension: &str) -> Base {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("games.pgn"), GAMES).expect("a file");
        let name = format!("base.{extension}");
        let base = Base { folder, name };
        let made = base.run(&["convert", "games.pgn", "-o", &base.name]);
        assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
        base
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The file that changes whenever the database does.
    fn state(&self) -> Vec<u8> {
        let path = self.path(&self.name);
        let path = match path.is_dir() {
            true => path.join("manifest.json"),
            false => path,
        };
        fs::read(path).expect("a file")
    }

    fn run(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .args(args)
            .current_dir(self.folder.path())
            .output()
            .expect("the command starts")
    }

    /// Runs a command that has to go well, and returns what it prints.
    #[track_caller]
    fn fine(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    }

    /// Runs a command that has to fail, and returns why it did.
    #[track_caller]
    fn error(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
        text(&output.stderr)
    }

    /// The players with White, in order.
    #[track_caller]
    fn whites(&self, more: &[&str]) -> Vec<String> {
        let mut args = vec!["convert", &self.name, "--to", "pgn"];
        args.extend(more);
        let pgn = self.fine(&args);
        let names = pgn
            .lines()
            .filter_map(|line| line.strip_prefix("[White \""));
        names.map(|name| name.replace("\"]", "")).collect()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn deleted_games_are_hidden_until_they_are_wanted_again() {
    for format in FORMATS {
        let base = Base::new(format);
        let deleted = base.fine(&["delete", &base.name, "1..2"]);
        assert_eq!(
            deleted,
            "deleted 1: Tal, Mikhail - Botvinnik, Mikhail, Match 1960\n\
             deleted 2: Capablanca - Marshall, Havana 1918\n"
        );
        assert_eq!(base.whites(&[]), ["Réti"]);
        assert_eq!(base.whites(&["--deleted"]).len(), 3);
        let kept = base.fine(&["undelete", &base.name, "2"]);
        assert_eq!(kept, "kept 2: Capablanca - Marshall, Havana 1918\n");
        assert_eq!(base.whites(&[]), ["Capablanca", "Réti"]);
        base.fine(&["undelete", &base.name, "1.."]);
        assert_eq!(base.whites(&[]).len(), 3);
    }
}

#[test]
fn compacting_removes_deleted_games_for_good() {
    for format in FORMATS {
        let base = Base::new(format);
        base.fine(&["delete", &base.name, "2"]);
        let compacted = base.fine(&["compact", &base.name]);
        let expected = "kept 2, removed 1 deleted, ";
        assert!(compacted.starts_with(expected), "{compacted}");
        assert_eq!(base.whites(&["--deleted"]), ["Tal, Mikhail", "Réti"]);
    }
}

#[test]
fn another_game_takes_the_place_and_the_number() {
    for format in FORMATS {
        let base = Base::new(format);
        let one = "[White \"Anderssen\"]\n[Black \"Kieseritzky\"]\n\n1. e4 e5 2. f4 exf4 *\n";
        fs::write(base.path("one.pgn"), one).expect("a file");
        let replaced = base.fine(&["replace", &base.name, "2", "one.pgn"]);
        assert_eq!(
            replaced,
            "replaced 2: Capablanca - Marshall, Havana 1918\nby: Anderssen - Kieseritzky\n"
        );
        assert_eq!(base.whites(&[]), ["Tal, Mikhail", "Anderssen", "Réti"]);
        let shown = base.fine(&["show", &base.name, "--game", "2"]);
        assert!(shown.contains("exf4"), "{shown}");
        // One that is deleted stays so.
        base.fine(&["delete", &base.name, "3"]);
        base.fine(&["replace", &base.name, "3", "one.pgn"]);
        assert_eq!(base.whites(&[]), ["Tal, Mikhail", "Anderssen"]);
    }
}

#[test]
fn mistakes_change_nothing() {
    for format in FORMATS {
        let base = Base::new(format);
        let before = base.state();
        let error = base.error(&["delete", &base.name, "1", "3..4"]);
        let expected = format!("error: no game 3..4: the last one of {} is 3\n", base.name);
        assert_eq!(error, expected);
        assert!(
            base.error(&["undelete", &base.name, "0"])
                .contains("numbers begin at 1")
        );
        let error = base.error(&["replace", &base.name, "1", "games.pgn"]);
        assert!(error.contains("games.pgn has 3 games: pick one"), "{error}");
        fs::write(base.path("bad.pgn"), "1. e4 Ke4 *").expect("a file");
        let error = base.error(&["replace", &base.name, "1", "bad.pgn"]);
        assert!(error.contains("the game in bad.pgn is broken"), "{error}");
        fs::write(base.path("one.pgn"), "1. e4 *").expect("a file");
        let error = base.error(&["replace", &base.name, "4", "one.pgn"]);
        assert!(error.contains("there is no game 4"), "{error}");
        assert_eq!(base.state(), before);
    }
}

#[test]
fn what_cannot_be_changed_is_said() {
    let base = Base::new("si4");
    let error = base.error(&["delete", "games.pgn", "1"]);
    let expected = "error: games.pgn is pgn, which tabiya cannot change where it is";
    assert!(error.starts_with(expected), "{error}");
    let error = base.error(&["compact", "nothing.si4"]);
    assert!(error.contains("nothing.si4"), "{error}");
}

#[test]
fn a_number_means_the_same_game_to_all_commands() {
    for format in FORMATS {
        let base = Base::new(format);
        base.fine(&["delete", &base.name, "1"]);
        let shown = base.fine(&["show", &base.name, "--game", "2"]);
        assert!(shown.contains("Capablanca"), "{shown}");
        let error = base.error(&["show", &base.name, "--game", "4"]);
        assert!(error.contains("no game 4"), "{error}");
        // Filters do not change numbers.
        let error = base.error(&["show", &base.name, "--game", "1", "--white", "r"]);
        assert!(error.contains("game 1 of"), "{error}");
        let shown = base.fine(&["show", &base.name, "--white", "r"]);
        assert!(shown.contains("Réti"), "{shown}");
        // There was no such day as that of the third game.
        let checked = text(&base.run(&["check", &base.name]).stdout);
        assert!(checked.contains("in game 3:"), "{checked}");
        let deleted = base.fine(&["delete", &base.name, "2"]);
        assert!(deleted.contains("Capablanca"), "{deleted}");
    }
}
