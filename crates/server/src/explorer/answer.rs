//! What is played, and the games beside it.

use std::collections::{BTreeMap, BinaryHeap};

use serde::Serialize;
use tabiya::{
    openings::Openings,
    store::GameSet,
    tree::{Branch, TreeAnswer, opponents, performance},
};
use tabiya_chess::Position;
use utoipa::ToSchema;

use super::{
    Choice,
    game::{ExplorerGame, Games},
};
use crate::{
    ask::{Rank, SortKey},
    census::{End, Facts},
    failure::Failure,
    position::{Line, MoveName, OpeningName},
    work::Work,
};

/// What is asked.
pub struct Asked {
    pub line: Line,
    pub choice: Choice,
    /// How many moves are told.
    pub moves: usize,
    pub top_games: usize,
    pub recent_games: usize,
    pub history: bool,
    /// Speed and mode of games are told.
    pub online: bool,
}

/// Everything that an answer may have.
pub struct Answer {
    pub tree: TreeAnswer,
    /// The moves that are told, each with its game if it is the only one.
    pub moves: Vec<(Branch, Option<ExplorerGame>)>,
    pub top_games: Vec<ExplorerGame>,
    pub recent_games: Vec<ExplorerGame>,
    pub history: Option<Vec<Month>>,
}

/// Results of a month.
#[derive(Serialize, ToSchema)]
pub struct Month {
    #[schema(example = "2024-10")]
    month: String,
    white: u64,
    draws: u64,
    black: u64,
}

/// What is common to moves.
#[derive(Serialize, ToSchema)]
pub struct ExplorerMove {
    #[serde(flatten)]
    name: MoveName,
    white: u64,
    draws: u64,
    black: u64,
    /// If it is the only one.
    game: Option<ExplorerGame>,
    opening: Option<OpeningName>,
}

/// A move, as `/lichess` and `/masters` tell it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RatedMove {
    #[serde(flatten)]
    common: ExplorerMove,
    /// 0, if no rating is known.
    average_rating: u64,
}

/// A move, as `/player` tells it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlayerMove {
    #[serde(flatten)]
    common: ExplorerMove,
    /// 0, if no rating is known.
    average_opponent_rating: u64,
    /// 0, if no rating is known.
    performance: i64,
}

impl ExplorerMove {
    fn new(
        position: &Position,
        branch: &Branch,
        game: Option<ExplorerGame>,
        names: &Openings,
    ) -> ExplorerMove {
        let mut after = *position;
        after.play_unchecked(branch.play);
        let played = &branch.played;
        ExplorerMove {
            name: MoveName::of(position, branch.play),
            white: played.white,
            draws: played.draws,
            black: played.black,
            game,
            opening: names.of(&after).map(OpeningName::from),
        }
    }
}

impl RatedMove {
    pub fn new(
        position: &Position,
        (branch, game): (Branch, Option<ExplorerGame>),
        names: &Openings,
    ) -> RatedMove {
        let average = branch.played.average_elo();
        RatedMove {
            common: ExplorerMove::new(position, &branch, game, names),
            average_rating: average.map_or(0, |elo| elo.round() as u64),
        }
    }
}

impl PlayerMove {
    /// As a side sees it.
    pub fn new(
        position: &Position,
        (branch, game): (Branch, Option<ExplorerGame>),
        names: &Openings,
        side: tabiya_chess::Color,
    ) -> PlayerMove {
        let theirs = opponents(&branch.played, side);
        PlayerMove {
            common: ExplorerMove::new(position, &branch, game, names),
            average_opponent_rating: theirs.map_or(0, |elo| elo.round() as u64),
            performance: performance(&branch.played, side).unwrap_or(0),
        }
    }
}

impl Asked {
    /// Finds all that is asked.
    pub fn answer(&self, work: &Work) -> Result<Answer, Failure> {
        let among = work.opened.choose(&self.choice)?;
        let position = self.line.position();
        let store = &work.opened.store;
        let tree = store.tree_at(position, among.as_deref())?;
        let seen = self.look(work, among.as_deref())?;
        let games = Games {
            store,
            position,
            online: self.online,
        };
        let told = |first: First| -> Result<Vec<ExplorerGame>, Failure> {
            let game = |number| {
                let facts = work.opened.census()?.facts(number);
                games.with_move(number, &facts)
            };
            first.numbers().map(game).collect()
        };
        Ok(Answer {
            moves: self.moves(work, among.as_deref(), &games, &tree)?,
            top_games: told(seen.top)?,
            recent_games: told(seen.recent)?,
            history: self.history.then(|| seen.months.finish()),
            tree,
        })
    }

    /// Looks at all games that have the position, and keeps what is asked of them: there may be millions.
    fn look(&self, work: &Work, among: Option<&GameSet>) -> Result<Seen, Failure> {
        let mut seen = Seen {
            top: First::new(SortKey::Elo, self.top_games),
            recent: First::new(SortKey::Date, self.recent_games),
            months: Months::default(),
        };
        if self.top_games + self.recent_games > 0 || self.history {
            let census = work.opened.census()?;
            for hit in work.opened.store.games_at(self.line.position(), among)? {
                let facts = census.facts(hit.number);
                seen.top.add(hit.number, &facts);
                seen.recent.add(hit.number, &facts);
                if self.history {
                    seen.months.add(&facts);
                }
            }
        }
        Ok(seen)
    }

    fn moves(
        &self,
        work: &Work,
        among: Option<&GameSet>,
        games: &Games<'_>,
        tree: &TreeAnswer,
    ) -> Result<Vec<(Branch, Option<ExplorerGame>)>, Failure> {
        let branches = tree.branches.iter();
        // What is only reached from elsewhere is no move of the explorer.
        let played = branches.filter(|branch| branch.played.games() > 0);
        let with_game = |branch: &Branch| {
            let game = match branch.played.games() {
                1 => {
                    let census = work.opened.census()?;
                    games.only(branch.play, among, |number| census.facts(number))?
                }
                _ => None,
            };
            Ok((*branch, game))
        };
        played.take(self.moves).map(with_game).collect()
    }
}

/// What is kept of the games that have the position.
struct Seen {
    top: First,
    recent: First,
    months: Months,
}

/// The games that come first in an order, of however many.
struct First {
    order: SortKey,
    limit: usize,
    /// The last of them on top.
    kept: BinaryHeap<Rank>,
}

impl First {
    fn new(order: SortKey, limit: usize) -> First {
        First {
            order,
            limit,
            kept: BinaryHeap::new(),
        }
    }

    fn add(&mut self, number: u64, facts: &Facts) {
        let rank = self.order.rank(number, facts);
        if self.kept.len() < self.limit {
            self.kept.push(rank);
        } else if let Some(mut last) = self.kept.peek_mut()
            && rank < *last
        {
            *last = rank;
        }
    }

    /// In their order.
    fn numbers(self) -> impl Iterator<Item = u64> {
        self.kept
            .into_sorted_vec()
            .into_iter()
            .map(|(_, number)| number)
    }
}

/// Results of White, draws and results of Black by month, `YYYYMM`.
#[derive(Default)]
struct Months(BTreeMap<u32, [u64; 3]>);

impl Months {
    /// Counts a game; those without a month are left out.
    fn add(&mut self, facts: &Facts) {
        if !facts.has_month() {
            return;
        }
        let results = self.0.entry(facts.date / 100).or_default();
        match facts.end {
            End::White => results[0] += 1,
            End::Draw => results[1] += 1,
            End::Black => results[2] += 1,
            End::NoGame | End::Unknown => {}
        }
    }

    fn finish(self) -> Vec<Month> {
        let month = |(date, [white, draws, black]): (u32, [u64; 3])| Month {
            month: format!("{:04}-{:02}", date / 100, date % 100),
            white,
            draws,
            black,
        };
        self.0.into_iter().map(month).collect()
    }
}
