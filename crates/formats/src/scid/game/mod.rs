//! The record of a game: extra tags, start, moves, comments. Both versions have the same.

pub(super) mod code;
pub(super) mod pieces;
pub(super) mod reader;
pub(super) mod tags;
pub(super) mod writer;

/// Marks among the moves; other bytes below 16 are moves of the king.
pub(super) mod mark {
    pub const NULL: u8 = 0x00;
    pub const NAG: u8 = 0x0b;
    pub const COMMENT: u8 = 0x0c;
    pub const OPEN: u8 = 0x0d;
    pub const CLOSE: u8 = 0x0e;
    pub const END: u8 = 0x0f;
}

/// Bits of the byte before the moves; they are those of the flags of the index.
pub(super) const SETUP: u8 = super::index::fields::flags::SETUP as u8;

/// A record is shorter than this, and lies within a block of this size.
pub(super) const BLOCK: usize = 1 << 17;

/// How many glyphs a move can have: with more, programs cannot load the game.
pub(super) const MOST_NAGS: usize = 7;

/// How many pieces a side can have.
pub(super) const MOST_PIECES: usize = 16;
