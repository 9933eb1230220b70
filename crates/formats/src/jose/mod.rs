//! jose: one byte a move.
//!
//! The database program jose keeps a game as a stream of bytes: which piece moves and where to,
//! between them NAGs, variations, results, texts and what could not be read. Three profiles share
//! the codes:
//!
//! | profile | what it is | texts |
//! |---|---|---|
//! | [`Document`](Profile::Document) | the published description, word for word | in the stream |
//! | [`Program`](Profile::Program) | what the program really writes: other steps of knight and king | in a second stream |
//! | [`Store`](Profile::Store) | tabiya's own: `Document`, and codes for everything else a game can have | in the stream |
//!
//! A stream does not say which profile it has, nor from which position it starts; but in the store it
//! may have a [`Head`] that does.
//!
//! * [`Reader`] tells the events of a stream, [`Writer`] makes a stream of events.
//! * [`replay`](replay()) plays the main line of a `Store` stream on a
//!   [`Mailbox`](tabiya_chess::mailbox::Mailbox): the quickest way through many games.
//! * A profile is a [`StreamCodec`](crate::stream::StreamCodec), for whole games and for dumps.
//!
//! Streams are found in files of two kinds:
//!
//! * the program's own databases, MyISAM tables in a folder or packed into a `.jose` archive:
//!   [`Files`] opens them, [`Program`] reads the games;
//! * `.josedb`, an SQLite database with the stream of the published description in its column
//!   `Game.GameText`: [`Josedb`] reads, [`RecordWriter`] and [`JosedbTarget`] write.
//!
//! Tolerated on reading: NAGs 1 to 31 in two bytes, any upper bits in second bytes, results
//! anywhere in the main line, moves that are not legal as long as they can be played (they are
//! kept and flagged). Nothing is nested deeper than
//! [`Limits::depth`](tabiya_game::Limits::depth).
//!
//! ```
//! use tabiya_formats::{jose::Profile, pgn::Parser, stream::StreamCodec};
//! use tabiya_game::{GameTree, Losses};
//!
//! let mut game = GameTree::default();
//! Parser::new("1. e4 {Best by test} e5 (1... c5! 2. Nf3) 2. Nf3 1-0").read_game(&mut game);
//! let mut losses = Losses::default();
//! let document = Profile::Document.encode(&game, &mut losses)?;
//! assert_eq!(
//!     document.to_string(),
//!     "13 E0 42 65 73 74 20 62 79 20 74 65 73 74 00 13 F0 0B B1 29 F1 29 D2 FF"
//! );
//! let program = Profile::Program.encode(&game, &mut losses)?;
//! assert_eq!(
//!     program.to_string(),
//!     "13 E0 13 F0 0B B1 2E F1 2E D2 FF + 42 65 73 74 20 62 79 20 74 65 73 74 00"
//! );
//! assert!(losses.is_empty());
//!
//! let mut copy = GameTree::default();
//! Profile::Document.decode(&document, &game.start, &mut copy)?;
//! assert_eq!(copy.items, game.items);
//! # Ok::<(), tabiya_formats::stream::StreamError>(())
//! ```

mod code;
mod codec;
mod error;
mod explain;
#[cfg(feature = "jose")]
mod format;
mod head;
mod line;
mod pieces;
mod playable;
mod positions;
mod reader;
mod replay;
mod scan;
mod steps;
mod store;
mod tables;
#[cfg(test)]
mod tests;
mod text;
mod writer;

// The files that streams are kept in.
#[cfg(feature = "jose")]
mod archive;
#[cfg(feature = "jose")]
mod dates;
#[cfg(all(test, feature = "jose"))]
mod files_tests;
#[cfg(feature = "jose")]
mod frame;
#[cfg(feature = "jose")]
mod game_row;
#[cfg(feature = "jose")]
pub mod myisam;
#[cfg(feature = "jose")]
mod names;
#[cfg(feature = "jose")]
mod program;
#[cfg(feature = "jose")]
mod record;
#[cfg(feature = "jose")]
mod sqlite;

pub use error::{Error, ErrorKind};
#[cfg(feature = "jose")]
pub use format::{DATE_FIX, FORMAT};
pub use head::{Head, other_entry};
pub use positions::Positions;
pub use reader::{Input, ReadOptions, Reader, Told};
pub use replay::{Replay, is_continuous, replay};
pub use steps::Steps;
pub use writer::{Summary, Writer};

#[cfg(feature = "jose")]
pub use archive::{ArchiveError, Files, is_table_file, recognise as recognise_archive};
#[cfg(feature = "jose")]
pub use program::{Program, ProgramOptions};
#[cfg(feature = "jose")]
pub use record::{Record, RecordWriter};
#[cfg(feature = "jose")]
pub use sqlite::{Josedb, JosedbError, JosedbTarget, recognise as recognise_josedb};

use tabiya_game::{CommentPlace, GameErrorKind};

/// Which profile a stream is in. No stream says so itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Profile {
    /// As the published description has it.
    Document,
    /// As the program writes it.
    Program,
    /// As tabiya's store has it.
    Store,
}

/// What is said behind a move that is kept although it is not legal.
const KEPT: &str = "the move is not legal";

/// The errors that a stream can tell of, by their markers. Two of them are of one kind here: the
/// message tells them apart.
const ERRORS: [(GameErrorKind, &str); 4] = [
    (GameErrorKind::Unreadable, "a move that could not be read"),
    (GameErrorKind::IllegalMove, "an illegal move"),
    (GameErrorKind::AmbiguousMove, "an ambiguous move"),
    (GameErrorKind::Unreadable, "input that was not recognised"),
];

/// The marker of the first of [`ERRORS`].
const FIRST_ERROR: u8 = 0xe1;

/// A marker that the program knows but never writes.
const INPUT_EXPECTED: u8 = 0xe5;

/// The error of a marker; a marker that has none stands for a comment.
fn error_of(marker: u8) -> Option<(GameErrorKind, &'static str)> {
    if marker == INPUT_EXPECTED {
        return Some((GameErrorKind::Unreadable, "input was expected"));
    }
    let index = marker.checked_sub(FIRST_ERROR)?;
    ERRORS.get(usize::from(index)).copied()
}

/// Where a comment stands that does not say so itself: before the first move of a line, else after
/// a move.
fn usual_place(fresh: bool) -> CommentPlace {
    match fresh {
        true => CommentPlace::Before,
        false => CommentPlace::After,
    }
}
