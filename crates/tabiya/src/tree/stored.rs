//! Databases of tabiya's own, asked for one position after the other.

use std::collections::HashMap;

use tabiya_chess::{Key, Position};
use tabiya_search::Exact;
use tabiya_store::{GameSet, Store};

use super::{Explorer, Forest, Node, TreeAnswer, add, grow};
use crate::{
    Database, Error, Result,
    database::{Gauge, tells_games},
};

/// An index tells what is played in a position in about the time in which so many games are heard; and
/// where only some of the games count, sums do not help.
const GAMES_A_POSITION: u64 = 100;
const GAMES_A_FILTERED_POSITION: u64 = 1_000;

/// So many positions are asked for in any case.
const FEW: u64 = 50;

/// What one database plays in a position; `None` if it is no store, or if its index does not know
/// most games: then they are heard like those of any other.
pub fn ask(database: &Database, position: &Position) -> Result<Option<TreeAnswer>> {
    let Some(store) = indexed(database) else {
        return Ok(None);
    };
    let passes = u64::from(tells_games(database.wanted()));
    let gauge = database.gauge(&store, passes * store.count());
    let among = database.selected(&store, &gauge)?;
    let answer = store.tree_at(position, among.as_ref())?;
    gauge.finish()?;
    Ok(Some(answer))
}

fn indexed(database: &Database) -> Option<Store> {
    database
        .store()
        .filter(|store| store.unindexed() <= Store::MANY)
}

/// Databases that are asked when it is known for which positions.
#[derive(Debug, Default)]
pub struct Stores(Vec<Database>);

/// Why a tree could not be grown.
enum Stop {
    /// So many positions would be asked for that games are heard sooner.
    Many,
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Failed(error)
    }
}

impl Stores {
    /// Keeps a database as it is now, if it can be asked for positions.
    pub fn take(&mut self, database: &Database) -> bool {
        let again = indexed(database).and_then(|_| database.again());
        let is_taken = again.is_some();
        self.0.extend(again);
        is_taken
    }

    /// The tree of all of them and of the games that were heard.
    pub fn tree(self, explorer: &Explorer, mut forest: Box<Forest>) -> Result<Node> {
        if self.0.is_empty() {
            return forest.tree(explorer.min_games);
        }
        match self.ask_all(explorer, &forest) {
            Ok(node) => return Ok(node),
            Err(Stop::Failed(error)) => return Err(error),
            Err(Stop::Many) => {}
        }
        for database in &self.0 {
            forest.hear(database)?;
        }
        forest.tree(explorer.min_games)
    }

    fn ask_all(&self, explorer: &Explorer, forest: &Forest) -> Result<Node, Stop> {
        let stores = self.0.iter().filter_map(Asked::new);
        let asked = stores.collect::<Result<Vec<Asked>>>()?;
        let positions = asked
            .iter()
            .map(|asked| asked.store.count() / asked.price());
        let mut left = positions.sum::<u64>() + FEW;
        let mut known = Known::default();
        let mut answer = |position: &Position| {
            if let Some(answer) = known.get(position) {
                return Ok(answer.clone());
            }
            left = left.checked_sub(1).ok_or(Stop::Many)?;
            let mut sum = forest.answer(position);
            for asked in &asked {
                add(&mut sum, asked.ask(position)?);
            }
            known.insert(position, sum.clone());
            Ok(sum)
        };
        let Explorer {
            position, depth, ..
        } = explorer;
        grow::tree(position, *depth, explorer.min_games, &mut answer)
    }
}

/// A store, and which of its games are asked.
struct Asked {
    store: Store,
    among: Option<GameSet>,
    gauge: Gauge,
}

impl Asked {
    fn new(database: &Database) -> Option<Result<Asked>> {
        let store = database.store()?;
        // As long as it is not known how many positions there will be, all that may be count.
        let gauge = database.gauge(&store, store.count());
        let asked = database.selected(&store, &gauge).map(|among| Asked {
            among,
            gauge,
            store,
        });
        Some(asked)
    }

    /// How many games are heard in the time that a position takes.
    fn price(&self) -> u64 {
        match self.among {
            Some(_) => GAMES_A_FILTERED_POSITION,
            None => GAMES_A_POSITION,
        }
    }

    fn ask(&self, position: &Position) -> Result<TreeAnswer> {
        self.gauge.look(self.price())?;
        self.store.tree_at(position, self.among.as_ref())
    }
}

/// What is known of positions: lines come back to them. Keys collide.
#[derive(Default)]
struct Known(HashMap<Key, Vec<(Exact, TreeAnswer)>>);

impl Known {
    fn get(&self, position: &Position) -> Option<&TreeAnswer> {
        let there = self.0.get(&Exact::key(position))?;
        let (_, answer) = there.iter().find(|(exact, _)| exact.fits(position))?;
        Some(answer)
    }

    fn insert(&mut self, position: &Position, answer: TreeAnswer) {
        let there = self.0.entry(Exact::key(position)).or_default();
        there.push((Exact::new(*position), answer));
    }
}
