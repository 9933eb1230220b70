//! Words and streams, as they are quoted or were built by hand.

use std::{fs, path::PathBuf};

use tabiya_chess::{Color, Move, Position, Role, Setup, Square, Variant, chess960};
use tabiya_chessbase::cbh2::{
    decode::Words,
    frame::{Frame, checksum, fresh_spare, tag},
    words::{self, Meaning, meaning, of_castling, of_move},
};

use super::data;

fn rows(name: &str) -> Option<Vec<Vec<String>>> {
    let data: PathBuf = data::find("")?;
    let text = fs::read_to_string(data.join("../specs/vectors").join(name));
    let Ok(text) = text else {
        println!("skipped: no vectors");
        return None;
    };
    let split = |line: &str| line.split('\t').map(str::to_owned).collect();
    Some(text.lines().skip(1).map(split).collect())
}

fn position(fen: &str) -> Position {
    let setup: Setup = fen.parse().expect("a FEN");
    Position::from_setup(&setup, Variant::Standard).expect("a position")
}

/// What a word says, in the words of the description.
fn spelt(word: u16) -> String {
    let letter = |role: Role| match role {
        Role::King => 'K',
        Role::Queen => 'Q',
        Role::Knight => 'N',
        Role::Bishop => 'B',
        Role::Rook => 'R',
        Role::Pawn => 'P',
    };
    let color = |color: Color| match color {
        Color::White => 'w',
        Color::Black => 'b',
    };
    match meaning(word) {
        Meaning::Stroke(stroke) => {
            use tabiya_chess::Capture;
            let captured = match stroke.captured() {
                Capture::Nothing => '-',
                Capture::EnPassant => 'E',
                Capture::Piece(role) => letter(role),
            };
            let play = stroke.play();
            let promoted = play.promoted().map_or('-', letter);
            let (side, role) = (color(stroke.color()), letter(stroke.role()));
            let (from, to) = (play.from(), play.to());
            format!("{word:04x} {side}{role} {from}{to} {captured} {promoted}\n")
        }
        Meaning::Castling {
            color: side,
            h_side,
            number,
        } => {
            let castles = if h_side { "O-O" } else { "O-O-O" };
            let number = number.map_or("std".to_owned(), |number| number.to_string());
            format!("{word:04x} {} {castles} {number}\n", color(side))
        }
        Meaning::Piece(square, piece) => {
            let (side, role) = (color(piece.color), letter(piece.role));
            format!("{word:04x} {side}{role} {square}\n")
        }
        other => panic!("{word:04x} is {other:?}"),
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    };
    !bytes.iter().fold(u32::MAX, step)
}

#[test]
fn the_whole_table_has_the_published_checksums() {
    let moves: String = (0x0001..=0xc02c).map(spelt).collect();
    assert_eq!(
        (moves.len(), crc32(moves.as_bytes())),
        (832_048, 0x735f_f65e)
    );
    let pieces: String = (0xc02d..=0xc30c).map(spelt).collect();
    assert_eq!(
        (pieces.len(), crc32(pieces.as_bytes())),
        (8_096, 0x5e16_7985)
    );
    for word in [0, 0xc30d, 0xfff9, 0xfffe] {
        assert_eq!(meaning(word), Meaning::Nothing);
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn every_word_is_that_of_its_move() {
    let Some(rows) = rows("2cbh-moves.tsv") else {
        return;
    };
    let mut seen = 0;
    for row in rows {
        let [kind, fen, uci, word, ..] = &row[..] else {
            panic!("{row:?}");
        };
        let word = u16::from_str_radix(word, 16).expect("a word");
        seen += 1;
        if word == words::NULL {
            assert_eq!(kind, "null", "{row:?}");
            continue;
        }
        let said = spelt(word);
        match kind.as_str() {
            "castle960" => {
                let (number, side) = fen.split_once(' ').expect("a number and a side");
                let number = number.trim_start_matches("960:").parse().expect("a number");
                let color = if side.starts_with('w') {
                    Color::White
                } else {
                    Color::Black
                };
                assert_eq!(
                    of_castling(color, uci == "O-O", Some(number)),
                    word,
                    "{row:?}"
                );
            }
            "edge-illegal" => {
                let uci = uci.get(..4).unwrap_or(uci);
                assert!(said.contains(uci), "{row:?}: {said}");
            }
            _ => {
                let before = position(fen);
                let play = before
                    .parse_uci(uci)
                    .expect("a move")
                    .to_move()
                    .expect("no null move");
                let found = match before.is_castling(play) {
                    true => Some(of_castling(before.turn(), play.to() > play.from(), None)),
                    false => of_move(&before, play),
                };
                assert_eq!(found, Some(word), "{row:?}: {said}");
            }
        }
    }
    assert_eq!(seen, 564);
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal digits");
    (0..hex.len()).step_by(2).map(digits).collect()
}

/// The moves of a content in the order in which they are stored.
fn played(tag: u16, content: &[u8]) -> Vec<String> {
    let words = Words::new(tag, content).expect("a content");
    let spell = |word: u16| match meaning(word) {
        _ if tag == tag::NO_KINGS && word < 0x1000 => {
            let square = |number: u16| {
                let (file, rank) = (number as u8 >> 3, number as u8 & 7);
                Square::from_ascii(b'a' + file, b'1' + rank).expect("a square")
            };
            Some(format!("{}{}", square(word & 63), square(word >> 6)))
        }
        Meaning::Stroke(stroke) => Some(stroke.play().to_string()),
        Meaning::Castling {
            color,
            h_side,
            number: None,
        } => {
            let rank = if color == Color::White { 1 } else { 8 };
            Some(format!("e{rank}{}{rank}", if h_side { 'g' } else { 'c' }))
        }
        Meaning::Castling { h_side, .. } => Some(if h_side { "O-O" } else { "O-O-O" }.to_owned()),
        Meaning::Null => Some("0000".to_owned()),
        _ => None,
    };
    words.iter().filter_map(spell).collect()
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn streams_are_read_in_both_orders() {
    let Some(rows) = rows("2cbh-streams.tsv") else {
        return;
    };
    for row in &rows {
        let [name, _, number, start, content, sum, stored, told, ..] = &row[..] else {
            panic!("{row:?}");
        };
        let number: u16 = number.parse().expect("a tag");
        let content = bytes(content);
        let sum = u64::from_str_radix(sum, 16).expect("a checksum");
        assert_eq!(checksum(&content), sum, "{name}");
        let words = Words::new(number, &content).expect("a content");
        let found = played(number, &content);
        assert_eq!(found.join(" "), *stored, "{name}");
        let order = words.order();
        let in_order: Vec<&str> = order.iter().map(|at| &*found[*at as usize - 1]).collect();
        assert_eq!(in_order.join(" "), *told, "{name}");
        if number == tag::NO_KINGS {
            assert!(words.position().is_err(), "{name}");
            let setup = words.start().expect("a start").expect("a section").setup;
            assert_eq!(setup.to_string(), *start, "{name}");
            continue;
        }
        let expected = match start.as_str() {
            "startpos" => Position::initial(),
            start => match start.strip_prefix("960:") {
                Some(number) => {
                    let number: u16 = number.parse().expect("a number");
                    let setup = chess960::setup(number, number).expect("a start");
                    Position::from_setup(&setup, Variant::Chess960).expect("a position")
                }
                None => position(start),
            },
        };
        assert_eq!(words.position().expect("a position"), expected, "{name}");
    }
    assert_eq!(rows.len(), 18);
}

#[test]
fn the_first_record_of_a_file_is_the_one_that_is_quoted() {
    let content = bytes("fcff3fad2db0ffff");
    let mut file = vec![0; 12];
    let spare = fresh_spare(tag::CHESS, 12, content.len());
    Frame::write(&mut file, tag::CHESS, &content, spare);
    assert_eq!(file.len(), 152);
    let quoted = "8877665544332211080000006200000 0ffffb02dad3ffffc0100fcff3fad2db0ffff";
    let quoted = bytes(&quoted.replace(' ', ""));
    assert_eq!(file[12..12 + quoted.len()], quoted);
    assert_eq!(file[144..], 140_u64.to_le_bytes());
    assert_eq!(fresh_spare(tag::CHESS, 12, 8), 98);
}

#[test]
fn a_king_is_no_promotion() {
    let before = position("7k/P7/8/8/8/8/8/K7 w - - 0 1");
    let king = Move::promotion(Square::A7, Square::A8, Role::King);
    assert_eq!(of_move(&before, king), None);
    assert_eq!(words::NULL, 0xfffa);
}
