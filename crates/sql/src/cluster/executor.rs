//! Who does the work.

use std::{
    fs, io,
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener},
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use ballista_core::RuntimeProducer;
use ballista_executor::{
    execution_engine::DefaultExecutionEngine,
    executor_process::{ExecutorProcessConfig, start_executor_process},
    health::ExecutorHealth,
    terminate,
};
use futures::FutureExt;
use tempfile::TempDir;

use super::{
    Error, client::Address, engine::Engine, neighbours::Neighbours, scheduler::callable, session,
};

/// How an executor is run.
///
/// ```
/// use tabiya_sql::cluster::executor::Options;
///
/// assert!(Options::default().bind.is_loopback());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The scheduler, `HOST:PORT`.
    pub scheduler: String,
    /// How long to wait for the scheduler to be there.
    pub patience: Duration,
    /// Where it listens.
    pub bind: IpAddr,
    /// Where others fetch what it has made. Port 0 is one that is free.
    pub data_port: u16,
    /// Where the scheduler gives it work. Port 0 is one that is free.
    pub task_port: u16,
    /// By which name others reach it, if not by the address where it listens.
    pub advertise: Option<String>,
    /// How much is done at a time; as much as the machine has cores if nobody says otherwise.
    pub cores: Option<NonZeroUsize>,
    /// How many bytes sorting, joining and grouping may take; what is more goes to the work folder. Seven
    /// tenths of the machine's memory if nobody says otherwise.
    pub memory: Option<usize>,
    /// Where it puts what others fetch, and what does not fit into memory: in a folder of its own, which is
    /// gone with it. Among the system's temporary files if nobody says otherwise.
    pub work_folder: Option<PathBuf>,
    /// How often it gives a sign of life. Seconds count.
    pub heartbeat: Duration,
}

impl Default for Options {
    /// On 127.0.0.1, for a scheduler there.
    fn default() -> Options {
        Options {
            scheduler: "127.0.0.1".to_owned(),
            patience: Duration::from_secs(30),
            bind: Ipv4Addr::LOCALHOST.into(),
            data_port: 50_051,
            task_port: 50_052,
            advertise: None,
            cores: None,
            memory: None,
            work_folder: None,
            heartbeat: Duration::from_secs(10),
        }
    }
}

/// Works until it is interrupted or terminated. `ready` is called once, when the scheduler knows it.
///
/// # Errors
/// If no scheduler answers, if addresses are taken, or if the folder cannot be written to.
pub async fn run(options: &Options, ready: impl FnOnce() + Send + 'static) -> Result<(), Error> {
    let scheduler = Address::parse(&options.scheduler)?;
    let name = callable(options.bind, options.advertise.as_deref())?;
    let folder = work_folder(options.work_folder.as_deref())?;
    let ports = free_ports(options.bind, [options.data_port, options.task_port])?;
    scheduler.greet(options.patience).await?;
    let health = ExecutorHealth::new();
    let config = config(
        options,
        &scheduler,
        name,
        ports,
        folder.path(),
        health.clone(),
    );
    let registered = health.clone();
    let first_heartbeat = tokio::spawn(async move {
        while !registered.is_ready() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        ready();
    });
    let asked = asked_to_end().shared();
    let ended = tokio::select! {
        ended = start_executor_process(Arc::new(config)) => match (ended, asked.clone().now_or_never()) {
            (Ok(()), None) => Err(Error::SentAway { scheduler: scheduler.to_string() }),
            (ended, _) => ended.map_err(Error::from),
        },
        // A while for tasks to end: Ballista would wait for ever.
        () = asked.clone().then(|()| tokio::time::sleep(LAST_TASKS)) => Ok(()),
        () = forgotten(&health, options.heartbeat) => Err(scheduler.silent(
            options.heartbeat * FORGOTTEN_AFTER,
            "it has answered before".to_owned(),
        )),
    };
    first_heartbeat.abort();
    ended
}

/// Waits for Ctrl-C or SIGTERM.
async fn asked_to_end() {
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate::sig_term() => {}
    }
}

/// How long tasks may take to end after the executor is asked to.
const LAST_TASKS: Duration = Duration::from_secs(5);
/// Ballista gives up after five heartbeats without an answer, but not the tasks that are running.
const FORGOTTEN_AFTER: u32 = 8;

/// Waits until the scheduler has not answered for so long that nobody wants what is being done.
async fn forgotten(health: &ExecutorHealth, heartbeat: Duration) {
    let mut was_there = false;
    let mut missed = 0;
    while missed < FORGOTTEN_AFTER {
        tokio::time::sleep(heartbeat).await;
        was_there |= health.is_ready();
        match health.is_ready() || !was_there {
            true => missed = 0,
            false => missed += 1,
        }
    }
}

fn config(
    options: &Options,
    scheduler: &Address,
    name: String,
    [data_port, task_port]: [u16; 2],
    work_folder: &Path,
    health: ExecutorHealth,
) -> ExecutorProcessConfig {
    let all_cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let neighbours = Arc::new(Neighbours::default());
    let engine = Engine(DefaultExecutionEngine::with_client_pool(neighbours));
    let spill = work_folder.to_owned();
    let runtime: RuntimeProducer = Arc::new(move |_| session::runtime(Some(&spill)));
    ExecutorProcessConfig {
        bind_host: callable(options.bind, None).unwrap_or_else(|_| options.bind.to_string()),
        external_host: Some(name),
        port: data_port,
        grpc_port: task_port,
        scheduler_host: scheduler.host.clone(),
        scheduler_port: scheduler.port,
        vcores: options.cores.map_or_else(all_cores, NonZeroUsize::get),
        memory_pool_size: options.memory.map(|bytes| bytes as u64),
        work_dir: Some(work_folder.to_string_lossy().into_owned()),
        executor_heartbeat_interval_seconds: options.heartbeat.as_secs().max(1),
        override_function_registry: Some(Arc::new(session::registry())),
        override_runtime_producer: Some(runtime),
        override_execution_engine: Some(Arc::new(engine)),
        health,
        ..ExecutorProcessConfig::default()
    }
}

/// A new folder for what is between two parts of a job. Several executors may share a disk, and none knows
/// what another still needs: so each removes its own.
fn work_folder(given: Option<&Path>) -> Result<TempDir, Error> {
    let parent = given.map_or_else(std::env::temp_dir, Path::to_owned);
    let made = || {
        fs::create_dir_all(&parent)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix("tabiya-executor-").tempdir_in(&parent)
    };
    made().map_err(|source| Error::WorkFolder {
        folder: parent.display().to_string(),
        source,
    })
}

/// Two ports nobody listens on. Ballista opens ports itself, and says little where it cannot.
fn free_ports(bind: IpAddr, [one, other]: [u16; 2]) -> Result<[u16; 2], Error> {
    // Both are held until both are known, or they could be one.
    let (one, _held) = held_port(bind, one)?;
    let (other, _held_too) = held_port(bind, other)?;
    Ok([one, other])
}

fn held_port(bind: IpAddr, port: u16) -> Result<(u16, TcpListener), Error> {
    let address = SocketAddr::new(bind, port);
    let held = || -> io::Result<(u16, TcpListener)> {
        let listener = TcpListener::bind(address)?;
        Ok((listener.local_addr()?.port(), listener))
    };
    held().map_err(|source| Error::Bind { address, source })
}
