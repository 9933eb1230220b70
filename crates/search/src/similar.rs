//! How far two positions are from each other.
//!
//! The distance is a sum:
//!
//! | | |
//! |---|---|
//! | pawns | 2 for each square on which only one of the two has a pawn of a side |
//! | material | 3 for each piece, not a pawn or a king, that one side has more in one of the two |
//! | placement | 1 for each square on which only one of the two has a piece of a kind that is no pawn |
//! | the side to move | 1 if it is the other one |
//!
//! So 0 is the same position but for castling rights and en passant, a knight on another square is
//! 2, a pawn one step further is 4, and a bishop for a knight on the same square is 8.

use tabiya_chess::{Board, Color, Position, Role};

/// How far two positions are from each other; see the [module](self).
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_search::similar::distance;
///
/// let start = Position::initial();
/// let mut other = start;
/// other.play_san(b"Nf3").unwrap();
/// assert_eq!(distance(&start, &other), 3); // two squares and the other side to move
/// ```
#[must_use]
pub fn distance(one: &Position, other: &Position) -> u32 {
    distance_to(one, other.board(), other.turn())
}

/// A pawn that captures a piece and becomes another changes most: 2 for its square, 4 for each of
/// the pieces, and 1 for the side to move.
pub(crate) const MOST_A_PLY: u32 = 11;

/// How far a position is from a board with somebody to move.
pub(crate) fn distance_to(one: &Position, other: &Board, turn: Color) -> u32 {
    let turn = u32::from(one.turn() != turn);
    let one = one.board();
    let differing = |color: Color, role: Role| {
        let (a, b) = (one.of(color, role), other.of(color, role));
        ((a | b) - (a & b)).count() as u32
    };
    let mut sum = turn;
    for color in Color::ALL {
        for role in Role::ALL {
            let squares = differing(color, role);
            sum += match role {
                Role::Pawn => 2 * squares,
                Role::King => squares,
                _ => squares + 3 * surplus(one, other, color, role),
            };
        }
    }
    sum
}

fn surplus(one: &Board, other: &Board, color: Color, role: Role) -> u32 {
    let count = |board: &Board| board.of(color, role).count();
    count(one).abs_diff(count(other)) as u32
}

#[cfg(test)]
mod tests {
    use crate::Exact;

    use super::*;

    fn between(one: &str, other: &str) -> u32 {
        let position = |fen| *Exact::from_fen(fen).unwrap().position();
        let (one, other) = (position(one), position(other));
        assert_eq!(distance(&one, &other), distance(&other, &one));
        distance(&one, &other)
    }

    #[test]
    fn each_difference_has_its_price() {
        let fen = "4k3/8/8/8/4P3/2N5/8/4K3 w - - 0 1";
        assert_eq!(between(fen, fen), 0);
        assert_eq!(between(fen, "4k3/8/8/8/4P3/2N5/8/4K3 b - - 9 40"), 1);
        assert_eq!(between(fen, "4k3/8/8/8/4P3/5N2/8/4K3 w - - 0 1"), 2);
        assert_eq!(between(fen, "4k3/8/8/4P3/8/2N5/8/4K3 w - - 0 1"), 4);
        assert_eq!(between(fen, "4k3/8/8/8/4P3/2B5/8/4K3 w - - 0 1"), 8);
        assert_eq!(
            between(fen, "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1"),
            4,
            "a knight less"
        );
    }
}
