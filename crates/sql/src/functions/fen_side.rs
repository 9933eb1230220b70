//! `fen_side(fen)`

use std::sync::Arc;

use datafusion::{
    arrow::{
        array::{ArrayRef, StringViewBuilder},
        datatypes::DataType,
    },
    common::Result,
};
use tabiya_chess::Color;

use super::{arguments::Arguments, function::About, ply_of::FEN, position};

/// Its name.
pub const NAME: &str = "fen_side";

pub(super) static ABOUT: About = About {
    name: NAME,
    about: "Who moves in a position: `white` or `black`, as the column `side` of positions has it.",
    parameters: &[FEN],
    returns: DataType::Utf8View,
    example: "SELECT fen_side('4k3/8/8/8/8/8/4P3/4K3 b - - 0 1')",
    run,
};

fn run(arguments: &Arguments) -> Result<ArrayRef> {
    let fens = arguments.texts(0)?;
    let mut sides = StringViewBuilder::with_capacity(arguments.rows);
    for row in 0..arguments.rows {
        sides.append_option(match fens.get(row) {
            Some(fen) => Some(match position::of_fen(NAME, fen)?.turn() {
                Color::White => "white",
                Color::Black => "black",
            }),
            None => None,
        });
    }
    Ok(Arc::new(sides.finish()))
}
