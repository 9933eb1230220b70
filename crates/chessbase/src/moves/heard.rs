//! A game as it is heard: a tree of codes.

use std::fmt::Debug;

use tabiya_chess::{Action, Color, Move, Position};
use tabiya_game::{Event, LossKind, Losses};

use super::decode::MAX_OPEN;

/// How a family codes moves.
pub(crate) trait Coding: Clone + Debug {
    /// The code of a move.
    type Code: Copy + Debug;
    /// What has to be known of a line besides its position.
    type State: Copy + Debug;
    /// The code of a null move.
    const PASS: Self::Code;

    /// The state at the start.
    fn state(&self, start: &Position) -> Self::State;

    /// The code of a move, which is then played; `None` if it has none.
    fn code(&self, state: &mut Self::State, before: &Position, play: Move) -> Option<Self::Code>;

    /// Whether whoever is to move can pass.
    fn can_pass(&self, _before: &Position) -> bool {
        true
    }
}

/// A move that was taken, by its place in the order of events.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Taken(u32);

impl Taken {
    /// Its number in the order of events, from 1.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The move of a number.
    pub(crate) const fn from_number(number: u32) -> Taken {
        Taken(number)
    }
}

#[derive(Clone, Copy, Debug)]
struct Node<C> {
    code: C,
    first_child: u32,
    last_child: u32,
    sibling: u32,
}

impl<C> Node<C> {
    fn new(code: C, sibling: u32) -> Node<C> {
        Node {
            code,
            first_child: 0,
            last_child: 0,
            sibling,
        }
    }
}

/// A line of play as far as it has been heard.
#[derive(Clone, Copy, Debug)]
struct Line<S> {
    state: S,
    /// The state before the last move, to which a variation returns.
    state_before: S,
    /// The last move, and the one before it.
    last: u32,
    parent: u32,
    turn: Color,
    /// The next move replaces another.
    replaces: bool,
    /// A move could not be written: what follows it cannot either.
    ended: bool,
}

impl<S: Copy> Line<S> {
    fn new(start: &Position, state: S) -> Line<S> {
        Line {
            state,
            state_before: state,
            last: 0,
            parent: 0,
            turn: start.turn(),
            replaces: false,
            ended: false,
        }
    }
}

/// The lines of a game that is heard.
#[derive(Clone, Debug)]
pub(crate) struct Lines<C: Coding> {
    pub(crate) coding: C,
    start: Position,
    /// In the order of events; the first stands for the start.
    nodes: Vec<Node<C::Code>>,
    /// The number of each node in stored order, 0 if it is not stored.
    stored: Vec<u32>,
    line: Line<C::State>,
    open: Vec<Line<C::State>>,
    /// The position before the last move of the main line, and that move.
    main: (Position, Option<Action>),
    main_plies: u32,
    game: u64,
    losses: Losses,
}

// What has been taken.
impl<C: Coding> Lines<C> {
    pub(crate) fn new(coding: C) -> Lines<C> {
        let start = Position::initial();
        Lines {
            start,
            nodes: vec![Node::new(C::PASS, 0)],
            stored: Vec::new(),
            line: Line::new(&start, coding.state(&start)),
            open: Vec::new(),
            main: (start, None),
            main_plies: 0,
            game: 0,
            losses: Losses::default(),
            coding,
        }
    }

    /// The position before the first move.
    pub(crate) fn start(&self) -> &Position {
        &self.start
    }

    /// The last move of the line that is being heard; `None` if the game has not begun.
    pub(crate) fn last(&self) -> Option<Taken> {
        (self.line.last != 0).then_some(Taken(self.line.last))
    }

    /// The number of a move in stored order, from 1, once the moves are written.
    pub(crate) fn stored(&self, play: Taken) -> Option<u32> {
        let stored = self.stored.get(play.0 as usize).copied();
        stored.filter(|number| *number != 0)
    }

    /// How many plies the main line has.
    pub(crate) fn main_plies(&self) -> u32 {
        self.main_plies
    }

    /// How many moves have been taken, those of variations included.
    pub(crate) fn moves(&self) -> u32 {
        // The first node stands for the start.
        self.nodes.len() as u32 - 1
    }

    /// The position at the end of the main line.
    pub(crate) fn final_position(&self) -> Position {
        let (mut position, last) = self.main;
        if let Some(action) = last {
            position.act(action);
        }
        position
    }

    /// Whether there are variations.
    pub(crate) fn has_variations(&self) -> bool {
        self.nodes.iter().any(|node| node.sibling != 0)
    }

    /// The codes of the main line.
    pub(crate) fn main_line(&self) -> impl Iterator<Item = C::Code> + '_ {
        let mut next = self.nodes[0].first_child as usize;
        std::iter::from_fn(move || {
            let node = (next != 0).then(|| &self.nodes[next])?;
            next = node.first_child as usize;
            Some(node.code)
        })
    }

    /// What could not be written since this was last asked.
    pub(crate) fn take_losses(&mut self) -> Losses {
        std::mem::take(&mut self.losses)
    }

    pub(crate) fn lose(&mut self, kind: LossKind, what: impl FnOnce() -> String) {
        self.losses.note(self.game, kind, what);
    }
}

// Taking moves.
impl<C: Coding> Lines<C> {
    /// Takes an event of a game, if it is about moves.
    pub(crate) fn event(&mut self, event: Event<'_>) {
        match event {
            Event::GameStart(_) => {
                self.game += 1;
                self.begin(&Position::initial());
            }
            Event::Start(start) => self.begin(start),
            Event::Move { before, play, .. } => self.play(before, play),
            Event::Null { before, .. } => self.pass(before),
            Event::Missing => {
                self.lose(LossKind::Move, || {
                    "a ply left out is written as a null move".into()
                });
                // The board is that after the last move, whoever is to move.
                let before = self.final_position();
                self.pass(&before);
            }
            Event::VariationStart => self.open_variation(),
            Event::VariationEnd => self.close_variation(),
            _ => {}
        }
    }

    fn begin(&mut self, start: &Position) {
        self.start = *start;
        self.nodes.clear();
        self.nodes.push(Node::new(C::PASS, 0));
        self.stored.clear();
        self.line = Line::new(start, self.coding.state(start));
        self.open.clear();
        self.main = (*start, None);
        self.main_plies = 0;
    }

    fn play(&mut self, before: &Position, play: Move) {
        if self.line.ended {
            return;
        }
        // A ply was left out, and it was not the other side's turn afterwards: pass back.
        let passes_back = before.turn() != self.line.turn;
        let mut state = self.line.state;
        let code = match passes_back && before.is_en_passant(play) {
            true => None,
            false => self.coding.code(&mut state, before, play),
        };
        let Some(code) = code else {
            self.line.ended = true;
            return self.lose(LossKind::Move, || {
                format!("{} and what follows", before.san(play))
            });
        };
        if passes_back {
            self.pass(before);
            if self.line.ended {
                return;
            }
        }
        self.add(code);
        self.line.state = state;
        self.end_ply(before, Action::Move(play));
    }

    fn pass(&mut self, before: &Position) {
        if self.line.ended {
            return;
        }
        if !self.coding.can_pass(before) {
            self.line.ended = true;
            return self.lose(LossKind::NullMove, || {
                "a null move in check and what follows".into()
            });
        }
        self.add(C::PASS);
        self.end_ply(before, Action::Null);
    }

    fn end_ply(&mut self, before: &Position, action: Action) {
        self.line.turn = !self.line.turn;
        if self.open.is_empty() {
            self.main = (*before, Some(action));
            self.main_plies += 1;
        }
    }

    /// Adds a move to the line. Where the line left a variation before its own move, that move
    /// comes first all the same: the first is the main line.
    fn add(&mut self, code: C::Code) {
        let index = self.nodes.len() as u32;
        let after = self.line.last as usize;
        let (first_child, last_child) =
            (self.nodes[after].first_child, self.nodes[after].last_child);
        let sibling = if self.line.replaces { 0 } else { first_child };
        self.nodes.push(Node::new(code, sibling));
        if last_child == 0 || !self.line.replaces {
            self.nodes[after].first_child = index;
        }
        if last_child == 0 || self.line.replaces {
            self.nodes[after].last_child = index;
        }
        if self.line.replaces && last_child != 0 {
            self.nodes[last_child as usize].sibling = index;
        }
        self.line = Line {
            state_before: self.line.state,
            parent: self.line.last,
            last: index,
            replaces: false,
            ..self.line
        };
    }

    fn open_variation(&mut self) {
        let line = self.line;
        self.open.push(line);
        if line.ended {
            return self.lose(LossKind::Variation, || {
                "a variation after a move that cannot be written".into()
            });
        }
        if line.last != 0 && !line.replaces {
            self.line.state = line.state_before;
            self.line.last = line.parent;
            self.line.turn = !line.turn;
        }
        self.line.state_before = self.line.state;
        self.line.replaces = true;
    }

    fn close_variation(&mut self) {
        if let Some(line) = self.open.pop() {
            self.line = line;
        }
    }
}

/// A move on its way into a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written<C> {
    pub(crate) code: C,
    /// Other moves from the same position come later.
    pub(crate) pushes: bool,
    /// Its line ends with it.
    pub(crate) pops: bool,
}

/// What is left to number.
enum Left {
    /// What follows a move.
    After(u32),
    /// A sibling, and what follows it.
    Beside(u32),
}

// Writing.
impl<C: Coding> Lines<C> {
    /// Hands over the moves in stored order and numbers them. There may be none.
    pub(crate) fn write(&mut self, mut write: impl FnMut(Written<C::Code>)) {
        self.stored.clear();
        self.stored.resize(self.nodes.len(), 0);
        let mut left = Vec::new();
        let mut next = self.nodes[0].first_child;
        let mut count = 0;
        while next != 0 {
            let node = self.nodes[next as usize];
            let mut pushes = node.sibling != 0;
            if pushes && left.len() == MAX_OPEN {
                pushes = false;
                self.lose(LossKind::Variation, || {
                    format!("variations where {MAX_OPEN} moves before already have some")
                });
            }
            if pushes {
                left.push(node.sibling);
            }
            write(Written {
                code: node.code,
                pushes,
                pops: node.first_child == 0,
            });
            count += 1;
            self.stored[next as usize] = count;
            next = match node.first_child {
                0 => left.pop().unwrap_or(0),
                child => child,
            };
        }
    }

    /// The number of each move in the order of a game as it is read, from 0, once the moves are
    /// written: a move, its siblings with all that follows them, then what follows it.
    pub(crate) fn order(&self) -> Vec<Option<u32>> {
        let mut numbers = vec![None; self.nodes.len()];
        let mut count = 0;
        let mut number = |node: u32| {
            numbers[node as usize] = Some(count);
            count += 1;
        };
        let mut left = vec![Left::After(0)];
        while let Some(next) = left.pop() {
            let node = match next {
                Left::After(node) => node,
                Left::Beside(node) => {
                    number(node);
                    left.push(Left::After(node));
                    continue;
                }
            };
            let first = self.nodes[node as usize].first_child;
            if first == 0 {
                continue;
            }
            number(first);
            left.push(Left::After(first));
            let from = left.len();
            let mut sibling = self.nodes[first as usize].sibling;
            // Those that there was no room for are not there.
            while sibling != 0 && self.stored[sibling as usize] != 0 {
                left.push(Left::Beside(sibling));
                sibling = self.nodes[sibling as usize].sibling;
            }
            left[from..].reverse();
        }
        numbers
    }
}
