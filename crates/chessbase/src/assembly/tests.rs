//! What cannot be seen from outside: limits, and lists that are not what they should be.

use std::{ffi::OsStr, fs, io, path::Path};

use super::{
    AssemblyError, Builder, DatabaseTarget, Limits, Warning, Written,
    swap::{Change, Outdated, recover},
};
use crate::{files::FileKind, writer::RecordWriter, writer::StoredEntry};
use tabiya_formats::pgn::Parser;

fn entries(text: &str) -> Vec<u8> {
    let mut writer = RecordWriter::default();
    Parser::new(text).read_game(&mut writer);
    writer.take()
}

fn entry(text: &str) -> StoredEntry {
    StoredEntry::read(&entries(text)).expect("an entry").0
}

/// Adds games under limits.
fn build(limits: Limits, games: &[&str]) -> io::Result<Written> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut builder = Builder::with_limits(folder.path(), OsStr::new("games"), limits)?;
    for game in games {
        builder.add(entry(game))?;
    }
    builder.finish()
}

fn refusal(limits: Limits, games: &[&str]) -> String {
    let error = build(limits, games).expect_err("it is full");
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    error.to_string()
}

#[test]
fn limits_are_those_of_three_and_four_bytes() {
    let limits = Limits::default();
    assert_eq!((limits.entries, limits.names), (0xff_ffff, 0x100_0000));
    assert_eq!((limits.large, limits.file), (2 << 30, (4 << 30) - 1));
}

#[test]
fn no_more_games_than_there_are_numbers() {
    let limits = Limits {
        entries: 2,
        ..Limits::default()
    };
    assert_eq!(build(limits, &["1. e4 *", "1. d4 *"]).unwrap().entries, 2);
    assert_eq!(
        refusal(limits, &["1. e4 *", "1. d4 *", "1. c4 *"]),
        "the database is full: it has 2 games and texts"
    );
}

#[test]
fn no_more_names_than_there_are_numbers() {
    let limits = Limits {
        names: 2,
        ..Limits::default()
    };
    let players = ["[White \"A\"]\n[Black \"B\"]\n\n*"; 3];
    assert!(build(limits, &players).is_ok());
    for (tag, file) in [("White", "cbp"), ("Event", "cbt"), ("Annotator", "cbc")] {
        let games = ["A", "B", "C"].map(|name| format!("[{tag} \"{name}\"]\n\n*"));
        assert_eq!(
            refusal(limits, &games.each_ref().map(String::as_str)),
            format!("the database is full: its .{file} file has 2 names")
        );
    }
}

#[test]
fn large_files_come_with_a_warning_and_larger_ones_are_refused() {
    let game = "1. e4 {a comment} e5 *";
    let size = 26 + entry(game).moves.len() as u64;
    let limits = |large, file| Limits {
        large,
        file,
        ..Limits::default()
    };
    // The file of annotations is longer.
    let all = entry(game).annotations.len() as u64 + 26;
    assert!(all > size);
    let written = build(limits(size, all), &[game]).unwrap();
    let sizes = [(FileKind::Moves, size), (FileKind::Annotations, all)];
    let warnings = sizes.map(|(file, size)| Warning::Large { file, size });
    assert_eq!(written.warnings, warnings);
    assert_eq!(build(limits(all + 1, all), &[game]).unwrap().warnings, []);
    assert_eq!(
        refusal(limits(all, all - 1), &[game]),
        "the database is full: its .cba file cannot have more than 4 GiB"
    );
    assert_eq!(
        refusal(limits(all, size - 1), &[game]),
        "the database is full: its .cbg file cannot have more than 4 GiB"
    );
}

#[test]
fn a_warning_says_how_large_a_file_is() {
    let warning = Warning::Large {
        file: FileKind::Moves,
        size: 5 << 29,
    };
    assert_eq!(
        warning.to_string(),
        "the .cbg file has 2.5 GiB: some programs read no more than 2"
    );
}

fn create(path: &Path) {
    let mut target = DatabaseTarget::create(path).expect("a place");
    target.add(&entries("1. e4 *")).expect("an entry");
    target.finish().expect("a database");
}

#[test]
fn a_list_that_leads_elsewhere_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.cbh");
    create(&path);
    let staging = folder.path().join(".tabiya-x");
    fs::create_dir(&staging).expect("a folder");
    fs::write(staging.join("games.cbh"), "new").expect("a file");
    fs::write(folder.path().join("other.cbh"), "other").expect("a file");
    let list = folder.path().join(".games.tabiya-swap");
    for (line, text) in [
        (1, ""),
        (1, "tabiya swap 2\nfolder .tabiya-x\nend\n"),
        (2, "tabiya swap 1\nfolder ..\nend\n"),
        (2, "tabiya swap 1\nfolder .tabiya-/../x\nend\n"),
        (
            3,
            "tabiya swap 1\nfolder .tabiya-x\nput games.cbh\t../games.cbh\nend\n",
        ),
        (
            3,
            "tabiya swap 1\nfolder .tabiya-x\nput ../games.cbh\tgames.cbh\nend\n",
        ),
        (
            3,
            "tabiya swap 1\nfolder .tabiya-x\nput games.cbh\tother.cbh\nend\n",
        ),
        (
            3,
            "tabiya swap 1\nfolder .tabiya-x\nremove other.cbh\nend\n",
        ),
        (
            3,
            "tabiya swap 1\nfolder .tabiya-x\nremove games.cbh/x\nend\n",
        ),
        (
            4,
            "tabiya swap 1\nfolder .tabiya-x\nput games.cbh\tgames.cbh\n",
        ),
    ] {
        fs::write(&list, text).expect("a list");
        let error = recover(&path).expect_err(text);
        let error = error.get_ref().and_then(|error| error.downcast_ref());
        let path = list.clone();
        assert_eq!(
            error,
            Some(&AssemblyError::BadList { path, line }),
            "{text}"
        );
    }
    assert!(fs::read(&path).expect("a file") != b"new");
    assert_eq!(fs::read(folder.path().join("other.cbh")).unwrap(), b"other");
    let good = "tabiya swap 1\nfolder .tabiya-x\nput games.cbh\tgames.cbh\nremove games.cbb\nend\n";
    fs::write(&list, good).expect("a list");
    assert!(recover(&path).expect("a change"));
    assert_eq!(fs::read(&path).expect("a file"), b"new");
    assert!(!staging.exists() && !list.exists());
}

#[cfg(unix)]
#[test]
fn nothing_is_taken_from_behind_a_link() {
    let folder = tempfile::tempdir().expect("a folder");
    let elsewhere = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.cbh");
    fs::write(elsewhere.path().join("games.cbh"), "private").expect("a file");
    std::os::unix::fs::symlink(elsewhere.path(), folder.path().join(".tabiya-x")).expect("a link");
    let list = "tabiya swap 1\nfolder .tabiya-x\nput games.cbh\tgames.cbh\nend\n";
    fs::write(folder.path().join(".games.tabiya-swap"), list).expect("a list");
    recover(&path).expect("nothing to do");
    assert!(!path.exists());
    assert!(elsewhere.path().join("games.cbh").exists());
}

#[cfg(unix)]
#[test]
fn where_nothing_was_interrupted_nothing_is_needed() {
    use std::os::unix::ffi::OsStrExt;

    let folder = tempfile::tempdir().expect("a folder");
    for name in [
        &b"games.cbh"[..],
        b"\xff.cbh",
        b"a\nb.cbh",
        b"no-folder/games.cbh",
    ] {
        let path = folder.path().join(OsStr::from_bytes(name));
        assert!(!recover(&path).expect("nothing to do"));
    }
}

#[test]
fn a_change_of_somebody_else_is_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.cbh");
    create(&path);
    let change = Change::begin(&path).expect("a change");
    fs::write(change.staged("cbh"), "mine").expect("a file");
    fs::write(&path, "theirs").expect("a file");
    let error = change.replace(Outdated::Derived).expect_err("a refusal");
    assert_eq!(error.kind(), io::ErrorKind::ResourceBusy);
    assert_eq!(fs::read(&path).expect("a file"), b"theirs");
}

#[test]
fn a_change_that_is_given_up_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut target = DatabaseTarget::create(&folder.path().join("games.cbh")).expect("a place");
    target.add(&entries("1. e4 *")).expect("an entry");
    drop(target);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn write_protected_files_are_not_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.cbh");
    create(&path);
    let moves = folder.path().join("games.cbg");
    let mut permissions = fs::metadata(&moves).expect("a file").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&moves, permissions).expect("permissions");
    let error = DatabaseTarget::append(&path).err().expect("a refusal");
    assert!(error.to_string().ends_with("games.cbg is write-protected"));
}

#[test]
fn databases_have_names_that_lists_can_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    for (given, header) in [("a", "a.cbh"), ("a.b", "a.b.cbh"), ("c.CBG", "c.cbh")] {
        create(&folder.path().join(given));
        assert!(folder.path().join(header).exists(), "{given}");
    }
    let error = DatabaseTarget::create(&folder.path().join("a\nb.cbh"));
    assert_eq!(
        error.err().expect("a refusal").kind(),
        io::ErrorKind::InvalidInput
    );
}
