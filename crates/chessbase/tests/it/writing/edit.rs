//! Databases that are changed where they are.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tabiya_chessbase::{
    Database, ReadOptions,
    archive::{Archive, Existing, unpack},
    assembly::{ArchiveTarget, DatabaseTarget},
    edit,
    files::{FileKind, set::FileSet, stores::StoreHeader},
    writer::{RecordWriter, StoredEntry},
};
use tabiya_formats::pgn::Parser;
use tabiya_game::GameTree;

use super::{check_tables, reader};

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
[EventEndDate "1954.05.13"]
[WhiteTeam "Moscow"]
[GameTitle "A title"]
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
const LONG: &str = "[White \"Long, Peter\"]\n[Result \"*\"]\n\n\
    1. e4 {a comment that is longer than the other one} e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 \
    5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O *\n";

pub fn create(path: &Path) {
    let mut target = DatabaseTarget::create(path).expect("a place");
    target.add(&entries(GAMES)).expect("entries");
    target.finish().expect("a database");
}

fn trees(text: &str) -> Vec<GameTree> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.cbh");
    let mut target = DatabaseTarget::create(&path).expect("a place");
    target.add(&entries(text)).expect("entries");
    target.finish().expect("a database");
    reader::read(&path)
}

fn header(path: &Path, kind: FileKind) -> (StoreHeader, u64) {
    let files = FileSet::open(path).expect("a database");
    let bytes = files.get(kind).expect("a file");
    let header = StoreHeader::from_bytes(bytes).expect("a header");
    (header, bytes.len() as u64)
}

#[test]
fn appended_games_stand_behind_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.cbh");
    create(&path);
    let mut expected = reader::read(&path);
    assert_eq!(expected.len(), 3);
    // Out of date as soon as there is another game.
    fs::write(folder.path().join("games.cbb"), "x").expect("a file");
    assert_eq!(
        edit::append(&path, &entries(SHORT))
            .expect("a change")
            .entries,
        4
    );
    expected.extend(trees(SHORT));
    assert_eq!(reader::read(&path), expected);
    check_tables(&path);
    assert!(!folder.path().join("games.cbb").exists());
    let names = fs::read_dir(folder.path()).expect("a folder");
    assert_eq!(names.count(), 12, "no file is left over");
}

#[test]
fn files_keep_the_case_of_their_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("Games.CBH");
    create(&path);
    fs::rename(
        folder.path().join("Games.cbg"),
        folder.path().join("GAMES.CBG"),
    )
    .expect("a file");
    edit::append(&path, &entries(SHORT)).expect("a change");
    assert_eq!(reader::read(&path).len(), 4);
    assert!(folder.path().join("GAMES.CBG").exists());
    assert!(!folder.path().join("Games.cbg").exists());
}

#[test]
fn a_shorter_game_leaves_a_hole_and_a_longer_one_moves() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.cbh");
    create(&path);
    let mut expected = reader::read(&path);
    let (_, before) = header(&path, FileKind::Moves);
    edit::replace(&path, 1, &entries(SHORT)[0]).expect("a change");
    expected[0] = trees(SHORT).remove(0);
    assert_eq!(reader::read(&path), expected);
    check_tables(&path);
    let (moves, size) = header(&path, FileKind::Moves);
    assert_eq!(size, before);
    assert!(moves.wasted > 0);
    let hole = moves.wasted;
    edit::replace(&path, 2, &entries(LONG)[0]).expect("a change");
    expected[1] = trees(LONG).remove(0);
    assert_eq!(reader::read(&path), expected);
    check_tables(&path);
    let (moves, size) = header(&path, FileKind::Moves);
    assert!(size > before && moves.wasted > hole);
    assert_eq!(u64::from(moves.size), size);
    let error = edit::replace(&path, 9, &entries(LONG)[0]).expect_err("no such game");
    assert_eq!(error.to_string(), "there is no game 9: the database has 3");
}

#[test]
fn deleted_games_go_when_the_database_is_compacted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.cbh");
    create(&path);
    let mut expected = reader::read(&path);
    edit::delete(&path, &[1, 3]).expect("a change");
    edit::undelete(&path, &[3]).expect("a change");
    expected[0].tags.push("ScidFlags", "D");
    assert_eq!(reader::read(&path), expected);
    edit::replace(&path, 2, &entries(LONG)[0]).expect("a change");
    expected[1] = trees(LONG).remove(0);
    assert_eq!(edit::compact(&path).expect("a change").entries, 2);
    assert_eq!(reader::read(&path), expected[1..]);
    check_tables(&path);
    let (moves, size) = header(&path, FileKind::Moves);
    assert_eq!((moves.wasted, u64::from(moves.size)), (0, size));
    let files = FileSet::open(&path).expect("a database");
    let players = files.tables().expect("tables").players.expect("players");
    // Tal, Botvinnik and Smyslov are gone.
    assert_eq!(players.len(), 4);
}

#[test]
fn the_best_games_stay_the_best() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.cbh");
    create(&path);
    let best = SHORT.replace("[Result", "[TopGame \"1\"]\n[Result");
    edit::append(&path, &entries(&best)).expect("a change");
    let top = || -> Vec<bool> {
        let mut games = reader::Entries::default();
        super::tell_database(&path, &mut games);
        let top = |game: &GameTree| game.tags.get("TopGame") == Some("1");
        games.0.iter().map(top).collect()
    };
    assert_eq!(top(), [false, false, false, true]);
    edit::append(&path, &entries(SHORT)).expect("a change");
    edit::replace(&path, 4, &entries(LONG)[0]).expect("a change");
    edit::delete(&path, &[2]).expect("a change");
    edit::compact(&path).expect("a change");
    assert_eq!(top(), [false, false, true, false]);
}

#[test]
fn a_new_database_takes_the_place_of_the_old_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.cbh");
    create(&path);
    fs::write(folder.path().join("games.flags"), "x").expect("a file");
    let mut target = DatabaseTarget::create(&path).expect("a place");
    target.add(&entries(SHORT)).expect("an entry");
    assert_eq!(reader::read(&path).len(), 3);
    target.finish().expect("a database");
    assert_eq!(reader::read(&path), trees(SHORT));
    assert!(!folder.path().join("games.flags").exists());
}

#[test]
fn an_archive_holds_the_database() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, password) in [("games.cbv", None), ("games.cbz", Some("secret"))] {
        let path = folder.path().join(name);
        let mut target = ArchiveTarget::create(&path, password).expect("a place");
        target.add(&entries(GAMES)).expect("entries");
        assert_eq!(target.finish().expect("an archive").entries, 3);
        let unpacked = tempfile::tempdir().expect("a folder");
        let mut archive = Archive::open_path(&path, password).expect("an archive");
        unpack(&mut archive, unpacked.path(), Existing::Keep).expect("files");
        let database = unpacked.path().join("games.cbh");
        check_tables(&database);
        assert_eq!(reader::read(&database), trees(GAMES));
    }
}

/// Copies the files of a database that somebody else wrote, and makes them writable.
fn copy(from: &Path, folder: &Path) -> PathBuf {
    let stem = from.file_stem().expect("a name");
    let beside = fs::read_dir(from.parent().expect("a folder")).expect("a folder");
    for entry in beside.map(|entry| entry.expect("an entry").path()) {
        if entry.file_stem() == Some(stem) && entry.is_file() {
            let to = folder.join(entry.file_name().expect("a name"));
            fs::write(to, fs::read(&entry).expect("a file")).expect("a file");
        }
    }
    folder.join(from.file_name().expect("a name"))
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn real_databases_grow_shrink_and_lose_nothing() {
    let Some(data) = super::data::find("") else {
        return;
    };
    for (path, files) in super::databases(&data) {
        if files.missing().next().is_some() {
            continue;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let path = copy(&path, folder.path());
        let database = Database::open(&path, ReadOptions::default()).expect("a database");
        if !database.warnings().is_empty() {
            // Of one that lacks something nobody knows what else it had.
            assert!(edit::append(&path, &entries(SHORT)).is_err());
            continue;
        }
        let old = reader::read(&path);
        let count = files.tables().expect("tables").headers.len();
        let written = edit::append(&path, &entries(SHORT)).expect("a change");
        assert_eq!(written.entries, count + 1, "{}", path.display());
        let grown = reader::read(&path);
        assert_eq!(grown[..old.len()], old, "{}", path.display());
        assert_eq!(grown[old.len()..], trees(SHORT), "{}", path.display());
        edit::delete(&path, &[count + 1]).expect("a change");
        let written = edit::compact(&path).expect("a change");
        assert!(written.entries <= count, "{}", path.display());
        check_tables(&path);
        let compacted = reader::read(&path);
        let deleted = count - written.entries;
        assert_eq!(compacted.len() + deleted as usize, old.len());
        if deleted == 0 {
            assert_eq!(compacted, old, "{}", path.display());
        }
    }
}

/// What is added would stand where the lost games are looked for, and a copy would look whole.
#[test]
fn a_database_that_is_cut_off_is_not_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.cbh");
    create(&path);
    let moves = path.with_extension("cbg");
    let whole = fs::read(&moves).expect("a file");
    fs::write(&moves, &whole[..whole.len() - 5]).expect("a file");
    let changes = [
        edit::append(&path, &entries(SHORT)),
        edit::replace(&path, 1, &entries(SHORT)[0]),
        edit::delete(&path, &[1]),
        edit::compact(&path),
    ];
    for change in changes {
        let error = change.expect_err("damage").to_string();
        assert!(error.starts_with("the .cbg file is cut off"), "{error}");
    }
    assert_eq!(fs::read(&moves).expect("a file"), whole[..whole.len() - 5]);
}

#[test]
fn compacting_does_not_forget_that_a_record_is_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.cbh");
    create(&path);
    let mut headers = fs::read(&path).expect("a file");
    // Where the second game has its moves, and the first its annotations.
    for (place, lost) in [(2 * 46 + 3, ".cbg"), (46 + 7, ".cba")] {
        let old = headers[place];
        headers[place] = 0xff;
        fs::write(&path, &headers).expect("a file");
        let error = edit::compact(&path).expect_err("damage").to_string();
        assert!(error.contains(lost), "{error}");
        assert!(error.starts_with("game "), "{error}");
        headers[place] = old;
        fs::write(&path, &headers).expect("a file");
    }
    assert_eq!(edit::compact(&path).expect("a change").entries, 3);
}
