//! A database of games.
#![allow(dead_code)]
mod change;
mod deleted;
mod disk;
mod error;
mod import;
mod manifest;
mod merge;
mod notes;
mod number;
mod row;
mod segment;
mod shape;
mod snapshot;
mod store;
mod tag;
mod tell;
#[cfg(test)]
mod tests;
mod writer;

pub use import::Importer;
pub use store::Store;
