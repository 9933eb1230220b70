//! The moves of a ChessBase database: the records of its `.cbg` file.
//!
//! A record is one game: four bytes of head, a start position if it is not the usual one, and a
//! stream of moves. Most moves take a byte, which names a piece by its number and its step, and
//! every byte goes through a substitution table that turns by one with each move.
//!
//! The main line is stored whole, then the variations, the last one first. [`StoredGame`] reads
//! a record in that order, stops after the main line if no more is wanted, and
//! [tells](StoredGame::tell) the game in the order of events. [`Recorder`] hears a game and writes
//! a record. Both know each move by its number in stored order, by which annotations name it.
//!
//! | mode | games | read | written |
//! |---|---|---|---|
//! | 0–7 | chess | yes | as 0, others on request |
//! | 8, 9 | losing chess | yes, by the rules of antichess | as 8 |
//! | 10, 11 | Chess960 | yes | as 10 |
//! | 12–19, 63 | Chatrang, Twins, Makruk, Pawns, illegal positions | no: nobody knows how | no |
//!
//! Every move is checked. A record that is damaged keeps the moves before the damage; an
//! [`Error`] says what is wrong and at which byte.
//!
//! ```
//! use tabiya_chessbase::moves::{Recorder, Scope, StoredGame};
//! use tabiya_formats::pgn::Parser;
//! use tabiya_game::{GameTree, Listener};
//!
//! let mut recorder = Recorder::default();
//! Parser::new("1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *").read_game(&mut recorder);
//! let mut record = Vec::new();
//! recorder.write(&mut record)?;
//!
//! let mut game = StoredGame::default();
//! game.read(&record, Scope::All).unwrap();
//! let mut tree = GameTree::default();
//! game.tell(&mut Listener::new(&mut tree), 0, &mut ());
//! assert_eq!(tree.main_line().count(), 3);
//! assert_eq!(tree.items.len(), 7); // five moves and two brackets
//! # Ok::<(), tabiya_chessbase::moves::ErrorKind>(())
//! ```

mod codec;
mod codes;
mod compact;
mod decode;
mod encode;
mod error;
mod explain;
mod facts;
mod heard;
mod mode;
mod record;
mod setup;
mod simple;
mod slots;
mod state;
mod stream;
mod tables;
mod tell;
#[cfg(test)]
mod tests;
mod tree;

pub use codec::Codec;
pub(crate) use codes::{number_of, square_of};
pub use decode::{MAX_OPEN, Scope, StoredGame};
pub use encode::Recorder;
pub use error::{Error, ErrorKind, SetupFault};
pub use explain::explain;
pub use facts::{Material, full_moves};
pub use heard::Taken;
pub(crate) use heard::{Coding, Lines};
pub use mode::Mode;
pub use record::{Record, Start};
pub use setup::{Chess960Block, SETUP_LENGTH, read_setup, write_setup};
pub(crate) use setup::{castling_rook, usual_castling};
pub use tell::Notes;
pub(crate) use tree::{Nodes, Play};
pub use tree::{Step, Steps};
