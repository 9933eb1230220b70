//! Connections of an executor to others, kept for the next time: a step that fetches from all others for
//! each of its parts would run out of ports if each fetch had a connection of its own.

use std::{
    collections::HashMap,
    fmt::{self, Debug},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use ballista_core::{
    client::BallistaClient,
    client_pool::{BallistaClientPool, PooledClient},
    error::Result,
    extension::BallistaConfigGrpcEndpoint,
    utils::GrpcClientConfig,
};

/// Who, and how they are spoken to.
type Neighbour = (String, u16, GrpcClientConfig);
/// Connections that nobody uses, and since when, the oldest first.
type Idle = HashMap<Neighbour, Vec<(BallistaClient, Instant)>>;

/// How long a connection is kept that nobody uses.
const KEPT: Duration = Duration::from_secs(30);

#[derive(Clone, Default)]
pub(super) struct Neighbours(Arc<Mutex<Idle>>);

impl Neighbours {
    /// All connections that are not yet too old.
    fn idle(&self) -> MutexGuard<'_, Idle> {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|_, clients| {
            clients.retain(|(_, since)| since.elapsed() < KEPT);
            !clients.is_empty()
        });
        idle
    }
}

impl Debug for Neighbours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Neighbours").finish_non_exhaustive()
    }
}

#[tonic::async_trait]
impl BallistaClientPool for Neighbours {
    async fn acquire(
        &self,
        host: &str,
        port: u16,
        config: &GrpcClientConfig,
        customize_endpoint: Option<Arc<BallistaConfigGrpcEndpoint>>,
    ) -> Result<PooledClient> {
        let neighbour = (host.to_owned(), port, config.clone());
        let known = self.idle().get_mut(&neighbour).and_then(Vec::pop);
        let client = match known {
            Some((client, _)) => client,
            None => {
                BallistaClient::try_new(
                    host,
                    port,
                    config.max_message_size,
                    config.use_tls,
                    customize_endpoint,
                    config.io_retries_times,
                    config.io_retry_wait_time_ms,
                    config.initial_connection_window_size,
                    config.initial_stream_window_size,
                )
                .await?
            }
        };
        let neighbours = self.clone();
        let put_back = move |client| {
            let mut idle = neighbours.idle();
            let clients = idle.entry(neighbour).or_default();
            clients.push((client, Instant::now()));
        };
        Ok(PooledClient::new(client, Box::new(put_back)))
    }

    async fn evict_idle(&self) {
        drop(self.idle());
    }
}
