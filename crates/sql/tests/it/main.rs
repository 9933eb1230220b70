//! One program for all tests: each more would be linked with all of DataFusion.

mod cluster;
mod errors;
mod pushdown;
mod room;
mod session;
mod tables;
