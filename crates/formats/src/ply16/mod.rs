//! Sixteen bits a ply: a byte for the piece and a byte for what it does.
//!
//! A word counts the piece among those of its kind and says in which direction and how far it
//! goes, so it can be read only with the board at hand. It also says whether the move captures,
//! gives check or mates. Moves of the main line are all that words hold; see
//! `docs/formats/ply16.md` for every bit.
//!
//! | profile | bytes of a word | mate | pieces of a kind | file |
//! |---|---|---|---|---|
//! | `document` | piece, action | mate alone | 8 | [`file`](mod@file), `.ply16`: all tags |
//! | `program` | action, piece | mate and check | 16, queens 8 | [`cdb`], `.cdb`: sixteen tags |
//!
//! # What is read
//!
//! Words of either profile, flags true or not ([`ReadOptions::strict`] asks for true ones), words
//! for draws, for resigning and for plies left out. A word that is none, or a move that is not
//! legal, ends the game: it is told up to there, and the rest is kept as an error.
//!
//! # What is written
//!
//! The main line, with flags that are true. Variations, comments, NAGs, annotations and errors
//! are lost, and reported. The line ends before a null move, before the castling of Chess960 that
//! is not that of chess, and before a move of a piece that a word cannot count; that is reported
//! as well. A game of Chess960 that never castles so is written whole.
//!
//! ```
//! use tabiya_chess::Position;
//! use tabiya_formats::{ply16::{Codec, Profile}, stream::StreamCodec};
//! use tabiya_game::GameTree;
//!
//! let mut tree = GameTree::default();
//! let streams = "02 40 02 46 04 04".parse()?;
//! Codec::new(Profile::Program).decode(&streams, &Position::initial(), &mut tree)?;
//! let line: Vec<String> = tree
//!     .main_line()
//!     .filter_map(|(before, action)| Some(before.san(action.to_move()?).to_string()))
//!     .collect();
//! assert_eq!(line, ["e4", "e5", "Qh5"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cdb;
mod code;
mod codec;
mod error;
mod explain;
pub mod file;
mod flags;
mod format;
mod reader;
mod writer;

#[cfg(test)]
mod tests;

pub use code::{Profile, Word, decode_ply, encode_ply};
pub use codec::{Codec, Terminators};
pub use error::{Error, ErrorKind};
pub use flags::Flags;
pub use format::FORMAT;
pub use reader::ReadOptions;
