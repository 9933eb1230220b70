//! The rules of chess on two boards.
//!
//! This crate knows squares, pieces and moves, what is legal, and how positions and moves are
//! written. It reads no files.

mod antichess;
mod bitboard;
mod board;
mod fen;
mod magics;
mod movegen;
mod moves;
mod perft;
mod piece;
mod position;
mod setup;
mod square;
mod variant;

pub mod attacks;
pub mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use fen::{FenError, FenErrorKind, FenField};
pub use moves::{Move, MoveList};
pub use perft::{divide, perft};
pub use piece::{Color, Piece, Role};
pub use position::{IllegalMove, NotAPosition, Position};
pub use setup::{Setup, Warning};
pub use square::{File, ParseSquareError, Rank, Square};
pub use variant::{ParseVariantError, Variant};
pub use zobrist::Key;
