//! The tests of this crate in one program, for every program takes its time to link.

mod changes;
mod chessbase;
mod convert;
#[path = "../../../formats/tests/data/mod.rs"]
mod data;
mod ease;
mod games;
mod honest;
mod manners;
mod names;
mod numbering;
mod one_game;
mod parquet;
mod plans;
mod reports;
mod room;
mod safe;
mod search;
mod serve;
#[cfg(feature = "sql")]
mod sql;
mod store;
mod tree;
