//! Questions to chess games, and games that answer them.
//!
//! A [`Test`] is a question that a position answers: is it exactly this one ([`Exact`]), does it have
//! this [`Pattern`], this [`Material`], these [`Pawns`]? A [`Query`] is a question that a game
//! answers: does a position of it pass a test, does a piece go this [`Path`]? Both have a text, which
//! [`parse`] describes. A [`Seeker`] is a sink for the games of any source, and so is [`Nearest`], which
//! tells how near games come to a position.
//!
//! ```
//! use tabiya_game::GameSink;
//! use tabiya_search::{Query, Seeker};
//!
//! let query: Query = "moves(1. e4 c5 2. c3) and never(check)".parse()?;
//! let seeker = Seeker::new(&query);
//! # Ok::<(), tabiya_search::ParseError>(())
//! ```

mod error;
mod exact;
mod facts;
mod flip;
mod glance;
mod hunt;
pub mod material;
mod nearest;
pub mod openings;
pub mod parse;
pub mod path;
pub mod pattern;
pub mod pawns;
mod pieces;
mod played;
mod query;
mod sacrifice;
pub mod scout;
mod seeker;
pub mod similar;
mod stepper;
mod test;
#[cfg(test)]
mod testing;
pub mod tree;
mod watch;

pub use error::ParseError;
pub use exact::Exact;
pub use facts::Facts;
pub use glance::{Glance, Seen};
pub use material::Material;
pub use nearest::{Approach, Nearest};
pub use path::Path;
pub use pattern::Pattern;
pub use pawns::Pawns;
pub use pieces::Pieces;
pub use query::{Query, Streak};
pub use seeker::Seeker;
pub use stepper::{Sight, Stepper};
pub use test::{Castled, Moment, Scene, Test, Wing};
