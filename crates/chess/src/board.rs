//! Which piece stands where, as bitboards.
//!
//! ```
//! use tabiya_chess::{Board, Color, Role, Square};
//!
//! let board = Board::INITIAL;
//! assert_eq!(board.piece_at(Square::E1), Some(Role::King.of(Color::White)));
//! assert_eq!(board.pieces(Role::Pawn).count(), 16);
//! assert_eq!(board.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
//! ```

use std::fmt::{self, Write};

use crate::{Bitboard, Color, File, Piece, Rank, Role, Square};

/// Pieces on squares: one set a role and one a colour. At most one piece stands on a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Board {
    pub(crate) roles: [Bitboard; 6],
    pub(crate) colors: [Bitboard; 2],
}

impl Board {
    /// A board without pieces.
    pub const EMPTY: Board = Board {
        roles: [Bitboard::EMPTY; 6],
        colors: [Bitboard::EMPTY; 2],
    };

    /// The board at the start of a game.
    pub const INITIAL: Board = Board {
        roles: [
            Bitboard(0x00ff_0000_0000_ff00),
            Bitboard(0x4200_0000_0000_0042),
            Bitboard(0x2400_0000_0000_0024),
            Bitboard(0x8100_0000_0000_0081),
            Bitboard(0x0800_0000_0000_0008),
            Bitboard(0x1000_0000_0000_0010),
        ],
        colors: [Bitboard(0xffff), Bitboard(0xffff_0000_0000_0000)],
    };

    /// The squares of all pieces.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The squares of one side's pieces.
    #[inline]
    #[must_use]
    pub fn side(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// The squares of one kind of piece, both sides.
    #[inline]
    #[must_use]
    pub fn pieces(&self, role: Role) -> Bitboard {
        self.roles[role as usize]
    }

    /// The squares of one kind of piece of one side.
    #[inline]
    #[must_use]
    pub fn of(&self, color: Color, role: Role) -> Bitboard {
        self.side(color) & self.pieces(role)
    }

    /// The square of a side's king, if it has exactly one.
    #[inline]
    #[must_use]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.of(color, Role::King).single()
    }

    /// What kind of piece stands on a square.
    #[inline]
    #[must_use]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        let bit = Bitboard::square(square);
        if (self.occupied() & bit).is_empty() {
            return None;
        }
        Some(self.role_on(square))
    }

    /// What kind of piece stands on a square that holds one; a pawn, if it does not.
    #[inline(always)]
    pub(crate) fn role_on(&self, square: Square) -> Role {
        // Without branches, because which piece it is cannot be predicted: its number, bit by bit.
        const BY_BITS: [Role; 8] = [
            Role::Pawn,
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
            Role::King,
            // A piece is of one kind.
            Role::King,
            Role::King,
        ];
        let [_, knights, bishops, rooks, queens, kings] = self.roles;
        let at = |set: Bitboard| ((set.0 >> square.index()) & 1) as usize;
        BY_BITS[at(knights | rooks | kings) | at(bishops | rooks) << 1 | at(queens | kings) << 2]
    }

    /// Which side's piece stands on a square.
    #[inline]
    #[must_use]
    pub fn color_at(&self, square: Square) -> Option<Color> {
        if self.colors[0].contains(square) {
            Some(Color::White)
        } else if self.colors[1].contains(square) {
            Some(Color::Black)
        } else {
            None
        }
    }

    /// The piece on a square.
    #[inline]
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        Some(Piece {
            color: self.color_at(square)?,
            role: self.role_at(square)?,
        })
    }

    /// Puts a piece on a square, in place of what was there.
    pub fn put(&mut self, square: Square, piece: Piece) {
        self.remove(square);
        self.roles[piece.role as usize] |= square.into();
        self.colors[piece.color as usize] |= square.into();
    }

    /// Takes the piece off a square.
    pub fn remove(&mut self, square: Square) {
        let keep = !Bitboard::square(square);
        for set in self.roles.iter_mut().chain(&mut self.colors) {
            *set &= keep;
        }
    }

    /// All pieces with their squares, a1 first.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied()
            .into_iter()
            .filter_map(|square| Some((square, self.piece_at(square)?)))
    }
}

/// The first field of a FEN.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.piece_at(Square::new(file, rank)) {
                    Some(piece) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                            empty = 0;
                        }
                        f.write_char(piece.letter())?;
                    }
                    None => empty += 1,
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank != Rank::First {
                f.write_char('/')?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn putting_a_piece_replaces_what_was_there() {
        let mut board = Board::INITIAL;
        board.put(Square::E8, Role::Queen.of(Color::White));
        assert_eq!(
            board.piece_at(Square::E8),
            Some(Role::Queen.of(Color::White))
        );
        assert_eq!(board.king(Color::Black), None);
        board.remove(Square::E8);
        assert_eq!(board.piece_at(Square::E8), None);
        assert_eq!(board.iter().count(), 31);
    }

    #[test]
    fn every_role_is_found_on_its_square() {
        let mut board = Board::EMPTY;
        for (index, role) in Role::ALL.into_iter().enumerate() {
            board.put(Square::from_index(index as u8 * 9), role.of(Color::Black));
        }
        for (index, role) in Role::ALL.into_iter().enumerate() {
            assert_eq!(
                board.role_at(Square::from_index(index as u8 * 9)),
                Some(role)
            );
        }
    }
}
