//! ChessBase: the `.cbh` family of files, and the archives they travel in.
//!
//! * [`Database`] reads a whole database, or one in an archive, as games.
//! * [`files`] reads and writes the tables of a database: headers, names, and what goes with them.
//! * [`moves`] reads and writes the records of `.cbg` files.
//! * [`annotations`] and [`text`] read and write what is said about games; [`encoding`] and
//!   [`symbols`] know how it is spelled.
//! * [`writer`] makes entries of games and texts, [`assembly`] makes databases of entries, and
//!   [`edit`] changes databases that are there.
//! * [`archive`] reads and writes `.cbv` and `.cbz`, packed databases.
//!
//! ```
//! use tabiya_chessbase::moves::{Scope, StoredGame};
//!
//! // A record of a `.cbg` file: 1. e4 and the end.
//! let mut game = StoredGame::default();
//! game.read(&[0, 0, 0, 6, 0xff, 0x0d], Scope::All)?;
//! assert_eq!(game.stored_moves(), 1);
//! # Ok::<(), tabiya_chessbase::moves::Error>(())
//! ```

pub mod annotations;
pub mod archive;
pub mod assembly;
pub mod cbh2;
mod complete;
mod database;
pub mod edit;
pub mod encoding;
mod explain;
mod fields;
pub mod files;
mod format;
pub mod moves;
mod newer_files;
mod notes;
mod opening;
mod stored;
pub mod symbols;
pub mod text;
pub mod writer;

pub use database::Database;
pub use format::FORMAT;
pub use opening::{DatabaseError, ReadOptions};

/// The example of the crate's page runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
