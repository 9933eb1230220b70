//! Whether all files of an export are there, as long as they were written.

use std::sync::Arc;

use datafusion::{
    datasource::{listing::ListingTableUrl, physical_plan::parquet::metadata::DFParquetMetadata},
    parquet::file::metadata::ParquetMetaData,
    prelude::SessionContext,
};
use futures::{StreamExt, TryStreamExt, stream};
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt, path::Path};
use tabiya_store::parquet::{Manifest, ManifestError, has_list, is_read};

use super::{Error, Lake};

/// So many files are looked at at once.
const AT_ONCE: usize = 16;
/// No Parquet file has fewer bytes: its marks, and the length of its end.
const LEAST: u64 = 12;

/// A file that is there.
struct Found {
    /// Its name within the export.
    name: String,
    meta: ObjectMeta,
}

impl Lake {
    /// Compares the files with the list of them. Of exports of before, which have none, no file may be
    /// empty, for DataFusion takes such files for ones without rows.
    pub(super) async fn check_files(&self, session: &SessionContext) -> Result<(), Error> {
        let unreadable = |error| self.unreadable("", error);
        let url = ListingTableUrl::parse(self.file("")).map_err(unreadable)?;
        let store = session.runtime_env().object_store(&url);
        let store = store.map_err(unreadable)?;
        let list = self.list(&*store, url.prefix()).await?;
        let files = self.find(&*store, url.prefix()).await?;
        for Found { name, meta } in &files {
            if meta.size < LEAST {
                let what = match meta.size {
                    0 => "it is empty",
                    _ => "it has but a few bytes",
                };
                return Err(self.damaged(name, what));
            }
        }
        let games = files.iter().find(|found| found.name == "games.parquet");
        let Some(list) = list else {
            let games = match games {
                Some(games) => Some(self.metadata(session, &store, games).await?),
                None => None,
            };
            return match games.is_some_and(|games| has_list(&games)) {
                true => Err(self.damaged(Manifest::NAME, "it is not there")),
                false => Ok(()),
            };
        };
        self.compare(&list, &files)?;
        // First one file, so that the list of checksums is read once.
        if let Some(games) = games {
            self.metadata(session, &store, games).await?;
        }
        let checks = files
            .iter()
            .map(|found| self.check_rows(session, &store, &list, found));
        stream::iter(checks)
            .buffer_unordered(AT_ONCE)
            .try_collect()
            .await
    }

    /// The list of files, if there is one.
    async fn list(
        &self,
        store: &dyn ObjectStore,
        folder: &Path,
    ) -> Result<Option<Manifest>, Error> {
        let name = Manifest::NAME;
        let unreadable = |error: object_store::Error| self.unreadable(name, error.into());
        let found = match store.get(&folder.clone().join(name)).await {
            Ok(found) => found.bytes().await.map_err(unreadable)?,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(unreadable(error)),
        };
        Manifest::parse(&found).map(Some).map_err(|why| match why {
            ManifestError::Later(_) => Error::Later {
                folder: self.to_string(),
                why,
            },
            why => self.damaged(name, &why.to_string()),
        })
    }

    /// All files that are read.
    async fn find(&self, store: &dyn ObjectStore, folder: &Path) -> Result<Vec<Found>, Error> {
        let mut files = Vec::new();
        match store.head(&folder.clone().join("games.parquet")).await {
            Ok(meta) => files.push(Found {
                name: "games.parquet".to_owned(),
                meta,
            }),
            // The list tells what is missing.
            Err(object_store::Error::NotFound { .. }) => {}
            Err(error) => return Err(self.unreadable("games.parquet", error.into())),
        }
        let parts = folder.clone().join("positions");
        // All that come behind the folder's own name: by `list` they would be compared before anybody
        // says here what is wrong.
        let listed = store.list_with_offset(Some(&parts), &parts);
        let listed: Result<Vec<ObjectMeta>, _> = listed.try_collect().await;
        for meta in listed.map_err(|error| self.unreadable("positions/", error.into()))? {
            let path: &str = meta.location.as_ref();
            let name = path.strip_prefix(folder.as_ref()).unwrap_or(path);
            let name = name.strip_prefix('/').unwrap_or(name).to_owned();
            if is_read(&name) {
                files.push(Found { name, meta });
            }
        }
        Ok(files)
    }

    /// Compares names and lengths.
    fn compare(&self, list: &Manifest, files: &[Found]) -> Result<(), Error> {
        let found = files
            .iter()
            .map(|found| (found.name.clone(), found.meta.size));
        let found: Vec<(String, u64)> = found.collect();
        match list.differences(&found).first() {
            Some((name, difference)) => Err(self.damaged(name, &format!("it {difference}"))),
            None => Ok(()),
        }
    }

    async fn check_rows(
        &self,
        session: &SessionContext,
        store: &Arc<dyn ObjectStore>,
        list: &Manifest,
        found: &Found,
    ) -> Result<(), Error> {
        let metadata = self.metadata(session, store, found).await?;
        let rows = u64::try_from(metadata.file_metadata().num_rows()).ok();
        let expected = list.file(&found.name).map(|entry| entry.rows());
        match rows == expected {
            true => Ok(()),
            false => Err(self.damaged(&found.name, "it has other rows than were written")),
        }
    }

    /// What a file says of itself. DataFusion keeps it for the questions that come.
    async fn metadata(
        &self,
        session: &SessionContext,
        store: &Arc<dyn ObjectStore>,
        found: &Found,
    ) -> Result<Arc<ParquetMetaData>, Error> {
        let cache = session
            .runtime_env()
            .cache_manager
            .get_file_metadata_cache();
        let metadata = DFParquetMetadata::new(&**store, &found.meta)
            .with_file_metadata_cache(Some(cache))
            .fetch_metadata()
            .await;
        metadata.map_err(|error| self.unreadable(&found.name, error))
    }
}
