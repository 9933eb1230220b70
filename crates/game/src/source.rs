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
    /// What it wants to hear of the next entry; asked once, before its first event, by the
    /// [`Listener`] that the entry is told to.
    fn needs(&mut self) -> Needs {
        Needs::ALL
    }

    /// Takes an event.
    fn event(&mut self, event: Event<'_>) -> Flow;
}

impl<S: GameSink + ?Sized> GameSink for &mut S {
    fn needs(&mut self) -> Needs {
        (**self).needs()
    }

    #[inline]
    fn event(&mut self, event: Event<'_>) -> Flow {
        (**self).event(event)
    }
}

/// A sink while one entry is told: what it needs of it is settled.
///
/// Whoever tells an entry makes one and hands it down. Nobody below can ask the sink once more,
/// when its answer may be about the next entry already.
///
/// ```
/// use tabiya_game::{Event, GameResult, GameSink, GameState, GameTree, Listener, Place};
///
/// fn tell_empty_game(listener: &mut Listener<'_>) {
///     listener.event(Event::GameStart(Place::default()));
///     if listener.needs().tags {
///         listener.event(Event::Tag { name: "White", value: "Anderssen" });
///     }
///     let (result, state) = (GameResult::WhiteWins, GameState::Complete);
///     listener.event(Event::GameEnd { result, state });
/// }
///
/// let mut tree = GameTree::default();
/// tell_empty_game(&mut Listener::new(&mut tree));
/// assert_eq!(tree.tags.get("White"), Some("Anderssen"));
/// ```
pub struct Listener<'s, S: ?Sized = dyn GameSink + 's> {
    needs: Needs,
    sink: &'s mut S,
}

impl<'s, S: GameSink + ?Sized> Listener<'s, S> {
    /// An entry begins: asks what the sink wants to hear of it.
    #[must_use]
    pub fn new(sink: &'s mut S) -> Listener<'s, S> {
        let needs = sink.needs();
        Listener { needs, sink }
    }

    /// For whoever has asked the sink before, and has kept the entry since.
    #[must_use]
    pub fn settled(needs: Needs, sink: &'s mut S) -> Listener<'s, S> {
        Listener { needs, sink }
    }

    /// What the sink wants to hear of this entry.
    #[inline]
    #[must_use]
    pub const fn needs(&self) -> Needs {
        self.needs
    }

    /// Tells an event of this entry.
    #[inline]
    pub fn event(&mut self, event: Event<'_>) -> Flow {
        self.sink.event(event)
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
