//! Calls that an index can answer.

use datafusion::logical_expr::{Expr, expr::ScalarFunction};
use tabiya_search::{Exact, Query, Test};

use super::{matches, ply_of, position, reaches};

/// The question that a condition asks of every game, if a store can answer it: `reaches(moves, 'FEN')`,
/// `ply_of(moves, 'FEN') IS NOT NULL` and `matches(moves, 'PATTERN')`, where `moves` is the column of
/// that name. Whether it is that of the right table is for the caller to know. A text that nobody understands is none: the function itself says what is wrong with it.
///
/// ```
/// use datafusion::prelude::{col, lit};
/// use tabiya_sql::functions::{question, scalar};
///
/// let matches = scalar().into_iter().find(|function| function.name() == "matches").unwrap();
/// let condition = matches.call(vec![col("moves"), lit("check")]);
/// assert_eq!(question(&condition), Some("check".parse()?));
/// assert_eq!(question(&col("white")), None);
/// # Ok::<(), tabiya_search::ParseError>(())
/// ```
#[must_use]
pub fn question(condition: &Expr) -> Option<Query> {
    match condition {
        Expr::ScalarFunction(call) => match call.name() {
            reaches::NAME => exactly(reaches::NAME, literal(call)?),
            matches::NAME => matches::query(literal(call)?).ok(),
            _ => None,
        },
        Expr::IsNotNull(inner) => match &**inner {
            Expr::ScalarFunction(call) if call.name() == ply_of::NAME => {
                exactly(ply_of::NAME, literal(call)?)
            }
            _ => None,
        },
        _ => None,
    }
}

fn exactly(function: &str, fen: &str) -> Option<Query> {
    let position = position::of_fen(function, fen).ok()?;
    Some(Query::Somewhere(Test::Exact(Exact::new(position))))
}

/// The text behind the column `moves` in the arguments of a call.
fn literal(call: &ScalarFunction) -> Option<&str> {
    match call.args.as_slice() {
        [Expr::Column(column), Expr::Literal(text, _)] if column.name == "moves" => {
            text.try_as_str().flatten()
        }
        _ => None,
    }
}
