//! What codes of `store` streams mean, for whoever replays them without events.

use std::sync::LazyLock;

use tabiya_chess::{Color, Role, Square};

use super::{
    Profile, code,
    pieces::Slot,
    replay::{ROWS, meaning, row},
};

/// Where pieces go from each square with the offset of a row; [`NOWHERE`] if that is off the board.
pub(super) static TARGETS: LazyLock<[[u8; 64]; ROWS]> = LazyLock::new(|| {
    std::array::from_fn(|row| {
        std::array::from_fn(|from| {
            let from = Square::from_index(from as u8);
            let to = meaning(row).and_then(|(role, color, offset)| {
                code::target(Profile::Store, role, color, from, offset)
            });
            to.map_or(NOWHERE, |to| to.index() as u8)
        })
    })
});

pub(super) const NOWHERE: u8 = 0xff;

/// A code below castling: a piece, and a row of [`TARGETS`].
#[derive(Clone, Copy)]
pub(super) struct Code {
    pub slot: Slot,
    pub role: Role,
    pub row: u8,
    /// A pawn goes to another file.
    pub captures: bool,
}

/// What each code below castling means to each side.
pub(super) static CODES: LazyLock<[[Code; 256]; 2]> = LazyLock::new(|| {
    Color::ALL.map(|color| {
        std::array::from_fn(|code| {
            let (slot, offset) = code::piece_of(code as u8);
            let role = slot.role();
            Code {
                slot,
                role,
                row: row(role, color, offset) as u8,
                captures: role == Role::Pawn && code::is_pawn_capture(offset),
            }
        })
    })
});
