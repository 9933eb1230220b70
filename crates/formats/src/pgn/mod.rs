//! Portable Game Notation.

mod error_comment;
mod lexer;
mod tag;

pub use lexer::{Lexer, Token};
