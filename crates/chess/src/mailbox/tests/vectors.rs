//! The specification's vectors: name, profile, kind, input, expected, note.

use super::{board, setup};
use crate::{
    Color, Piece, Role, Square,
    mailbox::{Cell, Error, KNIGHT_STEPS, Plain, Snapshot, pawn_steps},
};

const VECTORS: &str = include_str!("vectors.tsv");

#[test]
fn every_vector_of_the_specification_holds() {
    let mut rows = 0;
    for line in VECTORS.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[name, profile, kind, input, expected, ..] = fields.as_slice() else {
            panic!("too few fields: {line}");
        };
        let found = match kind {
            "board" => write(profile, input),
            "index" => cell(input).index().to_string(),
            "colour" => colour(input),
            "targets" => targets(input),
            "movecount" => board(input).legal_moves().len().to_string(),
            "error" => error(profile, input),
            _ => panic!("{name}: unknown kind {kind}"),
        };
        assert_eq!(found, expected, "{name} ({profile})");
        rows += 1;
    }
    assert_eq!(rows, 58);
}

/// FEN to hex, and back again as far as the profile goes.
fn write(profile: &str, fen: &str) -> String {
    let setup = setup(fen);
    match profile {
        "plain" => {
            let (plain, _) = Plain::from_setup_lossy(&setup);
            assert_eq!(Plain::from_bytes(plain.as_bytes()), Ok(plain.clone()));
            assert_eq!(plain.to_setup().board, setup.board);
            hex(plain.as_bytes())
        }
        _ => {
            let snapshot = Snapshot::from_setup(&setup).unwrap();
            let read = Snapshot::from_bytes(snapshot.as_bytes()).unwrap();
            assert_eq!((read.to_setup(), read.canonical()), (setup, snapshot));
            hex(read.as_bytes())
        }
    }
}

fn error(profile: &str, input: &str) -> String {
    let bytes = unhex(input);
    let error: Error = match profile {
        "plain" => Plain::from_bytes(&bytes).unwrap_err(),
        _ => Snapshot::from_bytes(&bytes).unwrap_err(),
    };
    let text = format!("{error:?}");
    text.split_whitespace().next().unwrap_or_default().into()
}

fn cell(name: &str) -> Cell {
    Cell::from_square(name.parse::<Square>().unwrap())
}

fn colour(index: &str) -> String {
    let cell = Cell::new(index.parse().unwrap()).unwrap();
    if cell.is_light() { "light" } else { "dark" }.into()
}

/// `N 22`: the cells a piece reaches; of a pawn first the pushes, then the captures.
fn targets(input: &str) -> String {
    let (letter, index) = input.split_once(' ').unwrap();
    let piece = Piece::from_letter(letter.chars().next().unwrap()).unwrap();
    let cell = Cell::new(index.parse().unwrap()).unwrap();
    let reach = |steps: &[i8]| -> Vec<usize> {
        let cells = steps.iter().filter_map(|&step| cell.step(step));
        cells.map(Cell::index).collect()
    };
    let list = |mut cells: Vec<usize>, nearest_first: bool| {
        if !nearest_first {
            cells.sort_unstable();
        }
        let cells: Vec<String> = cells.iter().map(usize::to_string).collect();
        cells.join(" ")
    };
    match piece.role {
        Role::Knight => list(reach(&KNIGHT_STEPS), false),
        Role::Pawn => {
            let steps = pawn_steps(piece.color);
            assert!(matches!(piece.color, Color::White | Color::Black));
            let pushes = list(reach(&[steps.push, steps.double]), true);
            format!("{pushes} | {}", list(reach(&steps.captures), false))
        }
        _ => panic!("no such vector: {input}"),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    let digit = |c: u8| (c as char).to_digit(16).unwrap() as u8;
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| digit(pair[0]) << 4 | digit(pair[1]))
        .collect()
}
