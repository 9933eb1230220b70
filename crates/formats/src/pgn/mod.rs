//! Portable Game Notation.

mod error_comment;
mod lexer;
mod reader;
mod tag;
mod writer;

pub use lexer::{Lexer, Token};
pub use reader::Parser;
pub use writer::{WriteOptions, Writer};
