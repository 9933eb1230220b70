//! Whoever is killed while a database is changed leaves it as it was or as it shall be.

use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use tabiya_chessbase::{assembly::swap::recover, cbh2::edit};
use tabiya_game::GameTree;

use super::{
    edit::{GAMES, check_frames, create, entries},
    games,
    indexes::check_indexes,
};

const PATH: &str = "TABIYA_KILL_PATH";
const CHANGE: &str = "TABIYA_KILL_CHANGE";

/// How often a change is begun and killed.
const KILLS: u32 = 200;

const NEW: &str = "[White \"New, Game\"]\n[Result \"*\"]\n\n1. e4 {new} e5 2. Nf3 Nc6 3. Bb5 a6 \
    4. Ba4 Nf6 5. O-O Be7 *\n";

fn change(path: &Path, change: &str) {
    let done = match change {
        "append" => edit::append(path, &entries(GAMES)).map(drop),
        "replace" => edit::replace(path, 1, &entries(NEW)),
        "compact" => edit::compact(path).map(drop),
        other => panic!("{other}"),
    };
    done.expect("a change");
}

/// What the other test starts, to kill it.
#[test]
fn a_change_that_may_be_killed() {
    let (Some(path), Some(what)) = (env::var_os(PATH), env::var_os(CHANGE)) else {
        return;
    };
    change(Path::new(&path), &what.to_string_lossy());
}

/// When a process is killed.
#[derive(Clone, Copy)]
enum When {
    Never,
    /// After a time.
    After(Duration),
    /// So long after the new files have begun to take their places.
    InSwap(Duration),
}

/// Starts a change in another process and kills it. Returns how long that took.
fn run(path: &Path, what: &str, when: When) -> Duration {
    let begin = Instant::now();
    let mut child = Command::new(env::current_exe().expect("this program"))
        .args(["--exact", "kill::a_change_that_may_be_killed"])
        .env(PATH, path)
        .env(CHANGE, what)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a process");
    let wait = match when {
        When::Never => None,
        When::After(wait) => Some(wait),
        When::InSwap(wait) => {
            let list = path.with_file_name(".games.2cbh.tabiya-swap");
            while !list.exists() && child.try_wait().expect("a process").is_none() {}
            Some(wait)
        }
    };
    if let Some(wait) = wait {
        thread::sleep(wait);
        let _ = child.kill();
    }
    let status = child.wait().expect("its end");
    assert!(wait.is_some() || status.success());
    begin.elapsed()
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), to.join(entry.file_name())).expect("a file");
    }
}

/// The games of a database before and after a change.
fn states(original: &Path, what: &str) -> [Vec<GameTree>; 2] {
    let folder = tempfile::tempdir().expect("a folder");
    copy(original, folder.path());
    let path = folder.path().join("games.2cbh");
    let before = games(&path);
    change(&path, what);
    [before, games(&path)]
}

#[test]
fn a_kill_at_any_moment_leaves_a_whole_database() {
    let original = tempfile::tempdir().expect("a folder");
    let path = original.path().join("games.2cbh");
    create(&path);
    for _ in 0..20 {
        edit::append(&path, &entries(GAMES)).expect("a change");
    }
    edit::delete(&path, &[2, 5]).expect("a change");
    let changes = ["append", "replace", "compact"];
    let states = changes.map(|what| states(original.path(), what));
    let mut seen = [0; 2];
    let mut completed = 0;
    let mut longest = Duration::ZERO;
    for kill in 0..KILLS {
        let index = kill as usize % changes.len();
        let folder = tempfile::tempdir().expect("a folder");
        copy(original.path(), folder.path());
        let path = folder.path().join("games.2cbh");
        // Scattered over the whole change, and over the time in which names change.
        let part = kill * 7919 % 1000;
        let when = match kill {
            0..3 => When::Never,
            _ if kill % 2 == 0 => When::After(longest * part / 1000),
            _ => When::InSwap(Duration::from_micros(u64::from(part / 3))),
        };
        let time = run(&path, changes[index], when);
        if matches!(when, When::Never) {
            longest = longest.max(time);
        }
        completed += u32::from(recover(&path).expect("a database"));
        let games = games(&path);
        let [before, after] = &states[index];
        assert!(games == *before || games == *after, "{}", changes[index]);
        seen[usize::from(games == *after)] += 1;
        check_frames(&path);
        check_indexes(&path);
    }
    println!("{seen:?} before and after, {completed} completed");
    assert!(seen.iter().all(|count| *count > 0));
}
