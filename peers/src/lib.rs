//! What the tests and benchmarks against other libraries share.
//!
//! The rivals themselves are dev-dependencies: only `tests/` and `benches/` see them.

pub mod contest;
pub mod data;
pub mod generated;
pub mod random;
pub mod scid;
