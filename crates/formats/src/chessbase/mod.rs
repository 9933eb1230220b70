//! ChessBase: the `.cbh` family of files, and the archives they travel in.
//!
//! * [`moves`] reads and writes the records of `.cbg` files.
//! * [`archive`] reads and writes `.cbv` and `.cbz`, packed databases.
//!
//! ```
//! use tabiya_formats::chessbase::moves::{Scope, StoredGame};
//!
//! // A record of a `.cbg` file: 1. e4 and the end.
//! let mut game = StoredGame::default();
//! game.read(&[0, 0, 0, 6, 0xff, 0x0d], Scope::All)?;
//! assert_eq!(game.stored_moves(), 1);
//! # Ok::<(), tabiya_formats::chessbase::moves::Error>(())
//! ```

pub mod archive;
pub mod moves;
