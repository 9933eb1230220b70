//! The position of a game that is nearest to another.

use tabiya_chess::{Board, Position, Step};
use tabiya_game::{Event, Flow, GameSink, Needs};

use crate::similar;

/// Hears games and tells how near they come to a position, and where.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_game::{GameSink, GameTree};
/// use tabiya_search::Nearest;
///
/// let start = Position::initial();
/// let mut nearest = Nearest::new(&start);
/// GameTree::default().tell(&mut nearest);
/// let (distance, ply) = nearest.found().unwrap();
/// assert_eq!((distance, ply), (0, 0));
/// ```
#[derive(Debug)]
pub struct Nearest<'p> {
    wanted: &'p Position,
    variations: bool,
    /// Plies of this line; `None` before the start has come.
    ply: Option<u32>,
    /// Those of the lines that wait for a variation to end.
    waiting: Vec<Option<u32>>,
    found: Option<(u32, u32)>,
}

impl<'p> Nearest<'p> {
    /// Looks in main lines for the position that is nearest to this one.
    #[must_use]
    pub fn new(wanted: &'p Position) -> Nearest<'p> {
        Nearest {
            wanted,
            variations: false,
            ply: None,
            waiting: Vec::new(),
            found: None,
        }
    }

    /// Looks in variations, too.
    #[must_use]
    pub fn in_variations(mut self, variations: bool) -> Nearest<'p> {
        self.variations = variations;
        self
    }

    /// The [distance](similar) of the nearest position of the last game, and after how many plies
    /// it came, the first time if it came several times. A game whose start cannot be read has
    /// none.
    #[must_use]
    pub fn found(&self) -> Option<(u32, u32)> {
        self.found
    }

    /// Forgets the last game: who tells an entry that is none is then told of no other.
    pub fn forget(&mut self) {
        self.found = None;
    }

    fn step(&mut self, position: &Position) -> Flow {
        let ply = self.ply.map_or(0, |ply| ply + 1);
        self.ply = Some(ply);
        let distance = similar::distance(self.wanted, position);
        if self.found.is_none_or(|(least, _)| distance < least) {
            self.found = Some((distance, ply));
        }
        match distance {
            0 => Flow::SkipGame,
            _ => Flow::Continue,
        }
    }
}

impl GameSink for Nearest<'_> {
    fn needs(&mut self) -> Needs {
        Needs::NOTHING
            .moves(true)
            .after(true)
            .variations(self.variations)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(_) => {
                (self.ply, self.found) = (None, None);
                self.waiting.clear();
            }
            Event::Start(position) => return self.step(position),
            Event::Move {
                after: Some(after), ..
            }
            | Event::Null {
                after: Some(after), ..
            } => return self.step(after),
            Event::Missing => self.ply = self.ply.map(|ply| ply + 1),
            Event::VariationStart => {
                self.waiting.push(self.ply);
                self.ply = self.ply.map(|ply| ply.saturating_sub(1));
            }
            Event::VariationEnd => self.ply = self.waiting.pop().flatten(),
            _ => {}
        }
        Flow::Continue
    }
}

/// The same for whoever replays main lines from one start himself, on bare boards.
///
/// ```
/// use tabiya_chess::{Move, Position, Square};
/// use tabiya_search::Approach;
///
/// let start = Position::initial();
/// let mut approach = Approach::new(&start, &start);
/// approach.begin();
/// let step = start.step_of(Move::new(Square::E2, Square::E4)).expect("a pawn stands there");
/// let mut board = *start.board();
/// board.play(&step);
/// approach.step(&step, &board);
/// assert_eq!(approach.found(), (0, 0), "it was nearest at the start");
/// ```
#[derive(Debug)]
pub struct Approach<'p> {
    wanted: &'p Position,
    /// How far the start is.
    start: u32,
    ply: u32,
    /// Before that ply nothing can be nearer.
    awake: u32,
    found: (u32, u32),
}

impl<'p> Approach<'p> {
    /// Looks in games from a start for what is nearest to a position.
    #[must_use]
    pub fn new(wanted: &'p Position, start: &Position) -> Approach<'p> {
        let start = similar::distance(wanted, start);
        Approach {
            wanted,
            start,
            ply: 0,
            awake: 0,
            found: (start, 0),
        }
    }

    /// A game begins.
    pub fn begin(&mut self) {
        (self.ply, self.found) = (0, (self.start, 0));
        self.rest(self.start);
    }

    /// A ply, and the board behind it. Whether no other need be shown.
    #[inline]
    pub fn step(&mut self, step: &Step, board: &Board) -> bool {
        self.ply += 1;
        if self.ply >= self.awake {
            let distance = similar::distance_to(self.wanted, board, !step.piece.color);
            if distance < self.found.0 {
                self.found = (distance, self.ply);
            }
            self.rest(distance);
        }
        self.found.0 == 0
    }

    /// The distance of the nearest position of the game, and after how many plies it came first.
    #[must_use]
    pub fn found(&self) -> (u32, u32) {
        self.found
    }

    /// A ply brings the game only so much nearer.
    #[inline]
    fn rest(&mut self, distance: u32) {
        let farther = distance - self.found.0;
        self.awake = self.ply + farther / similar::MOST_A_PLY + 1;
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Exact,
        testing::{Told, tell},
    };

    use super::*;

    fn nearest(moves: &str, wanted: &str, variations: bool) -> Option<(u32, u32)> {
        let wanted = Exact::after_moves(wanted).unwrap();
        let mut nearest = Nearest::new(wanted.position()).in_variations(variations);
        tell(&Told::moves(moves), &mut nearest);
        if !moves.contains('(') {
            assert_eq!(Some(approached(moves, wanted.position())), nearest.found());
        }
        nearest.found()
    }

    fn approached(moves: &str, wanted: &Position) -> (u32, u32) {
        let start = Position::initial();
        let mut approach = Approach::new(wanted, &start);
        approach.begin();
        let mut position = start;
        for san in moves.split_whitespace() {
            let before = position;
            let play = position.play_san(san.as_bytes()).unwrap();
            let step = before.step_of(play.to_move().unwrap()).unwrap();
            if approach.step(&step, position.board()) {
                break;
            }
        }
        approach.found()
    }

    #[test]
    fn the_nearest_position_of_a_game_is_told_with_its_ply() {
        assert_eq!(nearest("e4 c5 Nf3 d6", "e4 c5 Nf3", false), Some((0, 3)));
        assert_eq!(
            nearest("e4 c5 Nc3 d6", "e4 c5 Nf3 d6", false),
            Some((4, 4)),
            "two knights stand elsewhere"
        );
        assert_eq!(nearest("", "e4", false), Some((5, 0)));
    }

    #[test]
    fn variations_are_looked_at_if_they_are_asked_for() {
        let moves = "e4 e5 ( c5 Nf3 ) Nf3 Nc6";
        assert_eq!(nearest(moves, "e4 c5 Nf3", true), Some((0, 3)));
        assert_eq!(nearest(moves, "e4 e5 Nf3 Nc6", true), Some((0, 4)));
        assert_ne!(nearest(moves, "e4 c5 Nf3", false), Some((0, 3)));
    }
}
