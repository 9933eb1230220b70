//! ChessBase databases and archives on the command line.

use std::fs;

use tabiya_chessbase::{
    archive::Packer,
    encoding::TextCodec,
    files::{
        header::{EntryKind, FileHeader, GameRecord, TextRecord},
        stores::StoreHeader,
    },
    text::GuidingText,
};

use crate::room::Room;

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

fn folder() -> Room {
    let room = Room::new();
    let mut packers = [Packer::new(), Packer::new()];
    for (name, bytes) in database() {
        room.write(name, &bytes);
        for packer in &mut packers {
            packer.add(name, None, &bytes[..]).expect("a member");
        }
    }
    let [open, locked] = packers;
    for (packer, name, password) in [(open, "base.cbv", None), (locked, "base.cbz", Some("key"))] {
        let mut bytes = Vec::new();
        packer.finish(&mut bytes, password).expect("an archive");
        room.write(name, bytes);
    }
    room
}

#[test]
fn archives_and_databases_are_converted_alike() {
    let room = folder();
    let plain = room.run(&["convert", "base.cbh"]);
    assert!(plain.out.ends_with("\n\n1. e4 *\n\n"));
    let said = plain.err;
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
        assert_eq!(room.run(args).out, plain.out);
    }
    let all = room.run(&["convert", "base.cbh", "--deleted"]);
    assert_eq!(all.out.matches("1. e4").count(), 2);
}

#[test]
fn check_finds_that_files_are_missing() {
    let room = folder();
    let checked = room.run(&["check", "base.cbh"]);
    assert_eq!(checked.code, 1);
    let said = checked.out;
    assert!(!said.contains("nothing wrong\n"), "{said}");
}

#[test]
fn damage_of_a_text_is_found_and_named() {
    let room = folder();
    for (base, moves, damage) in [
        ("whole.cbh", "whole.cbg", "a text that cannot be read"),
        (
            "whole.2cbh",
            "whole.2cbg",
            "the checksum does not fit the content",
        ),
    ] {
        room.run(&["convert", "base.cbh", "-o", base]);
        let sound = room.run(&["check", base]);
        assert_eq!(sound.code, 0, "{}", sound.out);
        let moves = room.path(moves);
        let mut bytes = fs::read(&moves).expect("a file");
        let words = bytes.windows(5).position(|it| it == b"Hello");
        let words = words.expect("the text");
        match base {
            "whole.2cbh" => bytes[words] ^= 1,
            _ => bytes.truncate(words),
        }
        fs::write(&moves, bytes).expect("a file");
        let checked = room.run(&["check", base]);
        assert_eq!(checked.code, 1, "{base}");
        let said = checked.out;
        let finding = format!("in game 2: {damage}");
        assert!(said.contains(&finding), "{base}: {said}");
        assert!(said.contains("damaged; the games have no errors"), "{said}");
        let pgn = room.run(&["convert", base, "-o", "games.pgn"]);
        assert_eq!(pgn.code, 1, "{base}");
        assert!(pgn.err.contains(damage), "{}", pgn.err);
        let strict = ["convert", base, "-o", "strict.pgn", "--strict"];
        let strict = room.run(&strict);
        assert_ne!(strict.code, 0, "{base}");
        assert!(!room.path("strict.pgn").exists(), "{base}");
        // As it is it may stay with its own kind, but that is said.
        let copy = format!("copy-{base}");
        let copied = room.run(&["convert", base, "-o", &copy]);
        assert_eq!(copied.code, 1, "{base}");
        let said = copied.err;
        assert!(said.contains("1 written + 0 refused"), "{base}: {said}");
    }
}

#[test]
fn an_archive_with_a_password_asks_for_it() {
    let room = folder();
    let locked = room.run(&["info", "base.cbz"]);
    assert_eq!(locked.code, 2);
    assert!(
        locked
            .err
            .contains("base.cbz needs a password: say --password")
    );
    let wrong = room.run(&["info", "base.cbz", "--password", "x"]);
    assert!(wrong.err.contains("the password is wrong"));
}

#[test]
fn archives_are_unpacked() {
    let room = folder();
    let unpacked = room.run(&["unpack", "base.cbv", "out"]);
    assert_eq!(unpacked.code, 0, "{}", unpacked.err);
    for (name, bytes) in database() {
        let file = fs::read(room.path("out").join(name)).expect("a file");
        assert_eq!(file, bytes, "{name}");
    }
    let again = room.run(&["unpack", "base.cbv", "out"]);
    assert_eq!(again.code, 2);
    let forced = room.run(&["unpack", "base.cbv", "out", "--force"]);
    assert_eq!(forced.code, 0);
}

#[test]
fn texts_become_files_with_safe_names() {
    let room = folder();
    let args = ["convert", "base.cbh", "--texts", "texts", "-o", "out.pgn"];
    let said = room.run(&args).err;
    assert!(
        said.contains("2 games read = 1 written + 0 refused"),
        "{said}"
    );
    assert!(
        said.contains("entries read = 1 written + 0 refused"),
        "{said}"
    );
    let file = room.path("texts/0001 Preface 1.en.html");
    let html = fs::read_to_string(file).expect("a text");
    assert_eq!(html, "<html><body>Hello</body></html>");
}

#[test]
fn a_dump_explains_header_and_moves() {
    let room = folder();
    let dump = room.run(&["dump", "base.cbh", "--game", "2"]);
    let out = dump.out;
    assert!(
        out.contains("a game, deleted") && out.contains("1. e4"),
        "{out}"
    );
}

#[test]
fn databases_and_archives_are_written() {
    let room = Room::new();
    let game = |move_: &str| format!("[White \"Tal, Mikhail\"]\n\n{move_} *\n");
    room.write("one.pgn", game("1. e4 {best by test}"));
    room.write("two.pgn", game("1. d4"));
    room.run(&["convert", "one.pgn", "-o", "my.cbh"]).ends(0);
    room.run(&["convert", "two.pgn", "-o", "my.cbh", "--append"])
        .ends(0);
    room.run(&["convert", "one.pgn", "two.pgn", "-o", "my.cbv"])
        .ends(0);
    let [database, archive] = ["my.cbh", "my.cbv"].map(|name| room.run(&["convert", name]));
    assert_eq!(database.code, 0, "{}", database.err);
    assert!(database.out.contains("1. e4 {best by test}"));
    assert!(database.out.contains("1. d4"));
    assert_eq!(database.out, archive.out);
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
        let refused = room.run(args);
        assert_eq!(refused.code, 2, "{args:?}");
        let said = refused.err;
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn texts_go_from_database_to_database() {
    let room = folder();
    // Its names are missing, which is no reason to lose the text.
    let copied = room.run(&["convert", "base.cbh", "--deleted", "-o", "copy.cbh"]);
    let said = copied.err;
    assert!(said.contains("2 games read = 2 written"), "{said}");
    assert!(
        said.contains("1 texts and other entries read = 1 written"),
        "{said}"
    );
    let args = ["convert", "copy.cbh", "--texts", "texts", "-o", "out.pgn"];
    room.run(&args).ends(0);
    let file = room.path("texts/0001 Preface 1.en.html");
    let html = fs::read_to_string(file).expect("a text");
    assert_eq!(html, "<html><body>Hello</body></html>");
}

#[test]
fn a_packed_database_comes_out_as_it_was() {
    let room = folder();
    fs::create_dir(room.path("base.html")).expect("a folder");
    room.write("base.html/board.gif", "a picture");
    room.write("base.cbb", "made anew");
    // Its names are missing, which is said; what is there is packed.
    for args in [
        &["pack", "base.cbh", "-o", "out.cbv"][..],
        &["pack", "base.cbh", "-o", "out.cbz", "--password", "key"],
    ] {
        let packed = room.run(args);
        assert_eq!(packed.code, 1, "{args:?}");
        assert!(packed.err.contains("the .cbp file is missing"));
    }
    for (archive, password) in [("out.cbv", &[][..]), ("out.cbz", &["--password", "key"])] {
        let to = format!("{archive}.d");
        room.run(&[&["unpack", archive, &to], password].concat())
            .ends(0);
        for (name, bytes) in database() {
            let file = fs::read(room.path(&to).join(name)).expect("a file");
            assert_eq!(file, bytes, "{name}");
        }
        let picture = fs::read(room.path(&to).join("base.html/board.gif"));
        assert_eq!(picture.expect("a file"), b"a picture");
        assert!(!room.path(&to).join("base.cbb").exists());
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
        let refused = room.run(args);
        assert_eq!(refused.code, 2, "{args:?}");
        let said = refused.err;
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn a_whole_database_is_packed_without_a_warning() {
    let room = Room::new();
    room.write("one.pgn", "1. e4 *\n");
    room.run(&["convert", "one.pgn", "-o", "one.cbh"]).ends(0);
    let packed = room.run(&["pack", "one.cbh", "-o", "one.cbv"]);
    assert_eq!(packed.code, 0, "{}", packed.err);
    assert_eq!(packed.err, "");
}

#[test]
fn the_newer_family_is_written_packed_and_told_from_the_classic_one() {
    let room = Room::new();
    let pgn = "[White \"Tal, Mikhail\"]\n[Result \"1-0\"]\n\n1. e4 {best} e5 (1... c5) 1-0\n";
    room.write("games.pgn", pgn);
    let tabiya = |args: &[&str]| {
        let done = room.run(args);
        assert!(done.code == 0, "{args:?}: {}", done.err);
        done.out
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
    let refused = room.run(&["pack", "games.2cbh", "-o", "games.cbv"]);
    assert!(refused.err.contains("is packed into a .2cbv"));
}
