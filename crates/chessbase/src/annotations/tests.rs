mod properties;

use std::time::Duration;

use encoding_rs::WINDOWS_1252;
use tabiya_chess::Square;
use tabiya_game::{
    Annotation, Answer, Arrow, Comment, CommentPlace, Evaluation, Event, LossKind, Mark, MarkColor,
    Medals, Nag, Phase, Profile, Score, Training, VariationColor, Wording,
};

use super::*;

/// What an item says, with the codec of most databases.
fn note(kind: u8, data: &[u8]) -> Note {
    note_at(0, kind, data)
}

fn note_at(position: i32, kind: u8, data: &[u8]) -> Note {
    let item = Item {
        position,
        kind,
        data,
    };
    Note::read(&item, &TextCodec::default())
}

fn said(kind: u8, data: &[u8]) -> Annotation {
    match note(kind, data) {
        Note::Annotation(annotation) => annotation,
        other => panic!("{other:?}"),
    }
}

fn is_raw(kind: u8, data: &[u8]) -> bool {
    said(kind, data)
        == Annotation::Raw {
            format: "chessbase".into(),
            code: kind.into(),
            bytes: data.into(),
        }
}

fn comment<'a>(place: CommentPlace, language: Option<&'a str>, text: &'a str) -> Event<'a> {
    Event::Comment(Comment {
        place,
        language,
        text,
    })
}

/// The record of events at positions.
fn written(events: &[(i32, Event<'_>)]) -> (Option<WrittenRecord>, tabiya_game::Losses) {
    let mut writer = RecordWriter::new(TextCodec::default());
    writer.start(1);
    for (position, event) in events {
        assert!(writer.event(*position, event));
    }
    (writer.finish(1), writer.take_losses())
}

/// What a record tells, an event a line.
fn told(record: &[u8], codec: &TextCodec) -> Vec<String> {
    let (notes, error) = read_record(record, codec).expect("a record");
    assert_eq!(error, None);
    let mut told = Vec::new();
    for (position, note) in &notes {
        note.tell(&mut |event| told.push(format!("{position} {event:?}")));
    }
    told
}

// The frame

#[test]
fn a_record_is_laid_out_as_chessbase_does() {
    let (record, losses) = written(&[
        (0, Event::Nag(Nag(1))),
        (1, comment(CommentPlace::After, Some("de"), "Läufer")),
    ]);
    assert!(losses.is_empty());
    let expected = [
        &[0, 0, 1, 1, 0, 14, 14, 0, 0, 3, 0, 0, 0, 35][..],
        &[0, 0, 0, 3, 0, 7, 1],
        &[0, 0, 1, 2, 0, 14, 0, 53],
        b"L\xe4ufer",
    ]
    .concat();
    assert_eq!(record.map(|record| record.bytes), Some(expected));
}

#[test]
fn a_game_without_annotations_has_no_record() {
    assert_eq!(written(&[]).0, None);
}

#[test]
fn items_are_sorted_by_position_and_keep_their_order_within_it() {
    let (record, _) = written(&[
        (5, comment(CommentPlace::After, None, "c")),
        (-1, comment(CommentPlace::After, None, "a")),
        (5, comment(CommentPlace::Before, None, "d")),
        (2, comment(CommentPlace::After, None, "b")),
    ]);
    let record = record.expect("items").bytes;
    let items = Record::parse(&record).expect("a record").items();
    let order: Vec<_> = items
        .map(|item| item.expect("an item"))
        .map(|item| (item.position, item.data[2]))
        .collect();
    assert_eq!(order, [(-1, b'a'), (2, b'b'), (5, b'c'), (5, b'd')]);
}

#[test]
fn a_broken_item_ends_the_record_and_says_where() {
    let (record, _) = written(&[(0, Event::Nag(Nag(1))), (1, Event::Nag(Nag(2)))]);
    let mut bytes = record.expect("items").bytes;
    bytes[26] = 5;
    let (notes, error) = read_record(&bytes, &TextCodec::default()).expect("a record");
    assert_eq!(notes.len(), 1);
    let error = error.expect("an error");
    assert_eq!(error.offset, 21);
    assert_eq!(
        error.to_string(),
        "byte 21 of the annotations: an annotation of 5 bytes, but the record has 7 left"
    );
}

#[test]
fn a_record_beyond_its_file_is_refused() {
    let (record, _) = written(&[(0, Event::Nag(Nag(1)))]);
    let bytes = record.expect("items").bytes;
    for length in 0..bytes.len() {
        let error = Record::parse(&bytes[..length]).expect_err("too short");
        let wanted = if length < 14 { 14 } else { 21 };
        let left = length;
        let kind = AnnotationErrorKind::RecordOutOfRange { wanted, left };
        assert_eq!(error.kind, kind);
    }
}

// What items say

#[test]
fn a_text_has_a_place_a_language_and_ends_at_a_zero() {
    let text = |place, country, text: &str| Note::Text {
        place,
        country,
        text: text.into(),
    };
    assert_eq!(
        note(0x02, b"\0\x2aGood\0junk"),
        text(CommentPlace::After, 42, "Good")
    );
    assert_eq!(
        note(0x82, b"\0\x35Sch\xf6n"),
        text(CommentPlace::Before, 53, "Schön")
    );
    assert_eq!(note(0x02, b"\0\0"), text(CommentPlace::After, 0, ""));
    assert_eq!(note(0x02, b"\x01\0x"), text(CommentPlace::After, 0, "x"));
    assert!(is_raw(0x02, b"\0"));
}

#[test]
fn languages_come_back_whatever_country_they_are_of() {
    for country in 0..=255 {
        let language = languages::of_comment(country);
        assert_eq!(languages::to_comment(language.as_deref()), Some(country));
    }
    assert_eq!(languages::of_comment(103).as_deref(), Some("nl"));
    for language in ["ru", "x-cb-42", "x-cb-0", "x-cb-+1", "EN"] {
        assert_eq!(languages::to_comment(Some(language)), None, "{language}");
    }
}

#[test]
fn a_language_that_chessbase_does_not_have_is_a_loss() {
    let (record, losses) = written(&[(0, comment(CommentPlace::After, Some("ru"), "x"))]);
    assert!(record.is_some());
    let kinds: Vec<_> = losses.iter().map(|(kind, ..)| kind).collect();
    assert_eq!(kinds, [LossKind::Language]);
}

#[test]
fn letters_that_the_page_does_not_have_are_a_loss() {
    let mut writer = RecordWriter::new(TextCodec::new(WINDOWS_1252));
    writer.start(1);
    writer.event(0, &comment(CommentPlace::After, None, "Ёж"));
    let record = writer.finish(1).expect("an item").bytes;
    assert!(record.ends_with(b"\0\0??"));
    let losses = writer.take_losses();
    let kinds: Vec<_> = losses.iter().map(|(kind, ..)| kind).collect();
    assert_eq!(kinds, [LossKind::Comment]);
}

#[test]
fn a_text_too_long_for_an_item_is_written_in_pieces() {
    let long = "word ".repeat(30_000);
    let (record, losses) = written(&[(0, comment(CommentPlace::After, None, &long))]);
    let record = record.expect("items").bytes;
    let (notes, _) = read_record(&record, &TextCodec::default()).expect("a record");
    let whole: String = notes
        .iter()
        .map(|(_, note)| match note {
            Note::Text { text, .. } => &text[..],
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(notes.len() > 1 && whole == long);
    assert_eq!(losses.count(), 1);
}

#[test]
fn glyphs_have_three_places() {
    let glyphs = |data: &[u8]| match note(0x03, data) {
        Note::Glyphs(glyphs) => glyphs.nags().map(|nag| nag.0).collect(),
        _ => Vec::new(),
    };
    assert_eq!(glyphs(&[1]), [1]);
    assert_eq!(glyphs(&[0, 18]), [18]);
    assert_eq!(glyphs(&[1, 18, 142]), [1, 18, 142]);
    assert_eq!(glyphs(&[1, 0]), [1]);
    assert_eq!(glyphs(&[0, 18, 0]), [18]);
    assert!(is_raw(0x03, &[]) && is_raw(0x03, &[0]) && is_raw(0x03, &[1, 2, 3, 4]));
}

#[test]
fn nags_are_written_in_one_item_as_long_as_there_is_room() {
    let nags = |numbers: &[u16]| {
        let events: Vec<_> = numbers.iter().map(|n| (0, Event::Nag(Nag(*n)))).collect();
        let (record, losses) = written(&events);
        (record.map(|record| record.bytes[14..].to_vec()), losses)
    };
    let one = nags(&[1, 14, 140]);
    assert_eq!(one.0, Some(vec![0, 0, 0, 3, 0, 9, 1, 14, 140]));
    assert!(one.1.is_empty());
    let taken = nags(&[1, 8]);
    assert_eq!(taken.0, Some(vec![0, 0, 0, 3, 0, 8, 1, 8]));
    assert!(taken.1.is_empty());
    let turned = nags(&[14, 1]);
    assert_eq!(turned.0, Some(vec![0, 0, 0, 3, 0, 8, 1, 14]));
    assert_eq!(turned.1.count(), 1, "their order is lost");
    let four = nags(&[1, 2, 3, 4]);
    assert_eq!(
        four.0,
        Some(vec![0, 0, 0, 3, 0, 9, 1, 2, 3, 0, 0, 0, 3, 0, 7, 4])
    );
    assert!(four.1.is_empty());
    let strange = nags(&[0, 256]);
    assert_eq!(strange.0, None);
    assert_eq!(strange.1.count(), 2);
}

#[test]
fn a_nag_behind_a_comment_joins_the_others_and_loses_its_place() {
    let (record, losses) = written(&[
        (0, Event::Nag(Nag(1))),
        (0, comment(CommentPlace::After, None, "so")),
        (0, Event::Nag(Nag(14))),
    ]);
    let told = told(&record.expect("items").bytes, &TextCodec::default());
    assert_eq!(told[..2], ["0 Nag(Nag(1))", "0 Nag(Nag(14))"]);
    assert_eq!(losses.count(), 1);
}

#[test]
fn marks_count_squares_from_one_up_the_files() {
    let a1 = Mark {
        color: MarkColor::GREEN,
        square: Square::A1,
    };
    let h8 = Mark {
        color: MarkColor::RED,
        square: Square::H8,
    };
    assert_eq!(
        said(0x04, &[2, 1, 4, 64]),
        Annotation::Squares(vec![a1, h8])
    );
    let arrow = Arrow {
        color: MarkColor::YELLOW,
        from: Square::A2,
        to: Square::B1,
    };
    assert_eq!(said(0x05, &[3, 2, 9]), Annotation::Arrows(vec![arrow]));
    for data in [&[][..], &[2], &[2, 0], &[2, 65], &[7, 1], &[2, 1, 2]] {
        assert!(is_raw(0x04, data), "{data:?}");
    }
    for data in [&[][..], &[2, 1], &[2, 0, 1], &[1, 1, 2], &[2, 1, 2, 3]] {
        assert!(is_raw(0x05, data), "{data:?}");
    }
}

#[test]
fn a_blue_square_is_kept_as_a_command() {
    let blue = Annotation::Squares(vec![Mark {
        color: MarkColor::BLUE,
        square: Square::E4,
    }]);
    let (record, losses) = written(&[(0, Event::Annotation(&blue))]);
    let record = record.expect("an item").bytes;
    assert!(record.ends_with(b"\0\0[%csl Be4]") && losses.is_empty());
    let (notes, _) = read_record(&record, &TextCodec::default()).expect("a record");
    assert_eq!(notes, [(0, Note::Annotation(blue))]);
}

#[test]
fn a_command_for_which_there_is_a_type_stays_a_text() {
    let text = b"\0\0[%csl Ge4]";
    assert!(matches!(note(0x02, text), Note::Text { .. }));
    assert!(matches!(
        note(0x02, b"\0\x2a[%clk 0:00:01]"),
        Note::Text { .. }
    ));
    let clock = Annotation::Clock(Duration::from_secs(1));
    assert_eq!(said(0x02, b"\0\0[%clk 0:00:01]"), clock);
}

#[test]
fn times_have_hundredths() {
    let time = Duration::from_millis(3_723_300);
    assert_eq!(said(0x07, &[1, 2, 3, 30]), Annotation::TimeSpent(time));
    for data in [
        &[1, 60, 0, 0][..],
        &[1, 0, 60, 0],
        &[0, 0, 0, 100],
        &[0, 0, 0],
    ] {
        assert!(is_raw(0x07, data), "{data:?}");
    }
}

#[test]
fn clocks_of_the_whole_game_are_tags() {
    let white = note_at(-1, 0x16, &[0, 0, 0x05, 0xdc]);
    assert_eq!(white.tag(), Some(("WhiteClock", "0:00:15".into())));
    let black = note_at(-1, 0x17, &[0, 0, 0x05, 0xdd]);
    assert_eq!(black.tag(), Some(("BlackClock", "0:00:15.01".into())));
    assert_eq!(Note::of_tag("BlackClock", "0:00:15.01"), Some(black));
    assert!(is_raw(0x16, &[0, 0, 5, 0xdc]), "at a move");
    for value in [
        "",
        "15",
        "0:0:15",
        "0:00:60",
        "0:00:15.1",
        "9999:00:00.",
        "-0:00:01",
    ] {
        assert_eq!(Note::of_tag("WhiteClock", value), None, "{value}");
    }
}

#[test]
fn a_time_control_has_three_stages() {
    let stage = |seconds: u32, increment: u32, moves: u16, kind: u8| {
        let mut data = (seconds * 100).to_be_bytes().to_vec();
        data.extend_from_slice(&(increment * 100).to_be_bytes());
        data.extend_from_slice(&moves.to_be_bytes());
        data.push(kind);
        data
    };
    let three = [
        stage(7200, 30, 40, 1),
        stage(3600, 30, 20, 1),
        stage(900, 30, 1000, 3),
    ]
    .concat();
    let control = note_at(-1, 0x24, &three);
    let tag = "40/7200+30:20/3600+30:900+30";
    assert_eq!(control.tag(), Some(("TimeControl", tag.into())));
    assert_eq!(Note::of_tag("TimeControl", tag), Some(control));
    let one = [stage(300, 0, 1000, 0), stage(0, 0, 0, 5), stage(0, 0, 0, 5)].concat();
    assert_eq!(
        note_at(-1, 0x24, &one).tag(),
        Some(("TimeControl", "300".into()))
    );
    for value in [
        "?",
        "-",
        "*180",
        "1:2:3:4",
        "40/7200+030",
        "4294967295",
        "40/",
    ] {
        assert_eq!(Note::of_tag("TimeControl", value), None, "{value}");
    }
    let gap = [
        stage(300, 0, 1000, 0),
        stage(0, 0, 0, 5),
        stage(300, 0, 1000, 0),
    ]
    .concat();
    assert_eq!(note_at(-1, 0x24, &gap).tag(), None);
}

#[test]
fn evaluations_are_pawns_or_mates_and_have_a_depth() {
    let evaluation = |score, depth| Annotation::Evaluation(Evaluation { score, depth });
    assert_eq!(
        said(0x21, &[0x9c, 0xff, 0, 0, 22, 0]),
        evaluation(Score::Centipawns(-100), Some(22))
    );
    assert_eq!(
        said(0x21, &[3, 0, 1, 0, 0, 0]),
        evaluation(Score::Mate(3), None)
    );
    for data in [
        &[0, 0, 3, 0, 0, 0][..],
        &[0, 0, 0, 0, 0, 0x80],
        &[0; 32],
        &[0; 5],
    ] {
        assert!(is_raw(0x21, data), "{data:?}");
    }
}

#[test]
fn a_profile_tells_its_depths_only_if_they_say_something() {
    let profile = |values: &[i16]| Profile {
        first: 0,
        values: values.to_vec(),
    };
    let none = Profile::NONE;
    let flat = [0, 2, 0, 1, 0, 16, 0xff, 0, 0, 0];
    assert_eq!(
        note_at(-1, 0x26, &flat),
        Note::Profile(profile(&[16, none]), None)
    );
    let deep = [0, 2, 0, 24, 0, 16, 1, 26, 0xff, 0xf1];
    assert_eq!(
        note_at(-1, 0x26, &deep),
        Note::Profile(profile(&[16, -29_985]), Some(vec![24, 26]))
    );
    for data in [
        &[0, 0][..],
        &[0, 1, 2, 1, 0, 0],
        &[0, 2, 0, 1, 0, 0],
        &[0, 1, 0, 1, 0x75, 0x2f],
    ] {
        assert!(is_raw(0x26, data), "{data:?}");
    }
}

#[test]
fn depths_join_the_profile_before_them() {
    let profile = Annotation::EvaluationProfile(Profile {
        first: 0,
        values: vec![16, 20],
    });
    let depths = Annotation::EvaluationDepths(vec![24, 26]);
    let events = [
        (-1, Event::Annotation(&profile)),
        (-1, Event::Annotation(&depths)),
    ];
    let (record, losses) = written(&events);
    let record = record.expect("an item").bytes;
    assert_eq!(
        record[14..],
        [255, 255, 255, 0x26, 0, 16, 0, 2, 0, 24, 0, 16, 0, 26, 0, 20]
    );
    assert!(losses.is_empty());
    let expected: Vec<_> = events
        .iter()
        .map(|(at, event)| format!("{at} {event:?}"))
        .collect();
    assert_eq!(told(&record, &TextCodec::default()), expected);

    let (alone, losses) = written(&events[1..]);
    assert!(losses.is_empty());
    let alone = alone.expect("an item").bytes;
    assert_eq!(told(&alone, &TextCodec::default()), expected[1..]);
}

#[test]
fn medals_critical_positions_and_colours_are_typed() {
    assert_eq!(said(0x22, &[0, 0, 0, 8]), Annotation::Medals(Medals(8)));
    let endgame = Annotation::CriticalPosition(Phase::Endgame);
    assert_eq!(said(0x18, &[3]), endgame);
    let purple = Annotation::VariationColor(VariationColor {
        rgb: [0x80, 0, 0x81],
        main_line_only: true,
        moves_only: false,
    });
    assert_eq!(said(0x23, &[1, 0x81, 0, 0x80]), purple);
    assert!(is_raw(0x22, &[8]) && is_raw(0x18, &[4]) && is_raw(0x23, &[4, 0, 0, 0]));
}

#[test]
fn a_web_link_has_an_address_and_a_text() {
    let data = b"\x0b\0\x03url\x04text";
    let link = Annotation::WebLink {
        url: "url".into(),
        text: "text".into(),
    };
    assert_eq!(said(0x1c, data), link);
    assert!(is_raw(0x1c, b"\x0a\0\x03url\x04text") && is_raw(0x1c, b"\x0b\0\x03url\x03text"));
}

#[test]
fn a_training_question_is_understood_in_all_languages() {
    let data = [
        &[1, 0, 1, 48, 0, 0x2c, 1, 0, 0, 6, 0][..],
        &[2, 0, 0, 0, 2, 0],
        b"Go",
        &[1, 0, 3, 0],
        b"Los",
        &[0, 0, 0, 0, 0, 0, 1, 0x3d, 0x2f, 0, 6, 1, 0, 7, 0, 2, 0],
        b"Da",
    ];
    let mut data = data.concat();
    data[3] = data.len() as u8 - 3;
    let asked = Training {
        seconds: Some(300),
        points: 6,
        question: vec![
            Wording::new(Some("en"), "Go"),
            Wording::new(Some("de"), "Los"),
        ],
        answers: vec![Answer {
            from: Square::H6,
            to: Square::F8,
            points: 6,
            feedback: vec![Wording::new(None, "Da")],
        }],
        ..Training::default()
    };
    assert_eq!(said(0x09, &data), Annotation::Training(Box::new(asked)));
    for at in [0, 3, 31, 33] {
        let mut data = data.clone();
        data[at] ^= 0x80;
        assert!(is_raw(0x09, &data), "{at}");
    }
}

#[test]
fn a_quotation_is_told_in_words() {
    let quotation = Quotation {
        kind: 1,
        white: "Tal,Mihail".into(),
        black: "Smyslov".into(),
        elo: [2700, 0],
        event: "Candidates".into(),
        site: "Bled".into(),
        date: 1959 << 9 | 9 << 5 | 7,
        round: 3,
        subround: 2,
        result: 2,
        moves: vec![0xb5, 0xaf],
        ..Quotation::default()
    };
    let data = quotation.write(&TextCodec::default()).expect("it fits");
    let Annotation::Quotation(quoted) = said(0x13, &data) else {
        panic!("no quotation");
    };
    assert_eq!(
        quoted.text,
        "1-0 Tal,M (2700)-Smyslov Candidates Bled 1959 (3.2)"
    );
    assert_eq!(quoted.bytes, data);
    for start in [None, Some([0xf1; 28])] {
        let with_position = Quotation {
            flags: 0x40,
            start,
            ..quotation.clone()
        };
        let data = with_position.write(&TextCodec::default()).expect("it fits");
        assert_eq!(
            Quotation::read(&data, &TextCodec::default()),
            Some(with_position)
        );
        assert!(matches!(said(0x13, &data), Annotation::Quotation(_)));
    }
    let long = Quotation {
        white: "x".repeat(256),
        ..quotation
    };
    assert_eq!(long.write(&TextCodec::default()), None);
}

#[test]
fn pictures_and_paths_are_raw() {
    for kind in [
        0x10, 0x11, 0x14, 0x15, 0x19, 0x1a, 0x20, 0x25, 0x27, 0x61, 0xee,
    ] {
        assert!(is_raw(kind, b"31"), "{kind:x}");
    }
}

#[test]
fn raw_annotations_of_other_formats_are_kept_as_commands() {
    let raw = |format: &str, code| Annotation::Raw {
        format: format.into(),
        code,
        bytes: vec![1, 2],
    };
    for annotation in [
        raw("scid", 3),
        raw("chessbase", 256),
        raw("chessbase", 0x25),
    ] {
        let (record, losses) = written(&[(7, Event::Annotation(&annotation))]);
        let record = record.expect("an item").bytes;
        let (notes, _) = read_record(&record, &TextCodec::default()).expect("a record");
        assert_eq!(notes, [(7, Note::Annotation(annotation))]);
        assert!(losses.is_empty());
    }
    let (record, losses) = written(&[(7, Event::Annotation(&raw("two words", 3)))]);
    assert_eq!((record, losses.count()), (None, 1));
}

// The header

#[test]
fn magnitudes_begin_where_chessbase_lets_them() {
    let items = |kind, count, data: &'static [u8]| {
        let item = Item {
            position: 0,
            kind,
            data,
        };
        Facts::of(vec![item; count]).magnitudes
    };
    assert_eq!((items(3, 9, &[1]), items(3, 10, &[1])), (0, 8));
    assert_eq!((items(4, 9, &[2, 1]), items(4, 10, &[2, 1])), (0, 16));
    assert_eq!((items(5, 5, &[2, 1, 2]), items(5, 6, &[2, 1, 2])), (0, 32));
    assert_eq!((items(7, 9, &[0; 4]), items(7, 10, &[0; 4])), (0, 128));
    assert_eq!((items(9, 5, &[]), items(9, 6, &[])), (0, 512));
    assert_eq!((items(2, 1, &[0; 202]), items(2, 1, &[0; 203])), (0, 4));
    let plies = [50, 51, 300, 301, 1000, 1001].map(variations_magnitude);
    assert_eq!(plies, [0, 1, 1, 2, 2, 3]);
}
