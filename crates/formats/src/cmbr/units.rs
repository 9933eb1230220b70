//! Streams of words of one size, and how they are told.

use tabiya_chess::{Action, Move, Position};
use tabiya_game::{Event, Flow, GameError, Listener, Nag, Place};

use super::{
    defective,
    error::{Error, ErrorKind},
    word::Layout,
    word24,
};
use crate::stream::Streams;

/// What a word says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A move or a pass.
    Action(Action),
    /// A glyph on the move before it.
    Nag(Nag),
    /// Here a variation with this number branches off; it is stored elsewhere.
    Variation(u16),
}

/// Words of one size.
pub(super) trait Units {
    /// How many bytes a word has.
    const SIZE: usize;

    /// What a word says in a position.
    fn read(&self, before: &Position, unit: &[u8]) -> Result<Step, ErrorKind>;

    /// Reads a plain move and plays it, quickly. `None` leaves all else to `read`.
    #[inline(always)]
    fn play(&self, _position: &mut Position, _unit: &[u8]) -> Option<Move> {
        None
    }
}

/// Bare words, the high byte first.
impl Units for Layout {
    const SIZE: usize = 2;

    #[inline]
    fn read(&self, before: &Position, unit: &[u8]) -> Result<Step, ErrorKind> {
        let word = big_endian(unit);
        match self.action(before, word) {
            Ok(action) => Ok(Step::Action(action)),
            Err(kind) if *self == Layout::Program => Err(defective::diagnose(before, word, kind)),
            Err(kind) => Err(kind),
        }
    }

    #[inline(always)]
    fn play(&self, position: &mut Position, unit: &[u8]) -> Option<Move> {
        self.play_plain(position, big_endian(unit))
    }
}

/// The words of a container: a flag before each.
#[derive(Clone, Copy)]
pub(super) struct Flagged;

impl Units for Flagged {
    const SIZE: usize = 3;

    #[inline]
    fn read(&self, before: &Position, unit: &[u8]) -> Result<Step, ErrorKind> {
        match unit {
            [0, word @ ..] => Layout::Program.read(before, word),
            _ => Err(bad_flag(unit)),
        }
    }

    #[inline(always)]
    fn play(&self, position: &mut Position, unit: &[u8]) -> Option<Move> {
        match unit {
            [0, word @ ..] => Layout::Program.play(position, word),
            _ => None,
        }
    }
}

/// Units are never empty.
pub(super) fn bad_flag(unit: &[u8]) -> ErrorKind {
    ErrorKind::UnsupportedFlag {
        flag: unit.first().copied().unwrap_or_default(),
    }
}

#[inline]
pub(super) fn big_endian(bytes: &[u8]) -> u16 {
    bytes
        .iter()
        .fold(0, |word, byte| word << 8 | u16::from(*byte))
}

/// Tells the moves of a stream, and what is said about them.
///
/// # Errors
/// If a word cannot be read; nothing is told of it and what follows it. In a stream that does not
/// end with a whole word that is what is wrong: a byte is missing somewhere, or too many.
pub(super) fn tell<U: Units>(
    units: &U,
    bytes: &[u8],
    base: u64,
    start: &Position,
    sink: &mut Listener<'_>,
) -> Result<Flow, Error> {
    let mut position = *start;
    let whole = bytes.chunks_exact(U::SIZE);
    let rest = whole.remainder();
    for (index, unit) in whole.enumerate() {
        let before = position;
        if let Some(play) = units.play(&mut position, unit) {
            if sink.play(&before, play, Some(&position)) == Flow::SkipGame {
                return Ok(Flow::SkipGame);
            }
            continue;
        }
        let step = units.read(&position, unit).map_err(|kind| Error {
            kind: whole_words::<U>(rest).err().unwrap_or(kind),
            offset: base + (index * U::SIZE) as u64,
        })?;
        let before = &position;
        let flow = match step {
            Step::Action(Action::Move(play)) => sink.play(before, play, None),
            Step::Action(Action::Null) => sink.pass(before, None),
            _ if !sink.needs().notes => Flow::Continue,
            Step::Nag(nag) => sink.event(Event::Nag(nag)),
            Step::Variation(number) => sink.event(Event::Annotation(&word24::pointer(number))),
        };
        if flow == Flow::SkipGame {
            return Ok(flow);
        }
        if let Step::Action(action) = step {
            position.act(action);
        }
    }
    let end = base + (bytes.len() - rest.len()) as u64;
    match whole_words::<U>(rest) {
        Ok(()) => Ok(Flow::Continue),
        Err(kind) => Err(Error { kind, offset: end }),
    }
}

/// Whether nothing is left after the last whole word of a stream.
pub(super) fn whole_words<U: Units>(rest: &[u8]) -> Result<(), ErrorKind> {
    match rest {
        [] => Ok(()),
        _ => Err(ErrorKind::OddLength { size: U::SIZE }),
    }
}

/// Tells what could not be read, with its bytes.
pub(super) fn tell_error(error: &Error, raw: &[u8], sink: &mut Listener<'_>) -> Flow {
    sink.event(Event::Error(GameError {
        kind: error.kind.in_a_game(),
        message: &error.kind.to_string(),
        raw: &hex(raw),
        place: Place::at_byte(error.offset),
        first: None,
    }))
}

pub(super) fn hex(bytes: &[u8]) -> String {
    Streams::from(bytes.to_vec()).to_string()
}
