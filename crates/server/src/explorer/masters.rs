//! `GET /masters` and `GET /masters/pgn/{id}`. All games of the database are masters'.

use axum::{
    Json,
    extract::{Path, State},
    http::Uri,
    response::Response,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    Choice,
    answer::{Answer, Asked, RatedMove},
    count,
    game::ExplorerGame,
    told,
};
use crate::{
    api,
    app::{App, Shared},
    ask::{self, Ask},
    failure::{ErrorAnswer, Failure},
    position::{Line, OpeningName, PositionParams},
};

/// What `/masters` takes beside a position.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct MastersParams {
    /// Played in this year or later.
    #[param(example = "1952")]
    since: Option<String>,
    /// Played in this year or before.
    until: Option<String>,
    /// How many moves are told; 12 without it.
    moves: Option<String>,
    /// How many of the games with the highest ratings are told; 15 without it.
    top_games: Option<String>,
}

/// What is played, as Lichess tells it of masters.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MastersBody {
    white: u64,
    draws: u64,
    black: u64,
    moves: Vec<RatedMove>,
    top_games: Vec<ExplorerGame>,
    opening: Option<OpeningName>,
}

impl MastersParams {
    fn asked(&self, line: Line) -> Result<Asked, Failure> {
        Ok(Asked {
            line,
            choice: Choice::between(&self.since, &self.until)?,
            moves: count("moves", &self.moves, 12)?,
            top_games: count("topGames", &self.top_games, 15)?,
            recent_games: 0,
            history: false,
            online: false,
        })
    }
}

impl MastersBody {
    fn new(app: &App, line: &Line, answer: Answer) -> MastersBody {
        let moves = answer.moves.into_iter();
        let moves = moves.map(|one| RatedMove::new(line.position(), one, app.names()));
        MastersBody {
            white: answer.tree.total.white,
            draws: answer.tree.total.draws,
            black: answer.tree.total.black,
            moves: moves.collect(),
            top_games: answer.top_games,
            opening: line.opening(app.names()).map(OpeningName::from),
        }
    }
}

/// What is played in a position, in the shape of Lichess's explorer of masters' games.
#[utoipa::path(
    get,
    path = "/masters",
    params(PositionParams, MastersParams),
    responses(
        (status = 200, body = MastersBody),
        (status = 400, body = ErrorAnswer),
        (status = 503, description = "too many questions, or this one takes too long", body = ErrorAnswer),
    )
)]
pub async fn masters(
    State(app): State<Shared>,
    Ask(position): Ask<PositionParams>,
    Ask(asked): Ask<MastersParams>,
) -> Result<Json<MastersBody>, Failure> {
    let line = position.line(Default::default())?;
    let asked = asked.asked(line)?;
    told(app, asked, MastersBody::new).await.map(Json)
}

/// A game that `/masters`, `/lichess` or `/player` named, as PGN.
#[utoipa::path(
    get,
    path = "/masters/pgn/{id}",
    params(("id" = u64, Path, description = "its number in the database", minimum = 1)),
    responses(
        (status = 200, description = "the game", content_type = "application/x-chess-pgn", body = String),
        (status = 400, description = "no number", body = ErrorAnswer),
        (status = 404, description = "no such game", body = ErrorAnswer),
        (status = 503, description = "too many questions", body = ErrorAnswer),
    )
)]
pub async fn pgn(State(app): State<Shared>, Path(id): Path<String>) -> Result<Response, Failure> {
    api::game::pgn(app, &id).await
}

/// A query string, read as this is.
pub fn read_everything(uri: &Uri) {
    let line = PositionParams::default().line(Default::default());
    if let (Some(asked), Ok(line)) = (ask::read_from::<MastersParams>(uri), line) {
        let _ = asked.asked(line);
    }
}
