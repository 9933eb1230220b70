//! Damaged files: errors with their places, and never a panic.

use proptest::prelude::*;
use tabiya_game::{GameErrorKind, GameState, Item};

use super::*;
use crate::{
    io::Contents,
    scid::{ErrorKind, explain_game},
};

/// The three files of a database with some games: index, names, games.
fn files(version: Version) -> [Vec<u8>; 3] {
    let folder = tempfile::tempdir().unwrap();
    let path = named(&folder, version);
    let pgn = "[White \"Tal\"]\n[Black \"Talmud\"]\n[Foo \"x\"]\n[WhiteElo \"2500\"]\n\n\
               {a} 1. e4 $1 {b} e5 (1... c5 2. Nf3 (2. c3 {c}) d6) 2. Qh5 Ke7 3. Qxe5# 1-0\n\n\
               [FEN \"4k3/P7/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O Kd7 2. a8=Q -- 3. Qd5+ *\n\n";
    write(version, &path, &parse(pgn));
    let digit = version.digit();
    ["si", "sn", "sg"]
        .map(|kind| std::fs::read(path.with_extension(format!("{kind}{digit}"))).unwrap())
}

/// Reads and explains everything; the games, or why there are none.
fn survive(version: Version, [index, names, games]: [Vec<u8>; 3]) -> Result<Trees, String> {
    let options = ReadOptions {
        deleted: true,
        ..ReadOptions::default()
    };
    let index = Contents::from(index);
    let games = Contents::from(games);
    let mut scid = Scid::of_files(version, index, &names, games, options)
        .map_err(|error| error.to_string())?;
    let mut trees = Trees::default();
    while let Some(part) = scid.next_part().map_err(|error| error.to_string())? {
        part.tell(&mut trees).map_err(|error| error.to_string())?;
    }
    for number in 0..=scid.games() + 1 {
        let there = (1..=scid.games()).contains(&number);
        assert_eq!(explain_game(&scid, number).is_some(), there);
    }
    Ok(trees)
}

#[test]
fn every_file_cut_at_every_length_gives_errors_or_fewer_games() {
    for version in VERSIONS {
        let whole = files(version);
        let games = survive(version, whole.clone()).unwrap().all;
        for file in 0..3 {
            for length in 0..whole[file].len() {
                let mut cut = whole.clone();
                cut[file].truncate(length);
                if let Ok(trees) = survive(version, cut) {
                    assert!(trees.all != games, "{version:?} {file} {length}");
                }
            }
        }
    }
}

#[test]
fn every_bit_may_be_wrong() {
    for version in VERSIONS {
        let whole = files(version);
        for file in 0..3 {
            for bit in 0..8 * whole[file].len() {
                let mut damaged = whole.clone();
                damaged[file][bit / 8] ^= 1 << (bit % 8);
                if let Ok(trees) = survive(version, damaged) {
                    // Whatever was read can be written.
                    let mut writer = Writer::new(version);
                    for tree in &trees.all {
                        tree.tell(&mut writer);
                    }
                }
            }
        }
    }
}

/// A game with these moves, without tags, from the usual start.
fn with_moves(moves: &[u8]) -> GameTree {
    with_record([&[0, 0], moves].concat())
}

fn with_record(record: Vec<u8>) -> GameTree {
    let [index, names, _] = files(Version::Si5);
    let mut index = index[..56].to_vec();
    let length = (record.len() as u32) << 15;
    index[32..36].copy_from_slice(&length.to_le_bytes());
    index[36..40].fill(0);
    let mut trees = survive(Version::Si5, [index, names, record]).unwrap();
    trees.all.remove(0)
}

fn error(tree: &GameTree) -> (GameErrorKind, String, String, u64) {
    assert_eq!(tree.state, GameState::Broken);
    let mut errors = tree.items.iter().filter_map(|item| match item {
        Item::Error {
            kind,
            message,
            raw,
            place,
        } => Some((*kind, message.clone(), raw.clone(), place.offset)),
        _ => None,
    });
    let error = errors.next().expect("an error");
    assert_eq!(errors.next(), None);
    error
}

#[test]
fn moves_up_to_an_error_are_kept_and_the_rest_is_told_as_bytes() {
    for (moves, kind, rest, at) in [
        // 1. e4 e5 2. Kxd1 is not legal; a comment behind it is found all the same.
        (
            &b"\x0c\xcf\xcf\x04\x04\x0fhi\0"[..],
            GameErrorKind::IllegalMove,
            "04 04 0F 68 69 00",
            5,
        ),
        (b"\xcf\xcf\x19\x0f", GameErrorKind::IllegalMove, "19 0F", 4),
        (b"\xcf\xcf\x20\x0f", GameErrorKind::Unreadable, "20 0F", 4),
        (b"\xcf\xcf\x09\x0f", GameErrorKind::IllegalMove, "09 0F", 4),
        (b"\xcf\xcf\x43\x0f", GameErrorKind::Unreadable, "43 0F", 4),
        (b"\xcf\xcf\x0e\x0f", GameErrorKind::Unbalanced, "0E 0F", 4),
        (b"\xcf\xcf\x0d\x0d", GameErrorKind::Unbalanced, "0D", 5),
        (b"\xcf\xcf\x0d\xdf\x0f", GameErrorKind::Unbalanced, "0F", 6),
        (b"\xcf\xcf", GameErrorKind::Unreadable, "", 4),
        (b"\xcf\xcf\x0b", GameErrorKind::Unreadable, "0B", 4),
        (b"\xcf\xcf\x0f\x61\0", GameErrorKind::Unreadable, "61 00", 5),
        (b"\xcf\xcf\x0c\x0f\x61", GameErrorKind::Unreadable, "61", 6),
    ] {
        let tree = with_moves(moves);
        let (found, message, raw, place) = error(&tree);
        assert_eq!(
            (found, &*raw, place),
            (kind, rest, at),
            "{moves:02x?}: {message}"
        );
        assert_eq!(tree.main_line().count(), 2, "{moves:02x?}");
        let balance = tree.items.iter().fold(0, |depth, item| match item {
            Item::VariationStart => depth + 1,
            Item::VariationEnd => depth - 1,
            _ => depth,
        });
        assert_eq!(balance, 0, "{moves:02x?}");
    }
    let tree = with_moves(b"\x0c\xcf\xcf\x04\x04\x0fhi\0");
    assert!(matches!(&tree.items[0], Item::Comment { text, .. } if text == "hi"));
}

/// Written again with its tag, the game could not be read as chess.
#[test]
fn a_variant_that_is_not_known_counts_more_than_torn_tags() {
    let whole = with_record(b"\x07Variant\x06Atomic\0\0\xcf\x0f".to_vec());
    assert_eq!(error(&whole).0, GameErrorKind::UnknownVariant);
    let torn = with_record(b"\x07Variant\x06Atomic\x07Foo".to_vec());
    let (kind, _, raw, _) = error(&torn);
    assert_eq!(
        (kind, &*raw),
        (GameErrorKind::UnknownVariant, "07 46 6F 6F")
    );
}

#[test]
fn variations_nested_without_end_reach_a_limit() {
    let moves = [&b"\xcf"[..], &b"\x0d\xbf".repeat(2_000)].concat();
    let (kind, ..) = error(&with_moves(&moves));
    assert_eq!(kind, GameErrorKind::Limit);
}

#[test]
fn a_game_whose_name_is_not_there_is_told_without_it() {
    let [mut index, names, games] = files(Version::Si5);
    index[0] = 99;
    let trees = survive(Version::Si5, [index, names, games]).unwrap();
    let (kind, message, ..) = error(&trees.all[0]);
    assert_eq!(
        (kind, &*message),
        (GameErrorKind::BadTag, "there is no player number 99")
    );
    assert_eq!(trees.all[0].tags.get("Black"), Some("Talmud"));
    assert_eq!(trees.all[1].state, GameState::Complete);
}

#[test]
fn files_that_do_not_fit_are_refused_with_the_reason() {
    let fails = |version, files: [Vec<u8>; 3]| survive(version, files).err().unwrap();
    let [index, names, games] = files(Version::Si4);
    let with_index = |index: &[u8]| [index.to_vec(), names.clone(), games.clone()];
    let torn = fails(Version::Si4, with_index(&index[..index.len() - 1]));
    assert!(
        torn.contains("46 bytes behind the last whole record"),
        "{torn}"
    );
    let fewer = fails(Version::Si4, with_index(&index[..index.len() - 47]));
    assert!(
        fewer.contains("it ends after 1 games, of which its header says 2"),
        "{fewer}"
    );
    let more = fails(Version::Si4, with_index(&[&index[..], &[0; 47]].concat()));
    assert!(
        more.contains("there are 3 games, of which its header says 2"),
        "{more}"
    );
    let mut version = index.clone();
    version[8] = 9;
    let version = fails(Version::Si4, with_index(&version));
    assert!(version.contains("expected 400"), "{version}");
    let other = fails(Version::Si4, with_index(&[0; 200]));
    assert_eq!(
        other,
        format!(
            "index, byte 0: {}",
            ErrorKind::BadMagic(crate::scid::File::Index)
        )
    );
}

#[test]
fn old_starts_may_end_early() {
    let [index, names, _] = files(Version::Si5);
    // Without a field for castling kings and rooks at home may.
    for (fen, castles) in [
        ("4k3/8/8/8/8/8/8/4K2R w", true),
        ("4k3/8/8/8/8/8/8/4K2R w -", false),
    ] {
        let record = [b"\0\x01", fen.as_bytes(), b"\0\x0a\x0f"].concat();
        let mut index = index[..56].to_vec();
        let length = (record.len() as u32) << 15;
        index[32..36].copy_from_slice(&length.to_le_bytes());
        index[36..40].fill(0);
        let trees = survive(Version::Si5, [index, names.clone(), record]).unwrap();
        let tree = &trees.all[0];
        assert_eq!(tree.main_line().count() == 1, castles, "{fen}");
        assert_eq!(tree.tags.get("FEN"), Some(&*tree.start.to_string()));
    }
}

/// What a writer makes of all games of a database.
fn rewritten(version: Version, files: [Vec<u8>; 3]) -> Option<NewGames> {
    let trees = survive(version, files).ok()?;
    let mut writer = Writer::new(version);
    for tree in &trees.all {
        tree.tell(&mut writer);
    }
    Some(writer.take())
}

fn built(version: Version, games: &NewGames) -> [Vec<u8>; 3] {
    let folder = tempfile::tempdir().unwrap();
    let path = named(&folder, version);
    let mut builder = Builder::create(version, &path).unwrap();
    builder.add(games).unwrap();
    builder.finish().unwrap();
    let digit = version.digit();
    ["si", "sn", "sg"]
        .map(|kind| std::fs::read(path.with_extension(format!("{kind}{digit}"))).unwrap())
}

/// Bytes of which many are marks, moves of the first pieces, or texts.
fn likely_bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        4 => 0u8..16,
        4 => prop::sample::select(&b"\xcf\xbf\x67\x61\x22\x59\x43\x81\x4b\xdf"[..]),
        1 => any::<u8>(),
    ];
    proptest::collection::vec(byte, 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_was_read_of_any_bytes_is_written_and_read_back(
        bytes in likely_bytes(),
        flags in 0u8..2,
        file in 0usize..4,
        newer: bool,
    ) {
        let version = if newer { Version::Si5 } else { Version::Si4 };
        let mut damaged = files(version);
        match file {
            3 => {
                // A record of the usual start, or of another.
                let fen: &[u8] = match flags {
                    0 => b"",
                    _ => b"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\0",
                };
                let record = [&[0, flags], fen, &bytes].concat();
                let length = record.len() as u32;
                match version {
                    Version::Si5 => {
                        damaged[0][32..36].copy_from_slice(&(length << 15).to_le_bytes());
                    }
                    _ => damaged[0][186..188].copy_from_slice(&(length as u16).to_be_bytes()),
                }
                damaged[2] = record;
            }
            file => {
                let at = damaged[file].len() * bytes.len() / 61;
                let length = bytes.len().min(damaged[file].len() - at);
                damaged[file][at..at + length].copy_from_slice(&bytes[..length]);
            }
        }
        if let Some(once) = rewritten(version, damaged) {
            let twice = rewritten(version, built(version, &once)).unwrap();
            prop_assert!(once == twice);
        }
    }
}
