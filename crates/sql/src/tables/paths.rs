//! Files as tables under their paths.

use std::{path::Path, sync::Arc};

use async_trait::async_trait;
use datafusion::{
    catalog::{TableFunctionArgs, TableFunctionImpl, TableProvider, UrlTableFactory},
    error::{DataFusionError, Result},
    logical_expr::Expr,
    prelude::SessionContext,
};

use super::{Input, condition::text};
use crate::{Error, ErrorKind, Options};

/// Opens files that questions name.
#[derive(Debug)]
pub(crate) struct Paths {
    options: Options,
}

impl Paths {
    pub fn new(options: &Options) -> Paths {
        Paths {
            options: options.clone(),
        }
    }
}

/// A table of an input that was opened at a path.
fn table(
    path: &Path,
    opened: std::result::Result<Input, Error>,
    is_games: bool,
) -> Result<Arc<dyn TableProvider>> {
    let input = opened.map_err(external)?;
    let table = if is_games {
        input.games()
    } else {
        input.positions()
    };
    table.ok_or_else(|| {
        let words = format!(
            "{}: an export to Parquet has to be an input of the session",
            path.display()
        );
        external(Error::new(ErrorKind::Input, words))
    })
}

fn external(error: Error) -> DataFusionError {
    DataFusionError::External(error.into())
}

/// `FROM 'my.cbh'`: what is no table, but a file.
#[async_trait]
impl UrlTableFactory for Paths {
    async fn try_new(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        let path = Path::new(name);
        if !path.exists() {
            return Ok(None);
        }
        table(path, Input::open(path, &self.options).await, true).map(Some)
    }
}

/// `FROM games('my.cbh')` and `FROM positions('my.cbh')`.
#[derive(Debug)]
struct PathFunction {
    paths: Arc<Paths>,
    is_games: bool,
}

impl TableFunctionImpl for PathFunction {
    fn call_with_args(&self, args: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let name = if self.is_games { "games" } else { "positions" };
        let path = match args.exprs() {
            [path] => literal(path),
            _ => None,
        };
        let Some(path) = path else {
            let words = format!("{name} takes the path of a file: {name}('my.cbh')");
            return Err(external(Error::new(ErrorKind::Meaning, words)));
        };
        let path = Path::new(path);
        // Those who call it do not wait for others.
        let opened = Input::open_now(path, &self.paths.options);
        table(path, opened, self.is_games)
    }
}

fn literal(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Literal(value, _) => text(value),
        _ => None,
    }
}

/// Adds the functions that are tables.
pub(crate) fn register_functions(context: &SessionContext, paths: &Arc<Paths>) {
    for (name, is_games) in [("games", true), ("positions", false)] {
        let paths = Arc::clone(paths);
        context.register_udtf(name, Arc::new(PathFunction { paths, is_games }));
    }
}
