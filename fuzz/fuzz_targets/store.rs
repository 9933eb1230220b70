//! The database: any manifest is read or refused, and any bytes of a segment are read or refused even
//! if their checksums are right.

#![no_main]

use std::{fs, path::Path, sync::LazyLock};

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, value::RawValue};
use tabiya_formats::pgn::Parser;
use tabiya_game::GameTree;
use tabiya_store::Store;

const PGN: &str = "[White \"a\"]\n[WhiteElo \"2500?\"]\n[Odd \"b\"]\n\n1. e4 {[%clk 0:03:00]} e5 (1... c5) *\n\n\
    [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Ke4 1-0\n";

/// The files of a small database: manifest, games, moves.
static SMALL: LazyLock<[Vec<u8>; 3]> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.tabiya");
    let mut importer = Store::import(&path).expect("a database");
    let (mut parser, mut game) = (Parser::new(PGN), GameTree::default());
    while parser.read_game(&mut game) {
        importer.add(&game).expect("there is room");
    }
    importer.finish().expect("it is written");
    NAMES.map(|name| fs::read(path.join(name)).expect("a file"))
});

const NAMES: [&str; 3] = [
    "manifest.json",
    "00000001-games.arrow",
    "00000001-moves.arrow",
];

/// The manifest of files that were changed, with checksums that are right.
fn sealed(manifest: &[u8], games: &[u8], moves: &[u8]) -> Option<Vec<u8>> {
    let mut whole: Value = serde_json::from_slice(manifest).ok()?;
    let inner = whole.get_mut("manifest")?;
    for (name, bytes) in [("games", games), ("moves", moves)] {
        let regions = inner["segments"][0].get_mut(name)?.as_array_mut()?;
        let mut rest = bytes;
        for region in regions {
            let len = region["bytes"].as_u64()? as usize;
            let (these, others) = rest.split_at(len.min(rest.len()));
            region["crc"] = crc32fast::hash(these).into();
            rest = others;
        }
    }
    let text = inner.to_string();
    let crc = crc32fast::hash(text.as_bytes());
    let inner = RawValue::from_string(text).ok()?;
    Some(format!("{{\"format\":\"tabiya\",\"crc32\":{crc},\"manifest\":{inner}}}").into_bytes())
}

fn read(folder: &Path) {
    for store in [Store::open(folder), Store::salvage(folder)] {
        let Ok(store) = store else {
            continue;
        };
        let _ = store.examine();
        for number in 1..=store.count().min(8) {
            let _ = store.tell(number, &mut GameTree::default());
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&first, bytes)) = data.split_first() else {
        return;
    };
    let [manifest, games, moves] = &*SMALL;
    let mut files = [manifest.clone(), games.clone(), moves.clone()];
    match first & 3 {
        0 => files[0] = bytes.to_vec(),
        kind => {
            // Bytes are changed here and there: two for the place, one for the value.
            let file = &mut files[if kind == 1 { 1 } else { 2 }];
            for change in bytes.chunks_exact(3) {
                let place = usize::from(u16::from_le_bytes([change[0], change[1]]));
                let place = place % file.len();
                file[place] = change[2];
            }
            let Some(sealed) = sealed(manifest, &files[1], &files[2]) else {
                return;
            };
            files[0] = sealed;
        }
    }
    // Without a manifest the files say what they are.
    if first & 4 != 0 {
        files[0].clear();
    }
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in NAMES.iter().zip(&files) {
        fs::write(folder.path().join(name), bytes).expect("there is room");
    }
    read(folder.path());
});
