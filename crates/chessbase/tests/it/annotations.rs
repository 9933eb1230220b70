//! The annotations and guiding texts of real ChessBase databases: all of them are read, written
//! back byte by byte, and compared with what ChessBase and others say about them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use encoding_rs::{UTF_8, WINDOWS_1251, WINDOWS_1252};
use tabiya_chessbase::annotations::{
    Facts, Item, Note, Quotation, Record, RecordWriter, read_record,
};
use tabiya_chessbase::encoding::{Detector, TextCodec};
use tabiya_chessbase::text::GuidingText;
use tabiya_formats::pgn::{Parser, WriteOptions, Writer};
use tabiya_game::{Annotation, Event, GameTree, Item as Step, command};

use crate::{below::ending, data};

/// A database, as far as it matters here.
struct Base {
    name: String,
    headers: Vec<u8>,
    annotations: Vec<u8>,
    games: Vec<u8>,
}

impl Base {
    fn open(path: &Path) -> Option<Base> {
        let read = |extension| fs::read(path.with_extension(extension));
        Some(Base {
            name: path.file_stem()?.to_str()?.to_owned(),
            headers: read("cbh").ok()?,
            annotations: read("cba").ok()?,
            games: read("cbg").unwrap_or_default(),
        })
    }

    /// The headers of games with their numbers.
    fn games(&self) -> impl Iterator<Item = (u32, &[u8])> {
        let headers = self.headers.chunks_exact(46).skip(1).zip(1..);
        let used = headers.take_while(|(header, _)| header.iter().any(|byte| *byte != 0));
        used.filter(|(header, _)| header[0] & 2 == 0)
            .map(|(header, number)| (number, header))
    }

    /// The records of annotations, each with the number and the header of its game.
    fn records(&self) -> impl Iterator<Item = (u32, &[u8], &[u8])> {
        self.games().filter_map(|(number, header)| {
            let offset = number_at(header, 5, 4);
            (offset != 0).then(|| (number, header, &self.annotations[offset..]))
        })
    }

    /// The guiding texts. One of the databases has lost its file of games, and its texts with it.
    fn texts(&self) -> impl Iterator<Item = &[u8]> {
        let headers = self.headers.chunks_exact(46).skip(1);
        let texts = headers.filter(|header| header[0] & 2 != 0);
        texts.filter_map(|header| self.games.get(number_at(header, 1, 4)..))
    }

    fn codec(&self) -> TextCodec {
        let mut detector = Detector::default();
        for (_, _, record) in self.records() {
            for item in items(record).filter(|item| matches!(item.kind, 2 | 0x82)) {
                detector.add(&item.data[2..]);
            }
        }
        for text in self.texts() {
            let text = GuidingText::parse(text).expect("a text");
            text.raw_texts().for_each(|text| detector.add(text));
        }
        TextCodec::mixed(detector.encoding())
    }
}

fn number_at(bytes: &[u8], at: usize, length: usize) -> usize {
    let digits = bytes[at..at + length].iter();
    digits.fold(0, |number, byte| number << 8 | usize::from(*byte))
}

fn items(record: &[u8]) -> impl Iterator<Item = Item<'_>> {
    let record = Record::parse(record).expect("a record");
    record.items().map(|item| item.expect("an item"))
}

/// All databases that have annotations.
fn bases() -> Vec<Base> {
    let Some(folder) = data::find("chessbase") else {
        return Vec::new();
    };
    let headers = ending("cbh", &folder);
    let mut bases: Vec<Base> = headers.iter().filter_map(|path| Base::open(path)).collect();
    bases.sort_by(|a, b| a.name.cmp(&b.name));
    bases
}

fn base(name: &str) -> Option<Base> {
    bases().into_iter().find(|base| base.name == name)
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn every_record_is_written_as_it_is() {
    let mut records = 0;
    let mut kinds: BTreeMap<u8, usize> = BTreeMap::new();
    for base in bases() {
        for (number, _, bytes) in base.records() {
            let record = Record::parse(bytes).expect("a record");
            let all: Vec<_> = items(bytes).collect();
            assert_eq!(record.count as usize, all.len() + 1);
            assert!(all.is_sorted_by_key(|item| item.position));
            let again = Record::write(record.game, all.iter().copied());
            assert!(again == bytes[..record.size()], "{} {number}", base.name);
            all.iter()
                .for_each(|item| *kinds.entry(item.kind).or_default() += 1);
            records += 1;
        }
    }
    if records == 0 {
        return;
    }
    assert_eq!(records, 1_999);
    let expected = [
        (0x02, 26_622),
        (0x03, 32_237),
        (0x04, 523),
        (0x05, 1_026),
        (0x07, 830),
        (0x09, 20),
        (0x13, 12),
        (0x14, 8),
        (0x15, 2),
        (0x16, 724),
        (0x17, 729),
        (0x18, 163),
        (0x22, 648),
        (0x23, 161),
        (0x24, 1),
        (0x25, 102),
        (0x26, 6),
        (0x82, 5_831),
    ];
    assert!(kinds.into_iter().eq(expected));
}

/// The exceptions are texts in UTF-8 in a database that is in Windows-1252 otherwise, as far as
/// that page has all their letters.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn every_note_is_written_as_it_is_but_for_texts_in_another_encoding() {
    let mut different: BTreeMap<String, usize> = BTreeMap::new();
    let mut raw: BTreeMap<u16, usize> = BTreeMap::new();
    for base in bases() {
        let codec = base.codec();
        for item in base.records().flat_map(|(_, _, record)| items(record)) {
            let note = Note::read(&item, &codec);
            if let Note::Annotation(Annotation::Raw { code, .. }) = &note {
                *raw.entry(*code).or_default() += 1;
            }
            let written = note.write(&codec);
            assert!(written.losses.is_empty(), "{note:?}");
            if written.items == [(item.kind, item.data.to_vec())] {
                continue;
            }
            let utf8 = std::str::from_utf8(&item.data[2..]).is_ok();
            assert!(matches!(note, Note::Text { .. }) && utf8, "{item:?}");
            *different.entry(base.name.clone()).or_default() += 1;
        }
    }
    if data::find("chessbase").is_none() {
        return;
    }
    assert_eq!(different, [("World-ch".to_owned(), 136)].into());
    let expected = [(0x14, 8), (0x15, 2), (0x25, 102)];
    assert_eq!(raw, expected.into());
}

/// Through events, glyphs move to the place where they belong: the only move (8) from the position
/// to the move, and development (32) from the move to the position.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn records_made_of_events_differ_only_in_the_places_of_two_glyphs() {
    let (mut same, mut moved) = (0, 0);
    for base in bases() {
        let codec = base.codec();
        let mut writer = RecordWriter::new(codec.clone());
        for (number, _, bytes) in base.records() {
            let (notes, error) = read_record(bytes, &codec).expect("a record");
            assert_eq!(error, None);
            writer.start(1);
            for (position, note) in &notes {
                match note.tag() {
                    Some((name, value)) => assert!(writer.tag(name, &value)),
                    None => note.tell(&mut |event| assert!(writer.event(*position, &event))),
                }
            }
            let record = Record::parse(bytes).expect("a record");
            let written = writer.finish(record.game).expect("a record");
            assert!(writer.take_losses().is_empty(), "{} {number}", base.name);
            for (before, after) in items(bytes).zip(items(&written.bytes)) {
                let text = matches!(before.kind, 2 | 0x82) && before.kind == after.kind;
                match (before.kind, before.data, after.data) {
                    _ if before == after => same += 1,
                    (3, [0, 8], [8]) | (3, [32], [0, 32]) => moved += 1,
                    _ => assert!(text, "{before:?} became {after:?}"),
                }
            }
            assert_eq!(items(bytes).count(), items(&written.bytes).count());
        }
    }
    if data::find("chessbase").is_some() {
        assert_eq!((same, moved), (69_393, 116));
    }
}

/// In one game of an old database the header says that there are comments where there are none;
/// in others that have lost their annotations, it still says that there are many.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn headers_say_what_the_annotations_say() {
    let mut different = Vec::new();
    let mut stale = 0;
    for base in bases() {
        for (number, header) in base.games() {
            // Set-up, variations and Chess960 are no annotations, nor is the size of variations.
            let said = Facts {
                flags: number_at(header, 39, 4) as u32 & !(1 << 27 | 0b11),
                medals: number_at(header, 37, 2) as u16,
                magnitudes: number_at(header, 43, 2) as u16 & !0b11,
            };
            let facts = match number_at(header, 5, 4) {
                0 => Facts::default(),
                offset => Facts::of(items(&base.annotations[offset..])),
            };
            if facts == Facts::default() && said.flags == 0 && said.magnitudes != 0 {
                stale += 1;
            } else if said != facts {
                different.push((base.name.clone(), number, said.flags ^ facts.flags));
            }
        }
    }
    if data::find("chessbase").is_some() {
        assert_eq!(different, [("linares".to_owned(), 172, 1 << 2)]);
        assert_eq!(stale, 14);
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn every_annotation_has_a_spelling_that_is_read_back() {
    for base in bases() {
        let codec = base.codec();
        for item in base.records().flat_map(|(_, _, record)| items(record)) {
            Note::read(&item, &codec).tell(&mut |event| {
                if let Event::Annotation(annotation) = event {
                    let text = annotation.to_command().expect("a spelling");
                    assert_eq!(command::canonical(&text).as_ref(), Some(annotation));
                }
            });
        }
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn annotations_go_through_pgn_unchanged() {
    let mut count = 0;
    for base in bases() {
        let codec = base.codec();
        for (number, _, record) in base.records() {
            let mut game = GameTree::default();
            for item in items(record) {
                Note::read(&item, &codec).tell(&mut |event| {
                    if let Event::Annotation(annotation) = event {
                        game.items.push(Step::Annotation(annotation.clone()));
                    }
                });
            }
            let mut writer = Writer::new(WriteOptions {
                keep_raw: true,
                ..WriteOptions::default()
            });
            game.tell(&mut writer);
            assert!(writer.losses().is_empty());
            let text = String::from_utf8(writer.take()).expect("UTF-8");
            let mut read = GameTree::default();
            assert!(Parser::new(&text).read_game(&mut read));
            assert_eq!(read.items, game.items, "{} {number}", base.name);
            count += game.items.len();
        }
    }
    if data::find("chessbase").is_some() {
        assert_eq!(count, 3_504);
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn code_pages_are_found() {
    let found: Vec<_> = bases()
        .iter()
        .map(|base| (base.name.clone(), base.codec().encoding()))
        .filter(|(_, encoding)| *encoding != WINDOWS_1252)
        .collect();
    if data::find("chessbase").is_some() {
        let expected = [("Hedgehog", WINDOWS_1251), ("text", UTF_8)];
        assert_eq!(found, expected.map(|(name, page)| (name.to_owned(), page)));
    }
}

fn pgn_games(path: &str) -> Vec<GameTree> {
    let Some(folder) = data::find("chessbase") else {
        return Vec::new();
    };
    let text = fs::read_to_string(folder.join(path)).expect("a PGN file");
    let mut parser = Parser::new(&text);
    let mut games = Vec::new();
    let mut tree = GameTree::default();
    while parser.read_game(&mut tree) {
        games.push(tree.clone());
    }
    games
}

/// What is said about each move of a game without variations; texts without line breaks.
fn said_in_pgn(game: &GameTree) -> Vec<(i32, String)> {
    let mut position = -1;
    let mut said = Vec::new();
    for step in &game.items {
        match step {
            Step::Move(_) => position += 1,
            Step::Nag(nag) => said.push((position, nag.to_string())),
            // The comment before the first move belongs to that move.
            Step::Comment { text, .. } => said.push((position.max(0), text.clone())),
            other => panic!("{other:?}"),
        }
    }
    said
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn texts_and_glyphs_are_those_of_chessbases_own_export() {
    let Some(base) = base("TestBase") else {
        return;
    };
    let games = pgn_games("libcbh/Annotation/TestBaseExport.pgn");
    assert_eq!(games.len(), 4);
    let codec = base.codec();
    let mut count = 0;
    for ((_, _, record), game) in base.records().zip(&games) {
        let (notes, _) = read_record(record, &codec).expect("a record");
        let mut said = Vec::new();
        for (position, note) in &notes {
            note.tell(&mut |event| {
                said.push(match event {
                    Event::Nag(nag) => (*position, nag.to_string()),
                    Event::Comment(comment) => (*position, comment.text.to_owned()),
                    other => panic!("{other:?}"),
                });
            });
        }
        count += said.len();
        assert_eq!(said, said_in_pgn(game));
    }
    assert_eq!(count, 32);
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn clocks_are_those_of_the_games_that_were_imported() {
    let (mut clocks, mut without) = (0, 0);
    for (name, path) in [
        ("BielMTO", "libcbh/NormalGames/BielMTO.pgn"),
        ("Chess960Biel", "libcbh/Chess960Biel/Chess960.pgn"),
    ] {
        let Some(base) = base(name) else {
            return;
        };
        let games = pgn_games(path);
        assert_eq!(base.games().count(), games.len());
        for ((_, _, record), game) in base.records().zip(&games) {
            let (notes, _) = read_record(record, &base.codec()).expect("a record");
            let tags: BTreeMap<_, _> = notes.iter().filter_map(|(_, note)| note.tag()).collect();
            for name in ["WhiteClock", "BlackClock"] {
                match tags.get(name) {
                    Some(value) => {
                        assert_eq!(game.tags.get(name), Some(&value[..]));
                        clocks += 1;
                    }
                    // ChessBase does not store a clock that shows nothing.
                    None => {
                        assert_eq!(game.tags.get(name), Some("0:00:00"));
                        without += 1;
                    }
                }
            }
        }
    }
    assert_eq!((clocks, without), (1_453, 19));
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn quotations_are_told_in_words_and_written_as_they_are() {
    let Some(base) = base("World-ch") else {
        return;
    };
    let codec = base.codec();
    let all = base.records().flat_map(|(_, _, record)| items(record));
    let quotations: Vec<_> = all
        .filter(|item| item.kind == 0x13)
        .map(|item| {
            let quotation = Quotation::read(item.data, &codec).expect("a quotation");
            assert_eq!(quotation.write(&codec).as_deref(), Some(item.data));
            quotation
        })
        .collect();
    let with_moves = quotations.iter().filter(|quotation| quotation.kind == 2);
    assert_eq!((quotations.len(), with_moves.count()), (12, 5));
    assert!(
        quotations
            .iter()
            .all(|quotation| !quotation.moves.is_empty())
    );
    let avro = quotations
        .iter()
        .find(|quotation| quotation.event == "AVRO");
    assert_eq!(
        avro.map(|quotation| quotation.text()).as_deref(),
        Some("1-0 Botvinnik,M-Alekhine,A AVRO Holland 1938")
    );
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn records_from_the_tests_of_another_reader_are_understood() {
    let Some(folder) = data::find("chessbase") else {
        return;
    };
    let codec = TextCodec::default();
    let told = |name: &str, offset: usize| -> Vec<String> {
        let bytes = fs::read(folder.join("morphy/games/annotations").join(name)).expect("a file");
        let record = &bytes[offset..];
        let mut told = Vec::new();
        for item in items(record) {
            let note = Note::read(&item, &codec);
            assert_eq!(note.write(&codec).items, [(item.kind, item.data.to_vec())]);
            note.tell(&mut |event| match event {
                Event::Annotation(Annotation::Quotation(quoted)) => told.push(quoted.text.clone()),
                Event::Annotation(annotation) => told.extend(annotation.to_command()),
                Event::Comment(comment) => told.extend(comment.language.map(str::to_owned)),
                Event::Nag(nag) => told.push(nag.to_string()),
                other => panic!("{other:?}"),
            });
        }
        told
    };
    assert_eq!(
        told("graphicalannotations.annotations.bin", 0),
        [
            "[%csl Ge4]",
            "[%cal Ge4e5]",
            "[%cal Gg1f3,Yd2d3,Rb8c6,Ye4e5,Gd8a5]",
            "[%csl Yb3,Yc3,Ye5,Re7,Rf7,Gg5,Gh5]",
        ]
    );
    let quotation = "0-1 Mårdell,J (2100)-Carlsen,M (2800) Test (2.1)";
    assert_eq!(told("gamequotation.cba", 26), [quotation]);
    let comments = told("commentsinvariations.annotations.bin", 0);
    assert_eq!(
        comments,
        ["en", "en", "en", "en", "$5", "en", "en", "en", "$1"]
    );
    assert!(!told("simpleannotations.annotations.bin", 0).is_empty());
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn guiding_texts_are_written_as_they_are() {
    let mut count = BTreeMap::new();
    for base in bases() {
        let codec = base.codec();
        for bytes in base.texts() {
            let text = GuidingText::parse(bytes).expect("a text");
            let again = text.to_bytes();
            assert!(again == bytes[..again.len()], "{}", base.name);
            assert_eq!(number_at(bytes, 1, 3), again.len());
            assert!(!text.main(&codec).title.is_empty());
            *count
                .entry((base.name.clone(), text.is_html()))
                .or_insert(0) += 1;
        }
    }
    if data::find("chessbase").is_some() {
        let expected = [
            (("Hedgehog".to_owned(), false), 27),
            (("text".to_owned(), true), 9),
        ];
        assert_eq!(count, expected.into());
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn guiding_texts_are_in_their_languages() {
    let Some(base) = base("text") else {
        return;
    };
    let codec = base.codec();
    let texts: Vec<_> = base
        .texts()
        .map(|bytes| GuidingText::parse(bytes).expect("a text"))
        .collect();
    let first = texts[0].main(&codec);
    assert_eq!(
        (&*first.title, first.language),
        ("My first text", Some("en"))
    );
    assert!(first.text.contains("Simple text in English"));
    let several = texts[1].languages(&codec);
    let languages: Vec<_> = several.iter().filter_map(|text| text.language).collect();
    assert_eq!(languages, ["en", "de", "fr", "es", "it", "nl", "pt"]);
    assert_eq!(texts[1].main(&codec).language, Some("de"));
    assert_eq!(texts[0].languages(&codec).len(), 1);
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn a_damaged_record_is_read_as_far_as_it_goes() {
    for base in bases() {
        let codec = base.codec();
        for (_, _, bytes) in base.records().step_by(50) {
            let record = &bytes[..Record::parse(bytes).expect("a record").size().min(2_000)];
            for length in (0..record.len()).step_by(7) {
                assert!(Record::parse(&record[..length]).is_err());
            }
            for at in 0..record.len() {
                let mut damaged = bytes[..record.len()].to_vec();
                damaged[at] ^= 1 << (at % 8);
                let _ = read_record(&damaged, &codec);
            }
        }
        for bytes in base.texts() {
            let size = GuidingText::parse(bytes).expect("a text").to_bytes().len();
            for at in (0..size).step_by(97).chain(0..40) {
                let mut damaged = bytes[..size].to_vec();
                damaged[at] ^= 1 << (at % 8);
                let _ = GuidingText::parse(&damaged).map(|text| text.languages(&codec).len());
                assert!(GuidingText::parse(&bytes[..at]).is_err());
            }
        }
    }
}
