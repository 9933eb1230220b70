//! Words, streams and files, good and bad.

mod bytes;
mod cdb_files;
mod files;
mod losses;
mod streams;
mod words;

use std::sync::Arc;

use proptest::prelude::*;
use tabiya_chess::{Color, Move, Position, Role, Setup, Square, Variant};
use tabiya_game::{
    Event, Flow, GameErrorKind, GameResult, GameSink, GameState, GameTree, Item, LossKind, Losses,
    Needs, Place,
    generate::{Generator, Options},
};

use super::*;
use crate::{
    Database, GameWriter,
    pgn::Parser,
    registry::Certainty,
    stream::{StreamCodec, StreamPlace, Streams},
};

fn position(fen: &str) -> Position {
    if fen.is_empty() {
        return Position::initial();
    }
    let setup: Setup = fen.parse().unwrap();
    Position::from_setup(&setup, Variant::Standard).unwrap()
}

fn tree(pgn: &str) -> GameTree {
    let mut tree = GameTree::default();
    assert!(Parser::new(pgn).read_game(&mut tree));
    tree
}

fn losses_by_kind(losses: &Losses) -> Vec<(LossKind, u64)> {
    losses
        .iter()
        .map(|(kind, count, _)| (kind, count))
        .collect()
}

/// Takes all games of a file.
#[derive(Default)]
struct Trees {
    trees: Vec<GameTree>,
    opaque: Vec<Vec<u8>>,
}

impl GameSink for Trees {
    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::Opaque { bytes, .. } = event {
            self.opaque.push(bytes.to_vec());
            return Flow::Continue;
        }
        self.trees.event(event)
    }
}

fn read_all(database: &mut dyn Database) -> Trees {
    let mut trees = Trees::default();
    while let Some(part) = database.next_part().unwrap() {
        part.tell(&mut trees).unwrap();
    }
    trees
}

fn read_file(bytes: &[u8]) -> Vec<GameTree> {
    read_all(&mut file::Ply16::new(bytes, ReadOptions::default())).trees
}

fn read_cdb(bytes: &[u8]) -> Vec<GameTree> {
    let bytes: Arc<[u8]> = bytes.into();
    read_all(&mut cdb::Cdb::open(bytes, ReadOptions::default()).unwrap()).trees
}

fn write_file(trees: &[GameTree]) -> (Vec<u8>, Losses) {
    let mut writer = file::RecordWriter::default();
    for tree in trees {
        tree.tell(&mut writer);
    }
    let bytes = [file::HEADING.to_vec(), writer.take()].concat();
    (bytes, GameWriter::take_losses(&mut writer))
}

fn write_cdb(trees: &[GameTree]) -> (Vec<u8>, Losses) {
    let mut writer = cdb::RecordWriter::default();
    for tree in trees {
        tree.tell(&mut writer);
    }
    let mut builder = cdb::Builder::new(Vec::new(), 1_700_000_000_000_000_000);
    builder.add(&writer.take()).unwrap();
    (builder.finish().unwrap(), writer.take_losses())
}

fn games(count: u64, chess960: bool) -> Vec<GameTree> {
    let generator = Generator::new(Options {
        seed: 16,
        variations: true,
        chess960,
        ..Options::default()
    });
    (0..count).map(|index| generator.game(index)).collect()
}

fn moves(tree: &GameTree) -> String {
    let line = tree.main_line();
    let sans = line.map(|(before, action)| before.san(action.to_move().unwrap()).to_string());
    sans.collect::<Vec<_>>().join(" ")
}

const BOTH: [Profile; 2] = [Profile::Document, Profile::Program];

/// Every line has the bytes that stand at its offset.
fn assert_covers(bytes: &[u8], dump: &crate::dump::Dump) {
    for line in dump.sections.iter().flat_map(|section| &section.lines) {
        let at = line.offset as usize;
        assert_eq!(bytes[at..at + line.bytes.len()], line.bytes, "{line:?}");
    }
}
