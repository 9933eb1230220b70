//! One program for all tests: each more would be linked with all of DataFusion.

mod cluster;
#[path = "../../../formats/tests/data/mod.rs"]
mod data;
mod errors;
mod pushdown;
mod room;
mod session;
mod tables;
