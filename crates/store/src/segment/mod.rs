//! Segments: some entries, in columns, in files that never change.
//!
//! A segment is two Arrow files of the same rows in the same batches: one with what people look
//! for in games, one with their moves. Each batch has its checksum.

pub(crate) mod build;
pub(crate) mod cell;
pub(crate) mod column;
pub(crate) mod read;
pub(crate) mod table;
#[cfg(test)]
mod tests;
