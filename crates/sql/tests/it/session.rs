//! How inputs are named, what is refused, and when an answer ends.

use std::{
    num::NonZeroUsize,
    sync::Arc,
    time::{Duration, Instant},
};

use datafusion::physical_plan::{ExecutionPlan, collect};
use tabiya_sql::{ErrorKind, Options, Session};
use tokio::time::timeout;

use crate::room::{Room, append, ask, ask_sorted, cell, generated, sample, session};

#[tokio::test(flavor = "multi_thread")]
async fn the_first_input_gives_the_tables_and_each_has_a_schema_of_its_own() {
    let room = Room::new();
    let one = room.pgn("One.pgn", &generated(0..3));
    let two = room.pgn("two games.pgn", &generated(0..2));
    let session = session([&one, &two]).await;
    assert_eq!(cell(&session, "SELECT count(*) FROM games").await, "3");
    assert_eq!(cell(&session, "SELECT count(*) FROM one.games").await, "3");
    let other = "SELECT count(*) FROM \"two games\".games";
    assert_eq!(cell(&session, other).await, "2");
    let joined = "SELECT count(*) FROM one.games AS a JOIN \"two games\".games AS b ON a.id = b.id";
    assert_eq!(cell(&session, joined).await, "2");
}

#[tokio::test(flavor = "multi_thread")]
async fn inputs_of_one_name_are_numbered() {
    let room = Room::new();
    let one = room.pgn("games.pgn", &generated(0..3));
    let two = room.pgn("games.si5", &generated(0..2));
    let session = session([&one, &two]).await;
    assert_eq!(
        cell(&session, "SELECT count(*) FROM games.games").await,
        "3"
    );
    assert_eq!(
        cell(&session, "SELECT count(*) FROM games_2.games").await,
        "2"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn any_file_is_a_table_under_its_path() {
    let room = Room::new();
    let pgn = room.pgn("my games.pgn", &generated(0..5));
    let cbh = room.pgn("my.cbh", &generated(0..4));
    let none: [&str; 0] = [];
    let session = session(none).await;
    let count = |from: String| {
        let session = &session;
        async move { cell(session, &format!("SELECT count(*) FROM {from}")).await }
    };
    assert_eq!(count(format!("'{}'", pgn.display())).await, "5");
    assert_eq!(count(format!("'{}'", cbh.display())).await, "4");
    assert_eq!(count(format!("games('{}')", cbh.display())).await, "4");
    let plies: u64 = count(format!("positions('{}')", cbh.display()))
        .await
        .parse()
        .unwrap();
    let expected: usize = generated(0..4)
        .iter()
        .map(|game| game.main_line().count())
        .sum();
    assert_eq!(plies, expected as u64);
}

#[tokio::test(flavor = "multi_thread")]
async fn standard_input_is_refused() {
    let error = Session::open(["-"], &Options::default())
        .await
        .err()
        .unwrap();
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(error.to_string().contains("save it as a file"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_can_be_changed_but_views() {
    let room = Room::new();
    let path = room.pgn("games.pgn", &generated(0..3));
    let session = session([&path]).await;
    let out = room.path("out.csv");
    for sql in [
        "CREATE TABLE t AS SELECT 1".to_owned(),
        format!("COPY games TO '{}'", out.display()),
        format!(
            "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '{}'",
            out.display()
        ),
        "DROP TABLE games".to_owned(),
        "INSERT INTO games (id) VALUES (1)".to_owned(),
        "DELETE FROM games".to_owned(),
        "UPDATE games SET white = 'x'".to_owned(),
        "CREATE SCHEMA s".to_owned(),
        "SET datafusion.execution.batch_size = 1".to_owned(),
        format!("EXPLAIN COPY games TO '{}'", out.display()),
    ] {
        let error = session
            .query(&sql)
            .await
            .err()
            .unwrap_or_else(|| panic!("{sql}"));
        assert_eq!(error.kind(), ErrorKind::ReadOnly, "{sql}: {error}");
    }
    assert!(!out.exists());
    ask(
        &session,
        "CREATE VIEW short AS SELECT * FROM games WHERE ply_count < 60",
    )
    .await;
    ask(&session, "SELECT count(*) FROM short").await;
    ask(&session, "SET datafusion.explain.format = 'indent'").await;
    assert_eq!(cell(&session, "SELECT count(*) FROM games").await, "3");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_takes_too_long_is_given_up() {
    let room = Room::new();
    let (path, _) = room.overlaid("games.tabiya");
    let options = Options {
        timeout: Some(Duration::from_millis(300)),
        ..Options::default()
    };
    let session = Session::open([&path], &options).await.unwrap();
    let began = Instant::now();
    // Some 10^14 pairs of positions.
    let sql = "SELECT count(*) FROM positions AS a, positions AS b, positions AS c WHERE a.key < b.key + c.key";
    let error = match session.query(sql).await {
        Ok(answer) => answer.collect().await.err(),
        Err(error) => Some(error),
    };
    let error = error.expect("nobody counts so quickly");
    assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
    assert!(error.to_string().contains("0.3 s"), "{error}");
    assert!(
        began.elapsed() < Duration::from_secs(300),
        "{:?}",
        began.elapsed()
    );
}

/// Some 20 MB to be sorted.
const MUCH: &str = "SELECT key, game, ply, uci, copy FROM positions, \
                    (VALUES (1), (2), (3), (4), (5), (6), (7), (8)) AS copies (copy) \
                    ORDER BY key, game, ply, copy";

#[tokio::test(flavor = "multi_thread")]
async fn little_memory_is_enough_for_a_sort_and_too_little_is_said_so() {
    let room = Room::new();
    let (path, _) = room.overlaid("games.tabiya");
    let all = ask(&session([&path]).await, MUCH).await;
    let options = |memory: usize| Options {
        memory: Some(memory),
        threads: NonZeroUsize::new(2),
        ..Options::default()
    };
    let little = Session::open([&path], &options(8 << 20)).await.unwrap();
    assert!(ask(&little, MUCH).await == all);
    let none = Session::open([&path], &options(10 << 10)).await.unwrap();
    let answer = none.query(MUCH).await.unwrap().collect().await;
    let error = answer.expect_err("there is no memory");
    assert_eq!(error.kind(), ErrorKind::Memory, "{error}");
    assert!(error.to_string().contains("more memory"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_fills_up_is_said_so() {
    let room = Room::new();
    let (path, _) = room.overlaid("games.tabiya");
    let options = Options {
        memory: Some(8 << 20),
        disk: Some(1 << 16),
        threads: NonZeroUsize::new(2),
        ..Options::default()
    };
    let session = Session::open([&path], &options).await.unwrap();
    let answer = session.query(MUCH).await.unwrap().collect().await;
    let error = answer.expect_err("there is no disk");
    assert_eq!(error.kind(), ErrorKind::Disk, "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_drops_an_answer_stops_the_work() {
    let room = Room::new();
    let (path, _) = room.overlaid("games.tabiya");
    let session = session([&path]).await;
    let sql = "SELECT a.key FROM positions AS a, positions AS b WHERE a.key < b.key";
    let tasks = || {
        tokio::runtime::Handle::current()
            .metrics()
            .num_alive_tasks()
    };
    let before = tasks();
    let mut answer = session.query(sql).await.unwrap();
    answer.next().await.expect("rows").expect("rows");
    assert!(tasks() > before, "nothing works");
    let dropped = Instant::now();
    drop(answer);
    while tasks() > before {
        assert!(dropped.elapsed() < Duration::from_secs(60), "still at work");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(cell(&session, "SELECT count(*) FROM games").await, "697");
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_that_grow_by_views_and_common_tables_are_refused_in_time() {
    let session = session([sample("famous.pgn")]).await;
    let tables = |count: usize| {
        let more = (1..count).map(|it| format!(", a{it} AS (SELECT x + 1 AS x FROM a{})", it - 1));
        let more: String = more.collect();
        format!(
            "WITH a0 AS (SELECT ply_count AS x FROM games){more} SELECT min(x) - {count} FROM a{}",
            count - 1
        )
    };
    let shortest = cell(&session, "SELECT min(ply_count) - 1 FROM games").await;
    assert_eq!(cell(&session, &tables(100)).await, shortest);
    for count in [400, 20_000] {
        let error = session.query(&tables(count)).await.err().expect("too deep");
        assert_eq!(error.kind(), ErrorKind::Meaning, "{error}");
    }
    ask(&session, "CREATE VIEW v0 AS SELECT id FROM games").await;
    let mut refused = None;
    for number in 1..1_000 {
        let sql = format!(
            "CREATE VIEW v{number} AS SELECT id + 1 AS id FROM v{}",
            number - 1
        );
        if let Some(error) = session.query(&sql).await.err() {
            refused = Some(error);
            break;
        }
    }
    let error = refused.expect("too deep");
    assert_eq!(error.kind(), ErrorKind::Meaning, "{error}");
    ask(&session, "CREATE VIEW w0 AS SELECT id FROM games").await;
    // Each asks twice of what the one before it asks.
    let mut refused = None;
    for number in 1..40 {
        let before = number - 1;
        let sql = format!(
            "CREATE VIEW w{number} AS SELECT a.id FROM w{before} a JOIN w{before} b ON a.id = b.id"
        );
        refused = session.query(&sql).await.err();
        if refused.is_some() {
            break;
        }
    }
    let error = refused.expect("too many steps");
    assert_eq!(error.kind(), ErrorKind::Meaning, "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_that_double_in_one_statement_are_refused_in_time() {
    let session = session([sample("famous.pgn")]).await;
    let doubled = |count: usize, once: &dyn Fn(usize) -> String| {
        let more = (1..count).map(|it| format!(", a{it} AS ({})", once(it - 1)));
        let more: String = more.collect();
        format!(
            "WITH a0 AS (SELECT id AS x FROM games){more} SELECT * FROM a{}",
            count - 1
        )
    };
    let tables = |it| format!("SELECT a.x FROM a{it} a JOIN a{it} b ON a.x = b.x");
    let columns = |it| format!("SELECT x + x AS x FROM a{it}");
    let few = doubled(4, &tables) + " WHERE x > 5";
    assert_eq!(ask(&session, &few).await.len(), 29);
    let few = doubled(12, &columns) + &format!(" WHERE x > {}", 5 << 11);
    assert_eq!(ask(&session, &few).await.len(), 29);
    let ranges =
        (0..40).map(|it| format!("SELECT sum(x) OVER () + x + x AS x, x AS y{it} FROM a{it}"));
    let ranges: Vec<String> = ranges.collect();
    for once in [&tables as &dyn Fn(usize) -> String, &columns, &|it| {
        ranges[it].clone()
    }] {
        let sql = doubled(40, once) + " WHERE x > 5";
        for sql in [
            sql.clone(),
            format!("EXPLAIN {sql}"),
            format!("CREATE VIEW v AS {sql}"),
        ] {
            let error = session.query(&sql).await.err().expect("too large");
            assert_eq!(error.kind(), ErrorKind::Meaning, "{error}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn names_are_there_to_be_completed() {
    let session = session([sample("famous.pgn")]).await;
    let names = session.names().await;
    for name in [
        "games",
        "famous.positions",
        "players",
        "white_rating",
        "count",
    ] {
        assert!(names.iter().any(|it| it == name), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_are_listed() {
    let session = session([sample("famous.pgn")]).await;
    let sql = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'";
    let names = ask_sorted(&session, sql).await.concat();
    assert_eq!(names, ["events", "games", "players", "positions"]);
    let columns = ask(&session, "DESCRIBE positions").await;
    assert_eq!(columns[0][0], "key");
}

/// Where no row is found there is no batch between two of which work could pause. Whoever never pauses is
/// done when his time is looked at, so none at all is given.
#[tokio::test]
async fn a_question_without_rows_is_given_up_in_time() {
    const GAMES: usize = 20_000;
    const NOWHERE: &str = "SELECT ply FROM positions WHERE san = 'nowhere' LIMIT 1";
    let room = Room::new();
    let games = generated(0..GAMES as u64);
    let (store, file) = (room.path("games.tabiya"), room.pgn("games.pgn", &games));
    append(&store, &games);
    // A second thread would not keep anybody from looking at the time.
    let options = Options {
        threads: NonZeroUsize::new(1),
        ..Options::default()
    };
    let session = Session::open([&store], &options).await.unwrap();
    let context = session.context();
    // On a busy machine it may pause before the first game, or be woken before anybody looks at the time.
    let mut given_up = false;
    for _ in 0..20 {
        let plan = context.sql(NOWHERE).await.expect("a question");
        let plan = plan.create_physical_plan().await.expect("a plan");
        let rows = collect(Arc::clone(&plan), context.task_ctx());
        let is_over = timeout(Duration::ZERO, rows).await.is_ok();
        given_up |= !is_over && (1..GAMES).contains(&metric(&plan, "games_read"));
    }
    assert!(given_up, "nobody looks at the time");

    let session = Session::open([&file], &options).await.unwrap();
    let mut given_up = false;
    for _ in 0..20 {
        let answer = session.query(NOWHERE).await.expect("a plan");
        given_up |= timeout(Duration::ZERO, answer.collect()).await.is_err();
    }
    assert!(given_up, "nobody looks at the time");
}

/// What all steps of a plan have counted.
fn metric(plan: &Arc<dyn ExecutionPlan>, name: &str) -> usize {
    let own = plan.metrics().and_then(|all| all.sum_by_name(name));
    let own = own.map_or(0, |value| value.as_usize());
    let others = plan.children().into_iter();
    own + others.map(|child| metric(child, name)).sum::<usize>()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_view_does_not_take_the_place_of_a_table() {
    let session = session([sample("famous.pgn")]).await;
    let sql = "CREATE OR REPLACE VIEW games AS SELECT 1 AS x";
    let error = session.query(sql).await.err().expect("a table");
    assert_eq!(error.kind(), ErrorKind::ReadOnly, "{error}");
    ask(&session, "SELECT white FROM games").await;
}
