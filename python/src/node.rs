//! A move of a game, with all that is said about it.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use pyo3::prelude::*;
use tabiya::{Action, Item};

use crate::{
    annotation::{Annotation, Comment, Evaluation, GameError, seconds},
    error::usage,
    game::{Game, Inner},
    moves::Move,
    nodes::{Data, Id, Step, Where, annotations},
    position::{Position, color, san},
};

/// A move of a game: what was played, what is said about it, and what might have been played instead.
///
/// >>> import tabiya
/// >>> game = tabiya.Game.from_pgn("1. e4 e5 (1... c5! {sharp} 2. Nf3) 2. Nf3 *")
/// >>> e5 = game[1]
/// >>> e5.san, e5.ply, e5.number
/// ('e5', 2, 1)
/// >>> sicilian = e5.variations[0]
/// >>> sicilian.san, sicilian.nags, sicilian.comment, sicilian.next.san
/// ('c5', [1], 'sharp', 'Nf3')
///
/// `game.root` is the node before the first move, and has no move.
///
/// A pickled Node has the whole game with it, and so has each of a list of them: of many nodes, pickle the
/// Game and their plies.
#[pyclass(frozen, module = "tabiya")]
pub struct Node {
    game: Arc<Inner>,
    id: Id,
}

impl Node {
    pub fn new(game: &Arc<Inner>, id: Id) -> Node {
        let game = Arc::clone(game);
        Node { game, id }
    }

    fn data(&self) -> &Data {
        self.game.nodes().get(self.id)
    }

    fn other(&self, id: Id) -> Node {
        Node::new(&self.game, id)
    }

    fn notes(&self) -> impl Iterator<Item = &Item> {
        let items = &self.game.tree.items;
        self.data().notes.iter().map(|note| &items[*note])
    }

    fn action(&self) -> Option<Action> {
        match self.data().step {
            Step::Action(action) => Some(action),
            Step::Start | Step::Missing => None,
        }
    }

    fn annotation<T>(&self, pick: impl Fn(tabiya::Annotation) -> Option<T>) -> Option<T> {
        let known = annotations(&self.game.tree, self.data(), Where::Anywhere);
        known.into_iter().rev().find_map(pick)
    }

    fn texts(&self, pick: impl Fn(tabiya::Annotation) -> Option<Vec<String>>) -> Vec<String> {
        let known = annotations(&self.game.tree, self.data(), Where::Anywhere);
        known.into_iter().filter_map(pick).flatten().collect()
    }
}

#[pymethods]
impl Node {
    /// The move; None at the start of the game, and of a ply that was left out.
    #[getter]
    fn r#move(&self) -> Option<Move> {
        let action = self.action()?;
        Some(Move::new(&self.data().before, action))
    }

    /// The move in SAN; None where there is none.
    #[getter]
    fn san(&self) -> Option<String> {
        let action = self.action()?;
        Some(san(&self.data().before, action))
    }

    /// The move in the notation of engines; None where there is none.
    #[getter]
    fn uci(&self) -> Option<String> {
        self.r#move().map(|play| play.to_string())
    }

    /// The position before the move.
    #[getter]
    fn before(&self) -> Position {
        Position(self.data().before)
    }

    /// The position after the move.
    #[getter]
    fn position(&self) -> Position {
        Position(self.data().after)
    }

    /// Plies from the start of the game to this move, which counts: 1 is the first.
    #[getter]
    fn ply(&self) -> u32 {
        self.data().ply
    }

    /// The number of the move, as it is printed.
    #[getter]
    fn number(&self) -> u32 {
        self.data().before.fullmove_number()
    }

    /// Who moves: white or black.
    #[getter]
    fn turn(&self) -> &'static str {
        color(self.data().before.turn())
    }

    /// Whether it is a ply that the game leaves out.
    #[getter]
    fn is_missing(&self) -> bool {
        self.data().step == Step::Missing
    }

    /// Whether it belongs to the main line.
    #[getter]
    fn in_main_line(&self) -> bool {
        self.data().in_main_line
    }

    /// The game that it belongs to.
    #[getter]
    fn game(&self) -> Game {
        Game(Arc::clone(&self.game))
    }

    /// The move before it; None at the start of the game.
    #[getter]
    fn parent(&self) -> Option<Node> {
        self.data().parent.map(|id| self.other(id))
    }

    /// The move that follows in its line; None at its end.
    #[getter]
    fn next(&self) -> Option<Node> {
        self.data().next.map(|id| self.other(id))
    }

    /// The moves that might have been played instead of this one, each the first of a line.
    #[getter]
    fn variations(&self) -> Vec<Node> {
        let ids = self.data().variations.iter();
        ids.map(|id| self.other(*id)).collect()
    }

    /// All moves that follow: that of the line first, then those of its variations, and of variations
    /// that begin instead of these.
    #[getter]
    fn children(&self) -> Vec<Node> {
        let nodes = self.game.nodes();
        let mut children = Vec::new();
        let mut waiting: Vec<Id> = self.data().next.into_iter().collect();
        while let Some(id) = waiting.pop() {
            children.push(self.other(id));
            waiting.extend(nodes.get(id).variations.iter().rev());
        }
        children
    }

    /// This move and those that follow in its line; of the start of the game, the main line.
    fn line(&self) -> NodeIterator {
        let first = match self.data().step {
            Step::Start => self.data().next,
            _ => Some(self.id),
        };
        NodeIterator::new(&self.game, first)
    }

    /// The glyphs of the move as numbers: 1 is `!`, 2 is `?`.
    #[getter]
    fn nags(&self) -> Vec<u16> {
        let nags = self.notes().filter_map(|item| match item {
            Item::Nag(nag) => Some(nag.0),
            _ => None,
        });
        nags.collect()
    }

    /// The comments on the move, before and after it, in their order.
    #[getter]
    fn comments(&self) -> Vec<Comment> {
        let (data, items) = (self.data(), &self.game.tree.items);
        let comments = data.notes.iter().filter_map(|note| match &items[*note] {
            Item::Comment { language, text, .. } => {
                let is_before = data.is_before(*note);
                Some(Comment::new(text, is_before, language.as_deref()))
            }
            _ => None,
        });
        comments.collect()
    }

    /// The words of all comments on the move, without commands for programs; empty if there are none.
    #[getter]
    fn comment(&self) -> String {
        let words = self.comments().into_iter().map(|comment| comment.words());
        let words: Vec<String> = words.filter(|words| !words.is_empty()).collect();
        words.join(" ")
    }

    /// All annotations whose meaning is known, also those that stand in comments. Commands in a comment
    /// before a move are of the move before it, after which they are seen; those at the start of a
    /// variation are of its first move.
    #[getter]
    fn annotations(&self) -> Vec<Annotation> {
        let known = annotations(&self.game.tree, self.data(), Where::Anywhere);
        known.into_iter().map(Annotation).collect()
    }

    /// The annotations that no comment says too, for whoever writes comments.
    fn _apart(&self) -> Vec<Annotation> {
        let known = annotations(&self.game.tree, self.data(), Where::Comments);
        let own = annotations(&self.game.tree, self.data(), Where::Apart);
        let own = own.into_iter().filter(|own| !known.contains(own));
        own.map(Annotation).collect()
    }

    /// Seconds left on the mover's clock; None if nobody says.
    #[getter]
    fn clock(&self) -> Option<f64> {
        self.annotation(|annotation| match annotation {
            tabiya::Annotation::Clock(time) => Some(seconds(time)),
            _ => None,
        })
    }

    /// Seconds that the move took; None if nobody says.
    #[getter]
    fn time_spent(&self) -> Option<f64> {
        self.annotation(|annotation| match annotation {
            tabiya::Annotation::TimeSpent(time) => Some(seconds(time)),
            _ => None,
        })
    }

    /// What an engine thinks of the position after the move; None if nobody says.
    #[getter]
    fn evaluation(&self) -> Option<Evaluation> {
        self.annotation(|annotation| match annotation {
            tabiya::Annotation::Evaluation(value) => Some(Evaluation::of(value.score, value.depth)),
            _ => None,
        })
    }

    /// Arrows on the board after the move, as PGN writes them: Ge2e4.
    #[getter]
    fn arrows(&self) -> Vec<String> {
        self.texts(|annotation| match annotation {
            tabiya::Annotation::Arrows(arrows) => {
                Some(arrows.iter().map(ToString::to_string).collect())
            }
            _ => None,
        })
    }

    /// Marked squares on the board after the move, as PGN writes them: Rd5.
    #[getter]
    fn squares(&self) -> Vec<String> {
        self.texts(|annotation| match annotation {
            tabiya::Annotation::Squares(marks) => {
                Some(marks.iter().map(ToString::to_string).collect())
            }
            _ => None,
        })
    }

    /// What could not be read behind the move.
    #[getter]
    fn errors(&self) -> Vec<GameError> {
        self.notes().filter_map(GameError::of).collect()
    }

    /// The board after the move as a picture, SVG: with the move, arrows and marked squares.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        let options = pyo3::types::PyDict::new(py);
        options.set_item("last_move", self.r#move())?;
        options.set_item("arrows", self.arrows())?;
        options.set_item("squares", self.squares())?;
        let position = self.position().into_pyobject(py)?;
        position.call_method("svg", (), Some(&options))?.extract()
    }

    fn __eq__(&self, other: PyRef<'_, Node>) -> bool {
        self.id == other.id && self.game.is_same(&other.game)
    }

    fn __hash__(&self) -> u64 {
        self.game.hash() ^ self.id as u64
    }

    fn __repr__(&self) -> String {
        match (self.data().step, self.san()) {
            (Step::Missing, _) => format!("Node(ply {}, left out)", self.ply()),
            (_, None) => "Node(the start)".to_owned(),
            (_, Some(san)) => {
                let dots = if self.turn() == "white" { "." } else { "..." };
                format!("Node({}{dots} {san})", self.number())
            }
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Game, Id))> {
        let restore = py.get_type::<Node>().getattr("_restore")?;
        Ok((restore, (self.game(), self.id)))
    }

    /// What `pickle` has kept.
    #[staticmethod]
    fn _restore(game: &Bound<'_, Game>, id: Id) -> PyResult<Node> {
        let game = &game.get().0;
        match id < game.nodes().len() {
            true => Ok(Node::new(game, id)),
            false => Err(usage("this is no pickled node: its game has no such move")),
        }
    }
}

/// Moves of a line, one after the other.
///
/// >>> import tabiya
/// >>> [node.san for node in tabiya.Game("1. e4 e5 2. Nf3").root.line()]
/// ['e4', 'e5', 'Nf3']
#[pyclass(frozen, module = "tabiya")]
pub struct NodeIterator {
    game: Arc<Inner>,
    /// The next node, plus 1; 0 at the end.
    next: AtomicUsize,
}

impl NodeIterator {
    pub fn new(game: &Arc<Inner>, first: Option<Id>) -> NodeIterator {
        NodeIterator {
            game: Arc::clone(game),
            next: AtomicUsize::new(first.map_or(0, |id| id + 1)),
        }
    }
}

#[pymethods]
impl NodeIterator {
    fn __iter__(slf: PyRef<'_, NodeIterator>) -> PyRef<'_, NodeIterator> {
        slf
    }

    fn __next__(&self) -> Option<Node> {
        let following = |next: usize| {
            let id = next.checked_sub(1)?;
            Some(self.game.nodes().get(id).next.map_or(0, |id| id + 1))
        };
        let next = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, following);
        next.ok().map(|next| Node::new(&self.game, next - 1))
    }
}
