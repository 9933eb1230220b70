//! Bad input, odd input, and readers that want little.

use std::ops::ControlFlow;

use proptest::prelude::*;
use tabiya_chess::{Position, Setup, Variant, mailbox::Mailbox};
use tabiya_game::{
    Event, Flow, GameErrorKind, GameResult, GameSink, GameState, GameTree, Item, Limits, Listener,
    Needs, Place,
    generate::{Generator, Options},
};

use super::{decode, encode, pgn, position};
use crate::{
    jose::{ErrorKind, Profile, ReadOptions, Reader, Told, replay},
    stream::{StreamCodec, Streams},
};

const PROFILES: [Profile; 3] = [Profile::Document, Profile::Program, Profile::Store];

fn read(
    profile: Profile,
    options: ReadOptions,
    fen: &str,
    bytes: &str,
) -> (Told, Vec<(GameErrorKind, String, u64)>, GameTree) {
    let streams: Streams = bytes.parse().expect("hexadecimal");
    let mut tree = GameTree::default();
    let start = position(fen, Variant::Standard);
    let mut reader = Reader::new(profile).with_options(options);
    let told = reader.tell_moves((&streams).into(), &start, &mut Listener::new(&mut tree));
    let errors = tree.items.iter().filter_map(|item| match item {
        Item::Error {
            kind, raw, place, ..
        } => Some((*kind, raw.clone(), place.offset)),
        _ => None,
    });
    let errors = errors.collect();
    (told, errors, tree)
}

fn read_document(fen: &str, bytes: &str) -> (Told, Vec<(GameErrorKind, String, u64)>, GameTree) {
    read(Profile::Document, ReadOptions::default(), fen, bytes)
}

#[test]
fn a_sound_move_that_is_not_legal_is_kept_and_flagged() {
    // 1. e4 e5 2. Ba6 leaves nobody in check, 1. e4 f5 2. Qh5+ a5 leaves the king there.
    let (told, errors, tree) = read_document("", "13 17 74 03 03 D3 FF");
    assert_eq!(told.error, None);
    assert_eq!(told.state, GameState::Broken);
    assert_eq!(errors, [(GameErrorKind::IllegalMove, String::new(), 3)]);
    assert_eq!(tree.items.len(), 6);
    // What flags it is not written: whoever reads the stream will find out.
    let bytes = encode(Profile::Document, &tree);
    assert_eq!(bytes.to_string(), "13 17 74 03 03 D3 FF");
}

#[test]
fn a_strict_reader_ends_the_line_there() {
    let strict = ReadOptions {
        strict: true,
        ..ReadOptions::default()
    };
    for profile in PROFILES {
        let (told, errors, _) = read(profile, strict, "", "13 17 74 03 03 D2 FF");
        let error = told.error.expect("an error");
        assert_eq!(error.to_string(), "byte 3: a7a5 is not legal");
        let raw = "03 03 D2".to_owned();
        assert_eq!(errors, [(GameErrorKind::IllegalMove, raw, 3)]);
        assert_eq!(told.result, Some(GameResult::WhiteWins));
    }
}

#[test]
fn nobody_captures_a_king_or_an_own_piece() {
    for (fen, bytes) in [
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "57 D3 FF"),
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "5D D3 FF"),
        ("4k3/8/8/8/8/8/8/4KB1R w K - 0 1", "98 D3 FF"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "98 D3 FF"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "00 D3 FF"),
        ("4k3/8/P7/8/8/8/8/4K3 w - - 0 1", "A0 23 D3 FF"),
        ("4k3/8/P7/8/8/8/8/4K3 w - - 0 1", "03 D3 FF"),
    ] {
        for profile in PROFILES {
            let (told, ..) = read(profile, ReadOptions::default(), fen, bytes);
            let name = told.error.expect("an error").kind.name();
            assert_eq!(name, "IllegalMove", "{fen} {bytes}");
        }
    }
}

#[test]
fn castling_through_pieces_that_stay_where_they_are_is_kept() {
    let fen = "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1";
    let (told, errors, _) = read_document(fen, "99 D3 FF");
    assert_eq!(told.error, None);
    assert_eq!(errors.len(), 1);
}

#[test]
fn a_bad_move_in_a_variation_spoils_the_variation_alone() {
    let (told, errors, tree) = read_document("", "13 F0 0F 70 B1 F0 0F F1 F1 13 D1 FF");
    assert_eq!(told.result, Some(GameResult::Draw));
    let raw = "70 B1 F0 0F F1".to_owned();
    assert_eq!(errors, [(GameErrorKind::Unreadable, raw, 3)]);
    assert_eq!(tree.main_line().count(), 2);
}

#[test]
fn texts_of_a_spoiled_line_are_kept_and_counted() {
    let bytes = "13 F0 70 E0 F1 E0 D3 FF + 61 00 62 00";
    let (_, errors, tree) = read(Profile::Program, ReadOptions::default(), "", bytes);
    assert_eq!(errors[0].1, "70 E0 + 61 00");
    let text = tree.items.iter().find_map(|item| match item {
        Item::Comment { text, .. } => Some(text.as_str()),
        _ => None,
    });
    assert_eq!(text, Some("b"));
}

#[test]
fn variations_that_cannot_be_are_kept_as_bytes() {
    let (_, errors, tree) = read_document("", "F0 13 F0 0F F1 F1 13 13 D3 FF");
    let raw = "F0 13 F0 0F F1 F1".to_owned();
    assert_eq!(errors, [(GameErrorKind::Unbalanced, raw, 0)]);
    assert_eq!(tree.main_line().count(), 2);
    let shallow = ReadOptions {
        limits: Limits {
            depth: 1,
            ..Limits::default()
        },
        ..ReadOptions::default()
    };
    let bytes = "13 F0 0F F0 0B F1 F1 13 D3 FF";
    let (told, errors, _) = read(Profile::Document, shallow, "", bytes);
    let kind = told.error.expect("an error").kind;
    assert_eq!(kind, ErrorKind::NestingTooDeep { limit: 1 });
    assert_eq!(errors, [(GameErrorKind::Limit, "F0 0B F1".into(), 3)]);
}

#[test]
fn what_is_behind_a_code_without_a_meaning_is_kept() {
    let (_, errors, _) = read_document("", "13 F0 0F D4 13 D3 FF");
    let raw = "D4 13 D3 FF".to_owned();
    assert_eq!(errors, [(GameErrorKind::Unreadable, raw, 3)]);
}

#[test]
fn places_are_those_of_the_file() {
    let mut tree = GameTree::default();
    let input = crate::jose::Input {
        offset: 1_000,
        ..(&[0x13, 0xd4][..]).into()
    };
    let start = Position::initial();
    Reader::new(Profile::Document).tell_moves(input, &start, &mut Listener::new(&mut tree));
    assert!(matches!(tree.items[1], Item::Error { place, .. } if place == Place::at_byte(1_001)));
}

#[test]
fn old_texts_are_read_on_request() {
    let bytes = "13 E0 D3 FF + 52 E9 74 69 00";
    let (told, errors, _) = read(Profile::Program, ReadOptions::default(), "", bytes);
    assert_eq!(told.error.expect("an error").kind, ErrorKind::BadText);
    assert_eq!(errors[0].1, "E0 + 52 E9 74 69 00");
    let latin1 = ReadOptions {
        latin1: true,
        ..ReadOptions::default()
    };
    let (told, _, tree) = read(Profile::Program, latin1, "", bytes);
    assert_eq!(told.error, None);
    assert!(matches!(&tree.items[1], Item::Comment { text, .. } if text == "Réti"));
}

#[test]
fn the_last_result_of_the_main_line_counts() {
    let (told, _, tree) = read_document("", "D0 13 D2 F0 0F D1 F1 FF");
    assert_eq!(told.result, Some(GameResult::WhiteWins));
    assert!(matches!(&tree.items[3], Item::Comment { text, .. } if text == "1/2-1/2"));
    assert_eq!(read_document("", "13 FF").0.result, None);
}

#[test]
fn nags_in_two_bytes_and_loose_upper_bits_are_tolerated() {
    let fen = "8/P7/8/8/8/8/k1K4p/8 w - - 0 1";
    let (told, _, tree) = read_document(fen, "A0 F0 A0 01 B0 05 A8 E5 D3 FF");
    assert_eq!(told.error, None);
    let mut tree = tree;
    tree.start = position(fen, Variant::Standard);
    let bytes = encode(Profile::Document, &tree);
    assert_eq!(bytes.to_string(), "A0 20 A0 21 B5 A8 25 D3 FF");
}

/// Remembers moves and brackets, and wants what it is told to want.
struct Choosy {
    heard: String,
    needs: Needs,
    at_variation: Flow,
    at_move: Flow,
}

impl Choosy {
    fn hear(needs: Needs, at_variation: Flow, at_move: Flow) -> (String, Option<GameResult>) {
        let game = pgn("1. e4 $1 (1. d4 {so} (1. c4) d5) 1... e5 {so} 2. Nf3 0-1");
        let streams = encode(Profile::Document, &game);
        let mut choosy = Choosy {
            heard: String::new(),
            needs,
            at_variation,
            at_move,
        };
        let mut reader = Reader::new(Profile::Document);
        let told = reader.tell_moves(
            (&streams).into(),
            &game.start,
            &mut Listener::new(&mut choosy),
        );
        assert_eq!(reader.result((&streams).into()), told.result);
        (choosy.heard, told.result)
    }
}

impl GameSink for Choosy {
    fn needs(&mut self) -> Needs {
        self.needs
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        let word = match event {
            Event::Move { before, play, .. } => before.san(play).to_string(),
            Event::Nag(nag) => nag.to_string(),
            Event::Comment(comment) => comment.text.into(),
            Event::VariationStart => "(".into(),
            Event::VariationEnd => ")".into(),
            _ => return Flow::Continue,
        };
        if !self.heard.is_empty() {
            self.heard.push(' ');
        }
        self.heard.push_str(&word);
        match event {
            Event::VariationStart => self.at_variation,
            Event::Move { .. } => self.at_move,
            _ => Flow::Continue,
        }
    }
}

#[test]
fn sinks_hear_what_they_want_and_always_the_result() {
    let go_on = Flow::Continue;
    let black = Some(GameResult::BlackWins);
    let hear = |needs, at_variation, at_move| {
        let (heard, result) = Choosy::hear(needs, at_variation, at_move);
        assert_eq!(result, black);
        heard
    };
    assert_eq!(
        hear(Needs::ALL, go_on, go_on),
        "e4 $1 ( d4 so ( c4 ) d5 ) e5 so Nf3"
    );
    assert_eq!(
        hear(Needs::ALL, Flow::SkipVariation, go_on),
        "e4 $1 ( e5 so Nf3"
    );
    assert_eq!(hear(Needs::ALL, Flow::SkipGame, go_on), "e4 $1 (");
    assert_eq!(hear(Needs::ALL, go_on, Flow::SkipGame), "e4");
    assert_eq!(hear(Needs::TAGS, go_on, go_on), "");
    let variations = false;
    let needs = Needs::ALL.variations(variations);
    assert_eq!(hear(needs, go_on, go_on), "e4 $1 e5 so Nf3");
    let notes = false;
    let needs = Needs::ALL.notes(notes);
    assert_eq!(hear(needs, go_on, go_on), "e4 ( d4 ( c4 ) d5 ) e5 Nf3");
}

#[test]
fn dumps_explain_pieces_offsets_and_moves() {
    let streams = "13 13 29 F0 20 F1 25 B6 D3 FF".parse().unwrap();
    let dump = Profile::Document.explain(&streams, &Position::initial());
    let lines: Vec<String> = dump.sections[0]
        .lines
        .iter()
        .map(|line| {
            let san = line.san.as_deref().unwrap_or("");
            format!("{} {} {} | {san}", line.offset, line.depth, line.meaning)
        })
        .collect();
    assert_eq!(
        lines,
        [
            "0 0 pawn 4, two steps | 1. e4",
            "1 0 pawn 4, two steps | 1... e5",
            "2 0 knight 1, step 1 | 2. Nf3",
            "3 0 variation | ",
            "4 1 knight 0, step 0 | 2. Nc3",
            "5 0 end of variation | ",
            "6 0 knight 0, step 5 | 2... Nc6",
            "7 0 NAG $6 (?!) | ",
            "8 0 result * | ",
            "9 0 end of data | ",
        ]
    );
}

#[test]
fn dumps_tell_where_a_stream_is_bad() {
    for (bytes, last) in [
        (
            "13 D4 13",
            "error ReservedCode: code D4 has no meaning here",
        ),
        (
            "13 FF 13",
            "error TrailingData: 1 bytes follow the end of data",
        ),
        (
            "13",
            "error UnexpectedEnd: the stream ends too early: FF is missing",
        ),
    ] {
        let dump = Profile::Document.explain(&bytes.parse().unwrap(), &Position::initial());
        let line = dump.sections[0].lines.last().unwrap();
        assert_eq!(line.meaning, last);
    }
}

/// Every byte of a stream stands in one line of its dump.
fn check_dump(profile: Profile, streams: &Streams, start: &Position) {
    let dump = profile.explain(streams, start);
    let join = |section: usize| -> Vec<u8> {
        let lines = dump
            .sections
            .get(section)
            .into_iter()
            .flat_map(|s| &s.lines);
        lines.flat_map(|line| line.bytes.iter().copied()).collect()
    };
    assert_eq!(join(0), streams.main);
    assert_eq!(join(1), streams.texts);
}

/// Reads anything: nothing panics, kings stay, dumps are whole, and where the reader finds nothing
/// wrong in a stored game, replay agrees.
fn check_anything(profile: Profile, streams: &Streams, start: &Position) {
    let mut sink = Plies::default();
    let told =
        Reader::new(profile).tell_moves(streams.into(), start, &mut Listener::new(&mut sink));
    assert_eq!(sink.depth, 0);
    check_dump(profile, streams, start);
    let Ok(board) = Mailbox::from_setup(&start.to_setup()) else {
        return;
    };
    let mut last = None;
    let plies = replay(&streams.main, &board, |_, key| {
        last = Some(key);
        ControlFlow::Continue(())
    });
    if profile == Profile::Store && told.error.is_none() {
        assert_eq!(plies, Ok(sink.plies), "{streams}");
        assert_eq!(last, sink.last, "{streams}");
    }
}

#[derive(Default)]
struct Plies {
    depth: usize,
    plies: u32,
    last: Option<tabiya_chess::Key>,
}

impl GameSink for Plies {
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::VariationStart => self.depth += 1,
            Event::VariationEnd => self.depth -= 1,
            Event::Move { before, .. } | Event::Null { before, .. } => {
                let mut after = *before;
                match event {
                    Event::Move { play, .. } => after.play_unchecked(play),
                    _ => after.play_null(),
                }
                let kings =
                    |position: &Position| position.board().pieces(tabiya_chess::Role::King).count();
                assert_eq!(kings(&after), 2);
                let again = Position::from_setup(&after.to_setup(), after.variant());
                assert_eq!(again, Ok(after));
                if self.depth == 0 {
                    self.plies += 1;
                    self.last = Some(after.key());
                }
            }
            _ => {}
        }
        Flow::Continue
    }
}

#[test]
fn games_cut_anywhere_and_bits_turned_over_do_no_harm() {
    let generator = Generator::new(Options {
        variations: true,
        plies: 10..=30,
        ..Options::default()
    });
    for index in 0..4 {
        let game = generator.game(index);
        for profile in PROFILES {
            let mut writer = crate::jose::Writer::new(profile);
            game.tell(&mut writer);
            let streams = writer.take();
            for length in 0..streams.main.len() {
                let mut cut = streams.clone();
                cut.main.truncate(length);
                assert!(decode(profile, &cut, &game.start).is_err());
                check_anything(profile, &cut, &game.start);
            }
            for bit in 0..streams.main.len() * 8 {
                let mut turned = streams.clone();
                turned.main[bit / 8] ^= 1 << (bit % 8);
                check_anything(profile, &turned, &game.start);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn any_bytes_are_read(
        profile in prop::sample::select(PROFILES.to_vec()),
        main: Vec<u8>,
        texts: Vec<u8>,
        start in prop::sample::select(vec![
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "4k3/pppppppp/8/PPPPPPPP/pppppppp/8/PPPPPPPP/QQNNNK2 w - - 0 1",
        ]),
    ) {
        let setup: Setup = start.parse().unwrap();
        let start = Position::from_setup(&setup, Variant::Standard).unwrap();
        check_anything(profile, &Streams { main, texts }, &start);
    }

    #[test]
    fn any_codes_are_read(
        profile in prop::sample::select(PROFILES.to_vec()),
        // Mostly moves, so that something happens on the board.
        mut main in prop::collection::vec(
            prop_oneof![8 => 0u8..0x9b, 1 => 0xa0u8..0xb0, 1 => 0xf0u8..0xf2, 1 => any::<u8>()],
            0..200,
        ),
    ) {
        main.push(0xff);
        check_anything(profile, &main.into(), &Position::initial());
    }
}
