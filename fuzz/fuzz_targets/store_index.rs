//! The index of a database: any bytes with right checksums are asked without harm.

#![no_main]

use std::{fs, path::PathBuf, sync::LazyLock};

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, value::RawValue};
use tabiya_chess::Position;
use tabiya_game::generate::{Generator, Options};
use tabiya_store::Store;

const INDEX: &str = "00000001-index.bin";
const MANIFEST: &str = "manifest.json";
const PAGE: usize = 65_536;
const FOOT: usize = 32;

/// The files of a database that is large enough for an index.
static FILES: LazyLock<Vec<(PathBuf, Vec<u8>)>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.tabiya");
    let mut importer = Store::import(&path).expect("a database");
    let options = Options {
        book: true,
        plies: 4..=20,
        ..Options::default()
    };
    let generator = Generator::new(options);
    for index in 0..64 {
        importer.add(&generator.game(index)).expect("there is room");
    }
    importer.finish().expect("it is written");
    let files = fs::read_dir(&path).expect("a folder");
    let file = |file: std::io::Result<fs::DirEntry>| {
        let path = file.expect("a file").path();
        let bytes = fs::read(&path).expect("a file");
        (PathBuf::from(path.file_name().expect("a name")), bytes)
    };
    files.map(file).collect()
});

/// Gives an index the checksums that it should have; the checksum of those.
fn seal_index(bytes: &mut [u8]) -> u32 {
    let foot = bytes.len() - FOOT;
    let end = foot - 4 * foot.div_ceil(PAGE + 4);
    let (body, sums) = bytes.split_at_mut(end);
    for (page, sum) in body.chunks(PAGE).zip(sums.chunks_mut(4)) {
        sum.copy_from_slice(&crc32fast::hash(page).to_le_bytes());
    }
    crc32fast::hash(sums)
}

/// The manifest of a database whose index has this checksum.
fn seal_manifest(manifest: &[u8], crc: u32) -> Option<Vec<u8>> {
    let mut whole: Value = serde_json::from_slice(manifest).ok()?;
    let inner = whole.get_mut("manifest")?;
    inner["segments"][0]["index"]["crc"] = crc.into();
    let text = inner.to_string();
    let crc = crc32fast::hash(text.as_bytes());
    let inner = RawValue::from_string(text).ok()?;
    Some(format!("{{\"format\":\"tabiya\",\"crc32\":{crc},\"manifest\":{inner}}}").into_bytes())
}

fuzz_target!(|data: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder");
    let mut crc = None;
    for (name, bytes) in FILES
        .iter()
        .filter(|(name, _)| name.as_os_str() != MANIFEST)
    {
        let mut bytes = bytes.clone();
        if name.as_os_str() == INDEX {
            // Bytes are changed here and there: two for the place, one for the value.
            for change in data.chunks_exact(3) {
                let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % bytes.len();
                bytes[place] = change[2];
            }
            crc = Some(seal_index(&mut bytes));
        }
        fs::write(folder.path().join(name), bytes).expect("there is room");
    }
    let manifest = FILES.iter().find(|(name, _)| name.as_os_str() == MANIFEST);
    let sealed = manifest.and_then(|(_, bytes)| seal_manifest(bytes, crc?));
    let sealed = sealed.expect("a database with an index");
    fs::write(folder.path().join(MANIFEST), sealed).expect("there is room");
    let store = Store::open(folder.path()).expect("only the index is changed");
    let _ = store.examine();
    let mut position = Position::initial();
    for _ in 0..4 {
        let _ = store.games_at(&position, None).map(Iterator::count);
        let _ = store.tree_at(&position, None);
        let moves = position.legal_moves();
        position.play_unchecked(moves[moves.len() / 2]);
    }
});
