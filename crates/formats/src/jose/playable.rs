//! Which moves a board can take, legal or not.

use tabiya_chess::{Bitboard, Move, Position, Rank, Role, Square, Variant};

use super::{Profile, code};

/// Whether a move leaves a board on which the game can go on: a piece of the side to move goes to
/// a square without a piece of its own and without a king, or castles; pawns go forward as pawns
/// do, and promote exactly on the last rank. Whether the way of other pieces is free and the king is safe does not
/// matter.
#[inline]
pub(super) fn is_playable(position: &Position, play: Move) -> bool {
    let (from, to) = (play.from(), play.to());
    let (board, us) = (position.board(), position.turn());
    if !board.side(us).contains(from) {
        return false;
    }
    let Some(role) = board.role_at(from) else {
        return false;
    };
    if board.side(us).contains(to) {
        return role == Role::King && play.promoted().is_none() && can_castle(position, play);
    }
    let antichess = position.variant() == Variant::Antichess;
    if board.pieces(Role::King).contains(to) && !antichess {
        return false;
    }
    if role != Role::Pawn {
        return play.promoted().is_none();
    }
    let becomes_piece = match play.promoted() {
        None => false,
        Some(Role::Pawn) => return false,
        Some(Role::King) if !antichess => return false,
        Some(_) => true,
    };
    (to.rank() == us.rank(Rank::Eighth)) == becomes_piece
        && match code::offset(Profile::Store, role, us, from, to) {
            None => false,
            // Else the square that it passes would be none for a capture en passant.
            Some(3) => from.rank() == us.rank(Rank::Second) && !occupied_ahead(position, from),
            Some(_) => true,
        }
}

fn occupied_ahead(position: &Position, pawn: Square) -> bool {
    pawn.offset(0, position.turn().forward())
        .is_some_and(|ahead| position.board().occupied().contains(ahead))
}

/// Whether the right is there and nothing stands where king and rook go.
fn can_castle(position: &Position, play: Move) -> bool {
    let (king, rook) = (play.from(), play.to());
    let (king_to, rook_to) = Position::castling_targets(king, rook);
    let movers = Bitboard::square(king) | rook.into();
    let others = position.board().occupied() - movers;
    position.castling_rooks().contains(rook)
        && !others.contains(king_to)
        && !others.contains(rook_to)
}
