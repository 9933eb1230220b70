//! ChessBase 17 and later: the `.2cbh` family of files, and the archives they travel in.
//!
//! A design of its own beside the classic family: six files, headers of 192 bytes, moves as
//! [words] that need no board, names in UTF-8. What annotations, tags, nations and texts
//! *say* is the same, and is shared with the [classic family](super).
//!
//! * [`Database`] reads a whole database, or one in an archive, as games.
//! * [`header`], [`entities`] and [`names`] are its tables; [`frame`] is around every record of
//!   moves or annotations, [`decode`] and [`setup`] read moves, [`annotations`] and [`text`] what is
//!   said about games.
//! * [`writer`] makes entries of games and texts, [`assembly`] databases of entries, [`edit`] changes
//!   databases that are there; [`archive`] packs them.
//!
//! ```
//! use tabiya_chessbase::cbh2::{decode::Words, frame::tag};
//!
//! // 1. e4 e5
//! let content = [0xfc, 0xff, 0x3f, 0xad, 0x2d, 0xb0, 0xff, 0xff];
//! let words = Words::new(tag::CHESS, &content)?;
//! assert_eq!(words.main_plies(), 2);
//! # Ok::<(), tabiya_chessbase::moves::Error>(())
//! ```

pub mod annotations;
pub mod archive;
pub mod assembly;
mod bridge;
mod database;
pub mod decode;
pub mod edit;
mod encode;
pub mod entities;
mod entry;
mod explain;
mod format;
pub mod frame;
pub mod header;
pub mod names;
mod records;
pub mod set;
pub mod setup;
mod start;
pub mod tags;
mod tell;
#[cfg(test)]
mod tests;
pub mod text;
pub mod words;
pub mod writer;
mod zip_members;

pub(super) use annotations::FORMAT;
pub(super) use bridge::of_classic;
pub use database::Database;
pub use entry::StoredEntry;
pub(crate) use format::{Archive, Files};
pub(super) use writer::{BESIDES_TAGS, WHOLE_ENTRY};
