use std::time::Duration;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use tabiya_chess::{Color, Square};

use super::*;
use crate::{
    Answer, Arrow, Evaluation, Mark, MarkColor, Medals, Phase, Profile, Quotation, Score, Training,
    VariationColor, Wording,
};

/// The pieces of a comment, commands as `name(arguments)`.
fn taken_apart(text: &str) -> Vec<String> {
    parts(text)
        .map(|part| match part {
            Part::Text(text) => format!("{text:?}"),
            Part::Command(Command {
                name, arguments, ..
            }) => format!("{name}({arguments})"),
        })
        .collect()
}

fn said(text: &str) -> Vec<Annotation> {
    annotations(text, Color::White).collect()
}

fn said_by_black(text: &str) -> Vec<Annotation> {
    annotations(text, Color::Black).collect()
}

fn clock(milliseconds: u64) -> Annotation {
    Annotation::Clock(Duration::from_millis(milliseconds))
}

fn spent(milliseconds: u64) -> Annotation {
    Annotation::TimeSpent(Duration::from_millis(milliseconds))
}

fn evaluation(score: Score, depth: Option<u16>) -> Annotation {
    Annotation::Evaluation(Evaluation { score, depth })
}

fn pawns(hundredths: i32) -> Annotation {
    evaluation(Score::Centipawns(hundredths), None)
}

fn mate(moves: i32) -> Annotation {
    evaluation(Score::Mate(moves), None)
}

// Taking comments apart

#[test]
fn a_comment_without_a_command_is_one_text() {
    assert_eq!(taken_apart("White is better."), [r#""White is better.""#]);
    assert!(taken_apart("").is_empty());
}

#[test]
fn several_commands_stand_in_one_comment() {
    assert_eq!(
        taken_apart(" [%eval 0.17] [%clk 0:01:00] "),
        [r#"" ""#, "eval(0.17)", r#"" ""#, "clk(0:01:00)", r#"" ""#]
    );
    assert_eq!(
        taken_apart("[%cal Gc4f7,Gh5f7][%csl Rf7] Threat"),
        ["cal(Gc4f7,Gh5f7)", "csl(Rf7)", r#"" Threat""#]
    );
}

#[test]
fn spaces_around_arguments_are_not_part_of_them() {
    assert_eq!(taken_apart("[%clk  0:01:00 ]"), ["clk(0:01:00)"]);
    assert_eq!(taken_apart("[%clk\n0:01:00]"), ["clk(0:01:00)"]);
    assert_eq!(taken_apart("[%BlankTag  ]"), ["BlankTag()"]);
    assert_eq!(taken_apart("[%clk]"), ["clk()"]);
}

#[test]
fn a_command_needs_a_name_right_after_the_percent_sign() {
    for text in ["[ %clk 0:01:00]", "[% clk 0:01:00]", "[%]", "[%[x]]"] {
        assert_eq!(taken_apart(text), [format!("{text:?}")]);
    }
}

#[test]
fn an_unclosed_command_is_text() {
    assert_eq!(taken_apart("so [%clk 0:01"), [r#""so [%clk 0:01""#]);
    assert_eq!(
        taken_apart("[%csl Ga4 [%clk 0:01:00]"),
        [r#""[%csl Ga4 ""#, "clk(0:01:00)"]
    );
    assert_eq!(taken_apart("[%a [b]"), [r#""[%a [b]""#]);
}

#[test]
fn brackets_in_arguments_come_in_pairs() {
    assert_eq!(
        taken_apart(r#"[%tqu "En","see [1] and [2]","",5] x"#),
        [r#"tqu("En","see [1] and [2]","",5)"#, r#"" x""#]
    );
}

#[test]
fn commands_of_other_programs_have_no_meaning() {
    assert_eq!(taken_apart("[%alt c5 e5]"), ["alt(c5 e5)"]);
    assert_eq!(
        taken_apart("[%~<|> \"Somewhere\"]"),
        ["~<|>(\"Somewhere\")"]
    );
    assert!(said("[%alt c5 e5] [%key value]").is_empty());
}

// What commands mean

#[test]
fn clocks_are_read_in_every_length() {
    assert_eq!(said("[%clk 1:29:59]"), [clock(5_399_000)]);
    assert_eq!(said("[%clk 01:29:59]"), [clock(5_399_000)]);
    assert_eq!(said("[%clk 0:00:01.5]"), [clock(1_500)]);
    assert_eq!(said("[%clk 0:00:01.075]"), [clock(1_075)]);
    assert_eq!(said("[%clk 4:30]"), [clock(270_000)]);
    assert_eq!(said("[%clk 90:00]"), [clock(5_400_000)]);
    assert_eq!(said("[%clk 59.9]"), [clock(59_900)]);
    assert_eq!(said("[%clk 900]"), [clock(900_000)]);
    assert_eq!(said("[%emt 0:0:4]"), [spent(4_000)]);
}

#[test]
fn two_fields_on_a_mechanical_clock_are_hours_and_minutes() {
    let shown = |seconds| Annotation::MechanicalClock(Duration::from_secs(seconds));
    assert_eq!(said("[%mct 0:12:00]"), [shown(720)]);
    assert_eq!(said("[%mct 1:29]"), [shown(5_340)]);
    assert!(said("[%mct 1:29.5]").is_empty());
}

#[test]
fn malformed_clocks_stay_text() {
    for arguments in [
        "",
        "0:00:-1",
        "1:60:00",
        "0:00:60",
        "1:2:3:4",
        "+5",
        "1::2",
        "0:00:01.",
        "0:00:01,5",
        "0:00:01.1234567890",
        "99999999999999999999",
        "9999999999999999:00:00",
        "soon",
        "٣",
    ] {
        let text = format!("[%clk {arguments}]");
        assert!(said(&text).is_empty(), "{text}");
    }
}

#[test]
fn evaluations_are_read_in_pawns_centipawns_and_mates() {
    assert_eq!(said("[%eval 0.25]"), [pawns(25)]);
    assert_eq!(said("[%eval -1.5]"), [pawns(-150)]);
    assert_eq!(said("[%eval +0.3]"), [pawns(30)]);
    assert_eq!(said("[%eval -.03]"), [pawns(-3)]);
    assert_eq!(said("[%eval -0.00]"), [pawns(0)]);
    assert_eq!(said("[%eval -34]"), [pawns(-34)]);
    assert_eq!(said("[%eval 0.995]"), [pawns(100)]);
    assert_eq!(said("[%eval #3]"), [mate(3)]);
    assert_eq!(said("[%eval #-3]"), [mate(-3)]);
    assert_eq!(said("[%eval M3]"), [mate(3)]);
    assert_eq!(said("[%eval -M3]"), [mate(-3)]);
}

#[test]
fn the_depth_follows_a_comma() {
    let deep = |score| evaluation(score, Some(22));
    assert_eq!(said("[%eval 0.17,22]"), [deep(Score::Centipawns(17))]);
    assert_eq!(said("[%eval 17, 22]"), [deep(Score::Centipawns(17))]);
    assert_eq!(said("[%eval #-3,22]"), [deep(Score::Mate(-3))]);
}

#[test]
fn malformed_evaluations_stay_text() {
    for arguments in [
        "",
        "-",
        "+-",
        "#",
        "--1",
        "-#-3",
        "1.",
        ".",
        "1.2.3",
        "1.5,",
        "1.5,x",
        "1e3",
        "99999999.00",
        "0.5,65536",
    ] {
        let text = format!("[%eval {arguments}]");
        assert!(said(&text).is_empty(), "{text}");
    }
}

#[test]
fn a_profile_has_a_value_for_every_ply() {
    let profile = Profile {
        first: 3,
        values: vec![15, -20, Profile::NONE],
    };
    let expected = [Annotation::EvaluationProfile(profile)];
    assert_eq!(said("[%evp 3,5,15,-20,32767]"), expected);
    assert_eq!(said("[%evp 3,5,15,\n-20,32767]"), expected);
    assert!(said("[%evp 3,6,15,-20,32767]").is_empty());
    assert!(said("[%evp 3,2]").is_empty());
    assert!(said("[%evp 0,0,40000]").is_empty());
}

#[test]
fn marks_have_a_colour_and_squares() {
    let green = MarkColor::GREEN;
    let a4 = Mark {
        color: green,
        square: Square::A4,
    };
    let e5 = Mark {
        color: MarkColor::RED,
        square: Square::E5,
    };
    assert_eq!(said("[%csl Ga4,Re5]"), [Annotation::Squares(vec![a4, e5])]);
    assert_eq!(said("[%csl Ga4, Re5]"), [Annotation::Squares(vec![a4, e5])]);
    let arrow = Arrow {
        color: green,
        from: Square::E2,
        to: Square::E4,
    };
    assert_eq!(said("[%cal Ge2e4]"), [Annotation::Arrows(vec![arrow])]);
    for text in [
        "[%csl]",
        "[%csl Ga4,]",
        "[%csl Ga9]",
        "[%csl ga4]",
        "[%csl Ge2e4]",
        "[%cal Ga4]",
        "[%cal Ge2é4]",
    ] {
        assert!(said(text).is_empty(), "{text}");
    }
}

#[test]
fn raw_annotations_survive_as_a_command_of_our_own() {
    let raw = |bytes: &[u8]| Annotation::Raw {
        format: "chessbase".into(),
        code: 20,
        bytes: bytes.into(),
    };
    assert_eq!(said("[%tabiya raw chessbase 20 0A1b]"), [raw(&[10, 27])]);
    assert_eq!(said("[%tabiya raw chessbase 20]"), [raw(&[])]);
    for text in [
        "[%tabiya]",
        "[%tabiya raw chessbase]",
        "[%tabiya raw chessbase 20 0]",
        "[%tabiya raw chessbase 20 0x]",
        "[%tabiya raw chessbase 65536 00]",
        "[%tabiya raw chessbase 20 00 00]",
        "[%tabiya raw [x] 20 00]",
    ] {
        assert!(said(text).is_empty(), "{text}");
    }
}

#[test]
fn medals_and_critical_positions_have_a_meaning() {
    assert_eq!(said("[%mdl 64]"), [Annotation::Medals(Medals(64))]);
    let critical = Annotation::CriticalPosition(Phase::Middlegame);
    assert_eq!(said("[%crit middlegame]"), [critical]);
    for text in ["[%mdl]", "[%mdl -1]", "[%mdl 4294967296]", "[%crit now]"] {
        assert!(said(text).is_empty(), "{text}");
    }
}

#[test]
fn a_training_question_has_hints_and_answers() {
    let english = |text: &str| vec![Wording::new(Some("en"), text)];
    let asked = Training {
        points: 10,
        question: english("find the move"),
        hints: [Vec::new(), english("look at h7")],
        answers: vec![Answer {
            from: Square::D2,
            to: Square::D4,
            points: 10,
            feedback: Vec::new(),
        }],
        ..Training::default()
    };
    assert_eq!(
        said(r#"[%tqu "En","find the move","", "look at h7","d2d4","",10]"#),
        [Annotation::Training(Box::new(asked))]
    );
    for text in [
        r#"[%tqu "En"]"#,
        r#"[%tqu "En","","",""]"#,
        r#"[%tqu "English","","","","d2d4","",10]"#,
        r#"[%tqu "En","","","","d7d8q","",10]"#,
        r#"[%tqu "En","","","","d2d4","",ten]"#,
        r#"[%tqu "En","","","","d2d4",""]"#,
        r#"[%tqu "En","","",""x,"d2d4","",10]"#,
        r#"[%tabiya training 3 1 f en "too early"]"#,
        r#"[%tabiya training 3 1 q en "open]"#,
    ] {
        assert!(said(text).is_empty(), "{text}");
    }
}

#[test]
fn a_question_with_a_time_limit_is_told_in_our_words() {
    let asked = Training {
        seconds: Some(300),
        points: 6,
        question: vec![Wording::new(Some("en"), "Where {to}?")],
        ..Training::default()
    };
    let text = Annotation::Training(Box::new(asked)).to_command();
    assert_eq!(
        text.as_deref(),
        Some(r#"[%tabiya training 300 6 q en "Where %7bto%7d?"]"#)
    );
}

#[test]
fn a_lichess_comment_has_an_evaluation_and_a_clock() {
    assert_eq!(
        said(" [%eval -0.47] [%clk 0:00:59] "),
        [pawns(-47), clock(59_000)]
    );
}

// What engine matches say

#[test]
fn cutechess_scores_are_those_of_the_mover() {
    let score = |hundredths| evaluation(Score::Centipawns(hundredths), Some(22));
    assert_eq!(said("+0.71/22 1.2s"), [score(71), spent(1_200)]);
    assert_eq!(said_by_black("+0.71/22 1.2s"), [score(-71), spent(1_200)]);
    assert_eq!(said("0.00/22 13s"), [score(0), spent(13_000)]);
    assert_eq!(said(" -0.71/22"), [score(-71)]);
    assert_eq!(
        said("-0.71/22 0.58s, Draw by 3-fold repetition"),
        [score(-71), spent(580)]
    );
}

#[test]
fn cutechess_mates_are_counted_in_plies() {
    let mate = |moves| evaluation(Score::Mate(moves), Some(12));
    assert_eq!(said("-M4/12 0.3s"), [mate(-2), spent(300)]);
    assert_eq!(said_by_black("-M4/12 0.3s"), [mate(2), spent(300)]);
    assert_eq!(said("+M5/12 0.3s"), [mate(3), spent(300)]);
    assert_eq!(said("+M1/12 0.000s, White mates"), [mate(1), spent(0)]);
}

#[test]
fn words_that_look_like_an_engine_say_nothing() {
    for text in [
        "book",
        "1/2-1/2 Gelfand,B-Shirov,A/New Delhi/2000",
        "0-1/2",
        "1.5/2 so far",
        "-1/2",
        "+-",
        "+0.71",
        "+0.71/x 1.2s",
        "book, mb=+0+0+0+0+0,",
        "d=3 is wv= nothing",
    ] {
        assert!(said(text).is_empty(), "{text}");
    }
}

#[test]
fn tcec_comments_give_evaluation_time_and_clock() {
    let score = |score| evaluation(score, Some(33));
    let text = "d=33, sd=33, mt=37918, tl=1765082, s=54971964, pv=d4 e8=Q Bd3, tb=0, wv=-0.60, \
                R50=50, mb=+0+0+0+0+0,";
    let expected = [
        score(Score::Centipawns(-60)),
        spent(37_918),
        clock(1_765_082),
    ];
    assert_eq!(said(text), expected);
    assert_eq!(said_by_black(text), expected);
    assert_eq!(
        said("ev=0.00, d=33, mt=00:00:15, tl=01:20:01, wv=M20,"),
        [score(Score::Mate(10)), spent(15_000), clock(4_801_000)]
    );
}

// The one spelling

#[test]
fn every_annotation_has_one_spelling() {
    for text in [
        "[%clk 1:29:59]",
        "[%clk 0:00:01.5]",
        "[%clk 100:00:00.000000001]",
        "[%emt 0:00:04]",
        "[%mct 0:12:00]",
        "[%eval 0.25]",
        "[%eval -0.03,22]",
        "[%eval #-3]",
        "[%eval 0.50]",
        "[%csl Ga4,Re5]",
        "[%cal Ge2e4]",
        "[%evp 0,2,15,20,-7]",
        "[%tabiya raw chessbase 20 0a1b]",
        "[%tabiya raw chessbase 20]",
        "[%mdl 64]",
        "[%crit endgame]",
        "[%tqu \"En\",\"Where to?\",\"\",\"with check\",\"f6h7\",\"\",6,\"a1a2\",\"no\",0]",
        "[%tabiya training 300 6 q en \"Where to?\" q de \"Wohin?\" r - \"no\" a f6h7 6 f en \"yes\" a a1a2 0]",
        "[%tabiya training - 0]",
        "[%tabiya quotation \"1-0 Tal,M-Smyslov,V %5bBled%5d\" chessbase 0a1b]",
        "[%tabiya link \"http://example.org/%25\" \"a page\"]",
        "[%tabiya link \"\" \"%20\"]",
        "[%tabiya color 800080]",
        "[%tabiya color 800080 main moves]",
        "[%tabiya depths 18,0,20]",
    ] {
        let annotation = canonical(text);
        let spelled = annotation.and_then(|annotation| annotation.to_command());
        assert_eq!(spelled.as_deref(), Some(text));
    }
}

#[test]
fn other_spellings_stay_comments() {
    for text in [
        "",
        "]",
        "[%",
        "[%]",
        "[%clk 1:29:59] ",
        " [%clk 1:29:59]",
        "[%clk  1:29:59]",
        "[%clk 01:29:59]",
        "[%clk 0:00:01.50]",
        "[%clk 4:30]",
        "[%eval 0.5]",
        "[%eval +0.50]",
        "[%eval 50]",
        "[%eval -0.00]",
        "[%eval M3]",
        "[%csl Ga4, Re5]",
        "[%clk 1:29:59][%clk 1:29:59]",
        "[%tabiya raw chessbase 20 0A]",
        "[%mdl 064]",
        "[%crit  endgame]",
        "[%tqu \"En\", \"Where?\",\"\",\"\",\"f6h7\",\"\",6]",
        "[%tqu \"EN\",\"Where?\",\"\",\"\",\"f6h7\",\"\",6]",
        "[%tabiya training - 6 q en \"Where?\" a f6h7 6]",
        "[%tabiya color 800080 moves main]",
        "[%tabiya color 80008A]",
        "[%tabiya depths 1,02]",
        "[%tabiya link \"a\"  \"b\"]",
        "+0.71/22 1.2s",
    ] {
        assert_eq!(canonical(text), None, "{text}");
    }
}

#[test]
fn what_cannot_be_read_back_has_no_spelling() {
    let raw = |format: &str| Annotation::Raw {
        format: format.into(),
        code: 0,
        bytes: vec![0],
    };
    let profile = |first, count| {
        Annotation::EvaluationProfile(Profile {
            first,
            values: vec![0; count],
        })
    };
    for annotation in [
        Annotation::Squares(Vec::new()),
        Annotation::Arrows(Vec::new()),
        profile(0, 0),
        profile(u16::MAX, 2),
        profile(0, 65_537),
        raw(""),
        raw("two words"),
        raw("a]b"),
        raw("a}b"),
        raw("é"),
        raw("a\"b"),
        Annotation::EvaluationDepths(Vec::new()),
        Annotation::Quotation(Box::new(Quotation {
            text: "1-0".into(),
            format: String::new(),
            bytes: Vec::new(),
        })),
        Annotation::Training(Box::new(Training {
            question: vec![Wording::new(Some("two words"), "?")],
            ..Training::default()
        })),
    ] {
        assert_eq!(annotation.to_command(), None, "{annotation:?}");
    }
    assert!(profile(u16::MAX, 1).to_command().is_some());
    assert!(profile(0, 65_536).to_command().is_some());
}

// Properties

fn any_square() -> impl Strategy<Value = Square> {
    (0u8..64).prop_map(Square::from_index)
}

fn any_color() -> impl Strategy<Value = MarkColor> {
    prop::char::range('A', 'Z').prop_filter_map("a letter", MarkColor::from_letter)
}

fn any_mark() -> impl Strategy<Value = Mark> {
    (any_color(), any_square()).prop_map(|(color, square)| Mark { color, square })
}

fn any_arrow() -> impl Strategy<Value = Arrow> {
    (any_color(), any_square(), any_square()).prop_map(|(color, from, to)| Arrow {
        color,
        from,
        to,
    })
}

/// Whole seconds, fractions of any length, and times beyond reason.
fn any_duration() -> impl Strategy<Value = Duration> {
    prop_oneof![
        (0u64..20_000).prop_map(Duration::from_secs),
        (0u64..20_000_000).prop_map(Duration::from_millis),
        any::<Duration>(),
    ]
}

fn any_score() -> impl Strategy<Value = Score> {
    prop_oneof![
        (-2_000i32..2_000).prop_map(Score::Centipawns),
        any::<i32>().prop_map(Score::Centipawns),
        any::<i32>().prop_map(Score::Mate),
    ]
}

fn any_annotation() -> impl Strategy<Value = Annotation> {
    prop_oneof![
        vec(any_mark(), 0..6).prop_map(Annotation::Squares),
        vec(any_arrow(), 0..6).prop_map(Annotation::Arrows),
        any_duration().prop_map(Annotation::Clock),
        any_duration().prop_map(Annotation::TimeSpent),
        any_duration().prop_map(Annotation::MechanicalClock),
        (any_score(), option::of(any::<u16>())).prop_map(|(score, depth)| evaluation(score, depth)),
        (any::<u16>(), vec(any::<i16>(), 0..40))
            .prop_map(|(first, values)| Annotation::EvaluationProfile(Profile { first, values })),
        any_other_annotation(),
        (
            "[a-z0-9.]{1,8}|\\PC{0,5}",
            any::<u16>(),
            vec(any::<u8>(), 0..20)
        )
            .prop_map(|(format, code, bytes)| Annotation::Raw {
                format,
                code,
                bytes
            }),
    ]
}

/// What ChessBase knows besides.
fn any_other_annotation() -> impl Strategy<Value = Annotation> {
    prop_oneof![
        vec(any::<u8>(), 0..20).prop_map(Annotation::EvaluationDepths),
        any::<u32>().prop_map(|bits| Annotation::Medals(Medals(bits))),
        prop::sample::select(Phase::ALL.to_vec()).prop_map(Annotation::CriticalPosition),
        (any_text(), "[a-z]{1,8}|\\PC{0,3}", vec(any::<u8>(), 0..20)).prop_map(
            |(text, format, bytes)| Annotation::Quotation(Box::new(Quotation {
                text,
                format,
                bytes
            }))
        ),
        (any_text(), any_text()).prop_map(|(url, text)| Annotation::WebLink { url, text }),
        (any::<[u8; 3]>(), any::<bool>(), any::<bool>()).prop_map(
            |(rgb, main_line_only, moves_only)| Annotation::VariationColor(VariationColor {
                rgb,
                main_line_only,
                moves_only,
            })
        ),
        any_training().prop_map(|asked| Annotation::Training(Box::new(asked))),
    ]
}

/// Plain words, and anything else.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z ]{0,12}",
        "[\\[\\]{}%\" \n\ra-z,]{0,12}",
        any::<String>()
    ]
}

fn any_wordings() -> impl Strategy<Value = Vec<Wording>> {
    let language = prop_oneof![
        Just(Some("en".to_owned())),
        option::of("[a-z]{2}|\\PC{0,3}|-"),
    ];
    let wording = (language, any_text()).prop_map(|(language, text)| Wording { language, text });
    vec(wording, 0..3)
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
        any_wordings(),
        option::of(any_wordings()),
        [any_wordings(), any_wordings()],
        vec(answer, 0..3),
    )
        .prop_map(
            |(seconds, points, question, refusal, hints, answers)| Training {
                seconds,
                // Half of them are worth what the first answer is, as with ChessBase.
                points: match answers.first() {
                    Some(answer) if refusal.is_none() => answer.points.into(),
                    _ => points,
                },
                question,
                refusal: refusal.unwrap_or_default(),
                hints,
                answers,
            },
        )
}

/// Text in which most of the syntax occurs.
fn any_comment() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "\\PC{0,6}",
        "[\\[\\]% ,:.#\\-+M/s=0-9a-h]{0,12}",
        "\\[%(clk|emt|mct) [0-9]{0,2}(:[0-6]?[0-9]){0,3}(\\.[0-9]{0,3})?\\]",
        "\\[%eval [+\\-#]{0,2}[0-9]{0,2}(\\.[0-9]{0,3})?(,[0-9]{1,2})?\\]",
        "\\[%(csl|cal) ([GRYB]([a-h][1-8]){1,2},?){0,3}\\]",
        "\\[%evp 0,[0-3](,-?[0-9]{1,3}){0,4}\\]",
        "\\[%(mdl|crit) ([0-9]{1,3}|opening|endgame)\\]",
        "\\[%tqu \"En\",\"[a-z %]{0,3}\",\"\",\"\"(,\"[a-h][1-8][a-h][1-8]\",\"\",[0-9]{1,3}){0,2}\\]",
        "\\[%tabiya training (-|[0-9]) [0-9]( [qrhifa] (en|-|a1b2) (\"[a-z%0-9 ]{0,4}\"|7)){0,3}\\]",
        "\\[%tabiya (link|quotation) \"[a-z%0-9 ]{0,4}\" (\"\"|cb 0a)\\]",
        "\\[%tabiya (color|depths) [0-9,]{1,6}( main)?( moves)?\\]",
        "\\[%tabiya raw [a-z]{1,3} [0-9]{1,3}( [0-9a-fA-F]{0,6})?\\]",
        "[+\\-]M?[0-9](\\.[0-9]{2})?/[0-9]{1,2} [0-9]\\.[0-9]s",
        "d=[0-9]{1,2}, mt=[0-9:]{1,8}, wv=-?M?[0-9]\\.?[0-9]?,",
        any_annotation().prop_filter_map("no spelling", |annotation| annotation.to_command()),
    ];
    vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn the_parts_of_a_comment_are_the_comment(text in any_comment()) {
        let whole: String = parts(&text).map(|part| part.raw()).collect();
        prop_assert_eq!(whole, &text[..]);
        let texts: Vec<bool> = parts(&text).map(|part| matches!(part, Part::Text(_))).collect();
        prop_assert!(!texts.windows(2).any(|pair| pair == [true, true]));
        prop_assert!(parts(&text).all(|part| !part.raw().is_empty()));
    }

    #[test]
    fn no_text_is_too_odd_to_look_at(text in any_comment(), noise in any::<String>()) {
        for text in [text, noise] {
            let _ = annotations(&text, Color::Black).count();
            let _ = canonical(&text);
        }
    }

    #[test]
    fn a_spelling_is_read_back_as_its_annotation(annotation in any_annotation()) {
        if let Some(text) = annotation.to_command() {
            prop_assert_eq!(canonical(&text), Some(annotation.clone()));
            prop_assert!(annotations(&text, Color::Black).eq([annotation]));
        }
    }

    #[test]
    fn a_canonical_comment_is_spelled_as_it_was(text in any_comment()) {
        if let Some(annotation) = canonical(&text) {
            prop_assert_eq!(annotation.to_command(), Some(text));
        }
    }

    #[test]
    fn a_changed_spelling_is_another_annotation_or_none(
        annotation in any_annotation(),
        at in any::<prop::sample::Index>(),
        other in "[0-9 :.,#+\\-A-Ha-h]?",
    ) {
        if let Some(text) = annotation.to_command() {
            let (at, gone) = text.char_indices().nth(at.index(text.chars().count())).unwrap();
            let changed = format!("{}{other}{}", &text[..at], &text[at + gone.len_utf8()..]);
            if let Some(read) = canonical(&changed) {
                prop_assert_eq!(read.to_command(), Some(changed));
            }
        }
    }

    #[test]
    fn what_is_said_can_be_spelled(text in any_comment()) {
        for annotation in annotations(&text, Color::White) {
            prop_assert!(annotation.to_command().is_some());
        }
    }
}
