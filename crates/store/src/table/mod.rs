//! Databases as tables: `games`, a row for each entry, and `positions`, a row for each ply of each main
//! line. `docs/store.md` lists the columns.
//!
//! The tables are the same wherever games come from: a [`StoreTable`] makes them from the columns of a
//! store, as it is now, and a [`GameRows`] or a [`PositionRows`] hears any other database. What is
//! exported to Parquet is made here, too.
//!
//! Batches have memory of their own, and not that of the files: who counts what a batch takes counts
//! right.
//!
//! ```
//! use tabiya_game::GameTree;
//! use tabiya_store::{Store, table::StoreTable};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.tabiya");
//! let mut importer = Store::import(&path)?;
//! importer.add(&GameTree::default())?;
//! importer.finish()?;
//!
//! let table = StoreTable::new(&Store::open(&path)?);
//! let id = table.games().index_of("id")?;
//! for block in table.blocks() {
//!     let rows = table.rows(&block, None);
//!     let batch = table.read_games(&block, &rows, &[id])?;
//!     assert_eq!(batch.num_rows(), 1);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod column;
mod main_line;
mod men;
mod plies;
mod schema;
mod stored;
#[cfg(test)]
mod tests;
mod told;

#[cfg(feature = "parquet")]
pub(crate) use builder::{GamesBuilder, NULL_SAN, NULL_UCI, PositionRow, PositionsBuilder};
#[cfg(feature = "parquet")]
pub(crate) use main_line::{MainLine, Ply};
#[cfg(feature = "parquet")]
pub(crate) use men::Men;
pub use plies::Plies;
pub use schema::{column_of_tag, games, positions};
pub use stored::{Block, Span, StoreTable, Texts};
pub use told::{GameRows, PositionRows, TagCensus, Told};

/// So many rows of a table are made at a time.
pub const ROWS: usize = 8_192;
