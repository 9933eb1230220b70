//! Whole databases of ChessBase 17 and later: files of any contents, each with its kind and its
//! length before it, are told with all that is in them, and every record is explained.

#![no_main]

mod databases;

use libfuzzer_sys::fuzz_target;
use tabiya_chessbase::{
    ReadOptions,
    cbh2::{
        Database,
        set::{FileKind, FileSet},
    },
};
use tabiya_formats::Database as _;

use databases::{EXPLAINED, Listener, files};

fuzz_target!(|data: &[u8]| {
    let files = FileSet::from_files(files(&FileKind::ALL, data));
    let options = ReadOptions {
        deleted: true,
        ..ReadOptions::default()
    };
    let Ok(mut database) = Database::from_files(files.clone(), options) else {
        return;
    };
    for number in 1..=EXPLAINED {
        let _ = database.explain(number);
    }
    let mut listener = Listener::default();
    while let Some(part) = database.next_part().expect("the headers were read") {
        part.tell(&mut listener).expect("the headers were read");
    }
    listener.finish();
    // Texts may be told in several languages.
    let tables = files.tables().expect("the headers were read");
    assert!(listener.entries >= tables.headers.len());
});
