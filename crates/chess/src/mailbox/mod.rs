//! The 12x10 board: 120 bytes in a row, with a frame that stops every piece.
//!
//! A short programmer's note of 2003 describes it. Comments that say "spec" mean the project's
//! reading of that note, which puts its contradictions right. The board is used in three ways:
//!
//! * **Stored.** [`Plain`] is the note as written, 120 bytes that hold the placement of the
//!   pieces and nothing else. [`Snapshot`] adds eight bytes and keeps everything a FEN holds,
//!   Chess960 included. Reading is strict: every byte has one meaning, and whatever has none is
//!   an [`Error`] that names the byte. Number of kings and legality are not its business.
//! * **Played.** [`Mailbox`] is a live board with piece lists and a Polyglot key. Its
//!   [`play`](Mailbox::play) takes moves on trust and is the quickest way through a game that
//!   is known to be legal.
//! * **Asked.** [`Mailbox::legal_moves`] is written from the note's step tables alone, shares no
//!   code with [`Position`](crate::Position), and so checks it. [`perft`] counts with it.
//!
//! ```text
//! 110 111 112 113 114 115 116 117 118 119
//! 100 101 102 103 104 105 106 107 108 109
//!  90| 91  92  93  94  95  96  97  98| 99     rank 8
//!  80| 81  82  83  84  85  86  87  88| 89
//!  70| 71  72  73  74  75  76  77  78| 79
//!  60| 61  62  63  64  65  66  67  68| 69
//!  50| 51  52  53  54  55  56  57  58| 59
//!  40| 41  42  43  44  45  46  47  48| 49
//!  30| 31  32  33  34  35  36  37  38| 39
//!  20| 21  22  23  24  25  26  27  28| 29     rank 1
//!  10  11  12  13  14  15  16  17  18  19
//!   0   1   2   3   4   5   6   7   8   9
//! ```
//!
//! ```
//! use tabiya_chess::mailbox::{Mailbox, Snapshot};
//! use tabiya_chess::{Move, Setup, Square};
//!
//! let mut board = Mailbox::from_setup(&Setup::INITIAL)?;
//! assert_eq!(board.legal_moves().len(), 20);
//! board.play(Move::new(Square::E2, Square::E4));
//! assert_eq!(board.key().to_string(), "823c9b50fd114196"); // Polyglot's own example
//!
//! // The pawn on e4, cell 55, has moved (20h) and has just made a double step (40h).
//! let snapshot = Snapshot::from_setup(&board.to_setup())?;
//! assert_eq!(snapshot.as_bytes()[55], 0x69);
//! assert_eq!(Snapshot::from_bytes(snapshot.as_bytes())?.to_setup(), board.to_setup());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
pub mod byte;
mod error;
mod geometry;
mod keys;
mod movegen;
mod perft;
mod plain;
mod replay;
mod snapshot;
#[cfg(test)]
mod tests;

pub use board::{Mailbox, PieceId};
pub use error::Error;
pub use geometry::{BISHOP_STEPS, Cell, KING_STEPS, KNIGHT_STEPS, ROOK_STEPS};
pub use geometry::{PawnSteps, pawn_steps};
pub use perft::{divide, perft};
pub use plain::Plain;
pub use replay::{Mover, Targets};
pub use snapshot::Snapshot;
