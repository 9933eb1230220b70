//! A stored game as events.

use tabiya_chess::Position;
use tabiya_game::{Event, Flow, GameError, GameSink, Needs, Place};

use super::{
    decode::StoredGame,
    tree::{Step, Steps},
};

/// What is said about the moves of a game; they are named by their numbers in stored order,
/// from 1.
pub trait Notes {
    /// Tells what stands before a move.
    fn before<S: GameSink + ?Sized>(&mut self, stored: u32, sink: &mut S) -> Flow;

    /// Tells what stands after a move.
    fn after<S: GameSink + ?Sized>(&mut self, stored: u32, sink: &mut S) -> Flow;
}

/// Nothing is said.
impl Notes for () {
    fn before<S: GameSink + ?Sized>(&mut self, _: u32, _: &mut S) -> Flow {
        Flow::Continue
    }

    fn after<S: GameSink + ?Sized>(&mut self, _: u32, _: &mut S) -> Flow {
        Flow::Continue
    }
}

impl StoredGame {
    /// Tells a sink the moves and variations, and notes where they belong; what comes before the
    /// first move and after the last is for the caller to tell. `offset` is where the record
    /// stands in its file. Returns [`Flow::SkipGame`] if the sink wants no more.
    ///
    /// ```
    /// use tabiya_formats::chessbase::moves::{Scope, StoredGame};
    /// use tabiya_game::GameTree;
    ///
    /// let mut game = StoredGame::default();
    /// game.read(&[0, 0, 0, 6, 0xff, 0x0d], Scope::All)?;
    /// let mut tree = GameTree::default();
    /// game.tell(&mut tree, 26, &mut ());
    /// assert_eq!(tree.items.len(), 1);
    /// # Ok::<(), tabiya_formats::chessbase::moves::Error>(())
    /// ```
    pub fn tell<S: GameSink + ?Sized, N: Notes>(
        &self,
        sink: &mut S,
        offset: u64,
        notes: &mut N,
    ) -> Flow {
        self.tell_needed(sink.needs(), sink, offset, notes)
    }

    /// The same to a sink that was asked before what it needs: within a game its answer may be
    /// about the next one.
    pub(in crate::chessbase) fn tell_needed<S: GameSink + ?Sized, N: Notes>(
        &self,
        needs: Needs,
        sink: &mut S,
        offset: u64,
        notes: &mut N,
    ) -> Flow {
        if !needs.moves {
            return Flow::Continue;
        }
        let mut teller = Teller {
            game: self,
            steps: Steps::new(&self.nodes, needs.variations),
            position: self.start,
            before: self.start,
            open: Vec::new(),
            offset,
        };
        match needs.notes {
            true => teller.tell(sink, notes),
            false => teller.tell(sink, &mut ()),
        }
    }
}

/// Keeps the position of each open line while steps go by.
struct Teller<'a> {
    game: &'a StoredGame,
    steps: Steps<'a>,
    position: Position,
    /// The position before the last move of this line, to which a variation returns.
    before: Position,
    open: Vec<(Position, Position)>,
    offset: u64,
}

impl Teller<'_> {
    fn tell<S: GameSink + ?Sized, N: Notes>(&mut self, sink: &mut S, notes: &mut N) -> Flow {
        while let Some(step) = self.steps.next() {
            let flow = match step {
                Step::Move { stored, .. } | Step::Null { stored } => {
                    self.tell_move(step, stored, sink, notes)
                }
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
        step: Step,
        stored: u32,
        sink: &mut S,
        notes: &mut N,
    ) -> Flow {
        if notes.before(stored, sink) == Flow::SkipGame {
            return Flow::SkipGame;
        }
        self.before = self.position;
        let before = &self.before;
        let flow = match step {
            Step::Move { play, .. } => {
                self.position.play_unchecked(play);
                sink.event(Event::Move { before, play })
            }
            _ => {
                self.position.play_null();
                sink.event(Event::Null { before })
            }
        };
        match flow {
            Flow::SkipGame => flow,
            _ => notes.after(stored, sink),
        }
    }

    fn open<S: GameSink + ?Sized>(&mut self, sink: &mut S) -> Flow {
        let flow = sink.event(Event::VariationStart);
        match flow {
            Flow::Continue => {
                self.open.push((self.position, self.before));
                self.position = self.before;
            }
            Flow::SkipVariation => self.steps.skip_variation(),
            Flow::SkipGame => {}
        }
        flow
    }

    fn close<S: GameSink + ?Sized>(&mut self, sink: &mut S) -> Flow {
        if let Some((position, before)) = self.open.pop() {
            (self.position, self.before) = (position, before);
        }
        sink.event(Event::VariationEnd)
    }

    fn tell_error<S: GameSink + ?Sized>(&self, sink: &mut S) -> Flow {
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
        }))
    }
}
