//! Databases that are changed where they are.

use std::{fs, path::Path};

use tabiya_chessbase::cbh2::{
    StoredEntry,
    assembly::DatabaseTarget,
    edit,
    frame::Frame,
    set::{FileKind, FileSet},
    writer::RecordWriter,
};
use tabiya_formats::{GameWriter as _, pgn::Parser};
use tabiya_game::GameTree;

use super::{games, indexes::check_indexes, read};

pub fn entries(text: &str) -> Vec<StoredEntry> {
    let mut writer = RecordWriter::default();
    let mut parser = Parser::new(text);
    let mut tree = GameTree::default();
    while parser.read_game(&mut tree) {
        tree.tell(&mut writer);
    }
    assert!(writer.take_losses().is_empty());
    writer.take()
}

pub const GAMES: &str = r#"
[Event "One"]
[White "Tal, Mikhail"]
[Black "Botvinnik, Mikhail"]
[Result "1-0"]

1. e4 {a comment} c6 2. d4 d5 3. Nc3 (3. e5 Bf5) 3... dxe4 4. Nxe4 1-0

[Event "Two"]
[White "Botvinnik, Mikhail"]
[Black "Smyslov, Vassily"]
[WhiteFideId "4100026"]
[EventEndDate "1954.05.13"]
[WhiteTeam "Moscow"]
[GameTitle "A title"]
[Board "3"]
[Result "1/2-1/2"]

1. d4 Nf6 {another} 2. c4 g6 1/2-1/2

[Event "Three"]
[White "Petrosian, Tigran"]
[Black "Spassky, Boris"]
[Annotator "Somebody"]
[Result "0-1"]

1. c4 e5 2. Nc3 Nf6 3. Nf3 Nc6 0-1
"#;

const SHORT: &str = "[White \"Short, Nigel\"]\n[Result \"*\"]\n\n1. e4 *\n";

/// Longer than all room that a record has to spare.
fn long() -> String {
    let back_and_forth = "Nf3 Nf6 Ng1 Ng8 ".repeat(40);
    format!(
        "[White \"Long, Peter\"]\n[Result \"*\"]\n\n{{{}}} {back_and_forth} *\n",
        "x".repeat(900)
    )
}

pub fn create(path: &Path) {
    let mut target = DatabaseTarget::create(path).expect("a place");
    target.add(&entries(GAMES)).expect("entries");
    target.finish().expect("a database");
}

fn trees(text: &str) -> Vec<GameTree> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.2cbh");
    let mut target = DatabaseTarget::create(&path).expect("a place");
    target.add(&entries(text)).expect("entries");
    target.finish().expect("a database");
    games(&path)
}

/// Records lie one behind the other, from the header to the end of the file.
pub fn check_frames(path: &Path) {
    let files = FileSet::open(path).expect("files");
    assert_eq!(files.warnings(), [""; 0]);
    for kind in [FileKind::Moves, FileKind::Annotations] {
        let file = files.get(kind).expect("a file");
        let mut at = 12;
        while at < file.len() {
            let frame = Frame::at(file, at as i64).expect("a frame");
            assert!(frame.is_sound());
            at += frame.size();
            assert_eq!(at % 8, 0, "{kind}");
        }
    }
}

#[test]
fn games_are_appended_behind_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.2cbh");
    create(&path);
    assert_eq!(edit::append(&path, &entries(SHORT)).expect("a change"), 4);
    let expected = [trees(GAMES), trees(SHORT)].concat();
    assert_eq!(games(&path), expected);
    check_frames(&path);
    check_indexes(&path);
}

#[test]
fn a_game_does_not_get_what_is_known_of_a_namesake() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.2cbh");
    let known = "[Event \"Open\"]\n[White \"Smith, John\"]\n[WhiteFideId \"123\"]\n\
                 [EventCategory \"7\"]\n[SourceTitle \"Book\"]\n[SourceQuality \"2\"]\n\
                 [GameTitle \"A game\"]\n[GameTitle_de \"Eine Partie\"]\n\n1. e4 *\n\n";
    let bare = "[Event \"Open\"]\n[White \"Smith, John\"]\n[SourceTitle \"Book\"]\n\
                [GameTitle \"A game\"]\n\n1. d4 *\n\n";
    let mut target = DatabaseTarget::create(&path).expect("a place");
    target.add(&entries(known)).expect("entries");
    target.finish().expect("a database");
    for game in [bare, known] {
        edit::append(&path, &entries(game)).expect("a change");
    }
    let expected = [trees(known), trees(bare), trees(known)].concat();
    assert_eq!(games(&path), expected);
    check_indexes(&path);
}

#[test]
fn a_game_takes_the_place_of_another_whatever_its_length() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.2cbh");
    for text in [SHORT, &long()] {
        for game in 1..=3 {
            create(&path);
            edit::replace(&path, game, &entries(text)[0]).expect("a change");
            let mut expected = trees(GAMES);
            expected[game as usize - 1] = trees(text).remove(0);
            assert_eq!(games(&path), expected);
            check_frames(&path);
            check_indexes(&path);
        }
    }
    let error = edit::replace(&path, 4, &entries(SHORT)[0]).expect_err("there are three");
    assert_eq!(error.to_string(), "there is no game 4: the database has 3");
}

#[test]
fn deleted_games_come_back_until_the_database_is_compacted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.2cbh");
    create(&path);
    edit::delete(&path, &[1, 3]).expect("a change");
    assert_eq!(games(&path), trees(GAMES)[1..2]);
    edit::undelete(&path, &[3]).expect("a change");
    assert_eq!(games(&path), trees(GAMES)[1..]);
    assert_eq!(edit::compact(&path).expect("a change"), 2);
    assert_eq!(games(&path), trees(GAMES)[1..]);
    check_frames(&path);
    check_indexes(&path);
}

#[test]
fn a_database_that_is_cut_off_is_not_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.2cbh");
    for extension in ["2cbg", "2cba", "2lid"] {
        create(&path);
        let file = path.with_extension(extension);
        let bytes = fs::read(&file).expect("a file");
        fs::write(&file, &bytes[..bytes.len() * 2 / 3]).expect("a file");
        let error = edit::append(&path, &entries(SHORT)).expect_err("it is cut off");
        assert!(error.to_string().contains("is cut off"), "{error}");
        assert_eq!(fs::read(&file).expect("a file").len(), bytes.len() * 2 / 3);
    }
}

#[test]
fn the_classic_database_of_the_same_name_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.2cbh");
    for extension in ["cbh", "ini", "cko", "flags"] {
        fs::write(path.with_extension(extension), extension).expect("a file");
    }
    create(&path);
    edit::append(&path, &entries(SHORT)).expect("a change");
    edit::delete(&path, &[1]).expect("a change");
    edit::compact(&path).expect("a change");
    for extension in ["cbh", "ini", "cko", "flags"] {
        let left = fs::read(path.with_extension(extension)).expect("it is there");
        assert_eq!(left, extension.as_bytes());
    }
    assert_eq!(read(&path).games.len(), 3);
}

#[test]
fn files_of_the_same_name_that_are_not_its_own_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.2cbh");
    let others =
        ["flags", "cbb", "cbm", "cit", "pgi", "ini", "jpg"].map(|it| path.with_extension(it));
    for other in &others {
        fs::write(other, "of somebody else").expect("a file");
    }
    for text in [GAMES, SHORT] {
        let mut target = DatabaseTarget::create(&path).expect("a place");
        target.add(&entries(text)).expect("entries are added");
        target.finish().expect("a database");
    }
    edit::delete(&path, &[1]).expect("a mark");
    assert_eq!(edit::compact(&path).expect("a database"), 0);
    for other in &others {
        assert!(other.exists(), "{}", other.display());
    }
}
