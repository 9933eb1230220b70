//! ChessBase databases: a family of files around headers (`.cbh`) and moves (`.cbg`).
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

pub mod moves;
