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
use object_store::{
    ObjectStore, aws::AmazonS3Builder, azure::MicrosoftAzureBuilder,
    gcp::GoogleCloudStorageBuilder, local::LocalFileSystem,
};
use url::{Host, Url};

use super::verified::Verified;

/// This machine's disk, and buckets, each found when it is first asked for: those that speak S3 (`s3://`),
/// Google's (`gs://`) and Azure's (`az://`).
///
/// Keys, region and endpoint are those of the environment, as for every tool that uses S3:
/// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL`; for the others,
/// `GOOGLE_SERVICE_ACCOUNT`, `AZURE_STORAGE_ACCOUNT_NAME`, `AZURE_STORAGE_ACCOUNT_KEY` and their like. They
/// are never sent to others: client, scheduler and executors have each their own. Endpoints of S3 without
/// encryption are used on this machine only, unless `AWS_ALLOW_HTTP=true`.
///
/// Files of exports are compared with their checksums as they are read.
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
#[derive(Debug)]
pub struct Stores {
    known: DefaultObjectStoreRegistry,
    /// Held while a bucket is made known, so that tasks that start together share one client.
    making: Mutex<()>,
}

/// How addresses of buckets begin.
pub(super) const BUCKETS: [&str; 3] = ["s3", "gs", "az"];

impl Default for Stores {
    fn default() -> Stores {
        let known = DefaultObjectStoreRegistry::new();
        if let Ok(disk) = Url::parse("file:///") {
            let store = Verified::new(Arc::new(LocalFileSystem::new()));
            known.register_store(&disk, Arc::new(store));
        }
        Stores {
            known,
            making: Mutex::default(),
        }
    }
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
        if !BUCKETS.contains(&url.scheme()) {
            return self.known.get_store(url);
        }
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(store) = self.known.get_store(url) {
            return Ok(store);
        }
        let store: Arc<dyn ObjectStore> = Arc::new(Verified::new(bucket(url)?));
        self.known.register_store(url, store.clone());
        Ok(store)
    }
}

fn bucket(url: &Url) -> Result<Arc<dyn ObjectStore>> {
    let address = url.as_str();
    match url.scheme() {
        "gs" => Ok(Arc::new(
            GoogleCloudStorageBuilder::from_env()
                .with_url(address)
                .build()?,
        )),
        "az" => Ok(Arc::new(
            MicrosoftAzureBuilder::from_env()
                .with_url(address)
                .build()?,
        )),
        _ => s3(url),
    }
}

fn s3(url: &Url) -> Result<Arc<dyn ObjectStore>> {
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
    fn each_kind_of_bucket_has_its_store_once() {
        let stores = Stores::default();
        for (url, is) in [("s3://games/lake", "games"), ("gs://games/lake", "games")] {
            let url = Url::parse(url).expect("a URL");
            let store = stores.get_store(&url).expect("a bucket");
            assert!(store.to_string().contains(is), "{store}");
            let again = stores.get_store(&url).expect("a bucket");
            assert!(Arc::ptr_eq(&store, &again), "{store}");
        }
        // Whose it is, the environment has to say.
        let url = Url::parse("az://games/lake").expect("a URL");
        if env::var("AZURE_STORAGE_ACCOUNT_NAME").is_err() {
            let error = stores.get_store(&url).expect_err("no account").to_string();
            assert!(error.contains("Account must be specified"), "{error}");
        }
        let url = Url::parse("ftp://games/lake").expect("a URL");
        stores.get_store(&url).expect_err("no bucket");
    }

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
