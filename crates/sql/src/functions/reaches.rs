//! `reaches(moves, fen)`

use std::sync::Arc;

use datafusion::{
    arrow::{
        array::{ArrayRef, BooleanBuilder},
        datatypes::DataType,
    },
    common::Result,
};
use tabiya_store::movetext::Sought;

use super::{arguments::Arguments, function::About, games::PLAYER, position};

/// Its name.
pub const NAME: &str = "reaches";

pub(super) static ABOUT: About = About {
    name: NAME,
    about: "Whether the main line of a game has a position: the same pieces, side to move and castling \
            rights, and the same en-passant square if the capture is legal. Null if there is no game.",
    parameters: &[super::ply_of::MOVES, super::ply_of::FEN],
    returns: DataType::Boolean,
    example: "SELECT count(*) FROM games WHERE reaches(moves, 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2')",
    run,
};

fn run(arguments: &Arguments) -> Result<ArrayRef> {
    let (moves, fens) = (arguments.moves(0)?, arguments.texts(1)?);
    let mut found = BooleanBuilder::with_capacity(arguments.rows);
    for (rows, fen) in fens.runs() {
        let Some(fen) = fen else {
            found.append_nulls(rows.len());
            continue;
        };
        let sought = Sought::new(&position::of_fen(NAME, fen)?);
        for row in rows {
            found.append_option(match moves.game(row)? {
                Some(game) => {
                    let ply = sought.first_ply(&PLAYER, game);
                    Some(ply.map_err(|error| moves.damaged(&error))?.is_some())
                }
                None => None,
            });
        }
    }
    Ok(Arc::new(found.finish()))
}
