//! Where files lie.

use std::{
    env,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use datafusion::{
    error::{DataFusionError, Result},
    execution::object_store::{DefaultObjectStoreRegistry, ObjectStoreRegistry},
};
use object_store::{ObjectStore, aws::AmazonS3Builder};
use url::{Host, Url};

/// This machine's disk, and buckets that speak S3, each found when it is first asked for.
///
/// Keys, region and endpoint are those of the environment, as for every tool that uses S3:
/// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL`. They are never sent to
/// others: client, scheduler and executors have each their own. Endpoints without encryption are used on
/// this machine only, unless `AWS_ALLOW_HTTP=true`.
///
/// ```
/// use std::sync::Arc;
/// use datafusion::execution::runtime_env::RuntimeEnvBuilder;
/// use tabiya_sql::lake::Stores;
///
/// let runtime = RuntimeEnvBuilder::new().with_object_store_registry(Arc::new(Stores::default()));
/// runtime.build()?;
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// ```
#[derive(Debug, Default)]
pub struct Stores {
    known: DefaultObjectStoreRegistry,
    /// Held while a bucket is made known, so that tasks that start together share one client.
    making: Mutex<()>,
}

impl ObjectStoreRegistry for Stores {
    fn register_store(
        &self,
        url: &Url,
        store: Arc<dyn ObjectStore>,
    ) -> Option<Arc<dyn ObjectStore>> {
        self.known.register_store(url, store)
    }

    fn deregister_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        self.known.deregister_store(url)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        if url.scheme() != "s3" {
            return self.known.get_store(url);
        }
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(store) = self.known.get_store(url) {
            return Ok(store);
        }
        let store = bucket(url)?;
        self.known.register_store(url, store.clone());
        Ok(store)
    }
}

fn bucket(url: &Url) -> Result<Arc<dyn ObjectStore>> {
    let mut builder = AmazonS3Builder::from_env().with_url(url.as_str());
    // The order in which object_store itself prefers them.
    let endpoint = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"];
    let endpoint = endpoint.iter().find_map(|name| env::var(name).ok());
    if let Some(endpoint) = endpoint.and_then(|text| Url::parse(&text).ok())
        && endpoint.scheme() == "http"
    {
        if is_this_machine(&endpoint) {
            builder = builder.with_allow_http(true);
        } else if env::var("AWS_ALLOW_HTTP").is_err() {
            let message = format!(
                "{endpoint} is not encrypted and not on this machine: use https, or set AWS_ALLOW_HTTP=true"
            );
            return Err(DataFusionError::Configuration(message));
        }
    }
    Ok(Arc::new(builder.build()?))
}

fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_is_this_machine() {
        for (url, is) in [
            ("http://127.0.0.1:9000", true),
            ("http://[::1]:9000", true),
            ("http://localhost:9000", true),
            ("http://localhost.example.org", false),
            ("http://10.0.0.7:9000", false),
        ] {
            assert_eq!(
                is_this_machine(&Url::parse(url).expect("a URL")),
                is,
                "{url}"
            );
        }
    }
}
