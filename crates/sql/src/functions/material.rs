//! `material(moves, ply)`

use std::sync::Arc;

use datafusion::{
    arrow::{
        array::{ArrayRef, StringViewBuilder},
        datatypes::DataType,
    },
    common::Result,
};
use tabiya_search::material::spelled;

use super::{
    arguments::Arguments, fen_after::PLY, function::About, games::position_after, ply_of::MOVES,
};

/// Its name.
pub const NAME: &str = "material";

pub(super) static ABOUT: About = About {
    name: NAME,
    about: "What is on the board after so many plies of the main line: White's pieces, then Black's, as in \
            `KRPKR`. Null if the game is shorter, or that ply was left out.",
    parameters: &[MOVES, PLY],
    returns: DataType::Utf8View,
    example: "SELECT material(moves, ply_count) AS material, count(*) AS games FROM games GROUP BY 1 ORDER BY 2 DESC",
    run,
};

fn run(arguments: &Arguments) -> Result<ArrayRef> {
    let (moves, plies) = (arguments.moves(0)?, arguments.numbers(1)?);
    let mut texts = StringViewBuilder::with_capacity(arguments.rows);
    for row in 0..arguments.rows {
        let position = match (moves.game(row)?, plies.get(row)) {
            (Some(game), Some(plies)) => position_after(&moves, game, plies)?,
            _ => None,
        };
        texts.append_option(position.map(|position| spelled(position.board())));
    }
    Ok(Arc::new(texts.finish()))
}
