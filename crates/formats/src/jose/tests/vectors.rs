//! The published vectors, and those that can be read where the real data is.

use std::{collections::HashMap, fs};

use tabiya_chess::{Color, Role, Square, Variant};
use tabiya_game::{GameTree, Losses};

use super::{Notes, data, decode, encode, pgn, position};
use crate::{
    jose::{Profile, Writer, code},
    stream::{StreamCodec, Streams},
};

const DOCUMENT: &str = include_str!("../../../tests/vectors/jose-document.tsv");
const PROGRAM: &str = include_str!("../../../tests/vectors/jose-program.tsv");
const ERRORS: &str = include_str!("../../../tests/vectors/jose-errors.tsv");
const OFFSETS: &str = include_str!("../../../tests/vectors/jose-offsets.tsv");

/// The rows of a table by the names of its columns.
fn rows(table: &str) -> Vec<HashMap<&str, &str>> {
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().expect("a head").split('\t').collect();
    lines
        .map(|line| names.iter().copied().zip(line.split('\t')).collect())
        .collect()
}

fn streams(main: &str, texts: &str) -> Streams {
    format!("{main}+{texts}").parse().expect("hexadecimal")
}

/// Reads a row, compares its events, and writes them again.
fn check_row(profile: Profile, row: &HashMap<&str, &str>, bytes: &Streams, chess960: bool) {
    let name = row["name"];
    let variant = match chess960 {
        true => Variant::Chess960,
        false => Variant::Standard,
    };
    let start = position(row["fen"], variant);
    let mut notes = Notes::default();
    profile
        .decode(bytes, &start, &mut notes)
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(notes.0, row["events"], "{name}");
    let tree = decode(profile, bytes, &start).expect("read before");
    assert_eq!(tree.main_line().count().to_string(), row["plies"], "{name}");
    let written = encode(profile, &tree);
    assert_eq!(&written, bytes, "{name}");
    if !row["events"].contains("#E1")
        && !row["events"].contains("#E2")
        && !row["events"].contains("#E3")
        && !row["events"].contains("#E4")
    {
        let game = movetext(row, chess960);
        assert_eq!(&encode(profile, &game), bytes, "{name} from PGN");
    }
}

fn movetext(row: &HashMap<&str, &str>, chess960: bool) -> GameTree {
    let mut text = String::new();
    if !row["fen"].is_empty() {
        text = format!("[FEN \"{}\"]\n", row["fen"]);
    }
    if chess960 {
        text.push_str("[Variant \"Chess960\"]\n");
    }
    pgn(&(text + "\n" + row["movetext"]))
}

fn check_document(table: &str) -> usize {
    let rows = rows(table);
    for row in &rows {
        if row["expect"] != "ok" {
            let game = movetext(row, false);
            let refused = Profile::Document.encode(&game, &mut Losses::default());
            assert_eq!(refused.unwrap_err().name, row["expect"], "{}", row["name"]);
            continue;
        }
        let bytes = streams(row["stream_hex"], "");
        check_row(Profile::Document, row, &bytes, row["chess960"] == "1");
    }
    rows.len()
}

fn check_program(table: &str) -> usize {
    let rows = rows(table);
    for row in &rows {
        let chess960 = row["attributes"].parse::<u32>().expect("a number") & 8 != 0;
        if row["status"] == "lossy" {
            // The program wrote something here that it cannot read: nobody shall imitate it.
            let game = movetext(row, chess960);
            let refused = Profile::Program.encode(&game, &mut Losses::default());
            let name = refused.unwrap_err().name;
            assert_eq!(name, "NotRepresentable", "{}", row["name"]);
            continue;
        }
        let bytes = streams(row["bin_hex"], row["comments_hex"]);
        check_row(Profile::Program, row, &bytes, chess960);
        check_summary(row, &bytes);
    }
    rows.len()
}

/// What the writer counts is what the program keeps in its columns.
fn check_summary(row: &HashMap<&str, &str>, bytes: &Streams) {
    let start = position(row["fen"], Variant::Chess960);
    let tree = decode(Profile::Program, bytes, &start).expect("read before");
    let mut writer = Writer::new(Profile::Program);
    tree.tell(&mut writer);
    let summary = writer.summary();
    assert_eq!(summary.plies.to_string(), row["plies"], "{}", row["name"]);
    let attributes = u32::from(summary.variations)
        | u32::from(summary.comments) << 1
        | u32::from(summary.errors) << 2;
    let expected = row["attributes"].parse::<u32>().expect("a number") & 7;
    assert_eq!(attributes, expected, "{}", row["name"]);
}

#[test]
fn the_vectors_of_the_document_are_read_and_written() {
    assert_eq!(check_document(DOCUMENT), 20);
}

#[test]
fn the_vectors_of_the_program_are_read_and_written() {
    assert_eq!(check_program(PROGRAM), 20);
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn the_games_that_come_with_the_program_are_read_and_written() {
    let Some(specs) = data::find("../specs/vectors") else {
        return;
    };
    let document = fs::read_to_string(specs.join("jose-document.tsv")).expect("a table");
    let program = fs::read_to_string(specs.join("jose-program.tsv")).expect("beside the other");
    assert_eq!(check_document(&document), 36);
    assert_eq!(check_program(&program), 36);
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn games_become_the_bytes_that_the_program_made_of_them() {
    let Some(folder) = data::find("") else { return };
    let table = folder.join("jose/vectors-from-program.tsv");
    let table = fs::read_to_string(table).expect("a table");
    for row in rows(&table) {
        let name = row["name"];
        // The program keeps reading after what it cannot play; a PGN reader does not.
        let errors = ["illegal-move", "ambiguous-move", "unrecognised"];
        if name.ends_with("LOSSY") || errors.contains(&name) {
            continue;
        }
        let chess960 = row["attributes"].parse::<u32>().expect("a number") & 8 != 0;
        let game = movetext(&row, chess960);
        let expected = streams(row["bin_hex"], row["comments_hex"]);
        assert_eq!(encode(Profile::Program, &game), expected, "{name}");
    }
}

#[test]
fn what_is_wrong_is_called_by_its_name() {
    for row in rows(ERRORS) {
        let profiles = match row["profile"] {
            "document" => &[Profile::Document][..],
            "program" => &[Profile::Program],
            _ => &[Profile::Document, Profile::Program],
        };
        for &profile in profiles {
            let bytes = streams(row["bin_hex"], row["comments_hex"]);
            let start = position(row["fen"], Variant::Standard);
            let told = decode(profile, &bytes, &start);
            let name = told.err().map_or("ok", |error| error.name);
            assert_eq!(name, row["expect"], "{} {profile:?}", row["name"]);
        }
    }
}

#[test]
fn knights_and_kings_step_as_each_profile_draws_it() {
    for row in rows(OFFSETS) {
        let role = match row["piece"] {
            "knight" => Role::Knight,
            _ => Role::King,
        };
        let offset: u8 = row["offset"].parse().expect("a number");
        for (profile, column) in [
            (Profile::Document, "document_target_from_d4"),
            (Profile::Store, "document_target_from_d4"),
            (Profile::Program, "program_target_from_d4"),
        ] {
            let to = code::target(profile, role, Color::White, Square::D4, offset);
            let to = to.expect("d4 is in the middle");
            assert_eq!(to.to_string(), row[column], "{role} {offset} {profile:?}");
            assert_eq!(
                code::offset(profile, role, Color::Black, Square::D4, to),
                Some(offset)
            );
        }
    }
}

#[test]
fn every_offset_leads_back_to_itself() {
    for profile in [Profile::Document, Profile::Program, Profile::Store] {
        for role in Role::ALL {
            for color in Color::ALL {
                for from in Square::all() {
                    for offset in 0..=40 {
                        let Some(to) = code::target(profile, role, color, from, offset) else {
                            continue;
                        };
                        let back = code::offset(profile, role, color, from, to);
                        assert_eq!(back, Some(offset), "{role} {from}{to}");
                    }
                }
            }
        }
    }
}
