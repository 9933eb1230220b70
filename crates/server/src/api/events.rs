//! `GET /api/events`: who listens hears when the database has changed.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    extract::State,
    response::sse::{Event, KeepAlive, Sse},
};
use futures_util::{Stream, StreamExt, stream};
use serde::Serialize;
use tokio::sync::OwnedSemaphorePermit;
use utoipa::ToSchema;

use crate::{
    app::Shared,
    failure::{ErrorAnswer, Failure},
};

/// The database has changed.
#[derive(Serialize, ToSchema)]
pub struct Grown {
    /// How many entries it has now.
    games: u64,
}

/// So often a line says that the connection is still there.
const ALIVE: Duration = Duration::from_secs(15);

/// Server-sent events: `{"games": N}` at once, and whenever the database has changed.
#[utoipa::path(
    get,
    path = "/api/events",
    responses(
        (status = 200, description = "a stream of events", content_type = "text/event-stream", body = Grown),
        (status = 503, description = "too many listen", body = ErrorAnswer),
    )
)]
pub async fn events(
    State(app): State<Shared>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Failure> {
    let place = Arc::clone(&app.listeners).try_acquire_owned();
    let place = place.map_err(|_| Failure::busy("too many listen to events"))?;
    let mut states = app.shelf.subscribe();
    states.mark_changed();
    let told = stream::unfold((states, place), next);
    let mut stop = app.stop.clone();
    let told = told.take_until(async move {
        // Whoever could say so is gone: that is an end, too.
        let _ = stop.wait_for(|stopped| *stopped).await;
    });
    Ok(Sse::new(told).keep_alive(KeepAlive::new().interval(ALIVE)))
}

type States = tokio::sync::watch::Receiver<Arc<crate::shelf::Opened>>;

async fn next(
    (mut states, place): (States, OwnedSemaphorePermit),
) -> Option<(Result<Event, Infallible>, (States, OwnedSemaphorePermit))> {
    states.changed().await.ok()?;
    let games = states.borrow_and_update().store.count();
    let event = Event::default().json_data(Grown { games }).ok()?;
    Some((Ok(event), (states, place)))
}
