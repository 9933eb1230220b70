//! Tables are the same, wherever games come from.

use std::{collections::HashSet, path::Path, sync::Arc};

use arrow_array::{
    Array, ArrowPrimitiveType, PrimitiveArray, RecordBatch,
    cast::AsArray,
    types::{Int16Type, Int32Type, Int64Type},
};
use arrow_schema::{DataType, SchemaRef};
use tabiya_formats::pgn::Parser;
use tabiya_game::{
    Event, GameSink, GameTree, Place,
    generate::{Generator, Options},
};

use super::{Block, GameRows, Plies, PositionRows, StoreTable, TagCensus, positions};
use crate::{GameSet, Store, movetext::Movetext, tests::append};

/// Games with all that games can have in them.
fn generated(numbers: std::ops::Range<u64>) -> Vec<GameTree> {
    let usual = Generator::new(Options {
        variations: true,
        ..Options::default()
    });
    let shuffled = Generator::new(Options {
        chess960: true,
        ..Options::default()
    });
    let game = |number: u64| match number % 7 {
        3 => shuffled.game(number),
        _ => usual.game(number),
    };
    numbers.map(game).collect()
}

/// A store of several segments, in which some games are deleted and some edited; and what is in it.
fn store(path: &Path) -> (Store, Vec<Option<GameTree>>) {
    let mut games: Vec<Option<GameTree>> = Vec::new();
    for part in [0..150, 150..170, 170..300] {
        append(path, &generated(part.clone()));
        games.extend(generated(part).into_iter().map(Some));
    }
    for (number, other) in [(3, 400), (160, 401), (299, 402), (160, 403)] {
        let game = generated(other..other + 1).remove(0);
        Store::open(path).unwrap().replace(number, &game).unwrap();
        games[number as usize - 1] = Some(game);
    }
    for number in [1, 160, 200] {
        Store::open(path).unwrap().mark(&[number], true).unwrap();
        games[number as usize - 1] = None;
    }
    (Store::open(path).unwrap(), games)
}

fn told_games(games: &SchemaRef, game: &GameTree, id: u64, columns: &[usize]) -> RecordBatch {
    let mut rows = GameRows::new(games, columns);
    game.tell(&mut rows);
    let batches = rows.finish().unwrap().numbered(&mut (id - 1)).unwrap();
    assert_eq!(batches.len(), 1);
    batches.into_iter().next().unwrap()
}

fn told_positions(game: &GameTree, id: u64, plies: &Plies) -> Option<RecordBatch> {
    let mut rows = PositionRows::new(plies);
    game.tell(&mut rows);
    let batches = rows.finish().unwrap().numbered(&mut (id - 1)).unwrap();
    batches.into_iter().next()
}

/// Each row that counts, with its block.
fn rows(table: &StoreTable, among: Option<&GameSet>) -> Vec<(Block, u32)> {
    let blocks = table.blocks().into_iter();
    let rows = blocks.flat_map(|block| {
        let rows = table.rows(&block, among).into_iter();
        rows.map(move |row| (block, row))
    });
    rows.collect()
}

fn id(table: &StoreTable, block: &Block, row: u32) -> u64 {
    let column = table.games().index_of("id").unwrap();
    let batch = table.read_games(block, &[row], &[column]).unwrap();
    batch.column(0).as_primitive::<Int64Type>().value(0) as u64
}

#[test]
fn games_of_a_store_are_those_that_it_tells() {
    let folder = tempfile::tempdir().unwrap();
    let (store, games) = store(&folder.path().join("games.tabiya"));
    let table = StoreTable::new(&store);
    let all: Vec<usize> = (0..table.games().fields().len()).collect();
    let mut seen = HashSet::new();
    for (block, row) in rows(&table, None) {
        let id = id(&table, &block, row);
        assert!(seen.insert(id), "{id} comes twice");
        let game = games[id as usize - 1].as_ref().expect("not deleted");
        let stored = table.read_games(&block, &[row], &all).unwrap();
        let told = told_games(table.games(), game, id, &all);
        for (index, field) in table.games().fields().iter().enumerate() {
            // What order tags have in a store says which of them have columns.
            if !["tag_order", "other_tags"].contains(&field.name().as_str()) {
                assert_eq!(stored.column(index), told.column(index), "{id} {field}");
            }
        }
    }
    let there = games.iter().flatten().count();
    assert_eq!((seen.len(), table.count()), (there, there as u64));
}

/// A store of two segments, all of whose rows count.
fn whole_store(path: &Path) -> StoreTable {
    for part in [0..150, 150..300] {
        append(path, &generated(part));
    }
    StoreTable::new(&Store::open(path).unwrap())
}

#[test]
fn rows_that_are_read_together_are_those_that_are_read_alone() {
    let folder = tempfile::tempdir().unwrap();
    let table = whole_store(&folder.path().join("games.tabiya"));
    for (index, field) in table.games().fields().iter().enumerate() {
        for block in table.blocks() {
            let read = |rows: &[u32]| {
                let batch = table.read_games(&block, rows, &[index]).unwrap();
                Arc::clone(batch.column(0))
            };
            let mut rows = table.rows(&block, None);
            let turn = rows.len() / 3;
            rows.rotate_left(turn);
            let together = read(&rows);
            for (place, row) in rows.iter().enumerate() {
                assert_eq!(
                    &together.slice(place, 1),
                    &read(&[*row]),
                    "{field} of {row}"
                );
            }
        }
    }
}

/// The numbers of some rows of a column, however wide it is.
fn numbers(table: &StoreTable, block: &Block, rows: &[u32], column: usize) -> Vec<Option<i64>> {
    fn wide<T>(numbers: &PrimitiveArray<T>) -> Vec<Option<i64>>
    where
        T: ArrowPrimitiveType<Native: Into<i64>>,
    {
        let numbers = numbers.iter();
        numbers.map(|number| number.map(Into::into)).collect()
    }
    let batch = table.read_games(block, rows, &[column]).unwrap();
    let numbers = batch.column(0);
    match numbers.data_type() {
        DataType::Int16 => wide(numbers.as_primitive::<Int16Type>()),
        DataType::Int32 => wide(numbers.as_primitive::<Int32Type>()),
        _ => wide(numbers.as_primitive::<Int64Type>()),
    }
}

#[test]
fn numbers_of_a_block_are_those_of_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let table = whole_store(&folder.path().join("games.tabiya"));
    let (mut nulls, mut known) = (0, 0);
    for (index, field) in table.games().fields().iter().enumerate() {
        for block in table.blocks() {
            let Some(span) = table.span(&block, field.name()).unwrap() else {
                continue;
            };
            let rows = table.rows(&block, None);
            let numbers = numbers(&table, &block, &rows, index);
            let there: Vec<i64> = numbers.into_iter().flatten().collect();
            let ends = there.iter().copied().min().zip(there.iter().copied().max());
            assert_eq!(span.ends, ends, "{field}");
            assert_eq!(span.rows, rows.len() as u64, "{field}");
            assert_eq!(span.nulls, (rows.len() - there.len()) as u64, "{field}");
            nulls += span.nulls;
            known += there.len();
        }
    }
    assert!(nulls > 0 && known > 0, "{nulls} and {known}");
}

#[test]
fn positions_of_a_store_are_those_that_it_tells_however_they_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let (store, games) = store(&folder.path().join("games.tabiya"));
    let table = StoreTable::new(&store);
    let all = Plies::default();
    let quick = Plies {
        columns: ["key", "game", "ply", "side", "uci", "material"]
            .map(|name| positions().index_of(name).unwrap())
            .to_vec(),
        ..Plies::default()
    };
    let opening = Plies {
        plies: 3..=9,
        ..quick.clone()
    };
    let mut count = 0;
    for (block, row) in rows(&table, None) {
        let id = id(&table, &block, row);
        let game = games[id as usize - 1].as_ref().unwrap();
        for plies in [&all, &quick, &opening] {
            let stored = table.read_positions(&block, &[row], plies).unwrap();
            count += stored.num_rows();
            match told_positions(game, id, plies) {
                Some(told) => assert_eq!(stored, told, "{id}"),
                None => assert_eq!(stored.num_rows(), 0, "{id}"),
            }
        }
    }
    assert!(count > 10_000, "{count}");
}

#[test]
fn only_games_of_a_set_are_there_and_no_deleted_ones() {
    let folder = tempfile::tempdir().unwrap();
    let (store, games) = store(&folder.path().join("games.tabiya"));
    let table = StoreTable::new(&store);
    let among: GameSet = (1..=300).filter(|number| number % 5 == 0).collect();
    let found = rows(&table, Some(&among)).into_iter();
    let mut found: Vec<u64> = found.map(|(block, row)| id(&table, &block, row)).collect();
    found.sort_unstable();
    let is_there = |number: &u64| games[*number as usize - 1].is_some();
    assert_eq!(found, among.iter().filter(is_there).collect::<Vec<_>>());
}

#[test]
fn games_are_found_by_the_keys_of_their_positions() {
    let folder = tempfile::tempdir().unwrap();
    let (store, games) = store(&folder.path().join("games.tabiya"));
    assert!(store.index_bytes() > 0);
    let key = |game: &GameTree, ply: usize| {
        let batch = told_positions(game, 1, &Plies::default())?;
        let keys = batch.column(0).as_primitive::<Int64Type>();
        (ply < keys.len()).then(|| keys.value(ply))
    };
    let mut asked = 0;
    for (number, game) in games.iter().enumerate().step_by(11) {
        for ply in [0, 2, 5, 12, 40] {
            let Some(key) = game.as_ref().and_then(|game| key(game, ply)) else {
                continue;
            };
            let found = store.games_with_key(key.cast_unsigned(), None).unwrap();
            let wanted = Plies {
                keys: Some(vec![key]),
                ..Plies::default()
            };
            let has = |game: &GameTree| told_positions(game, 1, &wanted).is_some();
            for (index, game) in games.iter().enumerate() {
                let id = index as u64 + 1;
                // The last position of a game has no row, but the index knows it.
                if game.as_ref().is_some_and(has) {
                    assert!(found.contains(id), "{id} has {key} of game {number}");
                }
            }
            let table = StoreTable::new(&store);
            let mut rows = 0;
            for (block, row) in self::rows(&table, Some(&found)) {
                rows += table
                    .read_positions(&block, &[row], &wanted)
                    .unwrap()
                    .num_rows();
            }
            let all = games.iter().flatten();
            let all = all.filter_map(|game| told_positions(game, 1, &wanted));
            assert_eq!(rows, all.map(|batch| batch.num_rows()).sum::<usize>());
            asked += 1;
        }
    }
    assert!(asked > 50, "{asked}");
    assert!(store.games_with_key(12_345, None).unwrap().is_empty());
}

#[test]
fn moves_have_their_start_and_their_rules_with_them() {
    let mut parser = Parser::new(
        "[FEN \"7k/8/8/8/8/8/8/K7 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Ka2 *\n\n[Variant \"Antichess\"]\n\n1. e3 *\n",
    );
    let games = TagCensus::default().finish();
    let moves = games.index_of("moves").unwrap();
    let mut heads = Vec::new();
    let mut game = GameTree::default();
    while parser.read_game(&mut game) {
        let batch = told_games(&games, &game, 1, &[moves]);
        let bytes = batch.column(0).as_binary_view().value(0).to_vec();
        let parsed = Movetext::parse(&bytes).unwrap().unwrap();
        heads.push((parsed.start.map(str::to_owned), parsed.variant.name()));
    }
    let start = Some("7k/8/8/8/8/8/8/K7 w - - 0 1".to_owned());
    // Nobody castles there.
    let without_castling = Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1".to_owned());
    assert_eq!(
        heads,
        [(start, "standard"), (without_castling, "antichess")]
    );
}

#[test]
fn texts_of_a_database_are_rows_that_are_no_games() {
    let games = TagCensus::default().finish();
    let columns = ["id", "kind", "moves", "main_line"].map(|name| games.index_of(name).unwrap());
    let mut rows = GameRows::new(&games, &columns);
    for language in ["en", "de"] {
        rows.event(Event::Text {
            place: Place::of_entry(7, 0),
            title: "Foreword",
            language: Some(language),
            text: "…",
        });
    }
    GameTree::default().tell(&mut rows);
    let batches = rows.finish().unwrap().numbered(&mut 0).unwrap();
    let [batch] = &batches[..] else {
        panic!("{}", batches.len())
    };
    assert_eq!(
        batch.column(0).as_primitive::<Int64Type>().values(),
        &[7, 8]
    );
    let kinds = batch.column(1).as_string_view();
    assert_eq!((kinds.value(0), kinds.is_null(1)), ("text", true));
    let moves = batch.column(2).as_binary_view();
    assert!(Movetext::parse(moves.value(0)).unwrap().is_none());
    assert!(Movetext::parse(moves.value(1)).unwrap().is_some());
}

#[test]
fn a_tag_without_a_column_in_a_segment_is_found_among_its_other_tags() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tabiya");
    let with = |board: Option<&str>| {
        let mut game = GameTree::default();
        if let Some(board) = board {
            game.tags.push("Board", board);
        }
        game
    };
    append(&path, &[with(Some("1")), with(Some("2"))]);
    // One in a hundred is not enough for a column.
    let many: Vec<GameTree> = (0..100)
        .map(|index| with((index == 50).then_some("3")))
        .collect();
    append(&path, &many);
    let table = StoreTable::new(&Store::open(&path).unwrap());
    let board = table.games().index_of("Board").unwrap();
    let mut boards = Vec::new();
    for block in table.blocks() {
        let rows = table.rows(&block, None);
        let batch = table.read_games(&block, &rows, &[board]).unwrap();
        let texts = batch.column(0).as_string_view();
        boards.extend(texts.iter().flatten().map(str::to_owned));
    }
    assert_eq!(boards, ["1", "2", "3"]);
}
