//! The tests of this crate in one program, for every program takes its time to link.

mod duckdb;
#[path = "../../../tabiya/tests/it/example.rs"]
mod example;
mod examples;
mod pyarrow;
mod weekly;
