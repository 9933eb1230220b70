//! What executors put on their disks.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use tabiya_sql::ErrorKind;
use tempfile::TempDir;
use tokio::time::timeout;

use super::{
    ask::{PATIENCE, rows},
    lake::{lake, small_lake},
    process::{Cluster, Setting},
    until,
};

fn folders(parent: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).expect("a folder");
    entries.map(|entry| entry.expect("a name").path()).collect()
}

/// An executor that puts its folder into another.
fn executor_in(folder: &Path) -> Setting {
    Setting {
        environment: vec![("TMPDIR".to_owned(), folder.display().to_string())],
        ..Setting::hurried()
    }
}

#[tokio::test(flavor = "multi_thread")]
#[cfg(unix)]
async fn what_nobody_knows_of_is_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let setting = executor_in(folder.path());
    let mut cluster = Cluster::start(0);
    cluster.add_executor(&setting);
    let session = cluster.session(small_lake()).await;
    let games = rows(&session, "select count(*) from games").await;
    games.expect("an answer");
    let [first] = &folders(folder.path())[..] else {
        panic!("one executor, one folder");
    };
    let jobs = first.join("jobs");
    let [asked] = &folders(&jobs)[..] else {
        panic!("one question, one folder");
    };
    // When the second one goes, the sweep that took the first has come to its end.
    for scheduler in ["first", "second"] {
        let strange = jobs.join(format!("of-the-{scheduler}-scheduler"));
        fs::create_dir_all(strange.join("1")).expect("a folder");
        until("a sweep", || !strange.exists()).await;
    }
    assert!(asked.exists(), "its rows are kept");

    // Nobody can do it who is killed.
    cluster.executors[0].kill();
    assert!(first.exists());
    cluster.add_executor(&setting);
    assert!(!first.exists());
    let [second] = &folders(folder.path())[..] else {
        panic!("one executor, one folder");
    };
    let executor = &mut cluster.executors[1];
    executor.signal("TERM");
    until("an end", || executor.code().is_some()).await;
    assert!(!second.exists());
}

/// A small disk, as long as it lives.
struct Disk(TempDir);

impl Disk {
    /// Some mebibytes, where the system gives them.
    fn new() -> Option<Disk> {
        let folder = tempfile::tempdir().expect("a folder");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=4m", "tmpfs"])
            .arg(folder.path())
            .output();
        if !mounted.is_ok_and(|mounted| mounted.status.success()) {
            eprintln!("skipped: no disk can be mounted");
            return None;
        }
        Some(Disk(folder))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Executors may have just ended.
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).output();
    }
}

#[tokio::test(flavor = "multi_thread")]
#[cfg(target_os = "linux")]
async fn a_full_disk_is_told_as_one() {
    let Some(disk) = Disk::new() else {
        return;
    };
    let mut cluster = Cluster::start(0);
    cluster.add_executor(&executor_in(disk.0.path()));
    let session = cluster.session(lake()).await;
    for sql in [
        // By what one step hands to the next.
        "select count(*) from (select uci, san, game, ply, count(*) from positions \
         group by uci, san, game, ply)",
        // By rows of the answer.
        "select game, ply, san, uci from positions",
    ] {
        let error = rows(&session, sql).await.expect_err("no room");
        assert_eq!(error.kind(), ErrorKind::Disk, "{sql}: {error}");
        assert!(error.to_string().contains("the disk is full"), "{error}");
    }
    // What those have written is removed a little later.
    let games = async {
        while let Err(error) = rows(&session, "select count(*) from games").await {
            assert_eq!(error.kind(), ErrorKind::Disk, "{error}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, games).await.expect("room enough");
}
