//! Which games are compared with each other: those that begin alike and end soon after. Where three
//! pairs of players have begun so, that says nothing, and only games are compared that go on alike to
//! their end, or were played on the same occasion. Of many such, those with a name in common are.

use std::collections::HashMap;

use super::{
    evidence::Judge,
    facts::{Collection, Game, PackedDate, STEP, hash_number},
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
    let glances: Vec<Glance> = lines
        .order
        .iter()
        .map(|game| Glance::of(all, theory, *game))
        .collect();
    let mut search = Search {
        all,
        lines,
        theory,
        judge,
        glances: &glances,
        pairs: Vec::new(),
    };
    lines.branches(|branch| search.look(branch));
    let mut pairs = search.pairs;
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// What every branch asks of its games, in the order of lines: a game is in many branches, and what
/// stands elsewhere takes long to get.
#[derive(Clone, Copy)]
struct Glance {
    plies: u32,
    /// How many plies three pairs of players have played.
    known: u32,
    /// Day and round; 0 if one is not known.
    day: u64,
}

impl Glance {
    fn of(all: &Collection, theory: &Theory, game: Game) -> Glance {
        let facts = all.facts(game);
        let (date, round) = (facts.date, facts.round);
        let is_told = date.day > 0 && round.main > 0;
        let parts = [date.year, round.main, round.board].map(u64::from);
        let month_and_day = u64::from(date.month) << 8 | u64::from(date.day);
        let day = parts
            .into_iter()
            .fold(month_and_day, |day, part| day << 16 | part);
        Glance {
            plies: facts.plies,
            known: theory.of_game(game).three,
            day: if is_told { day } else { 0 },
        }
    }
}

struct Search<'a> {
    all: &'a Collection,
    lines: &'a Lines,
    theory: &'a Theory,
    judge: &'a Judge<'a>,
    glances: &'a [Glance],
    pairs: Vec<Pair>,
}

impl<'a> Search<'a> {
    fn look(&mut self, branch: Branch) {
        let games: &'a [Game] = &self.lines.order[branch.first..branch.end];
        let glances = &self.glances[branch.first..branch.end];
        // A game that goes on for long is another one than all that leave it here.
        let end = (branch.depth + 2) * STEP;
        if !glances.iter().any(|glance| glance.plies < end) {
            return;
        }
        // Where three pairs have played it, two have.
        let plies = branch.depth * STEP;
        let is_known_line = glances.iter().all(|glance| glance.known >= plies);
        match is_known_line {
            true => self.look_beyond(games, glances, branch.depth),
            false => self.compare_some(games, end),
        }
    }

    /// Compares games that have nothing in common but a line that is known: only the same line to the
    /// end, or the same players on the same occasion, make two of them the same, as [`Judge::same`]
    /// has it. Those that have more in common have been compared where they have it.
    fn look_beyond(&mut self, games: &[Game], glances: &[Glance], depth: u32) {
        let (all, end) = (self.all, (depth + 2) * STEP);
        // Those that end here stand before all that go on.
        let ends_here = |glance: &&Glance| glance.plies / STEP == depth;
        let ending = &games[..glances.iter().take_while(ends_here).count()];
        let line = |game: &Game| {
            let facts = all.facts(*game);
            (facts.line, facts.plies)
        };
        for run in ending.chunk_by(|one, other| line(one) == line(other)) {
            if run.len() > 1 {
                self.compare_some(run, end);
            }
        }
        if depth > 0 {
            let days = together(games, glances, end, |index| glances[index].day);
            self.compare_together(&days, end);
        } else if glances.iter().any(|glance| glance.plies == 0) {
            // Without moves, only the headers say which game it is: all of them, or the occasion.
            let days = together(games, glances, 1, |index| glances[index].day);
            self.compare_together(&days, 1);
            let rosters = together(games, glances, 1, |index| all.facts(games[index]).roster);
            self.compare_together(&rosters, 1);
        }
    }

    /// Compares games that have the same key.
    fn compare_together(&mut self, keyed: &[(u64, Game)], end: u32) {
        let mut same: Vec<Game> = Vec::new();
        for games in keyed.chunk_by(|(one, _), (other, _)| one == other) {
            same.clear();
            same.extend(games.iter().map(|(_, game)| game));
            self.compare_some(&same, end);
        }
    }

    fn compare_some(&mut self, games: &[Game], end: u32) {
        let is_short = |game: &Game| self.all.facts(*game).plies < end;
        let (short, long): (Vec<Game>, Vec<Game>) = games.iter().copied().partition(is_short);
        match games.len() <= FEW {
            true => self.compare_all(&short, &long),
            false => self.compare_by_names(&short, &long),
        }
    }

    /// Compares each of some games with all others, and with longer ones.
    fn compare_all(&mut self, short: &[Game], long: &[Game]) {
        for (index, &one) in short.iter().enumerate() {
            for &other in short[index + 1..].iter().chain(long) {
                self.compare(one, other);
            }
        }
    }

    /// The same for those that have a key in common.
    fn compare_by_names(&mut self, short: &[Game], long: &[Game]) {
        let mut known: HashMap<u64, Vec<Game>> = HashMap::new();
        let (mut keys, mut others) = (Vec::new(), Vec::new());
        for (games, is_short) in [(short, true), (long, false)] {
            for &game in games {
                self.keys(game, &mut keys);
                others.clear();
                let found = keys.iter().filter_map(|key| known.get(key));
                others.extend(found.flatten().copied());
                others.sort_unstable();
                others.dedup();
                let mut is_copy = false;
                for &other in &others {
                    is_copy |= self.compare(game, other) && self.is_same_line(game, other);
                }
                if is_copy || !is_short {
                    continue;
                }
                for &key in &keys {
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
    fn keys(&self, game: Game, keys: &mut Vec<u64>) {
        let facts = self.all.facts(game);
        let names = &self.all.names;
        let (white, black) = (names.get(facts.white).keys(), names.get(facts.black).keys());
        keys.clear();
        for white in white {
            // Colours may be swapped.
            keys.extend(black.iter().map(|black| white.wrapping_add(*black)));
        }
        let PackedDate { year, month, day } = facts.date;
        if day > 0 && facts.round.main > 0 {
            let parts = [year, month.into(), day.into(), facts.round.main];
            let mixed = parts.into_iter().map(u64::from).fold(0, hash_number);
            keys.push(mixed);
        }
        keys.sort_unstable();
        keys.dedup();
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

/// Games with their keys, in the order of these, if one of those that have it at least ends before so
/// many plies. Nobody has the key 0.
fn together(
    games: &[Game],
    glances: &[Glance],
    end: u32,
    key: impl Fn(usize) -> u64,
) -> Vec<(u64, Game)> {
    let short = (0..games.len()).filter(|index| glances[*index].plies < end);
    let mut keys: Vec<u64> = short.map(&key).filter(|key| *key != 0).collect();
    keys.sort_unstable();
    keys.dedup();
    let keyed = games.iter().enumerate();
    let keyed = keyed.map(|(index, game)| (key(index), *game));
    let mut keyed: Vec<(u64, Game)> = keyed
        .filter(|(key, _)| keys.binary_search(key).is_ok())
        .collect();
    keyed.sort_unstable();
    keyed
}
