//! The position before the first move of a game, whether moves can be played from it or not.

use tabiya_chess::{Position, Setup};

use super::{decode::Words, words};
use crate::moves::square_of;

/// The position before the first move.
pub(super) enum Start {
    Initial,
    Position(Box<Position>),
    /// No moves can be generated from it: most have not one king for each side.
    Unplayable(Box<Setup>),
}

impl Start {
    pub fn of(position: Position) -> Start {
        match position == Position::initial() {
            true => Start::Initial,
            false => Start::Position(Box::new(position)),
        }
    }

    /// What is written down, whether it can be played or not; `None` if it cannot be read.
    pub fn unplayable(words: Option<&Words<'_>>) -> Option<Start> {
        let start = words?.start().ok()??;
        Some(Start::Unplayable(Box::new(start.setup)))
    }

    pub fn position(&self) -> Option<&Position> {
        match self {
            Start::Position(position) => Some(position),
            Start::Initial | Start::Unplayable(_) => None,
        }
    }

    pub fn fen(&self) -> Option<String> {
        match self {
            Start::Initial => None,
            Start::Position(position) => Some(position.to_string()),
            Start::Unplayable(setup) => Some(setup.to_string()),
        }
    }
}

/// A sentence is for people: it does not name more words than they would read.
const MOST_WORDS: usize = 200;

/// The moves of a position without both kings, as squares: `;` ends a line, `|` says that another
/// move was possible.
pub(super) fn unchecked_moves(content: &Words<'_>) -> String {
    let spelt = content.iter().take(MOST_WORDS).map(unchecked);
    let spelt: Vec<String> = spelt.collect();
    let text = spelt.join(" ");
    let mut text = text.trim_end_matches([';', ' ']).to_owned();
    if content.iter().nth(MOST_WORDS).is_some() {
        text.push_str(" …");
    }
    text
}

/// A word of such moves: from and to. Nobody knows the upper bits.
pub(super) fn unchecked(word: u16) -> String {
    match word {
        words::NULL => "--".to_owned(),
        words::SIBLING => "|".to_owned(),
        words::END => ";".to_owned(),
        word => {
            let from = square_of((word & 63) as u8);
            let to = square_of((word >> 6 & 63) as u8);
            match word >> 12 {
                0 => format!("{from}{to}"),
                more => format!("{from}{to}/{more}"),
            }
        }
    }
}
