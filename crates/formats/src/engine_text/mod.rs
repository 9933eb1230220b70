//! Texts of lines for people who work with engines: a game a line, or a position a line.
//!
//! | format | a line is | example |
//! |---|---|---|
//! | `uci` | the moves of a game, as engines write them | `e2e4 e7e5 g1f3` |
//! | `uci:position` | the command that puts an engine there | `position startpos moves e2e4 e7e5` |
//! | `lan` | the moves of a game in long algebraic notation | `e2-e4 e7-e5 Ng1-f3` |
//! | `fen` | a position, from the start of a game to its end | `rnbqkbnr/… w KQkq - 0 1` |
//! | `epd` | such a position with its clocks and where it comes from | `… hmvc 0; fmvn 1; id "Réti - Lasker, ply 0";` |
//!
//! A game from another start than the usual one begins with `position fen FEN moves` in `uci` and
//! `lan` too. A game without moves is an empty line there, so that lines count games. Castling is
//! written as the variant wants it: `e1g1` in chess, `e1h1` in Chess960. A null move is `0000` in
//! `uci` and `--` in `lan`.
//!
//! Only the main line is written. Everything else is a loss and reported: tags, results,
//! variations (each with all that is in it as one), comments, annotations, NAGs, and the text that
//! could not be read in a broken game. A game whose start position cannot be read is refused.
//!
//! `fen` and `epd` are read too: each line is a game without moves. The operations of an EPD become tags
//! such as `[EPD_bm "Nf3"]`, which `epd` writes again.
//!
//! ```
//! use tabiya_formats::{GameWriter, engine_text::MoveWriter, pgn::Parser};
//! use tabiya_game::LossKind;
//!
//! let mut writer = MoveWriter::uci();
//! Parser::new("1. e4! e5 2. Nf3 *").read_game(&mut writer);
//! assert_eq!(writer.take(), b"e2e4 e7e5 g1f3\n");
//! assert_eq!(writer.take_losses().iter().next().unwrap().0, LossKind::Nag);
//! ```

mod format;
mod moves;
mod operations;
mod positions;
mod reader;
pub(crate) mod recognise;

pub use format::{EPD, FEN, LAN, UCI};
pub use moves::MoveWriter;
pub use positions::PositionWriter;
pub use reader::Positions;
