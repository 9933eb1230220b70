//! Which games are compared with each other: those that begin alike and end soon after. Where three
//! pairs of players have begun so, that says nothing, and only games are compared that go on alike to
//! their end, or were played on the same occasion. Of many such, those with a name in common are.

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
        match self.is_known_line(games, branch.depth) {
            true => self.look_beyond(games, branch.depth),
            false => self.compare_some(games, end),
        }
    }

    /// Whether what the games of a branch have in common is no evidence that they are the same.
    fn is_known_line(&self, games: &[Game], depth: u32) -> bool {
        // Where three pairs have played it, two have.
        let known = &self.theory.three;
        games
            .iter()
            .all(|&game| known[game as usize] >= depth * STEP)
    }

    /// Compares games that have nothing in common but a line that is known: only the same line to the
    /// end, or the same players on the same occasion, make two of them the same, as [`Judge::same`]
    /// has it. Those that have more in common have been compared where they have it.
    fn look_beyond(&mut self, games: &[Game], depth: u32) {
        let (all, end) = (self.all, (depth + 2) * STEP);
        let line = |game: &Game| {
            let facts = all.facts(*game);
            (facts.line, facts.plies)
        };
        // They stand together.
        let runs = games.chunk_by(|one, other| line(one) == line(other));
        for run in runs.filter(|run| run.len() > 1 && line(&run[0]).1 / STEP == depth) {
            self.compare_some(run, end);
        }
        if depth > 0 {
            let day = |game: &Game| {
                let facts = all.facts(*game);
                (facts.date, facts.round)
            };
            let is_told = |game: &&Game| {
                let (date, round) = day(game);
                date.day > 0 && round.main > 0
            };
            let mut told: Vec<Game> = games.iter().filter(is_told).copied().collect();
            told.sort_unstable_by_key(|game| (day(game), *game));
            for same in told.chunk_by(|one, other| day(one) == day(other)) {
                self.compare_some(same, end);
            }
        } else if games.iter().any(|game| all.facts(*game).plies == 0) {
            // Without moves, only the headers say which game it is.
            self.compare_some(games, 1);
        }
    }

    fn compare_some(&mut self, games: &[Game], end: u32) {
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
