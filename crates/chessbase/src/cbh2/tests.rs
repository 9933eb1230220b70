//! What cannot be seen from outside, and bytes of any kind.

use proptest::prelude::*;
use tabiya_game::{Annotation, Event, GameTree, Item as TreeItem, Mark, MarkColor, Training};

use super::{
    Database, StoredEntry,
    annotations::{Item, LAYOUT, items, read_note, write},
    assembly::collation::Collated,
    decode::{self, Words},
    entities::{self, Entities, EntityKind, Found},
    frame::{Frame, tag},
    header::{self, Header, Headers, Kind},
    names::Player,
    set::{FileKind, FileSet},
    text::Pages,
    writer::RecordWriter,
};
use crate::{
    ReadOptions,
    annotations::Note,
    encoding::TextCodec,
    moves::{ErrorKind, Scope, StoredGame},
};
use tabiya_formats::{Database as _, io::Contents, pgn::Parser};

fn codec() -> TextCodec {
    TextCodec::mixed(encoding_rs::UTF_8)
}

fn content(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn error(words: &[u16]) -> ErrorKind {
    let mut game = StoredGame::default();
    let read = decode::read(&mut game, tag::CHESS, &content(words), Scope::All);
    read.expect_err("it is damaged").kind
}

#[test]
fn every_fault_has_its_name_and_keeps_the_moves_before_it() {
    // 1. e4, then something else.
    let after_e4 = |word| [0xfffc, 0xad3f, word, 0xffff];
    for (word, name) in [
        (0xad3f, "WrongSide"),
        (0x325f, "WrongSide"),
        (0xb016, "NoSuchPiece"),
        (0x836c, "CaptureMismatch"),
        (0xfffb, "BadMoveWord"),
        (0xc02d, "BadMoveWord"),
        (0xb12b, "IllegalMove"),
    ] {
        assert_eq!(error(&after_e4(word)).name(), name, "{word:04x}");
        let mut game = StoredGame::default();
        let bytes = content(&after_e4(word));
        let read = decode::read(&mut game, tag::CHESS, &bytes, Scope::All);
        assert_eq!(read.expect_err("it is damaged").offset, 4);
        assert_eq!(game.main_plies(), 1);
    }
    assert_eq!(error(&[0xfffc, 0xad3f]).name(), "TruncatedGame");
    assert_eq!(error(&[0xfffc, 0xfffd, 0xffff]).name(), "BadMoveWord");
    let twice = [0xfffc, 0xad3f, 0xfffd, 0xfffd, 0xffff];
    assert_eq!(error(&twice).name(), "BadMoveWord");
    assert_eq!(
        Words::new(3, &[]).expect_err("no such tag").kind.name(),
        "UnknownTag"
    );
}

#[test]
fn a_null_move_in_check_ends_the_game() {
    // 1. e4 f6 2. Qh5+ and a null move.
    let pgn = "1. e4 f6 2. Qh5+ -- 3. d4 *";
    let mut writer = RecordWriter::default();
    Parser::new(pgn).read_game(&mut writer);
    let entry = writer.take().pop().expect("an entry");
    let (_, mut words) = entry.moves.expect("moves");
    assert_eq!(words.len(), 2 * 5, "three plies are written");
    let end = words.len() - 2;
    words.splice(end..end, 0xfffa_u16.to_le_bytes());
    let mut game = StoredGame::default();
    let read = decode::read(&mut game, tag::CHESS, &words, Scope::All);
    assert_eq!(read.expect_err("it is damaged").kind.name(), "IllegalMove");
    assert_eq!(game.main_plies(), 3);
}

#[test]
fn fields_that_some_programs_exchange_are_found_out_by_the_game() {
    let pgn = "[FEN \"r3k3/8/8/8/4pP2/8/8/4K2R b Kq f3 0 263\"]\n[SetUp \"1\"]\n\n\
        263... exf3 264. O-O f2+ *";
    let mut writer = RecordWriter::default();
    Parser::new(pgn).read_game(&mut writer);
    let entry = writer.take().pop().expect("an entry");
    let (tag, mut words) = entry.moves.expect("moves");
    let plain = words.clone();
    // The upper byte of the second word, and the third one.
    words[5] = 6;
    words[6] = plain[5];
    for words in [plain, words] {
        let mut game = StoredGame::default();
        decode::read(&mut game, tag, &words, Scope::All).expect("a game");
        assert_eq!(game.main_plies(), 3);
    }
}

/// Items, and what they are.
#[test]
fn quoted_items_are_read_and_written_as_they_are() {
    let hex = |text: &str| -> Vec<u8> {
        let text = text.replace(' ', "");
        let byte = |at| u8::from_str_radix(&text[at..at + 2], 16).expect("a byte");
        (0..text.len()).step_by(2).map(byte).collect()
    };
    for (kind, data, said) in [
        (0x03, "01 12 8e", "Glyphs"),
        (0x04, "04000000 02 01 04 40", "Squares"),
        (0x05, "03000000 03 0d 1d", "Arrows"),
        (0x02, "0000 0700 03000000 6f6b21", "ok!"),
        (
            0x26,
            "01 0e000000 0300 1100 01 00 f0ff 14 00 0000 00 ff",
            "Profile",
        ),
        (
            0x24,
            "01 c0270900 b80b0000 2800 01 e0930400 b80b0000 1400 01 60ea0000 b80b0000 e803 03 00000000",
            "TimeControl",
        ),
        (0x22, "08000000", "Medals"),
        (0x16, "10270000", "Clock"),
        (0x07, "00 05 01 00", "TimeSpent"),
        (0x23, "80 00 80 01", "VariationColor"),
        (0x1c, "01 01000000 61 00000000", "WebLink"),
        (0x21, "1900 0000 1600", "Evaluation"),
        (0x14, "03", "\"chessbase\""),
        (0x27, "0100", "\"2cbh\""),
        (0x08, "01020304", "\"2cbh\""),
    ] {
        let data = hex(data);
        let item = Item {
            position: -1,
            kind,
            data: &data,
        };
        let content = write([item]);
        let read: Vec<_> = items(&content).collect::<Result<_, _>>().expect("items");
        assert_eq!(read, [item]);
        let note = read_note(&item, &codec());
        assert!(format!("{note:?}").contains(said), "{kind:02x}: {note:?}");
        let written = (LAYOUT.write)(&note, &codec());
        assert_eq!(written.items, [(kind as u8, data)], "{kind:02x}");
    }
}

#[test]
fn an_unknown_type_keeps_what_was_before_it() {
    let good = Item {
        position: 0,
        kind: 3,
        data: &[1, 0, 0],
    };
    let strange = Item {
        position: 0,
        kind: 0x61,
        data: &[1, 2, 3],
    };
    let content = write([good, strange]);
    let found: Vec<_> = items(&content).collect();
    assert_eq!(found[0], Ok(good));
    let error = found[1].expect_err("nobody knows it");
    assert_eq!(
        error.kind.to_string(),
        "nobody knows how long an annotation of type 61 is"
    );
    assert_eq!(found.len(), 2);
}

#[test]
fn what_the_family_has_no_type_for_is_a_text_with_its_command() {
    let pgn = "1. e4 {[%clk 1:29:59]} {[%csl Bd4]} e5 *";
    let mut game = GameTree::default();
    Parser::new(pgn).read_game(&mut game);
    let again = there_and_back(&game);
    assert_eq!(again.items, game.items);
    let blue = Annotation::Squares(vec![Mark {
        color: MarkColor::BLUE,
        square: tabiya_chess::Square::D4,
    }]);
    assert!(again.items.contains(&TreeItem::Annotation(blue)));
}

#[test]
fn training_questions_lose_their_languages_and_say_so() {
    let mut asked = Training {
        points: 10,
        ..Training::default()
    };
    asked
        .question
        .push(tabiya_game::Wording::new(Some("de"), "Was nun?"));
    let note = Note::Annotation(Annotation::Training(Box::new(asked)));
    let written = (LAYOUT.write)(&note, &codec());
    assert_eq!(written.items.len(), 1);
    assert_eq!(written.losses.len(), 1);
}

/// A game through a database in memory.
fn there_and_back(game: &GameTree) -> GameTree {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.2cbh");
    let mut target = super::assembly::DatabaseTarget::create(&path).expect("a place");
    let mut writer = RecordWriter::default();
    game.tell(&mut writer);
    target.add(&writer.take()).expect("room");
    target.finish().expect("a database");
    let mut database = Database::open(&path, ReadOptions::default()).expect("a database");
    let mut again = GameTree::default();
    database
        .next_part()
        .expect("a part")
        .expect("one game")
        .tell(&mut again)
        .expect("its games");
    again
}

#[test]
fn names_are_sorted_as_windows_sorts_words() {
    let name = |last: &str, first: &str| {
        let player = Player {
            last: last.as_bytes(),
            first: first.as_bytes(),
            ..Player::default()
        };
        Collated::new(EntityKind::Player, &player.to_bytes())
    };
    let sorted = [
        name("", ""),
        name("Alekhine", "A"),
        name("O'Kelly", "A"),
        name("Okun", "A"),
        name("Müller", "K"),
        name("Müllers", "K"),
        name("Tal", "M"),
        name("Talla", "V"),
    ];
    assert_eq!(sorted[0].key, 1);
    assert_eq!(sorted[1].key, u64::from_be_bytes(*b"alekhine"));
    assert_eq!((sorted[2].key, sorted[4].key), (0, 0));
    assert!(sorted[1].compare(&sorted[2]).is_lt());
    assert!(sorted[2].compare(&sorted[3]).is_lt());
    assert!(sorted[4].compare(&sorted[5]).is_lt());
    assert!(sorted[6].compare(&sorted[7]).is_lt());
    let plain = name("Muller-", "K");
    assert!(
        plain.compare(&sorted[4]).is_lt(),
        "without an accent comes first"
    );
}

/// The files of a database in which all is well but for one.
fn files(kind: FileKind, bytes: Vec<u8>) -> FileSet {
    let mut headers = header::file_header(1).to_vec();
    headers.extend(Header::new(Kind::Game).0);
    let files = [
        (FileKind::Headers, headers),
        (FileKind::Moves, Vec::new()),
        (FileKind::Annotations, Vec::new()),
        (FileKind::Entities, entities::empty_file()),
    ];
    let files = files.into_iter().filter(|(other, _)| *other != kind);
    let files = files.chain([(kind, bytes)]);
    FileSet::from_files(files.map(|(kind, bytes)| (kind, Contents::from(bytes))))
}

proptest! {
    #[test]
    fn any_words_are_a_game_or_an_error(words in prop::collection::vec(any::<u16>(), 0..60)) {
        for tag in [tag::CHESS, tag::CHESS960, tag::NO_KINGS] {
            let bytes = content(&words);
            let mut game = StoredGame::default();
            let read = decode::read(&mut game, tag, &bytes, Scope::All);
            prop_assert_eq!(read.err(), game.error());
            let begun = content(&[&[0xfffc], &words[..]].concat());
            let _ = decode::read(&mut game, tag, &begun, Scope::MainLine);
            if let Ok(words) = Words::new(tag, &begun) {
                prop_assert!(words.order().len() <= begun.len());
            }
        }
    }

    #[test]
    fn any_bytes_are_items_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let found: Vec<_> = items(&bytes).map_while(Result::ok).collect();
        for item in &found {
            let note = read_note(item, &codec());
            note.tell(&mut |_: Event<'_>| {});
        }
        let _ = Pages::read(&bytes);
        let _ = StoredEntry::read(&bytes);
    }

    #[test]
    fn any_file_is_told(
        which in 0..4_usize,
        bytes in prop::collection::vec(any::<u8>(), 0..600),
    ) {
        let kind = FileKind::ALL[which];
        let files = files(kind, bytes);
        if let Ok(mut database) = Database::from_files(files, ReadOptions::default()) {
            let _ = database.explain(1);
            let mut told = GameTree::default();
            while let Some(part) = database.next_part().expect("a part") {
                part.tell(&mut told).expect("its games");
            }
        }
    }

    #[test]
    fn names_come_back_from_their_file(
        names in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..80), 1..12),
    ) {
        let mut file = Vec::new();
        let count = |kind| if kind == EntityKind::Team { names.len() as u64 } else { 1 };
        let record = |kind, id: u64| match kind {
            EntityKind::Team => Some(&names[id as usize][..]),
            _ => None,
        };
        entities::write(&mut file, count, record).expect("memory");
        let read = Entities::new(&file).expect("a file");
        for (id, name) in names.iter().enumerate() {
            let found = read.get(EntityKind::Team, id as i64);
            if !name.starts_with(&entities::DELETED) {
                prop_assert_eq!(found, Found::Record(name));
            }
        }
        prop_assert_eq!(read.get(EntityKind::Tag, 0), Found::Deleted);
        prop_assert_eq!(read.get(EntityKind::Team, names.len() as i64), Found::Missing);
    }

    #[test]
    fn frames_are_found_where_they_were_put(
        contents in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 1..6),
        kind in prop::sample::select(vec![tag::CHESS, tag::TEXT, tag::ANNOTATIONS]),
    ) {
        let mut file = vec![0; 12];
        for content in &contents {
            let at = file.len() as i64;
            Frame::append(&mut file, kind, content);
            prop_assert_eq!(file.len() % 8, 0);
            let frame = Frame::at(&file, at).expect("it is there");
            prop_assert_eq!(frame.content, &content[..]);
            prop_assert!(frame.is_sound());
        }
        prop_assert!(Headers::new(&file).is_none() || file.len() >= 192);
    }
}
