//! What may go wrong between machines.

use std::{
    fs::{self, OpenOptions},
    io::{Seek, SeekFrom, Write},
    net::TcpListener,
    process::Command,
    time::{Duration, Instant},
};

use tabiya_sql::{ErrorKind, Options, Session, cluster};
use tokio::net::TcpSocket;

use super::{
    ask::{PATIENCE, local, rows},
    lake::{GAMES, copy, lake, small_lake},
    process::{Cluster, Process, Setting, options, url},
    until,
};

/// Seconds of work for each row group, in many small steps.
const SLOW: &str = "select sum(levenshtein(repeat(uci, 5), repeat(san, 5))) from positions";

/// More work than a test waits for, half a second for each batch of rows.
fn long() -> String {
    const MINUTE: &str = "select levenshtein(repeat(uci, 20), repeat(san, 20)) as n from positions";
    format!("select sum(n) from ({})", [MINUTE; 30].join(" union all "))
}

/// Waits until executors work no more.
#[cfg(target_os = "linux")]
async fn until_rest(executors: &[Process]) {
    let worked = || executors.iter().map(Process::worked).sum();
    let (mut last, mut since): (Duration, _) = (worked(), Instant::now());
    until("rest", || {
        // Heartbeats take a few milliseconds, batches half a second.
        if worked() > last + Duration::from_millis(60) {
            (last, since) = (worked(), Instant::now());
        }
        since.elapsed() > Duration::from_millis(1_500)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[cfg(target_os = "linux")]
async fn an_executor_killed_at_work_does_not_change_the_answer() {
    let lake = lake();
    let expected = rows(&local(lake).await, SLOW).await.expect("an answer");
    let mut cluster = Cluster::start_with(2, Setting::hurried());
    let session = cluster.session(lake).await;
    let answer = tokio::spawn(async move { rows(&session, SLOW).await });
    let victim = &mut cluster.executors[1];
    // Parts of a file without a row group are done at once.
    let at_work = |log: String| {
        let count = |what: &str| log.matches(what).count();
        count("Execute task") > count("Finished task")
    };
    let before = victim.worked();
    until("a task", || {
        victim.worked() > before + Duration::from_millis(300) && at_work(victim.log())
    })
    .await;
    victim.kill();
    assert!(!answer.is_finished(), "too late");
    let answer = answer.await.expect("no panic").expect("an answer");
    assert_eq!(answer, expected);
    let log = cluster.scheduler.log();
    assert!(log.contains("is begun anew"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
#[cfg(target_os = "linux")]
async fn a_question_waits_for_an_executor_that_comes_back() {
    let lake = lake();
    let expected = rows(&local(lake).await, SLOW).await.expect("an answer");
    let mut cluster = Cluster::start_with(1, Setting::hurried());
    let session = cluster.session(lake).await;
    let answer = tokio::spawn(async move { rows(&session, SLOW).await });
    let victim = &mut cluster.executors[0];
    until("a task", || victim.log().contains("Execute task")).await;
    victim.kill();
    assert!(!answer.is_finished(), "too late");
    let scheduler = &cluster.scheduler;
    until("a loss", || scheduler.log().contains("Removing executor")).await;
    // Longer than Ballista would have waited.
    tokio::time::sleep(Duration::from_secs(5)).await;
    cluster.add_executor(&Setting::hurried());
    let answer = answer.await.expect("no panic");
    assert_eq!(answer.expect("an answer"), expected);
    let log = cluster.scheduler.log();
    assert!(log.contains("is begun anew"), "{log}");
}

/// It takes with it what it had done for the next step, too.
#[tokio::test(flavor = "multi_thread")]
#[cfg(target_os = "linux")]
async fn an_executor_killed_between_two_steps_does_not_change_the_answer() {
    const STEPS: &str = "select sum(levenshtein(repeat(uci, 20), repeat(san, 20)) * plies) from \
                         (select uci, san, game, count(*) as plies from positions \
                          group by uci, san, game)";
    let lake = small_lake();
    let expected = rows(&local(lake).await, STEPS).await.expect("an answer");
    let mut cluster = Cluster::start_with(2, Setting::hurried());
    let session = cluster.session(lake).await;
    let answer = tokio::spawn(async move { rows(&session, STEPS).await });
    // `[TID job/stage.attempt/part]`
    let steps = |log: String| {
        let tasks = log.lines().filter(|line| line.contains("Execute task"));
        let steps = tasks.filter_map(|line| Some(line.split('/').nth(1)?.to_owned()));
        steps.collect::<std::collections::BTreeSet<_>>().len()
    };
    let at_second = |executors: &[Process]| {
        let mut executors = executors.iter();
        executors.position(|executor| steps(executor.log()) > 1)
    };
    until("a second step", || at_second(&cluster.executors).is_some()).await;
    let victim = at_second(&cluster.executors).expect("it was there");
    cluster.executors[victim].kill();
    assert!(!answer.is_finished(), "too late");
    let answer = answer.await.expect("no panic");
    assert_eq!(answer.expect("an answer"), expected);
    let log = cluster.scheduler.log();
    assert!(log.contains("is begun anew"), "{log}");
}

/// As one whose machine sleeps for a while.
#[tokio::test(flavor = "multi_thread")]
#[cfg(target_os = "linux")]
async fn an_executor_that_is_silent_for_too_long_is_replaced_and_sent_away() {
    let lake = lake();
    let expected = rows(&local(lake).await, SLOW).await.expect("an answer");
    let mut cluster = Cluster::start_with(2, Setting::hurried());
    let session = cluster.session(lake).await;
    let answer = tokio::spawn(async move { rows(&session, SLOW).await });
    let silent = &cluster.executors[1];
    let before = silent.worked();
    until("a task", || {
        silent.worked() > before + Duration::from_millis(300)
    })
    .await;
    silent.signal("STOP");
    let scheduler = &cluster.scheduler;
    until("a loss", || scheduler.log().contains("is begun anew")).await;
    silent.signal("CONT");
    let answer = answer.await.expect("no panic").expect("an answer");
    assert_eq!(answer, expected);
    let silent = &mut cluster.executors[1];
    until("an end", || silent.code().is_some()).await;
    assert_eq!(silent.code(), Some(2), "{}", silent.log());
    let log = silent.log();
    assert!(log.contains("has taken this executor for lost"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_executor_killed_while_rows_are_fetched_ends_the_question() {
    let mut cluster = Cluster::start(1);
    let context = cluster.session(lake()).await;
    let session = Session::over(context, &Options::default());
    // More than waits between two processes.
    let answer = session.query("select repeat(uci, 200) from positions");
    let mut answer = answer.await.expect("a plan");
    let first = answer.next().await.expect("rows").expect("rows");
    assert!(first.num_rows() > 0);
    cluster.executors[0].kill();
    let rest = tokio::time::timeout(PATIENCE, answer.collect()).await;
    let error = rest.expect("an end").expect_err("not all rows").to_string();
    assert!(error.ends_with("; ask again"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
#[cfg(target_os = "linux")]
async fn a_dropped_question_stops_the_executors() {
    let cluster = Cluster::start(2);
    let session = cluster.session(lake()).await;
    let asking = session.clone();
    let answer = tokio::spawn(async move { rows(&asking, &long()).await });
    let worked = || cluster.executors.iter().map(Process::worked).sum();
    let before: Duration = worked();
    until("work", || worked() > before + Duration::from_millis(300)).await;
    answer.abort();
    until_rest(&cluster.executors).await;
    let games = rows(&session, "select count(*) from games").await;
    assert!(games.expect("an answer")[3].contains(&GAMES.to_string()));
}

/// Tasks are given to an executor whose core is still busy with what nobody wants any more.
#[tokio::test(flavor = "multi_thread")]
#[cfg(target_os = "linux")]
async fn a_dropped_question_does_not_begin_where_another_cannot_be_stopped() {
    // Seconds for a batch of rows, in which nothing stops.
    const STUCK: &str = "select sum(levenshtein(repeat(uci, 60), repeat(san, 60))) from positions";
    let cluster = Cluster::start(1);
    let session = cluster.session(small_lake()).await;
    let asking = session.clone();
    let stuck = tokio::spawn(async move { rows(&asking, STUCK).await });
    let executor = &cluster.executors[0];
    let before = executor.worked();
    until("work", || {
        executor.worked() > before + Duration::from_millis(300)
    })
    .await;
    stuck.abort();
    let cancelled = |jobs| cluster.scheduler.log().matches("Job cancelled").count() == jobs;
    until("the first to be cancelled", || cancelled(1)).await;
    let asking = cluster.session(lake()).await;
    let waiting = tokio::spawn(async move { rows(&asking, &long()).await });
    let submitted = || cluster.scheduler.log().matches("Job submitted").count();
    until("a second job", || submitted() == 2).await;
    waiting.abort();
    until("the second to be cancelled", || cancelled(2)).await;
    until_rest(&cluster.executors).await;
    let games = rows(&session, "select count(*) from games").await;
    games.expect("an answer");
}

#[tokio::test(flavor = "multi_thread")]
#[cfg(target_os = "linux")]
async fn nobody_has_to_listen_to_what_is_told() {
    let setting = Setting {
        stderr: Some("/dev/full"),
        ..Setting::default()
    };
    let cluster = Cluster::start_with(1, setting);
    let session = cluster.session(small_lake()).await;
    let games = rows(&session, "select count(*) from games").await;
    games.expect("an answer");
    // Reading the device would not end.
    assert_eq!(cluster.executors[0].log(), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scheduler_that_ends_ends_the_question() {
    let mut cluster = Cluster::start(1);
    let session = cluster.session(lake()).await;
    let answer = tokio::spawn(async move { rows(&session, &long()).await });
    let executor = &cluster.executors[0];
    until("a task", || executor.log().contains("Execute task")).await;
    cluster.scheduler.kill();
    answer.await.expect("no panic").expect_err("no scheduler");
}

#[tokio::test]
async fn a_scheduler_that_is_not_there_is_named_within_seconds() {
    // A port where nobody listens, and nobody else will.
    let held = TcpSocket::new_v4().expect("a socket");
    let any_port = "127.0.0.1:0".parse().expect("an address");
    held.bind(any_port).expect("a port");
    let address = held.local_addr().expect("an address").to_string();
    let lake = url(lake());
    let started = Instant::now();
    let session = cluster::connect(&address, &lake, &options()).await;
    let error = session.err().expect("nobody there").to_string();
    assert!(error.contains(&address), "{error}");
    assert!(error.contains("refused"), "{error}");
    assert!(error.contains("`tabiya-scheduler` starts one"), "{error}");
    assert!(started.elapsed() < options().patience + Duration::from_secs(30));
}

#[tokio::test]
async fn a_stranger_on_the_port_is_not_waited_for() {
    let stranger = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = stranger.local_addr().expect("an address").to_string();
    let lake = url(lake());
    let started = Instant::now();
    let session = cluster::connect(&address, &lake, &options()).await;
    let error = session.err().expect("a stranger").to_string();
    assert!(error.contains(&address), "{error}");
    assert!(started.elapsed() < options().patience + Duration::from_secs(30));
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_of_executors_are_those_of_one_machine() {
    let cluster = Cluster::start(1);
    let (local, remote) = (local(lake()).await, cluster.session(lake()).await);
    for sql in [
        "select count(*) from games where reaches(moves, main_line)",
        "select sum(cast(white as int)) from games",
        "select whit from games",
        "select count(*) from game",
        "select chess(moves) from games",
        "drop table games",
        "selekt",
    ] {
        let expected = rows(&local, sql).await.expect_err(sql);
        let error = rows(&remote, sql).await.expect_err(sql);
        assert_eq!(error.kind(), expected.kind(), "{sql}: {error}");
        let words = |text: String| text.split(':').next().unwrap_or_default().to_owned();
        assert_eq!(
            words(error.to_string()),
            words(expected.to_string()),
            "{sql}: {error}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_fails_the_question_once_and_the_executor_goes_on() {
    // DataFusion asks for room for as many characters.
    const PANICS: &str = "select sum(length(lpad(uci, 9223372036854775806 + ply))) from positions \
                          where ply = 1";
    let mut cluster = Cluster::start(1);
    let session = cluster.session(small_lake()).await;
    let error = rows(&session, PANICS).await.expect_err("a panic");
    assert_eq!(error.kind(), ErrorKind::Internal, "{error}");
    assert_eq!(
        error.to_string(),
        "a fault of the program: capacity overflow"
    );
    let log = cluster.scheduler.log();
    assert!(!log.contains("is begun anew"), "{log}");
    let games = rows(&session, "select count(*) from games").await;
    games.expect("an answer");
    assert_eq!(cluster.executors[0].code(), None, "it lives");
}

#[test]
fn an_executor_without_a_scheduler_says_so_and_ends() {
    let command = Command::new(env!("CARGO_BIN_EXE_tabiya-executor"))
        .args(["--scheduler", "127.0.0.1:1", "--wait", "1"])
        .args(["--data-port", "0", "--task-port", "0"])
        .output()
        .expect("a process");
    let error = String::from_utf8_lossy(&command.stderr);
    assert_eq!(command.status.code(), Some(2), "{error}");
    assert!(
        error.contains("no scheduler answers at 127.0.0.1:1"),
        "{error}"
    );
}

#[test]
fn a_port_that_is_taken_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address");
    for [port, other] in [
        ["--data-port", "--task-port"],
        ["--task-port", "--data-port"],
    ] {
        let command = Command::new(env!("CARGO_BIN_EXE_tabiya-executor"))
            .args([port, &address.port().to_string(), other, "0"])
            .output()
            .expect("a process");
        let error = String::from_utf8_lossy(&command.stderr);
        assert_eq!(command.status.code(), Some(2), "{error}");
        assert!(error.contains(&address.to_string()), "{error}");
    }
}

/// Client, scheduler and executors look each for themselves which files there are.
#[tokio::test(flavor = "multi_thread")]
async fn files_that_go_while_a_session_is_open_are_an_error_and_no_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let cluster = Cluster::start(1);
    let part = folder.path().join("positions/part-0000.parquet");
    let games = folder.path().join("games.parquet");
    for (table, file) in [("positions", part), ("games", games)] {
        copy(small_lake(), folder.path());
        let session = cluster.session(folder.path()).await;
        let question = format!("select count(*) from {table}");
        let before = rows(&session, &question).await.expect("an answer");
        fs::rename(&file, folder.path().join("aside")).expect("away");
        let error = rows(&session, &question).await.expect_err("no file");
        assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
        let words = format!("{} is not there", file.display());
        assert!(error.to_string().contains(&words), "{error}");
        fs::rename(folder.path().join("aside"), &file).expect("back");
        let after = rows(&session, &question).await.expect("an answer");
        assert_eq!(after, before);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_files_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let cluster = Cluster::start(1);

    let cut = folder.path().join("cut");
    copy(lake(), &cut);
    let games = OpenOptions::new()
        .write(true)
        .open(cut.join("games.parquet"));
    games
        .expect("a file")
        .set_len(1_000)
        .expect("a shorter one");
    let session = cluster::connect(&cluster.address, &url(&cut), &options()).await;
    let error = session.err().expect("a short file").to_string();
    assert!(error.contains("cut/games.parquet"), "{error}");

    let empty = folder.path().join("empty");
    fs::create_dir(&empty).expect("a folder");
    let session = cluster::connect(&cluster.address, &url(&empty), &options()).await;
    let error = session.err().expect("no files").to_string();
    assert!(error.contains("games.parquet is not there"), "{error}");
    assert!(error.contains("--parquet"), "{error}");

    let spoilt = folder.path().join("spoilt");
    copy(lake(), &spoilt);
    let games = OpenOptions::new()
        .write(true)
        .open(spoilt.join("games.parquet"));
    let mut games = games.expect("a file");
    let length = games.metadata().expect("a length").len();
    // Names of most games, but neither the first bytes nor what the last ones say of columns.
    let damaged = usize::try_from(length / 2).expect("a short file");
    games.seek(SeekFrom::Start(16)).expect("a place");
    games.write_all(&vec![0xff; damaged]).expect("damage");
    let session = cluster.session(&spoilt).await;
    let answer = rows(
        &session,
        "select count(distinct main_line), sum(length(white)) from games",
    )
    .await;
    let error = answer.expect_err("damage");
    assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
    assert!(
        error.to_string().contains("spoilt/games.parquet"),
        "{error}"
    );

    // What the last bytes say decides what the scheduler plans.
    let unplanned = folder.path().join("unplanned");
    copy(small_lake(), &unplanned);
    let session = cluster.session(&unplanned).await;
    let part = unplanned.join("positions/part-0000.parquet");
    let mut bytes = fs::read(&part).expect("a file");
    let at = bytes.len() - 20;
    bytes[at] ^= 1;
    fs::write(&part, bytes).expect("damage");
    let error = rows(&session, "select max(ply) from positions").await;
    let error = error.expect_err("damage");
    assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
    assert!(error.to_string().contains("part-0000.parquet"), "{error}");

    // Nothing hangs, and the cluster goes on.
    let answer = rows(&cluster.session(lake()).await, "select count(*) from games").await;
    answer.expect("an answer");
}
