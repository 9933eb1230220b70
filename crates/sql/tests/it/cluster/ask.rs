//! Questions, and answers as text.

use std::{path::Path, time::Duration};

use datafusion::{arrow::util::pretty::pretty_format_batches, prelude::SessionContext};
use tabiya_sql::{Error, Options, Session};
use tokio::time::timeout;

/// An answer that takes longer does not come at all.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// The rows of an answer, as a table, in the order of their text: a query without an order has none.
pub async fn rows(context: &SessionContext, sql: &str) -> Result<Vec<String>, Error> {
    let session = Session::over(context.clone(), &Options::default());
    let answer = async { session.query(sql).await?.collect().await };
    let batches = timeout(PATIENCE, answer).await.expect("an end")?;
    let table = pretty_format_batches(&batches)
        .expect("a table")
        .to_string();
    let mut rows: Vec<String> = table.lines().map(str::to_owned).collect();
    if !sql.contains("order by") {
        rows.sort();
    }
    Ok(rows)
}

/// A session of this process, without a cluster.
pub async fn local(lake: &Path) -> SessionContext {
    let session = Session::open([lake], &Options::default()).await;
    session.expect("an export").context().clone()
}
