//! Archives of ChessBase 17 and later: any bytes, and archives of files of any contents that are cut
//! off somewhere, are opened, as they are and as something damaged, and what comes out is told.

#![no_main]

mod databases;

use std::{fs, io::Cursor, path::Path};

use libfuzzer_sys::fuzz_target;
use tabiya_chessbase::{
    ReadOptions,
    archive::Existing,
    cbh2::{Database, archive, set::FileKind},
};
use tabiya_formats::Database as _;

use databases::{EXPLAINED, Listener, files};

/// Packs files, each with its kind and its length before it.
fn pack(folder: &Path, data: &[u8]) -> Vec<u8> {
    let mut paths = Vec::new();
    for (kind, contents) in files(&FileKind::ALL, data) {
        let path = folder.join("games").with_extension(kind.extension());
        fs::write(&path, &*contents).expect("a file");
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    let mut packed = Cursor::new(Vec::new());
    archive::pack(&paths, &mut packed).expect("names of files");
    packed.into_inner()
}

fuzz_target!(|data: &[u8]| {
    let [how, data @ ..] = data else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.2cbv");
    let packed = match how {
        0 => data.to_vec(),
        _ => pack(folder.path(), data),
    };
    // From 1, which leaves nothing, to 255, which leaves all.
    let left = match how {
        0 => packed.len(),
        how => packed.len() * usize::from(*how - 1) / 254,
    };
    fs::write(&path, &packed[..left]).expect("a file");
    for salvage in [false, true] {
        let options = ReadOptions {
            deleted: true,
            salvage,
            ..ReadOptions::default()
        };
        let Ok(mut database) = Database::open_archive(&path, options) else {
            continue;
        };
        for number in 1..=EXPLAINED {
            let _ = database.explain(number);
        }
        let mut listener = Listener::default();
        while let Some(part) = database.next_part().expect("the headers were read") {
            part.tell(&mut listener).expect("the headers were read");
        }
        listener.finish();
    }
    let whole = archive::unpack(&path, &folder.path().join("whole"), Existing::Keep);
    let rest = archive::salvage(&path, &folder.path().join("rest"), Existing::Keep);
    // Of what can be unpacked as a whole nothing is left out.
    if let Ok(files) = whole {
        let (rest, damage) = rest.expect("it can be unpacked");
        assert_eq!((rest.len(), damage.len()), (files.len(), 0));
    }
});
