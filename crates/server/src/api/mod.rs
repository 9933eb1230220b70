//! Our own interface, under `/api`.

pub mod events;
pub mod export;
pub mod game;
pub mod games;
pub mod import;
pub mod info;
pub mod opening;
pub mod players;
pub mod position;
pub mod tree;

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use utoipa::ToSchema;

use crate::census::{Census, End, Facts, PlayerId};

/// Games and what was scored in them, by year.
#[derive(Serialize, ToSchema)]
pub struct Year {
    pub year: u16,
    pub games: u64,
    /// What was scored in them; for openings it is White's.
    pub points: f64,
    /// From 0 to 1, in games with a result; for openings it is White's.
    pub score: Option<f64>,
    /// The mean of the known ratings; of a player, his own.
    pub rating: Option<u32>,
}

/// Somebody, with games and score.
#[derive(Serialize, ToSchema)]
pub struct Opponent {
    pub name: String,
    pub games: u64,
    /// From 0 to 1, in games with a result. Whose it is, is said where the list stands.
    pub score: Option<f64>,
}

/// Points in games with a result.
#[derive(Clone, Copy, Default)]
pub struct Score {
    pub games: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Score {
    /// Adds a game, as a side sees it.
    pub fn add(&mut self, end: End, side: usize) {
        self.games += 1;
        match (end, side) {
            (End::White, 0) | (End::Black, 1) => self.wins += 1,
            (End::White, _) | (End::Black, _) => self.losses += 1,
            (End::Draw, _) => self.draws += 1,
            (End::NoGame | End::Unknown, _) => {}
        }
    }

    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// From 0 to 1, in games with a result, to three places.
    pub fn rate(&self) -> Option<f64> {
        let decided = self.wins + self.draws + self.losses;
        (decided > 0).then(|| (self.points() / decided as f64 * 1_000.0).round() / 1_000.0)
    }
}

/// Sums up games of years.
#[derive(Default)]
struct Years(BTreeMap<u16, (Score, u64, u64)>);

impl Years {
    /// Adds a game, as a side sees it, with ratings that count.
    fn add(&mut self, facts: &Facts, side: usize, ratings: impl Iterator<Item = u16>) {
        let Some(year) = facts.year() else { return };
        let (score, sum, count) = self.0.entry(year).or_default();
        score.add(facts.end, side);
        for rating in ratings {
            *sum += u64::from(rating);
            *count += 1;
        }
    }

    fn finish(self) -> Vec<Year> {
        let year = |(year, (score, sum, count)): (u16, (Score, u64, u64))| Year {
            year,
            games: score.games,
            points: score.points(),
            score: score.rate(),
            rating: sum.checked_div(count).map(|mean| mean as u32),
        };
        self.0.into_iter().map(year).collect()
    }
}

/// The first of those that have most games, by their names where they have as many.
fn most_frequent<T>(
    scores: HashMap<T, Score>,
    name: impl Fn(T) -> String,
) -> impl Iterator<Item = (String, Score)> {
    /// A page has no room for more.
    const SHOWN: usize = 20;
    let named = scores.into_iter().map(|(one, score)| (name(one), score));
    let mut all: Vec<(String, Score)> = named.collect();
    all.sort_unstable_by(|(name, score), (other_name, other)| {
        let games = other.games.cmp(&score.games);
        games.then_with(|| name.cmp(other_name))
    });
    all.into_iter().take(SHOWN)
}

/// Players by their numbers of games.
fn most_frequent_players(census: &Census, scores: HashMap<PlayerId, Score>) -> Vec<Opponent> {
    let players = most_frequent(scores, |id| census.player(id).name.to_string());
    let opponent = |(name, score): (String, Score)| Opponent {
        name,
        games: score.games,
        score: score.rate(),
    };
    players.map(opponent).collect()
}
