//! The tests of this crate in one program, for every program takes its time to link.

mod clients;
mod common;
mod contract;
mod hostile;
mod live;
mod openapi;
