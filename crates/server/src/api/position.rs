//! `GET /api/position`.

use axum::{Json, extract::State};
use tabiya_chess::Variant;

use crate::{
    app::Shared,
    ask::Ask,
    failure::{ErrorAnswer, Failure},
    position::{PositionAnswer, PositionParams},
};

/// A position, its name, and the moves that can be played in it.
#[utoipa::path(
    get,
    path = "/api/position",
    params(PositionParams),
    responses((status = 200, body = PositionAnswer), (status = 400, body = ErrorAnswer))
)]
pub async fn position(
    State(app): State<Shared>,
    Ask(asked): Ask<PositionParams>,
) -> Result<Json<PositionAnswer>, Failure> {
    let line = asked.line(Variant::Standard)?;
    Ok(Json(PositionAnswer::new(&line, app.names())))
}
