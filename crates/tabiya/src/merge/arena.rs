//! A tree of moves in which every move knows its place.

use std::{
    collections::HashMap,
    collections::hash_map::{Entry, RandomState},
    hash::{BuildHasher, Hash, Hasher},
};

use tabiya_chess::{Move, Position};
use tabiya_game::{GameResult, GameState, Item, Tags};

/// A place in the tree; the start is [`ROOT`].
pub type Place = u32;

/// Where games start.
pub const ROOT: Place = 0;

/// What leads from one place to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Move(Move),
    Null,
    /// A ply that was left out.
    Missing,
}

impl Step {
    pub fn item(self) -> Item {
        match self {
            Step::Move(play) => Item::Move(play),
            Step::Null => Item::Null,
            Step::Missing => Item::Missing,
        }
    }
}

/// Games by their results: won by White, drawn, won by Black, others.
pub type Results = [u32; 4];

/// On which side of a move something is said.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    Before,
    After,
}

/// All games that start from one position.
#[derive(Debug)]
pub struct Arena {
    pub start: Position,
    /// The tags that all games share.
    pub tags: Option<Tags>,
    /// The result that all games share; `None` if there are several.
    pub result: Option<GameResult>,
    pub state: GameState,
    nodes: Vec<Node>,
    notes: HashMap<Place, Notes>,
    /// Where a note stands among those of its place, by its hash.
    known: HashMap<u64, usize>,
    hasher: RandomState,
    /// How many notes there are, and how many bytes of text.
    note_count: usize,
    note_bytes: usize,
}

#[derive(Debug)]
struct Node {
    step: Step,
    parent: Place,
    /// The children in the order in which they came; [`ROOT`] is nobody's.
    first: Place,
    last: Place,
    next: Place,
    /// Of the games that have it in their main lines.
    results: Results,
}

/// What is said about a move.
#[derive(Debug, Default)]
pub struct Notes {
    pub before: Vec<Item>,
    pub after: Vec<Item>,
}

impl Arena {
    pub fn new(start: Position) -> Arena {
        let root = Node {
            step: Step::Missing,
            parent: ROOT,
            first: ROOT,
            last: ROOT,
            next: ROOT,
            results: Results::default(),
        };
        Arena {
            start,
            tags: None,
            result: None,
            state: GameState::Complete,
            nodes: vec![root],
            notes: HashMap::new(),
            known: HashMap::new(),
            hasher: RandomState::new(),
            note_count: 0,
            note_bytes: 0,
        }
    }

    /// How many moves and notes there are, and how many bytes of text.
    pub fn size(&self) -> (usize, usize) {
        (self.nodes.len() + self.note_count, self.note_bytes)
    }

    pub fn step(&self, place: Place) -> Step {
        self.node(place).step
    }

    pub fn parent(&self, place: Place) -> Place {
        self.node(place).parent
    }

    pub fn results(&self, place: Place) -> Results {
        self.node(place).results
    }

    /// How many games have a place in their main lines.
    pub fn games(&self, place: Place) -> u64 {
        self.node(place).results.iter().map(|&n| u64::from(n)).sum()
    }

    pub fn count(&mut self, place: Place, results: Results) {
        let sums = &mut self.nodes[place as usize].results;
        for (sum, more) in sums.iter_mut().zip(results) {
            *sum = sum.saturating_add(more);
        }
    }

    /// The places behind one, in the order in which they came.
    pub fn children(&self, place: Place) -> impl Iterator<Item = Place> + '_ {
        let first = self.node(place).first;
        let child = |place: Place| (place != ROOT).then_some(place);
        std::iter::successors(child(first), move |&place| child(self.node(place).next))
    }

    /// The place behind one by a step, a new one if there is none.
    pub fn grow(&mut self, place: Place, step: Step) -> Place {
        let known = self.children(place).find(|&child| self.step(child) == step);
        if let Some(child) = known {
            return child;
        }
        let child = self.nodes.len() as Place;
        self.nodes.push(Node {
            step,
            parent: place,
            first: ROOT,
            last: ROOT,
            next: ROOT,
            results: Results::default(),
        });
        let last = std::mem::replace(&mut self.nodes[place as usize].last, child);
        match last {
            ROOT => self.nodes[place as usize].first = child,
            last => self.nodes[last as usize].next = child,
        }
        child
    }

    /// Says something about a move, unless it has been said.
    pub fn note(&mut self, place: Place, side: Side, item: Item) {
        let notes = self.notes.entry(place).or_default();
        let notes = match side {
            Side::Before => &mut notes.before,
            Side::After => &mut notes.after,
        };
        match self.known.entry(hash(&self.hasher, place, side, &item)) {
            Entry::Occupied(known) if notes.get(*known.get()) == Some(&item) => return,
            // Two notes of one hash: only the first of them is known by it.
            Entry::Occupied(_) => {}
            Entry::Vacant(free) => {
                free.insert(notes.len());
            }
        }
        self.note_count += 1;
        self.note_bytes += bytes(&item);
        notes.push(item);
    }

    /// What is said about a move, taken out.
    pub fn take_notes(&mut self, place: Place) -> Notes {
        self.notes.remove(&place).unwrap_or_default()
    }

    /// Adds all that another one from the same start has.
    pub fn absorb(&mut self, mut other: Arena) {
        // Parents have smaller numbers than their children.
        let mut here = vec![ROOT; other.nodes.len()];
        for place in 0..other.nodes.len() {
            let node = &other.nodes[place];
            if place as Place != ROOT {
                here[place] = self.grow(here[node.parent as usize], node.step);
            }
            self.count(here[place], node.results);
            let Notes { before, after } = other.take_notes(place as Place);
            let sides = [(Side::Before, before), (Side::After, after)];
            for (side, items) in sides {
                for item in items {
                    self.note(here[place], side, item);
                }
            }
        }
        self.join_header(other.tags, other.result, other.state);
    }

    /// Keeps what all games have in common.
    pub fn join_header(
        &mut self,
        tags: Option<Tags>,
        result: Option<GameResult>,
        state: GameState,
    ) {
        let Some(more) = tags else { return };
        match &self.tags {
            None => {
                self.tags = Some(more);
                self.result = result;
            }
            Some(tags) => {
                let shared = tags
                    .iter()
                    .filter(|tag| more.iter().any(|other| other == *tag));
                self.tags = Some(shared.collect());
                self.result = self.result.filter(|known| Some(*known) == result);
            }
        }
        if state != GameState::Complete {
            self.state = state;
        }
    }

    fn node(&self, place: Place) -> &Node {
        &self.nodes[place as usize]
    }
}

/// So many bytes of text a note has, more or less.
fn bytes(item: &Item) -> usize {
    match item {
        Item::Comment { text, .. } => text.len(),
        Item::Error { message, raw, .. } => message.len() + raw.len(),
        Item::Annotation(annotation) => annotation.to_command().map_or(0, |text| text.len()),
        _ => 0,
    }
}

fn hash(hasher: &RandomState, place: Place, side: Side, item: &Item) -> u64 {
    let mut hash = hasher.build_hasher();
    (place, side).hash(&mut hash);
    match item {
        Item::Comment {
            place,
            language,
            text,
        } => (0, place, language, text).hash(&mut hash),
        Item::Nag(nag) => (1, nag).hash(&mut hash),
        // Those are few, and not made to be hashed.
        other => (2, format!("{other:?}")).hash(&mut hash),
    }
    hash.finish()
}
