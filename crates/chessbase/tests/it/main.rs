//! The tests of this crate in one program, for every program takes its time to link.

mod annotations;
mod archives;
mod below;
mod cbh2;
mod damage;
#[path = "../../../formats/tests/data/mod.rs"]
mod data;
mod databases;
mod edges;
mod files;
mod killing;
mod moves;
mod pgn;
mod writing;
