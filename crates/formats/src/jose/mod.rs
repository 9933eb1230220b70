//! jose.

mod archive;
pub mod myisam;

pub use archive::{ArchiveError, Bytes, Files};
