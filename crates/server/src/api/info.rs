//! `GET /api/info`.

use axum::{Json, extract::State};
use serde::Serialize;
use tabiya::registry;
use utoipa::ToSchema;

use crate::app::Shared;

/// What is served.
#[derive(Serialize, ToSchema)]
pub struct Info {
    /// What the database is called.
    #[schema(example = "games.tabiya")]
    name: String,
    /// Entries, deleted ones too; they are numbered from 1.
    games: u64,
    deleted: u64,
    /// Names of players; only when all headers have been read.
    #[serde(skip_serializing_if = "Option::is_none")]
    players: Option<u64>,
    /// Whether games may be added.
    writable: bool,
    /// Of the server.
    version: &'static str,
    /// In which games can be exported.
    formats: Vec<Format>,
}

/// A format that games can be exported in.
#[derive(Serialize, ToSchema)]
pub struct Format {
    #[schema(example = "scid:si5")]
    name: String,
    #[schema(example = "si5")]
    extension: &'static str,
}

/// What is served, and what can be done with it.
#[utoipa::path(get, path = "/api/info", responses((status = 200, body = Info)))]
pub async fn info(State(app): State<Shared>) -> Json<Info> {
    let opened = app.shelf.now();
    let census = opened.census_if_made();
    Json(Info {
        name: app.name.clone(),
        games: opened.store.count(),
        deleted: opened.store.deleted(),
        players: census.map(|census| census.players().count() as u64),
        writable: app.options.writable,
        version: env!("CARGO_PKG_VERSION"),
        formats: formats().collect(),
    })
}

/// The formats that games can be written in, and whose files have a name.
fn formats() -> impl Iterator<Item = Format> {
    let written = registry().profiles().filter(|profile| profile.writes());
    written.filter_map(|profile| {
        Some(Format {
            name: profile.to_string(),
            extension: profile.extensions().first()?,
        })
    })
}
