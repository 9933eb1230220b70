//! The parser tests of other projects: nothing panics, nothing is lost, a second pass changes
//! nothing; and where another project says what comes out, so does tabiya.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tabiya_chess::{Position, Setup};
use tabiya_formats::{
    Database as _,
    pgn::{Pgn, ReadOptions, Writer},
};
use tabiya_game::{Event, Flow, GameSink, GameTree};

use crate::data;

/// All files below a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(path),
            }
        }
    }
    found.sort();
    found
}

/// Counts games on their way to a writer.
struct Counting {
    writer: Writer,
    games: usize,
}

impl GameSink for Counting {
    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::GameEnd { .. } = event {
            self.games += 1;
        }
        self.writer.event(event)
    }
}

fn convert(bytes: &[u8]) -> (Vec<u8>, usize) {
    let mut sink = Counting {
        writer: Writer::default(),
        games: 0,
    };
    let mut pgn = Pgn::new(bytes, ReadOptions::default());
    while let Some(part) = pgn.next_part().expect("bytes can be read") {
        part.tell(&mut sink).expect("text can be told");
    }
    assert!(sink.writer.losses().is_empty());
    (sink.writer.take(), sink.games)
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn every_file_survives_and_a_second_pass_changes_nothing() {
    let Some(folder) = data::find("torture") else {
        return;
    };
    let mut games = 0;
    for path in files(&folder) {
        let bytes = fs::read(&path).expect("a readable file");
        let (once, count) = convert(&bytes);
        let (twice, count_again) = convert(&once);
        assert_eq!(count, count_again, "{}", path.display());
        assert!(once == twice, "{}", path.display());
        games += count;
    }
    println!("{games} games");
    assert!(games > 1_000);
}

/// Where each line of a game ends, as FEN with an en-passant square only where it can be used.
#[derive(Default)]
struct Ends {
    ends: Vec<String>,
    position: Position,
    before: Position,
    open: Vec<(Position, Position)>,
}

impl Ends {
    fn end(&mut self) {
        self.ends.push(plain(&self.position.to_setup()));
    }
}

impl GameSink for Ends {
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Start(position) => (self.position, self.before) = (*position, *position),
            Event::Move { before, play, .. } => {
                (self.position, self.before) = (*before, *before);
                self.position.play_unchecked(play);
            }
            Event::Null { before, .. } => {
                (self.position, self.before) = (*before, *before);
                self.position.play_null();
            }
            Event::VariationStart => {
                self.open.push((self.position, self.before));
                self.position = self.before;
            }
            Event::VariationEnd => {
                self.end();
                (self.position, self.before) = self.open.pop().expect("brackets balance");
            }
            Event::GameEnd { .. } => self.end(),
            _ => {}
        }
        Flow::Continue
    }
}

/// A FEN that does not depend on how rights and en-passant squares are spelled, nor on clocks.
fn plain(setup: &Setup) -> String {
    let setup = Setup {
        ep_square: None,
        halfmove_clock: 0,
        ..*setup
    };
    setup.to_shredder_fen()
}

/// Games of kokopu that tabiya reads differently, and why.
const KOKOPU: [(&str, &str); 2] = [
    (
        "variant-horde",
        "the rules of horde are not known here: the moves are kept as text",
    ),
    (
        "variant-no-king",
        "without kings there is no position of chess: the moves are kept as text",
    ),
];

/// The main line ends where kokopu says, and so does every variation of the PGN. kokopu's lists
/// also have the empty variations of a game, which its PGN leaves out.
#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn lines_end_where_kokopu_says() {
    let Some(folder) = data::find("torture") else {
        return;
    };
    let mut agreed = 0;
    for entry in fs::read_dir(folder.join("kokopu/games")).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let expected = fs::read_to_string(path.join("end-of-variations.txt")).expect("a list");
        let expected: Vec<String> = expected
            .lines()
            .filter(|line| line.starts_with('['))
            .filter_map(|line| line.split_once(' '))
            .map(|(_, fen)| plain(&fen.parse().unwrap_or_else(|e| panic!("{name}: {e}"))))
            .collect();
        let bytes = fs::read(path.join("database.pgn")).expect("a database");
        let mut sink = Ends::default();
        let mut pgn = Pgn::new(&bytes[..], ReadOptions::default());
        while let Some(part) = pgn.next_part().expect("bytes can be read") {
            part.tell(&mut sink).expect("text can be told");
        }
        let main_line = sink.ends.last() == expected.last();
        let agrees = main_line && sink.ends.iter().all(|end| expected.contains(end));
        let differs = KOKOPU.iter().find(|(game, _)| *game == name);
        assert_eq!(agrees, differs.is_none(), "{name}: {differs:?}");
        agreed += usize::from(agrees);
    }
    assert_eq!(agreed, 29);
}

/// Inputs and outputs of pgn-extract that must have the same main lines: what it was asked for
/// only changes what stands around the moves.
const PGN_EXTRACT: [(&str, &str); 9] = [
    ("test-7.pgn", "test-7-out.pgn"),
    ("test-C.pgn", "test-CC-out.pgn"),
    ("test-N.pgn", "test-NN-out.pgn"),
    ("test-V.pgn", "test-VV-out.pgn"),
    ("test-nochecks.pgn", "test-nochecks-out.pgn"),
    ("test-nomovenumbers.pgn", "test-nomovenumbers-out.pgn"),
    ("test-notags.pgn", "test-notags-out.pgn"),
    ("test-allownullmoves.pgn", "test-allownullmoves-out.pgn"),
    ("nested-comment.pgn", "test-nestedcomments-out.pgn"),
];

fn main_lines(path: &Path) -> Vec<Vec<String>> {
    struct Lines(Vec<Vec<String>>, GameTree);
    impl GameSink for Lines {
        fn event(&mut self, event: Event<'_>) -> Flow {
            let flow = self.1.event(event);
            if let Event::GameEnd { .. } = event {
                let line = self.1.main_line();
                self.0
                    .push(line.map(|(_, action)| format!("{action:?}")).collect());
            }
            flow
        }
    }
    let bytes = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut sink = Lines(Vec::new(), GameTree::default());
    let mut pgn = Pgn::new(&bytes[..], ReadOptions::default());
    while let Some(part) = pgn.next_part().expect("bytes can be read") {
        part.tell(&mut sink).expect("text can be told");
    }
    sink.0
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn main_lines_are_those_of_pgn_extract() {
    let Some(folder) = data::find("torture") else {
        return;
    };
    let folder = folder.join("pgn-extract");
    for (input, output) in PGN_EXTRACT {
        let read = main_lines(&folder.join("infiles").join(input));
        let expected = main_lines(&folder.join("outfiles").join(output));
        assert!(!read.is_empty(), "{input}");
        assert_eq!(read, expected, "{input}");
    }
}
