//! A whole game in memory.
//!
//! ```
//! use tabiya_chess::{Move, Square};
//! use tabiya_game::{GameTree, Item};
//!
//! let mut tree = GameTree::default();
//! tree.tags.push("White", "Anderssen");
//! tree.items.push(Item::Move(Move::new(Square::E2, Square::E4)));
//! tree.items.push(Item::VariationStart);
//! tree.items.push(Item::Move(Move::new(Square::D2, Square::D4)));
//! tree.items.push(Item::VariationEnd);
//!
//! let mut copy = GameTree::default();
//! tree.tell(&mut copy);
//! assert_eq!(copy, tree);
//! assert_eq!(tree.main_line().count(), 1);
//! ```

use tabiya_chess::{Action, Move, Position};

use crate::{
    Annotation, Comment, CommentPlace, Event, Flow, GameError, GameErrorKind, GameResult, GameSink,
    GameState, Listener, Nag, Place, Tags,
};

/// A game: its tags, its start, and a tree of moves written flat, in the order of the stream.
///
/// Flat is how games are stored and told; two trees are equal exactly if they tell the same.
#[derive(Clone, PartialEq, Debug)]
pub struct GameTree {
    /// Where it stands in the input it was read from.
    pub place: Place,
    /// The tags.
    pub tags: Tags,
    /// The position before the first move.
    pub start: Position,
    /// Moves, variations and what is said about them.
    pub items: Vec<Item>,
    /// How it ended.
    pub result: GameResult,
    /// Whether everything could be read.
    pub state: GameState,
}

/// A step in a [`GameTree`].
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// A legal move.
    Move(Move),
    /// A null move.
    Null,
    /// A ply that was left out.
    Missing,
    /// A glyph.
    Nag(Nag),
    /// A text.
    Comment {
        /// Before or after its move.
        place: CommentPlace,
        /// Its language.
        language: Option<String>,
        /// The text.
        text: String,
    },
    /// A typed annotation.
    Annotation(Annotation),
    /// Something that could not be read.
    Error {
        /// What is wrong.
        kind: GameErrorKind,
        /// A sentence for people.
        message: String,
        /// The text as it stood in the input.
        raw: String,
        /// Where it stood.
        place: Place,
        /// Where it stood before the game was converted.
        first: Option<Place>,
    },
    /// What follows replaces the move before it.
    VariationStart,
    /// Back to the line that the variation left.
    VariationEnd,
}

impl Default for GameTree {
    fn default() -> GameTree {
        GameTree {
            place: Place::default(),
            tags: Tags::new(),
            start: Position::initial(),
            items: Vec::new(),
            result: GameResult::Unknown,
            state: GameState::Complete,
        }
    }
}

impl GameTree {
    /// Puts what is broken back to where it first stood, so that a game that was converted equals
    /// the one that it was.
    pub fn restore_places(&mut self) {
        for item in &mut self.items {
            if let Item::Error { place, first, .. } = item {
                *place = first.take().unwrap_or(*place);
            }
        }
    }

    /// The moves of the main line, each with the position before it. It ends at a ply that was
    /// left out.
    pub fn main_line(&self) -> impl Iterator<Item = (Position, Action)> + '_ {
        let mut position = self.start;
        let mut depth = 0usize;
        let in_main_line = self.items.iter().filter(move |item| {
            match item {
                Item::VariationStart => depth += 1,
                Item::VariationEnd => depth = depth.saturating_sub(1),
                _ => return depth == 0,
            }
            false
        });
        in_main_line
            .take_while(|item| **item != Item::Missing)
            .filter_map(move |item| {
                let action = match item {
                    Item::Move(play) => Action::Move(*play),
                    Item::Null => Action::Null,
                    _ => return None,
                };
                let before = position;
                position.act(action);
                Some((before, action))
            })
    }

    /// Tells a sink the game; [`Flow::Stop`] if the sink wants to hear of no other.
    pub fn tell(&self, sink: &mut dyn GameSink) -> Flow {
        let mut listener: Listener<'_> = Listener::new(sink);
        self.tell_to(&mut listener);
        listener.finish()
    }

    /// Tells the game to a sink that has been asked what it needs.
    pub fn tell_to<S: GameSink + ?Sized>(&self, sink: &mut Listener<'_, S>) {
        let needs = sink.needs();
        let mut flow = sink.event(Event::GameStart(self.place));
        for (name, value) in self.tags.iter() {
            if flow == Flow::Continue && needs.tags {
                flow = sink.event(Event::Tag { name, value });
            }
        }
        if flow == Flow::Continue && needs.moves {
            flow = sink.event(Event::Start(&needs.start(self.start)));
            if flow == Flow::Continue {
                self.tell_items(sink);
            }
        }
        sink.event(Event::GameEnd {
            result: self.result,
            state: self.state,
        });
    }

    fn tell_items<S: GameSink + ?Sized>(&self, sink: &mut Listener<'_, S>) {
        let needs = sink.needs();
        let mut line = Line::new(needs.start(self.start));
        // How many variations are open since one was skipped.
        let mut skipping = 0usize;
        for item in &self.items {
            if skipping > 0 {
                match item {
                    Item::VariationStart => skipping += 1,
                    Item::VariationEnd => skipping -= 1,
                    _ => {}
                }
                continue;
            }
            line.settle_missing(item);
            let before = line.position;
            let flow = match item {
                Item::VariationStart if !needs.variations => Flow::SkipVariation,
                Item::Move(play) => sink.play(&before, *play, None),
                Item::Null => sink.pass(&before, None),
                Item::Missing | Item::VariationStart | Item::VariationEnd | Item::Error { .. } => {
                    sink.event(item.event(&before))
                }
                _ if !needs.notes => Flow::Continue,
                _ => sink.event(item.event(&before)),
            };
            match flow {
                Flow::Continue => line.step(item),
                Flow::SkipVariation if *item == Item::VariationStart => skipping = 1,
                Flow::SkipVariation => line.step(item),
                Flow::SkipGame | Flow::Stop => return,
            }
        }
    }
}

/// Keeps the position of each open line while items go by.
struct Line {
    position: Position,
    /// The position before the last move of this line, to which a variation returns.
    before: Position,
    open: Vec<Left>,
    /// The position before a ply that was left out, as long as nobody has moved after it.
    missing: Option<Position>,
}

/// A line that was left for a variation.
struct Left {
    position: Position,
    before: Position,
    missing: Option<Position>,
}

impl Line {
    fn new(start: Position) -> Line {
        Line {
            position: start,
            before: start,
            open: Vec::new(),
            missing: None,
        }
    }

    /// After a ply that was left out the turn has passed, unless a move says otherwise.
    fn settle_missing(&mut self, item: &Item) {
        let from = match item {
            Item::Move(play) => Some(play.from()),
            Item::Null | Item::Missing => None,
            _ => return,
        };
        if let (Some(unchanged), Some(from)) = (self.missing.take(), from)
            && unchanged.board().color_at(from) == Some(unchanged.turn())
        {
            self.position = unchanged;
        }
    }

    fn step(&mut self, item: &Item) {
        match item {
            Item::Move(play) => {
                self.before = self.position;
                self.position.play_unchecked(*play);
            }
            Item::Null => {
                self.before = self.position;
                self.position.play_null();
            }
            Item::Missing => {
                self.before = self.position;
                self.missing = Some(self.position);
                self.position.play_null();
            }
            Item::VariationStart => {
                self.open.push(Left {
                    position: self.position,
                    before: self.before,
                    missing: self.missing.take(),
                });
                self.position = self.before;
            }
            Item::VariationEnd => {
                if let Some(left) = self.open.pop() {
                    self.position = left.position;
                    self.before = left.before;
                    self.missing = left.missing;
                }
            }
            _ => {}
        }
    }
}

impl Item {
    /// The event this item was, in a position; the position after a move is left out.
    #[must_use]
    pub fn event<'a>(&'a self, before: &'a Position) -> Event<'a> {
        match self {
            Item::Move(play) => Event::Move {
                before,
                play: *play,
                after: None,
            },
            Item::Null => Event::Null {
                before,
                after: None,
            },
            Item::Missing => Event::Missing,
            Item::Nag(nag) => Event::Nag(*nag),
            Item::Comment {
                place,
                language,
                text,
            } => Event::Comment(Comment {
                place: *place,
                language: language.as_deref(),
                text,
            }),
            Item::Annotation(annotation) => Event::Annotation(annotation),
            Item::Error {
                kind,
                message,
                raw,
                place,
                first,
            } => Event::Error(GameError {
                kind: *kind,
                message,
                raw,
                place: *place,
                first: *first,
            }),
            Item::VariationStart => Event::VariationStart,
            Item::VariationEnd => Event::VariationEnd,
        }
    }

    /// The item of an event of the movetext.
    #[must_use]
    pub fn from_event(event: Event<'_>) -> Option<Item> {
        Some(match event {
            Event::Move { play, .. } => Item::Move(play),
            Event::Null { .. } => Item::Null,
            Event::Missing => Item::Missing,
            Event::Nag(nag) => Item::Nag(nag),
            Event::Comment(comment) => Item::Comment {
                place: comment.place,
                language: comment.language.map(str::to_owned),
                text: comment.text.to_owned(),
            },
            Event::Annotation(annotation) => Item::Annotation(annotation.clone()),
            Event::Error(error) => Item::Error {
                kind: error.kind,
                message: error.message.to_owned(),
                raw: error.raw.to_owned(),
                place: error.place,
                first: error.first,
            },
            Event::VariationStart => Item::VariationStart,
            Event::VariationEnd => Item::VariationEnd,
            Event::GameStart(_)
            | Event::Tag { .. }
            | Event::Start(_)
            | Event::GameEnd { .. }
            | Event::Text { .. }
            | Event::Opaque { .. } => return None,
        })
    }
}

/// Takes a game; what was in the tree before is forgotten when the next game starts.
impl GameSink for GameTree {
    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(place) => {
                self.tags.clear();
                self.items.clear();
                self.place = place;
                self.start = Position::initial();
                self.result = GameResult::Unknown;
                self.state = GameState::Complete;
            }
            Event::Tag { name, value } => self.tags.push(name, value),
            Event::Start(position) => self.start = position.with_key(),
            Event::GameEnd { result, state } => {
                self.result = result;
                self.state = state;
            }
            other => self.items.extend(Item::from_event(other)),
        }
        Flow::Continue
    }
}

/// Keeps all games, one after the other; texts and what nobody understands are passed over.
///
/// ```
/// use tabiya_game::GameTree;
///
/// let mut games = Vec::new();
/// GameTree::default().tell(&mut games);
/// GameTree::default().tell(&mut games);
/// assert_eq!(games, [GameTree::default(), GameTree::default()]);
/// ```
impl GameSink for Vec<GameTree> {
    fn event(&mut self, event: Event<'_>) -> Flow {
        if let Event::GameStart(_) = event {
            self.push(GameTree::default());
        }
        match self.last_mut() {
            Some(game) => game.event(event),
            None => Flow::Continue,
        }
    }
}

#[cfg(test)]
mod tests {
    use tabiya_chess::Square;

    use super::*;
    use crate::Needs;

    fn play(from: Square, to: Square) -> Item {
        Item::Move(Move::new(from, to))
    }

    fn comment(place: CommentPlace, text: &str) -> Item {
        Item::Comment {
            place,
            language: None,
            text: text.into(),
        }
    }

    /// 1. e4 (1. d4 {a} d5 (1... Nf6)) {b} e5
    fn tree() -> GameTree {
        GameTree {
            items: vec![
                play(Square::E2, Square::E4),
                Item::VariationStart,
                play(Square::D2, Square::D4),
                comment(CommentPlace::After, "a"),
                play(Square::D7, Square::D5),
                Item::VariationStart,
                play(Square::G8, Square::F6),
                Item::VariationEnd,
                Item::VariationEnd,
                comment(CommentPlace::After, "b"),
                play(Square::E7, Square::E5),
            ],
            result: GameResult::Draw,
            ..GameTree::default()
        }
    }

    /// Remembers what it hears as text.
    struct Listener {
        heard: Vec<String>,
        needs: Needs,
        skip_variations: bool,
    }

    impl GameSink for Listener {
        fn needs(&mut self) -> Needs {
            self.needs
        }

        fn event(&mut self, event: Event<'_>) -> Flow {
            self.heard.push(match event {
                Event::Move { before, play, .. } => before.san(play).to_string(),
                Event::Comment(comment) => comment.text.to_owned(),
                Event::VariationStart => "(".into(),
                Event::VariationEnd => ")".into(),
                Event::GameEnd { result, .. } => result.to_string(),
                _ => return Flow::Continue,
            });
            match event {
                Event::VariationStart if self.skip_variations => Flow::SkipVariation,
                _ => Flow::Continue,
            }
        }
    }

    fn hear(needs: Needs, skip_variations: bool) -> String {
        let mut listener = Listener {
            heard: Vec::new(),
            needs,
            skip_variations,
        };
        tree().tell(&mut listener);
        listener.heard.join(" ")
    }

    /// Asks for positions with or without their keys.
    struct Keys(bool, Vec<bool>);

    impl GameSink for Keys {
        fn needs(&mut self) -> Needs {
            Needs::ALL.keys(self.0).after(true)
        }

        fn event(&mut self, event: Event<'_>) -> Flow {
            match event {
                Event::Start(position) => self.1.push(position.has_key()),
                Event::Move { before, after, .. } | Event::Null { before, after } => {
                    let after = after.expect("it was asked for");
                    self.1.extend([before.has_key(), after.has_key()]);
                }
                _ => {}
            }
            Flow::Continue
        }
    }

    #[test]
    fn the_start_of_a_tree_has_its_key_and_is_told_with_it_to_whoever_asks() {
        let start = Position::initial().without_key();
        let e4 = Move::new(Square::E2, Square::E4);
        let mut tree = GameTree::default();
        tree.event(Event::Start(&start));
        tree.event(Event::Move {
            before: &start,
            play: e4,
            after: None,
        });
        tree.event(Event::Null {
            before: &start,
            after: None,
        });
        assert!(tree.start.has_key());
        assert!(tree.main_line().all(|(before, _)| before.has_key()));
        for wanted in [true, false] {
            let mut keys = Keys(wanted, Vec::new());
            tree.tell(&mut keys);
            assert_eq!(keys.1, [wanted; 5]);
        }
    }

    #[test]
    fn a_position_after_a_move_is_made_if_a_reader_forgets_it() {
        let start = Position::initial();
        let play = Move::new(Square::E2, Square::E4);
        let mut keys = Keys(true, Vec::new());
        let mut listener = crate::Listener::new(&mut keys);
        let (before, after) = (&start, None);
        listener.event(Event::Move {
            before,
            play,
            after,
        });
        listener.event(Event::Null { before, after });
        assert_eq!(keys.1.len(), 4);
    }

    #[test]
    fn every_move_is_told_in_its_position() {
        assert_eq!(
            hear(Needs::ALL, false),
            "e4 ( d4 a d5 ( Nf6 ) ) b e5 1/2-1/2"
        );
    }

    #[test]
    fn a_sink_can_skip_a_variation() {
        assert_eq!(hear(Needs::ALL, true), "e4 ( b e5 1/2-1/2");
    }

    #[test]
    fn what_nobody_needs_is_not_told() {
        let variations = false;
        assert_eq!(
            hear(Needs::ALL.variations(variations), false),
            "e4 b e5 1/2-1/2"
        );
        let notes = false;
        assert_eq!(
            hear(Needs::ALL.notes(notes), false),
            "e4 ( d4 d5 ( Nf6 ) ) e5 1/2-1/2"
        );
        assert_eq!(hear(Needs::TAGS, false), "1/2-1/2");
    }

    #[test]
    fn the_main_line_has_no_variations() {
        let moves: Vec<String> = tree()
            .main_line()
            .filter_map(|(before, action)| Some(before.san(action.to_move()?).to_string()))
            .collect();
        assert_eq!(moves, ["e4", "e5"]);
    }

    #[test]
    fn only_a_ply_left_out_of_the_main_line_ends_it() {
        let mut tree = tree();
        let variation = tree
            .items
            .iter()
            .position(|item| *item == Item::VariationStart);
        tree.items.insert(variation.unwrap() + 1, Item::Missing);
        assert_eq!(tree.main_line().count(), 2);
        tree.items.insert(variation.unwrap(), Item::Missing);
        assert_eq!(tree.main_line().count(), 1);
    }
}
