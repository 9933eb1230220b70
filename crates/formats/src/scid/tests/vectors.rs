//! Games as the program writes them.

use tabiya_game::GameTree;

use super::*;

const ROWS: &str = include_str!("../../../tests/vectors/scid-games.tsv");

struct Row {
    version: Version,
    pgn: String,
    record: Vec<u8>,
    index: Vec<u8>,
    subject: &'static str,
}

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().collect();
    let digit = |byte: u8| (byte as char).to_digit(16).unwrap() as u8;
    digits
        .chunks(2)
        .map(|pair| digit(pair[0]) << 4 | digit(pair[1]))
        .collect()
}

fn rows(version: Version) -> Vec<Row> {
    let rows = ROWS.lines().filter(|line| !line.starts_with('#'));
    let rows = rows.map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [number, fen, moves, record, index, tags, subject] = fields[..] else {
            panic!("seven columns in {line}");
        };
        let names = [
            ("Event", "E"),
            ("Site", "S"),
            ("Round", "R"),
            ("White", "W"),
            ("Black", "B"),
        ];
        let mut pgn = String::new();
        for (name, value) in names {
            pgn.push_str(&format!("[{name} \"{value}\"]\n"));
        }
        if !fen.is_empty() {
            pgn.push_str(&format!("[FEN \"{fen}\"]\n"));
        }
        pgn.push_str(&format!("{}\n\n{moves}\n", tags.replace("] [", "]\n[")));
        Row {
            version: if number == "si4" {
                Version::Si4
            } else {
                Version::Si5
            },
            pgn,
            record: hex(record),
            index: hex(index),
            subject,
        }
    });
    rows.filter(|row| row.version == version).collect()
}

fn tree(row: &Row) -> GameTree {
    let mut tree = parse(&row.pgn).remove(0);
    for item in &mut tree.items {
        if let tabiya_game::Item::Comment { text, .. } = item {
            *text = text.replace("\\n", "\n");
        }
    }
    tree
}

/// The program drops the date of an event that version 4 has no room for. It is an extra tag here.
const DROPPED: &str = "event date ten years off";

fn as_the_program_takes_it(row: &Row) -> GameTree {
    let mut tree = tree(row);
    if row.subject == DROPPED && row.version == Version::Si4 {
        let others = tree.tags.iter().filter(|(name, _)| *name != "EventDate");
        tree.tags = others.collect();
    }
    tree
}

#[test]
fn an_event_date_without_room_becomes_an_extra_tag() {
    let folder = tempfile::tempdir().unwrap();
    let path = named(&folder, Version::Si4);
    let rows = rows(Version::Si4);
    let row = rows.iter().find(|row| row.subject == DROPPED).unwrap();
    let losses = write(Version::Si4, &path, &[tree(row)]).remove(0);
    assert!(losses.is_empty());
    let scid = open(&path);
    let tag = [&[245, 10], &b"2010.01.02"[..]].concat();
    assert_eq!(scid.record(1), Some(&*[tag, row.record.clone()].concat()));
    let mut after = GameTree::default();
    scid.tell_game(1, &mut after);
    assert_eq!(after.tags.get("EventDate"), Some("2010.01.02"));
}

#[test]
fn records_and_index_are_those_of_the_program() {
    for version in VERSIONS {
        let folder = tempfile::tempdir().unwrap();
        let path = named(&folder, version);
        let rows = rows(version);
        let trees: Vec<GameTree> = rows.iter().map(as_the_program_takes_it).collect();
        write(version, &path, &trees);
        let scid = open(&path);
        assert_eq!(scid.games(), rows.len() as u64);
        for (number, row) in (1..).zip(&rows) {
            let subject = row.subject;
            assert_eq!(
                scid.record(number),
                Some(&*row.record),
                "{version:?} {subject}"
            );
            let (_, index) = scid.base().index_record(number - 1).unwrap();
            assert_eq!(index, row.index, "{version:?} {subject}");
        }
    }
}

#[test]
fn what_is_read_is_what_was_written() {
    for version in VERSIONS {
        let folder = tempfile::tempdir().unwrap();
        let path = named(&folder, version);
        for row in rows(version) {
            let mut before = tree(&row);
            let losses = write(version, &path, std::slice::from_ref(&before)).remove(0);
            let mut after = GameTree::default();
            assert!(open(&path).tell_game(1, &mut after));
            after.place = Default::default();
            // The date and the result are always told, even if nothing is known.
            for name in ["Date", "Result"] {
                if before.tags.get(name).is_none() {
                    before.tags.push(name, after.tags.get(name).unwrap());
                }
            }
            let (before, after) = (with_sorted_tags(before), with_sorted_tags(after));
            let is_lost = !losses.is_empty();
            assert!(
                is_lost || after == before,
                "{} {before:?} {after:?}",
                row.subject
            );
            if is_lost {
                assert_eq!(after.items, before.items, "{} {losses:?}", row.subject);
            }
        }
    }
}

#[test]
fn the_number_of_rows_is_as_it_should_be() {
    let counts = VERSIONS.map(|version| rows(version).len());
    assert_eq!(counts, [27, 15]);
}
