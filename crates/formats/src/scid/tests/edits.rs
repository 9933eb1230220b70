//! Databases that are changed where they are.

use std::{fs, path::PathBuf};

use super::*;
use crate::scid::{Editor, compact, files::PENDING};

fn record(version: Version, pgn: &str) -> Vec<u8> {
    let mut writer = Writer::new(version);
    parse(pgn)[0].tell(&mut writer);
    writer.take()
}

fn whites(path: &Path) -> Vec<String> {
    let all = read(&mut open(path)).all;
    let white = |tree: &GameTree| tree.tags.get("White").unwrap_or_default().to_string();
    all.iter().map(white).collect()
}

fn three(folder: &tempfile::TempDir, version: Version) -> PathBuf {
    let path = named(folder, version);
    let games = parse(
        "[White \"a\"]\n\n1. e4 *\n\n[White \"b\"]\n\n1. d4 *\n\n[White \"c\"]\n\n1. c4 c5 *",
    );
    write(version, &path, &games);
    path
}

/// The bytes of the three files.
fn files(path: &Path, version: Version) -> [Vec<u8>; 3] {
    let digit = version.digit();
    ["si", "sn", "sg"].map(|kind| fs::read(path.with_extension(format!("{kind}{digit}"))).unwrap())
}

#[test]
fn games_are_added_replaced_deleted_and_brought_back() {
    let folder = tempfile::tempdir().unwrap();
    for version in VERSIONS {
        let path = three(&folder, version);
        let mut editor = Editor::open(&path).unwrap();
        editor
            .replace(2, &record(version, "[White \"B\"]\n\n1. d4 d5 2. c4 *"))
            .unwrap();
        editor
            .append(&record(version, "[White \"d\"]\n\n*"))
            .unwrap();
        editor.delete(1).unwrap();
        assert!(editor.delete(4).is_err());
        assert!(editor.replace(0, &record(version, "*")).is_err());
        assert_eq!(whites(&path), ["a", "b", "c"]);
        editor.commit().unwrap();
        assert_eq!(whites(&path), ["B", "c", "d"]);
        assert_eq!(open(&path).entry(2).unwrap().plies, 3);
        let mut editor = Editor::open(&path).unwrap();
        editor.undelete(1).unwrap();
        editor.commit().unwrap();
        assert_eq!(whites(&path), ["a", "B", "c", "d"]);
    }
}

#[test]
fn appending_gives_the_same_as_writing_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for version in VERSIONS {
        let path = three(&folder, version);
        let once = files(&path, version);
        let games = parse(
            "[White \"a\"]\n\n1. e4 *\n\n[White \"b\"]\n\n1. d4 *\n\n[White \"c\"]\n\n1. c4 c5 *",
        );
        fs::remove_file(&path).unwrap();
        for game in &games {
            let mut writer = Writer::new(version);
            game.tell(&mut writer);
            let mut builder = Builder::append(version, &path).unwrap();
            builder.add(&writer.take()).unwrap();
            builder.finish().unwrap();
        }
        assert_eq!(files(&path, version), once);
    }
}

#[test]
fn a_builder_that_is_dropped_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for version in VERSIONS {
        let path = three(&folder, version);
        let before = files(&path, version);
        let mut builder = Builder::create(version, &path).unwrap();
        builder.add(&record(version, "*")).unwrap();
        drop(builder);
        let mut editor = Editor::open(&path).unwrap();
        editor.append(&record(version, "*")).unwrap();
        drop(editor);
        assert_eq!(files(&path, version), before);
    }
}

#[test]
fn compacting_keeps_the_games_and_drops_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    for version in VERSIONS {
        let path = three(&folder, version);
        let mut editor = Editor::open(&path).unwrap();
        editor
            .replace(3, &record(version, "[White \"x\"]\n\n1. e4 *"))
            .unwrap();
        editor.delete(1).unwrap();
        editor.commit().unwrap();
        let done = compact(&path).unwrap();
        assert_eq!((done.games, done.deleted), (2, 1));
        assert!(done.bytes > 0);
        assert_eq!(whites(&path), ["b", "x"]);
        let fresh = named(&folder, version).with_file_name(format!("fresh.si{}", version.digit()));
        let games = read(&mut open(&path)).all;
        write(version, &fresh, &games);
        assert_eq!(files(&path, version), files(&fresh, version));
    }
}

/// Each step of a change is stopped at; whatever has been done by then, the database is whole.
#[test]
fn at_every_step_of_an_edit_the_database_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    for version in VERSIONS {
        let path = three(&folder, version);
        let old = files(&path, version);
        let mut editor = Editor::open(&path).unwrap();
        editor
            .replace(1, &record(version, "[White \"z\"]\n\n1. e4 e5 *"))
            .unwrap();
        editor.commit().unwrap();
        let new = files(&path, version);
        let digit = version.digit();
        let put = |kind: &str, bytes: &[u8]| {
            fs::write(path.with_extension(format!("{kind}{digit}")), bytes).unwrap();
        };
        put("si", &old[0]);
        // Half of the new records are there, then all, then the names, then the index.
        for length in old[2].len()..=new[2].len() {
            put("sg", &new[2][..length]);
            put("sn", &old[1]);
            assert_eq!(whites(&path), ["a", "b", "c"]);
        }
        put("sn", &new[1]);
        assert_eq!(whites(&path), ["a", "b", "c"]);
        put("si", &new[0]);
        assert_eq!(whites(&path), ["z", "b", "c"]);
    }
}

/// The same for files that are made anew: before the new index is there the old state counts,
/// after it the new one, under whatever names its files are.
#[test]
fn at_every_step_of_a_renewal_the_database_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    for version in VERSIONS {
        let path = three(&folder, version);
        let old = files(&path, version);
        write(version, &path, &parse("[White \"new\"]\n\n1. Nf3 *"));
        let new = files(&path, version);
        let digit = version.digit();
        let name = |kind: &str| path.with_extension(format!("{kind}{digit}"));
        let waiting = |kind: &str| path.with_extension(format!("{kind}{digit}{PENDING}"));
        for (kind, bytes) in ["si", "sn", "sg"].into_iter().zip(&old) {
            fs::write(name(kind), bytes).unwrap();
        }
        for (kind, bytes, expected) in [
            ("sg", &new[2], &["a", "b", "c"][..]),
            ("sn", &new[1], &["a", "b", "c"]),
            ("si", &new[0], &["new"]),
        ] {
            fs::write(waiting(kind), bytes).unwrap();
            assert_eq!(whites(&path), expected);
        }
        for kind in ["sg", "sn", "si"] {
            fs::rename(waiting(kind), name(kind)).unwrap();
            assert_eq!(whites(&path), ["new"]);
        }
    }
}

#[test]
fn files_keep_their_names_in_whatever_case() {
    let folder = tempfile::tempdir().unwrap();
    let path = three(&folder, Version::Si4);
    fs::rename(path.with_extension("sg4"), path.with_extension("SG4")).unwrap();
    let mut editor = Editor::open(&path).unwrap();
    editor.delete(1).unwrap();
    editor.commit().unwrap();
    compact(&path).unwrap();
    assert_eq!(whites(&path), ["b", "c"]);
    write(Version::Si4, &path, &parse("[White \"x\"]\n\n*"));
    assert_eq!(whites(&path), ["x"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn old_databases_are_read_but_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = three(&folder, Version::Si4);
    let index = fs::read(&path).unwrap();
    let mut old = index[..128].to_vec();
    old[8..10].copy_from_slice(&300u16.to_be_bytes());
    for record in index[182..].chunks(47) {
        old.extend_from_slice(&record[..6]);
        old.extend_from_slice(&record[7..]);
    }
    fs::write(&path, old).unwrap();
    assert_eq!(open(&path).version(), Version::Si3);
    assert_eq!(whites(&path), ["a", "b", "c"]);
    assert!(Editor::open(&path).is_err());
}
