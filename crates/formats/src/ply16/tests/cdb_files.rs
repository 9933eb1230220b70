//! The file `.cdb`.

use super::*;

/// The same games in an older generation.
fn older(bytes: &[u8], generation: cdb::Generation) -> Vec<u8> {
    let number = |at: usize| u64::from_le_bytes(*bytes[at..].first_chunk().unwrap()) as usize;
    let games = u32::from_le_bytes(*bytes[8..].first_chunk().unwrap()) as usize;
    let index = number(16);
    let mut older = bytes[..16].to_vec();
    let header = match generation {
        cdb::Generation::First => 16,
        _ => 20,
    };
    let shift = 24 - header;
    if generation == cdb::Generation::Second {
        older.extend_from_slice(&((index - shift) as u32).to_le_bytes());
    }
    older.extend_from_slice(&bytes[24..index]);
    if generation == cdb::Generation::Second {
        for entry in bytes[index..index + 10 * games].chunks_exact(10) {
            let offset = u64::from_le_bytes(*entry.first_chunk().unwrap()) as usize - shift;
            older.extend_from_slice(&(offset as u32).to_le_bytes());
            older.extend_from_slice(&entry[8..]);
        }
    }
    older.extend_from_slice(&bytes[index + 10 * games..]);
    older
}

fn without_places(mut trees: Vec<GameTree>) -> Vec<GameTree> {
    for tree in &mut trees {
        tree.place = Default::default();
    }
    trees
}

#[test]
fn all_three_generations_are_told_apart_and_read() {
    for count in [0, 1, 2, 40] {
        let (bytes, _) = write_cdb(&games(count, false));
        let whole = without_places(read_cdb(&bytes));
        assert_eq!(whole.len() as u64, count);
        for generation in [cdb::Generation::First, cdb::Generation::Second] {
            let older: Arc<[u8]> = older(&bytes, generation).into();
            let cdb = cdb::Cdb::open(Arc::clone(&older), ReadOptions::default()).unwrap();
            assert_eq!(cdb.generation(), generation);
            assert_eq!(without_places(read_cdb(&older)), whole);
            let length = Some(older.len() as u64);
            assert_eq!(cdb::looks_like_cdb(&older, length), Certainty::Sure);
            if count > 0 {
                let dump = cdb::explain_game(&older, count - 1).unwrap().unwrap();
                assert_covers(&older, &dump);
            }
        }
    }
}

#[test]
fn a_game_whose_entry_is_damaged_is_found_by_its_neighbours() {
    let (bytes, _) = write_cdb(&games(9, false));
    let whole = read_cdb(&bytes);
    let index = u64::from_le_bytes(*bytes[16..].first_chunk().unwrap()) as usize;
    for game in [0, 4, 8] {
        for at in 0..10 {
            let mut damaged = bytes.clone();
            damaged[index + 10 * game + at] ^= 0x41;
            let read = read_cdb(&damaged);
            assert_eq!(read.len(), 9);
            for (number, (read, whole)) in read.iter().zip(&whole).enumerate() {
                if number != game {
                    assert_eq!(read, whole, "entry {game}, byte {at}");
                    continue;
                }
                assert_eq!(read.state, GameState::Broken);
                let (error, moves) = read.items.split_last().unwrap();
                assert_eq!(moves, whole.items);
                assert!(matches!(error, Item::Error { message, .. }
                    if message == "the index and the game do not agree"));
            }
        }
    }
}

#[test]
fn tags_without_a_string_break_their_game_alone() {
    let (mut bytes, _) = write_cdb(&games(3, false));
    let second = read_cdb(&bytes)[1].place.offset as usize;
    let whole = read_cdb(&bytes);
    bytes[second + 3] = 1; // Event
    let read = read_cdb(&bytes);
    assert_eq!((&read[0], &read[2]), (&whole[0], &whole[2]));
    assert_eq!(
        (read[1].state, read[1].tags.get("Event")),
        (GameState::Broken, None)
    );
    let Some(Item::Error { kind, place, .. }) = read[1].items.last() else {
        panic!("{:?}", read[1].items);
    };
    assert_eq!(
        (*kind, place.offset as usize),
        (GameErrorKind::BadTag, second)
    );
}

#[test]
fn strings_that_are_not_utf8_are_windows_1252() {
    let (bytes, _) = write_cdb(&[tree("[White \"RXti\"]\n\n1. Nf3 *")]);
    let bytes: Vec<u8> = bytes
        .into_iter()
        .map(|byte| if byte == b'X' { 0xe9 } else { byte })
        .collect();
    assert_eq!(read_cdb(&bytes)[0].tags.get("White"), Some("Réti"));
}

#[test]
fn what_stands_behind_the_strings_is_an_entry_of_its_own() {
    let (mut bytes, _) = write_cdb(&games(2, false));
    bytes.extend_from_slice(b"more");
    let bytes: Arc<[u8]> = bytes.into();
    let mut database = cdb::Cdb::open(bytes, ReadOptions::default()).unwrap();
    let read = read_all(&mut database);
    assert_eq!((read.trees.len(), read.opaque), (2, vec![b"more".to_vec()]));
}

#[test]
fn words_that_end_a_game_tell_the_result_that_no_tag_tells() {
    // A game with one tag, White, of four plies: the last word is overwritten.
    let (bytes, _) = write_cdb(&[tree("[White \"x\"]\n\n1. Nf3 d5 2. c4 e6 *")]);
    let last = 24 + 66 + 6;
    for (word, result) in [
        ([0, 0], GameResult::Draw),
        ([0, 0xff], GameResult::WhiteWins),
    ] {
        let mut ended = bytes.clone();
        ended[last..last + 2].copy_from_slice(&word);
        assert_eq!(read_cdb(&ended)[0].result, result);
        assert_eq!(moves(&read_cdb(&ended)[0]), "Nf3 d5 c4");
        let bytes: Arc<[u8]> = ended.into();
        let mut database = cdb::Cdb::open(bytes, ReadOptions::default()).unwrap();
        let mut tags_alone = TagsAlone::default();
        database
            .next_part()
            .unwrap()
            .unwrap()
            .tell(&mut tags_alone)
            .unwrap();
        assert_eq!(tags_alone.0, Some(result));
    }
}

/// A sink that wants no moves, and the result it is told.
#[derive(Default)]
struct TagsAlone(Option<GameResult>);

impl GameSink for TagsAlone {
    fn needs(&mut self) -> Needs {
        Needs::TAGS
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameEnd { result, .. } => self.0 = Some(result),
            Event::GameStart(_) | Event::Tag { .. } => {}
            other => panic!("{other:?}"),
        }
        Flow::Continue
    }
}

#[test]
fn a_cdb_is_recognised_by_its_numbers() {
    let (bytes, _) = write_cdb(&games(50, false));
    let length = Some(bytes.len() as u64);
    assert_eq!(cdb::looks_like_cdb(&bytes, length), Certainty::Sure);
    assert_eq!(
        cdb::looks_like_cdb(&bytes[..1_024], length),
        Certainty::Sure
    );
    assert_eq!(cdb::looks_like_cdb(&bytes[..1_024], None), Certainty::Sure);
    assert_eq!(
        cdb::looks_like_cdb(&bytes[..24], length),
        Certainty::Perhaps
    );
    assert_eq!(
        cdb::looks_like_cdb(&bytes[..1_024], Some(2_000)),
        Certainty::No
    );
    let mut zeros = vec![0; 4_096];
    assert_eq!(cdb::looks_like_cdb(&zeros, None), Certainty::No);
    zeros.fill(0xff);
    assert_eq!(cdb::looks_like_cdb(&zeros, None), Certainty::No);
    for text in [
        "1. e4 e5 *",
        "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n",
    ] {
        let text = text.repeat(100);
        for length in [None, Some(text.len() as u64), Some(1 << 40)] {
            assert_eq!(cdb::looks_like_cdb(text.as_bytes(), length), Certainty::No);
        }
    }
}

#[test]
fn what_fits_no_generation_is_refused() {
    for bytes in [
        &b""[..],
        b"x",
        &[0; 15],
        &[0; 16],
        &[0xff; 4_000],
        &[0; 4_000],
    ] {
        let error = cdb::Cdb::open(Arc::<[u8]>::from(bytes), ReadOptions::default()).err();
        assert_eq!(error.unwrap().kind, ErrorKind::UnrecognisedContainer);
        assert!(cdb::explain_game(bytes, 0).is_err());
    }
}

#[test]
fn a_game_of_a_cdb_is_explained() {
    let (bytes, _) = write_cdb(&[tree("[White \"x\"]\n[Result \"*\"]\n\n1. Nf3 d5 *")]);
    let dump = cdb::explain_game(&bytes, 0).unwrap().unwrap();
    let titles: Vec<&str> = dump.sections.iter().map(|s| s.title.as_str()).collect();
    assert_eq!(titles, ["header", "index", "game", "moves"]);
    let meaning = |section: usize, line: usize| &dump.sections[section].lines[line].meaning;
    assert_eq!(meaning(0, 3), "the index begins at byte 94");
    assert_eq!(meaning(1, 0), "game 0 begins at byte 24");
    assert_eq!(meaning(2, 0), "Event: none");
    assert_eq!(meaning(2, 4), "White: string 1 at byte 105, \"x\"");
    assert_eq!(meaning(2, 16), "plies: 2");
    assert_eq!(
        meaning(3, 1),
        "piece 36: Black pawn 4 of 8; action 02: two steps; flags: none"
    );
    assert_covers(&bytes, &dump);
    assert!(cdb::explain_game(&bytes, 1).unwrap().is_none());
}

#[test]
fn records_join_as_if_one_writer_had_written_all() {
    let trees = games(30, false);
    let (whole, _) = write_cdb(&trees);
    let mut builder = cdb::Builder::new(Vec::new(), 1_700_000_000_000_000_000);
    for tree in &trees {
        let mut writer = cdb::RecordWriter::default();
        tree.tell(&mut writer);
        builder.add(&writer.take()).unwrap();
    }
    assert!(builder.finish().unwrap() == whole);
}

#[test]
fn a_cdb_that_is_read_is_written_the_same() {
    let (bytes, _) = write_cdb(&games(60, false));
    let mut trees = read_cdb(&bytes);
    let (again, losses) = write_cdb(&trees);
    assert!(again == bytes);
    assert!(losses.is_empty(), "{losses:?}");
    trees = read_cdb(&older(&bytes, cdb::Generation::First));
    assert!(write_cdb(&trees).0 == bytes);
}
