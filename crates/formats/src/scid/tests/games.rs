//! Games there and back.

use proptest::prelude::*;
use tabiya_game::{
    CommentPlace, Item, LossKind, Nag, Place,
    generate::{Generator, Options},
};

use super::*;

/// What becomes of one game.
fn through(version: Version, before: &GameTree) -> (Option<GameTree>, Losses) {
    let folder = tempfile::tempdir().unwrap();
    let path = named(&folder, version);
    let losses = write(version, &path, std::slice::from_ref(before)).remove(0);
    let after = read(&mut open(&path)).all.pop();
    (after, losses)
}

#[track_caller]
fn comes_back(pgn: &str) -> GameTree {
    let before = parse(pgn).remove(0);
    let mut last = None;
    for version in VERSIONS {
        let (after, losses) = through(version, &before);
        assert!(losses.is_empty(), "{losses:?}");
        let mut after = after.unwrap();
        let told = ["Date", "Result"].map(|name| (name, after.tags.get(name).map(str::to_owned)));
        let mut before = before.clone();
        for (name, value) in told {
            if before.tags.get(name).is_none() {
                before.tags.push(name, value.unwrap());
            }
        }
        after.place = before.place;
        after.restore_places();
        assert_eq!(with_sorted_tags(after.clone()), with_sorted_tags(before));
        last = Some(after);
    }
    last.unwrap()
}

#[test]
fn everything_about_a_move_keeps_its_order() {
    comes_back("{start} 1. e4 $1 {a} $5 (1. d4 {b} $14 d5 (1... Nf6) 2. c4) ({c} 1. c4) e5 *");
    comes_back("1. e4 {before the variation} (1. d4) e5 () ({only this}) *");
    comes_back("1. e4 $1 $2 $3 $255 $0 e5 -- -- 3. Ke2 *");
}

/// The record of a game without tags, behind the byte of its flags: as hexadecimal digits, and as
/// texts.
fn record_of(pgn: &str) -> (String, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let mut records = VERSIONS.map(|version| {
        let path = named(&folder, version);
        write(version, &path, &parse(pgn));
        std::fs::read(path.with_extension(format!("sg{}", version.digit()))).unwrap()
    });
    assert_eq!(records[0], records[1]);
    let record = records[0].split_off(2);
    let end = record.iter().position(|byte| *byte == 0x0f).unwrap();
    let moves: Vec<String> = record[..end].iter().map(|b| format!("{b:02x}")).collect();
    let texts = String::from_utf8(record[end + 1..].to_vec()).unwrap();
    let texts = texts.split_terminator('\0').map(str::to_owned).collect();
    (moves.join(" "), texts)
}

/// The bytes are those that Scid 4.7 writes when it imports the same game. Where it joins texts
/// without a space, tabiya joins them with one.
#[test]
fn what_is_said_of_a_move_stands_where_scid_puts_it() {
    for (pgn, moves, texts) in [
        (
            "1. e4 e5 (1... c5 {in} 2. Nf3) {after} 2. Nf3 {last} *",
            "cf cf 0c 0d af 0c 67 0e 67 0c",
            &["after", "in", "last"][..],
        ),
        (
            "1. e4 e5 {b} (1... c5) {m} (1... c6) {after} 2. Nf3 {last} *",
            "cf cf 0c 0d af 0e 0d a1 0e 67 0c",
            &["b m after", "last"],
        ),
        (
            "1. e4 e5 (1... c5 (1... c6 {i}) {j}) {k} *",
            "cf cf 0c 0d af 0c 0d a1 0c 0e 0e",
            &["k", "j", "i"],
        ),
        (
            "1. e4 e5 (1... c5 (1... c6) {x} {y}) {z} 2. {bef} Nf3 {w} {v} *",
            "cf cf 0c 0d af 0c 0d a1 0e 0e 67 0c",
            &["z bef", "x y", "w v"],
        ),
        (
            "1. e4 e5 ({only}) {q} 2. Nf3 *",
            "cf cf 0c 0d 0c 0e 67",
            &["q", "only"],
        ),
        (
            "1. e4 e5 (1... c5 2. -- $4 {n} (2. Nf3 {u}) {t}) 2. Nf3 *",
            "cf cf 0d af 00 0b 04 0c 0d 67 0c 0e 0e 67",
            &["n t", "u"],
        ),
        ("{x} {y} 1. e4 *", "0c cf", &["x y"]),
        (
            "1. e4 e5 $1 (1... c5) $18 2. Nf3 *",
            "cf cf 0b 01 0b 12 0d af 0e 67",
            &[],
        ),
    ] {
        let (found, said) = record_of(pgn);
        let said: Vec<&str> = said.iter().map(String::as_str).collect();
        assert_eq!((&*found, &*said), (moves, texts), "{pgn}");
    }
}

/// Scid leaves it out: nothing is lost where there is a move for it.
#[test]
fn a_glyph_before_the_first_move_of_a_line_is_put_on_that_move() {
    for (pgn, moves) in [
        ("1. e4 e5 ($1 1... c5 2. Nf3) *", "cf cf 0d af 0b 01 67 0e"),
        (
            "1. e4 e5 ($1 {pre} 1... c5 $2) *",
            "cf cf 0d 0c af 0b 01 0b 02 0e",
        ),
        ("$4 1. e4 e5 ($1 1... --) *", "cf 0b 04 cf 0d 00 0b 01 0e"),
        ("1. e4 e5 ($1) $2 *", "cf cf 0b 02 0d 0e"),
    ] {
        assert_eq!(record_of(pgn).0, moves, "{pgn}");
    }
}

#[test]
fn annotations_and_errors_are_comments_that_are_read_back() {
    let tree = comes_back("1. e4 {[%clk 0:10:00]} e5 {[%cal Ge2e4]} 2. Nf3 Ke3 Nf6 *");
    let has = |wanted: fn(&Item) -> bool| tree.items.iter().any(wanted);
    assert!(has(|item| matches!(item, Item::Annotation(_))));
    assert!(has(|item| matches!(item, Item::Error { .. })));
}

#[test]
fn tags_come_back_from_wherever_they_were_put() {
    let tree = comes_back(
        "[Event \"Wien\"]\n[Date \"1922.??.??\"]\n[White \"Réti, Richard\"]\n[Result \"1-0\"]\n\
         [WhiteElo \"?\"]\n[WhiteUSCF \"2500\"]\n[BlackElo \"4500\"]\n[BlackDWZ \"1\"]\n\
         [ECO \"A09/12\"]\n[EventDate \"1910.01.02\"]\n[Annotator \"x\"]\n[Foo \"\"]\n\
         [ScidFlags \"WN3\"]\n\n1. Nf3 d5 1-0",
    );
    assert_eq!(tree.tags.get("WhiteUSCF"), Some("2500"));
    comes_back("[Date \"2050.01.01\"]\n[EventDate \"2049.01.01\"]\n\n1. e4 *");
    comes_back("[Termination \"forfeit\"]\n[Result \"1-0\"]\n\n1-0");
}

#[test]
fn starts_come_back() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/8/pP6/8/8/4K3 b - b3 0 10",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    ] {
        comes_back(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*"));
    }
}

#[test]
fn chess960_needs_version_5() {
    let fen = "r2k2rr/pppppppp/8/8/8/8/PPPPPPPP/R1RK2R1 w KCg - 0 1";
    let pgn = format!("[Variant \"Chess960\"]\n[FEN \"{fen}\"]\n\n1. O-O-O O-O *");
    let before = parse(&pgn).remove(0);
    let (after, losses) = through(Version::Si4, &before);
    let kinds: Vec<_> = losses.iter().map(|(kind, ..)| kind).collect();
    assert_eq!((after, kinds), (None, vec![LossKind::Start]));
    let (after, losses) = through(Version::Si5, &before);
    assert!(losses.is_empty());
    assert_eq!(after.unwrap().items, before.items);
}

#[test]
fn texts_of_the_database_come_first_and_survive() {
    let folder = tempfile::tempdir().unwrap();
    let texts = [("description", "Meine Partien"), ("flag3", "Scharf")];
    for version in VERSIONS {
        let path = named(&folder, version);
        let mut writer = Writer::new(version);
        for (title, text) in texts {
            let language = None;
            writer.event(Event::Text {
                place: Place::default(),
                title,
                language,
                text,
            });
        }
        parse("1. e4 *")[0].tell(&mut writer);
        let mut builder = Builder::create(version, &path).unwrap();
        builder.add(&writer.take()).unwrap();
        builder.finish().unwrap();
        assert!(writer.take_losses().is_empty());
        let read = read(&mut open(&path));
        let found: Vec<_> = read.texts.iter().map(|(t, v)| (&**t, &**v)).collect();
        assert_eq!((found, read.all.len()), (texts.to_vec(), 1));
    }
}

#[test]
fn records_stay_within_their_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let comment = "x".repeat(50_000);
    let game = parse(&format!("1. e4 {{{comment}}} *")).remove(0);
    for version in VERSIONS {
        let path = named(&folder, version);
        write(version, &path, &vec![game.clone(); 5]);
        let scid = open(&path);
        let offsets: Vec<u64> = (1..=5).map(|n| scid.entry(n).unwrap().offset).collect();
        let length = u64::from(scid.entry(1).unwrap().length);
        let block = 1 << 17;
        assert_eq!(offsets, [0, length, block, block + length, 2 * block]);
    }
}

#[test]
fn deleted_games_are_passed_over_unless_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = named(&folder, Version::Si4);
    let games = parse("[ScidFlags \"D\"]\n\n1. e4 *\n\n[White \"x\"]\n\n1. d4 *");
    write(Version::Si4, &path, &games);
    let mut scid = open(&path);
    assert_eq!((scid.games(), read(&mut scid).all.len()), (2, 1));
    let options = ReadOptions {
        deleted: true,
        ..ReadOptions::default()
    };
    let all = read(&mut Scid::open(&path, options).unwrap()).all;
    assert_eq!(all[0].tags.get("ScidFlags"), Some("D"));
    let mut second = GameTree::default();
    assert!(open(&path).tell_game(2, &mut second));
    assert_eq!(second.tags.get("White"), Some("x"));
    assert!(!open(&path).tell_game(3, &mut second));
    assert!(!open(&path).tell_game(0, &mut second));
}

#[test]
fn an_empty_database_is_one() {
    let folder = tempfile::tempdir().unwrap();
    for version in VERSIONS {
        let path = named(&folder, version);
        write(version, &path, &[]);
        let sizes = ["si", "sn", "sg"].map(|kind| {
            let path = path.with_extension(format!("{kind}{}", version.digit()));
            std::fs::metadata(path).unwrap().len()
        });
        let expected = match version {
            Version::Si5 => [0, 0, 0],
            _ => [182, 36, 0],
        };
        assert_eq!(sizes, expected);
        assert!(read(&mut open(&path)).all.is_empty());
    }
}

#[test]
fn old_names_are_latin_1() {
    let folder = tempfile::tempdir().unwrap();
    let path = named(&folder, Version::Si5);
    write(Version::Si5, &path, &parse("[White \"Rxti\"]\n\n*"));
    let names = path.with_extension("sn5");
    let bytes = std::fs::read(&names).unwrap();
    let latin = bytes
        .iter()
        .map(|byte| if *byte == b'x' { 0xe9 } else { *byte });
    std::fs::write(&names, latin.collect::<Vec<u8>>()).unwrap();
    let game = read(&mut open(&path)).all.remove(0);
    assert_eq!(game.tags.get("White"), Some("Réti"));
}

fn generated(index: u64, chess960: bool) -> GameTree {
    Generator::new(Options {
        seed: 3,
        variations: true,
        chess960,
        ..Options::default()
    })
    .game(index)
}

/// The moves of a game and its variations, which are never lost.
fn moves(tree: &GameTree) -> Vec<&Item> {
    let is_move = |item: &&Item| matches!(item, Item::Move(_) | Item::Null);
    tree.items.iter().filter(is_move).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn generated_games_come_back(index in 0u64..100_000, chess960: bool) {
        let before = generated(index, chess960);
        for version in VERSIONS {
            let (after, losses) = through(version, &before);
            let Some(after) = after else {
                prop_assert!(!losses.is_empty());
                continue;
            };
            let lost: Vec<_> = losses.iter().map(|(kind, ..)| kind).collect();
            if !lost.contains(&LossKind::Move) && !lost.contains(&LossKind::Variation) {
                prop_assert_eq!(moves(&before), moves(&after));
            }
            if lost.is_empty() {
                prop_assert_eq!(&before.items, &after.items);
            }
            // What came back once comes back unchanged.
            let (again, losses) = through(version, &after);
            prop_assert!(losses.is_empty(), "{:?}", losses);
            prop_assert_eq!(again, Some(after));
        }
    }

    #[test]
    fn glyphs_and_comments_of_any_kind_come_back(
        nags in proptest::collection::vec(0u16..256, 0..7),
        text in "[^\0\\[]{1,40}",
    ) {
        let mut before = parse("1. e4 *").remove(0);
        before.items.extend(nags.iter().map(|nag| Item::Nag(Nag(*nag))));
        before.items.push(Item::Comment {
            place: CommentPlace::After,
            language: None,
            text,
        });
        let (after, losses) = through(Version::Si5, &before);
        prop_assert!(losses.is_empty());
        prop_assert_eq!(after.unwrap().items, before.items);
    }
}
