//! Whoever is killed while a database is changed leaves it as it was or as it shall be.

use std::{
    env, fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use tabiya_formats::{
    pgn::Parser,
    scid::{Builder, Editor, NewGames, Version, Writer, compact},
};
use tabiya_game::GameTree;

use super::{extension, open, read};

const PATH: &str = "TABIYA_KILL_PATH";
const CHANGE: &str = "TABIYA_KILL_CHANGE";

/// How often a change is begun and killed.
const KILLS: u32 = 200;
/// Before that, each change runs to its end once in either version, to see how long it takes.
const WHOLE: u32 = 6;
const CHANGES: [&str; 3] = ["append", "replace", "compact"];
const VERSIONS: [Version; 2] = [Version::Si4, Version::Si5];

/// How many games there are before, and how many are added or replaced.
const GAMES: u64 = 1_000;
const CHANGED: u64 = 100;

fn record(version: Version, name: &str, number: u64) -> NewGames {
    let mut writer = Writer::new(version);
    let pgn = format!(
        "[White \"{name} {number}\"]\n[Round \"{}\"]\n\n1. e4 {{{name}}} e5 2. Nf3 Nc6 3. Bb5 a6 \
         4. Ba4 Nf6 (4... b5 5. Bb3) 5. O-O Be7 1-0\n",
        number % 40
    );
    Parser::new(&pgn).read_game(&mut writer);
    writer.take()
}

fn create(path: &Path, version: Version) {
    let mut builder = Builder::create(version, path).expect("a database");
    for number in 1..=GAMES {
        let record = record(version, "Old", number);
        builder.add(&record).expect("there is room");
    }
    builder.finish().expect("it is written");
    let mut editor = Editor::open(path).expect("a database");
    for number in (1..=GAMES).step_by(9) {
        editor.delete(number).expect("a game");
    }
    editor.commit().expect("it is changed");
}

fn change(path: &Path, version: Version, change: &str) {
    let numbers = (1..=GAMES).step_by((GAMES / CHANGED) as usize);
    match change {
        "append" => {
            let mut builder = Builder::append(version, path).expect("a database");
            for number in numbers {
                let record = record(version, "New", number);
                builder.add(&record).expect("there is room");
            }
            builder.finish().expect("it is changed");
        }
        "replace" => {
            let mut editor = Editor::open(path).expect("a database");
            for number in numbers {
                let record = record(version, "New", number);
                editor.replace(number, &record).expect("a game");
                editor.delete(number + 1).expect("a game");
            }
            editor.commit().expect("it is changed");
        }
        _ => {
            compact(path).expect("it is changed");
        }
    }
}

/// What the other tests start, to kill it or to meet it.
#[test]
fn a_change_that_may_be_killed() {
    let (Some(path), Ok(what)) = (env::var_os(PATH), env::var(CHANGE)) else {
        return;
    };
    let path = Path::new(&path);
    change(path, open(path).version(), &what);
}

fn start(path: &Path, what: &str) -> Child {
    Command::new(env::current_exe().expect("this program"))
        .args(["--exact", "scid::kill::a_change_that_may_be_killed"])
        .env(PATH, path)
        .env(CHANGE, what)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a process")
}

/// When a process is killed.
#[derive(Clone, Copy)]
enum When {
    Never,
    /// After a time.
    After(Duration),
    /// So long after the files have begun to change.
    InFiles(Duration),
}

/// Starts a change in another process and kills it. Returns how long that took.
fn run(path: &Path, what: &str, when: When) -> Duration {
    let begin = Instant::now();
    let before = sizes(path);
    let mut child = start(path, what);
    let wait = match when {
        When::Never => None,
        When::After(wait) => Some(wait),
        When::InFiles(wait) => {
            while sizes(path) == before && child.try_wait().expect("a process").is_none() {}
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

/// How long the game file is, and whether another one waits to take its place.
fn sizes(path: &Path) -> (u64, bool) {
    let games = path.to_str().expect("a plain path").replace(".si", ".sg");
    let length = fs::metadata(&games).map_or(0, |file| file.len());
    (length, Path::new(&format!("{games}.tabiya-new")).exists())
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), to.join(entry.file_name())).expect("a file");
    }
}

/// A folder with a copy of the files of another.
fn copied(from: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    copy(from, folder.path());
    folder
}

/// All games, deleted ones too; `ScidFlags` tells which they are.
fn games(path: &Path) -> Vec<GameTree> {
    read(&mut open(path))
}

/// The games of a database before and after each change.
fn states(original: &Path, version: Version) -> [[Vec<GameTree>; 2]; 3] {
    CHANGES.map(|what| {
        let folder = copied(original);
        let path = folder.path().join(extension(version));
        let before = games(&path);
        change(&path, version, what);
        [before, games(&path)]
    })
}

#[test]
fn a_kill_at_any_moment_leaves_a_whole_database() {
    let originals = VERSIONS.map(|version| {
        let folder = tempfile::tempdir().expect("a folder");
        create(&folder.path().join(extension(version)), version);
        let states = states(folder.path(), version);
        (version, folder, states)
    });
    let mut seen = [0; 2];
    let mut longest = Duration::ZERO;
    for kill in 0..WHOLE + KILLS {
        let (version, original, states) = &originals[kill as usize % 2];
        let index = kill as usize / 2 % CHANGES.len();
        let folder = copied(original.path());
        let path = folder.path().join(extension(*version));
        // Scattered over the whole change, and over the time in which files change.
        let part = kill * 7919 % 1000;
        let when = match kill {
            0..WHOLE => When::Never,
            _ if kill % 4 < 2 => When::After(longest * part / 1000),
            _ => When::InFiles(Duration::from_micros(u64::from(part * 5))),
        };
        let time = run(&path, CHANGES[index], when);
        if matches!(when, When::Never) {
            longest = longest.max(time);
        }
        let found = games(&path);
        let [before, after] = &states[index];
        assert!(found == *before || found == *after, "{}", CHANGES[index]);
        seen[usize::from(found == *after)] += 1;
        goes_on(&path, *version, found);
    }
    println!("{seen:?} before and after");
    assert!(seen.iter().all(|count| *count > 10), "{seen:?}");
}

/// What was left behind does not keep the next one from changing the database.
fn goes_on(path: &Path, version: Version, found: Vec<GameTree>) {
    let mut editor = Editor::open(path).expect("a database");
    editor
        .append(&record(version, "Next", 1))
        .expect("there is room");
    editor.commit().expect("it is changed");
    let mut games = games(path);
    let last = games.pop().expect("a game");
    assert_eq!(last.tags.get("White"), Some("Next 1"));
    assert!(games == found);
}

/// Several processes that add to a database at once: some are refused, and what the others add is
/// all there.
#[test]
fn two_processes_never_change_a_database_at_once() {
    for version in VERSIONS {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(extension(version));
        create(&path, version);
        let mut children: Vec<Child> = (0..8).map(|_| start(&path, "append")).collect();
        // Who only reads is not hindered.
        assert_eq!(games(&path).len() as u64 % CHANGED, 0);
        let succeeds = |child: &mut Child| child.wait().expect("its end").success();
        let done = children
            .iter_mut()
            .map(succeeds)
            .filter(|done| *done)
            .count();
        assert!(done > 0);
        assert_eq!(games(&path).len() as u64, GAMES + done as u64 * CHANGED);
    }
}
