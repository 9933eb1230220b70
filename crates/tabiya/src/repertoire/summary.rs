//! What many games say about a repertoire.

use std::{cmp::Reverse, collections::HashMap};

use tabiya_chess::{Color, Move, Position};

use super::{Ending, Followed, Repertoire};
use crate::tree::{Game, Tally};

/// Adds up where games leave a repertoire.
#[derive(Debug)]
pub struct Summary<'r> {
    repertoire: &'r Repertoire,
    side: Color,
    /// Games that follow it, as [`Followed::follows`] says.
    pub follow: Tally,
    /// The sum of the plies for which they do.
    pub plies: u64,
    /// Games that have followed it to the end of a line.
    pub to_the_end: u64,
    /// Games that have ended within it.
    pub ended: u64,
    /// Games that its side was the first to leave.
    pub left_by_me: u64,
    /// Games that the opponent was the first to leave.
    pub left_by_opponent: u64,
    /// Where it was left: the position, and the move that was played there.
    left: HashMap<(usize, Option<Move>), Tally>,
}

/// A move of the opponent to which a repertoire has no answer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Gap {
    /// How the repertoire comes there, the opponent's move included.
    pub line: String,
    /// The position after the move.
    pub position: Position,
    /// Whether the repertoire has the move itself.
    pub is_known: bool,
    /// The games.
    pub games: Tally,
}

/// A position in which the side whose repertoire it is has played something else.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Slip {
    /// How the repertoire comes there.
    pub line: String,
    /// The position.
    pub position: Position,
    /// What was played, as SAN.
    pub played: String,
    /// What the repertoire has, as SAN.
    pub expected: Vec<String>,
    /// The games.
    pub games: Tally,
}

impl<'r> Summary<'r> {
    /// Of the repertoire of a side.
    #[must_use]
    pub fn new(repertoire: &'r Repertoire, side: Color) -> Summary<'r> {
        Summary {
            repertoire,
            side,
            follow: Tally::default(),
            plies: 0,
            to_the_end: 0,
            ended: 0,
            left_by_me: 0,
            left_by_opponent: 0,
            left: HashMap::new(),
        }
    }

    /// Adds a game.
    pub fn add(&mut self, game: &Followed) {
        let facts = Game::new(&game.tags, game.result);
        if game.follows() {
            self.follow.add(&facts);
            self.plies += u64::from(game.plies);
        }
        *match game.ending {
            Ending::Line => &mut self.to_the_end,
            Ending::Game => &mut self.ended,
            Ending::Me => &mut self.left_by_me,
            Ending::Opponent => &mut self.left_by_opponent,
        } += 1;
        // At the end of a line only one thing matters: whether an answer is missing.
        let play = match game.ending {
            Ending::Line => None,
            _ => game.played,
        };
        if game.ending != Ending::Game {
            self.left.entry((game.place, play)).or_default().add(&facts);
        }
    }

    /// How many plies games follow it, on average.
    #[must_use]
    pub fn mean_plies(&self) -> Option<f64> {
        let games = self.follow.games();
        (games > 0).then(|| self.plies as f64 / games as f64)
    }

    /// The opponent's moves without an answer, the most frequent first.
    #[must_use]
    pub fn gaps(&self) -> Vec<Gap> {
        let gap = |(&(place, play), &games): (&(usize, Option<Move>), &Tally)| {
            let mut position = *self.repertoire.positions.get(place);
            let is_mine = position.turn() == self.side;
            match play {
                // The last move of the line is the opponent's.
                None if is_mine && self.repertoire.spots[place].from.is_some() => {}
                Some(play) if !is_mine => position.play_unchecked(play),
                _ => return None,
            }
            Some(Gap {
                line: self.repertoire.line(place, play),
                position,
                is_known: play.is_none(),
                games,
            })
        };
        let mut gaps: Vec<Gap> = self.left.iter().filter_map(gap).collect();
        gaps.sort_by(|a, b| by_frequency(&a.games, &a.line).cmp(&by_frequency(&b.games, &b.line)));
        gaps
    }

    /// The moves of its own side that are not in it, the most frequent first.
    #[must_use]
    pub fn slips(&self) -> Vec<Slip> {
        let slip = |(&(place, play), &games): (&(usize, Option<Move>), &Tally)| {
            let position = *self.repertoire.positions.get(place);
            let play = play.filter(|_| position.turn() == self.side)?;
            let moves = self.repertoire.spots[place].moves.iter();
            Some(Slip {
                line: self.repertoire.line(place, None),
                position,
                played: position.san(play).to_string(),
                expected: moves.map(|&play| position.san(play).to_string()).collect(),
                games,
            })
        };
        let mut slips: Vec<Slip> = self.left.iter().filter_map(slip).collect();
        let key = |slip: &Slip| {
            (
                Reverse(slip.games.games()),
                slip.line.clone(),
                slip.played.clone(),
            )
        };
        slips.sort_by_cached_key(key);
        slips
    }
}

fn by_frequency<'l>(games: &Tally, line: &'l str) -> (Reverse<u64>, &'l str) {
    (Reverse(games.games()), line)
}
