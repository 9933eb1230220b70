//! Connections whose other end may vanish: a machine that loses its power closes none.

use std::{sync::Arc, time::Duration};

use ballista_core::extension::EndpointOverrideFn;
use tonic::transport::Endpoint;

/// How long a connection may be silent before its other end is asked for a sign of life, and how long
/// to wait for that.
pub(super) const SILENCE: Duration = Duration::from_secs(15);

/// A connection that breaks if its other end has vanished.
pub(super) fn watched(endpoint: Endpoint) -> Endpoint {
    endpoint
        .connect_timeout(SILENCE)
        .tcp_nodelay(true)
        .http2_keep_alive_interval(SILENCE)
        .keep_alive_timeout(SILENCE)
        .keep_alive_while_idle(true)
}

/// The same for connections that Ballista makes: of its own some wait for ever.
pub(super) fn all_watched() -> EndpointOverrideFn {
    Arc::new(|endpoint| Ok(watched(endpoint)))
}
