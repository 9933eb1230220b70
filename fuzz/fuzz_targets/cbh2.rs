//! Whole databases of ChessBase 17 and later: files of any contents, each with its kind and its length before it,
//! are told with all that is in them, and every record is explained.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_chessbase::{
    ReadOptions,
    cbh2::{
        Database,
        set::{FileKind, FileSet},
    },
};
use tabiya_formats::{Database as _, io::Contents};
use tabiya_game::{Event, Flow, GameSink};

/// So many records are explained; the others differ in nothing.
const EXPLAINED: u64 = 8;

/// Checks the order of what it hears.
#[derive(Default)]
struct Listener {
    in_game: bool,
    depth: usize,
    entries: u32,
}

impl GameSink for Listener {
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => {
                assert!(!self.in_game);
                (self.in_game, self.depth) = (true, 0);
                self.entries += 1;
            }
            Event::GameEnd { .. } => {
                assert!(self.in_game && self.depth == 0);
                self.in_game = false;
            }
            Event::Text { .. } | Event::Opaque { .. } => {
                assert!(!self.in_game);
                self.entries += 1;
            }
            Event::VariationStart => self.depth += 1,
            Event::VariationEnd => {
                self.depth = self.depth.checked_sub(1).expect("a variation is open");
            }
            Event::Move { before, play, .. } => assert!(before.is_legal(play)),
            _ => assert!(self.in_game),
        }
        Flow::Continue
    }
}

/// A kind, three bytes of length, and the contents; the rest if they are shorter.
fn files(mut data: &[u8]) -> Vec<(FileKind, Contents)> {
    let mut files = Vec::new();
    while let [kind, high, middle, low, rest @ ..] = data {
        let length = u32::from_be_bytes([0, *high, *middle, *low]) as usize;
        let (contents, rest) = rest.split_at(length.min(rest.len()));
        let kind = FileKind::ALL[usize::from(*kind) % FileKind::ALL.len()];
        files.push((kind, Contents::from(contents.to_vec())));
        data = rest;
    }
    files
}

fuzz_target!(|data: &[u8]| {
    let files = FileSet::from_files(files(data));
    let options = ReadOptions {
        deleted: true,
        ..ReadOptions::default()
    };
    let Ok(mut database) = Database::from_files(files.clone(), options) else {
        return;
    };
    for number in 1..=EXPLAINED {
        let _ = database.explain(number);
    }
    let mut listener = Listener::default();
    while let Some(part) = database.next_part().expect("the headers were read") {
        part.tell(&mut listener).expect("the headers were read");
    }
    assert!(!listener.in_game);
    // Texts may be told in several languages.
    let tables = files.tables().expect("the headers were read");
    assert!(listener.entries >= tables.headers.len());
});
