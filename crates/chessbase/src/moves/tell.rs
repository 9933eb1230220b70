//! A stored game as events.

use tabiya_chess::{Action, Position};
use tabiya_game::{Event, Flow, GameError, GameSink, Listener, Place};

use super::{
    decode::StoredGame,
    tree::{Step, Steps},
};

/// What is said about the moves of a game; they are named by their numbers in stored order,
/// from 1.
pub trait Notes {
    /// Tells what stands before a move.
    fn before<S: GameSink + ?Sized>(&mut self, stored: u32, sink: &mut Listener<'_, S>) -> Flow;

    /// Tells what stands after a move.
    fn after<S: GameSink + ?Sized>(&mut self, stored: u32, sink: &mut Listener<'_, S>) -> Flow;
}

/// Nothing is said.
impl Notes for () {
    fn before<S: GameSink + ?Sized>(&mut self, _: u32, _: &mut Listener<'_, S>) -> Flow {
        Flow::Continue
    }

    fn after<S: GameSink + ?Sized>(&mut self, _: u32, _: &mut Listener<'_, S>) -> Flow {
        Flow::Continue
    }
}

impl StoredGame {
    /// Tells a sink the moves and variations, and notes where they belong; what comes before the
    /// first move and after the last is for the caller to tell. `offset` is where the record
    /// stands in its file. Returns [`Flow::SkipGame`] if the sink wants no more.
    ///
    /// ```
    /// use tabiya_chessbase::moves::{Scope, StoredGame};
    /// use tabiya_game::{GameTree, Listener};
    ///
    /// let mut game = StoredGame::default();
    /// game.read(&[0, 0, 0, 6, 0xff, 0x0d], Scope::All)?;
    /// let mut tree = GameTree::default();
    /// game.tell(&mut Listener::new(&mut tree), 26, &mut ());
    /// assert_eq!(tree.items.len(), 1);
    /// # Ok::<(), tabiya_chessbase::moves::Error>(())
    /// ```
    pub fn tell<S: GameSink + ?Sized, N: Notes>(
        &self,
        sink: &mut Listener<'_, S>,
        offset: u64,
        notes: &mut N,
    ) -> Flow {
        let needs = sink.needs();
        if !needs.moves {
            return Flow::Continue;
        }
        let kept = self.befores.len() >= self.stored_moves() as usize;
        let notes = needs.notes.then_some(notes);
        match kept {
            true => self.tell_from(Kept(&self.befores), sink, offset, notes),
            false => self.tell_from(Replayed::new(&self.start), sink, offset, notes),
        }
    }

    /// The same of a game about which nothing is said. Most are one line of moves, which is told
    /// without a walk through a tree.
    pub(crate) fn tell_moves<S: GameSink + ?Sized>(
        &self,
        sink: &mut Listener<'_, S>,
        offset: u64,
    ) -> Flow {
        let kept = self.befores.len() >= self.stored_moves() as usize;
        if !sink.needs().moves || !kept || !self.nodes.is_plain() {
            return self.tell(sink, offset, &mut ());
        }
        for (before, play) in self.befores.iter().zip(self.nodes.plain_moves()) {
            if sink.play(before, play, None) == Flow::SkipGame {
                return Flow::SkipGame;
            }
        }
        Flow::Continue
    }

    fn tell_from<B: PositionsBefore, S: GameSink + ?Sized, N: Notes>(
        &self,
        befores: B,
        sink: &mut Listener<'_, S>,
        offset: u64,
        notes: Option<&mut N>,
    ) -> Flow {
        let mut teller = MoveTeller {
            game: self,
            steps: Steps::new(&self.nodes, sink.needs().variations),
            befores,
            offset,
        };
        match notes {
            Some(notes) => teller.tell(sink, notes),
            None => teller.tell(sink, &mut ()),
        }
    }
}

/// The positions before moves, which are asked for in the order of events.
trait PositionsBefore {
    /// The position before the next move, or null move, of a line.
    fn next(&mut self, stored: u32, action: Action) -> &Position;

    /// A variation replaces the last move.
    fn open(&mut self) {}

    /// The line goes on that the variation left.
    fn close(&mut self) {}
}

/// Positions that were kept when the moves were read.
struct Kept<'a>(&'a [Position]);

impl PositionsBefore for Kept<'_> {
    #[inline]
    fn next(&mut self, stored: u32, _: Action) -> &Position {
        &self.0[stored as usize - 1]
    }
}

/// Positions of a game that is too long for that: every move is played again.
struct Replayed {
    position: Position,
    /// The position before the last move of this line, to which a variation returns.
    before: Position,
    open: Vec<(Position, Position)>,
}

impl Replayed {
    fn new(start: &Position) -> Replayed {
        Replayed {
            position: *start,
            before: *start,
            open: Vec::new(),
        }
    }
}

impl PositionsBefore for Replayed {
    fn next(&mut self, _: u32, action: Action) -> &Position {
        self.before = self.position;
        self.position.act(action);
        &self.before
    }

    fn open(&mut self) {
        self.open.push((self.position, self.before));
        self.position = self.before;
    }

    fn close(&mut self) {
        if let Some((position, before)) = self.open.pop() {
            (self.position, self.before) = (position, before);
        }
    }
}

/// Tells a game step by step.
struct MoveTeller<'a, B> {
    game: &'a StoredGame,
    steps: Steps<'a>,
    befores: B,
    offset: u64,
}

impl<B: PositionsBefore> MoveTeller<'_, B> {
    fn tell<S: GameSink + ?Sized, N: Notes>(
        &mut self,
        sink: &mut Listener<'_, S>,
        notes: &mut N,
    ) -> Flow {
        while let Some(step) = self.steps.next() {
            let flow = match step {
                Step::Move { stored, play } => {
                    self.tell_move(Action::Move(play), stored, sink, notes)
                }
                Step::Null { stored } => self.tell_move(Action::Null, stored, sink, notes),
                Step::VariationStart => self.open(sink),
                Step::VariationEnd => self.close(sink),
                Step::Broken => self.tell_error(sink),
            };
            if flow == Flow::SkipGame {
                return flow;
            }
        }
        Flow::Continue
    }

    #[inline]
    fn tell_move<S: GameSink + ?Sized, N: Notes>(
        &mut self,
        action: Action,
        stored: u32,
        sink: &mut Listener<'_, S>,
        notes: &mut N,
    ) -> Flow {
        if notes.before(stored, sink) == Flow::SkipGame {
            return Flow::SkipGame;
        }
        let before = self.befores.next(stored, action);
        let flow = match action {
            Action::Move(play) => sink.play(before, play, None),
            Action::Null => sink.pass(before, None),
        };
        match flow {
            Flow::SkipGame => flow,
            _ => notes.after(stored, sink),
        }
    }

    fn open<S: GameSink + ?Sized>(&mut self, sink: &mut Listener<'_, S>) -> Flow {
        let flow = sink.event(Event::VariationStart);
        match flow {
            Flow::Continue => self.befores.open(),
            Flow::SkipVariation => self.steps.skip_variation(),
            _ => {}
        }
        flow
    }

    fn close<S: GameSink + ?Sized>(&mut self, sink: &mut Listener<'_, S>) -> Flow {
        self.befores.close();
        sink.event(Event::VariationEnd)
    }

    fn tell_error<S: GameSink + ?Sized>(&self, sink: &mut Listener<'_, S>) -> Flow {
        let Some(error) = self.game.error() else {
            return Flow::Continue;
        };
        let raw: String = self
            .game
            .rest
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        sink.event(Event::Error(GameError {
            kind: error.kind.game_error(),
            message: &error.kind.to_string(),
            raw: &raw,
            place: Place::at_byte(self.offset + error.offset as u64),
            first: None,
        }))
    }
}
