//! ChessBase annotations and guiding texts: any bytes are read or refused; what is read is written
//! and read back the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_chessbase::{
    annotations::{Facts, Note, Record, RecordWriter, read_record},
    encoding::TextCodec,
    text::GuidingText,
};

fuzz_target!(|data: &[u8]| {
    let Some((&page, data)) = data.split_first() else {
        return;
    };
    let codec = match page % 4 {
        0 => TextCodec::default(),
        1 => TextCodec::new(encoding_rs::WINDOWS_1251),
        2 => TextCodec::mixed(encoding_rs::UTF_8),
        _ => TextCodec::detect([data]),
    };
    if page & 0x80 != 0 {
        text(&framed_text(data), &codec);
    } else {
        record(&framed_record(data), &codec);
    }
    text(data, &codec);
    record(data, &codec);
});

/// A frame with the right size, which chance would not find.
fn framed_record(data: &[u8]) -> Vec<u8> {
    let size = (data.len() + 14) as u32;
    [
        &[0, 0, 1, 1, 0, 14, 14, 0, 0, 2],
        &size.to_be_bytes()[..],
        data,
    ]
    .concat()
}

fn framed_text(data: &[u8]) -> Vec<u8> {
    let size = (data.len() + 4) as u32;
    [&[0x80], &size.to_be_bytes()[1..], data].concat()
}

fn record(bytes: &[u8], codec: &TextCodec) {
    let Ok((notes, _)) = read_record(bytes, codec) else {
        return;
    };
    let items = Record::parse(bytes).expect("it was read").items();
    let _ = Facts::of(items.clone().map_while(Result::ok));
    let mut writer = RecordWriter::new(codec.clone());
    writer.start(1);
    for (item, (position, note)) in items.map_while(Result::ok).zip(&notes) {
        // Texts may be in several encodings, and zeros behind glyphs are left out.
        if !matches!(item.kind, 2 | 3 | 0x82) {
            let written = note.write(codec).items;
            assert_eq!(written, [(item.kind, item.data.to_vec())]);
        }
        match note.tag() {
            Some((name, value)) => assert_eq!(Note::of_tag(name, &value).as_ref(), Some(note)),
            None => note.tell(&mut |event| {
                writer.event(*position, &event);
            }),
        }
    }
    if let Some(written) = writer.finish(1) {
        let (_, error) = read_record(&written.bytes, codec).expect("what we wrote");
        assert_eq!(error, None);
    }
}

fn text(bytes: &[u8], codec: &TextCodec) {
    if let Ok(text) = GuidingText::parse(bytes) {
        let written = text.to_bytes();
        assert_eq!(GuidingText::parse(&written).as_ref(), Ok(&text));
        let _ = (text.main(codec), text.languages(codec));
    }
}
