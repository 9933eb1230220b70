//! What is played, and the games beside it.

use std::{collections::BTreeMap, sync::Arc};

use serde::Serialize;
use tabiya::{
    openings::Openings,
    store::{GameSet, Hit},
    tree::{Branch, TreeAnswer, opponents, performance},
};
use tabiya_chess::Position;
use utoipa::ToSchema;

use super::{
    Choice,
    game::{ExplorerGame, Games},
};
use crate::{
    api::games::page,
    ask::{PageParams, SortKey},
    census::{Census, End},
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
        let found = Found {
            asked: self,
            work,
            among: among.clone(),
            hits: match self.top_games + self.recent_games > 0 || self.history {
                true => store.games_at(position, among.as_deref())?.collect(),
                false => Vec::new(),
            },
            games: Games {
                store,
                position,
                online: self.online,
            },
        };
        Ok(Answer {
            moves: found.moves(&tree)?,
            top_games: found.first(SortKey::Elo, self.top_games)?,
            recent_games: found.first(SortKey::Date, self.recent_games)?,
            history: match self.history {
                true => Some(history(&found.hits, work.opened.census()?)),
                false => None,
            },
            tree,
        })
    }
}

/// Games that have the position.
struct Found<'a> {
    asked: &'a Asked,
    work: &'a Work,
    among: Option<Arc<GameSet>>,
    hits: Vec<Hit>,
    games: Games<'a>,
}

impl Found<'_> {
    fn moves(&self, tree: &TreeAnswer) -> Result<Vec<(Branch, Option<ExplorerGame>)>, Failure> {
        // What is only reached from elsewhere is no move of the explorer.
        let played = tree
            .branches
            .iter()
            .filter(|branch| branch.played.games() > 0);
        played
            .take(self.asked.moves)
            .map(|branch| {
                let game = match branch.played.games() {
                    1 => {
                        let census = self.work.opened.census()?;
                        let facts = |number| census.facts(number);
                        self.games.only(branch.play, self.among.as_deref(), facts)?
                    }
                    _ => None,
                };
                Ok((*branch, game))
            })
            .collect()
    }

    /// The games that come first in an order.
    fn first(&self, sort: SortKey, limit: usize) -> Result<Vec<ExplorerGame>, Failure> {
        if limit == 0 {
            return Ok(Vec::new());
        }
        let census = self.work.opened.census()?;
        let numbers = self.hits.iter().map(|hit| (hit.number, ())).collect();
        let wanted = PageParams {
            sort,
            limit,
            offset: 0,
        };
        let listed = page(numbers, Some(census), &wanted).into_iter();
        listed
            .map(|(number, ())| self.games.with_move(number, &census.facts(number)))
            .collect()
    }
}

/// Results by month; games without a month are left out.
fn history(hits: &[Hit], census: &Census) -> Vec<Month> {
    let mut months: BTreeMap<String, [u64; 3]> = BTreeMap::new();
    for hit in hits {
        let facts = census.facts(hit.number);
        if !facts.has_month() {
            continue;
        }
        let results = months.entry(facts.month()).or_default();
        match facts.end {
            End::White => results[0] += 1,
            End::Draw => results[1] += 1,
            End::Black => results[2] += 1,
            End::NoGame | End::Unknown => {}
        }
    }
    let month = |(month, [white, draws, black]): (String, [u64; 3])| Month {
        month,
        white,
        draws,
        black,
    };
    months.into_iter().map(month).collect()
}
