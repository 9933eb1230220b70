//! `fen_after(moves, ply)`

use std::sync::Arc;

use datafusion::{
    arrow::{
        array::{ArrayRef, StringViewBuilder},
        datatypes::DataType,
    },
    common::Result,
};

use super::{
    arguments::{Arguments, Kind},
    function::{About, Parameter},
    games::position_after,
    ply_of::MOVES,
};

/// Its name.
pub const NAME: &str = "fen_after";

/// The ply that some functions take.
pub(super) const PLY: Parameter = Parameter {
    name: "ply",
    kind: Kind::Integer,
    about: "How many plies have been played; 0 is the start.",
};

pub(super) static ABOUT: About = About {
    name: NAME,
    about: "The position of the main line after so many plies, as FEN. Null if the game is shorter, or that \
            ply was left out.",
    parameters: &[MOVES, PLY],
    returns: DataType::Utf8View,
    example: "SELECT fen_after(moves, 10) FROM games",
    run,
};

fn run(arguments: &Arguments) -> Result<ArrayRef> {
    let (moves, plies) = (arguments.moves(0)?, arguments.numbers(1)?);
    let mut fens = StringViewBuilder::with_capacity(arguments.rows);
    for row in 0..arguments.rows {
        let position = match (moves.game(row)?, plies.get(row)) {
            (Some(game), Some(plies)) => position_after(&moves, game, plies)?,
            _ => None,
        };
        fens.append_option(position.map(|position| position.to_string()));
    }
    Ok(Arc::new(fens.finish()))
}
