//! The published archive of the program jose, against what is known about it from elsewhere, and
//! collections of PGN through `.josedb`. Without the data there is nothing to test.

use std::{
    collections::BTreeMap,
    fs,
    io::{Read, Write},
    path::Path,
};

use tabiya_formats::{
    Database,
    io::{Input, InputLimits},
    jose::{
        ArchiveError, Files, Josedb, JosedbTarget, Program, ProgramOptions, RecordWriter,
        myisam::{Next, Table, Value, stated_rows},
    },
    pgn::Pgn,
};
use tabiya_game::{Date, GameResult, GameState, GameTree, Item, LossKind, Losses, Place};

use crate::data;

fn read_all(database: &mut dyn Database) -> Vec<GameTree> {
    let mut games = Vec::new();
    while let Some(part) = database.next_part().expect("readable") {
        part.tell(&mut games).expect("readable");
    }
    games
}

fn read_pgn(path: &Path) -> Vec<GameTree> {
    let input = Input::open(path).expect("the file is there");
    read_all(&mut Pgn::new(input, Default::default()))
}

fn unpacked(path: &Path) -> String {
    let mut text = String::new();
    let mut input = Input::open(path).expect("the file is there");
    input.read_to_string(&mut text).expect("UTF-8");
    text
}

fn extracted() -> Option<Files> {
    let folder = data::find("jose/extracted")?;
    Some(Files::open(&folder, &InputLimits::default()).expect("a folder of tables"))
}

fn program(files: &Files) -> Vec<GameTree> {
    let mut program = Program::open(files, ProgramOptions::default()).expect("tables");
    read_all(&mut program)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn uci(game: &GameTree) -> String {
    let moves = game
        .main_line()
        .map(|(before, action)| match action.to_move() {
            Some(play) => before.uci(play).to_string(),
            None => "0000".to_owned(),
        });
    moves.collect::<Vec<_>>().join(" ")
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn every_column_of_every_game_is_what_others_found() {
    let (Some(files), Some(oracle)) = (extracted(), data::find("jose/games-10k.tsv.gz")) else {
        return;
    };
    let games = program(&files);
    let bytes = |name: &str| &**files.get(name).unwrap();
    let table = Table::open(bytes("io_game.frm"), Some(bytes("io_game.myi"))).unwrap();
    let mut rows = table.rows(bytes("IO_GAME.MYD"));
    let oracle = unpacked(&oracle);
    let mut lines = oracle.lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let mut compared = BTreeMap::<&str, usize>::new();
    let mut plies = 0;
    for (game, line) in games.iter().zip(lines.by_ref()) {
        let Some(Next::Row(row)) = rows.next() else {
            panic!("a row for every game")
        };
        let values = table.values(&row.bytes).unwrap();
        let column = |name: &str| values[table.column(name).unwrap()];
        let integer = |name: &str| match column(name) {
            Value::Integer(number) => number.to_string(),
            Value::Null => "0".to_owned(),
            other => panic!("{name}: {other:?}"),
        };
        let blob = |name: &str| match column(name) {
            Value::Bytes(bytes) => hex(bytes),
            _ => String::new(),
        };
        let tag = |name: &str| game.tags.get(name).unwrap_or_default().to_owned();
        assert_eq!(game.state, GameState::Complete);
        assert_eq!(game.place, Place::at_byte(row.offset));
        plies += game.main_line().count();
        assert_eq!(game.main_line().count().to_string(), integer("PlyCount"));
        for (name, expected) in names.iter().zip(line.split('\t')) {
            let found = match *name {
                "idx" => integer("Idx"),
                "attributes" => integer("Attributes"),
                "plycount" => integer("PlyCount"),
                "dateflags" => integer("DateFlags"),
                "result" => {
                    let result = match game.result {
                        GameResult::BlackWins => "0",
                        GameResult::Draw => "1",
                        GameResult::WhiteWins => "2",
                        _ => "-1",
                    };
                    assert_eq!(tag("Result"), game.result.tag());
                    assert_eq!(result, integer("Result"));
                    result.to_owned()
                }
                "white" => tag("White"),
                "black" => tag("Black"),
                "white_elo" => tag("WhiteElo"),
                "black_elo" => tag("BlackElo"),
                "event" => tag("Event"),
                "site" => tag("Site"),
                "date" => tag("Date"),
                // A column that is NULL is no tag here.
                "eventdate" => match tag("EventDate") {
                    none if none.is_empty() => "????.??.??".to_owned(),
                    date => date,
                },
                "eco" => tag("ECO"),
                // The roster has a question mark for a round that is empty.
                "round" if tag("Round") == "?" => String::new(),
                "round" => tag("Round"),
                "bin_hex" => blob("Bin"),
                "comments_hex" => blob("Comments"),
                "uci" => uci(game),
                other => panic!("a column that nobody compares: {other}"),
            };
            assert_eq!(found, expected, "{name} in {line}");
            *compared.entry(name).or_default() += 1;
        }
    }
    assert_eq!(lines.next(), None);
    assert_eq!(rows.next(), None);
    assert_eq!(games.len(), 10_147);
    assert_eq!(plies, 867_941);
    assert_eq!(compared.len(), 18);
    assert!(compared.values().all(|count| *count == 10_147));
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn the_games_are_those_of_the_pgn_that_others_made() {
    let (Some(files), Some(pgn)) = (extracted(), data::find("jose/games-10k.pgn.gz")) else {
        return;
    };
    let expected = read_pgn(&pgn);
    let games = program(&files);
    assert_eq!(games.len(), expected.len());
    let mut more = BTreeMap::new();
    for (game, expected) in games.iter().zip(&expected) {
        assert_eq!(game.items, expected.items, "{:?}", game.tags);
        assert_eq!(game.start, expected.start);
        assert_eq!((game.result, game.state), (expected.result, expected.state));
        // The PGN has only what the other reader knew.
        let (known, others): (Vec<_>, Vec<_>) = game
            .tags
            .iter()
            .partition(|(name, _)| expected.tags.get(name).is_some());
        assert!(
            known.into_iter().eq(expected.tags.iter()),
            "{:?}",
            game.tags
        );
        for (name, _) in others {
            *more.entry(name).or_insert(0) += 1;
        }
    }
    println!("{more:?}");
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn all_rows_of_all_tables_are_read_and_packed_as_the_types_say() {
    let Some(files) = extracted() else { return };
    let mut counts = Vec::new();
    for name in files.names().filter(|name| name.ends_with(".MYD")) {
        let bytes = |extension: &str| {
            let file = files.get(&name.replace("MYD", extension));
            &**file.expect("all three files")
        };
        let stated = Table::open(bytes("frm"), Some(bytes("MYI"))).unwrap();
        let guessed = Table::open(bytes("frm"), None).unwrap();
        assert_eq!(stated, guessed, "{name}");
        let rows = stated_rows(bytes("MYI")).unwrap();
        let mut count = 0;
        for next in stated.rows(bytes("MYD")) {
            let Next::Row(row) = next else {
                panic!("{name}: {next:?}")
            };
            let values = stated.values(&row.bytes).unwrap();
            assert_eq!(values.len(), stated.definition().columns.len());
            count += 1;
        }
        assert_eq!(count, rows, "{name}");
        counts.push((name.to_owned(), count));
    }
    println!("{counts:?}");
    assert_eq!(counts.len(), 7);
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn dates_are_a_day_later_if_wanted() {
    let Some(files) = extracted() else { return };
    let options = ProgramOptions {
        date_fix: true,
        ..ProgramOptions::default()
    };
    let fixed = read_all(&mut Program::open(&files, options).unwrap());
    let first_day = |event: &str| {
        let games = fixed.iter().filter(|game| game.tags.event() == Some(event));
        games.filter_map(|game| game.tags.date()).min()
    };
    assert_eq!(first_day("Corus"), Some(Date::new(2001, 1, 13)));
    let unknown = |game: &&GameTree| game.tags.get("Date") == Some("2001.??.??");
    assert_eq!(fixed.iter().filter(unknown).count(), 24);
}

fn tar(folder: &Path) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    archive.append_dir_all("some/folder", folder).unwrap();
    archive.into_inner().unwrap()
}

fn zip(folder: &Path) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().to_lowercase();
        archive.start_file(name, options).unwrap();
        archive.write_all(&fs::read(path).unwrap()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let level = bzip2::Compression::new(9);
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), level);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn archives_of_every_kind_hold_the_same_games() {
    let (Some(files), Some(folder)) = (extracted(), data::find("jose/extracted")) else {
        return;
    };
    let expected = program(&files);
    let (tar, zip) = (tar(&folder), zip(&folder));
    let headless = bzip2(&tar)[2..].to_vec();
    assert!(headless.starts_with(b"h9"));
    for (kind, archive) in [
        ("tar.gz", gzip(&tar)),
        ("zip.gz", gzip(&zip)),
        ("h9", headless),
        ("bz2 of zip", bzip2(&zip)),
        ("tar", tar),
        ("zip", zip),
    ] {
        let unpacked = Files::unpack(&archive, &InputLimits::default());
        let unpacked = unpacked.unwrap_or_else(|error| panic!("{kind}: {error}"));
        assert_eq!(unpacked.names().count(), 21, "{kind}");
        assert!(program(&unpacked) == expected, "{kind}");
    }
    // One of the files stands for all.
    let file = folder.join("IO_Game.MYD");
    let files = Files::open(&file, &InputLimits::default()).unwrap();
    assert!(program(&files) == expected);
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn a_rar_archive_says_how_to_unpack_it() {
    let Some(rar) = data::find("jose/database-10k.jose") else {
        return;
    };
    let error = Files::open(&rar, &InputLimits::default()).unwrap_err();
    assert!(matches!(error, ArchiveError::Rar));
    assert!(error.to_string().contains("unrar x"));
}

/// The table of games, damaged in some way.
fn with_games(files: &Files, damage: impl Fn(&mut Vec<u8>)) -> Files {
    let mut damaged = Files::default();
    let mut games = files.get("IO_Game.MYD").unwrap().to_vec();
    damage(&mut games);
    damaged.insert("IO_Game.MYD", games.into());
    for name in files.names() {
        damaged.insert(name, files.get(name).unwrap().clone());
    }
    damaged
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn damaged_rows_are_broken_games_and_the_others_are_read() {
    let Some(files) = extracted() else { return };
    let expected = program(&files);
    let hole = with_games(&files, |games| games[40_000..42_000].fill(0xee));
    let games = program(&hole);
    let broken: Vec<_> = games
        .iter()
        .filter(|game| game.state == GameState::Broken)
        .collect();
    assert!((1..6).contains(&broken.len()), "{}", broken.len());
    for game in &broken {
        assert!(
            (39_500..42_500).contains(&game.place.offset),
            "{:?}",
            game.place
        );
        assert!(
            game.items
                .iter()
                .any(|item| matches!(item, Item::Error { .. }))
        );
    }
    // All games before and behind the hole are whole.
    let whole = games
        .iter()
        .filter(|game| game.state == GameState::Complete);
    let known = |game: &GameTree| !(39_800..42_000).contains(&game.place.offset);
    let before = expected.iter().filter(|game| known(game));
    assert!(whole.filter(|game| known(game)).eq(before));
    // A cut in the middle of a row.
    let cut = with_games(&files, |games| games.truncate(100_001));
    let games = program(&cut);
    let (last, others) = games.split_last().unwrap();
    assert_eq!(last.state, GameState::Broken);
    assert_eq!(others, &expected[..others.len()]);
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn a_table_that_is_cut_off_between_two_rows_says_how_many_are_missing() {
    let Some(files) = extracted() else { return };
    let cut = with_games(&files, |myd| myd.truncate(100_000));
    let mut program = Program::open(&cut, ProgramOptions::default()).unwrap();
    let part = program.next_part().unwrap();
    assert!(part.is_some(), "what is there is read");
    let error = program.next_part().err().expect("the rest is missed");
    let expected = "byte 100000: IO_Game.MYD ends after 628 of the 10147 games";
    assert!(error.to_string().starts_with(expected), "{error}");
    assert!(program.next_part().unwrap().is_none());
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn any_flipped_bytes_are_survived() {
    let Some(files) = extracted() else { return };
    for step in [97usize, 1_009, 10_007] {
        let damaged = with_games(&files, |games| {
            for at in (step / 2..games.len()).step_by(step) {
                games[at] = games[at].wrapping_mul(31).wrapping_add(step as u8);
            }
        });
        let games = program(&damaged);
        assert!(games.len() > 5_000, "{step}: {}", games.len());
    }
}

fn write_josedb(path: &Path, games: &[GameTree]) -> Vec<Losses> {
    let mut writer = RecordWriter::new();
    let mut target = JosedbTarget::create(path).unwrap();
    let mut losses = Vec::new();
    for game in games {
        game.tell(&mut writer);
        target.add(&writer.take()).unwrap();
        losses.push(writer.take_losses());
    }
    target.finish().unwrap();
    losses
}

/// Writes and reads a collection; returns how many games have losses, by kind.
fn through_josedb(name: &str) -> Option<(usize, BTreeMap<LossKind, usize>)> {
    let games = read_pgn(&data::find(name)?);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.josedb");
    let losses = write_josedb(&path, &games);
    let mut database = Josedb::open(&path).unwrap();
    let copies = read_all(&mut database);
    assert_eq!(copies.len(), games.len());
    let mut kinds = BTreeMap::new();
    for (index, (game, copy)) in games.iter().zip(&copies).enumerate() {
        let who = || format!("{name}, game {}: {:?}", index + 1, losses[index]);
        assert_eq!(copy.tags, game.tags, "{}", who());
        assert_eq!(copy.start, game.start, "{}", who());
        assert_eq!(copy.result, game.result, "{}", who());
        for (kind, ..) in losses[index].iter() {
            *kinds.entry(kind).or_default() += 1;
        }
        if losses[index].is_empty() {
            assert!(same_items(&copy.items, &game.items), "{}", who());
            assert_eq!(copy.state, game.state, "{}", who());
        }
    }
    println!("{name}: {} games, losses {kinds:?}", games.len());
    Some((games.len(), kinds))
}

/// The place of an error is that in the file it stands in.
fn same_items(copy: &[Item], game: &[Item]) -> bool {
    let same = |pair: (&Item, &Item)| match pair {
        (
            Item::Error {
                kind: a, raw: b, ..
            },
            Item::Error {
                kind: c, raw: d, ..
            },
        ) => (a, b) == (c, d),
        (copy, game) => copy == game,
    };
    copy.len() == game.len() && copy.iter().zip(game).all(same)
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn games_come_back_from_a_josedb_as_they_were_but_for_what_is_reported() {
    for (name, harmless) in [
        ("pgn/twic-small.pgn.zst", true),
        ("pgn/lichess.pgn.zst", true),
        ("pgn/chess960.pgn.zst", true),
        ("pgn/chess960rwch.pgn", true),
        ("jose/starter.pgn", false),
    ] {
        let Some((games, losses)) = through_josedb(name) else {
            continue;
        };
        assert!(games > 0);
        // Where a comment stands is all that such collections may lose.
        let kinds = losses
            .keys()
            .filter(|kind| **kind != LossKind::CommentPlace);
        assert!(!harmless || kinds.count() == 0, "{name}: {losses:?}");
    }
}

#[test]
#[ignore = "needs real games, see CONTRIBUTING.md"]
fn annotated_games_come_back_but_for_what_is_reported() {
    let Some(folder) = data::find("pgn/annotated") else {
        return;
    };
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        through_josedb(&path.to_string_lossy());
    }
}
