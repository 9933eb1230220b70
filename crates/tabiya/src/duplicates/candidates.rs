//! Which games are compared with each other: those that begin alike and end soon after, and of many
//! such those with a name in common.

use std::collections::HashMap;

use super::{
    evidence::Judge,
    facts::{Collection, Game, STEP, hash},
    lines::{Branch, Lines, Theory},
};

/// Of so many games that begin alike each is compared with each.
const FEW: usize = 24;

/// So many different games with the same names are compared with another at most.
const MOST: usize = 32;

/// Two games that are the same, and how many plies they have in common.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Pair {
    pub common: u32,
    pub one: Game,
    pub other: Game,
}

/// Finds pairs of games that are the same. Of many copies each is a pair with one of the others at
/// least, not with all.
pub(super) fn pairs(
    all: &Collection,
    lines: &Lines,
    theory: &Theory,
    judge: &Judge<'_>,
) -> Vec<Pair> {
    let mut search = Search {
        all,
        lines,
        theory,
        judge,
        pairs: Vec::new(),
    };
    lines.branches(|branch| search.look(branch));
    let mut pairs = search.pairs;
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

struct Search<'a> {
    all: &'a Collection,
    lines: &'a Lines,
    theory: &'a Theory,
    judge: &'a Judge<'a>,
    pairs: Vec<Pair>,
}

impl<'a> Search<'a> {
    fn look(&mut self, branch: Branch) {
        let games: &'a [Game] = &self.lines.order[branch.first..branch.end];
        // A game that goes on for long is another one than all that leave it here.
        let end = (branch.depth + 2) * STEP;
        let ends = |game: &Game| self.all.facts(*game).plies < end;
        if !games.iter().any(ends) {
            return;
        }
        match games.len() <= FEW {
            true => self.compare_all(games, end),
            false => self.compare_by_names(games, end),
        }
    }

    fn compare_all(&mut self, games: &[Game], end: u32) {
        for (index, &one) in games.iter().enumerate() {
            for &other in &games[index + 1..] {
                let plies = self.all.facts(one).plies.min(self.all.facts(other).plies);
                if plies < end {
                    self.compare(one, other);
                }
            }
        }
    }

    fn compare_by_names(&mut self, games: &[Game], end: u32) {
        let mut known: HashMap<u64, Vec<Game>> = HashMap::new();
        let (short, long): (Vec<Game>, Vec<Game>) = games
            .iter()
            .copied()
            .partition(|game| self.all.facts(*game).plies < end);
        for (games, is_short) in [(short, true), (long, false)] {
            for game in games {
                let keys = self.keys(game);
                let others: Vec<Game> = keys
                    .iter()
                    .filter_map(|key| known.get(key))
                    .flatten()
                    .copied()
                    .collect();
                let mut is_copy = false;
                for other in others {
                    is_copy |= self.compare(game, other) && self.is_same_line(game, other);
                }
                if is_copy || !is_short {
                    continue;
                }
                for key in keys {
                    let games = known.entry(key).or_default();
                    if games.len() < MOST {
                        games.push(game);
                    }
                }
            }
        }
    }

    /// What games must have in common to be compared: a word of each player's name, or the
    /// occasion.
    fn keys(&self, game: Game) -> Vec<u64> {
        let facts = self.all.facts(game);
        let names = &self.all.names;
        let (white, black) = (names.get(facts.white), names.get(facts.black));
        let blacks: Vec<u64> = black.keys().collect();
        let mut keys: Vec<u64> = white
            .keys()
            // Colours may be swapped.
            .flat_map(|white| blacks.iter().map(move |black| white.wrapping_add(*black)))
            .collect();
        if facts.date.day > 0 && facts.round.main > 0 {
            let day = format!("{:?} {:?}", facts.date, facts.round.main);
            keys.push(hash(&[&day]));
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    fn is_same_line(&self, one: Game, other: Game) -> bool {
        self.all.facts(one).line == self.all.facts(other).line
    }

    /// Whether two games are the same, which is remembered.
    fn compare(&mut self, one: Game, other: Game) -> bool {
        let common = self.judge.same(self.theory, one, other);
        if let Some(common) = common {
            let (one, other) = (one.min(other), one.max(other));
            self.pairs.push(Pair { common, one, other });
        }
        common.is_some()
    }
}
