//! A database of games that loses nothing and cannot be broken.
//!
//! A store is a folder: a manifest, and immutable segments of Arrow files that any Arrow tool
//! opens. Whatever a game can have is in it, to the last odd tag, and comes back as it was.
//! `docs/store.md` lists the columns.
//!
//! ```
//! use tabiya_game::GameTree;
//! use tabiya_store::Store;
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.tabiya");
//! let mut importer = Store::import(&path)?;
//! importer.add(&GameTree::default())?;
//! importer.finish()?.merge()?;
//! assert_eq!(Store::open(&path)?.count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`FORMAT`] makes it a format like any other.

#![deny(missing_docs)]

mod change;
mod database;
mod deleted;
mod disk;
mod error;
mod format;
mod game_set;
mod ids;
mod import;
mod index;
mod judgement;
mod manifest;
mod marked;
mod merge;
pub mod movetext;
mod notes;
mod number;
#[cfg(feature = "parquet")]
pub mod parquet;
mod recover;
mod row;
mod scan;
mod sealed;
mod segment;
mod select;
mod shape;
mod signature;
mod snapshot;
mod store;
pub mod table;
mod tag;
mod tell;
#[cfg(test)]
mod tests;
mod watch;
mod writer;

pub use format::{FORMAT, MEMORY, NO_INDEX, memory_size};
pub use game_set::GameSet;
pub use import::{Imported, Importer, Merged};
pub use index::Hits;
pub use scan::{Hit, How, Near};
pub use snapshot::Batch;
pub use store::{Amended, Store};
pub use watch::Watch;

/// The example of the crate's page runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
