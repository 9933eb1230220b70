//! `fen_piece(fen, square)`

use std::sync::Arc;

use datafusion::{
    arrow::{
        array::{ArrayRef, StringViewBuilder},
        datatypes::DataType,
    },
    common::{Result, plan_datafusion_err},
};
use tabiya_chess::Square;

use super::{
    arguments::{Arguments, Kind},
    function::{About, Parameter},
    ply_of::FEN,
    position,
};

/// Its name.
pub const NAME: &str = "fen_piece";

pub(super) static ABOUT: About = About {
    name: NAME,
    about: "What stands on a square of a position, as FEN writes it: `N` is a white knight, `n` a black one. \
            Null if the square is empty.",
    parameters: &[
        FEN,
        Parameter {
            name: "square",
            kind: Kind::Text,
            about: "A square from `a1` to `h8`.",
        },
    ],
    returns: DataType::Utf8View,
    example: "SELECT fen_piece('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', 'e2')",
    run,
};

fn run(arguments: &Arguments) -> Result<ArrayRef> {
    let (fens, squares) = (arguments.texts(0)?, arguments.texts(1)?);
    let mut pieces = StringViewBuilder::with_capacity(arguments.rows);
    for row in 0..arguments.rows {
        let (Some(fen), Some(square)) = (fens.get(row), squares.get(row)) else {
            pieces.append_null();
            continue;
        };
        let wrong = |_| plan_datafusion_err!("{NAME}: not a square from a1 to h8: {square:?}");
        let square: Square = square.parse().map_err(wrong)?;
        let piece = position::of_fen(NAME, fen)?.board().piece_at(square);
        pieces.append_option(piece.map(|piece| piece.letter().to_string()));
    }
    Ok(Arc::new(pieces.finish()))
}
