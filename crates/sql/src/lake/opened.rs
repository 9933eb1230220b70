//! Exports that a session has opened: whether they are still there, or others in their places.

use std::sync::{Arc, Mutex, PoisonError};

use datafusion::{
    arrow::array::RecordBatch,
    datasource::listing::ListingTableUrl,
    error::DataFusionError,
    execution::{SendableRecordBatchStream, runtime_env::RuntimeEnv},
    physical_plan::stream::RecordBatchStreamAdapter,
};
use futures::{StreamExt, stream};
use object_store::{ObjectMeta, ObjectStoreExt};
use tabiya_store::parquet::Manifest;

use super::{Error, Lake};

/// The exports of a session, and what their lists of files were like when they were opened.
///
/// What a plan knows of files, where their blocks begin for example, does not fit others that have taken
/// their places meanwhile: their bytes may be whole, and mean something else.
#[derive(Debug, Default)]
pub(crate) struct Opened(Mutex<Vec<(Lake, Seal)>>);

/// The list of files as its store knows it; none of an export of before, which has none.
pub(super) type Seal = Option<ObjectMeta>;

impl Lake {
    /// What the list of files is like now.
    pub(super) async fn seal(&self, runtime: &RuntimeEnv) -> Result<Seal, Error> {
        let unreadable = |error| self.unreadable(Manifest::NAME, error);
        let url = ListingTableUrl::parse(self.file(Manifest::NAME)).map_err(unreadable)?;
        let store = runtime.object_store(&url).map_err(unreadable)?;
        match store.head(url.prefix()).await {
            Ok(list) => Ok(Some(list)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(unreadable(error.into())),
        }
    }

    /// What is said where the list of files is another one than when the export was opened.
    fn other_than_before(&self, before: &Seal, now: &Seal) -> Error {
        let folder = self.to_string();
        match (before, now) {
            (Some(_), None) => Error::Gone { folder },
            _ => Error::Replaced { folder },
        }
    }
}

impl Opened {
    /// Whether an export has been found to be sound.
    ///
    /// # Errors
    /// If it is another one than before: the tables that there are would read its files, and know nothing
    /// of its columns.
    pub(super) fn knows(&self, lake: &Lake, seal: &Seal) -> Result<bool, Error> {
        match self.all().into_iter().find(|(known, _)| known == lake) {
            Some((_, was)) if was != *seal => Err(lake.other_than_before(&was, seal)),
            known => Ok(known.is_some()),
        }
    }

    /// Keeps that an export is sound.
    pub(super) fn keep(&self, lake: &Lake, seal: Seal) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push((lake.clone(), seal));
    }

    fn all(&self) -> Vec<(Lake, Seal)> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.clone()
    }

    /// Refuses to go on where another export has taken the place of one.
    pub async fn check(&self, runtime: &RuntimeEnv) -> Result<(), Error> {
        for (lake, seal) in self.all() {
            let now = lake.seal(runtime).await?;
            if now != seal {
                return Err(lake.other_than_before(&seal, &now));
            }
        }
        Ok(())
    }

    /// The rows of an answer, at whose end the exports still have to be the same.
    pub fn watch(
        self: Arc<Self>,
        rows: SendableRecordBatchStream,
        runtime: Arc<RuntimeEnv>,
    ) -> SendableRecordBatchStream {
        if self.all().is_empty() {
            return rows;
        }
        let schema = rows.schema();
        let watched = Watched {
            rows: Some(rows),
            opened: self,
            runtime,
        };
        let rows = stream::unfold(watched, |mut watched| async {
            let next = watched.next().await?;
            Some((next, watched))
        });
        Box::pin(RecordBatchStreamAdapter::new(schema, rows))
    }
}

struct Watched {
    /// Nothing behind the end.
    rows: Option<SendableRecordBatchStream>,
    opened: Arc<Opened>,
    runtime: Arc<RuntimeEnv>,
}

impl Watched {
    async fn next(&mut self) -> Option<Result<RecordBatch, DataFusionError>> {
        let next = self.rows.as_mut()?.next().await;
        if let Some(Ok(batch)) = next {
            return Some(Ok(batch));
        }
        self.rows = None;
        // What looks damaged may be another export's.
        match self.opened.check(&self.runtime).await {
            Ok(()) => next,
            Err(error) => Some(Err(DataFusionError::External(Box::new(
                crate::Error::from(error),
            )))),
        }
    }
}
