//! The tests of this crate in one program, for every program takes its time to link.

mod conformance;
#[path = "../../../formats/tests/data/mod.rs"]
mod data;
mod door;
mod duplicates;
mod engine;
mod example;
mod examples;
mod generate;
mod laws;
mod merge;
mod names;
mod odd_tags;
mod plan;
mod registry;
mod repertoire;
mod report;
mod search;
mod store;
mod tree;
