//! Schedulers and executors as processes, each ended by its id.

use std::{
    fs::File,
    io::{BufRead, BufReader},
    num::NonZeroUsize,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use datafusion::prelude::SessionContext;
use tabiya_sql::cluster::{self, Options};
use tempfile::TempDir;

/// A process that ends with the test.
pub struct Process {
    child: Child,
    log: PathBuf,
}

impl Process {
    /// Starts a command, and waits until it says something; that is what comes back with it.
    pub fn start(command: &mut Command, log: PathBuf) -> (Process, String) {
        let errors = File::create(&log).expect("a file");
        command.stdout(Stdio::piped()).stderr(errors);
        let mut child = command.spawn().expect("a process");
        let mut said = String::new();
        let stdout = child.stdout.take().expect("a pipe");
        BufReader::new(stdout).read_line(&mut said).expect("words");
        let process = Process { child, log };
        assert!(!said.is_empty(), "{command:?}: {}", process.log());
        (process, said.trim_end().to_owned())
    }

    pub fn kill(&mut self) {
        self.child.kill().expect("a process that was ours");
        self.child.wait().expect("an end");
    }

    /// Sends it a signal, by its name.
    #[cfg(unix)]
    pub fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(sent.expect("kill").success());
    }

    /// The code by which it has ended, if it has.
    pub fn code(&mut self) -> Option<i32> {
        let ended = self.child.try_wait().expect("a process that was ours");
        ended.and_then(|status| status.code())
    }

    /// What it told on stderr. What it told a device, nobody knows.
    pub fn log(&self) -> String {
        match self.log.is_file() {
            true => std::fs::read_to_string(&self.log).expect("a log"),
            false => String::new(),
        }
    }

    /// How long it has worked, all cores together.
    #[cfg(target_os = "linux")]
    pub fn worked(&self) -> Duration {
        let path = format!("/proc/{}/stat", self.child.id());
        let stat = std::fs::read_to_string(path).expect("a process");
        // Behind the name in brackets, from the state on: the 12th and 13th are ticks of 10 ms.
        let (_, fields) = stat.rsplit_once(") ").expect("a name");
        let ticks = fields.split(' ').skip(11).take(2);
        let ticks: u64 = ticks.map(|tick| tick.parse::<u64>().expect("ticks")).sum();
        Duration::from_millis(ticks * 10)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have been killed by the test already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub struct Cluster {
    pub scheduler: Process,
    pub executors: Vec<Process>,
    pub address: String,
    folder: TempDir,
}

/// What a cluster is told at its start.
#[derive(Default)]
pub struct Setting {
    /// Options of the scheduler.
    pub scheduler: &'static [&'static str],
    /// Options of the executors.
    pub executor: &'static [&'static str],
    pub environment: Vec<(String, String)>,
    /// Where all tell what they do, if not in files.
    pub stderr: Option<&'static str>,
}

impl Setting {
    /// A cluster in a hurry to notice what is amiss.
    pub fn hurried() -> Setting {
        Setting {
            // Not so short that an executor on a busy machine is taken for lost.
            scheduler: &["--executor-timeout", "10"],
            executor: &["--heartbeat", "1"],
            ..Setting::default()
        }
    }
}

impl Cluster {
    /// A scheduler and so many executors with a core each.
    pub fn start(executors: usize) -> Cluster {
        Cluster::start_with(executors, Setting::default())
    }

    /// With options, and an environment.
    pub fn start_with(executors: usize, setting: Setting) -> Cluster {
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya-scheduler"));
        command.args(["--bind", "127.0.0.1:0", "--log", "info"]);
        command
            .args(setting.scheduler)
            .envs(setting.environment.clone());
        let log = log(&folder, &setting, "scheduler.log");
        let (scheduler, said) = Process::start(&mut command, log);
        let address = said.strip_prefix("listening on ").expect("an address");
        let mut cluster = Cluster {
            scheduler,
            executors: Vec::new(),
            address: address.to_owned(),
            folder,
        };
        for _ in 0..executors {
            cluster.add_executor(&setting);
        }
        cluster
    }

    /// One more executor with a core.
    pub fn add_executor(&mut self, setting: &Setting) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya-executor"));
        command.args(["--scheduler", &self.address, "--cores", "1"]);
        command.args(["--data-port", "0", "--task-port", "0", "--log", "info"]);
        command
            .args(setting.executor)
            // One that is killed leaves its folder behind.
            .env("TMPDIR", self.folder.path())
            .envs(setting.environment.clone());
        let name = format!("executor-{}.log", self.executors.len());
        let log = log(&self.folder, setting, &name);
        let (executor, said) = Process::start(&mut command, log);
        assert_eq!(said, format!("ready for {}", self.address));
        self.executors.push(executor);
    }

    pub async fn session(&self, lake: &Path) -> SessionContext {
        let session = cluster::connect(&self.address, &url(lake), &options()).await;
        session.expect("a session")
    }
}

fn log(folder: &TempDir, setting: &Setting, name: &str) -> PathBuf {
    match setting.stderr {
        Some(path) => path.into(),
        None => folder.path().join(name),
    }
}

/// Few parts for few cores.
pub fn options() -> Options {
    Options {
        partitions: NonZeroUsize::new(4),
        ..Options::default()
    }
}

/// The address of a folder.
pub fn url(path: &Path) -> String {
    format!("file://{}", path.display())
}
