//! A database of games.
#![allow(dead_code)]
mod notes;
mod number;
mod row;
mod segment;
mod shape;
mod tag;
mod tell;
mod writer;
