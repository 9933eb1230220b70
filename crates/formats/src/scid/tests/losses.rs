//! What has no place is reported, and nothing else is.

use tabiya_game::{CommentPlace, Item, LossKind, Nag, Place};

use super::*;

fn lost(version: Version, tree: &GameTree) -> (Vec<LossKind>, bool) {
    let mut writer = Writer::new(version);
    tree.tell(&mut writer);
    let losses = writer.take_losses();
    let kinds = losses.iter().map(|(kind, ..)| kind).collect();
    (kinds, writer.is_empty())
}

#[track_caller]
fn loses(pgn: &str, kinds: &[LossKind]) {
    for version in VERSIONS {
        let (lost, refused) = lost(version, &parse(pgn)[0]);
        assert_eq!((&*lost, refused), (kinds, false), "{pgn}");
    }
}

#[track_caller]
fn is_refused(pgn: &str, kind: LossKind) {
    for version in VERSIONS {
        assert_eq!(lost(version, &parse(pgn)[0]), (vec![kind], true), "{pgn}");
    }
}

#[test]
fn nothing_is_lost_of_a_usual_game() {
    loses(
        "[Event \"?\"]\n[Date \"????.??.??\"]\n[Result \"*\"]\n\n1. e4 {x} $1 (1. d4) *",
        &[],
    );
}

#[test]
fn tags_that_are_spelled_in_another_way_are_not_lost() {
    for tag in [
        "Event \"\"",
        "Date \"1999.1.2\"",
        "Result \"?\"",
        "ScidFlags \"BW\"",
        "FEN \"4k3/8/8/8/8/8/8/4K3 w\"",
    ] {
        let pgn = format!("[{tag}]\n\n*");
        loses(&pgn, &[]);
        let mut writer = Writer::new(Version::Si5);
        parse(&pgn)[0].tell(&mut writer);
        let respelled = writer
            .take_losses()
            .respelled()
            .map(|respelled| respelled.count);
        assert_eq!(respelled, Some(1), "{tag}");
    }
}

#[test]
fn tags_that_cannot_be_spelled_so() {
    loses("[Result \"won\"]\n\n*", &[LossKind::Tag]);
    loses("[ScidFlags \"WX\"]\n\n*", &[LossKind::Tag]);
    let long = "x".repeat(256);
    loses(&format!("[Foo \"{long}\"]\n\n*"), &[LossKind::Tag]);
    let tree = &parse(&format!("[White \"{long}\"]\n\n*"))[0];
    assert_eq!(lost(Version::Si4, tree).0, [LossKind::Tag]);
    assert_eq!(lost(Version::Si5, tree).0, []);
}

/// What is written into a database of either version, and comes back, tags in any order.
#[track_caller]
fn comes_back(tags: &[(&str, &str)]) {
    let head: String = tags
        .iter()
        .map(|(name, value)| format!("[{name} \"{value}\"]\n"))
        .collect();
    let game = &parse(&format!("{head}\n1. e4 *"))[0];
    for version in VERSIONS {
        assert_eq!(lost(version, game), (vec![], false), "{head}");
        let folder = tempfile::tempdir().unwrap();
        let path = named(&folder, version);
        write(version, &path, std::slice::from_ref(game));
        let after = read(&mut open(&path)).all.remove(0);
        for (name, value) in tags {
            assert_eq!(after.tags.get(name), Some(*value), "{version:?}");
        }
    }
}

#[test]
fn what_fields_have_no_room_for_is_kept_as_a_tag() {
    comes_back(&[("Date", "2047.12.31")]);
    comes_back(&[("Date", "2048.01.01")]);
    comes_back(&[("Date", "9999.??.??"), ("EventDate", "9998.??.??")]);
    comes_back(&[("Date", "2000.01.01"), ("EventDate", "2004.01.01")]);
    comes_back(&[("WhiteElo", "4000"), ("BlackElo", "4001")]);
    comes_back(&[("WhiteElo", "2000"), ("WhiteUSCF", "2100")]);
    comes_back(&[("ECO", "E99z4")]);
    comes_back(&[("ECO", "F00")]);
    comes_back(&[("White", &"x".repeat(255)), ("Foo", &"y".repeat(255))]);
}

/// Programs show the last of several, so their order counts.
#[test]
fn event_dates_without_room_keep_their_places() {
    let pgn = "[Date \"1950.??.??\"]\n[Foo \"1\"]\n[EventDate \"2000.??.??\"]\n\
               [EventDate \"2001.??.??\"]\n[Bar \"2\"]\n\n*";
    let folder = tempfile::tempdir().unwrap();
    let path = named(&folder, Version::Si4);
    write(Version::Si4, &path, &parse(pgn));
    let after = read(&mut open(&path)).all.remove(0);
    let values: Vec<&str> = after.tags.iter().map(|(_, value)| value).collect();
    assert_eq!(
        values,
        ["1950.??.??", "*", "1", "2000.??.??", "2001.??.??", "2"]
    );
}

#[test]
fn a_name_is_cut_between_letters() {
    let folder = tempfile::tempdir().unwrap();
    let path = named(&folder, Version::Si4);
    let name = format!("{}\u{e9}", "x".repeat(254));
    let losses = write(
        Version::Si4,
        &path,
        &parse(&format!("[White \"{name}\"]\n\n*")),
    );
    let (kind, count, loss) = losses[0].iter().next().unwrap();
    assert_eq!((kind, count, loss.game), (LossKind::Tag, 1, 1));
    assert!(loss.what.contains("White"), "{}", loss.what);
    let after = read(&mut open(&path)).all.remove(0);
    assert_eq!(after.tags.get("White"), Some(&name[..254]));
}

#[test]
fn a_move_has_one_comment_and_seven_glyphs() {
    loses("1. e4 {a} {b} *", &[LossKind::Comment]);
    loses("1. e4 e5 2. {a} Nf3 *", &[LossKind::CommentPlace]);
    loses("1. e4 {} *", &[LossKind::Comment]);
    loses("1. e4 $1 $2 $3 $4 $5 $6 $7 $8 *", &[LossKind::Nag]);
    let mut tree = parse("1. e4 *").remove(0);
    tree.items.push(Item::Nag(Nag(256)));
    assert_eq!(lost(Version::Si5, &tree).0, [LossKind::Nag]);
    tree.items.push(Item::Comment {
        place: CommentPlace::After,
        language: Some("de".into()),
        text: "a\0b".into(),
    });
    let kinds = [LossKind::Comment, LossKind::Language, LossKind::Nag];
    assert_eq!(lost(Version::Si5, &tree).0, kinds);
}

#[test]
fn what_changes_its_place_is_said() {
    let place = LossKind::CommentPlace;
    let both = [LossKind::Comment, place];
    loses("1. e4 e5 (1... c5) {a} 2. Nf3 *", &[place]);
    loses("1. e4 e5 (1... c5) 2. {a} Nf3 *", &[place]);
    loses("1. e4 e5 (1... c5 (1... c6) {a}) *", &[place]);
    loses("1. e4 e5 (1... c5) {[%clk 0:10:00]} *", &[place]);
    loses("1. e4 e5 (1... c5) 2. Ke5 *", &[place]);
    loses("1. e4 e5 {a} (1... c5) {b} 2. Nf3 *", &both);
    loses("1. e4 e5 (1... c5) $1 2. Nf3 *", &[LossKind::Nag]);
    loses("1. e4 e5 ($1 1... c5) *", &[LossKind::Nag]);
    loses("$1 1. e4 *", &[LossKind::Nag]);
    // What is said of the next move is not said after a variation.
    loses("1. e4 e5 (1... c5) 2. Nf3 $1 {a} (2. Nc3) *", &[]);
}

#[test]
fn a_glyph_without_a_move_is_lost_once() {
    for pgn in ["1. e4 e5 ($1) *", "$1 *"] {
        let mut writer = Writer::new(Version::Si4);
        parse(pgn)[0].tell(&mut writer);
        let losses = writer.take_losses();
        let found: Vec<_> = losses.iter().map(|(kind, n, _)| (kind, n)).collect();
        assert_eq!(found, [(LossKind::Nag, 1)], "{pgn}");
    }
}

/// A hostile game may have very many, and they must not be copied again and again.
#[test]
fn many_comments_on_a_move_take_no_more_time_than_elsewhere() {
    let pgn = format!("1. e4 e5 {} *", "(1... c5 {in}) {out} ".repeat(30_000));
    let mut writer = Writer::new(Version::Si5);
    parse(&pgn)[0].tell(&mut writer);
    assert!(writer.is_empty(), "it is too long");
    assert_eq!(writer.take_losses().count(), 1);
}

#[test]
fn an_error_beside_a_comment_becomes_one() {
    let pgn = "1. e4 e5 {a} (1... Ke3 {x}) *";
    loses(pgn, &[]);
    let kinds = [LossKind::Comment, LossKind::Error];
    loses("[White \"x]\n\n{a} 1. e4 *", &kinds);
    loses("1. e4 {a} Ke3 *", &kinds);
    // Not even by those who read it later.
    let folder = tempfile::tempdir().unwrap();
    let path = named(&folder, Version::Si5);
    write(Version::Si5, &path, &parse("[White \"x]\n\n{a} 1. e4 *"));
    let after = read(&mut open(&path)).all.remove(0);
    let is_comment = matches!(&after.items[0], Item::Comment { text, .. } if text.ends_with(" a"));
    assert!(is_comment, "{:?}", after.items[0]);
}

#[test]
fn what_is_told_of_a_game_that_was_not_played() {
    loses(
        "[Result \"+:-\"]\n\n1-0",
        &[LossKind::Tag, LossKind::Result],
    );
}

#[test]
fn a_line_ends_where_a_ply_was_left_out() {
    let mut tree = parse("1. e4 e5 2. Nf3 *").remove(0);
    tree.items.insert(1, Item::Missing);
    for version in VERSIONS {
        assert_eq!(lost(version, &tree), (vec![LossKind::Move], false));
    }
}

#[test]
fn what_is_said_behind_a_ply_left_out_is_counted() {
    let mut tree = parse("1. e4 e5 2. d4 {A} (2. c4 {in var} $1) d5 {B} $2 *").remove(0);
    tree.items[1] = Item::Missing;
    for version in VERSIONS {
        let mut writer = Writer::new(version);
        tree.tell(&mut writer);
        let losses = writer.take_losses();
        let counts: Vec<_> = losses.iter().map(|(kind, n, _)| (kind, n)).collect();
        let expected = [
            (LossKind::Variation, 1),
            (LossKind::Comment, 3),
            (LossKind::Nag, 2),
            (LossKind::Move, 1),
        ];
        assert_eq!(counts, expected);
    }
}

#[test]
fn starts_from_which_programs_cannot_load_a_game_are_refused() {
    is_refused(
        "[FEN \"4k3/8/8/8/8/8/8/4K2r b - - 0 1\"]\n\n*",
        LossKind::Start,
    );
    is_refused(
        "[FEN \"QQQQQQQQ/QQQQQQQQ/8/8/8/8/8/k6K w - - 0 1\"]\n\n*",
        LossKind::Start,
    );
    is_refused("[Variant \"Antichess\"]\n\n1. e3 *", LossKind::Start);
    is_refused("[Variant \"Atomic\"]\n\n1. e3 *", LossKind::Start);
    is_refused("[FEN \"nonsense\"]\n\n1. e3 *", LossKind::Start);
}

#[test]
fn records_that_are_too_long_are_refused() {
    let long = "x".repeat(131_072);
    is_refused(&format!("1. e4 {{{long}}} *"), LossKind::Move);
    let fits = &long[..131_072 - 7];
    loses(&format!("1. e4 {{{fits}}} *"), &[]);
}

#[test]
fn texts_without_a_place_are_lost() {
    let texts = [("About", "x", true), ("flag1", "too long a name", false)];
    for (title, text, always) in texts {
        for version in VERSIONS {
            let mut writer = Writer::new(version);
            let language = None;
            writer.event(Event::Text {
                place: Place::default(),
                title,
                language,
                text,
            });
            let is_lost = !writer.take_losses().is_empty();
            assert_eq!(is_lost, always || version == Version::Si4, "{title}");
            assert_eq!(writer.is_empty(), is_lost);
        }
    }
}
