//! What writers of many formats share: what is wanted of games, what is lost of them, and how a
//! broken game is written.

pub mod error_comment;
mod ledger;
mod respelling;

use tabiya_game::Event;

pub(crate) use ledger::lost_entry;
pub use ledger::{Ledger, Wishes};
pub use respelling::{is_respelled, says_nothing};

/// What is lost of an event that was not thought of when a writer was written.
#[must_use]
pub fn unknown(event: Event<'_>) -> String {
    format!("what is not known to this format: {event:?}")
}
