//! FEN and EPD, a position a line: any bytes are read; what is written of them is read back and written
//! the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_formats::{
    Database,
    engine_text::{PositionWriter, Positions},
};

fuzz_target!(|bytes: &[u8]| {
    let first = rewritten(bytes);
    assert_eq!(rewritten(&first), first);
});

fn rewritten(bytes: &[u8]) -> Vec<u8> {
    let mut writer = PositionWriter::epd();
    let mut positions = Positions::new(bytes, None);
    while let Some(part) = positions.next_part().expect("bytes can be read") {
        part.tell(&mut writer).expect("text can be told");
    }
    writer.take()
}
