//! ChessBase: the `.cbh` family of files.
//!
//! [`annotations`] are the records of `.cba` files, [`text`] the guiding texts, [`encoding`] says
//! which bytes stand for which letters, and [`symbols`] which for chess symbols.

pub mod annotations;
pub mod encoding;
pub mod symbols;
pub mod text;
