//! The file `.cdb` of the program, with words of its profile.
//!
//! A file has no magic and no version. Three generations of headers exist; which one it is shows
//! in whether header, games and index fit together. All are read, the newest is written.
//!
//! Sixteen tags are kept, each as the number of a string; the order of tags is that of
//! [`TAGS`]. A tag `FEN` sets the start; where there is one, `SetUp` is told as well. All else is
//! lost, and reported.
//!
//! ```
//! use std::sync::Arc;
//! use tabiya_formats::{Database, pgn::Parser, ply16::cdb};
//! use tabiya_game::GameTree;
//!
//! let mut records = cdb::RecordWriter::default();
//! Parser::new("[White \"Réti\"]\n1. Nf3 d5 2. c4 1/2").read_game(&mut records);
//! let mut target = cdb::Builder::new(Vec::new(), 0);
//! target.add(&records.take())?;
//! let bytes = Arc::new(target.finish()?);
//!
//! let mut games = cdb::Cdb::open(bytes, Default::default())?;
//! let mut tree = GameTree::default();
//! games.next_part()?.expect("a part").tell(&mut tree)?;
//! assert_eq!(tree.tags.get("White"), Some("Réti"));
//! assert_eq!(tree.tags.get("Result"), Some("1/2-1/2"));
//! assert_eq!(tree.main_line().count(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod explain;
mod layout;
mod reader;
mod recognise;
mod strings;
mod writer;

use tabiya_game::GameResult;

use crate::pgn;

pub use explain::explain_game;
pub use layout::Generation;
pub use reader::Cdb;
pub use recognise::looks_like_cdb;
pub(super) use writer::RECORDS;
pub use writer::{Builder, Record, RecordWriter, created_now};

/// The tags that a game has, in their order.
pub const TAGS: [&str; 16] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "ECO",
    "FEN",
    "Mode",
    "TimeControl",
    "Termination",
    "WhiteElo",
    "BlackElo",
    "WhiteUSCF",
    "BlackUSCF",
];

const RESULT: usize = 6;
const FEN: usize = 8;
const TERMINATION: usize = 11;

/// The bytes of a game before its words: the numbers of the tags and that of the plies.
const GAME: usize = 4 * TAGS.len() + 2;

/// The result that the values of two tags tell.
fn result_of(result: Option<&str>, termination: Option<&str>) -> GameResult {
    let result = result.and_then(|value| value.parse().ok());
    let forfeit = termination.is_some_and(pgn::is_forfeit);
    pgn::result_of(result.unwrap_or_default(), None, forfeit)
}
