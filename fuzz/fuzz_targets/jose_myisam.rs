//! MyISAM: a definition and rows of any bytes are read or refused, and so are the games in them.
//! The first two bytes say how long the definition is; the rest is rows.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_formats::{
    Database,
    jose::{
        Files, Program, ProgramOptions,
        myisam::{Next, Table},
    },
    pgn::Writer,
};

fuzz_target!(|bytes: &[u8]| {
    let Some((length, rest)) = bytes.split_first_chunk() else {
        return;
    };
    let length = usize::from(u16::from_le_bytes(*length));
    let (frm, myd) = rest.split_at(length.min(rest.len()));
    if let Ok(table) = Table::open(frm, None) {
        let mut covered = 0;
        for next in table.rows(myd) {
            let offset = match next {
                Next::Row(row) => {
                    let _ = table.values(&row.bytes);
                    row.offset
                }
                Next::Damaged { offset, .. } => offset,
            };
            assert!(offset >= covered, "rows come in the order of the file");
            covered = offset;
        }
    }
    let mut files = Files::default();
    files.insert("IO_Game.frm", frm.to_vec().into());
    files.insert("IO_Game.MYD", myd.to_vec().into());
    let Ok(mut program) = Program::open(&files, ProgramOptions::default()) else {
        return;
    };
    let mut writer = Writer::default();
    while let Some(part) = program.next_part().expect("bytes can be read") {
        part.tell(&mut writer).expect("rows can be told");
        let _ = writer.take();
    }
});
