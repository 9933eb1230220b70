//! The note sentence by sentence, the specification's vectors, and the live board.

mod live;
mod note;
mod stored;
mod vectors;

use super::Mailbox;
use crate::Setup;

fn setup(fen: &str) -> Setup {
    fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn board(fen: &str) -> Mailbox {
    Mailbox::from_setup(&setup(fen)).unwrap_or_else(|e| panic!("{fen}: {e}"))
}
