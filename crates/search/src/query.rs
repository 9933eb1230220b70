//! Questions that a whole game answers.

use tabiya_game::GameResult;

use crate::{Path, Test};

/// A question to a game.
///
/// ```
/// use tabiya_search::{Query, Test};
///
/// let query = Query::All(vec![
///     Query::Manoeuvre("Nf3-d2-f1-g3".parse()?),
///     Query::Somewhere(Test::Material("Q=0 q=0".parse()?)),
/// ]);
/// assert_eq!(query, "manoeuvre(Nf3-d2-f1-g3) and material(Q=0 q=0)".parse()?);
/// # Ok::<(), tabiya_search::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Query {
    /// A position of the game answers with yes.
    Somewhere(Test),
    /// So many positions one after the other do.
    Held(u32, Test),
    /// Positions answer these one after the other, with any number of others between; the tests of
    /// a streak positions directly one after the other.
    Sequence(Vec<Streak>),
    /// A piece goes that way.
    Manoeuvre(Path),
    /// A side makes a move after which it has less than before, and has not got it back so many
    /// plies later, or when the game ends; see the notes on [`crate::Seeker`].
    Sacrifice(u32),
    /// The last position of the main line answers with yes.
    Ends(Test),
    /// The game ends with one of these results; a win by forfeit is a win.
    Result(Vec<GameResult>),
    /// All of these hold.
    All(Vec<Query>),
    /// One of these holds.
    Any(Vec<Query>),
    /// This does not hold.
    Not(Box<Query>),
}

/// Tests that positions directly one after the other answer.
pub type Streak = Vec<Test>;
