//! The headers of games as a table: CSV for spreadsheets, JSON lines for programs.
//!
//! A row is a game. Its columns are the tags that most games have, the length of the main line in
//! plies, and one for all other tags, as a JSON object:
//!
//! | `csv` | `jsonl` |
//! |---|---|
//! | a line of names, then a line a game, quoted as RFC 4180 has it | an object a line; ratings, FIDE numbers and plies are numbers where they can be, and what a game does not have is `null` |
//!
//! A table holds no moves and nothing that is said about them, and nobody expects it to: that is not
//! counted as lost. Lost are a second tag of the same name, a `PlyCount` or a `Result` that is not that
//! of the moves, and entries that are no games.
//!
//! ```
//! use tabiya_formats::{GameWriter, pgn::Parser, table::RowWriter};
//!
//! let mut writer = RowWriter::jsonl();
//! Parser::new("[White \"Réti\"]\n[WhiteElo \"2710\"]\n\n1. Nf3 d5 1-0").read_game(&mut writer);
//! let row = String::from_utf8(writer.take()).unwrap();
//! assert!(row.contains(r#""White":"Réti""#) && row.contains(r#""WhiteElo":2710"#));
//! assert!(row.contains(r#""PlyCount":2"#));
//! ```

mod format;
mod writer;

pub use format::{CSV, JSONL};
pub use writer::{COLUMNS, RowWriter, quoted};
