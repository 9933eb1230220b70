//! The tables of a database: every file of the family but moves, annotations and archives.
//!
//! | file | holds | module |
//! |---|---|---|
//! | `.cbh` | one header for each game or text | [`header`] |
//! | `.cbj` | more of the same, added by later programs | [`extended`] |
//! | `.cbp .cbt .cbc .cbs .cbe .cbl` | players, tournaments, annotators, sources, teams, titles | [`entity`] and a module for each |
//! | `.cbtt` | where tournaments took place, tie-breaks | [`tournament_extra`] |
//! | `.cbg .cba` | moves, annotations: the header of these files only | [`stores`] |
//! | `.flags` | marks for the best games | [`flags_file`] |
//! | `.ini` | title and kind of the database | [`ini`] |
//!
//! [`set`] opens them together, [`tags`] turns a header into the tags of a game and back.
//!
//! Everything is written as it was read: fields of unknown meaning and what stands behind the end
//! of a text are kept as they are. Offsets, ids and counts are never trusted: a reader looks a
//! record up by its number and gets `None` where the file has ended.
//!
//! Texts are bytes here. No file says which code page they are in, so who reads them brings a
//! decoder.
//!
//! ```
//! use tabiya_chessbase::files::{entity::Table, players::Player};
//!
//! let mut players = Table::new();
//! let adams = Player::new(b"Adams", b"Edwin");
//! let torre = Player::new(b"Torre", b"Carlos");
//! assert_eq!(players.add(&adams, 1), players.add(&adams, 2));
//! players.add(&torre, 1);
//! let bytes = players.to_bytes();
//!
//! use tabiya_chessbase::files::entity::Entities;
//! let read = Entities::<Player>::new(&bytes)?;
//! assert_eq!(read.get(1).map(|record| record.data), Some(torre));
//! assert_eq!(read.get(0).map(|record| record.references), Some(2));
//! # Ok::<(), tabiya_chessbase::files::FileError>(())
//! ```

pub mod annotators;
pub mod avl;
mod bits;
mod bytes;
mod date;
mod eco;
mod ending;
pub mod entity;
mod error;
pub mod extended;
mod field;
pub mod flags_file;
pub mod game_tags;
pub mod header;
pub mod ini;
mod kind;
pub mod nations;
pub mod players;
mod rating;
pub mod set;
pub mod sources;
mod stamp;
pub mod stores;
pub mod tags;
pub mod teams;
#[cfg(test)]
mod tests;
pub mod tournament_extra;
pub mod tournaments;

pub use bits::{Amounts, GameFlags, Magnitudes, Medals};
pub use date::PackedDate;
pub use eco::EcoCode;
pub use ending::Ending;
pub use error::{FileError, FileErrorKind};
pub use field::Field;
pub use kind::FileKind;
pub use rating::RatingType;
pub use stamp::{Created, Moment, Saved};
