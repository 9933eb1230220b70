//! Who tells events and who listens.

use std::io;

use crate::{Event, Place};

/// What a sink wants to hear. A reader leaves out what nobody needs: without `moves` it plays
/// none, which is many times quicker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// Tags.
    pub tags: bool,
    /// Moves, with the positions before them, and the start position.
    pub moves: bool,
    /// Variations.
    pub variations: bool,
    /// Comments, NAGs and annotations.
    pub notes: bool,
    /// The format whose entries it understands as they are stored. A reader of that format tells
    /// what is no game as one [`Event::Opaque`] each, so that nothing of it is lost.
    pub native: Option<&'static str>,
}

impl Needs {
    /// Everything.
    pub const ALL: Needs = Needs {
        tags: true,
        moves: true,
        variations: true,
        notes: true,
        native: None,
    };

    /// The tags alone.
    pub const TAGS: Needs = Needs {
        tags: true,
        moves: false,
        variations: false,
        notes: false,
        native: None,
    };
}

/// Whether a sink wants to hear the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Go on.
    Continue,
    /// Leave out the rest of this game: the next event is its `GameEnd`.
    SkipGame,
    /// After `VariationStart`: leave out this variation, its end included.
    SkipVariation,
}

/// Listens to events.
pub trait GameSink {
    /// What it wants to hear; asked once before each entry.
    fn needs(&self) -> Needs {
        Needs::ALL
    }

    /// Takes an event.
    fn event(&mut self, event: Event<'_>) -> Flow;
}

impl<S: GameSink + ?Sized> GameSink for &mut S {
    fn needs(&self) -> Needs {
        (**self).needs()
    }

    #[inline]
    fn event(&mut self, event: Event<'_>) -> Flow {
        (**self).event(event)
    }
}

/// What an entry of a database is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// A game.
    Game,
    /// A text that belongs to no game.
    Text,
    /// Something that nobody understands.
    Opaque,
}

/// Why reading cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The input could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The input is not of the format, beyond what can be kept as a broken game.
    #[error("{place}: {message}")]
    Format {
        /// Where.
        place: Place,
        /// What is wrong and what to do.
        message: String,
    },
}

/// Reads the entries of a database one after the other.
pub trait GameSource {
    /// Tells a sink the next entry, `None` at the end.
    ///
    /// # Errors
    /// If the input cannot be read. A broken game is not an error: it is told as far as it goes.
    fn read_entry(&mut self, sink: &mut dyn GameSink) -> Result<Option<Entry>, SourceError>;
}
