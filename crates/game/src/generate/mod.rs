//! Games that nobody played, as many as wanted, for tests and measurements.
//!
//! A [`Generator`] tells legal games that look like games: material is won and
//! lost, kings castle and are mated, players resign, draw and do not appear. With
//! [`Options::variations`] they are annotated as well, and have about everything in them that
//! a format can get wrong.
//!
//! A seed and a number make a game, the same one on every machine and whatever games were made
//! before it: the work can be shared out among threads, and any game can be made again.
//!
//! ```
//! use tabiya_game::{GameResult, generate::{Generator, Options}};
//!
//! let generator = Generator::new(Options {
//!     seed: 7,
//!     games: 1_000,
//!     plies: 40..=80,
//!     ..Options::default()
//! });
//! let game = generator.game(999);
//! assert_eq!(game, generator.game(999));
//! assert_eq!(game.tags.result(), Some(game.result));
//! assert!(game.main_line().count() <= 80);
//! ```

mod annotate;
mod book;
mod header;
mod notes;
mod play;
mod player;
mod random;
mod start;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use crate::{Flow, GameResult, GameSink, GameState, GameTree, Item, Place};
use play::{Ending, Played};
use random::Random;

/// A number that looks random, and is the same everywhere for the same seed and place.
#[must_use]
pub fn number(seed: u64, place: u64) -> u64 {
    Random::new(seed, place).next()
}

/// What kind of games to make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Other seeds make other games.
    pub seed: u64,
    /// How many games there are.
    pub games: u64,
    /// How many plies games have. Those that end by rule are shorter; forfeits have none.
    pub plies: RangeInclusive<u16>,
    /// Whether games are annotated: variations, comments, glyphs, annotations, null moves, odd
    /// tags and set-up starts. Without it they have regular tags and a main line.
    pub variations: bool,
    /// Whether games are Chess960.
    pub chess960: bool,
    /// Whether games share openings as those of real collections do: the first 20 plies come from
    /// a tree in which few moves of each position are popular and many are rare. The tree grows
    /// from the seed.
    pub book: bool,
}

impl Default for Options {
    /// A thousand plain games of 20 to 120 plies.
    fn default() -> Options {
        Options {
            seed: 1,
            games: 1_000,
            plies: 20..=120,
            variations: false,
            chess960: false,
            book: false,
        }
    }
}

/// Makes games, and tells them in order.
#[derive(Clone, Debug)]
pub struct Generator {
    options: Options,
    /// The game that is told next.
    next: u64,
    /// Its memory serves one game after the other.
    tree: GameTree,
}

impl Generator {
    /// A generator of games.
    #[must_use]
    pub fn new(options: Options) -> Generator {
        Generator {
            options,
            next: 0,
            tree: GameTree::default(),
        }
    }

    /// What kind of games it makes.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The game with a number, from 0. There is one for every number; [`Options::games`] only
    /// says where the source ends.
    #[must_use]
    pub fn game(&self, index: u64) -> GameTree {
        let mut tree = GameTree::default();
        self.make(index, &mut tree);
        tree
    }

    /// Tells a sink the next game; `false` if there is none, or a sink wanted to stop.
    pub fn tell_game(&mut self, sink: &mut dyn GameSink) -> bool {
        if self.next >= self.options.games {
            return false;
        }
        let mut tree = std::mem::take(&mut self.tree);
        self.make(self.next, &mut tree);
        self.next = match tree.tell(sink) {
            Flow::Stop => self.options.games,
            _ => self.next + 1,
        };
        self.tree = tree;
        true
    }

    /// Makes the game with a number in a tree, whatever was there before.
    pub fn make(&self, index: u64, tree: &mut GameTree) {
        let options = &self.options;
        let mut random = Random::new(options.seed, index);
        let random = &mut random;
        let players = header::players(options, random);
        tree.place = Place::default();
        tree.state = GameState::Complete;
        tree.start = start::position(options, random);
        // Among games for tests rare things are less rare.
        let forfeits = if options.variations { 25 } else { 100 };
        let played = match random.once_in(forfeits) {
            true => forfeit(random),
            false => play::game(
                tree.start,
                options,
                players.map(header::Player::blur),
                random,
            ),
        };
        tree.result = played.result;
        tree.tags.clear();
        header::write(
            &mut tree.tags,
            options,
            players,
            &tree.start,
            &played,
            random,
        );
        tree.items.clear();
        if options.variations {
            annotate::game(&tree.start, &played, index, &mut tree.items, random);
        } else {
            // Nobody passes in plain games.
            let moves = played.actions.iter().filter_map(|action| action.to_move());
            tree.items.extend(moves.map(Item::Move));
        }
    }
}

/// A game for which somebody did not appear.
fn forfeit(random: &mut Random) -> Played {
    let result = random.pick(&[
        GameResult::WhiteWinsByForfeit,
        GameResult::BlackWinsByForfeit,
        GameResult::BothLose,
    ]);
    Played {
        actions: Vec::new(),
        result,
        ending: Ending::Forfeit,
    }
}
