//! Who does the work.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener},
    num::NonZeroUsize,
    path::PathBuf,
    sync::Arc,
    thread,
    time::Duration,
};

use arrow_flight::flight_service_server::FlightServiceServer;
use ballista_core::{
    ConfigProducer, RuntimeProducer,
    error::BallistaError,
    extension::SessionConfigExt,
    ids::new_instance_id,
    utils::{create_grpc_server, default_config_producer},
};
use ballista_executor::{
    ArrowFlightServerProvider,
    execution_engine::DefaultExecutionEngine,
    executor_process::{ExecutorProcessConfig, start_executor_process},
    flight_service::BallistaFlightService,
    health::ExecutorHealth,
    terminate,
};
use futures::FutureExt;
use tonic::transport::server::TcpIncoming;

use super::{
    Error,
    client::Address,
    connection::all_watched,
    employer::Employer,
    engine::Engine,
    neighbours::Neighbours,
    scheduler::{LARGEST_MESSAGE, callable},
    session,
    work_folder::WorkFolder,
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
    let folder = WorkFolder::new(options.work_folder.as_deref())?;
    let data = listener(options.bind, options.data_port)?;
    let tasks = listener(options.bind, options.task_port)?;
    scheduler.greet(options.patience).await?;
    let id = new_instance_id();
    let employer = Employer::new(&id, &scheduler, options.heartbeat)?;
    let health = ExecutorHealth::new();
    let config = ExecutorProcessConfig {
        executor_id: id,
        external_host: Some(name),
        port: port(&data)?,
        grpc_port: port(&tasks)?,
        scheduler_host: scheduler.host.clone(),
        scheduler_port: scheduler.port,
        override_arrow_flight_service: Some(served(data)),
        health: health.clone(),
        ..config(options, &folder, employer.clone())?
    };
    // Ballista listens there itself, and says so if it cannot.
    drop(tasks);
    let registered = health.clone();
    let first_heartbeat = tokio::spawn(async move {
        while !registered.is_ready() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        ready();
    });
    let jobs = folder.jobs();
    let sweeping = tokio::spawn(async move { employer.sweep(&jobs).await });
    let asked = asked_to_end().shared();
    let ended = tokio::select! {
        ended = start_executor_process(Arc::new(config)) => match (ended, asked.clone().now_or_never()) {
            (Ok(()), None) => Err(Error::SentAway { scheduler: scheduler.to_string() }),
            (ended, _) => ended.map_err(Error::from),
        },
        // A while for tasks to end: Ballista would wait for ever.
        () = asked.clone().then(|()| tokio::time::sleep(LAST_TASKS)) => Ok(()),
        () = forgotten(&health, options.heartbeat) => Err(scheduler.silent(
            options.heartbeat.saturating_mul(FORGOTTEN_AFTER),
            "it has answered before".to_owned(),
        )),
    };
    first_heartbeat.abort();
    sweeping.abort();
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

/// What does not depend on who else there is.
fn config(
    options: &Options,
    folder: &WorkFolder,
    employer: Employer,
) -> Result<ExecutorProcessConfig, Error> {
    let all_cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let neighbours = Arc::new(Neighbours::default());
    let engine = Engine {
        ballistas: DefaultExecutionEngine::with_client_pool(neighbours),
        employer,
    };
    let session: ConfigProducer = Arc::new(|| {
        default_config_producer().with_ballista_override_create_grpc_client_endpoint(all_watched())
    });
    // One for all sessions: each has room for what it knows of files.
    let runtime = session::runtime(Some(&folder.spilled()))?;
    let runtime: RuntimeProducer = Arc::new(move |_| Ok(runtime.clone()));
    Ok(ExecutorProcessConfig {
        bind_host: callable(options.bind, None).unwrap_or_else(|_| options.bind.to_string()),
        vcores: options.cores.map_or_else(all_cores, NonZeroUsize::get),
        memory_pool_size: options.memory.map(|bytes| bytes as u64),
        work_dir: Some(folder.jobs().to_string_lossy().into_owned()),
        executor_heartbeat_interval_seconds: options.heartbeat.as_secs().max(1),
        override_function_registry: Some(Arc::new(session::registry())),
        override_config_producer: Some(session),
        override_runtime_producer: Some(runtime),
        override_execution_engine: Some(Arc::new(engine)),
        override_create_grpc_client_endpoint: Some(all_watched()),
        ..ExecutorProcessConfig::default()
    })
}

/// Ballista opens ports itself, and says little where it cannot.
fn listener(bind: IpAddr, port: u16) -> Result<TcpListener, Error> {
    let address = SocketAddr::new(bind, port);
    TcpListener::bind(address).map_err(|source| Error::Bind { address, source })
}

fn port(listener: &TcpListener) -> Result<u16, Error> {
    let address = listener.local_addr().map_err(BallistaError::from)?;
    Ok(address.port())
}

/// What others fetch, by a port that is open already.
fn served(data: TcpListener) -> Arc<ArrowFlightServerProvider> {
    Arc::new(move |jobs, _, mut shutdown, config| {
        let data = data.try_clone();
        tokio::spawn(async move {
            let data = data?;
            data.set_nonblocking(true)?;
            let data = tokio::net::TcpListener::from_std(data)?;
            let service = FlightServiceServer::new(BallistaFlightService::new(jobs))
                .max_encoding_message_size(LARGEST_MESSAGE)
                .max_decoding_message_size(LARGEST_MESSAGE);
            let incoming = TcpIncoming::from(data).with_nodelay(Some(true));
            let serving = create_grpc_server(&config).add_service(service);
            let ended = serving.serve_with_incoming_shutdown(incoming, shutdown.recv());
            ended.await.map_err(BallistaError::TonicError)
        })
    })
}
