//! Exports that are not as they were written.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use datafusion::{
    execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder},
    prelude::{ParquetReadOptions, SessionConfig, SessionContext},
};
use tabiya_sql::{ErrorKind, Options, Session, lake::Stores};

use crate::room::{Room, ask, cell, export, generated, session};

/// Questions for which all of both files is read.
const ALL: [&str; 2] = [
    "SELECT count(*), sum(key), sum(game), sum(ply), count(side), min(uci), max(san), sum(length(uci)), \
     sum(length(san)), sum(clock), sum(evaluation), sum(mate), sum(length(material)) FROM positions",
    "SELECT count(*), sum(id), sum(length(white)), sum(length(black)), sum(ply_count), \
     sum(length(main_line)), min(moves), max(moves), sum(signature), count(event), count(result) FROM games",
];

fn lake(room: &Room) -> PathBuf {
    let games = room.pgn("games.pgn", &generated(0..300));
    let lake = room.path("lake");
    export(&games, &lake);
    lake
}

/// What both questions are answered, or what is wrong.
async fn answers(lake: &Path) -> Result<Vec<Vec<Vec<String>>>, tabiya_sql::Error> {
    let session = Session::open([lake], &Options::default()).await?;
    let mut answers = Vec::new();
    for question in ALL {
        let batches = session.query(question).await?.collect().await?;
        let rows = batches.iter().map(|batch| {
            let texts = batch.columns().iter().map(|column| {
                datafusion::arrow::util::display::array_value_to_string(column, 0).expect("a text")
            });
            texts.collect()
        });
        answers.push(rows.collect());
    }
    Ok(answers)
}

#[tokio::test(flavor = "multi_thread")]
async fn one_bit_that_has_changed_anywhere_is_an_error_and_no_answer() {
    let room = Room::new();
    let lake = lake(&room);
    let expected = answers(&lake).await.expect("answers");
    for (name, times) in [
        ("positions/part-0000.parquet", 60),
        ("games.parquet", 30),
        ("export.json", 10),
    ] {
        let file = lake.join(name);
        let bytes = fs::read(&file).expect("a file");
        let mut found = 0;
        for index in 0..times {
            let mut damaged = bytes.clone();
            let at = (index * 104_729 + index * index * 31) % (bytes.len() - 1);
            damaged[at] ^= 1 << (index % 8);
            fs::write(&file, damaged).expect("damage");
            match answers(&lake).await {
                // A byte that no question needs.
                Ok(answers) => assert!(answers == expected, "{name} at {at}"),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Damaged, "{name} at {at}: {error}");
                    let words = error.to_string();
                    let file = name.rsplit('/').next().expect("a name");
                    assert!(words.contains(file), "{name} at {at}: {error}");
                    found += 1;
                }
            }
        }
        assert!(found >= times * 9 / 10, "{name}: {found} of {times}");
        fs::write(&file, bytes).expect("as it was");
    }
    assert_eq!(answers(&lake).await.expect("answers"), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_missing_cut_off_or_too_many_are_named_when_an_export_is_opened() {
    let room = Room::new();
    let lake = lake(&room);
    let part = lake.join("positions/part-0000.parquet");
    let bytes = fs::read(&part).expect("a file");
    let refused = async |what: &str| {
        let error = Session::open([&lake], &Options::default()).await.err();
        let error = error.expect(what);
        assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
        assert!(error.to_string().contains(what), "{error}");
    };
    fs::write(&part, b"").expect("an empty file");
    refused("part-0000.parquet is damaged: it is empty").await;
    fs::write(&part, &bytes[..bytes.len() - 9]).expect("a shorter file");
    refused("part-0000.parquet is damaged: it has").await;
    fs::remove_file(&part).expect("gone");
    refused("part-0000.parquet is damaged: it is not there").await;
    fs::remove_dir(lake.join("positions")).expect("gone");
    refused("part-0000.parquet is damaged: it is not there").await;
    fs::create_dir(lake.join("positions")).expect("a folder");
    let other = lake.join("positions/part-0001.parquet");
    fs::write(&other, &bytes).expect("a file");
    refused("part-0000.parquet is damaged: it is not there").await;
    fs::write(&part, &bytes).expect("a file");
    refused("part-0001.parquet is damaged: it does not belong").await;
    fs::remove_file(&other).expect("gone");
    let column = lake.join("positions/x=1");
    fs::create_dir(&column).expect("a folder");
    fs::write(column.join("part-0000.parquet"), &bytes).expect("a file");
    refused("x=1/part-0000.parquet is damaged: it does not belong").await;
    fs::remove_dir_all(&column).expect("gone");
    let (games, elsewhere) = (lake.join("games.parquet"), room.path("games.parquet"));
    fs::rename(&games, &elsewhere).expect("gone");
    refused("games.parquet is damaged: it is not there").await;
    fs::rename(&elsewhere, &games).expect("there again");
    fs::write(lake.join("positions/_SUCCESS"), b"").expect("a file of others");
    let older = lake.join("positions/older");
    fs::create_dir(&older).expect("a folder of others");
    fs::write(older.join("part-0000.parquet"), b"").expect("what nobody reads");
    let session = session([&lake]).await;
    ask(&session, ALL[0]).await;
    fs::remove_file(lake.join("export.json")).expect("gone");
    refused("export.json is damaged: it is not there").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_of_a_later_version_is_not_called_damaged() {
    let room = Room::new();
    let lake = lake(&room);
    let list = lake.join("export.json");
    let later = fs::read_to_string(&list).expect("a list");
    let later = later.replacen("\"version\":1", "\"version\":2", 1);
    fs::write(&list, later).expect("a list");
    let error = Session::open([&lake], &Options::default()).await.err();
    let error = error.expect("a later version");
    assert_eq!(error.kind(), ErrorKind::Input, "{error}");
    let words = error.to_string();
    assert!(
        words.contains("version 2") && !words.contains("remove"),
        "{words}"
    );
}

/// As executors read, which open no export.
#[tokio::test(flavor = "multi_thread")]
async fn an_export_that_has_lost_its_list_is_not_read_as_one_of_before() {
    let room = Room::new();
    let lake = lake(&room);
    let read = async |runtime: Arc<RuntimeEnv>| {
        let context = SessionContext::new_with_config_rt(SessionConfig::new(), runtime);
        let games = lake.join("games.parquet").display().to_string();
        context
            .register_parquet("games", games, ParquetReadOptions::default())
            .await?;
        let frame = context.sql("SELECT count(white) FROM games").await?;
        frame.collect().await
    };
    let runtime = || {
        let stores = Arc::new(Stores::default());
        let runtime = RuntimeEnvBuilder::new().with_object_store_registry(stores);
        runtime.build_arc().expect("a runtime")
    };
    let known = runtime();
    read(Arc::clone(&known)).await.expect("rows");
    fs::remove_file(lake.join("export.json")).expect("gone");
    let error = read(runtime()).await.expect_err("no list");
    assert!(
        error.to_string().contains("export.json is not there"),
        "{error}"
    );
    // What has been compared before is compared still, and nothing is believed without the list.
    let mut games = fs::read(lake.join("games.parquet")).expect("a file");
    let middle = games.len() / 2;
    games[middle] ^= 1;
    fs::write(lake.join("games.parquet"), games).expect("damage");
    let error = read(known).await.expect_err("no list");
    assert!(
        error.to_string().contains("export.json is not there"),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_turns_out_to_be_no_export_leaves_no_table_behind() {
    let room = Room::new();
    let session = session([crate::room::sample("famous.pgn")]).await;
    let context = SessionContext::new();
    for (name, column) in [
        ("games.parquet", "id"),
        ("positions/part-0000.parquet", "ply"),
    ] {
        let path = room.path("other").join(name);
        let sql = format!("COPY (SELECT 1 AS {column}) TO '{}'", path.display());
        let written = context.sql(&sql).await.expect("a plan").collect().await;
        written.expect("a file");
    }
    for _ in 0..2 {
        let error = session.add(&room.path("other")).await.expect_err("no key");
        assert!(error.to_string().contains("no column key"), "{error}");
        for table in ["other.games", "other.positions", "other_2.games"] {
            let error = session.query(&format!("SELECT * FROM {table}")).await.err();
            assert_eq!(
                error.map(|it| it.kind()),
                Some(ErrorKind::UnknownTable),
                "{table}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_that_has_gone_is_not_said_to_be_replaced() {
    let room = Room::new();
    let lake = lake(&room);
    let session = session([&lake]).await;
    fs::rename(&lake, room.path("elsewhere")).expect("away");
    let error = session.query(ALL[1]).await.err().expect("no export");
    assert_eq!(error.kind(), ErrorKind::Input, "{error}");
    assert!(
        error.to_string().contains("is not there any more"),
        "{error}"
    );
    fs::rename(room.path("elsewhere"), &lake).expect("back");
    ask(&session, ALL[1]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_go_or_come_while_an_export_is_open_are_errors_and_no_answer() {
    let room = Room::new();
    let lake = lake(&room);
    let session = session([&lake]).await;
    let questions = ["positions", "games"].map(|table| format!("SELECT count(*) FROM {table}"));
    let [positions, games] = &questions;
    let expected = cell(&session, positions).await;
    let is_damaged = async |question: &str, what: &str| {
        let error = session.query(question).await.err().expect(what);
        assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
        let words = format!("lake/{what}; remove the export");
        assert!(error.to_string().contains(&words), "{error}");
    };
    let part = lake.join("positions/part-0000.parquet");
    let bytes = fs::read(&part).expect("a file");
    fs::write(&part, b"").expect("an empty file");
    let length = bytes.len();
    let empty = format!("positions/part-0000.parquet has 0 bytes instead of {length}");
    is_damaged(positions, &empty).await;
    // No other file is there, and then no folder.
    let missing = "positions/part-0000.parquet is not there";
    fs::remove_file(&part).expect("gone");
    is_damaged(positions, missing).await;
    fs::remove_dir(lake.join("positions")).expect("gone");
    is_damaged(positions, missing).await;
    for folders in ["positions", "positions/x=1"] {
        let stranger = lake.join(folders).join("part-0001.parquet");
        fs::create_dir_all(lake.join(folders)).expect("a folder");
        fs::write(&part, &bytes).expect("as it was");
        fs::write(&stranger, &bytes).expect("a file");
        let strange = format!("{folders}/part-0001.parquet does not belong to the export");
        is_damaged(positions, &strange).await;
        fs::remove_file(&stranger).expect("gone");
    }
    assert_eq!(cell(&session, positions).await, expected);
    fs::remove_file(lake.join("games.parquet")).expect("gone");
    is_damaged(games, "games.parquet is not there").await;
}

/// Puts another export in the place of one.
fn replace(room: &Room, lake: &Path) {
    fs::remove_dir_all(lake).expect("gone");
    let more = room.pgn("more.pgn", &generated(300..320));
    export(&more, lake);
}

fn is_replaced(error: &tabiya_sql::Error) -> bool {
    let words = "has been replaced by another export since it was opened: open it in a new session";
    error.kind() == ErrorKind::Input && error.to_string().ends_with(words)
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_an_export_open_hears_that_another_one_has_taken_its_place() {
    let room = Room::new();
    let lake = lake(&room);
    let session = session([&lake]).await;
    let questions = ["games", "positions"].map(|table| format!("SELECT count(*) FROM {table}"));
    for question in &questions {
        ask(&session, question).await;
    }
    replace(&room, &lake);
    for question in questions.iter().map(String::as_str).chain(ALL) {
        let error = session.query(question).await.err().expect(question);
        assert!(is_replaced(&error), "{question}: {error}");
    }
    let session = crate::room::session([&lake]).await;
    assert_eq!(cell(&session, &questions[0]).await, "20");
    let plies = "SELECT count(DISTINCT game) FROM positions WHERE ply = 1";
    assert_eq!(cell(&session, plies).await, "20");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_of_two_exports_is_none() {
    let room = Room::new();
    let lake = lake(&room);
    let session = session([&lake]).await;
    let mut answer = session.query("SELECT id FROM games").await.expect("rows");
    let first = answer.next().await.expect("a batch").expect("rows");
    assert!(first.num_rows() > 0);
    replace(&room, &lake);
    let mut last = None;
    while let Some(next) = answer.next().await {
        last = Some(next);
    }
    let error = last.expect("more than rows").expect_err("another export");
    assert!(is_replaced(&error), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_that_was_refused_is_looked_at_again() {
    let room = Room::new();
    let lake = lake(&room);
    let part = lake.join("positions/part-0000.parquet");
    let aside = room.path("aside.parquet");
    fs::copy(&part, lake.join("positions/part-0001.parquet")).expect("another part");
    fs::rename(&part, &aside).expect("away");
    let session = session([crate::room::sample("famous.pgn")]).await;
    for _ in 0..2 {
        let error = session.add(&lake).await.expect_err("a part is missing");
        assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
        assert_eq!(cell(&session, "SELECT count(*) FROM games").await, "34");
    }
    fs::remove_file(lake.join("positions/part-0001.parquet")).expect("gone");
    fs::rename(&aside, &part).expect("back");
    session.add(&lake).await.expect("an export");
    assert_eq!(
        cell(&session, "SELECT count(*) FROM lake.games").await,
        "300"
    );
}

/// Its tables would read the files of the other one, and know nothing of its columns.
#[tokio::test(flavor = "multi_thread")]
async fn another_export_in_the_place_of_one_is_opened_in_a_new_session() {
    let room = Room::new();
    let lake = lake(&room);
    let opened = session([&crate::room::sample("famous.pgn"), &lake]).await;
    let [of_file, of_lake] = ["games", "lake.games"].map(|it| format!("SELECT count(*) FROM {it}"));
    assert_eq!(cell(&opened, &of_lake).await, "300");
    replace(&room, &lake);
    for _ in 0..2 {
        let error = opened.add(&lake).await.expect_err("another export");
        assert!(is_replaced(&error), "{error}");
        for question in [&of_file, &of_lake] {
            let error = opened.query(question).await.err().expect("another export");
            assert!(is_replaced(&error), "{question}: {error}");
        }
    }
    let opened = session([&lake]).await;
    assert_eq!(cell(&opened, &of_lake).await, "20");
}
