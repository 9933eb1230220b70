//! What chess adds to SQL, one file a function.
//!
//! Functions of moves take the column `moves` of `games`, which is complete in itself: start, rules and
//! moves ([`movetext`](tabiya_store::movetext)). They are about the main line, and null of an entry that is
//! no game. `docs/sql-functions.md` shows each of them.
//!
//! [`scalar`] and [`aggregate`] list them all; [`question`] tells which calls an index can answer.
//!
//! ```
//! use datafusion::prelude::SessionContext;
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let context = SessionContext::new();
//! for function in tabiya_sql::functions::scalar() {
//!     context.register_udf(function.as_ref().clone());
//! }
//! let fen = "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1";
//! let answer = context.sql(&format!("SELECT fen_side('{fen}') AS side")).await?;
//! assert!(answer.to_string().await?.contains("white"));
//! # Ok::<(), datafusion::error::DataFusionError>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arguments;
pub mod chess_date;
pub mod eco;
pub mod fen_after;
pub mod fen_material;
pub mod fen_piece;
pub mod fen_side;
pub mod fen_valid;
mod function;
mod games;
pub mod matches;
pub mod material;
pub mod opening;
mod openings;
pub mod performance;
pub mod ply_of;
mod position;
pub mod position_key;
mod pushdown;
pub mod reaches;
pub mod san_line;
pub mod score;
mod tally;
pub mod year_of;

use std::sync::Arc;

use datafusion::logical_expr::{AggregateUDF, ScalarUDF};

use self::function::{About, Function};

pub use pushdown::question;

/// All functions of one row.
#[must_use]
pub fn scalar() -> Vec<Arc<ScalarUDF>> {
    let all: [&'static About; 15] = [
        &reaches::ABOUT,
        &ply_of::ABOUT,
        &matches::ABOUT,
        &fen_after::ABOUT,
        &material::ABOUT,
        &san_line::ABOUT,
        &eco::ABOUT,
        &opening::ABOUT,
        &position_key::ABOUT,
        &fen_valid::ABOUT,
        &fen_side::ABOUT,
        &fen_material::ABOUT,
        &fen_piece::ABOUT,
        &year_of::ABOUT,
        &chess_date::ABOUT,
    ];
    let function = |about| Arc::new(ScalarUDF::new_from_impl(Function::new(about)));
    all.into_iter().map(function).collect()
}

/// All functions of many rows.
#[must_use]
pub fn aggregate() -> Vec<Arc<AggregateUDF>> {
    let all: [&'static tally::About; 2] = [&score::ABOUT, &performance::ABOUT];
    let function = |about| Arc::new(AggregateUDF::new_from_impl(tally::Function::new(about)));
    all.into_iter().map(function).collect()
}
