//! `position_key(fen)`

use std::sync::Arc;

use datafusion::{
    arrow::{
        array::{ArrayRef, Int64Builder},
        datatypes::DataType,
    },
    common::Result,
};
use tabiya_search::Exact;

use super::{arguments::Arguments, function::About, ply_of::FEN, position};

/// Its name.
pub const NAME: &str = "position_key";

pub(super) static ABOUT: About = About {
    name: NAME,
    about: "The key of a position, as the column `key` of positions has it: Polyglot's, but an en-passant \
            square counts only if the capture is legal.",
    parameters: &[FEN],
    returns: DataType::Int64,
    example: "SELECT san, count(*) AS games FROM positions WHERE key = position_key('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1') GROUP BY san ORDER BY games DESC",
    run,
};

fn run(arguments: &Arguments) -> Result<ArrayRef> {
    let fens = arguments.texts(0)?;
    let mut keys = Int64Builder::with_capacity(arguments.rows);
    for (rows, fen) in fens.runs() {
        let key = match fen {
            Some(fen) => Some(Exact::key(&position::of_fen(NAME, fen)?).0.cast_signed()),
            None => None,
        };
        rows.for_each(|_| keys.append_option(key));
    }
    Ok(Arc::new(keys.finish()))
}
