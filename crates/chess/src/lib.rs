//! The rules of chess on two boards.
//!
//! This crate knows squares, pieces and moves, what is legal, and how positions and moves are
//! written. It reads no files.

mod bitboard;
mod board;
mod fen;
mod magics;
mod moves;
mod piece;
mod setup;
mod square;

pub mod attacks;
pub mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use fen::{FenError, FenErrorKind, FenField};
pub use moves::{Move, MoveList};
pub use piece::{Color, Piece, Role};
pub use setup::{Setup, Warning};
pub use square::{File, ParseSquareError, Rank, Square};
pub use zobrist::Key;
