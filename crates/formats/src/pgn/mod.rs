//! Portable Game Notation.
//!
//! [`Parser`] reads a text, [`Pgn`] a file or stream of any size in parts, [`Writer`] writes.
//!
//! # What is read
//!
//! Everything the standard has, and what files hold beyond it:
//!
//! * **Bytes**: byte order marks; LF, CRLF, CR; NUL bytes; UTF-8 or, where a game is not valid
//!   UTF-8, Windows-1252.
//! * **Layout**: `%` lines, missing empty lines, games glued together, headers without moves.
//! * **Tags**: quotation marks with or without backslash, missing marks and brackets (an error is
//!   kept), repeated and unknown tags.
//! * **Comments**: in braces, also braces within braces; after `;`; without an end, which ends at
//!   the next game.
//! * **Moves**: all that [`Position::parse_san`](tabiya_chess::Position::parse_san) tolerates;
//!   numbers with or without dots, wrong or missing; commas.
//! * **Glyphs**: `$n`, and symbols alone or stuck to a move.
//! * **Results**: missing (the tag counts), early, several, `½-½`, `1/2`, forfeits.
//! * **Variants**: Chess960 under its many names, antichess; others are kept as text.
//!
//! A move that is illegal, ambiguous or unreadable ends its line: the moves before it are kept,
//! and the rest of the line stands in an [`Event::Error`](tabiya_game::Event::Error) as it was.
//! Nothing is invented, nothing is skipped.
//!
//! # What is written
//!
//! The export format of the standard. Reading and writing again gives the same bytes. Errors are
//! written as comments that begin with `[%tabiya error` and are read back as errors.

mod database;
mod encoding;
mod format;
mod lexer;
mod plain;
mod reader;
mod recognise;
mod split;
mod tag;
mod usual;
mod writer;

#[cfg(test)]
mod tests;

pub use database::{Pgn, ReadOptions};
pub use format::{FORMAT, KEEP_RAW, ONE_LINE, RECORDS};
pub use lexer::{Lexer, Token};
pub use reader::Parser;
pub(crate) use reader::start_of_tags;
#[cfg(any(feature = "cmbr", feature = "ply16", feature = "scid"))]
pub(crate) use reader::{is_forfeit, result_of};
pub use split::Splitter;
pub use writer::{WriteOptions, Writer};
