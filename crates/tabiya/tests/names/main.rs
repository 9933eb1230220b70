//! Spellings that are one person's are found, and those of two are kept apart.

#[path = "../../../formats/tests/data/mod.rs"]
mod data;

mod accuracy;
mod behaviour;
mod field;
mod perturb;
