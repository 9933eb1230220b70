//! `GET /api/players` and `GET /api/player`.

use std::collections::HashMap;

use axum::{Json, extract::State};
use serde::{Deserialize, Serialize};
use tabiya::Words;
use utoipa::{IntoParams, ToSchema};

use super::{Opponent, Score, Year, Years, most_frequent, most_frequent_players};
use crate::{
    app::{App, Shared},
    ask::Ask,
    census::{Census, Eco, PlayerId},
    failure::{ErrorAnswer, Failure},
};

/// Whom to look for.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PlayersParams {
    /// Part of the name; neither case, accents nor the order of words count. Without it, all.
    #[serde(default)]
    #[param(example = "kas")]
    name: String,
    /// So many at most.
    #[serde(default = "twenty")]
    #[param(minimum = 0, maximum = 500, default = 20)]
    limit: usize,
}

fn twenty() -> usize {
    20
}

/// Players, those with most games first.
#[derive(Serialize, ToSchema)]
pub struct PlayersBody {
    players: Vec<PlayerRow>,
}

/// A player in a line.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlayerRow {
    name: String,
    games: u32,
    /// The first year that is known.
    first: Option<u16>,
    /// The last year that is known.
    last: Option<u16>,
    max_elo: Option<u16>,
}

/// Players by part of their names.
#[utoipa::path(
    get,
    path = "/api/players",
    params(PlayersParams),
    responses(
        (status = 200, body = PlayersBody),
        (status = 400, body = ErrorAnswer),
        (status = 503, description = "too many questions", body = ErrorAnswer),
    )
)]
pub async fn players(
    State(app): State<Shared>,
    Ask(asked): Ask<PlayersParams>,
) -> Result<Json<PlayersBody>, Failure> {
    let limit = asked.limit.min(app.options.limits.games);
    let body = app.ask(move |work| {
        let words = Words::from(asked.name.as_str());
        let mut found: Vec<_> = work
            .opened
            .census()?
            .players()
            .map(|(_, player)| player)
            .collect();
        if !asked.name.trim().is_empty() {
            found.retain(|player| words.name(&player.name));
        }
        found.sort_unstable_by(|one, other| {
            let games = other.games.cmp(&one.games);
            games.then_with(|| one.name.cmp(&other.name))
        });
        let known = |number: u16| (number > 0).then_some(number);
        let rows = found.into_iter().take(limit).map(|player| PlayerRow {
            name: player.name.to_string(),
            games: player.games,
            first: known(player.first),
            last: known(player.last),
            max_elo: known(player.max_elo),
        });
        Ok(PlayersBody {
            players: rows.collect(),
        })
    });
    Ok(Json(body.await?))
}

/// Who is asked about.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PlayerParams {
    /// The exact name, as `/api/players` lists it.
    #[param(example = "Morphy, Paul")]
    name: String,
}

/// What a player has played.
#[derive(Serialize, ToSchema)]
pub struct PlayerBody {
    name: String,
    games: u64,
    white: SideScore,
    black: SideScore,
    years: Vec<Year>,
    openings: SideOpenings,
    /// The most frequent, with the score of the player against them.
    opponents: Vec<Opponent>,
}

/// Results with one colour.
#[derive(Serialize, ToSchema)]
pub struct SideScore {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
}

/// Openings by colour, the most frequent first.
#[derive(Serialize, ToSchema)]
pub struct SideOpenings {
    white: Vec<OpeningScore>,
    black: Vec<OpeningScore>,
}

/// How a player does in an opening.
#[derive(Serialize, ToSchema)]
pub struct OpeningScore {
    eco: String,
    name: String,
    games: u64,
    /// From 0 to 1, in games with a result.
    score: Option<f64>,
}

/// What a player has played, against whom, and how it went.
#[utoipa::path(
    get,
    path = "/api/player",
    params(PlayerParams),
    responses(
        (status = 200, body = PlayerBody),
        (status = 400, body = ErrorAnswer),
        (status = 404, description = "nobody is called so", body = ErrorAnswer),
        (status = 503, description = "too many questions", body = ErrorAnswer),
    )
)]
pub async fn player(
    State(app): State<Shared>,
    Ask(asked): Ask<PlayerParams>,
) -> Result<Json<PlayerBody>, Failure> {
    let names = app.clone();
    let body = app.ask(move |work| {
        let census = work.opened.census()?;
        let id = census.by_name(&asked.name).ok_or_else(|| {
            Failure::not_found("nobody is called exactly so: /api/players?name= lists names")
        })?;
        Ok(dossier(&names, census, id))
    });
    Ok(Json(body.await?))
}

fn dossier(app: &App, census: &Census, id: PlayerId) -> PlayerBody {
    let mut sides = [Score::default(); 2];
    let mut openings: [HashMap<Eco, Score>; 2] = Default::default();
    let mut opponents: HashMap<PlayerId, Score> = HashMap::new();
    let mut years = Years::default();
    let mut games = 0;
    for (_, facts) in census.all() {
        let mine = |side: &usize| facts.players[*side] == Some(id);
        games += u64::from((0..2).any(|side| mine(&side)));
        for side in (0..2).filter(mine) {
            sides[side].add(facts.end, side);
            years.add(facts, side, facts.elo(side).into_iter());
            if let Some(eco) = facts.eco {
                openings[side].entry(eco).or_default().add(facts.end, side);
            }
            if let Some(other) = facts.players[1 - side] {
                opponents.entry(other).or_default().add(facts.end, side);
            }
        }
    }
    let [white, black] = sides.map(SideScore::from);
    let [as_white, as_black] = openings.map(|openings| opening_scores(app, openings));
    PlayerBody {
        name: census.player(id).name.to_string(),
        games,
        white,
        black,
        years: years.finish(),
        openings: SideOpenings {
            white: as_white,
            black: as_black,
        },
        opponents: most_frequent_players(census, opponents),
    }
}

fn opening_scores(app: &App, openings: HashMap<Eco, Score>) -> Vec<OpeningScore> {
    let opening = |(eco, score): (String, Score)| OpeningScore {
        name: app.name_of_code(&eco).unwrap_or_default().to_owned(),
        eco,
        games: score.games,
        score: score.rate(),
    };
    let openings = most_frequent(openings, |eco| eco.to_string());
    openings.map(opening).collect()
}

impl From<Score> for SideScore {
    fn from(score: Score) -> SideScore {
        SideScore {
            games: score.games,
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
        }
    }
}
