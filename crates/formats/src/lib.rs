//! Readers and writers of chess databases, one folder a format.

pub mod io;
pub mod pgn;
