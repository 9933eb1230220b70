//! Games into one annotated tree.
//!
//! ```
//! use tabiya::merge::{MergeWishes, Merger};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.pgn");
//! # std::fs::write(&path, "1. e4 e5 {solid} 1-0\n\n1. e4 c5! 0-1\n\n1. e4 c5 {sharp} *\n")?;
//! let mut merger = Merger::new(MergeWishes { statistics: true, ..MergeWishes::default() });
//! merger.add(&tabiya::open(&path)?)?;
//! let trees = merger.finish();
//! assert_eq!(trees.len(), 1);
//! # let mut writer = tabiya_formats::pgn::Writer::default();
//! # trees[0].tell(&mut writer);
//! # let text = String::from_utf8(writer.take())?.replace('\n', " ");
//! // Written as PGN:
//! assert!(text.contains("1. e4 {3 games: +1 =0 -1, 50 %, 1 unfinished} 1... c5 $1 {sharp}"));
//! assert!(text.contains("(1... e5 {solid} {1 game: +1 =0 -0, 100 %}"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * The main line is the move that most games have played, in their main lines; of those that are
//!   equal, the one that came first. So variations are nested no deeper than the number of games
//!   has binary digits, besides what annotators have nested.
//! * Every comment, glyph, arrow and variation of every game is in the tree, and what is said twice
//!   of a move is there once. Glyphs stand before comments.
//! * Transpositions stay lines of their own: what somebody says of a move order is said of that.
//! * Games that start from other positions, or play another variant, make trees of their own.
//! * Tags that all games of a tree share are its tags, and a result that all have is its result. What
//!   else their tags say is not in the tree, but for what [`MergeWishes::sources`] tells.

mod arena;
mod clocks;
mod growth;
mod tell;

use std::ops::ControlFlow;

pub(crate) use arena::{Arena, Place, ROOT, Results, Step};

use crate::{Database, Error, ErrorKind, GameTree, Result};
use growth::Growth;

/// What a merged tree tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MergeWishes {
    /// After each move, a comment with how many games have played it and what White has scored, as
    /// far as games share their moves.
    pub statistics: bool,
    /// Where a game ends, or is cut, a comment with its players, its year and its result.
    pub sources: bool,
    /// Clocks and times that were spent, which belong to one game.
    pub clocks: bool,
    /// Moves behind so many plies are left out, and what is said about them.
    pub max_ply: Option<u32>,
}

impl Default for MergeWishes {
    /// All that games tell, and no more.
    fn default() -> MergeWishes {
        MergeWishes {
            statistics: false,
            sources: false,
            clocks: true,
            max_ply: None,
        }
    }
}

/// Takes games and makes trees of them; see the [module](self).
#[derive(Debug)]
pub struct Merger {
    wishes: MergeWishes,
    growth: Growth,
}

impl Merger {
    /// How many moves and notes the trees have at most, all together: more than anybody looks at,
    /// and as much as a file of PGN can be read back.
    pub const SIZE: usize = 2_000_000;

    /// How many bytes of comments they have at most.
    pub const TEXT: usize = 24 << 20;

    /// No games yet.
    #[must_use]
    pub fn new(wishes: MergeWishes) -> Merger {
        Merger {
            wishes,
            growth: Growth::new(wishes),
        }
    }

    /// Adds the games of a database that pass its filter, by all cores. Trees do not depend on how
    /// many there are.
    ///
    /// # Errors
    /// If it cannot be read to its end, or the trees grow beyond [`Merger::SIZE`] or
    /// [`Merger::TEXT`].
    pub fn add(&mut self, database: &Database) -> Result<()> {
        let wishes = self.wishes;
        let growth = &mut self.growth;
        database.par_tell(
            || Growth::new(wishes),
            |part| {
                growth.absorb(part);
                match growth.is_full() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            },
        )?;
        match self.growth.is_full() {
            true => Err(Merger::too_large()),
            false => Ok(()),
        }
    }

    /// How many games have been added.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.growth.games()
    }

    /// One tree for each start, in the order in which they came.
    #[must_use]
    pub fn finish(self) -> Vec<GameTree> {
        let trees = self.growth.into_trees().into_iter();
        trees.map(|tree| tell::game(tree, self.wishes)).collect()
    }

    fn too_large() -> Error {
        let words = format!(
            "a tree of so many games is too large: it has more than {} moves and notes, or more than {} MB of comments",
            Merger::SIZE,
            Merger::TEXT >> 20
        );
        Error::new(ErrorKind::Limit, words)
    }
}
