//! What goes into a database of tabiya's own comes out of it, event for event.

#[path = "../../formats/tests/data/mod.rs"]
mod data;

use std::{
    fs,
    path::{Path, PathBuf},
};

use tabiya::{Open, ReadOptions, registry};
use tabiya_formats::signature::Signature;
use tabiya_game::{Event, Flow, GameSink, Needs};

/// Sums up all events, and counts entries.
#[derive(Default)]
struct Heard {
    signature: Signature,
    entries: u64,
}

impl GameSink for Heard {
    fn needs(&mut self) -> Needs {
        self.signature.needs()
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        self.entries += u64::from(event.entry().is_some());
        self.signature.event(event)
    }
}

/// What a database tells; nothing if it cannot be read to its end.
fn heard(path: &Path) -> Option<(u64, u64)> {
    let options = ReadOptions {
        deleted: true,
        ..ReadOptions::default()
    };
    let mut heard = Heard::default();
    let mut opened = registry().open(path, None, &options).ok()?;
    while let Some(part) = opened.database.next_part().ok()? {
        part.tell(&mut heard).ok()?;
    }
    Some((heard.entries, heard.signature.value()))
}

/// Sends a database through the store; `false` if it cannot be read itself.
fn comes_back(path: &Path) -> bool {
    let Some(before) = heard(path) else {
        return false;
    };
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("games.tabiya");
    let conversion = tabiya::convert(path, &store).reading(Open::new().deleted(true));
    let report = conversion.run().unwrap();
    assert!(report.losses.is_empty(), "{}", path.display());
    assert_eq!(heard(&store), Some(before), "{}", path.display());
    true
}

/// All files below a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(self::files(&path)),
            false => files.push(path),
        }
    }
    files.sort();
    files
}

/// Databases are files of several; the first is the one that is named.
fn is_main(path: &Path) -> bool {
    let Some(profile) = registry().by_path(path) else {
        return false;
    };
    let main = profile.extensions().first();
    let extension = path.extension().and_then(|extension| extension.to_str());
    !profile.several_files()
        || main.is_some_and(|main| extension.is_some_and(|own| own.eq_ignore_ascii_case(main)))
}

#[test]
fn the_samples_come_back() {
    let samples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let count = files(&samples)
        .iter()
        .filter(|file| comes_back(file))
        .count();
    assert!(count >= 4, "{count}");
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn real_games_of_all_formats_come_back() {
    let mut count = 0;
    for folder in [
        "pgn/annotated",
        "chessbase",
        "chessbase2",
        "scid",
        "jose",
        "chessdb",
        "cmbr",
        "torture",
    ] {
        let Some(folder) = data::find(folder) else {
            return;
        };
        let files = files(&folder);
        let databases = files.iter().filter(|file| is_main(file));
        count += databases.filter(|file| comes_back(file)).count();
    }
    for name in [
        "twic-small.pgn.zst",
        "lichess.pgn.zst",
        "chess960.pgn.zst",
        "tcec.pgn.zst",
    ] {
        let Some(file) = data::find(&format!("pgn/{name}")) else {
            return;
        };
        assert!(comes_back(&file), "{name}");
        count += 1;
    }
    assert!(count > 60, "{count}");
}
