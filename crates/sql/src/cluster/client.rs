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
    prelude::{SessionConfig, SessionContext},
};
use datafusion_proto::protobuf::LogicalPlanNode;
use tokio::time::{Instant, sleep, timeout_at};
use tonic::transport::Channel;
use url::Url;

use super::{Error, PORT, scheduler::LARGEST_MESSAGE, session};
use crate::{
    lake::Lake,
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
/// assert_eq!(options.partitions.get(), 16);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Into how many parts a step of the work is divided, where the data allows it. As many as there
    /// are cores in the cluster, or a few times that, keep all of them busy.
    pub partitions: NonZeroUsize,
    /// How long to wait for a scheduler to answer.
    pub patience: Duration,
}

impl Default for Options {
    /// Sixteen parts, five seconds.
    fn default() -> Options {
        Options {
            partitions: NonZeroUsize::new(16).expect("not zero"),
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
    let config = config(options).with_extension(Arc::new(scheduler.clone()));
    let planner = BallistaQueryPlanner::<LogicalPlanNode>::with_extension(
        scheduler.url(),
        config.ballista_config(),
        config.ballista_logical_extension_codec(),
    );
    let state = session::state(config, session::runtime(None)?);
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

fn config(options: &Options) -> SessionConfig {
    let mut config = SessionConfig::new_with_ballista()
        .with_target_partitions(options.partitions.get())
        .with_default_catalog_and_schema(CATALOG, SCHEMA)
        .with_information_schema(true)
        .with_ballista_job_name("tabiya")
        // It waits for ever where an executor dies that holds what others need.
        .with_ballista_adaptive_query_planner(false)
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
        let is_bare = url.username().is_empty() && url.path().is_empty() && url.query().is_none();
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

    /// The scheduler, to be asked something.
    pub async fn call(&self) -> Result<SchedulerGrpcClient<Channel>, String> {
        let endpoint = create_grpc_client_endpoint(self.url(), Some(&GrpcClientConfig::default()))
            .map_err(|error| error.to_string())?;
        let channel = endpoint.connect().await;
        let channel = channel.map_err(|error| innermost(&error))?;
        Ok(SchedulerGrpcClient::new(channel).max_decoding_message_size(LARGEST_MESSAGE))
    }

    /// Waits until a scheduler answers.
    pub async fn greet(&self, patience: Duration) -> Result<(), Error> {
        let end = Instant::now() + patience;
        let mut why = "it cannot be reached".to_owned();
        let mut scheduler = loop {
            match timeout_at(end, self.call()).await {
                Ok(Ok(scheduler)) => break scheduler,
                Ok(Err(error)) => why = error,
                Err(_) => return Err(self.silent(patience, why)),
            }
            if Instant::now() + BETWEEN_GREETINGS >= end {
                return Err(self.silent(patience, why));
            }
            sleep(BETWEEN_GREETINGS).await;
        };
        // A job that nobody has: a scheduler says so, and others do not understand the question.
        let question = GetJobStatusParams::default();
        match timeout_at(end, scheduler.get_job_status(question)).await {
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
