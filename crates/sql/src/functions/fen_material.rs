//! `fen_material(fen)`

use std::sync::Arc;

use datafusion::{
    arrow::{
        array::{ArrayRef, StringViewBuilder},
        datatypes::DataType,
    },
    common::Result,
};
use tabiya_search::material::spelled;

use super::{arguments::Arguments, function::About, ply_of::FEN, position};

/// Its name.
pub const NAME: &str = "fen_material";

pub(super) static ABOUT: About = About {
    name: NAME,
    about: "What is on the board of a position: White's pieces, then Black's, as in `KRPKR` and in the column \
            `material` of positions.",
    parameters: &[FEN],
    returns: DataType::Utf8View,
    example: "SELECT fen_material('4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1')",
    run,
};

fn run(arguments: &Arguments) -> Result<ArrayRef> {
    let fens = arguments.texts(0)?;
    let mut texts = StringViewBuilder::with_capacity(arguments.rows);
    for row in 0..arguments.rows {
        texts.append_option(match fens.get(row) {
            Some(fen) => Some(spelled(position::of_fen(NAME, fen)?.board())),
            None => None,
        });
    }
    Ok(Arc::new(texts.finish()))
}
