//! The moves of a game as a tree, made of its flat items when somebody asks for it.

use tabiya::{
    Action, Annotation, CommentPlace, Event, Flow, GameSink, GameTree, Item, Needs, Position,
};
use tabiya_game::command;

/// The number of a node; 0 is the start of the game.
pub type Id = usize;

/// All nodes of a game.
pub struct Nodes(Vec<Data>);

/// What is known of a node.
pub struct Data {
    pub parent: Option<Id>,
    /// The move that follows in its line.
    pub next: Option<Id>,
    /// The moves that may be played instead of it.
    pub variations: Vec<Id>,
    pub step: Step,
    pub before: Position,
    pub after: Position,
    /// Plies from the start of the game to it.
    pub ply: u32,
    pub in_main_line: bool,
    /// Items of the game that say something about it, in their order.
    pub notes: Vec<usize>,
}

/// How a node came about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Start,
    Action(Action),
    /// A ply that was left out.
    Missing,
}

impl Nodes {
    pub fn of(game: &GameTree) -> Nodes {
        let mut grower = Grower::new(game);
        game.tell(&mut grower);
        grower.finish()
    }

    pub fn get(&self, id: Id) -> &Data {
        &self.0[id]
    }

    /// How many there are, the start of the game included.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The node and what follows it in its line, the start of the game excepted.
    pub fn line(&self, first: Option<Id>) -> impl Iterator<Item = Id> + '_ {
        std::iter::successors(first, |id| self.0[*id].next)
    }
}

/// Makes nodes of events. Items of the game are counted as they are told.
struct Grower {
    nodes: Vec<Data>,
    lines: Vec<Line>,
    item: usize,
}

/// A line that is being told.
struct Line {
    last: Id,
    /// The move that the first one of this line replaces.
    replaces: Option<Id>,
    /// Comments that stand before the next move.
    waiting: Vec<usize>,
}

impl Grower {
    fn new(game: &GameTree) -> Grower {
        let root = Data {
            parent: None,
            next: None,
            variations: Vec::new(),
            step: Step::Start,
            before: game.start,
            after: game.start,
            ply: 0,
            in_main_line: true,
            notes: Vec::new(),
        };
        let mut nodes = Vec::with_capacity(game.items.len() + 1);
        nodes.push(root);
        Grower {
            nodes,
            lines: vec![Line::after(0)],
            item: 0,
        }
    }

    fn finish(mut self) -> Nodes {
        while let Some(line) = self.lines.pop() {
            self.settle(line);
        }
        Nodes(self.nodes)
    }

    fn line(&mut self) -> &mut Line {
        if self.lines.is_empty() {
            self.lines.push(Line::after(0));
        }
        self.lines.last_mut().expect("there is one now")
    }

    /// Comments before a move that never came belong to the last one.
    fn settle(&mut self, line: Line) {
        self.nodes[line.last].notes.extend(line.waiting);
    }

    fn grow(&mut self, step: Step, before: Position, after: Position) {
        let id = self.nodes.len();
        let depth = self.lines.len();
        let line = self.line();
        let notes = std::mem::take(&mut line.waiting);
        let replaces = line.replaces.take();
        let parent = std::mem::replace(&mut line.last, id);
        let ply = self.nodes[parent].ply + 1;
        match replaces.or(self.nodes[parent].next) {
            Some(replaced) => self.nodes[replaced].variations.push(id),
            None => self.nodes[parent].next = Some(id),
        }
        self.nodes.push(Data {
            parent: Some(parent),
            next: None,
            variations: Vec::new(),
            step,
            before,
            after,
            ply,
            in_main_line: depth == 1,
            notes,
        });
    }

    fn note(&mut self) {
        let (item, last) = (self.item, self.line().last);
        self.nodes[last].notes.push(item);
    }

    fn start_variation(&mut self) {
        let last = self.line().last;
        let line = match self.nodes[last].parent {
            Some(parent) => Line {
                replaces: Some(last),
                ..Line::after(parent)
            },
            None => Line::after(last),
        };
        self.lines.push(line);
    }
}

impl Line {
    fn after(last: Id) -> Line {
        Line {
            last,
            replaces: None,
            waiting: Vec::new(),
        }
    }
}

impl GameSink for Grower {
    fn needs(&mut self) -> Needs {
        Needs::ALL.after(true).keys(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Move {
                before,
                play,
                after: Some(after),
            } => self.grow(Step::Action(Action::Move(play)), *before, *after),
            Event::Null {
                before,
                after: Some(after),
            } => self.grow(Step::Action(Action::Null), *before, *after),
            Event::Missing => {
                let last = self.line().last;
                let before = self.nodes[last].after;
                let mut after = before;
                after.play_null();
                self.grow(Step::Missing, before, after);
            }
            Event::Comment(comment) if comment.place == CommentPlace::Before => {
                let item = self.item;
                self.line().waiting.push(item);
            }
            Event::Comment(_) | Event::Nag(_) | Event::Annotation(_) | Event::Error(_) => {
                self.note()
            }
            Event::VariationStart => self.start_variation(),
            Event::VariationEnd => {
                if let Some(line) = self.lines.pop() {
                    self.settle(line);
                }
            }
            // Only what stands in the movetext is an item.
            _ => return Flow::Continue,
        }
        self.item += 1;
        Flow::Continue
    }
}

/// Where annotations stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Where {
    Anywhere,
    /// In comments after the move, as commands.
    Comments,
    /// By themselves.
    Apart,
}

/// What is known about a move: annotations of their own, and those that comments after it have.
pub fn annotations(game: &GameTree, data: &Data, place: Where) -> Vec<Annotation> {
    let mut known = Vec::new();
    for note in &data.notes {
        match &game.items[*note] {
            Item::Annotation(annotation) if place != Where::Comments => {
                known.push(annotation.clone());
            }
            Item::Comment {
                place: CommentPlace::After,
                text,
                ..
            } if place != Where::Apart => {
                known.extend(command::annotations(text, data.before.turn()));
            }
            _ => {}
        }
    }
    known
}
