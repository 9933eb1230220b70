//! Vectors, round trips, bad input.

mod games;
mod vectors;
