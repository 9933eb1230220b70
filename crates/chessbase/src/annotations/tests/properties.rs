//! What holds for any annotations and any bytes.

use std::time::Duration;

use encoding_rs::{UTF_8, WINDOWS_1251, WINDOWS_1252};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use tabiya_chess::{Color, Square};
use tabiya_game::{
    Annotation, Answer, Arrow, CommentPlace, Evaluation, Event, Mark, MarkColor, Medals, Nag,
    Phase, Profile, Score, Training, VariationColor, Wording, command,
};

use super::super::*;
use super::{comment, note_at, told};

fn any_square() -> impl Strategy<Value = Square> {
    (0u8..64).prop_map(Square::from_index)
}

fn any_color() -> impl Strategy<Value = MarkColor> {
    prop::sample::select(vec!['G', 'Y', 'R', 'B'])
        .prop_filter_map("a letter", MarkColor::from_letter)
}

fn any_wordings() -> impl Strategy<Value = Vec<Wording>> {
    let language = option::of("en|de|pt|ru").prop_map(|language| language);
    vec(
        (language, "[a-zäß\u{451} ]{0,8}").prop_map(|(language, text)| Wording { language, text }),
        0..3,
    )
}

fn any_training() -> impl Strategy<Value = Training> {
    let answer = (any_square(), any_square(), any::<u8>(), any_wordings()).prop_map(
        |(from, to, points, feedback)| Answer {
            from,
            to,
            points,
            feedback,
        },
    );
    (
        option::of(any::<u32>()),
        any::<u16>(),
        [
            any_wordings(),
            any_wordings(),
            any_wordings(),
            any_wordings(),
        ],
        vec(answer, 0..3),
    )
        .prop_map(
            |(seconds, points, [question, refusal, hint, hint2], answers)| Training {
                seconds,
                points,
                question,
                refusal,
                hints: [hint, hint2],
                answers,
            },
        )
}

fn any_annotation() -> impl Strategy<Value = Annotation> {
    let mark = (any_color(), any_square()).prop_map(|(color, square)| Mark { color, square });
    let arrow = (any_color(), any_square(), any_square()).prop_map(|(color, from, to)| Arrow {
        color,
        from,
        to,
    });
    let score = prop_oneof![
        any::<i16>().prop_map(|value| Score::Centipawns(value.into())),
        any::<i32>().prop_map(Score::Mate),
    ];
    let value = prop_oneof![
        -3000i16..3000,
        any::<i16>(),
        Just(Profile::NONE),
        29_000i16..30_001
    ];
    prop_oneof![
        vec(mark, 1..4).prop_map(Annotation::Squares),
        vec(arrow, 1..4).prop_map(Annotation::Arrows),
        (0u64..1 << 40).prop_map(|ms| Annotation::TimeSpent(Duration::from_millis(ms))),
        (0u64..2_000_000).prop_map(|s| Annotation::TimeSpent(Duration::from_secs(s))),
        (0u64..1 << 40).prop_map(|ms| Annotation::Clock(Duration::from_millis(ms))),
        (score, option::of(any::<u16>()))
            .prop_map(|(score, depth)| Annotation::Evaluation(Evaluation { score, depth })),
        (0u16..2, vec(value, 1..20))
            .prop_map(|(first, values)| Annotation::EvaluationProfile(Profile { first, values })),
        vec(any::<u8>(), 1..20).prop_map(Annotation::EvaluationDepths),
        any::<u32>().prop_map(|bits| Annotation::Medals(Medals(bits))),
        prop::sample::select(Phase::ALL.to_vec()).prop_map(Annotation::CriticalPosition),
        ("[a-zé:/]{0,20}", "[a-z ♔]{0,20}")
            .prop_map(|(url, text)| Annotation::WebLink { url, text }),
        any::<([u8; 3], bool, bool)>().prop_map(|(rgb, main_line_only, moves_only)| {
            Annotation::VariationColor(VariationColor {
                rgb,
                main_line_only,
                moves_only,
            })
        }),
        any_training().prop_map(|asked| Annotation::Training(Box::new(asked))),
        ("[a-z]{1,5}", any::<u16>(), vec(any::<u8>(), 0..9)).prop_map(|(format, code, bytes)| {
            Annotation::Raw {
                format,
                code,
                bytes,
            }
        }),
    ]
}

/// Events at a position: glyphs first, as ChessBase keeps them.
type Said = (
    Vec<u16>,
    Vec<(bool, Option<String>, String)>,
    Vec<Annotation>,
);

fn any_said() -> impl Strategy<Value = Said> {
    let nags = prop_oneof![
        Just(vec![]),
        Just(vec![1]),
        Just(vec![5, 16]),
        Just(vec![16, 142]),
        (1u16..256).prop_map(|nag| vec![nag]),
    ];
    let language = option::of("en|de|el|x-cb-120");
    let comment = (any::<bool>(), language, "[a-zäöüß♘ \r\n½]{0,20}");
    (nags, vec(comment, 0..3), vec(any_annotation(), 0..3))
}

fn codecs() -> impl Strategy<Value = TextCodec> {
    prop::sample::select(vec![
        TextCodec::default(),
        TextCodec::mixed(UTF_8),
        TextCodec::new(UTF_8),
        TextCodec::new(WINDOWS_1252),
    ])
}

proptest! {
    #[test]
    fn what_is_written_is_told_again(
        positions in prop::collection::btree_map(-1i32..300, any_said(), 0..8),
        codec in codecs(),
    ) {
        let mut writer = RecordWriter::new(codec.clone());
        writer.start(1);
        let mut expected = Vec::new();
        for (position, (nags, comments, annotations)) in &positions {
            let mut add = |event: Event<'_>| {
                expected.push(format!("{position} {event:?}"));
                writer.event(*position, &event);
            };
            nags.iter().for_each(|nag| add(Event::Nag(Nag(*nag))));
            for (before, language, text) in comments {
                let place = [CommentPlace::After, CommentPlace::Before][usize::from(*before)];
                add(comment(place, language.as_deref(), text));
            }
            annotations.iter().for_each(|annotation| add(Event::Annotation(annotation)));
        }
        let record = writer.finish(1);
        let lossless = writer.take_losses().is_empty();
        let Some(record) = record else { return Ok(()) };
        let facts = Facts::of(Record::parse(&record.bytes).unwrap().items().map(Result::unwrap));
        prop_assert_eq!(facts, record.facts);
        if lossless {
            prop_assert_eq!(told(&record.bytes, &codec), expected);
        }
    }

    #[test]
    fn any_item_is_typed_or_raw_and_typed_ones_come_back(
        position in -1i32..3,
        kind in prop_oneof![any::<u8>(), 0u8..0x28],
        data in vec(prop_oneof![0u8..5, any::<u8>()], 0..40),
        page in codecs(),
    ) {
        let item = Item { position, kind, data: &data };
        for codec in [page, TextCodec::new(WINDOWS_1251)] {
            let note = Note::read(&item, &codec);
            let again = note.write(&codec);
            if !matches!(note, Note::Text { .. }) && !matches!(kind, 2 | 0x82) {
                let mut kept = data.clone();
                // Zeros behind glyphs say nothing.
                if matches!(note, Note::Glyphs(_)) {
                    kept.truncate(data.iter().rposition(|glyph| *glyph != 0).map_or(0, |last| last + 1));
                }
                prop_assert_eq!(again.items, [(kind, kept)]);
            }
            note.tell(&mut |event| {
                if let Event::Annotation(annotation) = event {
                    let text = annotation.to_command().expect("a spelling");
                    assert_eq!(command::canonical(&text).as_ref(), Some(annotation));
                }
            });
        }
    }

    #[test]
    fn any_bytes_are_a_record_or_an_error(
        head in any::<[u8; 7]>(),
        size in 0u8..80,
        body in vec(prop_oneof![Just(0u8), 0u8..10, any::<u8>()], 0..80),
    ) {
        let bytes = [&head[..], &[0, 0, 2, 0, 0, 0, size], &body].concat();
        if let Ok((notes, error)) = read_record(&bytes, &TextCodec::default()) {
            prop_assert!(notes.len() <= body.len() / 6);
            prop_assert!(error.is_none_or(|error| error.offset < bytes.len()));
        }
    }

    #[test]
    fn clocks_and_time_controls_come_back_as_tags(
        hundredths in 0u32..=i32::MAX as u32,
        white in any::<bool>(),
        tag in "([0-9]{1,2}/)?[0-9]{1,5}(\\+[0-9]{1,2})?(:[0-9]{1,4}){0,3}",
    ) {
        let color = if white { Color::White } else { Color::Black };
        let note = Note::Clock { color, hundredths };
        let (name, value) = note.tag().expect("a tag");
        prop_assert_eq!(Note::of_tag(name, &value), Some(note));
        if let Some(note) = Note::of_tag("TimeControl", &tag) {
            prop_assert_eq!(note.tag(), Some(("TimeControl", tag)));
            let written = note.write(&TextCodec::default());
            let [(kind, data)] = &written.items[..] else { panic!("{written:?}") };
            prop_assert_eq!(note_at(-1, *kind, data), note);
        }
    }
}
