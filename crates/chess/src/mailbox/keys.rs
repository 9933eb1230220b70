//! Polyglot's numbers laid out by cell byte and cell, so that replay needs no branches.

use super::{
    board::{BLACK_TO_MOVE, EP_FILE},
    byte,
    geometry::{Cell, PADDED},
};
use crate::{Color, File, Role, Square, zobrist};

/// The numbers of each cell byte on each cell. The row of the free cell is zero, so that a move
/// to a free cell and a capture are one computation.
pub(super) static PIECES: [[u64; PADDED]; 32] = {
    let mut table = [[0; PADDED]; 32];
    let mut kind = 0;
    while kind < 12 {
        let piece = Role::ALL[kind / 2].of(Color::ALL[kind % 2]);
        let mut index = 0;
        while index < 64 {
            let square = Square::from_index(index);
            let cell = Cell::from_square(square).index();
            table[byte::of(piece) as usize][cell] = zobrist::piece(piece, square);
            index += 1;
        }
        kind += 1;
    }
    table
};

/// The number of a piece on a cell.
#[inline]
pub(super) fn piece(byte: u8, cell: usize) -> u64 {
    PIECES[byte as usize & 31][cell & (PADDED - 1)]
}

/// The numbers of castling rights (bits 0-3), the turn (bit 4: Black) and the en-passant file
/// (bits 5-8, from 1) together.
static STATES: [u64; 512] = {
    let mut table = [0; 512];
    let mut state = 0;
    while state < 512 {
        let mut right = 0;
        while right < 4 {
            if state >> right & 1 == 1 {
                let color = Color::ALL[right / 2];
                table[state] ^= zobrist::castling_right(color, right % 2 == 0);
            }
            right += 1;
        }
        if state & BLACK_TO_MOVE as usize == 0 {
            table[state] ^= zobrist::WHITE_TO_MOVE;
        }
        let file = state >> EP_FILE;
        if file >= 1 && file <= 8 {
            table[state] ^= zobrist::en_passant(File::from_index(file as u8 - 1));
        }
        state += 1;
    }
    table
};

/// The number of castling rights, turn and en-passant file.
#[inline]
pub(super) fn state(state: u16) -> u64 {
    STATES[state as usize & 511]
}
