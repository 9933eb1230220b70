//! Databases, files and exports as tables.

mod condition;
mod file;
pub(crate) mod paths;
mod rows;
mod store;
mod store_scan;
mod views;

use std::{path::Path, sync::Arc};

use datafusion::{catalog::TableProvider, common::TableReference, prelude::SessionContext};
use tabiya::{Open, store::table::StoreTable};
use tabiya_store::parquet::Manifest;

use self::{
    file::{FileTable, What},
    store::{StoreGames, StorePositions},
};
use crate::{Error, ErrorKind, Options, lake::Lake};

/// An input that is open.
pub(crate) enum Input {
    Store(Arc<StoreTable>),
    File(FileTable),
    /// An export, on the disk or elsewhere.
    Export(Lake),
}

impl Input {
    /// Opens what is at a path: its content tells what it is.
    pub async fn open(path: &Path, options: &Options) -> Result<Input, Error> {
        let (path, options) = (path.to_owned(), options.clone());
        let opened = tokio::task::spawn_blocking(move || Input::open_now(&path, &options));
        let crashed = |error| Error::new(ErrorKind::Internal, format!("reading ended: {error}"));
        opened.await.map_err(crashed)?
    }

    /// The same on this thread.
    pub fn open_now(path: &Path, options: &Options) -> Result<Input, Error> {
        if path == Path::new("-") {
            let words = "standard input can be read only once, and a table is read again and again: \
                         save it as a file first";
            return Err(Error::new(ErrorKind::Input, words));
        }
        if tabiya::is_read_once(path) {
            let words = format!(
                "{} can be read only once, and a table is read again and again: save it as a file first",
                path.display()
            );
            return Err(Error::new(ErrorKind::Input, words));
        }
        let is_address = path.to_str().is_some_and(|path| path.contains("://"));
        // One that has lost its games is still one.
        let is_export = || {
            let is_file = |name| path.join(name).is_file();
            is_file("games.parquet") || is_file(Manifest::NAME) && path.join("positions").is_dir()
        };
        if is_address || is_export() {
            return Ok(Input::Export(Lake::parse(&path.to_string_lossy())?));
        }
        let mut open = Open::new();
        if let Some(threads) = options.threads {
            open = open.jobs(threads);
        }
        let database = open.clone().open(path)?;
        Ok(match database.store() {
            Some(store) => Input::Store(Arc::new(StoreTable::new(&store))),
            None => Input::File(FileTable::new(path, open, &database)?),
        })
    }

    /// The table of games, unless it is one of files that only DataFusion reads.
    pub fn games(&self) -> Option<Arc<dyn TableProvider>> {
        match self {
            Input::Store(table) => Some(Arc::new(StoreGames::new(table))),
            Input::File(file) => Some(Arc::new(file.table(What::Games))),
            Input::Export(_) => None,
        }
    }

    /// The table of positions, likewise.
    pub fn positions(&self) -> Option<Arc<dyn TableProvider>> {
        match self {
            Input::Store(table) => Some(Arc::new(StorePositions::new(table))),
            Input::File(file) => Some(Arc::new(file.table(What::Positions))),
            Input::Export(_) => None,
        }
    }

    /// Makes it tables of a schema.
    pub async fn register(&self, context: &SessionContext, schema: &str) -> Result<(), Error> {
        let name = |table: &'static str| TableReference::partial(schema, table);
        if let Input::Export(lake) = self {
            lake.register_as(context, name).await?;
        }
        for (table, provider) in [("games", self.games()), ("positions", self.positions())] {
            if let Some(provider) = provider {
                context.register_table(name(table), provider)?;
            }
        }
        views::create(context, schema).await
    }
}
