//! What is played in a position, in databases of any format.
//!
//! ```
//! use tabiya::tree::Explorer;
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.pgn");
//! # std::fs::write(&path, "1. e4 e5 1-0\n\n1. e4 c5 0-1\n\n1. d4 1/2-1/2\n")?;
//! let mut explorer = Explorer::new(&tabiya::Position::initial());
//! explorer.add(&tabiya::open(&path)?)?;
//! let node = explorer.finish()?;
//! assert_eq!(node.total.games(), 3);
//! let e4 = node.moves[0].branch;
//! assert_eq!((e4.played.games(), e4.reached), (2, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A game counts once for a position and once for each move from it, however often it comes back.
//! Two counts tell what people confuse: games in which a move was *played* here, and games that
//! have *reached* the position after it, from here or from elsewhere.
//!
//! [`Book`] writes what is played for engines, and [`novelties`](novelties()) tells what is played
//! for the first time.

mod book;
mod forest;
mod grow;
mod novelties;
mod performance;
#[cfg(feature = "store")]
mod stored;

use std::ops::ControlFlow;

pub use book::{Book, BookEntry, BookWishes};
pub use novelties::{Novelties, Novelty, NoveltyWishes, novelties};
pub use performance::{opponents, performance, performance_against};
use tabiya_search::Exact;
pub use tabiya_search::tree::{Branch, Game, Tally, Tree, TreeAnswer};

use crate::{Database, Error, ErrorKind, Position, Result};
use forest::Forest;

/// The positions of moves from the start of a game, the start among them.
///
/// ```
/// let line = tabiya::tree::line("1. e4 c5")?;
/// assert_eq!(line.len(), 3);
/// # Ok::<(), tabiya::Error>(())
/// ```
///
/// # Errors
/// If one of the moves is not legal.
pub fn line(moves: &str) -> Result<Vec<Position>> {
    Exact::line(moves).map_err(|error| Error::new(ErrorKind::Unsupported, error.to_string()))
}

/// Asks databases what is played in a position, and in those that follow.
#[derive(Debug)]
pub struct Explorer {
    position: Position,
    depth: u32,
    min_games: u64,
    heard: Heard,
}

/// What the databases have told.
#[derive(Debug)]
enum Heard {
    /// About one position.
    One(TreeAnswer),
    /// About all that are near it.
    Many {
        forest: Box<Forest>,
        #[cfg(feature = "store")]
        stores: stored::Stores,
    },
}

/// A position, and what is played in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// The position.
    pub position: Position,
    /// All games that have it.
    pub total: Tally,
    /// The moves that were played, or whose positions were reached, the most frequent first.
    pub moves: Vec<Twig>,
}

/// A move, and what is played after it.
#[derive(Clone, PartialEq, Debug)]
pub struct Twig {
    /// The move, with both its counts.
    pub branch: Branch,
    /// What follows, if it was asked for.
    pub next: Option<Node>,
}

impl Explorer {
    /// How many nodes a tree has at most. Lines that come back, or come by another way, are told
    /// again, so that a deep tree of few games may have more of them than fit anywhere.
    pub const NODES: usize = 500_000;

    /// How many plies deep a tree is at most: its nodes are in each other.
    pub const DEPTH: u32 = 256;

    /// Of one position.
    #[must_use]
    pub fn new(position: &Position) -> Explorer {
        Explorer {
            position: *position,
            depth: 1,
            min_games: 1,
            heard: Heard::One(TreeAnswer::default()),
        }
    }

    /// So many plies deep, at most [`Explorer::DEPTH`]; 1 is the position alone. Each node has the same counts as if it were
    /// asked for alone, and all are counted while games are read once; an index is asked for one
    /// after the other, if they are few.
    ///
    /// ```
    /// # use tabiya::tree::Explorer;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("games.pgn");
    /// # std::fs::write(&path, "1. e4 e5 1-0\n\n1. e4 c5 0-1\n")?;
    /// let mut explorer = Explorer::new(&tabiya::Position::initial()).depth(2);
    /// explorer.add(&tabiya::open(&path)?)?;
    /// let node = explorer.finish()?;
    /// assert_eq!(node.moves[0].next.as_ref().unwrap().moves.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn depth(mut self, depth: u32) -> Explorer {
        self.depth = depth.max(1);
        self.heard = match self.depth {
            1 => Heard::One(TreeAnswer::default()),
            depth => Heard::Many {
                forest: Box::new(Forest::new(&self.position, depth)),
                #[cfg(feature = "store")]
                stores: stored::Stores::default(),
            },
        };
        self
    }

    /// Only moves that were played in so many games are told.
    #[must_use]
    pub fn min_games(mut self, games: u64) -> Explorer {
        self.min_games = games;
        self
    }

    /// Adds the games of a database that pass its filter. Of a deep tree, a database of tabiya's own
    /// is read when it is [finished](Explorer::finish), as it is now.
    ///
    /// # Errors
    /// If it cannot be read to its end; what came before counts. If the tree would be too deep.
    pub fn add(&mut self, database: &Database) -> Result<()> {
        if self.depth > Explorer::DEPTH {
            let words = format!("a tree has at most {} plies", Explorer::DEPTH);
            return Err(Error::new(ErrorKind::Limit, words));
        }
        match &mut self.heard {
            Heard::One(answer) => ask(database, &self.position, answer),
            #[cfg(feature = "store")]
            Heard::Many { forest, stores } => match stores.take(database) {
                true => Ok(()),
                false => forest.hear(database),
            },
            #[cfg(not(feature = "store"))]
            Heard::Many { forest } => forest.hear(database),
        }
    }

    /// What all of them play.
    ///
    /// # Errors
    /// If a tree has more than [`Explorer::NODES`] nodes, or a database of tabiya's own cannot be
    /// read.
    pub fn finish(mut self) -> Result<Node> {
        let heard = std::mem::replace(&mut self.heard, Heard::One(TreeAnswer::default()));
        match heard {
            Heard::One(answer) => {
                let answer = |_: &Position| Ok(answer.clone());
                grow::tree(&self.position, self.depth, self.min_games, answer)
            }
            #[cfg(feature = "store")]
            Heard::Many { forest, stores } => stores.tree(&self, forest),
            #[cfg(not(feature = "store"))]
            Heard::Many { forest } => forest.tree(self.min_games),
        }
    }
}

/// What a database plays in one position, added to what others do.
fn ask(database: &Database, position: &Position, sum: &mut TreeAnswer) -> Result<()> {
    #[cfg(feature = "store")]
    if let Some(answer) = stored::ask(database, position)? {
        add(sum, answer);
        return Ok(());
    }
    let mut tree = Tree::new(position);
    let read = database.par_tell(
        || Tree::new(position),
        |part| {
            tree.merge(&part);
            ControlFlow::Continue(())
        },
    );
    add(sum, tree.answer());
    read
}

/// Adds the answer of another database to the same question.
fn add(sum: &mut TreeAnswer, more: TreeAnswer) {
    sum.total.merge(&more.total);
    for branch in more.branches {
        let same = |there: &&mut Branch| there.play == branch.play;
        match sum.branches.iter_mut().find(same) {
            Some(there) => {
                there.played.merge(&branch.played);
                there.reached = there.reached.saturating_add(branch.reached);
            }
            None => sum.branches.push(branch),
        }
    }
    Branch::sort(&mut sum.branches);
}
