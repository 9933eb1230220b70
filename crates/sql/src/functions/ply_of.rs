//! `ply_of(moves, fen)`

use std::sync::Arc;

use datafusion::{
    arrow::{
        array::{ArrayRef, Int32Builder},
        datatypes::DataType,
    },
    common::Result,
};
use tabiya_store::movetext::Sought;

use super::{
    arguments::{Arguments, Kind},
    function::{About, Parameter},
    games::PLAYER,
    position,
};

/// Its name.
pub const NAME: &str = "ply_of";

/// The moves that many functions take.
pub(super) const MOVES: Parameter = Parameter {
    name: "moves",
    kind: Kind::Moves,
    about: "The column `moves` of games.",
};

/// The position that many functions take.
pub(super) const FEN: Parameter = Parameter {
    name: "fen",
    kind: Kind::Text,
    about: "A position as FEN; the clocks do not count and may be left out.",
};

pub(super) static ABOUT: About = About {
    name: NAME,
    about: "After how many plies the main line of a game has a position first; 0 is the start. Null if it \
            never has it.",
    parameters: &[MOVES, FEN],
    returns: DataType::Int32,
    example: "SELECT white, black, ply_of(moves, 'rnbqkb1r/pppppp1p/5np1/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3') AS ply FROM games",
    run,
};

fn run(arguments: &Arguments) -> Result<ArrayRef> {
    let (moves, fens) = (arguments.moves(0)?, arguments.texts(1)?);
    let mut plies = Int32Builder::with_capacity(arguments.rows);
    for (rows, fen) in fens.runs() {
        let Some(fen) = fen else {
            plies.append_nulls(rows.len());
            continue;
        };
        let sought = Sought::new(&position::of_fen(NAME, fen)?);
        for row in rows {
            let ply = match moves.game(row)? {
                Some(game) => sought.first_ply(&PLAYER, game),
                None => Ok(None),
            };
            let ply = ply.map_err(|error| moves.damaged(&error))?;
            plies.append_option(ply.and_then(|ply| i32::try_from(ply).ok()));
        }
    }
    Ok(Arc::new(plies.finish()))
}
