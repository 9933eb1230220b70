//! `GET /api/opening`.

use std::collections::HashMap;

use axum::{Json, extract::State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{Opponent, Score, Year, Years, most_frequent_players};
use crate::{
    app::Shared,
    ask::Ask,
    census::{Census, Eco, PlayerId},
    failure::{ErrorAnswer, Failure},
    position::fen,
};

/// Which opening is asked about.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OpeningParams {
    /// Its code.
    #[param(example = "C33", pattern = "^[A-E][0-9][0-9]$")]
    eco: String,
}

/// Games whose tags have the code of an opening.
#[derive(Serialize, ToSchema)]
pub struct OpeningBody {
    eco: String,
    name: String,
    /// The position that has the name.
    fen: String,
    games: u64,
    /// Games that White won.
    white: u64,
    draws: u64,
    /// Games that Black won.
    black: u64,
    /// With White's score.
    years: Vec<Year>,
    /// Who plays it most, on either side, with the score of that player.
    players: Vec<Opponent>,
}

/// An opening by its code: where it stands, who plays it, and how it goes.
#[utoipa::path(
    get,
    path = "/api/opening",
    params(OpeningParams),
    responses(
        (status = 200, body = OpeningBody),
        (status = 400, body = ErrorAnswer),
        (status = 404, description = "the table of openings has no such code", body = ErrorAnswer),
        (status = 503, description = "too many questions", body = ErrorAnswer),
    )
)]
pub async fn opening(
    State(app): State<Shared>,
    Ask(asked): Ask<OpeningParams>,
) -> Result<Json<OpeningBody>, Failure> {
    let code = asked.eco.trim().to_ascii_uppercase();
    let Some(eco) = Eco::of(&code).filter(|_| code.len() == 3) else {
        return Err(Failure::parameter("eco", "expected a code such as B90"));
    };
    let Some((position, name)) = app.code(&code) else {
        return Err(Failure::not_found(format!(
            "no opening has the code {code}"
        )));
    };
    let (fen, name) = (fen(position), name.to_owned());
    let body = app.ask(move |work| {
        let summary = Summary::of(work.opened.census()?, eco);
        Ok(summary.told(code, name, fen))
    });
    Ok(Json(body.await?))
}

/// What the games of an opening come to.
struct Summary {
    score: Score,
    years: Vec<Year>,
    players: Vec<Opponent>,
}

impl Summary {
    fn of(census: &Census, eco: Eco) -> Summary {
        let (mut score, mut years) = (Score::default(), Years::default());
        let mut players: HashMap<PlayerId, Score> = HashMap::new();
        for (_, facts) in census.all().filter(|(_, facts)| facts.eco == Some(eco)) {
            score.add(facts.end, 0);
            let ratings = (0..2).filter_map(|side| facts.elo(side));
            years.add(facts, 0, ratings);
            for (side, player) in facts.players.into_iter().enumerate() {
                if let Some(player) = player {
                    players.entry(player).or_default().add(facts.end, side);
                }
            }
        }
        Summary {
            score,
            years: years.finish(),
            players: most_frequent_players(census, players),
        }
    }

    fn told(self, eco: String, name: String, fen: String) -> OpeningBody {
        OpeningBody {
            eco,
            name,
            fen,
            games: self.score.games,
            white: self.score.wins,
            draws: self.score.draws,
            black: self.score.losses,
            years: self.years,
            players: self.players,
        }
    }
}
