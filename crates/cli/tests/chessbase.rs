//! ChessBase databases and archives on the command line.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use tabiya_chessbase::{
    archive::Packer,
    encoding::TextCodec,
    files::{
        header::{EntryKind, FileHeader, GameRecord, TextRecord},
        stores::StoreHeader,
    },
    text::GuidingText,
};
use tempfile::TempDir;

fn run(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    let command = command.args(args).current_dir(folder);
    command.output().expect("tabiya runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Two games, one of them deleted, and a text; 1. e4 in each.
fn database() -> [(&'static str, Vec<u8>); 3] {
    let store = StoreHeader::default().to_bytes();
    let (mut headers, mut moves) = (FileHeader::new(3).to_bytes().to_vec(), store.clone());
    for deleted in [false, true] {
        let record = GameRecord {
            kind: EntryKind::GAME.deleted(deleted),
            moves: moves.len() as u32,
            ..GameRecord::default()
        };
        headers.extend(record.to_bytes());
        moves.extend([0, 0, 0, 6, 0xff, 0x0d]);
    }
    let record = TextRecord {
        text: moves.len() as u32,
        ..TextRecord::default()
    };
    headers.extend(record.to_bytes());
    let html = "<html><body>Hello</body></html>";
    let text = GuidingText::new("../Preface: 1", Some("en"), html, &TextCodec::default());
    moves.extend(text.expect("a text").0.to_bytes());
    [
        ("base.cbh", headers),
        ("base.cbg", moves),
        ("base.cba", store),
    ]
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut packers = [Packer::new(), Packer::new()];
    for (name, bytes) in database() {
        fs::write(folder.path().join(name), &bytes).expect("a file");
        for packer in &mut packers {
            packer.add(name, None, &bytes[..]).expect("a member");
        }
    }
    let [open, locked] = packers;
    for (packer, name, password) in [(open, "base.cbv", None), (locked, "base.cbz", Some("key"))] {
        let mut bytes = Vec::new();
        packer.finish(&mut bytes, password).expect("an archive");
        fs::write(folder.path().join(name), bytes).expect("a file");
    }
    folder
}

#[test]
fn archives_and_databases_are_converted_alike() {
    let folder = folder();
    let plain = run(folder.path(), &["convert", "base.cbh"]);
    assert!(text(&plain.stdout).ends_with("\n\n1. e4 *\n\n"));
    let said = text(&plain.stderr);
    assert!(
        said.contains("base.cbh: the .cbp file is missing"),
        "{said}"
    );
    let counts = "2 games read = 1 written + 0 refused + 0 filtered + 1 deleted";
    assert!(said.contains(counts), "{said}");
    let others = "1 texts and other entries read = 0 written + 1 refused";
    assert!(said.contains(others), "{said}");
    for args in [
        &["convert", "base.cbv"][..],
        &["convert", "base.cbz", "--password", "key"],
    ] {
        assert_eq!(text(&run(folder.path(), args).stdout), text(&plain.stdout));
    }
    let all = run(folder.path(), &["convert", "base.cbh", "--deleted"]);
    assert_eq!(text(&all.stdout).matches("1. e4").count(), 2);
}

#[test]
fn check_finds_that_files_are_missing() {
    let folder = folder();
    let checked = run(folder.path(), &["check", "base.cbh"]);
    assert_eq!(checked.status.code(), Some(1));
    let said = text(&checked.stdout);
    assert!(!said.contains("nothing wrong\n"), "{said}");
}

#[test]
fn damage_of_a_text_is_found_and_named() {
    let folder = folder();
    for (base, moves, damage) in [
        ("whole.cbh", "whole.cbg", "a text that cannot be read"),
        (
            "whole.2cbh",
            "whole.2cbg",
            "the checksum does not fit the content",
        ),
    ] {
        run(folder.path(), &["convert", "base.cbh", "-o", base]);
        let sound = run(folder.path(), &["check", base]);
        assert_eq!(sound.status.code(), Some(0), "{}", text(&sound.stdout));
        let moves = folder.path().join(moves);
        let mut bytes = fs::read(&moves).expect("a file");
        let words = bytes.windows(5).position(|it| it == b"Hello");
        let words = words.expect("the text");
        match base {
            "whole.2cbh" => bytes[words] ^= 1,
            _ => bytes.truncate(words),
        }
        fs::write(&moves, bytes).expect("a file");
        let checked = run(folder.path(), &["check", base]);
        assert_eq!(checked.status.code(), Some(1), "{base}");
        let said = text(&checked.stdout);
        let finding = format!("in game 2: {damage}");
        assert!(said.contains(&finding), "{base}: {said}");
        assert!(said.contains("damaged; the games have no errors"), "{said}");
        let pgn = run(folder.path(), &["convert", base, "-o", "games.pgn"]);
        assert_eq!(pgn.status.code(), Some(1), "{base}");
        assert!(text(&pgn.stderr).contains(damage), "{}", text(&pgn.stderr));
        let strict = ["convert", base, "-o", "strict.pgn", "--strict"];
        let strict = run(folder.path(), &strict);
        assert_ne!(strict.status.code(), Some(0), "{base}");
        assert!(!folder.path().join("strict.pgn").exists(), "{base}");
        // As it is it may stay with its own kind, but that is said.
        let copy = format!("copy-{base}");
        let copied = run(folder.path(), &["convert", base, "-o", &copy]);
        assert_eq!(copied.status.code(), Some(1), "{base}");
        let said = text(&copied.stderr);
        assert!(said.contains("1 written + 0 refused"), "{base}: {said}");
    }
}

#[test]
fn an_archive_with_a_password_asks_for_it() {
    let folder = folder();
    let locked = run(folder.path(), &["info", "base.cbz"]);
    assert_eq!(locked.status.code(), Some(2));
    assert!(text(&locked.stderr).contains("base.cbz needs a password: say --password"));
    let wrong = run(folder.path(), &["info", "base.cbz", "--password", "x"]);
    assert!(text(&wrong.stderr).contains("the password is wrong"));
}

#[test]
fn archives_are_unpacked() {
    let folder = folder();
    let unpacked = run(folder.path(), &["unpack", "base.cbv", "out"]);
    assert_eq!(
        unpacked.status.code(),
        Some(0),
        "{}",
        text(&unpacked.stderr)
    );
    for (name, bytes) in database() {
        let file = fs::read(folder.path().join("out").join(name)).expect("a file");
        assert_eq!(file, bytes, "{name}");
    }
    let again = run(folder.path(), &["unpack", "base.cbv", "out"]);
    assert_eq!(again.status.code(), Some(2));
    let forced = run(folder.path(), &["unpack", "base.cbv", "out", "--force"]);
    assert_eq!(forced.status.code(), Some(0));
}

#[test]
fn texts_become_files_with_safe_names() {
    let folder = folder();
    let args = ["convert", "base.cbh", "--texts", "texts", "-o", "out.pgn"];
    let run = run(folder.path(), &args);
    let said = text(&run.stderr);
    assert!(
        said.contains("2 games read = 1 written + 0 refused"),
        "{said}"
    );
    assert!(
        said.contains("entries read = 1 written + 0 refused"),
        "{said}"
    );
    let file = folder.path().join("texts/0001 Preface 1.en.html");
    let html = fs::read_to_string(file).expect("a text");
    assert_eq!(html, "<html><body>Hello</body></html>");
}

#[test]
fn a_dump_explains_header_and_moves() {
    let folder = folder();
    let dump = run(folder.path(), &["dump", "base.cbh", "--game", "2"]);
    let out = text(&dump.stdout);
    assert!(
        out.contains("a game, deleted") && out.contains("1. e4"),
        "{out}"
    );
}

/// Whether a command succeeds, or what it says.
#[track_caller]
fn fine(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn databases_and_archives_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let game = |move_: &str| format!("[White \"Tal, Mikhail\"]\n\n{move_} *\n");
    fs::write(path.join("one.pgn"), game("1. e4 {best by test}")).expect("a file");
    fs::write(path.join("two.pgn"), game("1. d4")).expect("a file");
    fine(&run(path, &["convert", "one.pgn", "-o", "my.cbh"]));
    fine(&run(
        path,
        &["convert", "two.pgn", "-o", "my.cbh", "--append"],
    ));
    fine(&run(
        path,
        &["convert", "one.pgn", "two.pgn", "-o", "my.cbv"],
    ));
    let [database, archive] = ["my.cbh", "my.cbv"].map(|name| run(path, &["convert", name]));
    fine(&database);
    assert!(text(&database.stdout).contains("1. e4 {best by test}"));
    assert!(text(&database.stdout).contains("1. d4"));
    assert_eq!(text(&database.stdout), text(&archive.stdout));
    for (args, message) in [
        (
            &["convert", "one.pgn", "-o", "my.cbv", "--append"][..],
            "nothing can be appended to chessbase:archive",
        ),
        (
            &["convert", "one.pgn", "-o", "my.cbz"],
            "my.cbz needs a password: say --password",
        ),
        (
            &["convert", "one.pgn", "-o", "my.cbh.gz"],
            "my.cbh.gz: chessbase:cbh cannot be compressed by gzip",
        ),
        (
            &["convert", "one.pgn", "--to", "chessbase"],
            "as in -o games.cbh",
        ),
    ] {
        let refused = run(path, args);
        assert_eq!(refused.status.code(), Some(2), "{args:?}");
        let said = text(&refused.stderr);
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn texts_go_from_database_to_database() {
    let folder = folder();
    // Its names are missing, which is no reason to lose the text.
    let copied = run(
        folder.path(),
        &["convert", "base.cbh", "--deleted", "-o", "copy.cbh"],
    );
    let said = text(&copied.stderr);
    assert!(said.contains("2 games read = 2 written"), "{said}");
    assert!(
        said.contains("1 texts and other entries read = 1 written"),
        "{said}"
    );
    let args = ["convert", "copy.cbh", "--texts", "texts", "-o", "out.pgn"];
    fine(&run(folder.path(), &args));
    let file = folder.path().join("texts/0001 Preface 1.en.html");
    let html = fs::read_to_string(file).expect("a text");
    assert_eq!(html, "<html><body>Hello</body></html>");
}

#[test]
fn a_packed_database_comes_out_as_it_was() {
    let folder = folder();
    let path = folder.path();
    fs::create_dir(path.join("base.html")).expect("a folder");
    fs::write(path.join("base.html/board.gif"), "a picture").expect("a file");
    fs::write(path.join("base.cbb"), "made anew").expect("a file");
    // Its names are missing, which is said; what is there is packed.
    for args in [
        &["pack", "base.cbh", "-o", "out.cbv"][..],
        &["pack", "base.cbh", "-o", "out.cbz", "--password", "key"],
    ] {
        let packed = run(path, args);
        assert_eq!(packed.status.code(), Some(1), "{args:?}");
        assert!(text(&packed.stderr).contains("the .cbp file is missing"));
    }
    for (archive, password) in [("out.cbv", &[][..]), ("out.cbz", &["--password", "key"])] {
        let to = format!("{archive}.d");
        fine(&run(path, &[&["unpack", archive, &to], password].concat()));
        for (name, bytes) in database() {
            let file = fs::read(path.join(&to).join(name)).expect("a file");
            assert_eq!(file, bytes, "{name}");
        }
        let picture = fs::read(path.join(&to).join("base.html/board.gif"));
        assert_eq!(picture.expect("a file"), b"a picture");
        assert!(!path.join(&to).join("base.cbb").exists());
    }
    for (args, message) in [
        (
            &["pack", "base.cbh", "-o", "x.cbz"][..],
            "x.cbz needs a password: say --password",
        ),
        (
            &["pack", "base.cbh", "-o", "base.cbg"],
            "the archive would replace base.cbg",
        ),
        (&["pack", "nothing.cbh", "-o", "x.cbv"], "nothing.cbh"),
    ] {
        let refused = run(path, args);
        assert_eq!(refused.status.code(), Some(2), "{args:?}");
        let said = text(&refused.stderr);
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn a_whole_database_is_packed_without_a_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    fs::write(path.join("one.pgn"), "1. e4 *\n").expect("a file");
    fine(&run(path, &["convert", "one.pgn", "-o", "one.cbh"]));
    let packed = run(path, &["pack", "one.cbh", "-o", "one.cbv"]);
    fine(&packed);
    assert_eq!(text(&packed.stderr), "");
}

#[test]
fn the_newer_family_is_written_packed_and_told_from_the_classic_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = "[White \"Tal, Mikhail\"]\n[Result \"1-0\"]\n\n1. e4 {best} e5 (1... c5) 1-0\n";
    fs::write(folder.path().join("games.pgn"), pgn).expect("a file");
    let tabiya = |args: &[&str]| {
        let done = run(folder.path(), args);
        assert!(done.status.success(), "{args:?}: {}", text(&done.stderr));
        text(&done.stdout)
    };
    tabiya(&["convert", "games.pgn", "-o", "games.2cbh"]);
    tabiya(&["convert", "games.2cbh", "-o", "games.cbh"]);
    tabiya(&["pack", "games.2cbh", "-o", "games.2cbv"]);
    tabiya(&["unpack", "games.2cbv", "unpacked"]);
    let plain = tabiya(&["convert", "games.2cbh"]);
    assert!(
        plain.contains("1. e4 {best} 1... e5 (1... c5) 1-0"),
        "{plain}"
    );
    for (name, profile) in [
        ("games.2cbh", "chessbase:2cbh"),
        ("games.2lid", "chessbase:2cbh"),
        ("games.2cbv", "chessbase:2cbv"),
        ("games.cbh", "chessbase:cbh"),
        ("unpacked/games.2cbh", "chessbase:2cbh"),
    ] {
        let said = tabiya(&["info", name]);
        assert!(said.contains(&format!("({profile})")), "{name}: {said}");
        assert_eq!(tabiya(&["convert", name]), plain, "{name}");
    }
    let refused = run(folder.path(), &["pack", "games.2cbh", "-o", "games.cbv"]);
    assert!(text(&refused.stderr).contains("is packed into a .2cbv"));
}
