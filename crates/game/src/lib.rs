//! The narrow waist of tabiya: what flows from a reader to a writer.
//!
//! A reader tells a [`GameSink`] what it finds, [`Event`] by event, in the order in which it is
//! stored; for each entry it makes a [`Listener`], which knows what the sink needs of it. A sink
//! may be a writer, a counter, or a [`GameTree`], which can tell the game again. So any format
//! converts into any other in one pass a game.
//!
//! # The laws of the stream
//!
//! 1. A [`CommentPlace::Before`] comment stands before a move; after [`Event::VariationEnd`] a
//!    comment belongs to the outer line again. The order of NAGs, comments and tags is data.
//! 2. A variation follows the move it replaces.
//! 3. A typed [`Annotation`] has one spelling in PGN; reading what was written gives the same
//!    event back, an [`Event::Error`] included.
//! 4. Castling is king square and rook square.
//! 5. A [`Position`](tabiya_chess::Position) may be odd; how strict to be is the reader's choice.
//! 6. What a target cannot hold is reported as a [`Loss`], never dropped in silence. What it holds
//!    in another spelling is no loss and reported apart ([`Respellings`]).
//! 7. Counts add up: read = written + refused + filtered + deleted ([`Counts`]).
//!
//! Nothing here recurses: the nesting of variations is bounded by [`Limits::depth`].
//!
//! ```
//! use tabiya_game::{Event, GameSink, GameTree, Flow};
//!
//! /// Counts the moves of the main line.
//! struct Plies(usize, usize);
//!
//! impl GameSink for Plies {
//!     fn event(&mut self, event: Event<'_>) -> Flow {
//!         match event {
//!             Event::VariationStart => self.1 += 1,
//!             Event::VariationEnd => self.1 -= 1,
//!             Event::Move { .. } if self.1 == 0 => self.0 += 1,
//!             _ => {}
//!         }
//!         Flow::Continue
//!     }
//! }
//!
//! let tree = GameTree::default();
//! let mut plies = Plies(0, 0);
//! tree.tell(&mut plies);
//! assert_eq!(plies.0, 0);
//! ```

mod annotation;
pub mod check;
pub mod command;
mod counts;
mod damage;
mod date;
mod error;
mod event;
mod filter;
pub mod generate;
mod limits;
mod loss;
mod medals;
mod nag;
mod numbers;
mod place;
mod result;
mod source;
mod span;
pub mod survey;
mod tags;
mod training;
mod tree;

pub use annotation::{
    Annotation, Arrow, Evaluation, Mark, MarkColor, Profile, Quotation, Score, VariationColor,
};
pub use counts::Counts;
pub use damage::Damage;
pub use date::{Date, ParseDateError};
pub use error::{Error, ErrorKind, names_file};
pub use event::{Comment, CommentPlace, Event, GameError, GameErrorKind};
pub use filter::{
    EcoSpan, Filter, Filtered, ParseEcoError, ParseTimeControlError, TimeControl, Words, fold,
};
pub use limits::Limits;
pub use loss::{Loss, LossKind, Losses, Respellings};
pub use medals::{Medals, Phase};
pub use nag::Nag;
pub use numbers::{Numbers, ParseNumbersError};
pub use place::Place;
pub use result::{GameResult, GameState, ParseResultError};
pub use source::{Flow, GameSink, Listener, Needs};
pub use span::{ParseSpanError, Span};
pub use survey::Survey;
pub use tags::{ROSTER, Tags};
pub use training::{Answer, Training, Wording};
pub use tree::{GameTree, Item};

/// The example of the crate's page runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
