//! cmbr: any bytes are read, as words and as a file; what is written of a file is read back and
//! written the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_chess::Position;
use tabiya_formats::{
    Database,
    cmbr::{Cmbr, Cmbr24, Container, Layout, ReadOptions, Writer, explain_game},
    pgn,
    stream::{StreamCodec, Streams},
};

/// The games of a file as a writer writes them again. Damage ends the file, as it should.
fn rewritten(file: Vec<u8>, container: Container, best_effort: bool) -> Vec<u8> {
    let options = ReadOptions {
        best_effort,
        ..ReadOptions::default()
    };
    let mut cmbr = Cmbr::open(file, options).expect("a file with its magic");
    let mut writer = Writer::new(container);
    while let Ok(Some(part)) = cmbr.next_part() {
        part.tell(&mut writer)
            .expect("what was found is found again");
    }
    let mut again = container.magic().to_vec();
    again.extend(writer.take());
    again
}

fuzz_target!(|data: &[u8]| {
    let Some((&first, bytes)) = data.split_first() else {
        return;
    };
    let start = Position::initial();
    let streams = Streams::from(bytes.to_vec());
    let rewrite_castling = first & 1 != 0;
    let codecs: [&dyn StreamCodec; 3] = [
        &Layout::Document,
        &Layout::Program,
        &Cmbr24 { rewrite_castling },
    ];
    for codec in codecs {
        let mut writer = pgn::Writer::default();
        let read = codec.decode(&streams, &start, &mut writer);
        let dump = codec.explain(&streams, &start);
        assert!(read.is_ok() || !dump.sections[0].lines.is_empty());
    }
    let container = match first & 2 {
        0 => Container::Program,
        _ => Container::Wide,
    };
    // The magic is given: chance would not find it.
    let mut file = container.magic().to_vec();
    file.extend_from_slice(bytes);
    let _ = explain_game(&file, u64::from(first >> 4));
    let once = rewritten(file, container, first & 4 != 0);
    let twice = rewritten(once.clone(), container, false);
    assert_eq!(once, twice);
});
