//! What is exported is what was played, sorted.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

use ::parquet::{
    arrow::{
        ArrowWriter,
        arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder},
    },
    basic::Compression,
    file::metadata::PageIndexPolicy,
};
use arrow_array::{
    Array, RecordBatch,
    cast::AsArray,
    types::{Int16Type, Int32Type, Int64Type},
};
use tabiya_chess::Action;
use tabiya_formats::{
    GameWriter, Target,
    pgn::Parser,
    registry::{Candidate, Certainty},
};
use tabiya_game::{
    Event, GameSink, GameTree, Item, Place,
    generate::{Generator, Options},
};

use tabiya_search::Exact;

use super::{
    GAMES, Manifest, PARQUET, POSITIONS, check, extent, is_export, is_lake,
    target::{Export, PART_ROWS, exchange, step_aside},
    writer::ExportWriter,
};
use crate::{Store, movetext::Movetext, tests::append, writer::RowWriter};

const MEMORY: usize = 64 << 20;

fn generated(count: u64) -> Vec<GameTree> {
    let generator = Generator::new(Options {
        variations: true,
        ..Options::default()
    });
    (0..count).map(|index| generator.game(index)).collect()
}

fn parsed(pgn: &str) -> Vec<GameTree> {
    let mut parser = Parser::new(pgn);
    let mut games = Vec::new();
    let mut game = GameTree::default();
    while parser.read_game(&mut game) {
        games.push(game.clone());
    }
    games
}

fn write(path: &Path, games: &[GameTree], memory: usize, part_rows: u64) {
    let mut export = Export::with_parts(path, memory, part_rows).unwrap();
    let mut writer = ExportWriter::new(Default::default());
    for game in games {
        game.tell(&mut writer);
        export.add_written(&mut writer).unwrap();
    }
    Box::new(export).finish().unwrap();
}

fn read(path: &Path) -> Vec<RecordBatch> {
    let file = File::open(path).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    reader.build().unwrap().map(Result::unwrap).collect()
}

fn parts(export: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(export.join(POSITIONS)).unwrap();
    let mut parts: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    parts.sort();
    parts
}

/// Key, game, ply, UCI, SAN.
type Position = (i64, i64, i32, String, String);

fn positions(path: &Path) -> Vec<Position> {
    let mut positions = Vec::new();
    for batch in read(path) {
        let number = |name: &str| {
            batch
                .column_by_name(name)
                .unwrap()
                .as_primitive::<Int64Type>()
        };
        let text = |name: &str| batch.column_by_name(name).unwrap().as_string::<i32>();
        let plies = batch
            .column_by_name("ply")
            .unwrap()
            .as_primitive::<Int32Type>();
        for row in 0..batch.num_rows() {
            positions.push((
                number("key").value(row),
                number("game").value(row),
                plies.value(row),
                text("uci").value(row).to_owned(),
                text("san").value(row).to_owned(),
            ));
        }
    }
    positions
}

/// The same by playing the games again.
fn replayed(games: &[GameTree]) -> Vec<Position> {
    let mut positions = Vec::new();
    for (game, id) in games.iter().zip(1..) {
        for ((before, action), ply) in game.main_line().zip(1..) {
            let (uci, san) = match action {
                Action::Move(play) => (before.uci(play).to_string(), before.san(play).to_string()),
                Action::Null => ("0000".to_owned(), "--".to_owned()),
            };
            positions.push((Exact::key(&before).0 as i64, id, ply, uci, san));
        }
    }
    positions.sort();
    positions
}

#[test]
fn positions_are_those_of_the_games_by_key_in_parts_of_their_own_ranges() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lake");
    let mut games = generated(150);
    // A ply that was left out has no row, but counts.
    games.retain(|game| !game.items.contains(&Item::Missing));
    write(&path, &games, MEMORY, 1_000);
    let expected = replayed(&games);
    let parts: Vec<_> = parts(&path).iter().map(|part| positions(part)).collect();
    assert!(parts.len() >= 8, "{}", parts.len());
    assert!(parts.len().is_power_of_two());
    for pair in parts.windows(2) {
        if let ([.., last], [first, ..]) = (&pair[0][..], &pair[1][..]) {
            assert!(last.0 < first.0);
        }
    }
    // Written in the order of key, game and ply.
    assert!(parts.concat() == expected);
}

#[test]
fn little_memory_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (much, little) = (folder.path().join("much"), folder.path().join("little"));
    let games = generated(40);
    write(&much, &games, MEMORY, PART_ROWS);
    // All that does not fit has to be parted until each file has one key.
    write(&little, &games, 1, PART_ROWS);
    let bytes = |export: &Path| {
        parts(export)
            .iter()
            .map(|it| fs::read(it).unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(bytes(&much).len(), 1);
    assert!(bytes(&much) == bytes(&little));
    let rows = |export: &Path| -> usize {
        read(&export.join(GAMES))
            .iter()
            .map(RecordBatch::num_rows)
            .sum()
    };
    assert_eq!((rows(&much), rows(&little)), (40, 40));
}

#[test]
fn files_have_a_page_index_and_zstd_and_say_how_they_are_sorted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lake");
    write(&path, &generated(20), MEMORY, PART_ROWS);
    for (file, sorted) in [(path.join(GAMES), 0), (parts(&path)[0].clone(), 3)] {
        let options = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Required);
        let loaded = ArrowReaderMetadata::load(&File::open(&file).unwrap(), options).unwrap();
        let metadata = loaded.metadata();
        assert!(metadata.column_index().is_some() && metadata.offset_index().is_some());
        for group in metadata.row_groups() {
            assert_eq!(group.sorting_columns().map_or(0, Vec::len), sorted);
            let packed = |column: Compression| matches!(column, Compression::ZSTD(_));
            assert!(
                group
                    .columns()
                    .iter()
                    .all(|column| packed(column.compression()))
            );
        }
    }
}

const GAMES_OF_A_SERVER: &str = r#"[Event "Rated"]
[White "Réti"]
[WhiteElo "2500?"]
[BlackElo "2400"]
[Date "1960.03.??"]
[Id "own"]
[Board "7"]
[Result "1-0"]

1. e4 { [%eval 0.17] [%clk 0:03:00] } e5 { [%eval -0.5] [%clk 0:02:59.5] A mistake. Nf6 was best. }
( 1... Nf6 { [%eval #5] } ) 2. -- { no clock } d5 { [%eval #-3] } 1-0

[White "Broken"]

1. e4 Ke4 *
"#;

#[test]
fn clocks_and_evaluations_are_numbers_and_null_moves_have_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lake");
    write(&path, &parsed(GAMES_OF_A_SERVER), MEMORY, PART_ROWS);
    let mut found = Vec::new();
    for batch in read(&parts(&path)[0]) {
        let long = |name: &str| {
            batch
                .column_by_name(name)
                .unwrap()
                .as_primitive::<Int64Type>()
        };
        let int = |name: &str| {
            batch
                .column_by_name(name)
                .unwrap()
                .as_primitive::<Int32Type>()
        };
        for row in 0..batch.num_rows() {
            let clock = long("clock")
                .is_valid(row)
                .then(|| long("clock").value(row));
            let of = |name: &str| int(name).is_valid(row).then(|| int(name).value(row));
            found.push((
                long("game").value(row),
                int("ply").value(row),
                clock,
                of("evaluation"),
                of("mate"),
            ));
        }
    }
    found.sort();
    assert_eq!(
        found,
        [
            (1, 1, Some(180_000), Some(17), None),
            (1, 2, Some(179_500), Some(-50), None),
            (1, 3, None, None, None),
            (1, 4, None, None, Some(-3)),
            (2, 1, None, None, None),
        ]
    );
}

#[test]
fn positions_say_who_moves_and_what_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lake");
    let pgn = "[FEN \"4k3/8/8/8/8/8/r6P/R3K3 b Q - 0 1\"]\n[SetUp \"1\"]\n\n1... Rxa1+ 2. Kd2 *\n";
    write(&path, &parsed(pgn), MEMORY, PART_ROWS);
    let batch = &read(&parts(&path)[0])[0];
    let text = |name: &str, row: usize| {
        let texts = batch.column_by_name(name).unwrap().as_string::<i32>();
        texts.value(row).to_owned()
    };
    let mut found: Vec<_> = (0..batch.num_rows())
        .map(|row| (text("san", row), text("side", row), text("material", row)))
        .collect();
    found.sort();
    let row = |san: &str, side: &str, material: &str| (san.into(), side.into(), material.into());
    assert_eq!(
        found,
        [row("Kd2", "white", "KPKR"), row("Rxa1+", "black", "KRPKR")]
    );
}

#[test]
fn moves_of_a_game_from_elsewhere_begin_with_its_start() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lake");
    let pgn = "[FEN \"7k/8/8/8/8/8/8/K7 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Ka2 *\n\n1. e4 *\n";
    write(&path, &parsed(pgn), MEMORY, PART_ROWS);
    let batch = &read(&path.join(GAMES))[0];
    let moves = batch.column_by_name("moves").unwrap().as_binary::<i32>();
    let start = |row: usize| {
        let game = Movetext::parse(moves.value(row)).unwrap().unwrap();
        game.start.map(str::to_owned)
    };
    assert_eq!(start(0).as_deref(), Some("7k/8/8/8/8/8/8/K7 w - - 0 1"));
    assert_eq!(start(1), None);
}

#[test]
fn games_have_the_columns_of_a_store_and_their_main_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lake");
    write(&path, &parsed(GAMES_OF_A_SERVER), MEMORY, PART_ROWS);
    let batches = read(&path.join(GAMES));
    let [batch] = &batches[..] else {
        panic!("{} batches", batches.len());
    };
    let text = |name: &str| -> Vec<Option<String>> {
        let texts = batch.column_by_name(name).unwrap().as_string::<i32>();
        texts.iter().map(|text| text.map(str::to_owned)).collect()
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(text("white"), [some("Réti"), some("Broken")]);
    assert_eq!(
        text("main_line"),
        [some("e2e4 e7e5 0000 d7d5"), some("e2e4")]
    );
    assert_eq!(text("result"), [some("1-0"), some("*")]);
    // A tag that is called as a column stays beside; others have columns of their own.
    assert_eq!(text("other_tags"), [some(r#"["2500?","own"]"#), None]);
    assert_eq!(text("Board"), [some("7"), None]);
    let column = |name: &str| batch.column_by_name(name).unwrap();
    assert_eq!(column("id").as_primitive::<Int64Type>().values(), &[1, 2]);
    assert_eq!(
        column("date").as_primitive::<Int32Type>().value(0),
        19_600_300
    );
    assert_eq!(
        column("black_rating").as_primitive::<Int16Type>().value(0),
        2400
    );
    assert!(column("white_rating").is_null(0));
    assert_eq!(
        column("ply_count").as_primitive::<Int32Type>().values(),
        &[4, 1]
    );
    let broken = column("broken").as_boolean();
    assert_eq!((broken.value(0), broken.value(1)), (false, true));
    assert!(column("moves").is_valid(1));
}

#[test]
fn texts_are_rows_without_positions_and_numbers_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lake");
    let mut export = Export::create(&path, MEMORY).unwrap();
    let mut writer = ExportWriter::new(Default::default());
    for language in ["en", "de"] {
        writer.event(Event::Text {
            place: Place::of_entry(7, 0),
            title: "Foreword",
            language: Some(language),
            text: "…",
        });
    }
    let mut game = parsed("1. e4 *").remove(0);
    game.place = Place::of_entry(9, 0);
    game.tell(&mut writer);
    assert_eq!(writer.len(), 2);
    export.add_written(&mut writer).unwrap();
    Box::new(export).finish().unwrap();
    let batch = &read(&path.join(GAMES))[0];
    let column = |name: &str| batch.column_by_name(name).unwrap();
    assert_eq!(column("id").as_primitive::<Int64Type>().values(), &[7, 9]);
    let kinds = column("kind").as_string::<i32>();
    assert_eq!((kinds.value(0), kinds.is_null(1)), ("text", true));
    assert!(column("main_line").is_null(0));
    let positions = positions(&parts(&path)[0]);
    assert_eq!(positions.len(), 1);
    assert_eq!(positions[0].1, 9);
}

#[test]
fn an_export_without_positions_has_an_empty_file_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lake");
    write(&path, &[], MEMORY, PART_ROWS);
    assert_eq!(parts(&path).len(), 1);
    assert!(positions(&parts(&path)[0]).is_empty());
    assert!(is_export(&path));
}

#[test]
fn what_is_not_finished_leaves_nothing_or_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lake");
    let begin = || {
        let mut export = Export::create(&path, MEMORY).unwrap();
        let mut writer = ExportWriter::new(Default::default());
        for game in generated(3) {
            game.tell(&mut writer);
        }
        export.add_written(&mut writer).unwrap();
        export
    };
    drop(begin());
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    write(&path, &generated(2), MEMORY, PART_ROWS);
    let old = fs::read(path.join(GAMES)).unwrap();
    drop(begin());
    assert_eq!(fs::read(path.join(GAMES)).unwrap(), old);
    Box::new(begin()).finish().unwrap();
    assert_ne!(fs::read(path.join(GAMES)).unwrap(), old);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn only_what_tabiya_has_exported_is_an_export() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lake");
    assert!(!is_export(&path));
    write(&path, &generated(2), MEMORY, PART_ROWS);
    assert!(is_export(&path));
    fs::write(path.join("notes.txt"), "mine").unwrap();
    assert!(!is_export(&path));
    // It is one all the same: nothing more comes into it.
    let candidate = Candidate {
        path: Some(&path),
        folder: true,
        ..Candidate::default()
    };
    assert_eq!(
        PARQUET.profiles[0].recognise(&candidate),
        Certainty::Perhaps
    );
    fs::remove_file(path.join("notes.txt")).unwrap();
    fs::write(path.join(POSITIONS).join("mine.parquet"), "mine").unwrap();
    assert!(!is_export(&path));
    fs::remove_file(path.join(POSITIONS).join("mine.parquet")).unwrap();
    fs::write(path.join(GAMES), "PAR1 of somebody else").unwrap();
    assert!(!is_export(&path));
}

#[test]
fn a_capture_in_passing_that_is_not_legal_makes_no_other_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lake");
    // The pawn on e5 is pinned along the rank.
    let pgn = "[FEN \"7k/3p4/8/K3P2r/8/8/8/8 b - - 0 1\"]\n[SetUp \"1\"]\n\n1... d5 2. Kb4 *\n";
    write(&path, &parsed(pgn), MEMORY, PART_ROWS);
    let positions = positions(&parts(&path)[0]);
    let (key, ..) = positions.iter().find(|(.., san)| san == "Kb4").unwrap();
    let without = Exact::from_fen("7k/8/8/K2pP2r/8/8/8/8 w - - 0 2").unwrap();
    assert_eq!(*key, without.position().key().0 as i64);
}

#[test]
fn signatures_are_those_of_a_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lake");
    let games = generated(5);
    write(&path, &games, MEMORY, PART_ROWS);
    let mut writer = RowWriter::new(Default::default());
    for game in &games {
        game.tell(&mut writer);
    }
    let rows = writer.take_rows();
    let expected: Vec<i64> = rows.iter().map(|row| row.signature.to_column()).collect();
    let batch = &read(&path.join(GAMES))[0];
    let column = batch.column_by_name("signature").unwrap();
    assert_eq!(column.as_primitive::<Int64Type>().values(), &expected[..]);
}

#[test]
fn a_new_export_takes_the_place_of_an_old_one_in_one_step_or_two() {
    let folder = tempfile::tempdir().unwrap();
    let (new, old) = (folder.path().join("new"), folder.path().join("lake"));
    let fill = |path: &Path, text: &str| {
        fs::create_dir(path).unwrap();
        fs::write(path.join("x"), text).unwrap();
    };
    let text = |path: &Path| fs::read_to_string(path.join("x")).unwrap();
    fill(&new, "new");
    fill(&old, "old");
    if cfg!(target_os = "linux") {
        exchange(&new, &old).unwrap();
        assert_eq!((text(&new), text(&old)), ("old".into(), "new".into()));
        exchange(&new, &old).unwrap();
    }
    step_aside(&new, &old).unwrap();
    assert_eq!(text(&old), "new");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn a_replaced_game_counts_with_its_moves_as_they_are_now() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = ["one.tabiya", "other.tabiya"].map(|name| folder.path().join(name));
    let mut games = parsed("1. e4 e5 2. Nf3 *\n\n1. d4 *\n\n1. c4 c5 *\n");
    append(&one, &games);
    games[1] = parsed("1. d4 d5 2. c4 e6 *").remove(0);
    Store::open(&one).unwrap().replace(2, &games[1]).unwrap();
    append(&other, &games);
    let plies = |path: &Path| extent(&Store::open(path).unwrap()).plies;
    assert_eq!((plies(&one), plies(&other)), (9, 9));
}

/// What is said of an export.
fn damage(path: &Path) -> Vec<String> {
    check(path, |_| ()).unwrap().damage
}

/// The same as an earlier tabiya would have written it, without a list of files.
fn forget_list(path: &Path) {
    let games = path.join(GAMES);
    let batches = read(&games);
    let mut writer =
        ArrowWriter::try_new(File::create(&games).unwrap(), batches[0].schema(), None).unwrap();
    for batch in &batches {
        writer.write(batch).unwrap();
    }
    writer.close().unwrap();
    fs::remove_file(path.join(Manifest::NAME)).unwrap();
}

#[test]
fn the_list_of_files_has_all_of_them_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lake");
    write(&path, &generated(150), MEMORY, 1_000);
    let list = Manifest::parse(&fs::read(path.join(Manifest::NAME)).unwrap()).unwrap();
    let mut files = parts(&path);
    files.insert(0, path.join(GAMES));
    assert_eq!(list.files().len(), files.len());
    for (entry, file) in list.files().iter().zip(&files) {
        assert_eq!(&path.join(entry.name()), file);
        let bytes = fs::read(file).unwrap();
        let rows: usize = read(file).iter().map(RecordBatch::num_rows).sum();
        assert_eq!(
            (entry.bytes(), entry.rows()),
            (bytes.len() as u64, rows as u64)
        );
        assert_eq!(entry.damage(0, &bytes), None);
    }
    let mut read = 0;
    let checked = check(&path, |bytes| read += bytes).unwrap();
    assert_eq!((checked.damage.len(), checked.games), (0, 150));
    assert!(checked.has_checksums);
    assert_eq!(read, list.files().iter().map(|it| it.bytes()).sum::<u64>());
}

#[test]
fn every_bit_that_changes_in_any_file_is_found_and_its_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lake");
    write(&path, &generated(30), MEMORY, 1_000);
    let mut names = vec![GAMES.to_owned(), Manifest::NAME.to_owned()];
    names.push(format!("{POSITIONS}/part-0001.parquet"));
    for name in names {
        let file = path.join(&name);
        let bytes = fs::read(&file).unwrap();
        for index in 0..40 {
            let mut damaged = bytes.clone();
            let at = (index * 7_919 + index * index) % (bytes.len() - 1);
            damaged[at] ^= 1 << (index % 8);
            fs::write(&file, &damaged).unwrap();
            let damage = damage(&path);
            assert_eq!(damage.len(), 1, "{name} at {at}: {damage:?}");
            assert!(damage[0].starts_with(&name), "{damage:?}");
        }
        fs::write(&file, &bytes).unwrap();
    }
    assert_eq!(damage(&path), [""; 0]);
}

#[test]
fn files_that_are_not_there_cut_off_or_too_many_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lake");
    write(&path, &generated(30), MEMORY, 1_000);
    let part = parts(&path).remove(1);
    let bytes = fs::read(&part).unwrap();
    let length = bytes.len();
    fs::write(&part, b"").unwrap();
    let empty = format!("positions/part-0001.parquet has 0 bytes instead of {length}");
    assert_eq!(damage(&path), [empty]);
    fs::remove_file(&part).unwrap();
    assert_eq!(damage(&path), ["positions/part-0001.parquet is not there"]);
    fs::write(&part, &bytes).unwrap();
    let stranger = path.join(POSITIONS).join("part-0700.parquet");
    fs::write(&stranger, &bytes).unwrap();
    let strange = "positions/part-0700.parquet does not belong to the export";
    assert_eq!(damage(&path), [strange]);
    fs::remove_file(&stranger).unwrap();
    for (folders, name) in [("x=1", "part-0000.parquet"), ("x=1/older", "y=2.parquet")] {
        let folders = path.join(POSITIONS).join(folders);
        fs::create_dir_all(&folders).unwrap();
        fs::write(folders.join(name), &bytes).unwrap();
    }
    let strange = ["x=1/older/y=2.parquet", "x=1/part-0000.parquet"]
        .map(|name| format!("{POSITIONS}/{name} does not belong to the export"));
    assert_eq!(damage(&path), strange);
    fs::remove_dir_all(path.join(POSITIONS).join("x=1")).unwrap();
    // Those of others are not read by anybody.
    fs::write(path.join(POSITIONS).join("_SUCCESS"), b"").unwrap();
    let older = path.join(POSITIONS).join("older");
    fs::create_dir(&older).unwrap();
    fs::write(older.join("part-0000.parquet"), &bytes).unwrap();
    assert_eq!(damage(&path), [""; 0]);
    fs::remove_file(path.join(Manifest::NAME)).unwrap();
    assert_eq!(damage(&path), ["export.json is not there"]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_leads_to_itself_is_told_and_the_rest_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lake");
    write(&path, &generated(30), MEMORY, 1_000);
    let positions = path.join(POSITIONS);
    std::os::unix::fs::symlink(&positions, positions.join("older")).unwrap();
    assert_eq!(damage(&path), [""; 0]);
    fs::remove_file(positions.join("older")).unwrap();
    std::os::unix::fs::symlink("x=1", positions.join("x=1")).unwrap();
    fs::write(positions.join("part-0001.parquet"), b"").unwrap();
    let damage = damage(&path);
    assert!(damage[0].starts_with("positions/part-0001.parquet has 0 bytes"));
    assert!(damage[1].starts_with("positions/x=1: "), "{damage:?}");
    assert_eq!(damage.len(), 2);
}

#[test]
fn an_export_of_a_later_version_is_not_called_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lake");
    write(&path, &generated(3), MEMORY, 1_000);
    let list = path.join(Manifest::NAME);
    let later = fs::read_to_string(&list).unwrap();
    let later = later.replacen("\"version\":1", "\"version\":2", 1);
    fs::write(&list, later).unwrap();
    let error = check(&path, |_| ()).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::Unsupported);
    assert!(error.to_string().contains("version 2"), "{error}");
}

#[test]
fn exports_of_before_have_no_list_and_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lake");
    write(&path, &generated(30), MEMORY, 1_000);
    forget_list(&path);
    assert!(is_lake(&path));
    let others = folder.path().join("others");
    fs::create_dir(&others).unwrap();
    fs::write(
        others.join(Manifest::NAME),
        "{\"format\": \"another program's\"}",
    )
    .unwrap();
    assert!(!is_lake(&others));
    let checked = check(&path, |_| ()).unwrap();
    assert_eq!((checked.damage.len(), checked.games), (0, 30));
    assert!(!checked.has_checksums);
    fs::write(&parts(&path)[1], b"").unwrap();
    let damage = damage(&path);
    assert!(
        damage[0].starts_with("positions/part-0001.parquet: "),
        "{damage:?}"
    );
}
