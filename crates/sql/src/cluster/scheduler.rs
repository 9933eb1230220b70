//! Who hands out the work.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use arrow_flight::flight_service_server::FlightServiceServer;
use async_trait::async_trait;
use ballista_core::{
    extension::BallistaConfigGrpcEndpoint, flight_proxy_service::BallistaFlightProxyService,
    serde::protobuf::scheduler_grpc_server::SchedulerGrpcServer,
};
use ballista_scheduler::{
    cluster::BallistaCluster, config::SchedulerConfig, scheduler_process::create_scheduler,
};
use datafusion::{
    catalog::Session,
    error::{DataFusionError, Result as DataFusionResult},
    execution::context::QueryPlanner,
    logical_expr::LogicalPlan,
    physical_plan::ExecutionPlan,
    physical_planner::{DefaultPhysicalPlanner, PhysicalPlanner},
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::transport::{Server as Listening, server::TcpIncoming};

use super::{
    Error, PORT,
    connection::{SILENCE, all_watched},
    executors::Executors,
    failure::unplanned,
    session,
    watch::{Names, Watched},
};

/// How a scheduler is run.
///
/// ```
/// use tabiya_sql::cluster::SchedulerOptions;
///
/// assert!(SchedulerOptions::default().bind.ip().is_loopback());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchedulerOptions {
    /// Where it listens. Port 0 is one that is free.
    pub bind: SocketAddr,
    /// By which name executors reach it, if not by the address where it listens.
    pub advertise: Option<String>,
    /// After so long without a sign of life an executor is given up, and others do its work. Seconds
    /// count.
    pub executor_timeout: Duration,
    /// How long the parts of an answer are kept for the client that fetches them. Seconds count.
    pub keep_results: Duration,
    /// Whether clients fetch rows from the scheduler, which fetches them from executors: for clients that
    /// cannot reach those.
    pub relay: bool,
}

impl Default for SchedulerOptions {
    /// On 127.0.0.1; executors are given up after a minute, results after an hour.
    fn default() -> SchedulerOptions {
        SchedulerOptions {
            bind: SocketAddr::new(Ipv4Addr::LOCALHOST.into(), PORT),
            advertise: None,
            executor_timeout: Duration::from_secs(60),
            keep_results: Duration::from_secs(3_600),
            relay: false,
        }
    }
}

/// A scheduler that listens.
pub struct Scheduler {
    listener: TcpListener,
    address: SocketAddr,
    service: Watched,
    relay: bool,
}

/// In seconds.
const CENTURY: u64 = 100 * 366 * 86_400;
/// In bytes, as Ballista's clients have it.
pub(super) const LARGEST_MESSAGE: usize = 16 << 20;

impl Scheduler {
    /// Listens, but does not answer yet.
    ///
    /// # Errors
    /// If the address is taken, or if executors could not call it.
    pub async fn bind(options: &SchedulerOptions) -> Result<Scheduler, Error> {
        let host = callable(options.bind.ip(), options.advertise.as_deref())?;
        let failed = |source| Error::Bind {
            address: options.bind,
            source,
        };
        let listener = TcpListener::bind(options.bind).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Scheduler {
            listener,
            address,
            service: watched(options, host, address).await?,
            relay: options.relay,
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until the future is dropped.
    ///
    /// # Errors
    /// If the system takes the address away, or if the scheduler has broken down and has to be started again.
    pub async fn run(self) -> Result<(), Error> {
        let broken = self.service.broken.clone();
        let service = SchedulerGrpcServer::new(self.service)
            .max_encoding_message_size(LARGEST_MESSAGE)
            .max_decoding_message_size(LARGEST_MESSAGE);
        let relay = self.relay.then(|| {
            let watched = Arc::new(BallistaConfigGrpcEndpoint::new(all_watched()));
            let (largest, watched) = (LARGEST_MESSAGE, Some(watched));
            let relay = BallistaFlightProxyService::new(largest, largest, false, watched);
            FlightServiceServer::new(relay)
                .max_encoding_message_size(LARGEST_MESSAGE)
                .max_decoding_message_size(LARGEST_MESSAGE)
        });
        // A client whose machine has lost its power closes no connection.
        let listening = Listening::builder()
            .http2_keepalive_interval(Some(SILENCE))
            .http2_keepalive_timeout(Some(SILENCE))
            .add_service(service)
            .add_optional_service(relay);
        let incoming = TcpIncoming::from(self.listener).with_nodelay(Some(true));
        tokio::select! {
            ended = listening.serve_with_incoming(incoming) => Ok(ended?),
            () = broken.cancelled() => Err(Error::Broken),
        }
    }
}

/// Ballista's scheduler, watched.
pub(super) async fn watched(
    options: &SchedulerOptions,
    host: String,
    address: SocketAddr,
) -> Result<Watched, Error> {
    let names = Arc::new(Names::new());
    let config = Arc::new(SchedulerConfig {
        job_id_generator: Some(names.clone()),
        ..config(options, host, address)
    });
    let cluster = BallistaCluster::new_from_config(&config).await?;
    let executors = Arc::new(Executors::new(cluster.cluster_state()));
    let jobs = cluster.job_state();
    let cluster = BallistaCluster::new(executors.clone(), jobs.clone());
    Ok(Watched {
        server: create_scheduler(cluster, config).await?,
        names,
        executors,
        jobs,
        broken: CancellationToken::new(),
    })
}

fn config(options: &SchedulerOptions, host: String, address: SocketAddr) -> SchedulerConfig {
    let timeout = options.executor_timeout.as_secs().max(1);
    let kept = options.keep_results.as_secs();
    SchedulerConfig {
        external_host: host,
        bind_host: address.ip().to_string(),
        bind_port: address.port(),
        executor_timeout_seconds: timeout,
        expire_dead_executor_interval_seconds: (timeout / 4).clamp(1, 15),
        // A job waits for executors as long as somebody waits for it.
        no_executors_grace_period_seconds: CENTURY,
        finished_job_data_clean_up_interval_seconds: kept,
        // Whoever has fetched the last row asks how many there are.
        finished_job_state_clean_up_interval_seconds: kept.saturating_add(3_600),
        override_create_grpc_client_endpoint: Some(all_watched()),
        enable_embedded_flight_proxy: options.relay,
        override_session_builder: Some(Arc::new(|config| {
            let state = session::state(config, session::runtime(None)?);
            Ok::<_, DataFusionError>(state.with_query_planner(Arc::new(Planner)).build())
        })),
        ..SchedulerConfig::default()
    }
}

/// DataFusion's planner, whose errors survive being sent.
#[derive(Debug)]
struct Planner;

#[async_trait]
impl QueryPlanner for Planner {
    async fn create_physical_plan(
        &self,
        plan: &LogicalPlan,
        session: &dyn Session,
    ) -> DataFusionResult<Arc<dyn ExecutionPlan>> {
        let planner = DefaultPhysicalPlanner::default();
        let planned = planner.create_physical_plan(plan, session).await;
        planned.map_err(unplanned)
    }
}

/// The name by which others call an address, as it stands before a port.
pub(super) fn callable(bind: IpAddr, advertise: Option<&str>) -> Result<String, Error> {
    match (advertise, bind) {
        (Some(name), _) => Ok(name.to_owned()),
        (None, bind) if bind.is_unspecified() => Err(Error::NoName { bind }),
        (None, IpAddr::V4(bind)) => Ok(bind.to_string()),
        (None, IpAddr::V6(bind)) => Ok(format!("[{bind}]")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_known_as_long_as_its_rows_are_kept() {
        for kept in [1, 86_400, u64::MAX] {
            let options = SchedulerOptions {
                keep_results: Duration::from_secs(kept),
                ..SchedulerOptions::default()
            };
            let config = config(&options, "127.0.0.1".to_owned(), options.bind);
            assert_eq!(config.finished_job_data_clean_up_interval_seconds, kept);
            let known = config.finished_job_state_clean_up_interval_seconds;
            assert!(known > kept || known == u64::MAX, "{known}");
        }
    }

    #[test]
    fn an_address_for_everybody_needs_a_name() {
        let everybody = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let error = callable(everybody, None).expect_err("no name").to_string();
        assert!(error.contains("--advertise"), "{error}");
        assert_eq!(callable(everybody, Some("chess")).expect("a name"), "chess");
        let six = "::1".parse().expect("an address");
        assert_eq!(callable(six, None).expect("a name"), "[::1]");
    }
}
