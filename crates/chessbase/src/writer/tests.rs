//! Games find their place in an entry; what does not is named.

use tabiya_game::{
    Annotation, Comment, CommentPlace, Event, GameSink, GameTree, Item, LossKind, Nag, Place,
};

use super::{BESIDES_TAGS, RecordWriter, StoredEntry};
use crate::{
    annotations::{FORMAT, Item as StoredItem, Record},
    files::{
        EcoCode, GameFlags,
        header::{Entry, EntryKind, GameRecord, TextRecord},
    },
    text::GuidingText,
};
use tabiya_formats::pgn::Parser;

/// The entry of a game, and the losses.
fn written(text: &str) -> (StoredEntry, Vec<(LossKind, String)>) {
    let mut writer = RecordWriter::default();
    Parser::new(text).read_game(&mut writer);
    taken(&mut writer)
}

fn taken(writer: &mut RecordWriter) -> (StoredEntry, Vec<(LossKind, String)>) {
    let losses = writer.take_losses();
    let losses = losses
        .iter()
        .map(|(kind, _, loss)| (kind, loss.what.clone()));
    let mut entries = writer.take();
    assert_eq!(entries.len(), 1);
    (entries.remove(0), losses.collect())
}

fn header(entry: &StoredEntry) -> GameRecord {
    match entry.header {
        Entry::Game(game) => game,
        other => panic!("{other:?}"),
    }
}

/// The positions and types of the notes of an entry.
fn notes(entry: &StoredEntry) -> Vec<(i32, u8)> {
    let record = Record::parse(&entry.annotations).expect("a record");
    let items: Result<Vec<StoredItem<'_>>, _> = record.items().collect();
    let items = items.expect("items");
    items
        .iter()
        .map(|item| (item.position, item.kind))
        .collect()
}

#[test]
fn notes_stand_at_stored_moves() {
    let (entry, losses) = written(
        "{first} 1. e4 $1 {after} e5 {e5} ({before} 1... c5 {c5}) 2. Nf3 2... {black} Nc6 *",
    );
    assert_eq!(losses, []);
    // The main line comes first: e4, e5, Nf3, Nc6, then c5.
    let expected = [
        (0, 0x82),
        (0, 0x03),
        (0, 0x02),
        (1, 0x02),
        (3, 0x82),
        (4, 0x82),
        (4, 0x02),
    ];
    assert_eq!(notes(&entry), expected);
    let flags = GameFlags::VARIATIONS | GameFlags::COMMENTARY | GameFlags::SYMBOLS;
    let header = header(&entry);
    assert_eq!((header.flags, header.moves_count), (flags, 2));
}

#[test]
fn notes_without_a_move_are_moved_and_named() {
    let (entry, losses) = written("1. e4 (1. d4) 1... {nothing follows} *");
    assert_eq!(notes(&entry), [(0, 0x02)]);
    assert_eq!(losses[0].0, LossKind::CommentPlace);

    let (entry, losses) = written("1. e4 ({nothing else}) 1... e5 ({c} 1... c5) ({d}) *");
    assert_eq!(notes(&entry), [(0, 0x02), (1, 0x02), (2, 0x82)]);
    let kinds: Vec<_> = losses.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, [LossKind::Variation, LossKind::CommentPlace]);

    let mut writer = RecordWriter::default();
    let mut sink = |event: Event<'_>| writer.event(event);
    sink(Event::GameStart(Default::default()));
    sink(Event::Nag(Nag(7)));
    sink(Event::Comment(Comment {
        place: CommentPlace::After,
        language: None,
        text: "the game as a whole",
    }));
    sink(Event::GameEnd {
        result: Default::default(),
        state: tabiya_game::GameState::Complete,
    });
    let (entry, losses) = taken(&mut writer);
    assert_eq!(notes(&entry), [(-1, 0x03), (-1, 0x02)]);
    assert_eq!(losses, []);
}

#[test]
fn notes_of_the_game_stay_in_order() {
    let (entry, losses) = written("{text} {[%mdl 1]} 1. e4 *");
    assert_eq!(losses, []);
    assert_eq!(notes(&entry), [(-1, 0x82), (-1, 0x22)]);
    let (entry, _) = written("{[%mdl 1]} {text} 1. e4 *");
    assert_eq!(notes(&entry), [(-1, 0x22), (0, 0x82)]);
}

#[test]
fn variations_of_one_move_stand_side_by_side() {
    let (_, losses) = written("1. e4 (1. d4 (1. c4 e5) 1... d5) 1... e5 (1... c5 2. Nf3) *");
    let what = "that a variation stood in another one".to_owned();
    assert_eq!(losses, [(LossKind::Variation, what)]);
    let (_, losses) = written("1. e4 (1. d4) (1. c4 e5 (1... c5)) {late} *");
    let what = "that a note stood after a variation, not before it".to_owned();
    assert_eq!(losses, [(LossKind::CommentPlace, what)]);
}

#[test]
fn clocks_and_time_controls_are_notes_of_the_game() {
    let (entry, losses) = written(
        "[WhiteClock \"0:01:02\"]\n[WhiteClock \"0:09:09\"]\n[TimeControl \"300+2\"]\n\n1. e4 *",
    );
    assert_eq!(notes(&entry), [(-1, 0x16), (-1, 0x24)]);
    let second = "WhiteClock \"0:09:09\" has no place".to_owned();
    assert_eq!(losses, [(LossKind::Tag, second)]);
    assert!(header(&entry).flags.contains(GameFlags::WHITE_CLOCK));
}

#[test]
fn long_names_are_cut_between_characters_and_named() {
    let name = "Ł".repeat(20);
    let (entry, losses) = written(&format!("[White \"{name}\"]\n\n1. e4 *"));
    let kept = "Ł".repeat(14);
    assert_eq!(entry.details.white.last.text(), kept.as_bytes());
    let what = format!("White \"{name}\" became \"{kept}\"");
    assert_eq!(losses, [(LossKind::Tag, what)]);
}

#[test]
fn names_are_as_long_as_their_fields() {
    let long = "x".repeat(60);
    for (tag, value, kept) in [
        ("White", long.clone(), "x".repeat(29)),
        (
            "White",
            format!("A, {long}"),
            format!("A, {}", "x".repeat(19)),
        ),
        ("Event", long.clone(), "x".repeat(39)),
        ("Site", long.clone(), "x".repeat(29)),
        ("Annotator", long.clone(), "x".repeat(44)),
        ("Source", long.clone(), "x".repeat(15)),
        ("SourceTitle", long.clone(), "x".repeat(24)),
    ] {
        let (_, losses) = written(&format!("[{tag} \"{value}\"]\n\n1. e4 *"));
        let what = format!("{tag} \"{value}\" became \"{kept}\"");
        assert_eq!(losses, [(LossKind::Tag, what)]);
    }
}

#[test]
fn a_long_game_has_255_moves() {
    let moves = |count: usize| "Nf3 Nf6 Ng1 Ng8 ".repeat(count / 2);
    for (count, stored) in [(254, 254), (256, 255), (600, 255)] {
        let (entry, losses) = written(&format!("{}*", moves(count)));
        assert_eq!(losses, []);
        assert_eq!(header(&entry).moves_count, stored);
    }
}

#[test]
fn a_result_is_the_one_that_is_known() {
    let ending = |text| header(&written(text).0).ending.result().tag();
    assert_eq!(ending("1. e4 1-0"), "1-0");
    assert_eq!(ending("[Result \"*\"]\n\n1. e4 1-0"), "1-0");
    let (entry, losses) = written("[Result \"0-1\"]\n\n1. e4 1-0");
    assert_eq!(header(&entry).ending.result().tag(), "0-1");
    assert_eq!(losses[0].0, LossKind::Result);
}

#[test]
fn a_game_of_chess960_has_its_start_for_an_opening() {
    let (entry, losses) = written(
        "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[ECO \"A00\"]\n\
         [FEN \"rkrbnnqb/pppppppp/8/8/8/8/PPPPPPPP/RKRBNNQB w KQkq - 0 1\"]\n\n1. e4 *",
    );
    let header = header(&entry);
    assert_eq!(entry.moves[0], 0x4a);
    assert!(header.eco.chess960_number().is_some());
    assert!(
        header
            .flags
            .contains(GameFlags::SETUP | GameFlags::UNORTHODOX)
    );
    assert_eq!(losses.len(), 1);
    assert!(losses[0].1.starts_with("ECO A00"), "{losses:?}");
    assert_ne!(header.eco, EcoCode::NONE);
}

#[test]
fn texts_are_entries_of_their_own() {
    let mut writer = RecordWriter::default();
    writer.event(Event::Text {
        place: Place::default(),
        title: "Preface",
        language: Some("en"),
        text: "<p>Hello</p>",
    });
    let (entry, losses) = taken(&mut writer);
    assert_eq!(losses, []);
    assert_eq!(entry.header, Entry::Text(TextRecord::default()));
    let text = GuidingText::parse(&entry.moves).expect("a text");
    assert_eq!(text.main(&Default::default()).title, "Preface");
}

#[test]
fn what_nobody_understands_is_kept_but_for_its_names() {
    let game = GameRecord {
        kind: EntryKind(1),
        white: 77,
        round: 3,
        ..GameRecord::default()
    };
    let record = [0x10, 0, 0, 6, 1, 2];
    let bytes = [game.to_bytes().as_slice(), &record].concat();
    let mut writer = RecordWriter::default();
    writer.event(Event::Opaque {
        place: Place::default(),
        format: "chessbase, mode 16 (Makruk)",
        bytes: &bytes,
    });
    let (entry, losses) = taken(&mut writer);
    assert_eq!(entry.moves, record);
    assert_eq!(header(&entry).round, 3);
    assert_eq!(losses[0].0, LossKind::Entry);

    writer.event(Event::Opaque {
        place: Place::default(),
        format: "scid",
        bytes: &bytes,
    });
    writer.event(Event::Opaque {
        place: Place::default(),
        format: "chessbase",
        bytes: &bytes[..10],
    });
    assert!(writer.is_empty());
    assert_eq!(writer.take_losses().count(), 2);
}

#[test]
fn what_tags_do_not_tell_comes_along() {
    let mut game = GameTree::default();
    Parser::new("[Event \"Match\"]\n\n1. e4 *").read_game(&mut game);
    let mut writer = RecordWriter::default();
    game.tell(&mut writer);
    let (mut besides, _) = taken(&mut writer);
    besides.details.tournament.flags = 3;
    besides.extended.saves = 7;
    let mut bytes = Vec::new();
    besides.write(&mut bytes);
    let raw = Annotation::Raw {
        format: FORMAT.to_owned(),
        code: BESIDES_TAGS,
        bytes,
    };
    game.items.insert(0, Item::Annotation(raw));
    game.tell(&mut writer);
    let (entry, losses) = taken(&mut writer);
    assert_eq!((entry, losses), (besides, Vec::new()));
    // Another tournament is not complete because this one was.
    game.tags.set("Event", "Another");
    game.tell(&mut writer);
    let (entry, _) = taken(&mut writer);
    assert_eq!(entry.details.tournament.flags, 0);
}

#[test]
fn bytes_that_are_no_entry_are_an_error() {
    let (entry, _) = written("[WhiteTeam \"x\"]\n[GameTitle \"y\"]\n\n1. e4 {z} *");
    let mut bytes = Vec::new();
    entry.write(&mut bytes);
    assert_eq!(StoredEntry::read(&bytes).expect("an entry").0, entry);
    for length in 0..bytes.len() {
        assert!(StoredEntry::read(&bytes[..length]).is_err());
    }
}
