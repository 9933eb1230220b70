//! What games say about whether two names are one person's.

use std::collections::{BTreeSet, HashMap};

use super::{
    Kind,
    census::{ByText, Census, Game, Id, NOBODY},
};
use crate::words::{plural, years};

/// What games say about one name.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    pub games: u32,
    /// The first and the last year, 0 if none is known.
    pub first: u16,
    pub last: u16,
    /// Years and ratings, each pair once, in order.
    ratings: Vec<(u16, u16)>,
    /// Each once, in order.
    opponents: Vec<Id>,
    /// The FIDE id that more than half of the games with one have.
    pub fide_id: Option<u32>,
    /// All FIDE ids, with their games.
    pub fide_ids: Vec<(u32, u32)>,
    federations: BTreeSet<[u8; 3]>,
}

/// All players, by their ids.
pub struct Profiles<'c> {
    pub census: &'c Census,
    pub by_text: ByText,
    pub profiles: Vec<Profile>,
}

impl<'c> Profiles<'c> {
    pub fn new(census: &'c Census) -> Profiles<'c> {
        let by_text = census.by_text(Kind::Player);
        let ids = 0..census.players.len() as Id;
        let profiles = ids.map(|id| profile(census, &by_text, id)).collect();
        let mut all = Profiles {
            census,
            by_text,
            profiles,
        };
        all.add_ids();
        all
    }

    fn add_ids(&mut self) {
        for (&(player, id), &count) in &self.census.fide_ids {
            self.profiles[player as usize].fide_ids.push((id, count));
        }
        for &(player, federation) in self.census.federations.keys() {
            self.profiles[player as usize]
                .federations
                .insert(federation);
        }
        for profile in &mut self.profiles {
            profile
                .fide_ids
                .sort_unstable_by_key(|&(id, count)| (std::cmp::Reverse(count), id));
            let all: u32 = profile.fide_ids.iter().map(|&(_, count)| count).sum();
            let most = profile
                .fide_ids
                .first()
                .filter(|&&(_, count)| count * 2 > all);
            profile.fide_id = most.map(|&(id, _)| id);
        }
    }

    pub fn of(&self, id: Id) -> &Profile {
        &self.profiles[id as usize]
    }

    pub fn text(&self, id: Id) -> &str {
        self.census.players.text(id)
    }
}

fn profile(census: &Census, by_text: &ByText, id: Id) -> Profile {
    let games = by_text.games(id);
    let mut profile = Profile {
        games: games.len() as u32,
        ..Profile::default()
    };
    for game in games.iter().map(|&game| &census.games[game as usize]) {
        let (rating, opponent) = seen_by(game, id);
        if game.year > 0 {
            profile.last = profile.last.max(game.year);
            profile.first = match profile.first {
                0 => game.year,
                first => first.min(game.year),
            };
            if rating > 0 {
                profile.ratings.push((game.year, rating));
            }
        }
        if opponent != NOBODY {
            profile.opponents.push(opponent);
        }
    }
    profile.ratings.sort_unstable();
    profile.ratings.dedup();
    profile.ratings.shrink_to_fit();
    profile.opponents.sort_unstable();
    profile.opponents.dedup();
    profile.opponents.shrink_to_fit();
    profile
}

/// A player's rating and opponent.
fn seen_by(game: &Game, player: Id) -> (u16, Id) {
    match game.white == player {
        true => (game.white_elo, game.black),
        false => (game.black_elo, game.white),
    }
}

impl Profile {
    /// The mean rating of a year.
    fn mean(ratings: &[(u16, u16)]) -> i32 {
        let sum: i32 = ratings.iter().map(|&(_, rating)| i32::from(rating)).sum();
        sum / ratings.len().max(1) as i32
    }

    /// Ratings year by year.
    fn by_year(&self) -> impl Iterator<Item = (u16, i32)> {
        let years = self.ratings.chunk_by(|a, b| a.0 == b.0);
        years.map(|ratings| (ratings[0].0, Profile::mean(ratings)))
    }

    /// Games and years, in words.
    pub fn words(&self) -> String {
        plural(self.games.into(), "game") + &years(self.first, self.last)
    }
}

/// What two ratings say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ratings {
    /// One of them has none.
    Unknown,
    /// The very same rating in the same year, so many times.
    Same(u32),
    /// In the same years, so far apart.
    Apart(i32),
    /// Never in the same year: so far apart at years that are so far apart.
    Later(i32, u16),
}

/// Why two names are not one person's, whatever they look like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Against {
    /// They have played each other.
    Met(u64),
    /// They have different FIDE ids.
    FideIds(u32, u32),
    /// Both played in the same round, against others.
    Round { event: String, round: String },
    /// One was a grandfather of the other.
    Lifetimes(u16),
    /// Their ratings of the same years lie so far apart.
    Ratings(i32),
}

impl Against {
    /// In words.
    pub fn words(&self) -> String {
        match self {
            Against::Met(number) => format!("they have played each other, in game {number}"),
            Against::FideIds(one, other) => format!("their FIDE ids are {one} and {other}"),
            Against::Round { event, round } => {
                format!("both played in round {round} of {event}, against others")
            }
            Against::Lifetimes(years) => format!("{years} years lie between their games"),
            Against::Ratings(points) => {
                format!("their ratings of the same years are {points} points apart")
            }
        }
    }
}

/// What games say for one person.
#[derive(Clone, Debug)]
pub struct Evidence {
    pub same_id: Option<u32>,
    pub ratings: Ratings,
    /// Opponents in common.
    pub opponents: usize,
    /// Years between the games of one and of the other.
    pub gap: u16,
    /// Whether both have federations, and one of them in common.
    pub federations: Option<bool>,
}

/// Ratings of one year that are farther apart are two people's.
const FAR_APART: i32 = 250;

/// Nobody plays after a break of so many years.
const LIFETIME: u16 = 45;

impl Profiles<'_> {
    /// What games say about two names.
    pub fn evidence(
        &self,
        a: Id,
        b: Id,
        alike: impl Fn(Id, Id) -> bool,
    ) -> Result<Evidence, Against> {
        let (one, other) = (self.of(a), self.of(b));
        let same_id = match (one.fide_id, other.fide_id) {
            (Some(a), Some(b)) if a != b => return Err(Against::FideIds(a, b)),
            (Some(a), Some(_)) => Some(a),
            _ => None,
        };
        if one.opponents.binary_search(&b).is_ok() {
            return Err(Against::Met(self.game_between(a, b)));
        }
        if let Some(against) = self.same_round(a, b, &alike) {
            return Err(against);
        }
        let gap = gap(one, other);
        if gap > LIFETIME {
            return Err(Against::Lifetimes(gap));
        }
        let ratings = ratings(one, other);
        match ratings {
            // An id that agrees outweighs a rating, which may be that of blitz.
            Ratings::Apart(points) if points > FAR_APART && same_id.is_none() => {
                return Err(Against::Ratings(points));
            }
            _ => {}
        }
        let are_known = !one.federations.is_empty() && !other.federations.is_empty();
        Ok(Evidence {
            same_id,
            ratings,
            opponents: common(&one.opponents, &other.opponents),
            gap,
            federations: are_known.then(|| !one.federations.is_disjoint(&other.federations)),
        })
    }

    /// The number of a game that they have played.
    fn game_between(&self, a: Id, b: Id) -> u64 {
        let games = self.by_text.games(a).iter();
        let mut games = games.map(|&game| &self.census.games[game as usize]);
        let found = games.find(|game| game.white == b || game.black == b);
        found.map_or(0, |game| game.number)
    }

    /// Whether both played in the same round of an event against others: nobody does that. Where a
    /// player alone does, rounds do not tell.
    fn same_round(&self, a: Id, b: Id, alike: impl Fn(Id, Id) -> bool) -> Option<Against> {
        let (few, many) = match self.of(a).games <= self.of(b).games {
            true => (a, b),
            false => (b, a),
        };
        let rounds = self.rounds(few);
        if rounds.is_empty() {
            return None;
        }
        let others = self.rounds(many);
        let mut clashes = rounds.iter().filter_map(|(key, opponent)| {
            let (opponent, other) = ((*opponent)?, (*others.get(key)?)?);
            (opponent != other && !alike(opponent, other)).then_some(*key)
        });
        let (event, _, round, _) = clashes.next()?;
        Some(Against::Round {
            event: self.census.events.text(event).to_string(),
            round: self.census.round_text(round).to_string(),
        })
    }

    /// The rounds that a player has played, with the opponent; `None` where there were two.
    fn rounds(&self, player: Id) -> HashMap<(Id, Id, Id, u16), Option<Id>> {
        let mut rounds = HashMap::new();
        for &game in self.by_text.games(player) {
            let game = &self.census.games[game as usize];
            if game.event == NOBODY || game.year == 0 || !self.census.has_round(game) {
                continue;
            }
            let (_, opponent) = seen_by(game, player);
            let key = (game.event, game.site, game.round, game.year);
            let known = rounds.entry(key).or_insert(Some(opponent));
            if *known != Some(opponent) {
                *known = None;
            }
        }
        rounds
    }
}

/// Years between the games of one and of the other; 0 if they overlap, or are not known.
fn gap(one: &Profile, other: &Profile) -> u16 {
    if one.first == 0 || other.first == 0 {
        return 0;
    }
    let later = one.first.max(other.first);
    later.saturating_sub(one.last.min(other.last))
}

/// What the ratings of two players say.
fn ratings(one: &Profile, other: &Profile) -> Ratings {
    let same = common(&one.ratings, &other.ratings);
    if same > 0 {
        return Ratings::Same(same as u32);
    }
    let years: Vec<(u16, i32)> = other.by_year().collect();
    let (mut sum, mut count) = (0, 0);
    let mut nearest: Option<(u16, i32)> = None;
    for (year, rating) in one.by_year() {
        let at = years.partition_point(|&(other, _)| other < year);
        for &(other, its) in years[at.saturating_sub(1)..].iter().take(2) {
            let (gap, apart) = (other.abs_diff(year), (rating - its).abs());
            if gap == 0 {
                sum += apart;
                count += 1;
            }
            if nearest.is_none_or(|nearest| (gap, apart) < nearest) {
                nearest = Some((gap, apart));
            }
        }
    }
    match nearest {
        _ if count > 0 => Ratings::Apart(sum / count),
        Some((gap, apart)) => Ratings::Later(apart, gap),
        None => Ratings::Unknown,
    }
}

/// How many elements two sorted lists have in common.
fn common<T: Ord>(one: &[T], other: &[T]) -> usize {
    let (few, many) = match one.len() <= other.len() {
        true => (one, other),
        false => (other, one),
    };
    few.iter()
        .filter(|it| many.binary_search(it).is_ok())
        .count()
}

impl Evidence {
    /// How much it speaks for one person; less than nothing if it speaks against.
    pub fn points(&self) -> i32 {
        let ratings = match self.ratings {
            Ratings::Unknown => 0,
            Ratings::Same(1) => 25,
            Ratings::Same(2) => 35,
            Ratings::Same(_) => 45,
            Ratings::Apart(..=10) => 14,
            Ratings::Apart(..=30) => 8,
            Ratings::Apart(..=75) => 0,
            Ratings::Apart(..=150) => -25,
            Ratings::Apart(_) => -45,
            Ratings::Later(..=20, ..=3) => 10,
            Ratings::Later(..=50, ..=3) => 7,
            Ratings::Later(apart, gap) if apart <= 80 + 25 * i32::from(gap.min(5)) => -3,
            Ratings::Later(..) => -40,
        };
        let opponents = match self.opponents {
            0 => 0,
            1..=2 => 4,
            3..=5 => 8,
            6..=9 => 12,
            _ => 15,
        };
        let gap = match self.gap {
            0..=10 => 0,
            11..=25 => -15,
            _ => -40,
        };
        let federations = match self.federations {
            None => 0,
            Some(true) => 5,
            Some(false) => -25,
        };
        ratings + opponents + gap + federations
    }

    /// In words, each behind a semicolon.
    pub fn words(&self) -> String {
        let mut words = String::new();
        if let Some(id) = self.same_id {
            words += &format!("; both have FIDE id {id}");
        }
        words += &match self.ratings {
            Ratings::Unknown => String::new(),
            Ratings::Same(1) => "; the same rating in the same year".to_string(),
            Ratings::Same(count) => format!("; {count} times the same rating in the same year"),
            Ratings::Apart(points) => format!("; ratings of the same years {points} apart"),
            Ratings::Later(points, gap) => {
                format!(
                    "; ratings {points} apart, {} later",
                    plural(gap.into(), "year")
                )
            }
        };
        match self.opponents {
            0 => {}
            1 => words += "; one opponent in common",
            count => words += &format!("; {count} opponents in common"),
        }
        if self.gap > 10 {
            words += &format!("; {} years between their games", self.gap);
        }
        match self.federations {
            None => {}
            Some(true) => words += "; the same federation",
            Some(false) => words += "; other federations",
        }
        words
    }
}
