//! What the parts of the format do together.

mod bad;
mod edits;
mod games;
mod losses;
mod real;
mod vectors;

use std::path::Path;

use tabiya_game::{Event, Flow, GameSink, GameTree, Losses};

use super::{Builder, NewGames, ReadOptions, Scid, Version, Writer};
use crate::{Database, pgn::Parser};

/// Keeps every game and every text it hears.
#[derive(Default)]
struct Trees {
    all: Vec<GameTree>,
    texts: Vec<(String, String)>,
    current: GameTree,
}

impl GameSink for Trees {
    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::Text { title, text, .. } = event {
            self.texts.push((title.into(), text.into()));
            return Flow::Continue;
        }
        let flow = self.current.event(event);
        if let Event::GameEnd { .. } = event {
            let mut tree = std::mem::take(&mut self.current);
            // Where a game stands is not part of it.
            tree.place = Default::default();
            self.all.push(tree);
        }
        flow
    }
}

fn parse(pgn: &str) -> Vec<GameTree> {
    let mut trees = Trees::default();
    let mut parser = Parser::new(pgn);
    while parser.read_game(&mut trees) {}
    trees.all
}

fn read(scid: &mut Scid) -> Trees {
    let mut trees = Trees::default();
    while let Some(part) = scid.next_part().unwrap() {
        part.tell(&mut trees).unwrap();
    }
    trees
}

fn open(path: &Path) -> Scid {
    Scid::open(path, ReadOptions::default()).unwrap()
}

/// Writes games into a database; what each of them lost.
fn write(version: Version, path: &Path, games: &[GameTree]) -> Vec<Losses> {
    let mut writer = Writer::new(version);
    let mut builder = Builder::create(version, path).unwrap();
    let mut losses = Vec::new();
    for game in games {
        game.tell(&mut writer);
        builder.add(&writer.take()).unwrap();
        losses.push(writer.take_losses());
    }
    builder.finish().unwrap();
    losses
}

/// The path of a database in a folder.
fn named(folder: &tempfile::TempDir, version: Version) -> std::path::PathBuf {
    folder.path().join(format!("games.si{}", version.digit()))
}

/// Both versions that are written.
const VERSIONS: [Version; 2] = [Version::Si4, Version::Si5];

/// Tags in alphabetical order: a database has its own.
fn with_sorted_tags(mut tree: GameTree) -> GameTree {
    let mut tags: Vec<(String, String)> = tree
        .tags
        .iter()
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    tags.sort();
    tree.tags = tags.into_iter().collect();
    tree
}
