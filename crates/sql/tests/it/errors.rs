//! What is said when there is no answer.

use tabiya_sql::{Error, ErrorKind, Options, Session};

use crate::room::{Room, export, generated, sample, session};

async fn refused(session: &Session, sql: &str) -> Error {
    match session.query(sql).await {
        Ok(answer) => match answer.collect().await {
            Ok(_) => panic!("{sql} is answered"),
            Err(error) => error,
        },
        Err(error) => error,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_said_with_the_nearest_name() {
    let session = session([sample("famous.pgn")]).await;
    for (sql, kind, words) in [
        (
            "SELECT whit FROM games",
            ErrorKind::UnknownColumn,
            "no column whit; did you mean white?",
        ),
        (
            "SELECT * FROM gmes",
            ErrorKind::UnknownTable,
            "no table gmes, and no file of that name; did you mean games?",
        ),
        (
            "SELECT cuont(*) FROM games",
            ErrorKind::UnknownFunction,
            "no function cuont; did you mean count?",
        ),
        (
            "SELECT p.keys FROM positions p",
            ErrorKind::UnknownColumn,
            "did you mean key?",
        ),
        (
            "SELECT WhiteElo FROM games",
            ErrorKind::UnknownColumn,
            "did you mean white_rating?",
        ),
        (
            "SELECT * FROM 'no such.pgn'",
            ErrorKind::UnknownTable,
            "no table no such.pgn",
        ),
    ] {
        let error = refused(&session, sql).await;
        assert_eq!(error.kind(), kind, "{sql}: {error}");
        assert!(error.to_string().contains(words), "{sql}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_sql_is_said_so() {
    let session = session([sample("famous.pgn")]).await;
    for (sql, kind) in [
        ("SELEC 1", ErrorKind::Syntax),
        ("SELECT 1 +", ErrorKind::Syntax),
        ("SELECT white + moves FROM games", ErrorKind::Meaning),
        ("SELECT sum(white, black) FROM games", ErrorKind::Meaning),
        ("SELECT * FROM positions(1)", ErrorKind::Meaning),
        (
            "SELECT count(*), score(DISTINCT result) FROM games",
            ErrorKind::Meaning,
        ),
        ("SELECT cast(white AS int) FROM games", ErrorKind::Execution),
    ] {
        let error = refused(&session, sql).await;
        assert_eq!(error.kind(), kind, "{sql}: {error}");
        assert!(!error.to_string().is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_deep_to_be_planned_is_refused() {
    let session = session([sample("famous.pgn")]).await;
    let parts = (0..3_000).map(|id| format!("id between {id} and {id}"));
    let parts = parts.collect::<Vec<_>>();
    let ask = |count: usize| format!("SELECT id FROM games WHERE {}", parts[..count].join(" OR "));
    let error = refused(&session, &ask(3_000)).await;
    assert_eq!(error.kind(), ErrorKind::Meaning, "{error}");
    let answer = session.query(&ask(240)).await.expect("an answer");
    assert!(!answer.collect().await.expect("rows").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_input_that_is_not_there_or_is_no_database_is_named() {
    let room = Room::new();
    let nothing = room.path("nothing.pgn");
    let error = Session::open([&nothing], &Options::default())
        .await
        .err()
        .unwrap();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().contains("nothing.pgn"), "{error}");
    let odd = room.write("odd.bin", "\u{1}\u{2}\u{3}");
    let error = Session::open([&odd], &Options::default())
        .await
        .err()
        .unwrap();
    assert!(error.to_string().contains("odd.bin"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_database_is_refused_with_its_file_and_game() {
    let room = Room::new();
    let path = room.path("games.tabiya");
    crate::room::append(&path, &generated(0..100));
    let file = std::fs::read_dir(&path)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let file = file
        .into_iter()
        .find(|file| file.to_string_lossy().ends_with("moves.arrow"));
    let file = file.unwrap();
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    std::fs::write(&file, bytes).unwrap();
    let session = session([&path]).await;
    let error = refused(&session, "SELECT moves FROM games").await;
    assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
    assert!(error.to_string().contains("moves.arrow"), "{error}");
    // What is not damaged is answered.
    assert_eq!(
        crate::room::cell(&session, "SELECT count(white) FROM games").await,
        "100"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_export_is_refused() {
    let room = Room::new();
    let lake = room.path("lake");
    export(&sample("famous.pgn"), &lake);
    let file = lake.join("games.parquet");
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let error = Session::open([&lake], &Options::default())
        .await
        .err()
        .unwrap();
    assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
    let words = error.to_string();
    assert!(words.contains("games.parquet is damaged: "), "{error}");
    assert!(
        words.ends_with("; remove the export, and write it once more"),
        "{error}"
    );
    assert!(!words.contains("Parquet error"), "{error}");
}
