//! SQL over chess databases: the same questions on a laptop and on a cluster.
//!
//! [`functions`] are what chess adds to SQL; [`cluster`] brings them to Ballista's scheduler and
//! executors; [`lake`] are the files that a cluster reads.

#![deny(missing_docs)]

pub mod cluster;
pub mod functions;
pub mod lake;
