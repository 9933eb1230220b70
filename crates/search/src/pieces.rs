//! Sets of pieces: what may stand on a square.

use std::ops::{BitOr, Not};

use tabiya_chess::{Bitboard, Board, Color, Piece, Role};

/// A set of the twelve pieces and of nothing: what may stand on a square.
///
/// ```
/// use tabiya_chess::{Bitboard, Board, Color};
/// use tabiya_search::Pieces;
///
/// let rooks_and_queens: Pieces = "[RQ]".parse()?;
/// assert_eq!(rooks_and_queens.on(&Board::INITIAL).count(), 3);
/// assert_eq!(Pieces::of_side(Color::Black).on(&Board::INITIAL).count(), 16);
/// # Ok::<(), tabiya_search::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Pieces(u16);

impl Pieces {
    /// No piece, and not an empty square either: nothing fits.
    pub const NONE: Pieces = Pieces(0);
    /// An empty square.
    pub const EMPTY: Pieces = Pieces(1 << 12);
    /// Any piece.
    pub const ANY: Pieces = Pieces((1 << 12) - 1);
    const PAWNS: u16 =
        Pieces::piece(Color::White, Role::Pawn).0 | Pieces::piece(Color::Black, Role::Pawn).0;
    /// Whatever can be on a square.
    const ALL: u16 = (1 << 13) - 1;

    /// One piece.
    #[must_use]
    pub const fn piece(color: Color, role: Role) -> Pieces {
        Pieces(1 << (color as u16 * 6 + role as u16))
    }

    /// Any piece of a side.
    #[must_use]
    pub const fn of_side(color: Color) -> Pieces {
        Pieces(0x3f << (color as u16 * 6))
    }

    /// A piece of either side.
    #[must_use]
    pub fn of_role(role: Role) -> Pieces {
        Pieces::piece(Color::White, role) | Pieces::piece(Color::Black, role)
    }

    /// Whether it has that piece.
    #[must_use]
    pub const fn has(self, color: Color, role: Role) -> bool {
        self.0 & Pieces::piece(color, role).0 != 0
    }

    /// Whether an empty square fits.
    #[must_use]
    pub const fn has_empty(self) -> bool {
        self.0 & Pieces::EMPTY.0 != 0
    }

    /// Whether it has a pawn.
    pub(crate) const fn has_pawns(self) -> bool {
        self.0 & Pieces::PAWNS != 0
    }

    /// Whether it has nothing but pawns.
    pub(crate) const fn are_pawns(self) -> bool {
        self.0 & !Pieces::PAWNS == 0
    }

    /// Whether nothing is in both.
    pub(crate) const fn is_apart_from(self, other: Pieces) -> bool {
        self.0 & other.0 == 0
    }

    /// The same with the colours exchanged.
    #[must_use]
    pub const fn flipped(self) -> Pieces {
        Pieces((self.0 & 0x3f) << 6 | (self.0 >> 6) & 0x3f | self.0 & Pieces::EMPTY.0)
    }

    /// Where what it has stands.
    #[must_use]
    pub fn on(self, board: &Board) -> Bitboard {
        let mut squares = Bitboard::EMPTY;
        for color in Color::ALL {
            let side = self.0 >> (color as u16 * 6) & 0x3f;
            match side {
                0 => {}
                0x3f => squares |= board.side(color),
                _ => {
                    let roles = Role::ALL.into_iter().filter(|&role| self.has(color, role));
                    for role in roles {
                        squares |= board.of(color, role);
                    }
                }
            }
        }
        if self.has_empty() {
            squares |= !board.occupied();
        }
        squares
    }

    /// What a letter means: a piece as in FEN, `A` and `a` any piece of White or Black, `*` any
    /// piece, `_` an empty square.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Pieces> {
        match letter {
            'A' => Some(Pieces::of_side(Color::White)),
            'a' => Some(Pieces::of_side(Color::Black)),
            '*' => Some(Pieces::ANY),
            '_' => Some(Pieces::EMPTY),
            _ => Piece::from_letter(letter).map(|piece| Pieces::piece(piece.color, piece.role)),
        }
    }
}

impl BitOr for Pieces {
    type Output = Pieces;

    fn bitor(self, other: Pieces) -> Pieces {
        Pieces(self.0 | other.0)
    }
}

/// Everything else that can be on a square, an empty one included.
impl Not for Pieces {
    type Output = Pieces;

    fn not(self) -> Pieces {
        Pieces(!self.0 & Pieces::ALL)
    }
}
