//! Pairs become groups, with care: two games that are not the same do not come together because
//! a third could be either.

use std::collections::HashMap;

use super::{
    candidates,
    evidence::Judge,
    facts::{Collection, Game},
    lines::{Lines, Theory},
};
use crate::Result;

/// Games with the same moves and the same tags.
pub(super) fn exact(all: &Collection) -> Vec<Vec<Game>> {
    let mut groups: HashMap<(u64, u64, u32), Vec<Game>> = HashMap::new();
    for (game, facts) in (0..).zip(&all.facts) {
        let names = [facts.white, facts.black].map(|name| all.names.get(name).is_known());
        // Of a game without players and moves nothing is known that could be the same.
        if facts.plies > 0 || names == [true; 2] {
            let key = (facts.line, facts.roster, facts.plies);
            groups.entry(key).or_default().push(game);
        }
    }
    groups
        .into_values()
        .filter(|group| group.len() > 1)
        .collect()
}

/// Games that are the same by all evidence.
pub(super) fn near(all: &Collection, go_on: impl Fn() -> Result<()>) -> Result<Vec<Vec<Game>>> {
    let judge = Judge { all };
    let lines = Lines::sort(all);
    go_on()?;
    let theory = Theory::of(all, &lines, &judge);
    go_on()?;
    let pairs = candidates::pairs(all, &lines, &theory, &judge);
    go_on()?;
    drop(lines);
    let mut sets = Sets::new(all);
    let mut doubtful = Vec::new();
    // Those that have most in common come together first.
    for pair in pairs.iter().rev() {
        let (one, other) = (sets.root(pair.one), sets.root(pair.other));
        let fits = |one: Game, other: Game| judge.same(&theory, one, other).is_some();
        if one == other {
            continue;
        }
        match fits(sets.longest[one as usize], sets.longest[other as usize]) {
            true => sets.unite(one, other),
            false => doubtful.push(shorter(all, pair.one, pair.other)),
        }
    }
    Ok(sets.groups(all, &doubtful))
}

fn shorter(all: &Collection, one: Game, other: Game) -> Game {
    match all.facts(one).plies <= all.facts(other).plies {
        true => one,
        false => other,
    }
}

/// Sets of games, each with its longest.
struct Sets<'a> {
    all: &'a Collection,
    parent: Vec<Game>,
    longest: Vec<Game>,
}

impl<'a> Sets<'a> {
    fn new(all: &'a Collection) -> Sets<'a> {
        let games: Vec<Game> = (0..all.len() as Game).collect();
        Sets {
            all,
            longest: games.clone(),
            parent: games,
        }
    }

    fn root(&mut self, mut game: Game) -> Game {
        while self.parent[game as usize] != game {
            let above = self.parent[game as usize];
            self.parent[game as usize] = self.parent[above as usize];
            game = self.parent[game as usize];
        }
        game
    }

    fn unite(&mut self, one: Game, other: Game) {
        let (first, second) = (self.longest[one as usize], self.longest[other as usize]);
        let longest = match shorter(self.all, first, second) == first {
            true => second,
            false => first,
        };
        self.parent[other as usize] = one;
        self.longest[one as usize] = longest;
    }

    /// The sets of several games. One that could belong to another set as well is in none, unless it
    /// is the same to its end as another of its set.
    fn groups(mut self, all: &Collection, doubtful: &[Game]) -> Vec<Vec<Game>> {
        let mut groups: HashMap<Game, Vec<Game>> = HashMap::new();
        for game in 0..all.len() as Game {
            let root = self.root(game);
            if root != game {
                groups.entry(root).or_insert_with(|| vec![root]).push(game);
            }
        }
        for &game in doubtful {
            let root = self.root(game);
            let Some(group) = groups.get_mut(&root) else {
                continue;
            };
            let line = all.facts(game).line;
            let is_same = |other: &&Game| **other != game && all.facts(**other).line == line;
            if !group.iter().any(|other| is_same(&other)) {
                group.retain(|other| *other != game);
            }
        }
        groups
            .into_values()
            .filter(|group| group.len() > 1)
            .collect()
    }
}
