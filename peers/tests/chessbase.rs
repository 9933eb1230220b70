//! ChessBase databases: tabiya and cbvault read the same games.

use std::{collections::BTreeMap, path::Path};

use tabiya_formats::{
    Database as _,
    chessbase::{Database, ReadOptions},
    pgn::Parser,
};
use tabiya_game::{Event, Flow, GameSink, GameTree, Item};
use tabiya_peers::data;

/// The databases that both read.
const BASES: [&str; 11] = [
    "libcbh/Annotation/TestBase",
    "libcbh/Chess960Biel/Chess960Biel",
    "libcbh/NormalGames/BielMTO",
    "morphy/database/cbh_cbj_test/cbh_cbj_test",
    "morphy/database/cbh_test/cbh_test",
    "morphy/database/hedgehog/Hedgehog",
    "morphy/database/old/linares",
    "morphy/database/test-annotations/test-annotations",
    "morphy/database/text/text",
    "morphy/database/veryold/Mate2",
    "uncbv/twic1134/twic1134",
];

#[derive(Default)]
struct Games(Vec<GameTree>);

impl GameSink for Games {
    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::GameStart(_) = event {
            self.0.push(GameTree::default());
        }
        match (&event, self.0.last_mut()) {
            (Event::Text { .. } | Event::Opaque { .. }, _) | (_, None) => Flow::Continue,
            (_, Some(game)) => game.event(event),
        }
    }
}

fn ours(path: &Path) -> Vec<GameTree> {
    let mut database = Database::open(path, ReadOptions::default()).expect("a database");
    let mut games = Games::default();
    while let Some(part) = database.next_part().expect("a part") {
        part.tell(&mut games).expect("a part");
    }
    games.0
}

fn theirs(path: &Path) -> Vec<GameTree> {
    let mut bytes = Vec::new();
    let base = path.with_extension("");
    cbvault::pgn::export_parallel(&base, &mut bytes, 1, 0, 100).expect("an export");
    let text = String::from_utf8_lossy(&bytes);
    let mut parser = Parser::new(&text);
    let mut games = Vec::new();
    let mut tree = GameTree::default();
    while parser.read_game(&mut tree) {
        games.push(std::mem::take(&mut tree));
    }
    games
}

fn moves_of(tree: &GameTree) -> Vec<&Item> {
    let is_move = |item: &&Item| {
        matches!(
            item,
            Item::Move(_) | Item::Null | Item::VariationStart | Item::VariationEnd
        )
    };
    tree.items.iter().filter(is_move).collect()
}

/// Where the two differ: the database, what, and how often.
///
/// cbvault puts a period behind a first name of one letter, as ChessBase does when it exports;
/// tabiya tells names as they are stored. It reads Cyrillic titles as Western letters. And it tells
/// no annotations of `test-annotations`, whose records are built a little differently.
const DISAGREEMENTS: &[(&str, &str, usize)] = &[
    ("morphy/database/hedgehog/Hedgehog", "Black", 1),
    ("morphy/database/hedgehog/Hedgehog", "Event", 1),
    ("morphy/database/hedgehog/Hedgehog", "White", 1),
    ("morphy/database/old/linares", "Black", 1),
    (
        "morphy/database/test-annotations/test-annotations",
        "NAGs",
        4,
    ),
    ("morphy/database/veryold/Mate2", "Black", 6),
    ("morphy/database/veryold/Mate2", "White", 7),
    ("uncbv/twic1134/twic1134", "Black", 2679),
    ("uncbv/twic1134/twic1134", "White", 2687),
];

#[test]
fn cbvault_reads_the_same_games() {
    let Some(folder) = data::folder() else { return };
    let mut differences: BTreeMap<(&str, String), (usize, String)> = BTreeMap::new();
    for base in BASES {
        let path = folder.join("chessbase").join(base).with_extension("cbh");
        let (ours, theirs) = (ours(&path), theirs(&path));
        let mut differ = |what: &str, example: String| {
            let entry = differences.entry((base, what.to_string()));
            entry.or_insert((0, example)).0 += 1;
        };
        if ours.len() != theirs.len() {
            differ("games", format!("{} and {}", ours.len(), theirs.len()));
            continue;
        }
        for (ours, theirs) in ours.iter().zip(&theirs) {
            if moves_of(ours) != moves_of(theirs) {
                differ("moves", ours.place.to_string());
            }
            for (name, value) in theirs.tags.iter() {
                if ours.tags.get(name) != Some(value) {
                    let found = ours.tags.get(name).unwrap_or("-");
                    differ(name, format!("{value:?} is {found:?}"));
                }
            }
            let nags = |tree: &GameTree| {
                let nags = tree.items.iter().filter_map(|item| match item {
                    Item::Nag(nag) => Some(*nag),
                    _ => None,
                });
                nags.collect::<Vec<_>>()
            };
            if nags(ours) != nags(theirs) {
                differ("NAGs", ours.place.to_string());
            }
        }
    }
    let found: Vec<_> = differences
        .iter()
        .map(|((base, what), (count, _))| (*base, &**what, *count))
        .collect();
    assert_eq!(found, DISAGREEMENTS);
}
