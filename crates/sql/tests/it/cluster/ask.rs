//! Questions, and answers as text.

use std::{path::Path, sync::Arc};

use datafusion::{
    arrow::util::pretty::pretty_format_batches, error::Result, prelude::SessionContext,
};
use tabiya_sql::{functions, lake::Lake};

/// The rows of an answer, as a table, in the order of their text: a query without an order has none.
pub async fn rows(session: &SessionContext, sql: &str) -> Result<Vec<String>> {
    let batches = session.sql(sql).await?.collect().await?;
    let table = pretty_format_batches(&batches)?.to_string();
    let mut rows: Vec<String> = table.lines().map(str::to_owned).collect();
    if !sql.contains("order by") {
        rows.sort();
    }
    Ok(rows)
}

/// A session of this process, without a cluster.
pub async fn local(lake: &Path) -> SessionContext {
    let session = SessionContext::new();
    for function in functions::scalar() {
        session.register_udf(Arc::unwrap_or_clone(function));
    }
    for function in functions::aggregate() {
        session.register_udaf(Arc::unwrap_or_clone(function));
    }
    let lake = Lake::parse(&lake.display().to_string()).expect("a folder");
    lake.register(&session).await.expect("an export");
    session
}
