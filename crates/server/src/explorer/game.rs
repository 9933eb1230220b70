//! Games that stand beside what is played.

use serde::Serialize;
use tabiya::{
    Event, Flow, GameResult, GameSink, Needs, Tags,
    search::Exact,
    store::{GameSet, Store},
};
use tabiya_chess::{Move, Position};
use utoipa::ToSchema;

use crate::{census::Facts, failure::Failure, position::Side};

/// A game.
#[derive(Serialize, ToSchema)]
pub struct ExplorerGame {
    /// The move that it played here; not where it stands beside that move.
    #[serde(skip_serializing_if = "Option::is_none")]
    uci: Option<String>,
    /// Its number in the database.
    id: String,
    winner: Option<Side>,
    /// `classical`, if it is not known; not told of masters.
    #[serde(skip_serializing_if = "Option::is_none")]
    speed: Option<&'static str>,
    /// Not told of masters.
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'static str>,
    white: ExplorerPlayer,
    black: ExplorerPlayer,
    /// 0, if it is not known.
    year: u16,
    /// The year and the month, as far as they are known.
    #[schema(example = "2014-06")]
    month: String,
}

/// A player.
#[derive(Serialize, ToSchema)]
pub struct ExplorerPlayer {
    name: String,
    /// 0, if it is not known.
    rating: u16,
}

/// Looks games up.
pub struct Games<'a> {
    pub store: &'a Store,
    pub position: &'a Position,
    /// Speed and mode are told.
    pub online: bool,
}

impl Games<'_> {
    /// A game, with the move that it played here.
    pub fn with_move(&self, number: u64, facts: &Facts) -> Result<ExplorerGame, Failure> {
        let told = Told::of(self, number)?;
        let played = told.played.map(|play| self.position.uci(play).to_string());
        let uci = Some(played.unwrap_or_default());
        Ok(self.game(uci, number, told, facts))
    }

    /// The only game of those that play a move here.
    pub fn only(
        &self,
        play: Move,
        among: Option<&GameSet>,
        facts: impl Fn(u64) -> Facts,
    ) -> Result<Option<ExplorerGame>, Failure> {
        /// Others come to the same position by other ways; there are few of them where one game plays
        /// the move.
        const LOOKED_AT: usize = 50;
        let mut after = *self.position;
        after.play_unchecked(play);
        for hit in self.store.games_at(&after, among)?.take(LOOKED_AT) {
            let told = Told::of(self, hit.number)?;
            if told.played == Some(play) {
                let game = self.game(None, hit.number, told, &facts(hit.number));
                return Ok(Some(game));
            }
        }
        Ok(None)
    }

    fn game(&self, uci: Option<String>, number: u64, told: Told, facts: &Facts) -> ExplorerGame {
        let Told { tags, result, .. } = told;
        let name = |tag: &str| tags.get(tag).unwrap_or("?").to_owned();
        let speed = facts.speed_told().name();
        let mode = if facts.casual { "casual" } else { "rated" };
        ExplorerGame {
            uci,
            id: number.to_string(),
            winner: match result.token() {
                "1-0" => Some(Side::White),
                "0-1" => Some(Side::Black),
                _ => None,
            },
            speed: self.online.then_some(speed),
            mode: self.online.then_some(mode),
            white: ExplorerPlayer {
                name: name("White"),
                rating: tags.white_elo().unwrap_or(0),
            },
            black: ExplorerPlayer {
                name: name("Black"),
                rating: tags.black_elo().unwrap_or(0),
            },
            year: facts.year().unwrap_or(0),
            month: facts.month(),
        }
    }
}

/// Hears the tags of a game, and what it played in a position.
struct Told {
    here: Exact,
    tags: Tags,
    result: GameResult,
    played: Option<Move>,
}

impl Told {
    fn of(games: &Games<'_>, number: u64) -> Result<Told, Failure> {
        let mut told = Told {
            here: Exact::new(*games.position),
            tags: Tags::new(),
            result: GameResult::Unknown,
            played: None,
        };
        games.store.tell(number, &mut told)?;
        Ok(told)
    }
}

impl GameSink for Told {
    fn needs(&mut self) -> Needs {
        Needs::ALL.variations(false).notes(false)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        match event {
            Event::Tag { name, value } => self.tags.push(name, value),
            Event::Move { before, play, .. } if self.played.is_none() && self.here.fits(before) => {
                self.played = Some(play);
            }
            Event::VariationStart => return Flow::SkipVariation,
            Event::GameEnd { result, .. } => self.result = result,
            _ => {}
        }
        Flow::Continue
    }
}
