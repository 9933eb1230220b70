//! What may go wrong on the way between machines.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicBool, Ordering},
};

use tabiya_sql::{Options, Session};
use tokio::{
    io::{AsyncReadExt, copy_bidirectional},
    net::{TcpListener, TcpStream},
    time::timeout,
};

use super::{
    ask::{PATIENCE, local, rows},
    lake::{lake, small_lake},
    process::{Cluster, Process, Setting},
};

/// A process that is stopped answers as a machine does that has lost its power: not at all.
#[cfg(unix)]
async fn whoever_vanishes_ends_the_question(
    scheduler: &'static [&'static str],
    who: impl Fn(&Cluster) -> &Process,
) {
    let setting = Setting {
        scheduler,
        ..Setting::default()
    };
    let cluster = Cluster::start_with(1, setting);
    let session = Session::over(cluster.session(lake()).await, &Options::default());
    // More than waits between two processes.
    let answer = session.query("select repeat(uci, 400) from positions");
    let mut answer = answer.await.expect("a plan");
    let first = answer.next().await.expect("rows").expect("rows");
    assert!(first.num_rows() > 0);
    who(&cluster).signal("STOP");
    let rest = timeout(PATIENCE, answer.collect()).await;
    let error = rest.expect("an end").expect_err("not all rows").to_string();
    assert!(error.ends_with("; ask again"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
#[cfg(unix)]
async fn an_executor_that_vanishes_while_rows_are_fetched_ends_the_question() {
    whoever_vanishes_ends_the_question(&[], |cluster| &cluster.executors[0]).await;
}

#[tokio::test(flavor = "multi_thread")]
#[cfg(unix)]
async fn a_scheduler_that_vanishes_while_rows_are_fetched_there_ends_the_question() {
    whoever_vanishes_ends_the_question(&["--relay"], |cluster| &cluster.scheduler).await;
}

/// Passes on what comes to one address to another; but the first who calls is heard, and then cut off.
async fn way_that_breaks_once(from: TcpListener, to: SocketAddr) {
    let broken = AtomicBool::new(false);
    loop {
        let (mut caller, _) = from.accept().await.expect("a caller");
        if broken.swap(true, Ordering::Relaxed) {
            tokio::spawn(async move {
                let mut called = TcpStream::connect(to).await.expect("somebody there");
                // Either may hang up.
                let _ = copy_bidirectional(&mut caller, &mut called).await;
            });
        } else {
            // More than greetings: something is said.
            let mut said = [0; 250];
            caller.read_exact(&mut said).await.expect("words");
        }
    }
}

/// An executor is called and lives, but what it says of a task gets lost.
#[tokio::test(flavor = "multi_thread")]
#[cfg(target_os = "linux")]
async fn an_end_of_a_task_that_is_not_heard_of_does_not_change_the_answer() {
    let lake = small_lake();
    let sql = "select result, count(*) from games group by result";
    let expected = rows(&local(lake).await, sql).await.expect("an answer");
    // Executors say how tasks ended where the scheduler has told them to.
    let setting = Setting {
        scheduler: &["--advertise", "127.0.0.2"],
        ..Setting::hurried()
    };
    let cluster = Cluster::start_with(1, setting);
    let scheduler: SocketAddr = cluster.address.parse().expect("an address");
    let way = TcpListener::bind(("127.0.0.2", scheduler.port())).await;
    tokio::spawn(way_that_breaks_once(way.expect("a port"), scheduler));
    let session = cluster.session(lake).await;
    assert_eq!(rows(&session, sql).await.expect("an answer"), expected);
    let log = cluster.scheduler.log();
    assert!(log.contains("has said of a task did not come"), "{log}");
}
