//! A database that is full says so, and stays what it was.

use super::*;
use crate::{
    pgn::Parser,
    scid::{ReadOptions, Scid, Writer},
};

fn record(version: Version, pgn: &str) -> NewGames {
    let mut writer = Writer::new(version);
    Parser::new(pgn).read_game(&mut writer);
    writer.take()
}

/// A builder that adds to a database with one game.
fn builder(folder: &tempfile::TempDir, version: Version) -> Builder {
    let path = folder.path().join("games");
    let mut builder = Builder::create(version, &path).unwrap();
    builder.add(&record(version, "1. e4 *")).unwrap();
    builder.finish().unwrap();
    Builder::append(version, &path).unwrap()
}

#[track_caller]
fn is_full(builder: &mut Builder, pgn: &str, why: &str) {
    let error = builder.add(&record(builder.version, pgn)).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    assert_eq!(error.to_string(), format!("the database is full: {why}"));
}

#[test]
fn no_more_games_than_can_be_counted() {
    for (version, most) in [
        (Version::Si4, 16_777_214),
        (Version::Si5, u64::from(u32::MAX) - 1),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut builder = builder(&folder, version);
        builder.added = most - 2;
        builder.add(&record(version, "1. d4 *")).unwrap();
        is_full(&mut builder, "*", "it has as many games as it can count");
        drop(builder);
        let path = folder.path().join(format!("games.si{}", version.digit()));
        assert_eq!(Scid::open(path, ReadOptions::default()).unwrap().games(), 1);
    }
}

#[test]
fn no_longer_game_file_than_places_can_say() {
    for (version, most) in [(Version::Si4, u32::MAX.into()), (Version::Si5, 1 << 46)] {
        let folder = tempfile::tempdir().unwrap();
        let mut builder = builder(&folder, version);
        // The record of a game with one move has four bytes.
        builder.offset = most - 5;
        builder.add(&record(version, "1. d4 *")).unwrap();
        is_full(&mut builder, "*", "its game file cannot grow further");
    }
}

#[test]
fn no_more_names_than_can_be_numbered() {
    let folder = tempfile::tempdir().unwrap();
    let mut builder = builder(&folder, Version::Si4);
    // The one that is there has no round, which is a name, too.
    for round in 1..(1 << 18) - 1 {
        let pgn = format!("[Round \"{round}\"]\n\n*");
        builder.add(&record(Version::Si4, &pgn)).unwrap();
    }
    let why = "it has as many rounds as it can count";
    is_full(&mut builder, "[Round \"x\"]\n\n*", why);
    builder
        .add(&record(Version::Si4, "[Round \"7\"]\n\n*"))
        .unwrap();
    builder.finish().unwrap();
    let path = folder.path().join("games.si4");
    let scid = Scid::open(path, ReadOptions::default()).unwrap();
    assert_eq!(scid.games(), 1 << 18);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_no_half_of_a_new_database() {
    let folder = tempfile::tempdir().unwrap();
    for version in [Version::Si4, Version::Si5] {
        let path = folder.path().join("games");
        let mut builder = Builder::create(version, path).unwrap();
        builder.add(&record(version, "1. e4 *")).unwrap();
        // The disk is full when the names are written.
        let names = builder.files.pending().names;
        std::os::unix::fs::symlink("/dev/full", names).unwrap();
        let error = builder.finish().unwrap_err();
        assert!(error.to_string().contains("No space"), "{error}");
        assert!(!error.to_string().contains("tabiya-new"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
