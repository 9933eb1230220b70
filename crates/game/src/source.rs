//! Who tells events and who listens.

use tabiya_chess::{Move, Position};

use crate::Event;

/// What a sink wants to hear. A reader leaves out what nobody needs: without `moves` it plays
/// none, which is many times quicker.
///
/// ```
/// use tabiya_game::Needs;
///
/// let needs = Needs::ALL.variations(false).after(true);
/// assert!(needs.moves && needs.after && !needs.variations);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Needs {
    /// Tags.
    pub tags: bool,
    /// Moves, with the positions before them, and the start position.
    pub moves: bool,
    /// The positions after moves, too. [`Needs::ALL`] is without them, for most sinks do not look.
    pub after: bool,
    /// The keys of positions. Positions have them in any case ([`Position::key`]), but for whoever
    /// needs none they are not kept move by move, and must be counted from nothing.
    /// [`Needs::ALL`] is without them, for most sinks do not look.
    pub keys: bool,
    /// Variations.
    pub variations: bool,
    /// Comments, NAGs and annotations.
    pub notes: bool,
    /// The format whose entries it understands as they are stored. A reader of that format tells
    /// what is no game as one [`Event::Opaque`] each, so that nothing of it is lost.
    pub native: Option<&'static str>,
}

impl Needs {
    /// Everything that is in a game.
    pub const ALL: Needs = Needs {
        tags: true,
        moves: true,
        after: false,
        keys: false,
        variations: true,
        notes: true,
        native: None,
    };

    /// That there is an entry, and how it ends.
    pub const NOTHING: Needs = Needs {
        tags: false,
        moves: false,
        after: false,
        keys: false,
        variations: false,
        notes: false,
        native: None,
    };

    /// The tags alone.
    pub const TAGS: Needs = Needs::NOTHING.tags(true);

    /// With tags or without.
    #[must_use]
    pub const fn tags(mut self, tags: bool) -> Needs {
        self.tags = tags;
        self
    }

    /// With moves or without.
    #[must_use]
    pub const fn moves(mut self, moves: bool) -> Needs {
        self.moves = moves;
        self
    }

    /// With the positions after moves or without.
    #[must_use]
    pub const fn after(mut self, after: bool) -> Needs {
        self.after = after;
        self
    }

    /// With keys at hand or without.
    #[must_use]
    pub const fn keys(mut self, keys: bool) -> Needs {
        self.keys = keys;
        self
    }

    /// With variations or without.
    #[must_use]
    pub const fn variations(mut self, variations: bool) -> Needs {
        self.variations = variations;
        self
    }

    /// With comments, NAGs and annotations or without.
    #[must_use]
    pub const fn notes(mut self, notes: bool) -> Needs {
        self.notes = notes;
        self
    }

    /// With the entries of a format as they are stored, or of none.
    #[must_use]
    pub const fn native(mut self, format: Option<&'static str>) -> Needs {
        self.native = format;
        self
    }

    /// The start of a game for a reader to play on: it keeps its key only for who needs keys.
    #[must_use]
    pub fn start(self, position: Position) -> Position {
        match self.keys {
            true => position,
            false => position.without_key(),
        }
    }
}

/// Whether a sink wants to hear the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Flow {
    /// Go on.
    Continue,
    /// Leave out the rest of this game: the next event is its `GameEnd`.
    SkipGame,
    /// After `VariationStart`: leave out this variation, its end included.
    SkipVariation,
    /// Leave out the rest of this game, whose `GameEnd` still comes, and whatever is behind it.
    /// Readers learn it when the entry ends, from [`Listener::finish`].
    Stop,
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

/// Hears nothing: for who only wants to know what a [`Filtered`](crate::Filtered) sink before it says.
impl GameSink for () {
    fn needs(&mut self) -> Needs {
        Needs::NOTHING
    }

    fn event(&mut self, _: Event<'_>) -> Flow {
        Flow::Continue
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
    stopped: bool,
    sink: &'s mut S,
}

impl<'s, S: GameSink + ?Sized> Listener<'s, S> {
    /// An entry begins: asks what the sink wants to hear of it.
    #[must_use]
    pub fn new(sink: &'s mut S) -> Listener<'s, S> {
        let needs = sink.needs();
        Listener::settled(needs, sink)
    }

    /// For whoever has asked the sink before, and has kept the entry since.
    #[must_use]
    pub fn settled(needs: Needs, sink: &'s mut S) -> Listener<'s, S> {
        Listener {
            needs,
            stopped: false,
            sink,
        }
    }

    /// What the sink wants to hear of this entry.
    #[inline]
    #[must_use]
    pub const fn needs(&self) -> Needs {
        self.needs
    }

    /// Tells an event of this entry. If the sink wants to stop, that is [`Flow::SkipGame`] to
    /// whoever tells the game. Moves are told by [`Listener::play`] and [`Listener::pass`], which
    /// add what the sink needs.
    #[inline]
    pub fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Move {
                before,
                play,
                after: None,
            } => self.play(before, play, None),
            Event::Null {
                before,
                after: None,
            } => self.pass(before, None),
            event => self.send(event),
        }
    }

    #[inline]
    fn send(&mut self, event: Event<'_>) -> Flow {
        let flow = self.sink.event(event);
        if flow == Flow::Stop {
            self.stopped = true;
            return Flow::SkipGame;
        }
        flow
    }

    /// Tells a move. The position after it is made for a sink that needs it, if the reader does
    /// not have it at hand.
    #[inline]
    pub fn play(&mut self, before: &Position, play: Move, after: Option<&Position>) -> Flow {
        if after.is_none() && self.needs.after {
            return self.play_and_make(before, play);
        }
        self.send(Event::Move {
            before,
            play,
            after,
        })
    }

    /// Apart, so that loops over moves are not spread out by it: readers have several places at
    /// which they tell moves.
    #[inline(never)]
    fn play_and_make(&mut self, before: &Position, play: Move) -> Flow {
        let mut made = *before;
        made.play_unchecked(play);
        self.send(Event::Move {
            before,
            play,
            after: Some(&made),
        })
    }

    /// Tells a null move, as [`Listener::play`] tells a move.
    #[inline]
    pub fn pass(&mut self, before: &Position, after: Option<&Position>) -> Flow {
        if after.is_none() && self.needs.after {
            let mut made = *before;
            made.play_null();
            let after = Some(&made);
            return self.send(Event::Null { before, after });
        }
        self.send(Event::Null { before, after })
    }

    /// The entry has been told: [`Flow::Stop`] if the sink wants to hear of no other, else
    /// [`Flow::Continue`].
    #[inline]
    #[must_use]
    pub fn finish(self) -> Flow {
        match self.stopped {
            true => Flow::Stop,
            false => Flow::Continue,
        }
    }
}
