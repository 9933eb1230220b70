//! Files in and out: decompression by content, progress, limits, and outputs that appear whole.
//!
//! [`Input`] reads a file or standard input and yields what is inside: zstd, gzip, bzip2, xz and
//! zip are recognised by their first bytes, whatever the file is called. [`Output`] writes under a
//! temporary name, compressed as the caller asks, and takes its name when it is complete.
//!
//! | | several parts in one file | on standard input |
//! |---|---|---|
//! | zstd | frames one after the other, skippable frames between and before them | streamed |
//! | gzip | members one after the other | streamed |
//! | bzip2 | streams one after the other | streamed |
//! | xz | streams one after the other, with padding | streamed |
//! | zip | every file in the order of the directory, a newline between two of them | copied to a temporary file first |
//!
//! What is found inside is not unpacked again: a `.gz` in a `.zip` comes out as gzip.
//!
//! ```
//! use std::io::{Read, Write};
//! use tabiya_formats::io::{Compression, Input, Output};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! let path = folder.path().join("games.pgn.zst");
//! let mut output = Output::create(&path, Compression::of_path(&path))?;
//! output.write_all(b"[Event \"Casual game\"]\n\n1. e4 *\n")?;
//! output.finish()?;
//!
//! let mut input = Input::open(&path)?;
//! assert_eq!(input.compression(), Compression::Zstd);
//! let mut games = String::new();
//! input.read_to_string(&mut games)?;
//! assert!(games.starts_with("[Event"));
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "zip")]
mod archive;
mod compression;
mod contents;
mod decoder;
mod error;
mod input;
mod limits;
#[cfg(feature = "zip")]
mod local_headers;
pub(crate) mod lock;
mod map;
mod output;
mod raw;
mod read_ahead;
mod stamp;
mod temporary;

#[cfg(test)]
mod tests;

pub use compression::Compression;
pub use contents::Contents;
pub(crate) use error::printable;
pub use error::{IoError, IoErrorKind};
pub use input::Input;
pub use limits::{
    DEFAULT_MAX_MEMORY, DEFAULT_MAX_OUTPUT, DEFAULT_MAX_RATIO, InputLimits, LimitReached,
    RATIO_GRACE,
};
pub use lock::{Lock, tell_waiting};
pub use output::{Output, folder_of};
pub use raw::Progress;
pub use read_ahead::ReadAhead;
pub use stamp::{Stamp, Unchanged};
pub use temporary::{
    Held, SWAP_LIST, TemporariesRemoved, Temporary, TemporaryFolder, remove_temporaries,
    sync_folder,
};
