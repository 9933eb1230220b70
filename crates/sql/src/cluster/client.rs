//! Who asks.

use std::{num::NonZeroUsize, path::Path, sync::Arc, time::Duration};

use ballista_core::{
    config::BALLISTA_CLIENT_IO_RETRY_WAIT_TIME_MS,
    extension::SessionConfigExt,
    planner::BallistaQueryPlanner,
    serde::protobuf::{GetJobStatusParams, scheduler_grpc_client::SchedulerGrpcClient},
    utils::{GrpcClientConfig, create_grpc_client_endpoint},
};
use datafusion::{
    catalog::MemorySchemaProvider,
    datasource::listing::ListingTableUrl,
    error::Result as DataFusionResult,
    execution::runtime_env::RuntimeEnv,
    prelude::{SessionConfig, SessionContext},
};
use datafusion_proto::protobuf::LogicalPlanNode;
use futures::TryStreamExt;
use tokio::time::{Instant, sleep, timeout};
use tonic::transport::{Channel, Endpoint};
use url::Url;

use super::{
    Error, PORT,
    connection::{all_watched, watched},
    scheduler::LARGEST_MESSAGE,
    session,
};
use crate::{
    lake::{Lake, Opened},
    options::{CATALOG, SCHEMA},
    session::free_name,
    tables::Input,
};

/// How a cluster is asked.
///
/// ```
/// use std::time::Duration;
/// use tabiya_sql::cluster::Options;
///
/// let options = Options { patience: Duration::from_secs(1), ..Options::default() };
/// assert_eq!(options.partitions, None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Into how many parts a step of the work is divided, where the data allows it. As many as there
    /// are cores in the cluster, or a few times that, keep all of them busy. If nobody says otherwise, 16,
    /// or more for an export of more than 4 GB: 80 for 100 GB, 250 for 1 TB.
    pub partitions: Option<NonZeroUsize>,
    /// How long to wait for a scheduler to answer.
    pub patience: Duration,
}

impl Default for Options {
    /// As many parts as the export is large, five seconds.
    fn default() -> Options {
        Options {
            partitions: None,
            patience: Duration::from_secs(5),
        }
    }
}

/// A smaller file is not read in parts. DataFusion's own bound, ten times that, is for columns that are
/// only counted; games are played.
const SMALLEST_PART: u64 = 1 << 20;
/// How long an executor waits until it asks a neighbour again that did not answer.
const RETRY_MILLISECONDS: u64 = 500;

/// What a [`Session`](crate::Session) is put [over](crate::Session::over) for a cluster to answer its
/// questions: the export at a location, with the tables that it has on one machine.
///
/// The location is read by all: by this program for the names of its columns, by the scheduler, and by
/// the executors.
///
/// # Errors
/// If no scheduler answers at the address, or if there is no export at the location.
pub async fn connect(
    address: &str,
    location: &str,
    options: &Options,
) -> Result<SessionContext, Error> {
    let lake = Lake::parse(location)?;
    let scheduler = Address::parse(address)?;
    scheduler.greet(options.patience).await?;
    let runtime = session::runtime(None)?;
    let partitions = match options.partitions {
        Some(partitions) => partitions.get(),
        // If it cannot be read, the tables say why.
        None => partitions(bytes(&lake, &runtime).await.unwrap_or(0)),
    };
    let config = config(partitions).with_extension(Arc::new(scheduler.clone()));
    let planner = BallistaQueryPlanner::<LogicalPlanNode>::with_extension(
        scheduler.url(),
        config.ballista_config(),
        config.ballista_logical_extension_codec(),
    );
    let state = session::state(config, runtime);
    let session =
        SessionContext::new_with_state(state.with_query_planner(Arc::new(planner)).build());
    let input = Input::Export(lake);
    input.register(&session, SCHEMA).await?;
    let catalog = session.catalog(CATALOG);
    if let Some(catalog) = catalog {
        let name = free_name(&*catalog, Path::new(location));
        catalog.register_schema(&name, Arc::new(MemorySchemaProvider::new()))?;
        input.register(&session, &name).await?;
    }
    Ok(session)
}

/// How large an export is.
async fn bytes(lake: &Lake, runtime: &RuntimeEnv) -> DataFusionResult<u64> {
    let folder = ListingTableUrl::parse(lake.to_string())?;
    let files = runtime.object_store(&folder)?.list(Some(folder.prefix()));
    let sizes = files.map_ok(|file| file.size);
    Ok(sizes.try_fold(0, async |all, size| Ok(all + size)).await?)
}

/// In so many parts each hands each of the next step 16 MB, if it hands on all of an export: what is fetched
/// has to fit into memory beside what sorts and groups hold.
fn partitions(bytes: u64) -> usize {
    let parts = (bytes >> 24).isqrt();
    parts.clamp(16, 1_024) as usize
}

fn config(partitions: usize) -> SessionConfig {
    let mut config = SessionConfig::new_with_ballista()
        .with_target_partitions(partitions)
        .with_default_catalog_and_schema(CATALOG, SCHEMA)
        .with_information_schema(true)
        .with_ballista_job_name("tabiya")
        .with_extension(Arc::new(Opened::default()))
        // It waits for ever where an executor dies that holds what others need.
        .with_ballista_adaptive_query_planner(false)
        .with_ballista_override_create_grpc_client_endpoint(all_watched())
        .set_u64(BALLISTA_CLIENT_IO_RETRY_WAIT_TIME_MS, RETRY_MILLISECONDS);
    let optimizer = &mut config.options_mut().optimizer;
    optimizer.repartition_file_min_size = SMALLEST_PART as usize;
    // Its plans do not survive being sent: an executor takes such a limit for one of sorted groups.
    optimizer.enable_distinct_aggregation_soft_limit = false;
    config
}

/// Where a scheduler is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Address {
    pub host: String,
    pub port: u16,
}

impl Address {
    /// `HOST`, `HOST:PORT` or `[HOST]:PORT`.
    pub fn parse(address: &str) -> Result<Address, Error> {
        let wrong = || Error::Address {
            address: address.to_owned(),
        };
        let url = Url::parse(&format!("tabiya://{address}")).map_err(|_| wrong())?;
        let has_more = !url.path().is_empty() || url.query().or(url.fragment()).is_some();
        let is_bare = url.username().is_empty() && !has_more;
        match url.host_str() {
            Some(host) if is_bare => Ok(Address {
                host: host.to_owned(),
                port: url.port().unwrap_or(PORT),
            }),
            _ => Err(wrong()),
        }
    }

    pub fn url(&self) -> String {
        format!("http://{}:{}", self.host, self.port)
    }

    /// How the scheduler is called.
    pub fn endpoint(&self) -> Result<Endpoint, Error> {
        let endpoint = create_grpc_client_endpoint(self.url(), Some(&GrpcClientConfig::default()));
        Ok(watched(endpoint?))
    }

    /// The scheduler, to be asked something.
    pub async fn call(&self) -> Result<SchedulerGrpcClient<Channel>, String> {
        let endpoint = self.endpoint().map_err(|error| error.to_string())?;
        let channel = endpoint.connect().await;
        let channel = channel.map_err(|error| innermost(&error))?;
        Ok(SchedulerGrpcClient::new(channel).max_decoding_message_size(LARGEST_MESSAGE))
    }

    /// Waits until a scheduler answers.
    pub async fn greet(&self, patience: Duration) -> Result<(), Error> {
        let started = Instant::now();
        let left = || patience.saturating_sub(started.elapsed());
        let mut why = "it cannot be reached".to_owned();
        let mut scheduler = loop {
            match timeout(left(), self.call()).await {
                Ok(Ok(scheduler)) => break scheduler,
                Ok(Err(error)) => why = error,
                Err(_) => return Err(self.silent(patience, why)),
            }
            if left() <= BETWEEN_GREETINGS {
                return Err(self.silent(patience, why));
            }
            sleep(BETWEEN_GREETINGS).await;
        };
        // A job that nobody has: a scheduler says so, and others do not understand the question.
        let question = GetJobStatusParams::default();
        match timeout(left(), scheduler.get_job_status(question)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(status)) => Err(Error::NotAScheduler {
                address: self.to_string(),
                why: status.message().to_owned(),
            }),
            Err(_) => Err(self.silent(patience, "it says nothing".to_owned())),
        }
    }

    pub fn silent(&self, patience: Duration, why: String) -> Error {
        Error::NoScheduler {
            address: self.to_string(),
            patience,
            why,
        }
    }
}

/// How long to wait before a scheduler that is not there is tried again.
const BETWEEN_GREETINGS: Duration = Duration::from_millis(200);

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

/// What the system said: the outer errors only say that there is an inner one.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_export_has_more_parts() {
        for (gigabytes, parts) in [(0, 16), (4, 16), (100, 80), (1_200, 277), (100_000, 1_024)] {
            assert_eq!(partitions(gigabytes << 30), parts, "{gigabytes} GB");
        }
    }

    #[tokio::test]
    async fn an_export_is_as_large_as_its_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let positions = folder.path().join("positions");
        std::fs::create_dir(&positions).expect("a folder");
        std::fs::write(folder.path().join("games.parquet"), [0; 3]).expect("a file");
        std::fs::write(positions.join("1.parquet"), [0; 4]).expect("a file");
        let lake = Lake::parse(&folder.path().display().to_string()).expect("a folder");
        let runtime = session::runtime(None).expect("a runtime");
        assert_eq!(bytes(&lake, &runtime).await.expect("files"), 7);
    }

    #[tokio::test]
    async fn whoever_has_all_the_time_waits() {
        let nobody = Address::parse("127.0.0.1:1").expect("an address");
        let greeted = timeout(BETWEEN_GREETINGS * 3, nobody.greet(Duration::MAX)).await;
        assert!(greeted.is_err(), "{greeted:?}");
    }

    #[test]
    fn an_address_is_a_host_and_perhaps_a_port() {
        for (text, host, port) in [
            ("127.0.0.1:7", "127.0.0.1", 7),
            ("scheduler", "scheduler", PORT),
            ("[::1]:7", "[::1]", 7),
        ] {
            let address = Address::parse(text).expect(text);
            assert_eq!((address.host.as_str(), address.port), (host, port));
        }
        for text in [
            "",
            ":7",
            "host:port",
            "http://host",
            "user@host",
            "host/path",
        ] {
            assert!(Address::parse(text).is_err(), "{text}");
        }
    }
}
