//! The tests of this crate in one program, for every program takes its time to link.

mod cmbr;
#[path = "../data/mod.rs"]
mod data;
mod jose_files;
mod outside;
mod ply16;
mod samples;
mod scid;
mod torture;
