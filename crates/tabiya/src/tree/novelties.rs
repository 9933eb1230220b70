//! Moves that were played for the first time.
//!
//! Games are ordered by date, those of a day as they stand in the databases; unknown parts of a
//! date come first. The novelty of a game is its first move after which the position stands in no
//! earlier game. So another order of known moves is none, and neither is the second copy of a
//! game.

use std::collections::{HashMap, HashSet};

use tabiya_chess::{Move, Position};
use tabiya_game::{Date, Event, Filter, Flow, GameSink, Needs, Tags};
use tabiya_search::{
    Exact,
    openings::{Opening, Openings},
};

use crate::{Database, Error, Result, database::InPlace};

/// Which novelties are wanted.
#[derive(Clone, Debug)]
pub struct NoveltyWishes {
    /// Games that are looked at. They are compared with all games, those that do not pass too.
    pub filter: Filter,
    /// Only those in positions that so many earlier games have.
    pub min_games: u64,
    /// Only those within so many plies.
    pub max_ply: u32,
    /// Only in games that have this position, and only those after it.
    pub from: Option<Position>,
}

impl Default for NoveltyWishes {
    /// In every position that an earlier game has, within 60 plies: behind them, most games are
    /// alone and no opening is left.
    fn default() -> NoveltyWishes {
        NoveltyWishes {
            filter: Filter::default(),
            min_games: 1,
            max_ply: 60,
            from: None,
        }
    }
}

/// A move that no earlier game has.
#[derive(Clone, Debug)]
pub struct Novelty {
    /// Which of the databases the game is in, from 0.
    pub database: usize,
    /// The number of the game in its file.
    pub number: u64,
    /// The tags of the game.
    pub tags: Tags,
    /// Where the game starts.
    pub start: Position,
    /// The moves before it.
    pub line: Vec<Move>,
    /// The position in which the move is played.
    pub before: Position,
    /// The move.
    pub play: Move,
    /// After how many plies the new position stands.
    pub ply: u32,
    /// How many earlier games have the position before it.
    pub earlier: u64,
}

impl Novelty {
    /// The opening: the last position with a name, up to the new one.
    #[must_use]
    pub fn opening<'o>(&self, openings: &'o Openings) -> Option<&'o Opening> {
        let mut position = self.start;
        let mut found = openings.of(&position);
        for &play in self.line.iter().chain([&self.play]) {
            position.play_unchecked(play);
            found = openings.of(&position).or(found);
        }
        found
    }
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Novelties {
    /// The novelties, in the order of the games.
    pub list: Vec<Novelty>,
    /// How many games were looked at.
    pub games: u64,
    /// How many of them have none within the plies: they follow earlier games.
    pub without: u64,
}

/// Looks for moves that were played for the first time. The databases are read up to three times.
/// Positions are told apart by keys of 64 bits.
///
/// ```
/// use tabiya::tree::{NoveltyWishes, novelties};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.pgn");
/// # std::fs::write(&path, "[Date \"1990\"]\n\n1. e4 e5 1-0\n\n[Date \"1980\"]\n\n1. e4 c5 0-1\n")?;
/// let found = novelties(&[tabiya::open(&path)?], &NoveltyWishes::default())?;
/// let plies: Vec<_> = found.list.iter().map(|novelty| (novelty.number, novelty.ply)).collect();
/// // The second game is the earlier one; nobody played 1. e4 before it.
/// assert_eq!(plies, [(1, 2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a database cannot be read to its end, or only once.
pub fn novelties(databases: &[Database], wishes: &NoveltyWishes) -> Result<Novelties> {
    let games = candidates(databases, wishes)?;
    let count = games.len() as u64;
    let first = first_occurrences(databases, wishes.max_ply, &games)?;
    let mut found = Vec::new();
    for game in games {
        if let Some(ply) = game.novelty(&first) {
            found.push((game, ply));
        }
    }
    drop(first);
    let without = count - found.len() as u64;
    let earlier = earlier_games(databases, wishes.max_ply, &found)?;
    let list = found.into_iter().zip(earlier);
    let list = list.filter(|(_, earlier)| *earlier >= wishes.min_games);
    Ok(Novelties {
        list: list
            .map(|((game, ply), earlier)| game.told(ply, earlier))
            .collect(),
        games: count,
        without,
    })
}

/// When a game was played: its date, and its place among all games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct When(u64);

impl When {
    const NEVER: When = When(u64::MAX);

    /// More games than any database has fit beside a date.
    const PLACE_BITS: u32 = 40;

    /// Unknown parts of a date count as 0, and so come first.
    fn new(date: Option<Date>, place: u64) -> When {
        let date = date.unwrap_or_default();
        let year = u64::from(date.year.unwrap_or(0));
        let month = u64::from(date.month.unwrap_or(0));
        let day = u64::from(date.day.unwrap_or(0));
        When((year << 9 | month << 5 | day) << When::PLACE_BITS | place)
    }

    /// Its place among all games.
    fn place(self) -> u64 {
        self.0 & ((1 << When::PLACE_BITS) - 1)
    }

    /// The same, behind so many other games.
    fn behind(self, games: u64) -> When {
        When(self.0 + games)
    }
}

/// A game that may have a novelty.
struct Candidate {
    database: usize,
    number: u64,
    when: When,
    line: Line,
    /// Where the position stands behind which novelties are wanted.
    from: usize,
}

impl Candidate {
    /// The ply of its novelty.
    fn novelty(&self, first: &HashMap<u64, When>) -> Option<usize> {
        let keys = &self.line.keys;
        let is_new = |ply: &usize| first.get(&keys[*ply]) == Some(&self.when);
        (self.from + 1..keys.len()).find(is_new)
    }

    fn told(self, ply: usize, earlier: u64) -> Novelty {
        let Line {
            tags,
            start,
            mut moves,
            ..
        } = self.line;
        let play = moves[ply - 1];
        moves.truncate(ply - 1);
        let mut before = start;
        for &play in &moves {
            before.play_unchecked(play);
        }
        Novelty {
            database: self.database,
            number: self.number,
            tags,
            start,
            line: moves,
            before,
            play,
            ply: ply as u32,
            earlier,
        }
    }
}

/// The games that are looked at, with their positions.
fn candidates(databases: &[Database], wishes: &NoveltyWishes) -> Result<Vec<Candidate>> {
    let from = wishes.from.map(Exact::new);
    let mut games = Vec::new();
    each_game(
        databases,
        &wishes.filter,
        wishes.max_ply,
        |found: &mut Vec<Candidate>, line, when| {
            if let Some(from) = line.find(from.as_ref()) {
                found.push(Candidate {
                    database: 0,
                    number: line.number,
                    when,
                    line: line.clone(),
                    from,
                });
            }
        },
        |found, part| {
            for mut game in found {
                game.database = part.database;
                if game.number == 0 {
                    game.number = part.in_file + game.when.place() + 1;
                }
                game.when = game.when.behind(part.before);
                games.push(game);
            }
        },
    )?;
    Ok(games)
}

/// When the positions of some games first stood in any.
fn first_occurrences(
    databases: &[Database],
    max_ply: u32,
    games: &[Candidate],
) -> Result<HashMap<u64, When>> {
    let keys = games.iter().flat_map(|game| &game.line.keys[game.from..]);
    let mut first: HashMap<u64, When> = keys.map(|key| (*key, When::NEVER)).collect();
    let asked: HashSet<u64> = first.keys().copied().collect();
    each_game(
        databases,
        &Filter::default(),
        max_ply,
        |found: &mut HashMap<u64, When>, line, when| {
            for key in &line.keys {
                if asked.contains(key) {
                    let first = found.entry(*key).or_insert(when);
                    *first = when.min(*first);
                }
            }
        },
        |found, part| {
            for (key, when) in found {
                let first = first.entry(key).or_insert(When::NEVER);
                *first = when.behind(part.before).min(*first);
            }
        },
    )?;
    Ok(first)
}

/// How many earlier games have the position before each novelty.
fn earlier_games(
    databases: &[Database],
    max_ply: u32,
    found: &[(Candidate, usize)],
) -> Result<Vec<u64>> {
    let mut earlier = vec![0; found.len()];
    let mut by_key: HashMap<u64, Vec<usize>> = HashMap::new();
    for (place, (game, ply)) in found.iter().enumerate() {
        by_key
            .entry(game.line.keys[ply - 1])
            .or_default()
            .push(place);
    }
    if by_key.is_empty() {
        return Ok(earlier);
    }
    each_game(
        databases,
        &Filter::default(),
        max_ply,
        |hits: &mut Vec<(u64, When)>, line, when| {
            for (ply, key) in line.keys.iter().enumerate() {
                // A game counts once, however often it comes back.
                if by_key.contains_key(key) && !line.keys[..ply].contains(key) {
                    hits.push((*key, when));
                }
            }
        },
        |hits, part| {
            for (key, when) in hits {
                for &place in &by_key[&key] {
                    let is_earlier = when.behind(part.before) < found[place].0.when;
                    earlier[place] += u64::from(is_earlier);
                }
            }
        },
    )?;
    Ok(earlier)
}

/// Where a part of a database stands.
struct Place {
    database: usize,
    /// So many games come before it in all databases.
    before: u64,
    /// And in its own.
    in_file: u64,
}

/// Reads all games that pass a filter, by all cores: `fold` takes a game of a part, with its place
/// in that part, and `join` the parts in their order.
fn each_game<T: Default + Send>(
    databases: &[Database],
    filter: &Filter,
    max_ply: u32,
    fold: impl Fn(&mut T, &Line, When) + Sync,
    mut join: impl FnMut(T, &Place),
) -> Result<()> {
    let mut place = Place {
        database: 0,
        before: 0,
        in_file: 0,
    };
    let make = || Lines {
        max_ply: max_ply as usize,
        line: Line::default(),
        place: 0,
        sum: T::default(),
        fold: &fold,
    };
    let mut earlier = 0;
    for (index, database) in databases.iter().enumerate() {
        place.database = index;
        earlier += database.par_placed::<_, Error>(filter, make, |lines, in_file| {
            place.in_file = in_file;
            place.before = earlier + in_file;
            join(lines.sum, &place);
            Ok(())
        })?;
    }
    Ok(())
}

/// The beginning of a game.
#[derive(Clone, Default)]
struct Line {
    /// In its file, if that has numbers.
    number: u64,
    tags: Tags,
    start: Position,
    moves: Vec<Move>,
    /// Of the start and of the position after each move.
    keys: Vec<u64>,
}

impl Line {
    /// After how many plies it has a position; at once, if none is asked for.
    fn find(&self, position: Option<&Exact>) -> Option<usize> {
        let Some(wanted) = position else {
            return Some(0);
        };
        let mut here = self.start;
        let key = Exact::key(wanted.position()).0;
        for (ply, there) in self.keys.iter().enumerate() {
            if *there == key && wanted.fits(&here) {
                return Some(ply);
            }
            if let Some(play) = self.moves.get(ply) {
                here.play_unchecked(*play);
            }
        }
        None
    }
}

/// Hears the beginnings of games.
struct Lines<'f, T, F> {
    max_ply: usize,
    line: Line,
    /// Of the game in its part.
    place: u64,
    sum: T,
    fold: &'f F,
}

impl<T, F: Fn(&mut T, &Line, When)> Lines<'_, T, F> {
    fn end(&mut self) {
        let when = When::new(self.line.tags.date(), self.place);
        (self.fold)(&mut self.sum, &self.line, when);
    }
}

impl<T, F: Fn(&mut T, &Line, When)> GameSink for Lines<'_, T, F> {
    fn needs(&mut self) -> Needs {
        Needs::TAGS.moves(true).after(true).keys(true)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::GameStart(place) => {
                self.line.number = place.number;
                self.line.tags.clear();
                self.line.moves.clear();
                self.line.keys.clear();
            }
            Event::Tag { name, value } => self.line.tags.push(name, value),
            Event::Start(position) => {
                self.line.start = *position;
                self.line.keys.push(Exact::key(position).0);
            }
            Event::VariationStart => return Flow::SkipVariation,
            Event::Move {
                play,
                after: Some(after),
                ..
            } if self.line.moves.len() < self.max_ply => {
                self.line.moves.push(play);
                self.line.keys.push(Exact::key(after).0);
            }
            // Behind a null move the game is no longer one that could have been played.
            Event::Move { .. } | Event::Null { .. } | Event::Missing => return Flow::SkipGame,
            Event::GameEnd { .. } => self.end(),
            _ => {}
        }
        Flow::Continue
    }
}

impl<T, F: Fn(&mut T, &Line, When)> InPlace for Lines<'_, T, F> {
    fn place(&mut self, before: u64) {
        self.place = before;
    }
}
