//! Games, looked into.

use std::{ops::ControlFlow, sync::LazyLock};

use datafusion::common::Result;
use tabiya_chess::{Position, Variant};
use tabiya_store::movetext::{Movetext, Player};

use super::arguments::Moves;

/// The player of all functions.
pub(super) static PLAYER: LazyLock<Player> = LazyLock::new(Player::new);

/// The position of a game after so many plies; `None` if it has no such position, or the ply was left
/// out.
pub(super) fn position_after(
    moves: &Moves<'_>,
    game: Movetext<'_>,
    plies: i64,
) -> Result<Option<Position>> {
    let Ok(plies) = u32::try_from(plies) else {
        return Ok(None);
    };
    let mut found = None;
    let played = PLAYER.play_boards(game, |ply, board| match ply < plies {
        true => ControlFlow::Continue(()),
        false => {
            // The boards of both kinds of chess are the same, but their FENs are not.
            let variant = match game.variant {
                Variant::Chess960 => Variant::Chess960,
                _ => Variant::Standard,
            };
            found = Position::from_setup(&board.to_setup(), variant).ok();
            ControlFlow::Break(())
        }
    });
    if played.is_none() {
        found = None;
        let shown = game.for_each_position(|ply, _, position| {
            if ply == plies {
                found = Some(*position);
            }
            match ply < plies {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        shown.map_err(|error| moves.damaged(&error))?;
    }
    Ok(found)
}
