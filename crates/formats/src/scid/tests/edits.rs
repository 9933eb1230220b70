//! Databases that are changed where they are.

use std::{fs, path::PathBuf};

use super::*;
use crate::scid::{Editor, compact, files::PENDING};

fn record(version: Version, pgn: &str) -> NewGames {
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

#[test]
fn only_one_changes_a_database_and_others_may_read_it() {
    let folder = tempfile::tempdir().unwrap();
    for version in VERSIONS {
        let path = three(&folder, version);
        let mut editor = Editor::open(&path).unwrap();
        editor.delete(1).unwrap();
        let refused = [
            Editor::open(&path).err(),
            compact(&path).err(),
            Builder::append(version, &path).err(),
            Builder::create(version, &path).err(),
        ];
        for error in refused {
            let message = error.unwrap().to_string();
            assert!(
                message.contains("is being changed by another program"),
                "{message}"
            );
        }
        assert_eq!(whites(&path), ["a", "b", "c"]);
        editor.commit().unwrap();
        compact(&path).unwrap();
        assert_eq!(whites(&path), ["b", "c"]);
        let kinds = |path: PathBuf| path.extension().unwrap().to_str().unwrap()[..2].to_string();
        let mut left: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| kinds(entry.unwrap().path()))
            .collect();
        left.sort();
        left.dedup();
        assert_eq!(left, ["sg", "si", "sn"]);
    }
}

/// What is added would stand where the lost games are looked for.
#[test]
fn a_database_that_is_cut_off_is_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    for version in VERSIONS {
        let path = three(&folder, version);
        let games = path.with_extension(format!("sg{}", version.digit()));
        let whole = fs::read(&games).unwrap();
        fs::write(&games, &whole[..whole.len() - 1]).unwrap();
        for error in [
            Editor::open(&path).err(),
            Builder::append(version, &path).err(),
            compact(&path).err(),
        ] {
            let message = error.unwrap().to_string();
            assert!(message.starts_with("game 3: "), "{message}");
        }
        assert_eq!(fs::read(&games).unwrap(), whole[..whole.len() - 1]);
    }
}

/// A game that is as long as it has to be, so that records move when others go.
fn numbered(version: Version, number: usize) -> NewGames {
    let name = "x".repeat(number % 7);
    record(
        version,
        &format!("[White \"{number}{name}\"]\n[Foo \"{name}\"]\n\n1. e4 {{{number}}} *"),
    )
}

#[test]
fn who_reads_while_others_compact_gets_one_state_or_the_other() {
    for version in VERSIONS {
        let folder = tempfile::tempdir().unwrap();
        let path = three(&folder, version);
        let done = std::sync::atomic::AtomicBool::new(false);
        let is_done = || done.load(std::sync::atomic::Ordering::Relaxed);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for number in 0..150 {
                    let mut editor = Editor::open(&path).unwrap();
                    editor.delete(1).unwrap();
                    editor.append(&numbered(version, number)).unwrap();
                    editor.commit().unwrap();
                    compact(&path).unwrap();
                }
                done.store(true, std::sync::atomic::Ordering::Relaxed);
            });
            let mut count = 0;
            while !is_done() {
                let found = read(&mut open(&path)).all;
                assert_eq!(found.len(), 3);
                for game in &found {
                    assert_eq!(game.state, tabiya_game::GameState::Complete);
                    let white = game.tags.get("White").unwrap();
                    let comment = game.items.iter().find_map(|item| match item {
                        tabiya_game::Item::Comment { text, .. } => Some(text.as_str()),
                        _ => None,
                    });
                    let expected = comment.unwrap_or(white);
                    assert_eq!(white.trim_end_matches('x'), expected);
                }
                count += 1;
            }
            assert!(count > 10, "{count}");
        });
    }
}

/// Other programs do not know of the lock. What they added stays, and the change is refused.
#[test]
fn a_database_that_others_changed_meanwhile_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    for version in VERSIONS {
        let path = three(&folder, version);
        let mut editor = Editor::open(&path).unwrap();
        editor.append(&record(version, "1. e4 *")).unwrap();
        let games = path.with_extension(format!("sg{}", version.digit()));
        let longer = [fs::read(&games).unwrap(), b"theirs".to_vec()].concat();
        fs::write(&games, &longer).unwrap();
        let error = editor.commit().unwrap_err().to_string();
        assert!(error.ends_with("changed by another program in the meantime"));
        assert_eq!(fs::read(&games).unwrap(), longer);
        assert_eq!(whites(&path), ["a", "b", "c"]);
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

#[test]
fn games_of_one_version_have_no_place_in_another() {
    for [one, other] in [[Version::Si4, Version::Si5], [Version::Si5, Version::Si4]] {
        let folder = tempfile::tempdir().unwrap();
        let path = named(&folder, one);
        write(one, &path, &parse("1. e4 *"));
        let game = record(other, "1. d4 *");
        let mut editor = Editor::open(&path).unwrap();
        for refused in [editor.append(&game), editor.replace(1, &game)] {
            let error = refused.unwrap_err();
            assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput, "{error}");
        }
    }
}
