//! What the targets for whole databases share.

use tabiya_formats::io::Contents;
use tabiya_game::{Event, Flow, GameSink};

/// So many records are explained; the others differ in nothing.
pub const EXPLAINED: u64 = 8;

/// Checks the order of what it hears.
#[derive(Default)]
pub struct Listener {
    in_game: bool,
    depth: usize,
    /// How many entries it has heard.
    pub entries: u32,
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

impl Listener {
    /// All has been told.
    pub fn finish(&self) {
        assert!(!self.in_game);
    }
}

/// A kind, three bytes of length, and the contents; the rest if they are shorter.
pub fn files<K: Copy>(kinds: &[K], mut data: &[u8]) -> Vec<(K, Contents)> {
    let mut files = Vec::new();
    while let [kind, high, middle, low, rest @ ..] = data {
        let length = u32::from_be_bytes([0, *high, *middle, *low]) as usize;
        let (contents, rest) = rest.split_at(length.min(rest.len()));
        let kind = kinds[usize::from(*kind) % kinds.len()];
        files.push((kind, Contents::from(contents.to_vec())));
        data = rest;
    }
    files
}
