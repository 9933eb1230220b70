//! `GET /api/tree`.

use axum::{Json, extract::State};
use serde::Serialize;
use tabiya::{
    openings::Openings,
    tree::{Branch, TreeAnswer, performance},
};
use tabiya_chess::{Position, Variant};
use utoipa::ToSchema;

use crate::{
    app::Shared,
    ask::{Ask, FilterParams},
    failure::{ErrorAnswer, Failure},
    position::{LegalMove, Line, MoveName, OpeningName, PositionParams, fen, legal},
};

/// What is played in a position.
#[derive(Serialize, ToSchema)]
pub struct TreeBody {
    fen: String,
    /// The last position on the way that has a name.
    opening: Option<OpeningName>,
    /// Games that White won.
    white: u64,
    draws: u64,
    /// Games that Black won.
    black: u64,
    /// All games that have the position, those without a result too.
    games: u64,
    /// The most frequent first.
    moves: Vec<TreeMove>,
    legal: Vec<LegalMove>,
}

/// A move and how it went.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TreeMove {
    #[serde(flatten)]
    name: MoveName,
    /// Games in which it was played here.
    games: u64,
    /// Games that have the position after it, whatever their order of moves.
    reached: u64,
    white: u64,
    draws: u64,
    black: u64,
    /// The mean of the known ratings of both sides.
    average_rating: Option<u64>,
    /// Of the side that moves, by FIDE's table.
    performance: Option<i64>,
    last_year: Option<u16>,
    /// The name of the position after it.
    opening: Option<OpeningName>,
}

impl TreeMove {
    fn new(before: &Position, branch: &Branch, names: &Openings) -> TreeMove {
        let mut after = *before;
        after.play_unchecked(branch.play);
        let played = &branch.played;
        TreeMove {
            name: MoveName::of(before, branch.play),
            games: played.games(),
            reached: branch.reached,
            white: played.white,
            draws: played.draws,
            black: played.black,
            average_rating: played.average_elo().map(|elo| elo.round() as u64),
            performance: performance(played, before.turn()),
            last_year: played.last_year,
            opening: names.of(&after).map(OpeningName::from),
        }
    }
}

impl TreeBody {
    fn new(line: &Line, answer: &TreeAnswer, names: &Openings) -> TreeBody {
        let position = line.position();
        let total = &answer.total;
        let branches = answer.branches.iter();
        TreeBody {
            fen: fen(position),
            opening: line.opening(names).map(OpeningName::from),
            white: total.white,
            draws: total.draws,
            black: total.black,
            games: total.games(),
            moves: branches
                .map(|branch| TreeMove::new(position, branch, names))
                .collect(),
            legal: legal(position),
        }
    }
}

/// What is played in a position, and how it went.
#[utoipa::path(
    get,
    path = "/api/tree",
    params(PositionParams, FilterParams),
    responses(
        (status = 200, body = TreeBody),
        (status = 400, body = ErrorAnswer),
        (status = 503, description = "too many questions, or this one takes too long", body = ErrorAnswer),
    )
)]
pub async fn tree(
    State(app): State<Shared>,
    Ask(asked): Ask<PositionParams>,
    Ask(filter): Ask<FilterParams>,
) -> Result<Json<TreeBody>, Failure> {
    let line = asked.line(Variant::Standard)?;
    let filter = filter.filter()?;
    let position = *line.position();
    let answer = app.ask(move |work| {
        let among = work.opened.select(&filter, &work.cancel)?;
        Ok(work.opened.store.tree_at(&position, among.as_deref())?)
    });
    Ok(Json(TreeBody::new(&line, &answer.await?, app.names())))
}
