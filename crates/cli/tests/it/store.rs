//! tabiya's own database, by the commands.

use std::{
    fs,
    io::Write,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::room::{Ran, Room, names};

const GAMES: &str = r#"[Event "Match"]
[White "Tal, Mikhail"]
[WhiteElo "2500?"]
[WhiteElo "2700"]
[Result "1-0"]

1. e4 {[%clk 0:03:00]} c6 $1 (1... e5 {open}) 2. d4 d5 1-0

[White "Réti"]
[Result "0-1"]

1. g3 e5 2. Nf3 e4 0-1
"#;

/// A folder with two games in it.
fn room() -> Room {
    Room::with("games.pgn", GAMES)
}

/// And a database of them.
fn with_database() -> Room {
    let room = room();
    room.fine(&["import", "a.tabiya", "games.pgn"]);
    room
}

/// Begins an import that waits for more.
fn begin(room: &Room, args: &[&str]) -> Child {
    let mut child = room.begin(args);
    let stdin = child.stdin.as_mut().expect("a pipe");
    stdin.write_all(GAMES.as_bytes()).expect("it reads");
    child
}

fn wait_for(what: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !what() {
        assert!(Instant::now() < end, "nothing happens");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn what_is_imported_is_exported_as_it_was() {
    let room = with_database();
    room.fine(&["export", "a.tabiya", "-o", "b.pgn"]);
    room.fine(&["convert", "games.pgn", "-o", "c.pgn"]);
    let read = |name| room.read(name);
    assert_eq!(read("b.pgn"), read("c.pgn"));
    assert!(read("b.pgn").contains("[WhiteElo \"2500?\"]"));
}

#[test]
fn every_command_that_reads_games_reads_a_database() {
    let room = with_database();
    assert!(room.fine(&["info", "a.tabiya"]).contains("tabiya"));
    assert!(room.fine(&["list", "a.tabiya"]).contains("Tal"));
    assert!(
        room.fine(&["show", "a.tabiya", "--game", "2"])
            .contains("Réti")
    );
    assert!(
        room.fine(&["dump", "a.tabiya", "--game", "1"])
            .contains("column clocks")
    );
    room.fine(&["convert", "a.tabiya", "--white", "tal", "-o", "tal.si5"]);
    room.fine(&["convert", "a.tabiya", "-o", "copy.tabiya"]);
    assert_eq!(
        room.fine(&["export", "copy.tabiya"]),
        room.fine(&["export", "a.tabiya"])
    );
    let Ran { code, out, .. } = room.run(&["check", "a.tabiya"]);
    assert_eq!(code, 1, "a rating is odd, and tags are missing: {out}");
}

#[test]
fn the_mark_of_a_deleted_game_goes_along() {
    let room = with_database();
    room.fine(&["delete", "a.tabiya", "2"]);
    room.fine(&["export", "a.tabiya", "--deleted", "-o", "b.si5"]);
    assert!(room.fine(&["info", "b.si5"]).contains("deleted"));
    let pgn = room.fine(&["export", "a.tabiya", "--deleted"]);
    assert_eq!(pgn.matches("[ScidFlags \"D\"]").count(), 1, "{pgn}");
    assert!(!room.fine(&["export", "a.tabiya"]).contains("ScidFlags"));
}

#[test]
fn imports_add_up_and_convert_begins_anew() {
    let room = with_database();
    room.fine(&["import", "a.tabiya", "games.pgn", "games.pgn"]);
    room.fine(&["convert", "games.pgn", "--append", "-o", "a.tabiya"]);
    let count = |room: &Room| {
        room.fine(&["list", "a.tabiya", "--format", "csv"])
            .lines()
            .count()
    };
    assert_eq!(count(&room), 1 + 8);
    room.fine(&["convert", "games.pgn", "-o", "a.tabiya"]);
    assert_eq!(count(&room), 1 + 2);
    // Nothing is left of the segments that were replaced.
    assert_eq!(names(&room.path("a.tabiya")).len(), 3);
}

#[test]
fn patterns_that_no_shell_expanded_are_expanded() {
    let room = room();
    fs::copy(room.path("games.pgn"), room.path("games2.pgn")).expect("a copy");
    room.fine(&["import", "a.tabiya", "games*.pgn"]);
    assert_eq!(
        room.fine(&["list", "a.tabiya", "--format", "csv"])
            .lines()
            .count(),
        5
    );
    assert!(
        room.error(&["import", "a.tabiya", "no*.pgn"])
            .contains("no file is called like")
    );
}

#[test]
fn wrong_places_and_sizes_are_refused() {
    let room = with_database();
    let error = room.error(&["import", "games.pgn", "games.pgn"]);
    assert!(error.contains("games.pgn"), "{error}");
    fs::create_dir(room.path("letters.tabiya")).expect("a folder");
    room.write("letters.tabiya/letter.txt", "Dear");
    let error = room.error(&["import", "letters.tabiya", "games.pgn"]);
    assert!(error.contains("letters.tabiya"), "{error}");
    assert_eq!(names(&room.path("letters.tabiya")), ["letter.txt"]);
    let error = room.error(&["import", "b.tabiya", "games.pgn", "--memory", "lots"]);
    assert!(error.contains("512M"), "{error}");
    let error = room.error(&["export", "games.pgn", "-o", "b.pgn"]);
    assert!(error.contains("tabiya convert"), "{error}");
    let error = room.error(&["convert", "games.pgn", "--to", "tabiya"]);
    assert!(error.contains("-o games.tabiya"), "{error}");
    assert!(!room.path("b.tabiya").exists());
}

#[test]
fn a_second_writer_is_told_and_readers_go_on() {
    let room = with_database();
    let mut first = begin(&room, &["import", "a.tabiya", "-"]);
    wait_for(|| room.path("a.tabiya.tabiya-lock").exists());
    let error = room.error(&["import", "a.tabiya", "games.pgn"]);
    let busy = "a.tabiya is being changed by another program";
    let owner = match cfg!(unix) {
        true => format!("{busy} (process {})", first.id()),
        false => busy.to_string(),
    };
    assert!(
        error.contains(&format!("{owner}; waiting for it")),
        "{error}"
    );
    assert!(
        error.contains(&format!("{owner}: try again when it is done")),
        "{error}"
    );
    assert_eq!(
        room.fine(&["list", "a.tabiya", "--format", "csv"])
            .lines()
            .count(),
        3
    );
    drop(first.stdin.take());
    assert!(first.wait().expect("an end").success());
    assert_eq!(
        room.fine(&["list", "a.tabiya", "--format", "csv"])
            .lines()
            .count(),
        5
    );
}

#[cfg(unix)]
#[test]
fn whoever_is_interrupted_leaves_nothing() {
    for (signal, code) in [("-INT", Some(130)), ("-TERM", Some(143)), ("-KILL", None)] {
        let room = with_database();
        let before = (room.names(), names(&room.path("a.tabiya")));
        for name in ["a.tabiya", "new.tabiya"] {
            let mut child = begin(&room, &["import", name, "-"]);
            wait_for(|| room.path(&format!("{name}.tabiya-lock")).exists());
            let id = child.id().to_string();
            let sent = Command::new("kill").args([signal, &id]).status();
            assert!(sent.expect("kill runs").success());
            assert_eq!(child.wait().expect("an end").code(), code);
        }
        if code.is_some() {
            assert_eq!(
                (room.names(), names(&room.path("a.tabiya"))),
                before,
                "{signal}"
            );
        }
        assert_eq!(
            room.fine(&["list", "a.tabiya", "--format", "csv"])
                .lines()
                .count(),
            3
        );
        room.fine(&["import", "a.tabiya", "games.pgn"]);
        assert_eq!(
            room.fine(&["list", "a.tabiya", "--format", "csv"])
                .lines()
                .count(),
            5
        );
    }
}

#[cfg(unix)]
#[test]
fn a_kill_at_any_moment_leaves_the_old_state_or_the_new_one() {
    let room = with_database();
    room.fine(&["generate", "--games", "400", "-o", "many.pgn"]);
    room.fine(&["import", "a.tabiya", "many.pgn"]);
    room.fine(&["delete", "a.tabiya", "7..9"]);
    room.write("one.pgn", "[White \"New\"]\n\n1. c4 *\n");
    let changes: [&[&str]; 6] = [
        &["import", "a.tabiya", "many.pgn"],
        &["delete", "a.tabiya", "1..100"],
        &["replace", "a.tabiya", "1", "one.pgn"],
        &["compact", "a.tabiya"],
        &["index", "a.tabiya", "--rebuild"],
        &["convert", "many.pgn", "-o", "a.tabiya"],
    ];
    let state = || room.fine(&["list", "a.tabiya", "--format", "csv"]);
    let again = || {
        fs::remove_dir_all(room.path("a.tabiya")).expect("a folder");
        copy_folder(&room.path("copy"), &room.path("a.tabiya"));
    };
    copy_folder(&room.path("a.tabiya"), &room.path("copy"));
    let before = state();
    let kills = match std::env::var_os("TABIYA_LONG") {
        Some(_) => 100,
        None => 6,
    };
    let mut seen = [0; 2];
    for change in changes {
        // How long it takes is found out first, and what it leads to.
        let begin = Instant::now();
        room.fine(change);
        let longest = begin.elapsed();
        let after = state();
        for kill in 0..kills {
            again();
            let mut command = room.command(change);
            let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = quiet.spawn().expect("it starts");
            thread::sleep(longest * (kill * 7919 % 1000) / 1000);
            let _ = child.kill();
            child.wait().expect("an end");
            let found = state();
            assert!(found == before || found == after, "{change:?}");
            seen[usize::from(found == after)] += 1;
        }
        let Ran {
            code,
            out,
            err: errors,
            ..
        } = room.run(&["check", "a.tabiya", "--level", "error"]);
        assert!(code < 2 && !out.contains("damaged"), "{out}{errors}");
        again();
    }
    println!("{seen:?} before and after");
}

fn copy_folder(from: &std::path::Path, to: &std::path::Path) {
    fs::create_dir(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        if entry.path().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).expect("a file");
        }
    }
}

#[test]
fn damage_is_found_and_what_is_left_is_salvaged() {
    let room = with_database();
    room.fine(&["import", "a.tabiya", "games.pgn"]);
    let moves = room.path("a.tabiya/00000001-moves.arrow");
    let mut bytes = fs::read(&moves).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&moves, &bytes).expect("a file");
    let Ran {
        code,
        out,
        err: errors,
        ..
    } = room.run(&["check", "a.tabiya"]);
    let text = out + &errors;
    assert!(
        code > 0 && text.contains("00000001-moves.arrow"),
        "{code}: {text}"
    );
    assert!(text.contains("not as they were written"), "{text}");
    let error = room.error(&["export", "a.tabiya", "-o", "b.pgn"]);
    assert!(error.contains("--salvage"), "{error}");
    assert!(!room.path("b.pgn").exists());
    let Ran { code, .. } = room.run(&["export", "a.tabiya", "--salvage", "-o", "b.pgn"]);
    assert_eq!(code, 1);
    let pgn = room.read("b.pgn");
    // The moves of two games are gone, their tags are not, and the others are whole.
    assert_eq!(pgn.matches("[White \"Tal, Mikhail\"]").count(), 2);
    assert_eq!(pgn.matches("1. e4").count(), 1);
    // Nothing makes damage real.
    assert!(
        room.error(&["compact", "a.tabiya"])
            .contains("00000001-moves.arrow")
    );
    // A file that is cut off, or gone.
    fs::write(&moves, &bytes[..middle]).expect("a file");
    assert!(
        room.error(&["list", "a.tabiya"])
            .contains("bytes instead of")
    );
    fs::remove_file(&moves).expect("a file");
    assert!(room.error(&["list", "a.tabiya"]).contains("is not there"));
    let Ran { code, .. } = room.run(&["export", "a.tabiya", "--salvage", "-o", "b.pgn"]);
    assert_eq!(code, 1);
}

#[test]
fn a_manifest_that_was_changed_is_no_manifest() {
    let room = with_database();
    let path = room.path("a.tabiya/manifest.json");
    let text = fs::read_to_string(&path).expect("a file");
    fs::write(&path, text.replace("\"generation\":1", "\"generation\":2")).expect("a file");
    let error = room.error(&["list", "a.tabiya"]);
    assert!(error.contains("not as it was written"), "{error}");
    fs::write(&path, "").expect("a file");
    room.error(&["list", "a.tabiya"]);
    room.error(&["import", "a.tabiya", "games.pgn"]);
}

#[test]
fn nothing_is_imported_into_a_damaged_database() {
    let room = with_database();
    let moves = room.path("a.tabiya/00000001-moves.arrow");
    let bytes = fs::read(&moves).expect("a file");
    fs::write(&moves, &bytes[..bytes.len() / 2]).expect("a file");
    let before = names(&room.path("a.tabiya"));
    for change in [
        &["import", "a.tabiya", "games.pgn"][..],
        &["convert", "games.pgn", "--append", "-o", "a.tabiya"],
        &["delete", "a.tabiya", "1"],
        &["compact", "a.tabiya"],
    ] {
        let error = room.error(change);
        assert!(error.contains("00000001-moves.arrow"), "{error}");
        assert!(error.contains("--salvage"), "{error}");
    }
    assert_eq!(names(&room.path("a.tabiya")), before);
    // What it says helps.
    let Ran { code, .. } = room.run(&["convert", "a.tabiya", "--salvage", "-o", "b.tabiya"]);
    assert_eq!(code, 1);
    room.fine(&["import", "b.tabiya", "games.pgn"]);
    // Whoever begins anew does not mind.
    room.fine(&["convert", "games.pgn", "-o", "a.tabiya"]);
    room.fine(&["import", "a.tabiya", "games.pgn"]);
}

#[test]
fn marks_of_deletion_that_are_lost_lose_no_games() {
    let room = with_database();
    room.fine(&["delete", "a.tabiya", "2"]);
    let marks = room.path("a.tabiya/00000002-deleted.bin");
    let damages: [&dyn Fn(); 3] = [
        &|| fs::write(&marks, [0]).expect("a file"),
        &|| fs::write(&marks, [0, 0]).expect("a file"),
        &|| fs::remove_file(&marks).expect("a file"),
    ];
    for damage in damages {
        damage();
        let error = room.error(&["export", "a.tabiya"]);
        assert!(error.contains("00000002-deleted.bin"), "{error}");
        assert!(error.contains("--salvage"), "{error}");
        let error = room.error(&["list", "a.tabiya"]);
        assert!(error.contains("00000002-deleted.bin"), "{error}");
        assert!(error.contains("--salvage"), "{error}");
        let Ran {
            code,
            out: pgn,
            err: errors,
            ..
        } = room.run(&["export", "a.tabiya", "--salvage"]);
        assert_eq!(code, 1, "{errors}");
        assert!(
            errors.contains("which entries are deleted is lost"),
            "{errors}"
        );
        assert!(
            pgn.contains("Tal, Mikhail") && pgn.contains("Réti"),
            "{pgn}"
        );
    }
}

#[test]
fn check_names_each_file_that_is_damaged() {
    let room = with_database();
    room.fine(&["delete", "a.tabiya", "2"]);
    let names = names(&room.path("a.tabiya"));
    assert_eq!(names.len(), 4, "{names:?}");
    for name in names {
        let path = room.path(&format!("a.tabiya/{name}"));
        let whole = fs::read(&path).expect("a file");
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 4;
        for (bytes, what) in [(&flipped[..], "flipped"), (&whole[1..], "cut off")] {
            fs::write(&path, bytes).expect("a file");
            for args in [&["check", "a.tabiya"][..], &["check", "--json", "a.tabiya"]] {
                let Ran {
                    code,
                    out,
                    err: errors,
                    ..
                } = room.run(args);
                assert_eq!(code, 1, "{name}, {what}: {out}{errors}");
                assert!(out.contains(&name), "{name}, {what}: {out}");
                assert!(errors.contains(&name), "{name}, {what}: {errors}");
                assert!(!out.contains("nothing wrong"), "{name}, {what}: {out}");
            }
        }
        // A copy would lack what is damaged, or have games that nobody wanted.
        let error = room.error(&["check", "a.tabiya", "--repair", "mended.pgn"]);
        assert!(error.contains(&name), "{error}");
        assert!(!room.path("mended.pgn").exists());
        fs::write(&path, whole).expect("a file");
    }
}

#[test]
fn check_makes_a_damaged_index_again() {
    let room = Room::new();
    room.fine(&["generate", "--games", "200", "-o", "many.tabiya"]);
    let whole = room.run(&["check", "many.tabiya", "--level", "error"]);
    let index = names(&room.path("many.tabiya")).into_iter();
    let index = index
        .filter(|name| name.contains("index"))
        .collect::<Vec<_>>();
    let path = room.path(&format!("many.tabiya/{}", index[0]));
    let mut bytes = fs::read(&path).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&path, bytes).expect("a file");
    let mended = room
        .run(&["check", "many.tabiya", "--level", "error"])
        .ends(1);
    let Ran { out, err, .. } = &mended;
    assert_eq!(out.matches("was made again").count(), 1, "{out}");
    assert!(
        out.contains(&index[0]) && !err.contains(&index[0]),
        "{out}{err}"
    );
    let again = room.run(&["check", "many.tabiya", "--level", "error"]);
    assert_eq!((again.code, again.said()), (whole.code, whole.said()));
}

#[test]
fn a_database_whose_manifest_is_gone_is_left_alone() {
    let room = with_database();
    fs::remove_file(room.path("a.tabiya/manifest.json")).expect("a file");
    let before = names(&room.path("a.tabiya"));
    for args in [
        &["import", "a.tabiya", "games.pgn"][..],
        &["convert", "games.pgn", "-o", "a.tabiya"],
        &["list", "a.tabiya"],
    ] {
        let error = room.error(args);
        assert!(error.contains("manifest.json"), "{args:?}: {error}");
        assert!(error.contains("--salvage"), "{args:?}: {error}");
    }
    let Ran { code, out, .. } = room.run(&["check", "a.tabiya"]);
    assert_eq!(code, 1, "{out}");
    let Ran {
        code,
        out: pgn,
        err: errors,
        ..
    } = room.run(&["export", "a.tabiya", "--salvage"]);
    assert_eq!(code, 1, "{errors}");
    assert!(
        pgn.contains("Tal, Mikhail") && pgn.contains("Réti"),
        "{pgn}"
    );
    assert_eq!(names(&room.path("a.tabiya")), before);
}

#[test]
fn deleted_games_come_with_their_marks() {
    let room = room();
    for base in ["base.si5", "base.cbh"] {
        room.run(&["convert", "games.pgn", "-o", base]);
        room.fine(&["delete", base, "1"]);
        let store = format!("{base}.tabiya");
        room.run(&["import", &store, base, "--deleted"]);
        let list = |args: &[&str]| room.fine(args).lines().count();
        assert_eq!(list(&["list", &store, "--format", "csv"]), 1 + 1, "{base}");
        let all = ["list", &store, "--deleted", "--format", "csv"];
        assert_eq!(list(&all), 1 + 2, "{base}");
        room.fine(&["undelete", &store, "1"]);
        assert_eq!(list(&["list", &store, "--format", "csv"]), 1 + 2, "{base}");
        let pgn = room.fine(&["export", &store]);
        assert!(!pgn.contains("ScidFlags"), "{base}: {pgn}");
        // Without --deleted they stay where they are.
        room.run(&["import", "kept.tabiya", base]);
    }
    assert_eq!(
        room.fine(&["list", "kept.tabiya", "--deleted", "--format", "csv"])
            .lines()
            .count(),
        3
    );
}
