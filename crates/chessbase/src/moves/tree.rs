//! Moves in stored order, and the same in the order of events.
//!
//! ChessBase stores the main line whole, then the variations from the last to the first: whoever
//! leaves a line keeps the position and comes back to it when the line has ended. A variation of
//! tabiya's events follows the move it replaces.

use tabiya_chess::{Action, Move};

/// A move as it is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    pub(crate) play: Play,
    /// The next move from the same position, 0 if this is the last.
    pub(crate) sibling: u32,
    /// The last move after this one, 0 if its line ends here. The first is always the next node.
    pub(crate) last_child: u32,
}

/// What stands in a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Play {
    /// The start of the game, which is node 0.
    Start,
    Move(Move),
    Null,
    /// Here reading failed; the last node.
    Broken,
}

/// Nodes in stored order; the start is the first.
#[derive(Clone, Debug)]
pub(crate) struct Nodes {
    list: Vec<Node>,
    /// Whether there is one line of moves and nothing else.
    plain: bool,
}

impl Default for Nodes {
    fn default() -> Nodes {
        let mut nodes = Nodes {
            list: Vec::new(),
            plain: true,
        };
        nodes.clear();
        nodes
    }
}

impl Nodes {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.plain = true;
        self.list.push(Node {
            play: Play::Start,
            sibling: 0,
            last_child: 0,
        });
    }

    pub(crate) fn reserve(&mut self, count: usize) {
        self.list.reserve(count);
    }

    /// How many moves there are, a failed one included.
    pub(crate) fn len(&self) -> u32 {
        self.list.len() as u32 - 1
    }

    #[inline]
    pub(crate) fn get(&self, index: u32) -> &Node {
        &self.list[index as usize]
    }

    /// Whether the last node is not a failure.
    pub(crate) fn is_whole(&self) -> bool {
        self.list
            .last()
            .is_none_or(|node| node.play != Play::Broken)
    }

    /// Adds a move after another and returns its number.
    #[inline]
    pub(crate) fn add(&mut self, after: u32, play: Play) -> u32 {
        let index = self.list.len() as u32;
        let elder = std::mem::replace(&mut self.list[after as usize].last_child, index);
        if elder != 0 {
            self.list[elder as usize].sibling = index;
        }
        self.plain &= matches!(play, Play::Move(_)) & (after + 1 == index);
        self.list.push(Node {
            play,
            sibling: 0,
            last_child: 0,
        });
        index
    }

    /// Whether there is one line of moves and nothing else.
    pub(crate) fn is_plain(&self) -> bool {
        self.plain
    }

    /// The moves of a game that is plain.
    pub(crate) fn plain_moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.list[1..].iter().map_while(|node| match node.play {
            Play::Move(play) => Some(play),
            _ => None,
        })
    }

    fn first_child(&self, index: u32) -> Option<u32> {
        (self.get(index).last_child != 0).then_some(index + 1)
    }

    /// The main line, as far as it could be read.
    pub(crate) fn main_line(&self) -> impl Iterator<Item = Action> + '_ {
        let mut index = 0;
        std::iter::from_fn(move || {
            index = self.first_child(index)?;
            match self.get(index).play {
                Play::Move(play) => Some(Action::Move(play)),
                Play::Null => Some(Action::Null),
                Play::Start | Play::Broken => None,
            }
        })
    }

    pub(crate) fn has_variations(&self) -> bool {
        self.list.iter().any(|node| node.sibling != 0)
    }
}

/// A step through a stored game in the order of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A legal move.
    Move {
        /// Its number in stored order, from 1, by which annotations name it.
        stored: u32,
        /// The move.
        play: Move,
    },
    /// A null move.
    Null {
        /// Its number in stored order, from 1.
        stored: u32,
    },
    /// What follows replaces the move before it.
    VariationStart,
    /// Back to the line that the variation left.
    VariationEnd,
    /// From here the record could not be read; see [`StoredGame::error`](super::StoredGame::error).
    Broken,
}

/// The steps of a stored game; see [`StoredGame::steps`](super::StoredGame::steps).
#[derive(Clone, Debug)]
pub struct Steps<'a> {
    nodes: &'a Nodes,
    next: Next,
    /// The open variations: the move that goes on afterwards, and the one that replaces it.
    open: Vec<(u32, u32)>,
    variations: bool,
}

#[derive(Clone, Copy, Debug)]
enum Next {
    /// The line goes on after a move.
    After(u32),
    /// A variation begins beside a move, with another.
    Variation(u32, u32),
    /// The move of a variation that has just begun.
    First(u32),
}

impl<'a> Steps<'a> {
    pub(crate) fn new(nodes: &'a Nodes, variations: bool) -> Steps<'a> {
        Steps {
            nodes,
            next: Next::After(0),
            open: Vec::new(),
            variations,
        }
    }

    /// Leaves out the variation that has just begun, its end included.
    pub fn skip_variation(&mut self) {
        if let (Next::First(_), Some((main, variation))) = (self.next, self.open.pop()) {
            self.leave(main, variation);
        }
    }

    /// Goes on after a variation: with the next one beside the same move, or with the line.
    fn leave(&mut self, main: u32, variation: u32) {
        self.next = match self.nodes.get(variation).sibling {
            0 => Next::After(main),
            sibling => Next::Variation(main, sibling),
        };
    }

    fn step(&self, index: u32) -> Option<Step> {
        Some(match self.nodes.get(index).play {
            Play::Move(play) => Step::Move {
                stored: index,
                play,
            },
            Play::Null => Step::Null { stored: index },
            Play::Broken => Step::Broken,
            Play::Start => return None,
        })
    }
}

impl Iterator for Steps<'_> {
    type Item = Step;

    #[inline(always)]
    fn next(&mut self) -> Option<Step> {
        match self.next {
            Next::After(index) => match self.nodes.first_child(index) {
                Some(child) => {
                    self.next = match self.nodes.get(child).sibling {
                        0 => Next::After(child),
                        _ if !self.variations => Next::After(child),
                        sibling => Next::Variation(child, sibling),
                    };
                    self.step(child)
                }
                None => {
                    let (main, variation) = self.open.pop()?;
                    self.leave(main, variation);
                    Some(Step::VariationEnd)
                }
            },
            Next::Variation(main, variation) => {
                self.open.push((main, variation));
                self.next = Next::First(variation);
                Some(Step::VariationStart)
            }
            Next::First(index) => {
                self.next = Next::After(index);
                self.step(index)
            }
        }
    }
}
