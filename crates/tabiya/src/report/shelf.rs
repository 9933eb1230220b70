//! The best games of a kind.

use tabiya_chess::{Color, Move, Position};
use tabiya_game::{GameResult, Tags};

use super::{ModelGame, Shelf, gather::Matter};
use crate::{Database, line, tree::Game};

/// How many games a shelf has.
const ROOM: usize = 5;

/// Shorter games were not played as a rule: somebody did not appear, or agreed to the result.
const FEWEST_PLIES: u32 = 10;

/// A game that may be one of the best.
pub struct Candidate<'g> {
    pub database: usize,
    /// Its number, if the file has numbers.
    pub number: u64,
    /// So many games of its part come before it.
    pub before: u64,
    pub tags: &'g Tags,
    pub result: GameResult,
    pub plies: u32,
    pub start: Position,
    pub moves: &'g [Move],
}

/// By what games are chosen.
#[derive(Clone, Copy)]
enum By {
    /// The rating of the opponent, in games that were won.
    Opponent,
    /// The mean of both ratings, in games that a side has won.
    Mean(Color),
    /// The fewest plies, in games that a side has won.
    Length(Winner),
    /// The latest date.
    Date,
}

/// Who has won a game.
#[derive(Clone, Copy)]
enum Winner {
    /// The side that counts.
    Own,
    Other,
}

/// Games in several orders, those of each that came first.
pub struct Shelves(Vec<Filling>);

struct Filling {
    title: &'static str,
    by: By,
    /// The best first, each with how good it is.
    games: Vec<(i64, Kept)>,
}

struct Kept {
    database: usize,
    number: u64,
    before: u64,
    tags: Tags,
    result: GameResult,
    plies: u32,
    start: Position,
    moves: Vec<Move>,
}

impl Shelves {
    pub fn new(matter: &Matter) -> Shelves {
        let shelves = match matter {
            Matter::Player(_) => &[
                ("Wins against the strongest opponents", By::Opponent),
                ("Shortest wins", By::Length(Winner::Own)),
                ("Shortest losses", By::Length(Winner::Other)),
                ("Latest games", By::Date),
            ][..],
            Matter::Position(..) => &[
                ("Best rated wins of White", By::Mean(Color::White)),
                ("Best rated wins of Black", By::Mean(Color::Black)),
                ("Shortest wins of White", By::Length(Winner::Own)),
                ("Shortest wins of Black", By::Length(Winner::Other)),
                ("Latest games", By::Date),
            ][..],
        };
        let empty = |&(title, by): &(&'static str, By)| Filling {
            title,
            by,
            games: Vec::new(),
        };
        Shelves(shelves.iter().map(empty).collect())
    }

    /// Puts a game where it is one of the best.
    pub fn offer(&mut self, candidate: &Candidate<'_>, seen: &Game) {
        for shelf in &mut self.0 {
            if let Some(worth) = shelf.by.worth(candidate, seen)
                && shelf.has_room(worth)
            {
                shelf.put(worth, candidate.keep());
            }
        }
    }

    /// Games that have no numbers are counted from so many on.
    pub fn number(&mut self, before: u64) {
        for (_, game) in self.0.iter_mut().flat_map(|shelf| &mut shelf.games) {
            if game.number == 0 {
                game.number = before + game.before + 1;
            }
        }
    }

    pub fn absorb(&mut self, other: Shelves) {
        for (here, there) in self.0.iter_mut().zip(other.0) {
            for (worth, game) in there.games {
                if here.has_room(worth) {
                    here.put(worth, game);
                }
            }
        }
    }

    /// The shelves that are not empty.
    pub fn finish(&self, databases: &[Database]) -> Vec<Shelf> {
        let filled = self.0.iter().filter(|shelf| !shelf.games.is_empty());
        let shelf = |filling: &Filling| Shelf {
            title: filling.title.to_string(),
            games: filling
                .games
                .iter()
                .map(|(_, game)| game.model(databases))
                .collect(),
        };
        filled.map(shelf).collect()
    }
}

impl By {
    /// How good a game is; `None` if it is not of the kind.
    fn worth(self, game: &Candidate<'_>, seen: &Game) -> Option<i64> {
        let own = seen.result.token() == "1-0";
        let other = seen.result.token() == "0-1";
        let is_played = !game.result.is_forfeit();
        match self {
            By::Opponent => seen.elo[1].filter(|_| own && is_played).map(i64::from),
            By::Mean(side) => {
                let wins = match side {
                    Color::White => own,
                    Color::Black => other,
                };
                let both = seen.elo[0].zip(seen.elo[1]).filter(|_| wins && is_played);
                both.map(|(own, other)| i64::from(own) + i64::from(other))
            }
            By::Length(winner) => {
                let wins = match winner {
                    Winner::Own => own,
                    Winner::Other => other,
                };
                let is_it = wins && is_played && game.plies >= FEWEST_PLIES;
                is_it.then(|| -i64::from(game.plies))
            }
            By::Date => {
                let (year, month, day) = game.tags.date()?.earliest();
                Some((i64::from(year) * 100 + i64::from(month)) * 100 + i64::from(day))
            }
        }
    }
}

impl Filling {
    fn has_room(&self, worth: i64) -> bool {
        self.games.len() < ROOM || self.games.last().is_some_and(|(last, _)| worth > *last)
    }

    /// Behind those that are as good.
    fn put(&mut self, worth: i64, game: Kept) {
        let place = self.games.partition_point(|(there, _)| *there >= worth);
        self.games.insert(place, (worth, game));
        self.games.truncate(ROOM);
    }
}

impl Candidate<'_> {
    fn keep(&self) -> Kept {
        Kept {
            database: self.database,
            number: self.number,
            before: self.before,
            tags: self.tags.clone(),
            result: self.result,
            plies: self.plies,
            start: self.start,
            moves: self.moves.to_vec(),
        }
    }
}

impl Kept {
    fn model(&self, databases: &[Database]) -> ModelGame {
        let known = |text: Option<&str>| text.unwrap_or("?").to_string();
        let tags = &self.tags;
        ModelGame {
            database: databases[self.database].name(),
            number: self.number,
            white: known(tags.white()),
            white_elo: tags.white_elo(),
            black: known(tags.black()),
            black_elo: tags.black_elo(),
            result: self.result.tag().to_string(),
            date: tags.date().unwrap_or_default().to_string(),
            event: known(tags.event()),
            site: known(tags.site()),
            eco: tags.eco().map(str::to_string),
            plies: self.plies,
            moves: line::movetext(&self.start, &self.moves),
        }
    }
}
