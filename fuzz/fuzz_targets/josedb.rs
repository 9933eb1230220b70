//! `.josedb`: a database of any bytes is read or refused, without a file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_formats::{
    Database,
    jose::{Josedb, recognise_josedb},
    pgn::Writer,
};

fuzz_target!(|bytes: &[u8]| {
    let _ = recognise_josedb(bytes);
    let Ok(mut database) = Josedb::from_bytes(bytes) else {
        return;
    };
    let mut writer = Writer::default();
    let _ = database.read(1, &mut writer);
    while let Ok(Some(part)) = database.next_part() {
        part.tell(&mut writer).expect("rows can be told");
        let _ = writer.take();
    }
});
