//! scid: any bytes are read, as a record or as any of the three files; what was read is written,
//! and read back the same.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tabiya_formats::{
    Database,
    io::Contents,
    pgn::Parser,
    scid::{Builder, NewGames, ReadOptions, Scid, Version, Writer, explain_game},
};

/// Reads and explains a database; what a writer makes of its games.
fn rewritten(version: Version, index: &[u8], names: &[u8], games: &[u8]) -> Option<NewGames> {
    let options = ReadOptions {
        deleted: true,
        ..ReadOptions::default()
    };
    let (index, games) = (
        Contents::from(index.to_vec()),
        Contents::from(games.to_vec()),
    );
    let mut scid = Scid::of_files(version, index, names, games, options).ok()?;
    let mut writer = Writer::new(version);
    while let Ok(Some(part)) = scid.next_part() {
        part.tell(&mut writer).expect("games can be told");
    }
    assert_eq!(explain_game(&scid, 1).is_some(), scid.games() > 0);
    Some(writer.take())
}

/// The three files of a database of these games.
fn built(version: Version, games: &NewGames) -> [Vec<u8>; 3] {
    let folder = tempfile::tempdir().expect("a folder");
    let digit = if version == Version::Si5 { 5 } else { 4 };
    let path = folder.path().join(format!("a.si{digit}"));
    let mut builder = Builder::create(version, &path).expect("a database");
    builder.add(games).expect("there is room");
    builder.finish().expect("it is written");
    ["si", "sn", "sg"]
        .map(|kind| std::fs::read(path.with_extension(format!("{kind}{digit}"))).expect("a file"))
}

/// What a writer makes of games that were written and read back.
fn again(version: Version, games: &NewGames) -> NewGames {
    let [index, names, games] = built(version, games);
    rewritten(version, &index, &names, &games).expect("what was written is whole")
}

const VARIANT: &[u8] = b"\x07Variant\x08Chess960";

/// A database with one game, of either version.
static SMALL: LazyLock<[[Vec<u8>; 3]; 2]> = LazyLock::new(|| {
    [Version::Si4, Version::Si5].map(|version| {
        let mut writer = Writer::new(version);
        Parser::new("[White \"a\"]\n\n1. e4 *").read_game(&mut writer);
        built(version, &writer.take())
    })
});

fuzz_target!(|data: &[u8]| {
    let Some((&first, bytes)) = data.split_first() else {
        return;
    };
    let version = match first & 1 {
        0 => Version::Si4,
        _ => Version::Si5,
    };
    let [index, names, games] = &SMALL[usize::from(first & 1)];
    // The bytes take the place of one of the files, or of the record of a game.
    let found = match first >> 1 & 3 {
        0 => rewritten(version, bytes, names, games),
        1 => rewritten(version, index, bytes, games),
        _ => {
            let record = &bytes[..bytes.len().min(0xffff)];
            let mut index = index.clone();
            match version {
                Version::Si5 => {
                    let length = (record.len() as u32) << 15;
                    index[32..36].copy_from_slice(&length.to_le_bytes());
                }
                _ => index[186..188].copy_from_slice(&(record.len() as u16).to_be_bytes()),
            }
            rewritten(version, &index, names, record)
        }
    };
    // Files take long to write: not every input gets so far.
    let Some(once) = found.filter(|_| first >> 3 == 0) else {
        return;
    };
    let twice = again(version, &once);
    // The index says which games are Chess960, even if it did not before. Read back, it is a tag.
    let [.., records] = built(version, &twice);
    match records.windows(VARIANT.len()).any(|bytes| bytes == VARIANT) {
        true => assert_eq!(twice, again(version, &twice)),
        false => assert_eq!(once, twice),
    }
});
