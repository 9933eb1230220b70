//! SQL over chess databases: the same questions on a laptop and on a cluster.
//!
//! A [`Session`] has databases, files of any format and exports as tables, and answers questions to
//! them. [`functions`] are what chess adds to SQL; [`cluster`] brings them to Ballista's scheduler and
//! executors; [`lake`] are the files that a cluster reads.

#![deny(missing_docs)]

mod answer;
pub mod cluster;
mod common_tables;
mod depth;
mod error;
mod files;
pub mod functions;
mod guard;
pub mod lake;
mod memory;
mod options;
pub mod output;
mod pauses;
mod session;
mod statements;
mod tables;
mod width;

pub use answer::Answer;
pub use error::{Error, ErrorKind};
pub use options::Options;
pub use session::Session;
pub use statements::{ends_statement, has_answer, statements};
