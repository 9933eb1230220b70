//! Readers and writers of chess databases, one folder a format.
//!
//! A [`Database`] is read in [`Part`]s, each of which tells its games to a
//! [`GameSink`](tabiya_game::GameSink); [`ordered`] works on several parts at once and joins the
//! results in order.

mod database;

pub mod io;
mod ordered;
pub mod pgn;
pub mod signature;

pub use database::{Database, Part};
pub use ordered::ordered;
