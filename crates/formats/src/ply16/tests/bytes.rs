//! Any bytes at all.

use super::*;

#[test]
fn a_file_may_end_anywhere() {
    let trees = games(6, false);
    let (bytes, _) = write_file(&trees);
    let whole = read_file(&bytes);
    for end in 12..bytes.len() {
        let read = read_file(&bytes[..end]);
        let complete = whole.iter().zip(&read).take_while(|(a, b)| a == b).count();
        assert!(read.len() <= complete + 1, "{end}");
        let rest = &read[complete..];
        assert!(
            rest.iter().all(|game| game.state == GameState::Broken),
            "{end}"
        );
    }
    let (bytes, _) = write_cdb(&trees);
    let whole = read_cdb(&bytes);
    for end in 0..bytes.len() {
        let Ok(mut cdb) = cdb::Cdb::open(Arc::<[u8]>::from(&bytes[..end]), ReadOptions::default())
        else {
            continue;
        };
        let read = read_all(&mut cdb).trees;
        assert_eq!(read.len(), whole.len());
        for (read, whole) in read.iter().zip(&whole) {
            assert!(read.state == GameState::Broken || read == whole, "{end}");
            // A start that cannot be read leaves no moves.
            let plies = whole.main_line().count();
            let has_start = whole.tags.get("FEN") == read.tags.get("FEN");
            assert_eq!(read.main_line().count(), if has_start { plies } else { 0 });
        }
    }
}

/// Reads bytes in every way there is.
fn read_anyhow(bytes: &[u8]) {
    let start = Position::initial();
    for profile in BOTH {
        for strict in [false, true] {
            let codec = Codec::new(profile).reading(ReadOptions { strict });
            let streams = Streams::from(bytes.to_vec());
            let mut tree = GameTree::default();
            let outcome = codec.decode(&streams, &start, &mut tree);
            assert_eq!(outcome.is_ok(), tree.state == GameState::Complete);
            codec.explain(&streams, &start);
        }
    }
    let mut database = file::Ply16::new(bytes, ReadOptions::default());
    let mut trees = Trees::default();
    while let Ok(Some(part)) = database.next_part() {
        part.tell(&mut trees).unwrap();
    }
    let _ = file::explain_game(bytes, 1);
    let _ = cdb::looks_like_cdb(bytes, None);
    let _ = cdb::looks_like_cdb(&bytes[..bytes.len() / 2], Some(bytes.len() as u64));
    if let Ok(mut database) = cdb::Cdb::open(Arc::<[u8]>::from(bytes), ReadOptions::default()) {
        read_all(&mut database);
        let _ = cdb::explain_game(bytes, 1);
    }
}

#[test]
fn no_flipped_bit_is_too_much() {
    let trees = games(3, false);
    for bytes in [write_file(&trees).0, write_cdb(&trees).0] {
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            read_anyhow(&flipped);
        }
    }
}

/// Wants no more after so many events of a game.
struct Impatient {
    patience: usize,
    heard: usize,
    skipped: bool,
    games: usize,
}

impl GameSink for Impatient {
    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::GameStart(_) = event {
            (self.heard, self.skipped) = (0, false);
        }
        if let Event::GameEnd { .. } = event {
            self.games += 1;
            return Flow::Continue;
        }
        assert!(!self.skipped, "{event:?}");
        self.heard += 1;
        self.skipped = self.heard > self.patience;
        match self.skipped {
            true => Flow::SkipGame,
            false => Flow::Continue,
        }
    }
}

#[test]
fn a_game_can_be_left_at_any_event() {
    let trees = games(3, false);
    let (mut file, mut cdb) = (write_file(&trees).0, write_cdb(&trees).0);
    file[40] ^= 0x80; // in a tag, so that the checksum is wrong
    file.extend_from_slice(b"noise");
    cdb[24] = 0xff; // a tag without a string
    for patience in 0..60 {
        let impatient = || Impatient {
            patience,
            heard: 0,
            skipped: false,
            games: 0,
        };
        let mut sink = impatient();
        let mut database = file::Ply16::new(&file[..], ReadOptions::default());
        while let Some(part) = database.next_part().unwrap() {
            part.tell(&mut sink).unwrap();
        }
        assert_eq!(sink.games, 4);
        let mut sink = impatient();
        let bytes: Arc<[u8]> = cdb[..].into();
        let mut database = cdb::Cdb::open(bytes, ReadOptions::default()).unwrap();
        while let Some(part) = database.next_part().unwrap() {
            part.tell(&mut sink).unwrap();
        }
        assert_eq!(sink.games, 3);
        let mut sink = impatient();
        let streams: Streams = "4002 4602 0C01".parse().unwrap();
        let _ = Codec::default().decode(&streams, &Position::initial(), &mut sink);
        assert_eq!(sink.games, 1);
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        read_anyhow(&bytes);
        let mut framed = write_file(&[]).0;
        framed.extend_from_slice(b"\xfdGM\xfd\0\0\0\x40\0\0\0\0");
        framed.extend_from_slice(&bytes);
        read_anyhow(&framed);
    }

    /// Words that are mostly sound get further than chance.
    #[test]
    fn words_of_any_kind_are_read_or_refused(
        words in proptest::collection::vec((0u8..12, 0u8..8, 0u8..0x20), 0..60),
    ) {
        let bytes: Vec<u8> = words
            .iter()
            .flat_map(|(kind, index, action)| [index << 4 | kind, *action])
            .collect();
        read_anyhow(&bytes);
    }

    #[test]
    fn streams_round_trip(seed in any::<u64>(), index in 0u64..1_000, chess960 in any::<bool>()) {
        let options = Options { seed, chess960, ..Options::default() };
        let tree = Generator::new(options).game(index);
        for profile in BOTH {
            let codec = Codec::new(profile).reading(ReadOptions { strict: true });
            let mut losses = Losses::default();
            let streams = match codec.encode(&tree, &mut losses) {
                Ok(streams) => streams,
                Err(error) => {
                    prop_assert_eq!(error.name, "Chess960Unsupported");
                    continue;
                }
            };
            let mut back = GameTree::default();
            codec.decode(&streams, &tree.start, &mut back).unwrap();
            prop_assert_eq!(&back.items, &tree.items);
            prop_assert_eq!(back.result == tree.result, losses.is_empty());
        }
    }

    #[test]
    fn files_round_trip(seed in any::<u64>(), index in 0u64..1_000, chess960 in any::<bool>()) {
        let options = Options { seed, chess960, ..Options::default() };
        let tree = Generator::new(options).game(index);
        let (bytes, losses) = write_file(std::slice::from_ref(&tree));
        let back = read_file(&bytes).remove(0);
        prop_assert_eq!(&back.tags, &tree.tags);
        prop_assert_eq!((back.start, back.result), (tree.start, tree.result));
        if losses.is_empty() {
            prop_assert_eq!(&back.items, &tree.items);
        } else {
            prop_assert!(chess960);
            let lost = (tree.items.len() - back.items.len()) as u64;
            prop_assert_eq!(losses_by_kind(&losses), [(LossKind::Move, lost)]);
            prop_assert!(tree.items.starts_with(&back.items));
        }
    }
}
