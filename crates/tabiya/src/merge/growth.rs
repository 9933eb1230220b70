//! A sink under which trees grow.

use std::collections::HashMap;

use tabiya_chess::Position;
use tabiya_game::{CommentPlace, Event, Flow, GameResult, GameSink, GameState, Item, Needs, Tags};

use super::{
    MergeWishes, Merger,
    arena::{Arena, Place, ROOT, Results, Side, Step},
    clocks,
};

/// Hears games and puts them into trees, one for each start.
#[derive(Debug)]
pub struct Growth {
    wishes: MergeWishes,
    trees: Vec<Arena>,
    by_start: HashMap<Position, usize>,
    games: u64,
    /// How many moves and notes all trees have, and how many bytes of text.
    size: (usize, usize),
    full: bool,
    heard: Heard,
}

/// What has been heard of a game.
#[derive(Debug, Default)]
struct Heard {
    tags: Tags,
    tree: usize,
    /// How large the tree was before the game.
    size: (usize, usize),
    /// The last move of the line.
    at: Place,
    ply: u32,
    /// The lines that were left for a variation.
    left: Vec<(Place, u32)>,
    /// What is said before the next move.
    before: Vec<Item>,
    /// A line that is cut: so many lines were left when it was.
    cut: Option<usize>,
    /// The places of the main line.
    main: Vec<Place>,
}

impl Growth {
    pub fn new(wishes: MergeWishes) -> Growth {
        Growth {
            wishes,
            trees: Vec::new(),
            by_start: HashMap::new(),
            games: 0,
            size: (0, 0),
            full: false,
            heard: Heard::default(),
        }
    }

    pub fn games(&self) -> u64 {
        self.games
    }

    /// It has grown too large: not all games are in it.
    pub fn is_full(&self) -> bool {
        self.full
    }

    pub fn into_trees(self) -> Vec<Arena> {
        self.trees
    }

    /// Adds what has been heard of later games.
    pub fn absorb(&mut self, other: Growth) {
        self.full |= other.full;
        self.games += other.games;
        for tree in other.trees {
            let here = self.tree(tree.start);
            let before = self.trees[here].size();
            self.trees[here].absorb(tree);
            self.measure(here, before);
        }
    }

    fn tree(&mut self, start: Position) -> usize {
        if let Some(&tree) = self.by_start.get(&start) {
            return tree;
        }
        let tree = Arena::new(start);
        self.size.0 += tree.size().0;
        self.trees.push(tree);
        self.by_start.insert(start, self.trees.len() - 1);
        self.trees.len() - 1
    }

    /// A tree has grown.
    fn measure(&mut self, tree: usize, before: (usize, usize)) {
        let now = self.trees[tree].size();
        self.size.0 += now.0 - before.0;
        self.size.1 += now.1 - before.1;
        self.full |= self.size.0 > Merger::SIZE || self.size.1 > Merger::TEXT;
    }

    fn start(&mut self, position: &Position) {
        let tree = self.tree(*position);
        self.heard = Heard {
            tags: std::mem::take(&mut self.heard.tags),
            tree,
            size: self.trees[tree].size(),
            main: vec![ROOT],
            ..Heard::default()
        };
    }

    /// Goes on by a step. What comes behind the last ply that is wanted is cut.
    fn step(&mut self, step: Step) -> Flow {
        if self.heard.cut.is_some() {
            return Flow::Continue;
        }
        let depth = self.heard.left.len();
        if Some(self.heard.ply) == self.wishes.max_ply {
            self.heard.cut = Some(depth);
            self.heard.before.clear();
            return match depth {
                0 => Flow::SkipGame,
                _ => Flow::Continue,
            };
        }
        let tree = &mut self.trees[self.heard.tree];
        self.heard.at = tree.grow(self.heard.at, step);
        self.heard.ply += 1;
        for item in self.heard.before.drain(..) {
            tree.note(self.heard.at, Side::Before, item);
        }
        if depth == 0 {
            self.heard.main.push(self.heard.at);
        }
        Flow::Continue
    }

    fn note(&mut self, item: Item) {
        if self.heard.cut.is_some() {
            return;
        }
        let item = match self.wishes.clocks {
            true => item,
            false => match clocks::without(item) {
                Some(item) => item,
                None => return,
            },
        };
        let is_before = matches!(
            item,
            Item::Comment {
                place: CommentPlace::Before,
                ..
            }
        );
        // At the beginning of a variation, arrows and glyphs are about the position before its first
        // move: that of the move before, to which the line has returned. The first move may be the
        // main line of the tree.
        match is_before {
            true => self.heard.before.push(item),
            false => self.trees[self.heard.tree].note(self.heard.at, Side::After, item),
        }
    }

    /// A line ends: what waits for a move that does not come is said behind the last one, for others
    /// may have more moves.
    fn settle(&mut self) {
        let tree = &mut self.trees[self.heard.tree];
        for mut item in self.heard.before.drain(..) {
            if let Item::Comment { place, .. } = &mut item {
                *place = CommentPlace::After;
            }
            tree.note(self.heard.at, Side::After, item);
        }
    }

    fn begin_variation(&mut self) {
        self.settle();
        let heard = &mut self.heard;
        heard.left.push((heard.at, heard.ply));
        if heard.cut.is_none() {
            heard.at = self.trees[heard.tree].parent(heard.at);
            heard.ply = heard.ply.saturating_sub(1);
        }
    }

    fn end_variation(&mut self) {
        self.settle();
        let heard = &mut self.heard;
        if let Some((at, ply)) = heard.left.pop() {
            (heard.at, heard.ply) = (at, ply);
        }
        if heard.cut.is_some_and(|depth| heard.left.len() < depth) {
            heard.cut = None;
        }
    }

    fn end(&mut self, result: GameResult, state: GameState) {
        self.settle();
        self.games += 1;
        let heard = std::mem::take(&mut self.heard);
        let tree = &mut self.trees[heard.tree];
        let mut results = Results::default();
        results[match result.token() {
            "1-0" => 0,
            "1/2-1/2" => 1,
            "0-1" => 2,
            _ => 3,
        }] = 1;
        for &place in &heard.main {
            tree.count(place, results);
        }
        if self.wishes.sources {
            let last = heard.main.last().copied().unwrap_or(ROOT);
            tree.note(last, Side::After, source(&heard.tags, result));
        }
        tree.join_header(Some(heard.tags), Some(result), state);
        self.measure(heard.tree, heard.size);
    }
}

/// Who played a game, when, and how it ended.
fn source(tags: &Tags, result: GameResult) -> Item {
    let name = |name: Option<&str>| name.unwrap_or("?").to_string();
    let mut text = format!("{} - {}", name(tags.white()), name(tags.black()));
    if let Some(year) = tags.date().and_then(|date| date.year) {
        text.push_str(&format!(", {year}"));
    }
    text.push_str(&format!(", {}", result.tag()));
    Item::Comment {
        place: CommentPlace::After,
        language: None,
        text,
    }
}

impl GameSink for Growth {
    fn needs(&mut self) -> Needs {
        Needs::ALL
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        if self.full {
            return Flow::Stop;
        }
        match event {
            Event::GameStart(_) => self.heard = Heard::default(),
            Event::Tag { name, value } => self.heard.tags.push(name, value),
            Event::Start(position) => self.start(position),
            Event::Text { .. } | Event::Opaque { .. } => {}
            // A game whose start cannot be read has none.
            _ if self.heard.main.is_empty() => {
                self.start(&Position::initial());
                return self.event(event);
            }
            Event::Move { play, .. } => return self.step(Step::Move(play)),
            Event::Null { .. } => return self.step(Step::Null),
            Event::Missing => return self.step(Step::Missing),
            Event::VariationStart => self.begin_variation(),
            Event::VariationEnd => self.end_variation(),
            Event::GameEnd { result, state } => self.end(result, state),
            other => {
                if let Some(item) = Item::from_event(other) {
                    self.note(item);
                }
            }
        }
        Flow::Continue
    }
}
