//! ChessBase: the `.cbh` family of files, and the archives they travel in.
//!
//! [`archive`] reads and writes `.cbv` and `.cbz`, ChessBase's packed databases.

pub mod archive;
