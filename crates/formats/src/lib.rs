//! Readers and writers of chess databases, one folder a format.
//!
//! A [`Database`] is read in [`Part`]s, each of which tells its games to a
//! [`GameSink`](tabiya_game::GameSink); [`ordered`] works on several parts at once and joins the
//! results in order.

#[cfg(feature = "cmbr")]
pub mod cmbr;
mod convert;
#[cfg(test)]
#[path = "../tests/data/mod.rs"]
mod data;
mod database;
pub mod dump;
pub mod engine_text;
mod game_writer;
pub mod io;
#[cfg(feature = "gametext")]
pub mod jose;
mod ordered;
pub mod pgn;
#[cfg(feature = "ply16")]
pub mod ply16;
mod records;
pub mod registry;
#[cfg(feature = "scid")]
pub mod scid;
pub mod signature;
pub mod stream;
#[cfg(feature = "table")]
pub mod table;
mod target;
pub mod writing;

pub use convert::{Converted, ConvertedEntry, EntryNumber, Fault, convert_part};
pub use database::{Database, DeletedEntry, Entries, Part};
pub use game_writer::GameWriter;
pub use ordered::{ordered, ordered_within, usual_window};
pub use records::Records;
pub use target::{Destination, Sequence, Target};

/// The formats of this crate, PGN first.
pub static FORMATS: &[&registry::FormatInfo] = &[
    &pgn::FORMAT,
    #[cfg(feature = "jose")]
    &jose::FORMAT,
    #[cfg(feature = "scid")]
    &scid::FORMAT,
    #[cfg(feature = "ply16")]
    &ply16::FORMAT,
    #[cfg(feature = "cmbr")]
    &cmbr::FORMAT,
    &engine_text::UCI,
    &engine_text::LAN,
    &engine_text::FEN,
    &engine_text::EPD,
    #[cfg(feature = "table")]
    &table::CSV,
    #[cfg(feature = "table")]
    &table::JSONL,
];

/// The example of the crate's page runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
