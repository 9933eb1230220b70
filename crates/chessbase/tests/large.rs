//! Files of more than 4 GiB, made of holes: the offsets of 64 bits in `.cbj` rule.

#![cfg(unix)]

use std::{
    fs::{self, File},
    io::{Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use tabiya_chessbase::{
    Database, ReadOptions,
    annotations::{Item as Stored, Record},
    files::{
        extended::{ExtendedRecord, FileHeader as ExtendedHeader},
        header::{FileHeader, GameRecord},
        stores::StoreHeader,
    },
};
use tabiya_formats::Database as _;
use tabiya_game::{GameState, GameTree, Item};

/// Moves 1. e4 and the end.
const E4: [u8; 6] = [0, 0, 0, 6, 0xff, 0x0d];

/// Behind 4 GiB, where the lower 32 bits alone lead to the header or to a hole.
const FAR: [u64; 2] = [(1 << 32) + 1_000_000, 5 << 32];

/// A folder that goes away.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("tabiya-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A file with records at their places and holes between them; `false` if the file system has no
/// holes to offer.
fn sparse(path: &Path, records: &[(u64, &[u8])]) -> bool {
    let mut file = File::create(path).expect("a file");
    let end = records.iter().map(|(at, bytes)| at + bytes.len() as u64);
    let length = end.max().unwrap_or(0);
    let mut header = StoreHeader::default();
    header.set(length, 0);
    file.write_all(&header.to_bytes()).expect("a header");
    for (at, bytes) in records {
        let written = file.seek(SeekFrom::Start(*at)).is_ok() && file.write_all(bytes).is_ok();
        if !written {
            return false;
        }
    }
    true
}

/// How much memory of its own the process holds, in bytes; what is mapped from files does not
/// count.
fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("RssAnon:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

fn nag(number: u8) -> Vec<u8> {
    let data = [number];
    Record::write(
        1,
        [Stored {
            position: 0,
            kind: 0x03,
            data: &data,
        }],
    )
}

/// Three games: at the start of the files, behind 4 GiB, and at a place that is a multiple of
/// 4 GiB, so that `.cbh` has 0 there. A fourth has no record in `.cbj`.
fn write(folder: &Path, version: (u32, u32)) -> bool {
    let (near, last) = (26, 200);
    let places = [near, FAR[0], FAR[1]];
    let notes = [1, 2, 3].map(nag);
    let moves = places.map(|at| (at, &E4[..])).into_iter();
    let moves: Vec<_> = moves.chain([(last, &E4[..])]).collect();
    let notes: Vec<_> = places.into_iter().zip(&notes).collect();
    let notes: Vec<_> = notes.iter().map(|(at, bytes)| (*at, &bytes[..])).collect();
    let mut headers = FileHeader::new(4).to_bytes().to_vec();
    let extended = ExtendedHeader::new(version.0, version.1).expect("a version");
    let mut more = extended.to_bytes(3).to_vec();
    for at in places {
        let record = GameRecord {
            moves: at as u32,
            annotations: at as u32,
            ..GameRecord::default()
        };
        headers.extend(record.to_bytes());
        let long = i64::try_from(at).expect("a place");
        let record = ExtendedRecord {
            moves: long,
            annotations: long,
            ..ExtendedRecord::default()
        };
        more.extend(&record.to_bytes()[..version.1 as usize]);
    }
    let record = GameRecord {
        moves: last as u32,
        ..GameRecord::default()
    };
    headers.extend(record.to_bytes());
    fs::write(folder.join("large.cbh"), headers).expect("headers");
    fs::write(folder.join("large.cbj"), more).expect("extended headers");
    sparse(&folder.join("large.cbg"), &moves) && sparse(&folder.join("large.cba"), &notes)
}

fn read(folder: &Path) -> Vec<GameTree> {
    let database = Database::open(folder.join("large.cbh"), ReadOptions::default());
    let mut database = database.expect("a database");
    let mut games: Vec<GameTree> = Vec::new();
    while let Some(part) = database.next_part().expect("a part") {
        part.tell(&mut games).expect("a part");
    }
    assert!(database.explain(2).is_some());
    games
}

#[test]
fn games_behind_four_gigabytes_are_found_and_nothing_is_loaded() {
    for version in [(6, 38), (11, 120)] {
        let folder = Folder::new(&format!("large-{}", version.0));
        if !write(&folder.0, version) {
            println!("skipped: no room for a file of holes");
            return;
        }
        let before = resident();
        let games = read(&folder.0);
        let after = resident();
        assert_eq!(games.len(), 4);
        for (game, nag) in games.iter().zip([1, 2, 3]) {
            assert_eq!(game.state, GameState::Complete, "{game:?}");
            assert!(
                matches!(game.items[..], [Item::Move(_), Item::Nag(it)] if it.0 == nag),
                "{game:?}"
            );
        }
        assert!(
            matches!(games[3].items[..], [Item::Move(_)]),
            "{:?}",
            games[3]
        );
        if let (Some(before), Some(after)) = (before, after) {
            assert!(after < before + (32 << 20), "{before} and then {after}");
        }
    }
}

/// Old files have no offsets of 64 bits: games behind 4 GiB cannot be found, the others can.
#[test]
fn without_long_offsets_near_games_are_read() {
    let folder = Folder::new("large-old");
    if !write(&folder.0, (5, 30)) {
        println!("skipped: no room for a file of holes");
        return;
    }
    let games = read(&folder.0);
    let states: Vec<_> = games.iter().map(|game| game.state).collect();
    let (whole, broken) = (GameState::Complete, GameState::Broken);
    assert_eq!(states, [whole, broken, broken, whole]);
}
