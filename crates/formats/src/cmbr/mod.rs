//! CMBR, the chess move binary representation: a move as a word.
//!
//! Two formats have this name. The first, of 2023, has a word of 16 bits that says what moves and
//! where to, and names the origin no further than needed, as SAN does; so a reader must know what
//! is legal. The second, a new start of 2024, has 24 bits and both squares.
//!
//! | profile | what it is | here |
//! |---|---|---|
//! | `document` | bare words of 16 bits, as the document describes them | [`Layout::Document`] |
//! | `program` | words as the program means them, bare or in a file | [`Layout::Program`], [`Container::Program`] |
//! | `wide` | the same file with larger numbers, an extension of our own | [`Container::Wide`] |
//! | `cmbr24` | bare words of 24 bits | [`Cmbr24`] |
//!
//! A file holds tags, the moves of the main line and a result. Variations, comments, glyphs and
//! annotations have no place in it; the [`Writer`] reports them. A `FEN` tag sets the start, and
//! forfeits survive in the tags that tell them.
//!
//! # Limits
//!
//! A `program` file has at most 255 tags a game, 255 bytes a name or value and 255 plies; a `wide`
//! one 65,535 tags and bytes, and 4,294,967,295 plies.
//!
//! # What the original program writes
//!
//! Its files have the container described here, but [defective] words. They are recognised
//! and kept as what they are; [`ReadOptions::best_effort`] reads those that are unique. Memory
//! images of the later program (`.rcmbr`) are not read.
//!
//! ```
//! use tabiya_chess::Position;
//! use tabiya_formats::{cmbr::Layout, stream::{StreamCodec, Streams}};
//! use tabiya_game::GameTree;
//!
//! let words: Streams = "0118 0120 0151".parse()?;
//! let mut game = GameTree::default();
//! StreamCodec::decode(&Layout::Document, &words, &Position::initial(), &mut game)?;
//! assert_eq!(game.main_line().count(), 3);
//!
//! let dump = Layout::Document.explain(&words, &Position::initial());
//! let last = &dump.sections[0].lines[2];
//! assert_eq!(last.san.as_deref(), Some("2. Nf3"));
//! assert_eq!(last.meaning, "00 0 0 000 101010 001: knight to f3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod container;
pub mod defective;
mod error;
mod explain;
mod format;
mod reader;
mod stream;
mod units;
mod word;
mod word24;
mod writer;

#[cfg(test)]
mod tests;

pub use container::Container;
pub use error::{Error, ErrorKind};
pub use explain::explain_game;
pub use format::FORMAT;
pub use reader::{Cmbr, ReadOptions, recognise};
pub use units::Step;
pub use word::{Fields, Layout, Line};
pub use word24::Cmbr24;
pub use writer::Writer;
