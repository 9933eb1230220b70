//! An export as tables: the Parquet files that `tabiya export --parquet` writes, on a disk or in an
//! object store.
//!
//! ```
//! use tabiya_sql::lake::Lake;
//!
//! let lake = Lake::parse("s3://games/lake")?;
//! assert_eq!(lake.to_string(), "s3://games/lake/");
//! # Ok::<(), tabiya_sql::lake::Error>(())
//! ```

mod files;
mod opened;
mod stores;
mod verified;

use std::{fmt, path::Path};

use datafusion::{
    common::TableReference,
    datasource::listing::ListingTableUrl,
    error::DataFusionError,
    parquet::errors::ParquetError,
    prelude::{ParquetReadOptions, SessionContext},
};
use object_store::ObjectStoreExt;
use tabiya_store::parquet::{Manifest, ManifestError};
use url::Url;

pub(crate) use opened::Opened;
use stores::BUCKETS;
pub use stores::Stores;
use verified::Damage;
pub(crate) use verified::damage_in;

/// The folder of an export, by its address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lake {
    /// Ends in a slash, so that names can be joined to it.
    folder: Url,
}

/// The tables that are files, where they are, and a column that each of them has.
const TABLES: [(&str, &str, &str); 2] = [
    ("games", "games.parquet", "id"),
    ("positions", "positions/", "key"),
];

impl Lake {
    /// A folder by its path, or by its address: `lake`, `file:///data/lake`, `s3://bucket/lake`.
    ///
    /// # Errors
    /// If there is no such folder on this machine's disk, or if the address is neither a file's nor that
    /// of an object store.
    pub fn parse(location: &str) -> Result<Lake, Error> {
        let wrong = |why: String| Error::Location {
            location: location.to_owned(),
            why,
        };
        let mut folder = if location.contains("://") {
            Url::parse(location).map_err(|error| wrong(error.to_string()))?
        } else {
            // Executors stand in other folders than whoever asks.
            let path = Path::new(location).canonicalize();
            let path = path.map_err(|error| wrong(error.to_string()))?;
            if !path.is_dir() {
                let why = "it is no folder that `tabiya export --parquet` wrote".to_owned();
                return Err(wrong(why));
            }
            Url::from_directory_path(path).map_err(|()| wrong("it has no address".to_owned()))?
        };
        match folder.scheme() {
            "file" => {}
            scheme if !BUCKETS.contains(&scheme) => {
                let buckets = BUCKETS.map(|scheme| format!("{scheme}://")).join(", ");
                let why = format!("{scheme}:// is not read, only file://, {buckets}");
                return Err(wrong(why));
            }
            _ if folder.has_host() => {}
            _ => return Err(wrong("it names no bucket".to_owned())),
        }
        if !folder.path().ends_with('/') {
            folder.set_path(&format!("{}/", folder.path()));
        }
        Ok(Lake { folder })
    }

    /// Makes the files tables of a session: `games` and `positions`. That all of them are there, with as
    /// many bytes and rows as were written, is looked at before.
    ///
    /// # Errors
    /// If a file is not there, cannot be reached, or is not what an export has; or if another export has been
    /// there when the session opened it.
    pub async fn register(&self, session: &SessionContext) -> Result<(), Error> {
        self.register_as(session, TableReference::bare).await
    }

    /// The same under other names.
    ///
    /// # Errors
    /// As for [`register`](Lake::register).
    pub async fn register_as(
        &self,
        session: &SessionContext,
        name: impl Fn(&'static str) -> TableReference,
    ) -> Result<(), Error> {
        let runtime = session.runtime_env();
        let opened = session.state().config().get_extension::<Opened>();
        // Before the files are looked at: whatever takes their place later has another one.
        let seal = self.seal(&runtime).await?;
        if seal.is_none() {
            self.look_for_tables(session).await?;
        }
        let is_known = match &opened {
            Some(opened) => opened.knows(self, &seal)?,
            None => false,
        };
        if !is_known {
            self.check_files(session).await?;
        }
        if let Err(error) = self.register_tables(session, &name).await {
            // Nobody asks one table of what is no export.
            for (table, ..) in TABLES {
                let _ = session.deregister_table(name(table));
            }
            return Err(error);
        }
        if let Some(opened) = opened.filter(|_| !is_known) {
            opened.keep(self, seal);
        }
        Ok(())
    }

    async fn register_tables(
        &self,
        session: &SessionContext,
        name: &impl Fn(&'static str) -> TableReference,
    ) -> Result<(), Error> {
        for (table, path, column) in TABLES {
            let file = self.file(path);
            let unreadable = |error| self.unreadable(path, error);
            let options = ParquetReadOptions::default();
            let read = session.register_parquet(name(table), &file, options).await;
            read.map_err(unreadable)?;
            let schema = session.table(name(table)).await.map_err(unreadable)?;
            if !schema.schema().has_column_with_unqualified_name(column) {
                return Err(self.no_export(format!("{path} has no column {column}")));
            }
        }
        Ok(())
    }

    /// Whether there is what an export has. Where there is a list of files, that tells better what is missing.
    async fn look_for_tables(&self, session: &SessionContext) -> Result<(), Error> {
        for (_, path, _) in TABLES {
            let there = is_there(session, &self.file(path)).await;
            if !there.map_err(|error| self.unreadable(path, error))? {
                return Err(self.no_export(format!("{path} is not there")));
            }
        }
        Ok(())
    }

    fn file(&self, path: &str) -> String {
        format!("{}{path}", self.folder)
    }

    fn unreadable(&self, path: &str, error: DataFusionError) -> Error {
        match damage_in(&error) {
            Some(Damage::File(words)) => self.damaged(path, words),
            Some(Damage::NoList) => self.damaged(Manifest::NAME, "it is not there"),
            None => Error::Unreadable {
                file: self.file(path),
                source: Box::new(error),
            },
        }
    }

    /// A file is there, and not as it was written.
    fn damaged(&self, path: &str, what: &str) -> Error {
        let error = ParquetError::General(what.to_owned());
        Error::Unreadable {
            file: self.file(path),
            source: Box::new(DataFusionError::ParquetError(Box::new(error))),
        }
    }

    fn no_export(&self, why: String) -> Error {
        Error::NotAnExport {
            folder: self.to_string(),
            why,
        }
    }
}

/// Whether there is a file, or anything in a folder: DataFusion takes what is not there for empty.
async fn is_there(session: &SessionContext, file: &str) -> Result<bool, DataFusionError> {
    let url = ListingTableUrl::parse(file)?;
    let store = session.runtime_env().object_store(&url)?;
    let found = match url.is_collection() {
        true => {
            let listed = store.list_with_delimiter(Some(url.prefix())).await;
            listed.map(|it| !it.objects.is_empty() || !it.common_prefixes.is_empty())
        }
        false => store.head(url.prefix()).await.map(|_| true),
    };
    match found {
        Ok(is_there) => Ok(is_there),
        Err(object_store::Error::NotFound { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

impl fmt::Display for Lake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.folder.fmt(f)
    }
}

/// Why an export cannot be asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No folder and no address.
    #[error("{location}: {why}")]
    Location {
        /// As it was given.
        location: String,
        /// What is wrong with it.
        why: String,
    },
    /// The folder lacks what an export has.
    #[error(
        "{folder} is no export: {why}; `tabiya export GAMES.tabiya --parquet FOLDER` writes one"
    )]
    NotAnExport {
        /// Its address.
        folder: String,
        /// What is missing.
        why: String,
    },
    /// Whoever wrote it knows more.
    #[error("{folder}: {why}")]
    Later {
        /// Its address.
        folder: String,
        /// What its list of files says.
        why: ManifestError,
    },
    /// It has been there.
    #[error("{folder} is not there any more, or its export.json")]
    Gone {
        /// Its address.
        folder: String,
    },
    /// Another one has taken its place.
    #[error(
        "{folder} has been replaced by another export since it was opened: open it in a new session"
    )]
    Replaced {
        /// Its address.
        folder: String,
    },
    /// A file is damaged, or cannot be reached.
    #[error("{file}: {source}")]
    Unreadable {
        /// Its address.
        file: String,
        /// What was found.
        source: Box<DataFusionError>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_the_disk_is_named_from_its_root() {
        let lake = Lake::parse(".").expect("a folder");
        assert!(lake.to_string().starts_with("file:///"), "{lake}");
        assert!(lake.to_string().ends_with('/'), "{lake}");
        assert_eq!(Lake::parse(&lake.to_string()).expect("an address"), lake);
    }

    #[test]
    fn what_cannot_be_read_is_refused_by_name() {
        for (location, why) in [
            ("no/such/folder", "No such file"),
            ("Cargo.toml", "it is no folder"),
            ("ftp://host/lake", "ftp:// is not read"),
            ("s3:///lake", "it names no bucket"),
        ] {
            let error = Lake::parse(location).expect_err(location).to_string();
            assert!(error.starts_with(location), "{error}");
            assert!(error.contains(why), "{error}");
        }
    }
}
