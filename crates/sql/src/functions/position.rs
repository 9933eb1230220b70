//! Positions as FEN.

use datafusion::common::{Result, plan_datafusion_err};
use tabiya_chess::Position;
use tabiya_search::Exact;

/// The position of a FEN; clocks may be left out.
pub(super) fn of_fen(function: &str, fen: &str) -> Result<Position> {
    match Exact::from_fen(fen) {
        Ok(exact) => Ok(*exact.position()),
        Err(error) => Err(plan_datafusion_err!("{function}: {error}")),
    }
}
