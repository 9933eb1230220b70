//! Readers and writers of chess databases, one folder a format.
//!
//! A [`Database`] is read in [`Part`]s, each of which tells its games to a
//! [`GameSink`](tabiya_game::GameSink); [`ordered`] works on several parts at once and joins the
//! results in order.

pub mod chessbase;
pub mod cmbr;
mod convert;
#[cfg(test)]
#[path = "../tests/data/mod.rs"]
mod data;
mod database;
pub mod dump;
mod game_writer;
pub mod io;
pub mod jose;
pub mod lines;
mod ordered;
pub mod pgn;
pub mod ply16;
pub mod registry;
mod respelling;
pub mod scid;
pub mod signature;
pub mod stream;
pub mod table;
mod target;

pub use convert::{Converted, ConvertedEntry, EntryNumber, Fault, convert_part};
pub use database::{Database, DeletedEntry, Entries, Part};
pub use game_writer::GameWriter;
pub use ordered::ordered;
pub use target::{Destination, Target};
