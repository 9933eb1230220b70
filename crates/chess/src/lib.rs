//! The rules of chess on two boards.
//!
//! This crate knows squares, pieces and moves, what is legal, and how positions and moves are
//! written. It reads no files.

mod action;
mod antichess;
mod bitboard;
mod board;
mod epd;
mod fen;
mod magics;
mod movegen;
mod moves;
mod origins;
mod outcome;
mod perft;
mod piece;
mod play_piece;
mod position;
mod san;
mod setup;
mod square;
mod step;
mod uci;
mod variant;

pub mod attacks;
pub mod chess960;
pub mod diagram;
pub mod mailbox;
pub mod values;
pub mod zobrist;

pub use action::Action;
pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use epd::{Epd, EpdError, Operand, Operation};
pub use fen::{FenError, FenErrorKind, FenField};
pub use moves::{Move, MoveList};
pub use outcome::{Repetitions, Status};
pub use perft::{divide, perft};
pub use piece::{Color, Piece, Role};
pub use play_piece::Capture;
pub use position::{IllegalMove, NotAPosition, Position};
pub use san::{SanError, SanText, SanWord};
pub use setup::{Setup, Warning};
pub use square::{File, ParseSquareError, Rank, Square};
pub use step::{Extra, Step};
pub use uci::{Uci, UciError};
pub use variant::{ParseVariantError, Variant};
pub use zobrist::Key;

/// The example of the crate's page runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
