//! The commands that change a database where it is, run as processes.

use std::{fs, ops::Deref};

use crate::room::Room;

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
    room: Room,
    name: String,
}

impl Deref for Base {
    type Target = Room;

    fn deref(&self) -> &Room {
        &self.room
    }
}

impl Base {
    /// A database of three games.
    fn new(extension: &str) -> Base {
        let room = Room::with("games.pgn", GAMES);
        let name = format!("base.{extension}");
        room.fine(&["convert", "games.pgn", "-o", &name]);
        Base { room, name }
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
        base.write("one.pgn", one);
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
fn a_game_that_is_deleted_elsewhere_deletes_none_whose_place_it_takes() {
    for format in FORMATS {
        let base = Base::new(format);
        base.fine(&["delete", &base.name, "1"]);
        let one = ["convert", &base.name, "--deleted", "--games", "1"];
        let deleted = base.fine(&[&one[..], &["--to", "pgn"]].concat());
        assert!(deleted.contains("[ScidFlags \"D\"]"), "{deleted}");
        base.write("deleted.pgn", &deleted);
        base.fine(&["replace", &base.name, "2", "deleted.pgn"]);
        assert_eq!(base.whites(&[]), ["Tal, Mikhail", "Réti"], "{format}");
        let pgn = base.fine(&["convert", &base.name, "--to", "pgn"]);
        assert!(!pgn.contains("ScidFlags"), "{pgn}");
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
        base.write("bad.pgn", "1. e4 Ke4 *");
        let error = base.error(&["replace", &base.name, "1", "bad.pgn"]);
        assert!(error.contains("the game in bad.pgn is broken"), "{error}");
        base.write("one.pgn", "1. e4 *");
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
        let checked = base.run(&["check", &base.name]).out;
        assert!(checked.contains("in game 3:"), "{checked}");
        let deleted = base.fine(&["delete", &base.name, "2"]);
        assert!(deleted.contains("Capablanca"), "{deleted}");
    }
}

#[test]
fn a_database_that_cannot_be_changed_is_named_once() {
    for extension in FORMATS {
        let base = Base::new(extension);
        // Nobody can be the one who changes it.
        fs::create_dir(base.path(&format!("{}.tabiya-lock", base.name))).unwrap();
        for name in [base.name.clone(), format!("./{}", base.name)] {
            for command in [format!("delete {name} 1"), format!("compact {name}")] {
                let words = base.error(&command);
                assert_eq!(words.matches(&base.name).count(), 1, "{words}");
            }
        }
    }
}
