//! The tests of this crate in one program, for every program takes its time to link.

#[path = "../../../formats/tests/data/mod.rs"]
mod data;
mod mailbox_perft;
mod perft;
mod suites;
mod two_boards;
