//! `GET /lichess`.

use axum::{Json, extract::State, http::Uri};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    Choice,
    answer::{Answer, Asked, Month, RatedMove},
    count,
    game::ExplorerGame,
    told, variant,
};
use crate::{
    app::{App, Shared},
    ask::{self, Ask},
    failure::{ErrorAnswer, Failure},
    position::{Line, OpeningName, PositionParams, given},
};

/// What `/lichess` takes beside a position.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct LichessParams {
    /// standard, chess960, fromPosition or antichess.
    #[param(example = "standard")]
    variant: Option<String>,
    /// Some of bullet, blitz, rapid, classical, correspondence, with commas between them.
    #[param(example = "blitz,rapid")]
    speeds: Option<String>,
    /// Groups of mean ratings, each by its least: 0,1000,1200,1400,1600,1800,2000,2200,2500.
    #[param(example = "2200,2500")]
    ratings: Option<String>,
    /// Played in this month or later.
    #[param(example = "2013-01")]
    since: Option<String>,
    /// Played in this month or before.
    until: Option<String>,
    /// How many moves are told; 12 without it.
    moves: Option<String>,
    /// How many of the games with the highest ratings are told; 4 without it.
    top_games: Option<String>,
    /// How many of the latest games are told; 4 without it.
    recent_games: Option<String>,
    /// Whether results are told by month.
    history: Option<String>,
}

/// What is played, as Lichess tells it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LichessBody {
    white: u64,
    draws: u64,
    black: u64,
    moves: Vec<RatedMove>,
    recent_games: Vec<ExplorerGame>,
    top_games: Vec<ExplorerGame>,
    opening: Option<OpeningName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<Vec<Month>>,
}

impl LichessParams {
    fn asked(&self, line: Line) -> Result<Asked, Failure> {
        let choice = Choice::between(&self.since, &self.until)?;
        Ok(Asked {
            line,
            choice: choice.speeds(&self.speeds)?.ratings(&self.ratings)?,
            moves: count("moves", &self.moves, 12)?,
            top_games: count("topGames", &self.top_games, 4)?,
            recent_games: count("recentGames", &self.recent_games, 4)?,
            history: matches!(given(&self.history), Some("true" | "1" | "True")),
            online: true,
        })
    }
}

impl LichessBody {
    fn new(app: &App, line: &Line, answer: Answer) -> LichessBody {
        let moves = answer.moves.into_iter();
        let moves = moves.map(|one| RatedMove::new(line.position(), one, app.names()));
        LichessBody {
            white: answer.tree.total.white,
            draws: answer.tree.total.draws,
            black: answer.tree.total.black,
            moves: moves.collect(),
            recent_games: answer.recent_games,
            top_games: answer.top_games,
            opening: line.opening(app.names()).map(OpeningName::from),
            history: answer.history,
        }
    }
}

/// What is played in a position, in the shape of Lichess's explorer.
#[utoipa::path(
    get,
    path = "/lichess",
    params(PositionParams, LichessParams),
    responses(
        (status = 200, body = LichessBody),
        (status = 400, body = ErrorAnswer),
        (status = 503, description = "too many questions, or this one takes too long", body = ErrorAnswer),
    )
)]
pub async fn lichess(
    State(app): State<Shared>,
    Ask(position): Ask<PositionParams>,
    Ask(asked): Ask<LichessParams>,
) -> Result<Json<LichessBody>, Failure> {
    let line = position.line(variant(&asked.variant)?)?;
    let asked = asked.asked(line)?;
    told(app, asked, LichessBody::new).await.map(Json)
}

/// A query string, read as this is.
pub fn read_everything(uri: &Uri) {
    let line = PositionParams::default().line(Default::default());
    if let (Some(asked), Ok(line)) = (ask::read_from::<LichessParams>(uri), line) {
        let _ = asked.asked(line);
    }
}
