//! One program for all tests: each more would be linked with all of DataFusion.

mod broken;
mod cluster;
#[path = "../../../formats/tests/data/mod.rs"]
mod data;
mod errors;
mod exports;
mod functions;
mod pages;
mod pushdown;
mod questions;
mod room;
mod samples;
mod session;
mod slt;
mod tables;
