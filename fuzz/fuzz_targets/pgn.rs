//! PGN: any bytes are read; what is written of them is read back and written the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_formats::{
    Database,
    pgn::{Parser, Pgn, ReadOptions, Writer},
};

fuzz_target!(|bytes: &[u8]| {
    let mut writer = Writer::default();
    let mut pgn = Pgn::new(bytes, ReadOptions::default());
    while let Some(part) = pgn.next_part().expect("bytes can be read") {
        part.tell(&mut writer).expect("text can be told");
    }
    assert!(writer.losses().is_empty(), "{:?}", writer.losses());
    let first = String::from_utf8(writer.take()).expect("PGN is written as UTF-8");
    let mut parser = Parser::new(&first);
    while parser.read_game(&mut writer) {}
    let second = String::from_utf8(writer.take()).expect("PGN is written as UTF-8");
    assert_eq!(first, second);
});
