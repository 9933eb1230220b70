//! What a session may use.

use std::{num::NonZeroUsize, path::PathBuf, sync::Arc, thread, time::Duration};

use datafusion::{
    execution::{
        disk_manager::{DiskManagerBuilder, DiskManagerMode},
        memory_pool::{MemoryPool, UnboundedMemoryPool},
        runtime_env::{RuntimeEnv, RuntimeEnvBuilder},
    },
    prelude::SessionConfig,
};

use crate::{
    Error,
    lake::{Opened, Stores},
    memory::Bounded,
};

/// What a [`Session`](crate::Session) may use.
///
/// ```
/// use std::time::Duration;
/// use tabiya_sql::Options;
///
/// let options = Options {
///     memory: Some(1 << 30),
///     timeout: Some(Duration::from_secs(60)),
///     ..Options::default()
/// };
/// assert!(options.threads.is_none());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// About how many bytes of memory answers may take; as many as there are without it. What sorts
    /// and groups do not have room for is put on the disk meanwhile; of a join, one side has to fit.
    pub memory: Option<usize>,
    /// How many bytes may be on the disk at once; 100 GB without it.
    pub disk: Option<u64>,
    /// The folder for them; without it, one of the system's for temporary files.
    pub temporary: Option<PathBuf>,
    /// How many threads work; without it, as many as there are cores.
    pub threads: Option<NonZeroUsize>,
    /// How long an answer may take, from the question to its last row.
    pub timeout: Option<Duration>,
}

/// The catalog that has all schemas of a session, and the schema of the first input.
pub(crate) const CATALOG: &str = "tabiya";
pub(crate) const SCHEMA: &str = "public";

/// How much memory a thread has for each row of a batch: a hundred times and more what most rows take.
const BYTES_PER_ROW: usize = 16_384;
const FEWEST_ROWS: usize = 128;

impl Options {
    /// How many threads work.
    #[must_use]
    pub fn threads(&self) -> usize {
        let threads = self
            .threads
            .or_else(|| thread::available_parallelism().ok());
        threads.map_or(1, NonZeroUsize::get)
    }

    /// How DataFusion works in a session.
    #[must_use]
    pub fn config(&self) -> SessionConfig {
        let config = SessionConfig::new()
            .with_target_partitions(self.threads())
            .with_information_schema(true)
            .with_default_catalog_and_schema(CATALOG, SCHEMA)
            .with_extension(Arc::new(Opened::default()));
        match self.memory {
            Some(memory) => {
                let share = memory / self.threads();
                // Each thread sorts, and keeps something back to put together what it has put on
                // the disk: batches of rows of several files at once.
                let usual = config.options().execution.sort_spill_reservation_bytes;
                let rows = config.batch_size();
                config
                    .with_sort_spill_reservation_bytes((share / 8).min(usual))
                    .with_batch_size((share / BYTES_PER_ROW).clamp(FEWEST_ROWS, rows))
            }
            None => config,
        }
    }

    /// What DataFusion has in a session.
    ///
    /// # Errors
    /// If the folder for temporary files cannot be used.
    pub fn runtime(&self) -> Result<Arc<RuntimeEnv>, Error> {
        let pool: Arc<dyn MemoryPool> = match self.memory {
            Some(bytes) => Arc::new(Bounded::new(bytes)),
            None => Arc::new(UnboundedMemoryPool::default()),
        };
        let mut disk = DiskManagerBuilder::default();
        if let Some(folder) = &self.temporary {
            disk = disk.with_mode(DiskManagerMode::Directories(vec![folder.clone()]));
        }
        if let Some(bytes) = self.disk {
            disk = disk.with_max_temp_directory_size(bytes);
        }
        let runtime = RuntimeEnvBuilder::new()
            .with_memory_pool(pool)
            .with_disk_manager_builder(disk)
            // Files are those that are there when they are asked.
            .with_object_list_cache_limit(0)
            .with_object_store_registry(Arc::new(Stores::default()));
        Ok(runtime.build_arc()?)
    }
}
