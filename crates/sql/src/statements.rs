//! Texts with several statements.

use datafusion::sql::parser::{DFParser, Statement};

use crate::Error;

/// The statements of a text, one by one; what stands in comments is not among them.
///
/// ```
/// let statements = tabiya_sql::statements("SELECT 1; -- the second\nSELECT ';'")?;
/// assert_eq!(statements, ["SELECT 1", "SELECT ';'"]);
/// # Ok::<(), tabiya_sql::Error>(())
/// ```
///
/// # Errors
/// If one of them is no SQL.
pub fn statements(text: &str) -> Result<Vec<String>, Error> {
    let parsed = DFParser::parse_sql(text)?;
    Ok(parsed.iter().map(Statement::to_string).collect())
}
