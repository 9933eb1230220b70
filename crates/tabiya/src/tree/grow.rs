//! A tree, position by position.

use tabiya_chess::{Move, Position};

use super::{Branch, Explorer, Node, TreeAnswer, Twig};
use crate::{Error, ErrorKind};

/// Grows the tree of a position, so many plies deep, from what somebody says of each. Moves that
/// fewer games have played are left out. There are as many nodes as lines, and of these many times
/// more than positions.
pub fn tree<E: From<Error>>(
    position: &Position,
    depth: u32,
    min_games: u64,
    ask: impl FnMut(&Position) -> Result<TreeAnswer, E>,
) -> Result<Node, E> {
    let mut grower = Grower {
        depth,
        min_games,
        left: Explorer::NODES,
        ask,
    };
    grower.node(position, depth)
}

struct Grower<A> {
    /// Of the whole tree.
    depth: u32,
    min_games: u64,
    /// How many nodes there may still be.
    left: usize,
    ask: A,
}

impl<A> Grower<A> {
    fn node<E: From<Error>>(&mut self, position: &Position, depth: u32) -> Result<Node, E>
    where
        A: FnMut(&Position) -> Result<TreeAnswer, E>,
    {
        let left = self.left.checked_sub(1);
        self.left = left.ok_or_else(|| self.too_many())?;
        let TreeAnswer { total, branches } = (self.ask)(position)?;
        let mut moves = Vec::new();
        for branch in branches {
            if !is_wanted(&branch, self.min_games) {
                continue;
            }
            // What is only reached from elsewhere is no line from here.
            let next = match depth > 1 && branch.played.games() > 0 {
                true => Some(self.node(&after(position, branch.play), depth - 1)?),
                false => None,
            };
            moves.push(Twig { branch, next });
        }
        Ok(Node {
            position: *position,
            total,
            moves,
        })
    }

    fn too_many(&self) -> Error {
        let (depth, most) = (self.depth, Explorer::NODES);
        let words = format!("a tree of {depth} plies has more than {most} positions");
        Error::new(ErrorKind::Limit, words)
    }
}

/// Whether so many games have played a move. Who asks for one sees those, too, that were only
/// reached.
fn is_wanted(branch: &Branch, min_games: u64) -> bool {
    min_games <= 1 || branch.played.games() >= min_games
}

pub fn after(position: &Position, play: Move) -> Position {
    let mut after = *position;
    after.play_unchecked(play);
    after
}
