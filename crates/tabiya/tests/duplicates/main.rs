//! Games that are there more than once: which are found, which are not, and what becomes of them.

#[path = "../../../formats/tests/data/mod.rs"]
mod data;

mod accuracy;
mod cases;
mod perturb;
