//! What headers say about the moves of a game.

use tabiya_chess::{Board, Color, Position, Role};

/// The full moves of a main line as the header file counts them: at most 255, and a first move by
/// Black counts as one.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_chessbase::moves::full_moves;
///
/// assert_eq!(full_moves(&Position::initial(), 7), 4);
/// assert_eq!(full_moves(&Position::initial(), 600), 255);
/// ```
#[must_use]
pub fn full_moves(start: &Position, plies: u32) -> u8 {
    let half_moves = plies.saturating_add(start.turn() as u32);
    u8::try_from(half_moves.div_ceil(2)).unwrap_or(u8::MAX)
}

/// What is left on the board at the end of a game, as the extended headers hold it: a word for
/// each side with rooks in bits 0–2, bishops in 3–5, knights in 6–8, queens in 9–11 and pawns in
/// 12–15. Which side has which is not said: the greater number comes first.
///
/// ```
/// use tabiya_chess::Board;
/// use tabiya_chessbase::moves::Material;
///
/// let material = Material::of(&Board::INITIAL);
/// assert_eq!((material.greater, material.lesser), (0x8292, 0x8292));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Material {
    /// The greater word.
    pub greater: u16,
    /// The lesser word.
    pub lesser: u16,
}

impl Material {
    /// The material of a board.
    #[must_use]
    pub fn of(board: &Board) -> Material {
        let words = Color::ALL.map(|color| side(board, color));
        Material {
            greater: words[0].max(words[1]),
            lesser: words[0].min(words[1]),
        }
    }
}

fn side(board: &Board, color: Color) -> u16 {
    let count = |role, most| board.of(color, role).count().min(most) as u16;
    count(Role::Rook, 7)
        | count(Role::Bishop, 7) << 3
        | count(Role::Knight, 7) << 6
        | count(Role::Queen, 7) << 9
        | count(Role::Pawn, 15) << 12
}
