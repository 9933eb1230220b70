//! `GET /player`. Lichess reads games while it answers, and sends a line whenever it knows more;
//! here all are there, and one line says all.

use axum::{
    extract::State,
    http::{Uri, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use tabiya_chess::Color;
use utoipa::{IntoParams, ToSchema};

use super::{
    Choice,
    answer::{Answer, Asked, PlayerMove},
    count,
    game::ExplorerGame,
    told, variant,
};
use crate::{
    app::{App, Shared},
    ask::{self, Ask},
    failure::{ErrorAnswer, Failure},
    position::{Line, OpeningName, PositionParams, Side},
};

/// What `/player` takes beside a position.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct PlayerParams {
    /// Whose games; a part of the name is enough.
    #[param(example = "Morphy")]
    player: String,
    /// On which side.
    #[param(inline)]
    color: Side,
    /// standard, chess960, fromPosition or antichess.
    #[param(example = "standard")]
    variant: Option<String>,
    /// Some of bullet, blitz, rapid, classical, correspondence, with commas between them.
    speeds: Option<String>,
    /// rated, casual, or both with a comma.
    modes: Option<String>,
    /// Played in this month or later.
    since: Option<String>,
    /// Played in this month or before.
    until: Option<String>,
    /// How many moves are told; all without it.
    moves: Option<String>,
    /// How many of the latest games are told; 8 without it.
    recent_games: Option<String>,
}

/// What a player plays, as Lichess tells it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlayerExplorerBody {
    white: u64,
    draws: u64,
    black: u64,
    moves: Vec<PlayerMove>,
    recent_games: Vec<ExplorerGame>,
    opening: Option<OpeningName>,
    /// Always 0: nobody has to wait.
    queue_position: u64,
}

impl PlayerParams {
    fn asked(&self, line: Line) -> Result<Asked, Failure> {
        let name = self.player.trim();
        if name.is_empty() {
            return Err(Failure::parameter("player", "expected a name"));
        }
        let side = match self.color {
            Side::White => 0,
            Side::Black => 1,
        };
        let choice = Choice::between(&self.since, &self.until)?.speeds(&self.speeds)?;
        Ok(Asked {
            line,
            choice: choice.modes(&self.modes)?.of_player(name, side),
            moves: count("moves", &self.moves, usize::MAX)?,
            top_games: 0,
            recent_games: count("recentGames", &self.recent_games, 8)?,
            history: false,
            online: true,
        })
    }

    fn side(&self) -> Color {
        match self.color {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

impl PlayerExplorerBody {
    fn new(app: &App, line: &Line, answer: Answer, side: Color) -> PlayerExplorerBody {
        let moves = answer.moves.into_iter();
        let moves = moves.map(|one| PlayerMove::new(line.position(), one, app.names(), side));
        PlayerExplorerBody {
            white: answer.tree.total.white,
            draws: answer.tree.total.draws,
            black: answer.tree.total.black,
            moves: moves.collect(),
            recent_games: answer.recent_games,
            opening: line.opening(app.names()).map(OpeningName::from),
            queue_position: 0,
        }
    }
}

/// What a player plays in a position, in the shape of Lichess's explorer: a line of JSON.
#[utoipa::path(
    get,
    path = "/player",
    params(PositionParams, PlayerParams),
    responses(
        (status = 200, description = "one line", content_type = "application/x-ndjson", body = PlayerExplorerBody),
        (status = 400, body = ErrorAnswer),
        (status = 503, description = "too many questions, or this one takes too long", body = ErrorAnswer),
    )
)]
pub async fn player(
    State(app): State<Shared>,
    Ask(position): Ask<PositionParams>,
    Ask(asked): Ask<PlayerParams>,
) -> Result<Response, Failure> {
    let line = position.line(variant(&asked.variant)?)?;
    let side = asked.side();
    let asked = asked.asked(line)?;
    let body = told(app, asked, move |app, line, answer| {
        PlayerExplorerBody::new(app, line, answer, side)
    });
    let mut line =
        serde_json::to_vec(&body.await?).map_err(|error| Failure::internal(error.to_string()))?;
    line.push(b'\n');
    let content_type = [(header::CONTENT_TYPE, "application/x-ndjson")];
    Ok((content_type, line).into_response())
}

/// A query string, read as this is.
pub fn read_everything(uri: &Uri) {
    let line = PositionParams::default().line(Default::default());
    if let (Some(asked), Ok(line)) = (ask::read_from::<PlayerParams>(uri), line) {
        let _ = asked.asked(line);
    }
}
