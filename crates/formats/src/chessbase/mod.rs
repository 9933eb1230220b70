//! ChessBase: databases of the `.cbh` family.
//!
//! A database is a set of files of one name: headers in `.cbh`, moves in `.cbg`, annotations in
//! `.cba`, names in `.cbp`, `.cbt`, `.cbc`, `.cbs`, and more around them. [`files`] reads and
//! writes all of them that are tables.

pub mod files;
