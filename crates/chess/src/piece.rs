//! Colours, kinds of piece, and pieces.
//!
//! ```
//! use tabiya_chess::{Color, Piece, Role};
//!
//! let piece = Piece::from_letter('n').unwrap();
//! assert_eq!(piece, Piece { color: Color::Black, role: Role::Knight });
//! assert_eq!(piece.letter(), 'n');
//! assert_eq!(piece.figurine(), '♞');
//! ```

use std::{fmt, ops::Not};

use crate::Rank;

/// White or Black.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// The side that moves first.
    White,
    /// The other side.
    Black,
}

impl Color {
    /// Both, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// `w` or `b`, as in a FEN.
    #[inline]
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }

    /// A rank as this side counts it: Black's second rank is the seventh.
    #[inline]
    #[must_use]
    pub const fn rank(self, rank: Rank) -> Rank {
        match self {
            Color::White => rank,
            Color::Black => Rank::from_index(7 - rank as u8),
        }
    }

    /// The rank on which this side's pieces start.
    #[inline]
    #[must_use]
    pub const fn back_rank(self) -> Rank {
        self.rank(Rank::First)
    }

    /// The direction in which this side's pawns move, in ranks.
    #[inline]
    #[must_use]
    pub const fn forward(self) -> i8 {
        match self {
            Color::White => 1,
            Color::Black => -1,
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::White => "White",
            Color::Black => "Black",
        })
    }
}

/// A kind of piece, without its colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)] // the names say it
pub enum Role {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Role {
    /// All kinds, from the pawn to the king.
    pub const ALL: [Role; 6] = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
        Role::King,
    ];

    /// What a pawn may become in chess, strongest first.
    pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

    /// The kind named by an English letter of either case, `p` included.
    #[inline]
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Role> {
        Some(match letter {
            'P' | 'p' => Role::Pawn,
            'N' | 'n' => Role::Knight,
            'B' | 'b' => Role::Bishop,
            'R' | 'r' => Role::Rook,
            'Q' | 'q' => Role::Queen,
            'K' | 'k' => Role::King,
            _ => return None,
        })
    }

    /// Its English letter, upper case.
    #[inline]
    #[must_use]
    pub const fn letter(self) -> char {
        b"PNBRQK"[self as usize] as char
    }

    /// This kind of piece in a colour.
    #[inline]
    #[must_use]
    pub const fn of(self, color: Color) -> Piece {
        Piece { color, role: self }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Pawn => "pawn",
            Role::Knight => "knight",
            Role::Bishop => "bishop",
            Role::Rook => "rook",
            Role::Queen => "queen",
            Role::King => "king",
        })
    }
}

/// A piece: a kind and a colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub role: Role,
}

impl Piece {
    /// The piece of a FEN letter: upper case is White.
    #[inline]
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        match Role::from_letter(letter) {
            Some(role) => Some(Piece { color, role }),
            None => None,
        }
    }

    /// Its FEN letter: upper case is White.
    #[inline]
    #[must_use]
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// Its Unicode chess symbol, ♔ to ♟.
    #[must_use]
    pub const fn figurine(self) -> char {
        const FIGURINES: [[char; 6]; 2] = [
            ['♙', '♘', '♗', '♖', '♕', '♔'],
            ['♟', '♞', '♝', '♜', '♛', '♚'],
        ];
        FIGURINES[self.color as usize][self.role as usize]
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let color = match self.color {
            Color::White => "white",
            Color::Black => "black",
        };
        write!(f, "{color} {}", self.role)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_round_trip() {
        for color in Color::ALL {
            for role in Role::ALL {
                let piece = role.of(color);
                assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            }
        }
        assert_eq!(Piece::from_letter('x'), None);
    }

    #[test]
    fn black_counts_ranks_from_the_top() {
        assert_eq!(Color::Black.rank(Rank::Second), Rank::Seventh);
        assert_eq!(Color::White.back_rank(), Rank::First);
        assert_eq!(!Color::White, Color::Black);
    }
}
