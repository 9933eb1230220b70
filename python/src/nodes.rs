//! The moves of a game as a tree, made of its flat items when somebody asks for it.

use tabiya::{
    Action, Annotation, Color, CommentPlace, Event, Flow, GameSink, GameTree, Item, Needs, Position,
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
    /// Its item in the game; that of the start is before all others.
    item: usize,
    /// Items of the game that stand at it, in their order.
    pub notes: Vec<usize>,
    /// Items that say something of the position after it. They are those that stand at it, but for
    /// comments before a move: what they say for programs is of the position there.
    said: Vec<usize>,
}

impl Data {
    /// Whether an item stands before the move; of a move that never came, it stands behind the last one.
    pub fn is_before(&self, note: usize) -> bool {
        note < self.item
    }
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
    /// The move that the first one of this line replaces, until that one comes.
    replaces: Option<Id>,
    /// Items that stand before the next move.
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
            item: 0,
            notes: Vec::new(),
            said: Vec::new(),
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

    /// What stands before a move that never came belongs to the last one.
    fn settle(&mut self, line: Line) {
        let last = &mut self.nodes[line.last];
        if line.replaces.is_some() {
            // A variation without a move: what is said of the last one itself counts, and comes last.
            last.said.splice(0..0, line.waiting.iter().copied());
        }
        last.notes.extend(line.waiting);
    }

    fn grow(&mut self, step: Step, before: Position, after: Position) {
        let id = self.nodes.len();
        let depth = self.lines.len();
        let line = self.line();
        let notes = std::mem::take(&mut line.waiting);
        let replaces = line.replaces.take();
        // In a variation there is no move of its own that the first of them could be said of.
        let said = match replaces {
            Some(_) => notes.clone(),
            None => Vec::new(),
        };
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
            item: self.item,
            notes,
            said,
        });
    }

    /// Something stands behind the last move, or before the next one.
    fn note(&mut self, is_before: bool) {
        let item = self.item;
        let line = self.line();
        let begins = line.replaces.is_some();
        if begins || is_before {
            line.waiting.push(item);
        }
        let last = line.last;
        if !begins {
            self.nodes[last].said.push(item);
        }
        if !begins && !is_before {
            self.nodes[last].notes.push(item);
        }
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
            Event::Comment(comment) => self.note(comment.place == CommentPlace::Before),
            Event::Nag(_) | Event::Annotation(_) | Event::Error(_) => self.note(false),
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

/// What a comment on a move of `mover` says for programs. Engines write what they think behind their
/// moves, so that before a move only commands are understood.
pub fn said(place: CommentPlace, text: &str, mover: Color) -> Vec<Annotation> {
    let commands = || {
        command::parts(text).filter_map(|part| match part {
            command::Part::Command(command) => command.annotation(),
            command::Part::Text(_) => None,
        })
    };
    match place {
        CommentPlace::Before => commands().collect(),
        CommentPlace::After => command::annotations(text, mover).collect(),
    }
}

/// What is known about the position after a move: annotations of their own, and those that comments
/// after it, or before the next one, have.
pub fn annotations(game: &GameTree, data: &Data, place: Where) -> Vec<Annotation> {
    let mut known = Vec::new();
    for note in &data.said {
        match &game.items[*note] {
            Item::Annotation(annotation) if place != Where::Comments => {
                known.push(annotation.clone());
            }
            Item::Comment {
                place: stands,
                text,
                ..
            } if place == Where::Anywhere
                || place == Where::Comments && *stands == CommentPlace::After =>
            {
                known.extend(said(*stands, text, data.before.turn()));
            }
            _ => {}
        }
    }
    known
}
