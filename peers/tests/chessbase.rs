//! ChessBase databases: tabiya and cbvault read the same games.

use std::{collections::BTreeMap, path::Path};

use tabiya_chessbase::{Database, ReadOptions, assembly::DatabaseTarget, writer::RecordWriter};
use tabiya_formats::{Database as _, pgn::Parser};
use tabiya_game::{Event, Flow, GameSink, GameTree, Item, Nag};
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

/// In how many games the two differ, by what differs.
type Differences = BTreeMap<String, usize>;

/// Compares what the two read in a database.
fn compare(path: &Path) -> Differences {
    let mut differences = Differences::new();
    let (ours, theirs) = (ours(path), theirs(path));
    let mut differ = |what: &str| *differences.entry(what.to_string()).or_default() += 1;
    if ours.len() != theirs.len() {
        println!("{} and {} games", ours.len(), theirs.len());
        differ("games");
        return differences;
    }
    for (ours, theirs) in ours.iter().zip(&theirs) {
        if moves_of(ours) != moves_of(theirs) {
            differ("moves");
        }
        for (name, value) in theirs.tags.iter() {
            if ours.tags.get(name) != Some(value) {
                differ(name);
            }
        }
        if nags_of(ours) != nags_of(theirs) {
            differ("NAGs");
        }
    }
    differences
}

fn nags_of(tree: &GameTree) -> Vec<Nag> {
    let nags = tree.items.iter().filter_map(|item| match item {
        Item::Nag(nag) => Some(*nag),
        _ => None,
    });
    nags.collect()
}

#[test]
fn cbvault_reads_the_same_games() {
    let Some(folder) = data::folder() else { return };
    let mut found = Vec::new();
    for base in BASES {
        let path = folder.join("chessbase").join(base).with_extension("cbh");
        let differences = compare(&path);
        found.extend(
            differences
                .into_iter()
                .map(|(what, count)| (base, what, count)),
        );
    }
    let found: Vec<_> = found
        .iter()
        .map(|(base, what, count)| (*base, &**what, *count))
        .collect();
    assert_eq!(found, DISAGREEMENTS);
}

/// Makes a database of a PGN file.
fn write(pgn: &Path, path: &Path) {
    let mut source = tabiya::registry()
        .open(pgn, None, &Default::default())
        .expect("games");
    let mut target = DatabaseTarget::create(path).expect("a place");
    while let Some(part) = source.database.next_part().expect("a part") {
        let mut writer = RecordWriter::default();
        part.tell(&mut writer).expect("a part");
        target.add(&writer.take()).expect("room");
    }
    target.finish().expect("a database");
}

/// Where the two differ on what tabiya wrote: periods behind first names of one letter, as above.
/// And where a move has several glyphs, cbvault tells first the one that ChessBase shows before it.
const DISAGREEMENTS_ON_WRITTEN: &[(&str, &str, usize)] = &[
    ("twic-small.pgn.zst", "Black", 11_351),
    ("twic-small.pgn.zst", "White", 11_439),
    ("annotated/d00_chess_informant.pgn", "NAGs", 11),
    ("annotated/famous_games.pgn", "Black", 2),
    ("annotated/famous_games.pgn", "White", 2),
    ("annotated/newyork1924.pgn", "Black", 90),
    ("annotated/newyork1924.pgn", "White", 90),
];

#[test]
fn cbvault_reads_what_tabiya_wrote() {
    let Some(folder) = data::folder() else { return };
    let place = tempfile::tempdir().expect("a folder");
    let names = [
        "twic-small.pgn.zst",
        "lichess.pgn.zst",
        "chess960rwch.pgn",
        "annotated/d00_chess_informant.pgn",
        "annotated/famous_games.pgn",
        "annotated/middleg.pgn",
        "annotated/newyork1924.pgn",
        "annotated/polgar.pgn",
    ];
    let mut found = Vec::new();
    for (index, name) in names.into_iter().enumerate() {
        let path = place.path().join(format!("base{index}.cbh"));
        write(&folder.join("pgn").join(name), &path);
        let differences = compare(&path);
        found.extend(
            differences
                .into_iter()
                .map(|(what, count)| (name, what, count)),
        );
    }
    let found: Vec<_> = found
        .iter()
        .map(|(name, what, count)| (*name, &**what, *count))
        .collect();
    assert_eq!(found, DISAGREEMENTS_ON_WRITTEN);
}
