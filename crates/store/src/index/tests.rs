//! What an index says is what telling all games says.

use std::{path::Path, sync::Arc};

use proptest::prelude::*;
use tabiya_chess::{Position, Setup, Variant};
use tabiya_game::{
    Event, Flow, GameResult, GameSink, GameTree, Item, Needs,
    generate::{Generator, Options, number},
};
use tabiya_search::{
    Exact, Query, Seeker, Test,
    tree::{Tree, TreeAnswer},
};

use super::Plan;
use crate::{
    GameSet, Hit, Store,
    change::Which,
    tests::{append, real_games},
};

const PLAN: Plan = Plan {
    memory: 1 << 20,
    key_bits: 64,
    shard_positions: 300_000,
    least_rows: 1,
};

/// Starts from which games meet again and again: little material, pawns that promote, castling,
/// captures en passant that are legal, pinned and not there.
const STARTS: [&str; 7] = [
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1",
    "1rr1k3/8/8/8/8/8/8/RR2K3 w Bc - 0 1",
    "1rr1k3/8/8/8/8/8/8/RR2K3 w Ab - 0 1",
    "7k/3p4/8/K3P2r/8/8/8/8 b - - 0 1",
    "7k/3p4/8/K1P1P3/8/8/8/8 b - - 0 1",
];

fn start(fen: &str) -> Position {
    let setup: Setup = fen.parse().unwrap();
    Position::from_setup(&setup, Variant::Chess960).unwrap()
}

/// A game of a few moves of which any may come: games of one start meet often.
fn wander(start: Position, seed: u64) -> GameTree {
    let mut game = GameTree {
        start,
        result: GameResult::ALL[number(seed, 1_000) as usize % 7],
        ..GameTree::default()
    };
    for (name, limit) in [("WhiteElo", 2_000), ("BlackElo", 300), ("Date", 2_030)] {
        let value = number(seed, limit) % limit;
        if !value.is_multiple_of(5) {
            game.tags.push(name, value.to_string());
        }
    }
    let mut position = start;
    for ply in 0..number(seed, 2_000) % 14 {
        let choice = number(seed, ply);
        let moves = position.legal_moves();
        match choice % 40 {
            0 => {
                position.play_null();
                game.items.push(Item::Null);
            }
            1 => {
                position.play_null();
                game.items.push(Item::Missing);
            }
            _ if moves.is_empty() => break,
            _ => {
                // The first ones come often.
                let few = moves.len().min(1 + (choice >> 8) as usize % 4);
                let play = moves[(choice >> 16) as usize % few];
                position.play_unchecked(play);
                game.items.push(Item::Move(play));
            }
        }
    }
    game
}

/// Games of all kinds.
fn games(seed: u64, count: u64) -> Vec<GameTree> {
    let plies = 4..=40;
    let generator = |variations, chess960, book| {
        Generator::new(Options {
            seed: number(seed, 77),
            plies: plies.clone(),
            variations,
            chess960,
            book,
            ..Options::default()
        })
    };
    let kinds = [
        generator(false, false, true),
        generator(true, false, false),
        generator(false, true, false),
    ];
    let starts = STARTS.map(start);
    let game = |index: u64| {
        let choice = number(seed, 5_000 + index);
        match choice % 8 {
            kind @ 0..3 => kinds[kind as usize].game(index),
            3 => wander(Position::initial(), choice),
            _ => wander(starts[(choice >> 8) as usize % starts.len()], choice),
        }
    };
    (0..count).map(game).collect()
}

/// Some of the positions that come up in games, and some that may not.
fn positions(store: &Store, seed: u64, count: u64) -> Vec<Position> {
    let mut all = Vec::new();
    let mut collector = Collector(&mut all);
    for number in 1..=store.count() {
        store.tell(number, &mut collector).unwrap();
    }
    let mut some = vec![Position::initial()];
    for index in 0..count {
        let choice = number(seed, 9_000 + index);
        let mut position = all[choice as usize % all.len()];
        let moves = position.legal_moves();
        if choice >> 60 == 0 && !moves.is_empty() {
            position.play_unchecked(moves[(choice >> 32) as usize % moves.len()]);
        }
        some.push(position);
    }
    some
}

struct Collector<'a>(&'a mut Vec<Position>);

impl GameSink for Collector<'_> {
    fn needs(&mut self) -> Needs {
        Needs::NOTHING.moves(true).after(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Start(position)
            | Event::Move {
                after: Some(position),
                ..
            }
            | Event::Null {
                after: Some(position),
                ..
            } => self.0.push(*position),
            _ => {}
        }
        Flow::Continue
    }
}

/// The same by telling all games.
fn slowly(store: &Store, position: &Position, among: Option<&GameSet>) -> (Vec<Hit>, TreeAnswer) {
    let query = Query::Somewhere(Test::Exact(Exact::new(*position)));
    let (mut seeker, mut tree) = (Seeker::new(&query), Tree::new(position));
    let mut hits = Vec::new();
    let wanted = |number: &u64| {
        !store.is_deleted(*number) && among.is_none_or(|among| among.contains(*number))
    };
    for number in (1..=store.count()).filter(wanted) {
        store.tell(number, &mut seeker).unwrap();
        hits.extend(seeker.found().map(|ply| Hit { number, ply }));
        store.tell(number, &mut tree).unwrap();
    }
    (hits, tree.answer())
}

fn some_numbers(store: &Store, seed: u64) -> GameSet {
    let one_in = 1 + number(seed, 3) % 4;
    let is_in = |index: &u64| number(seed, 20_000 + index).is_multiple_of(one_in);
    (1..=store.count()).filter(is_in).collect()
}

/// Asks for some positions both ways.
fn compare(store: &Store, seed: u64, count: u64) {
    let among = some_numbers(store, seed);
    for position in positions(store, seed, count) {
        for among in [None, Some(&among)] {
            let (hits, answer) = slowly(store, &position, among);
            let fen = position.to_setup().to_string();
            let found = store.games_at(&position, among).unwrap();
            assert_eq!(found.len(), hits.len() as u64, "{fen}");
            assert_eq!(found.collect::<Vec<_>>(), hits, "{fen}");
            assert_eq!(store.tree_at(&position, among).unwrap(), answer, "{fen}");
        }
    }
}

/// A store of several segments, with entries that are deleted and replaced.
fn store(path: &Path, seed: u64, sizes: &[u64]) -> Store {
    for (index, size) in sizes.iter().enumerate() {
        append(path, &games(seed + index as u64, *size));
    }
    let store = Store::open(path).unwrap();
    let count = store.count();
    let some = |salt: u64, some: u64| -> Vec<u64> {
        (0..some)
            .map(|index| 1 + number(seed, salt + index) % count)
            .collect()
    };
    store.mark(&some(30_000, 5), true).unwrap();
    for number in some(40_000, 9) {
        store.replace(number, &games(seed + number, 5)[4]).unwrap();
    }
    Store::open(path).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 12 } else { 64 }))]

    #[test]
    fn an_index_says_what_telling_says(
        seed in 0..u64::MAX / 2,
        key_bits in prop::sample::select(vec![64u8, 64, 24, 16]),
        shard_positions in prop::sample::select(vec![100, 1_000, 300_000]),
        memory in prop::sample::select(vec![1usize, 1 << 16, 1 << 24]),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.tabiya");
        let store = store(&path, seed, &[90, 40, 3, 1]);
        store.index_as(Plan { memory, key_bits, shard_positions, ..PLAN }, Which::All).unwrap();
        let store = Store::open(&path).unwrap();
        prop_assert!(store.index_bytes() > 0);
        prop_assert_eq!(store.examine(), Vec::<String>::new());
        compare(&store, seed, 60);
        store.compact().unwrap();
        compare(&Store::open(&path).unwrap(), seed + 1, 20);
    }
}

#[test]
fn an_index_is_made_at_import_kept_through_merges_and_can_go_and_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    for week in 0..9 {
        append(&path, &games(week, 70));
    }
    let store = Store::open(&path).unwrap();
    assert!(store.segments() < 9);
    let bytes = store.index_bytes();
    assert!(bytes > 0);
    compare(&store, 5, 30);
    store.drop_index().unwrap();
    let store = Store::open(&path).unwrap();
    assert_eq!(store.index_bytes(), 0);
    let files = std::fs::read_dir(&path).unwrap();
    let mut names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    assert!(!names.any(|name| name.ends_with("-index.bin")));
    compare(&store, 6, 5);
    store.index(1 << 29).unwrap();
    let store = Store::open(&path).unwrap();
    assert_eq!(store.index_bytes(), bytes);
    compare(&store, 7, 5);
}

/// The file of the only index.
fn index_file(path: &Path) -> std::path::PathBuf {
    let files = std::fs::read_dir(path).unwrap();
    let mut paths = files.map(|file| file.unwrap().path());
    let is_index = |path: &std::path::PathBuf| path.to_string_lossy().ends_with("-index.bin");
    paths.find(is_index).unwrap()
}

#[test]
fn a_damaged_index_is_found_and_not_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    append(&path, &games(3, 80));
    let file = index_file(&path);
    let bytes = std::fs::read(&file).unwrap();
    let expected: Vec<_> = {
        let store = Store::open(&path).unwrap();
        let positions = positions(&store, 1, 6);
        let answer = |position| (position, slowly(&store, &position, None));
        positions.into_iter().map(answer).collect()
    };
    let check = |what: &str| {
        let store = Store::open(&path).unwrap();
        for (position, (hits, answer)) in &expected {
            let found = store.games_at(position, None).unwrap();
            assert_eq!(&found.collect::<Vec<_>>(), hits, "{what}");
            assert_eq!(&store.tree_at(position, None).unwrap(), answer, "{what}");
        }
        let found = store.examine();
        assert_eq!(found.len(), 1, "{what}: {found:?}");
        assert!(found[0].contains("`tabiya index`"), "{found:?}");
    };
    for place in (0..bytes.len()).step_by(bytes.len() / 40) {
        let mut wrong = bytes.clone();
        wrong[place] ^= 1 << (place % 8);
        std::fs::write(&file, &wrong).unwrap();
        check(&format!("byte {place}"));
        std::fs::write(&file, &bytes[..place]).unwrap();
        check(&format!("cut at {place}"));
    }
    std::fs::remove_file(&file).unwrap();
    check("not there");
    Store::open(&path).unwrap().index(1 << 29).unwrap();
    assert_eq!(Store::open(&path).unwrap().examine(), Vec::<String>::new());
}

/// Even where all checksums are right, nothing but answers and errors come back.
#[test]
fn nonsense_that_is_sealed_does_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    append(&path, &games(3, 80));
    let bytes = std::fs::read(index_file(&path)).unwrap();
    let store = Store::open(&path).unwrap();
    let snapshot = Arc::clone(store.snapshot());
    let part = snapshot.parts().next().unwrap();
    let positions = positions(&store, 1, 10);
    for seed in 0..200 {
        let mut wrong = bytes.clone();
        for change in 0..1 + seed % 5 {
            let choice = number(seed, change) as usize;
            let place = choice % (wrong.len() - 32);
            wrong[place] = (choice >> 32) as u8;
        }
        let Some(index) = super::Index::sealed(wrong) else {
            continue;
        };
        let asked = index.ask(part.segment());
        for position in &positions {
            asked.nonsense(position);
        }
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn real_games_are_found_as_telling_finds_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    append(&path, &real_games(3_000));
    compare(&Store::open(&path).unwrap(), 1, 15);
}
