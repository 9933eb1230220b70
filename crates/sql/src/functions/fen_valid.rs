//! `fen_valid(fen)`

use std::sync::Arc;

use datafusion::{
    arrow::{
        array::{ArrayRef, BooleanArray},
        datatypes::DataType,
    },
    common::Result,
};

use super::{
    arguments::{Arguments, Kind},
    function::{About, Parameter},
    position,
};

/// Its name.
pub const NAME: &str = "fen_valid";

pub(super) static ABOUT: About = About {
    name: NAME,
    about: "Whether a text is the FEN of a position: one king for each side, no pawn on the first and the last \
            rank. Other functions of a FEN refuse one that is not.",
    parameters: &[Parameter {
        name: "fen",
        kind: Kind::Text,
        about: "Any text.",
    }],
    returns: DataType::Boolean,
    example: "SELECT fen_valid('8/8/8/8/8/8/8/8 w - - 0 1')",
    run,
};

fn run(arguments: &Arguments) -> Result<ArrayRef> {
    let fens = arguments.texts(0)?;
    let valid = |row| Some(position::of_fen(NAME, fens.get(row)?).is_ok());
    Ok(Arc::new(
        (0..arguments.rows).map(valid).collect::<BooleanArray>(),
    ))
}
