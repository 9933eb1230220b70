//! Words in a row.

use super::*;

const MATE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";

#[test]
fn flags_that_are_not_true_count_only_in_strict_mode() {
    let strict = ReadOptions { strict: true };
    let read = |hex: &str, options| {
        let codec = Codec::new(Profile::Document).reading(options);
        let streams: Streams = hex.parse().unwrap();
        codec.decode(&streams, &position(MATE), &mut GameTree::default())
    };
    for good in ["0397", "03d7"] {
        assert_eq!(read(good, strict), Ok(()));
    }
    for wrong in ["0317", "0357", "03b7", "03f7", "0377", "0512ff"] {
        assert!(read(wrong, strict).is_err());
    }
    let error = read("0317", strict).unwrap_err();
    assert_eq!(error.name, "FlagMismatch");
    assert_eq!(
        error.to_string(),
        "byte 0: the flags of action byte 17 are wrong: expected check, mate"
    );
    for any in ["0317", "0357", "03b7", "03f7"] {
        assert_eq!(read(any, ReadOptions::default()), Ok(()));
    }
}

#[test]
fn a_bad_word_ends_a_game_that_keeps_what_stands_before_it() {
    let streams: Streams = "40 02 46 02 04 1F 07 01".parse().unwrap();
    let mut tree = GameTree::default();
    let error = Codec::new(Profile::Document)
        .decode(&streams, &Position::initial(), &mut tree)
        .unwrap_err();
    assert_eq!(
        (error.name, error.place),
        ("OffBoard", StreamPlace::Byte(4))
    );
    assert_eq!(tree.state, GameState::Broken);
    assert_eq!(tree.items.len(), 3);
    let Item::Error {
        kind, raw, place, ..
    } = &tree.items[2]
    else {
        panic!("{:?}", tree.items);
    };
    assert_eq!(
        (kind, raw.as_str()),
        (&GameErrorKind::Unreadable, "04 1F 07 01")
    );
    assert_eq!(place.offset, 4);
}

#[test]
fn an_illegal_move_is_told_as_one() {
    for (fen, hex) in [
        ("", "05 01"),                                  // onto an own pawn
        ("", "46 02"),                                  // not Black's turn
        ("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "01 00"), // pinned
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "00 01"),    // no promotion
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "00 0D"),    // too early
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "00 22"),    // nothing to capture
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "05 14"),    // no right to castle
    ] {
        let mut tree = GameTree::default();
        let streams: Streams = hex.parse().unwrap();
        let outcome = Codec::default().decode(&streams, &position(fen), &mut tree);
        assert_eq!(outcome.unwrap_err().name, "IllegalMove", "{fen} {hex}");
        let is_illegal = |item: &Item| {
            matches!(
                item,
                Item::Error {
                    kind: GameErrorKind::IllegalMove,
                    ..
                }
            )
        };
        assert!(tree.items.iter().any(is_illegal), "{fen} {hex}");
    }
}

/// The turn before each move, and plies left out.
#[derive(Default)]
struct Turns(Vec<Option<Color>>);

impl GameSink for Turns {
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Move { before, .. } => self.0.push(Some(before.turn())),
            Event::Missing => self.0.push(None),
            _ => {}
        }
        Flow::Continue
    }
}

#[test]
fn the_word_behind_a_ply_left_out_says_whose_move_it_is() {
    let turns = |hex: &str| {
        let mut turns = Turns::default();
        let streams: Streams = hex.parse().unwrap();
        Codec::default()
            .decode(&streams, &Position::initial(), &mut turns)
            .unwrap();
        turns.0
    };
    let (white, black) = (Some(Color::White), Some(Color::Black));
    assert_eq!(turns("FFFF 4602"), [None, black]);
    assert_eq!(turns("FFFF 4002"), [None, white]);
    assert_eq!(turns("4002 FFFF 4001"), [white, None, white]);
    assert_eq!(turns("4002 FFFF 4602"), [white, None, black]);
    assert_eq!(turns("FFFF FFFF 4602"), [None, None, black]);
    assert_eq!(turns("FFFF FFFF 4002"), [None, None, white]);
}

#[test]
fn a_ply_left_out_is_written_with_the_colour_of_the_next() {
    let mut line = writer::Bare::new(Profile::Document);
    let streams: Streams = "4002 FFFF 7001 FFFF FFFF 3602".parse().unwrap();
    Codec::default()
        .decode(&streams, &Position::initial(), &mut line)
        .unwrap();
    assert_eq!(line.line.words(), streams.main);
    assert!(line.ledger.losses.is_empty());
}

#[test]
fn results_end_streams_where_it_is_asked_for() {
    let encode = |pgn: &str, codec: Codec| {
        let mut losses = Losses::default();
        let streams = codec.encode(&tree(pgn), &mut losses).unwrap();
        (streams.to_string(), losses_by_kind(&losses))
    };
    let document = Codec::new(Profile::Document);
    let ending = document.with_terminators(Terminators::FromResult);
    let lost = vec![(LossKind::Result, 1)];
    assert_eq!(encode("1. e4 e5 *", ending), ("40 02 46 02".into(), vec![]));
    assert_eq!(
        encode("1. e4 e5 1/2-1/2", document),
        ("40 02 46 02".into(), lost.clone())
    );
    for (pgn, expected, losses) in [
        ("1. e4 e5 1/2-1/2", "40 02 46 02 00 00", vec![]),
        ("1. e4 e5 0-1", "40 02 46 02 FF 00", vec![]),
        // White would have to resign, and it is White's move.
        ("1. e4 e5 1-0", "40 02 46 02", lost.clone()),
    ] {
        assert_eq!(encode(pgn, ending), (expected.into(), losses), "{pgn}");
    }
    let mate = "1. f3 e5 2. g4 Qh4# 0-1";
    assert_eq!(encode(mate, ending).1, []);
    assert_eq!(encode(mate, document).1, []);
    let program = Codec::new(Profile::Program).with_terminators(Terminators::FromResult);
    assert_eq!(
        encode("1. e4 e5 1/2-1/2", program),
        ("02 40 02 46".into(), lost)
    );
}

#[test]
fn a_stream_tells_its_result_by_its_end() {
    for (hex, result) in [
        ("4002 0000", GameResult::Draw),
        ("4002 FF00", GameResult::WhiteWins),
        ("4002 4602 FF00", GameResult::BlackWins),
        ("4002 4602", GameResult::Unknown),
        ("5001 4602 5002 0ADC", GameResult::BlackWins),
    ] {
        let mut tree = GameTree::default();
        let streams: Streams = hex.parse().unwrap();
        let outcome = Codec::default().decode(&streams, &Position::initial(), &mut tree);
        assert_eq!((outcome, tree.result), (Ok(()), result), "{hex}");
    }
}

#[test]
fn a_stream_without_null_moves_only() {
    let mut losses = Losses::default();
    let error = Codec::default()
        .encode(&tree("1. e4 -- 2. d4 *"), &mut losses)
        .unwrap_err();
    assert_eq!(
        (error.name, error.place),
        ("NotRepresentable", StreamPlace::Ply(2))
    );
    assert_eq!(error.to_string(), "ply 2: a null move has no word");
    let error = Codec::default()
        .encode(&tree("[Variant \"Atomic\"]\n\n1. e4 *"), &mut losses)
        .unwrap_err();
    assert_eq!(error.place, StreamPlace::Ply(0));
}

#[test]
fn a_second_stream_is_refused() {
    let streams: Streams = "4002 + 61".parse().unwrap();
    let start = Position::initial();
    let error = Codec::default().decode(&streams, &start, &mut GameTree::default());
    assert_eq!(error.unwrap_err().name, "BadField");
    assert_eq!(Codec::default().explain(&streams, &start).sections.len(), 2);
}

#[test]
fn words_are_explained_field_by_field() {
    let streams: Streams = "4002 4602 0404 0701 1213 1703 04B2".parse().unwrap();
    let dump = Codec::default().explain(&streams, &Position::initial());
    let lines: Vec<String> = dump.sections[0]
        .lines
        .iter()
        .map(|line| {
            format!(
                "{} {} | {}",
                line.offset,
                line.san.as_deref().unwrap_or("-"),
                line.meaning
            )
        })
        .collect();
    assert_eq!(
        lines,
        [
            "0 1. e4 | piece 40: White pawn 5 of 8; action 02: two steps; flags: none",
            "2 1... e5 | piece 46: Black pawn 5 of 8; action 02: two steps; flags: none",
            "4 2. Qh5 | piece 04: White queen; action 04: like a bishop, rising diagonal by +4; flags: none",
            "6 2... Nc6 | piece 07: Black knight 1 of 2; action 01: ranks -2, files +1; flags: none",
            "8 3. Bc4 | piece 12: White bishop 2 of 2; action 13: falling diagonal by +3; flags: none",
            "10 3... Nf6 | piece 17: Black knight 2 of 2; action 03: ranks -2, files -1; flags: none",
            "12 4. Qxf7# | piece 04: White queen; action B2: like a bishop, falling diagonal by +2; flags: capture, mate",
        ]
    );
}

#[test]
fn a_bad_word_is_explained_with_the_rest() {
    let streams: Streams = "4002 0C01 4602".parse().unwrap();
    let dump = Codec::default().explain(&streams, &Position::initial());
    let last = dump.sections[0].lines.last().unwrap();
    assert_eq!((last.offset, &last.bytes[..]), (2, &[0x0c, 1, 0x46, 2][..]));
    assert_eq!(last.meaning, "BadPieceCode: piece byte 0C names no piece");
}
