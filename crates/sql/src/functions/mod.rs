//! What chess adds to SQL, one file a function.

use std::sync::Arc;

use datafusion::logical_expr::{AggregateUDF, ScalarUDF};

/// All functions of one row.
#[must_use]
pub fn scalar() -> Vec<Arc<ScalarUDF>> {
    Vec::new()
}

/// All functions of many rows.
#[must_use]
pub fn aggregate() -> Vec<Arc<AggregateUDF>> {
    Vec::new()
}
