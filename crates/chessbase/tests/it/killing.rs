//! Kills whoever changes a database, again and again. Both families are changed in the same way.

use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use tabiya_chessbase::assembly::swap::recover;
use tabiya_game::GameTree;

const PATH: &str = "TABIYA_KILL_PATH";
const CHANGE: &str = "TABIYA_KILL_CHANGE";

/// How often a change is begun and killed.
const KILLS: u32 = 200;

/// The changes, by their names.
const CHANGES: [&str; 3] = ["append", "replace", "compact"];

pub const NEW: &str = "[White \"New, Game\"]\n[Result \"*\"]\n\n1. e4 {new} e5 2. Nf3 Nc6 3. Bb5 a6 \
    4. Ba4 Nf6 5. O-O Be7 *\n";

/// A family of databases.
pub struct Family {
    /// The test that makes the change another process asks for.
    pub test: &'static str,
    /// What the database is called.
    pub name: &'static str,
    /// The list of files that take their places.
    pub swap_list: &'static str,
    /// Makes a database in which some games are deleted.
    pub create: fn(&Path),
    /// Makes a change of a name.
    pub change: fn(&Path, &str),
    /// The games of a database.
    pub read: fn(&Path) -> Vec<GameTree>,
    /// Fails if something in a database does not fit together.
    pub check: fn(&Path),
}

impl Family {
    /// Makes the change that another process asks for, so that it can kill this one.
    pub fn change_if_asked(&self) {
        let (Some(path), Some(what)) = (env::var_os(PATH), env::var_os(CHANGE)) else {
            return;
        };
        (self.change)(Path::new(&path), &what.to_string_lossy());
    }

    /// A kill at any moment leaves a whole database.
    pub fn kill(&self) {
        let original = tempfile::tempdir().expect("a folder");
        let path = original.path().join(self.name);
        (self.create)(&path);
        let states = CHANGES.map(|what| self.states(original.path(), what));
        let mut seen = [0; 2];
        let mut completed = 0;
        let mut longest = Duration::ZERO;
        for kill in 0..KILLS {
            let index = kill as usize % CHANGES.len();
            let folder = tempfile::tempdir().expect("a folder");
            copy(original.path(), folder.path());
            let path = folder.path().join(self.name);
            // Scattered over the whole change, and over the time in which names change.
            let part = kill * 7919 % 1000;
            let when = match kill {
                0..3 => When::Never,
                _ if kill % 2 == 0 => When::After(longest * part / 1000),
                _ => When::InSwap(Duration::from_micros(u64::from(part / 3))),
            };
            let time = self.run(&path, CHANGES[index], when);
            if matches!(when, When::Never) {
                longest = longest.max(time);
            }
            completed += u32::from(recover(&path).expect("a database"));
            let games = (self.read)(&path);
            let [before, after] = &states[index];
            assert!(games == *before || games == *after, "{}", CHANGES[index]);
            seen[usize::from(games == *after)] += 1;
            (self.check)(&path);
        }
        println!("{seen:?} before and after, {completed} completed");
        assert!(seen.iter().all(|count| *count > 0));
    }

    /// Starts a change in another process and kills it. Returns how long that took.
    fn run(&self, path: &Path, what: &str, when: When) -> Duration {
        let begin = Instant::now();
        let mut child = Command::new(env::current_exe().expect("this program"))
            .args(["--exact", self.test])
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
                let list = path.with_file_name(self.swap_list);
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

    /// The games of a database before and after a change.
    fn states(&self, original: &Path, what: &str) -> [Vec<GameTree>; 2] {
        let folder = tempfile::tempdir().expect("a folder");
        copy(original, folder.path());
        let path = folder.path().join(self.name);
        let before = (self.read)(&path);
        (self.change)(&path, what);
        [before, (self.read)(&path)]
    }
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

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), to.join(entry.file_name())).expect("a file");
    }
}
