//! The file `.ply16`.

use super::*;

#[test]
fn a_file_is_recognised_by_its_magic() {
    let (bytes, _) = write_file(&[]);
    assert_eq!(file::recognise(&bytes), Certainty::Sure);
    assert_eq!(file::recognise(b"PLY16"), Certainty::No);
    assert!(read_file(&bytes).is_empty());
}

#[test]
fn another_version_is_refused() {
    let (bytes, _) = write_file(&[]);
    for at in [0, 9, 11] {
        let mut other = bytes.clone();
        other[at] ^= 2;
        let outcome = file::Ply16::new(&other[..], ReadOptions::default()).next_part();
        assert!(outcome.is_err(), "{at}");
        assert!(file::explain_game(&other, 0).is_err(), "{at}");
    }
}

#[test]
fn a_file_larger_than_a_part_is_read_whole() {
    let generator = Generator::new(Options::default());
    let trees: Vec<GameTree> = (0..2_500).map(|index| generator.game(index)).collect();
    let (bytes, losses) = write_file(&trees);
    assert!(losses.is_empty());
    let mut database = file::Ply16::new(&bytes[..], ReadOptions::default());
    let mut parts = 0;
    let mut back = Trees::default();
    while let Some(part) = database.next_part().unwrap() {
        part.tell(&mut back).unwrap();
        parts += 1;
    }
    assert_eq!((parts, back.trees.len()), (3, 2_500));
    for (back, tree) in back.trees.iter().zip(&trees) {
        assert_eq!((&back.items, &back.tags), (&tree.items, &tree.tags));
        assert_eq!((back.start, back.result), (tree.start, tree.result));
    }
}

/// Gives a byte at a time, as a slow pipe may.
struct Drops<'b>(&'b [u8]);

impl std::io::Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = buffer.len().min(1);
        self.0.read(&mut buffer[..length])
    }
}

#[test]
fn a_slow_pipe_tells_the_same() {
    let (bytes, _) = write_file(&games(5, false));
    let slow = read_all(&mut file::Ply16::new(Drops(&bytes), ReadOptions::default()));
    assert_eq!(slow.trees, read_file(&bytes));
}

/// Where each game of a file begins.
fn starts(bytes: &[u8]) -> Vec<usize> {
    let games = read_file(bytes);
    games
        .iter()
        .map(|game| game.place.offset as usize)
        .collect()
}

#[test]
fn damage_spoils_the_game_it_hits_and_no_other() {
    let (bytes, _) = write_file(&games(12, false));
    let whole = read_file(&bytes);
    let starts = starts(&bytes);
    let hit = starts[5];
    // The mark, the length (longer and shorter), the checksum, a tag.
    for (at, bits) in [
        (0, 0xff),
        (4, 0xff),
        (5, 0x01),
        (7, 0x01),
        (7, 0x10),
        (9, 4),
        (30, 0x80),
    ] {
        let mut damaged = bytes.clone();
        damaged[hit + at] ^= bits;
        let read = read_file(&damaged);
        assert_eq!(read.len(), whole.len(), "byte {at}");
        for (index, (read, whole)) in read.iter().zip(&whole).enumerate() {
            match index {
                5 => assert_eq!(read.state, GameState::Broken, "byte {at}"),
                _ => assert_eq!(read, whole, "byte {at}, game {index}"),
            }
        }
        if at != 0 && at < 12 {
            // Only the frame is damaged: what it frames can be read.
            assert_eq!(read[5].tags, whole[5].tags, "byte {at}");
        }
    }
}

#[test]
fn a_damaged_byte_spoils_one_game_wherever_it_is() {
    let (bytes, _) = write_file(&games(4, false));
    let whole = read_file(&bytes);
    let starts = starts(&bytes);
    for at in starts[0]..bytes.len() {
        let hit = starts.partition_point(|start| *start <= at) - 1;
        for bits in [0x01, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= bits;
            let read = read_file(&damaged);
            assert_eq!(read.len(), whole.len(), "byte {at}");
            for (index, (read, whole)) in read.iter().zip(&whole).enumerate() {
                assert!(index == hit || read == whole, "byte {at}, game {index}");
                assert!(index != hit || read.state == GameState::Broken, "byte {at}");
            }
        }
    }
}

#[test]
fn a_length_that_ends_at_another_game_swallows_none() {
    let (mut bytes, _) = write_file(&games(4, false));
    let whole = read_file(&bytes);
    let starts = starts(&bytes);
    for end in [starts[3], bytes.len()] {
        let length = (end - starts[1] - 12) as u32;
        bytes[starts[1] + 4..starts[1] + 8].copy_from_slice(&length.to_be_bytes());
        let read = read_file(&bytes);
        assert_eq!(read.len(), 4);
        assert_eq!(read[1].state, GameState::Broken);
        assert!(read[1].items.starts_with(&whole[1].items));
        assert_eq!(read[2..], whole[2..]);
    }
}

#[test]
fn bytes_between_games_are_kept() {
    let (mut bytes, _) = write_file(&games(2, false));
    let second = starts(&bytes)[1];
    bytes.splice(second..second, *b"noise");
    let read = read_file(&bytes);
    assert_eq!(read.len(), 3);
    let states = [GameState::Complete, GameState::Broken, GameState::Complete];
    assert!(read.iter().map(|game| game.state).eq(states));
    let Item::Error { raw, place, .. } = &read[1].items[0] else {
        panic!("{:?}", read[1].items);
    };
    assert_eq!(
        (raw.as_str(), place.offset as usize),
        ("6E 6F 69 73 65", second)
    );
}

#[test]
fn a_length_that_lies_takes_no_memory_and_no_time() {
    let mut bytes = write_file(&[]).0;
    for _ in 0..100_000 {
        bytes.extend_from_slice(b"\xfdGM\xfd\x03\xff\xff\xff\0\0\0\0");
    }
    let read = read_file(&bytes);
    assert_eq!(read.len(), 100_000);
    assert!(read.iter().all(|game| game.state == GameState::Broken));
}

#[test]
fn a_game_of_a_file_is_explained() {
    let (bytes, _) = write_file(&[tree("1. e4 *"), tree("[White \"x\"]\n\n1. Nf3 1-0")]);
    let dump = file::explain_game(&bytes, 1).unwrap().unwrap();
    let titles: Vec<&str> = dump.sections.iter().map(|s| s.title.as_str()).collect();
    assert_eq!(titles, ["header", "game", "moves"]);
    let meanings: Vec<&str> = dump.sections[1]
        .lines
        .iter()
        .map(|l| l.meaning.as_str())
        .collect();
    assert_eq!(
        meanings,
        [
            "mark of a game",
            "length of the fields: 26",
            "checksum, right",
            "result: 1-0",
            "flags: the tags say the start",
            "tags: 1",
            "length of name: 5",
            "name: \"White\"",
            "length of White: 1",
            "White: \"x\"",
            "words: 1",
        ]
    );
    let word = &dump.sections[2].lines[0];
    assert_eq!(word.san.as_deref(), Some("1. Nf3"));
    assert_covers(&bytes, &dump);
    assert!(file::explain_game(&bytes, 2).unwrap().is_none());
    assert!(
        file::explain_game(&bytes[..bytes.len() - 1], 1)
            .unwrap()
            .is_some()
    );
}
