//! Games in the order of their lines: those that begin alike stand together.

use super::{
    evidence::Judge,
    facts::{Collection, Game, STEP},
};

/// Games in the order of their lines.
pub(super) struct Lines {
    /// Which game stands at each place.
    pub order: Vec<Game>,
    /// How many checkpoints each has in common with the one before it.
    common: Vec<u32>,
}

/// Neighbours that have so many checkpoints in common, and no more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Branch {
    pub depth: u32,
    pub first: usize,
    pub end: usize,
}

impl Lines {
    pub fn sort(all: &Collection) -> Lines {
        // The first sixteen plies decide nearly always, and need not be looked for elsewhere.
        let key = |game: Game| {
            let checkpoints = all.checkpoints(game);
            let part = |index: usize| u64::from(checkpoints.get(index).copied().unwrap_or(0));
            part(0) << 32 | part(1)
        };
        let games = 0..all.len() as Game;
        let mut keyed: Vec<(u64, Game)> = games.map(|game| (key(game), game)).collect();
        let line = |game: Game| {
            let facts = all.facts(game);
            (all.checkpoints(game), facts.plies, facts.line, game)
        };
        keyed.sort_unstable_by(|(one_key, one), (other_key, other)| {
            let keys = one_key.cmp(other_key);
            keys.then_with(|| line(*one).cmp(&line(*other)))
        });
        let order: Vec<Game> = keyed.into_iter().map(|(_, game)| game).collect();
        let mut common = vec![0; order.len()];
        for index in 1..order.len() {
            common[index] = shared(all, order[index - 1], order[index]);
        }
        Lines { order, common }
    }

    /// All neighbours that have something in common, the longest lines first where one is part of
    /// another; at last all games.
    pub fn branches(&self, mut each: impl FnMut(Branch)) {
        let mut open: Vec<(u32, usize)> = vec![(0, 0)];
        for index in 1..=self.order.len() {
            let common = self.common.get(index).copied();
            let mut first = index.saturating_sub(1);
            while let Some(&(depth, start)) = open.last() {
                if common.is_some_and(|common| depth <= common) {
                    break;
                }
                open.pop();
                first = start;
                each(Branch {
                    depth,
                    first,
                    end: index,
                });
            }
            let is_new = |common: u32| open.last().is_none_or(|(depth, _)| *depth < common);
            if let Some(common) = common.filter(|common| is_new(*common)) {
                open.push((common, first));
            }
        }
    }
}

/// How many checkpoints two games have in common.
pub(super) fn shared(all: &Collection, one: Game, other: Game) -> u32 {
    let pairs = all.checkpoints(one).iter().zip(all.checkpoints(other));
    pairs.take_while(|(one, other)| one == other).count() as u32
}

/// How many plies of each game others have played.
pub(super) struct Theory {
    games: Vec<Known>,
}

/// How many plies of a game others have played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Known {
    /// Two pairs of players.
    pub two: u32,
    /// Three pairs of players.
    pub three: u32,
}

impl Theory {
    pub fn of(all: &Collection, lines: &Lines, judge: &Judge<'_>) -> Theory {
        // In the order of lines, in which the games of a branch stand together.
        let mut placed = vec![Known::default(); all.len()];
        lines.branches(|branch| {
            let (span, plies) = (branch.first..branch.end, branch.depth * STEP);
            let mut pairs: Vec<Game> = Vec::with_capacity(3);
            for &game in &lines.order[span.clone()] {
                if pairs.iter().all(|pair| judge.are_others(*pair, game)) {
                    pairs.push(game);
                }
                if pairs.len() == 3 {
                    break;
                }
            }
            // Longer lines came first.
            for known in &mut placed[span] {
                if pairs.len() >= 2 {
                    known.two = known.two.max(plies);
                }
                if pairs.len() >= 3 {
                    known.three = known.three.max(plies);
                }
            }
        });
        let mut games = vec![Known::default(); all.len()];
        for (&game, known) in lines.order.iter().zip(placed) {
            games[game as usize] = known;
        }
        Theory { games }
    }

    pub fn of_game(&self, game: Game) -> Known {
        self.games[game as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_are_told_from_the_longest_to_all_games() {
        let lines = Lines {
            order: vec![0, 1, 2, 3, 4],
            common: vec![0, 3, 1, 1, 0],
        };
        let mut told = Vec::new();
        lines.branches(|branch| told.push((branch.depth, branch.first, branch.end)));
        assert_eq!(told, [(3, 0, 2), (1, 0, 4), (0, 0, 5)]);
        let none = Lines {
            order: Vec::new(),
            common: Vec::new(),
        };
        none.branches(|branch| assert_eq!(branch.first, branch.end));
    }
}
