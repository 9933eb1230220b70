//! What a cell holds, as one byte.
//!
//! | Bits | Field |
//! |---|---|
//! | 0-2 | 0 free, 1 pawn, 2 rook, 3 knight, 4 bishop, 5 queen, 6 king |
//! | 3-4 | 0 free, 1 white, 2 black |
//! | 5 | has moved; only in a [`Snapshot`](super::Snapshot) |
//! | 6 | may be captured en passant; only in a snapshot |
//!
//! ```
//! use tabiya_chess::{Color, Role, mailbox::byte};
//!
//! assert_eq!(byte::of(Role::Knight.of(Color::Black)), 0x13);
//! assert_eq!(byte::piece(0x0a), Some(Role::Rook.of(Color::White)));
//! assert_eq!(byte::piece(byte::FREE), None);
//! ```

use crate::{Color, Piece, Role};

/// A free square.
pub const FREE: u8 = 0x00;
/// A cell of the frame.
pub const OFF_BOARD: u8 = 0xff;

/// The bits of the kind of piece.
pub const TYPE: u8 = 0x07;
/// The bits of the colour.
pub const COLOR: u8 = 0x18;
/// The colour White.
pub const WHITE: u8 = 0x08;
/// The colour Black.
pub const BLACK: u8 = 0x10;
/// The piece has moved ("not used" in the note).
pub const MOVED: u8 = 0x20;
/// The pawn may be captured en passant ("not used" in the note).
pub const EN_PASSANT: u8 = 0x40;

pub(super) const PAWN: u8 = 1;
pub(super) const ROOK: u8 = 2;
pub(super) const KNIGHT: u8 = 3;
pub(super) const BISHOP: u8 = 4;
pub(super) const QUEEN: u8 = 5;
pub(super) const KING: u8 = 6;

/// The byte of a piece, without flags.
#[inline]
#[must_use]
pub const fn of(piece: Piece) -> u8 {
    color(piece.color) | role(piece.role)
}

/// The colour bits of a side.
#[inline]
#[must_use]
pub const fn color(color: Color) -> u8 {
    match color {
        Color::White => WHITE,
        Color::Black => BLACK,
    }
}

/// The type bits of a kind of piece. No other format numbers them this way: the rook is 2.
#[inline]
#[must_use]
pub const fn role(role: Role) -> u8 {
    match role {
        Role::Pawn => PAWN,
        Role::Rook => ROOK,
        Role::Knight => KNIGHT,
        Role::Bishop => BISHOP,
        Role::Queen => QUEEN,
        Role::King => KING,
    }
}

/// The piece of a byte, whatever its flags; none of a free cell, the frame, type 7, or a colour
/// that is neither.
#[inline]
#[must_use]
pub const fn piece(byte: u8) -> Option<Piece> {
    let color = match byte & COLOR {
        WHITE => Color::White,
        BLACK => Color::Black,
        _ => return None,
    };
    let role = match byte & TYPE {
        PAWN => Role::Pawn,
        ROOK => Role::Rook,
        KNIGHT => Role::Knight,
        BISHOP => Role::Bishop,
        QUEEN => Role::Queen,
        KING => Role::King,
        _ => return None,
    };
    Some(Piece { color, role })
}
