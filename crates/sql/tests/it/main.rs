//! Questions in SQL, and their answers.

mod errors;
mod pushdown;
mod room;
mod session;
mod tables;
