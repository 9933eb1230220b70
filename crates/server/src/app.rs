//! What all requests share, and which of them is answered by whom.

use std::{collections::HashMap, sync::Arc};

use axum::{
    Router,
    extract::DefaultBodyLimit,
    handler::Handler,
    middleware,
    routing::{get, post},
};
use tabiya::{Error, openings::Openings};
use tabiya_chess::Position;
use tokio::sync::{Semaphore, watch};

use crate::{
    api, explorer,
    failure::Failure,
    guard,
    metrics::{self, Metrics},
    openapi,
    options::Options,
    page,
    shelf::Shelf,
    work::{Desk, Work},
};

/// What all requests share.
pub struct App {
    pub shelf: Arc<Shelf>,
    pub options: Options,
    /// What the database is called.
    pub name: String,
    /// Places for those who listen to events.
    pub listeners: Arc<Semaphore>,
    /// Places for files that are made and sent.
    pub exports: Arc<Semaphore>,
    pub metrics: Metrics,
    /// Becomes true when the server shall end.
    pub stop: watch::Receiver<bool>,
    desk: Desk,
    /// The first position of each code, and its name.
    codes: HashMap<String, (Position, String)>,
}

/// The same, for all who answer.
pub type Shared = Arc<App>;

impl App {
    pub fn new(
        path: &std::path::Path,
        options: Options,
        stop: watch::Receiver<bool>,
    ) -> Result<App, Error> {
        let own = path.file_name().unwrap_or(path.as_os_str());
        let name = options.name.clone();
        Ok(App {
            shelf: Arc::new(Shelf::open(path)?),
            name: name.unwrap_or_else(|| own.to_string_lossy().into_owned()),
            listeners: Arc::new(Semaphore::new(options.limits.listeners)),
            exports: Arc::new(Semaphore::new(options.limits.exports)),
            metrics: Metrics::default(),
            stop,
            desk: Desk::new(options.limits),
            codes: codes(&options.openings),
            options,
        })
    }

    pub fn names(&self) -> &Openings {
        &self.options.openings
    }

    /// The name of an opening's code.
    pub fn name_of_code(&self, code: &str) -> Option<&str> {
        self.code(code).map(|(_, name)| name)
    }

    /// The first position of a code, and its name.
    pub fn code(&self, code: &str) -> Option<(&Position, &str)> {
        let (position, name) = self.codes.get(code)?;
        Some((position, name))
    }

    /// How many questions are worked on, and how many wait.
    pub fn load(&self) -> (usize, usize) {
        self.desk.load()
    }

    /// Works on a question about the database as it is now.
    pub async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Work) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        self.desk.ask(self.shelf.now(), work).await
    }

    /// The same for what makes or reads files.
    pub async fn ask_files<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Work) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        self.desk.ask_files(self.shelf.now(), work).await
    }
}

/// Of positions with one code, that which comes first in a game.
fn codes(openings: &Openings) -> HashMap<String, (Position, String)> {
    let mut named: Vec<_> = openings.iter().collect();
    named.sort_by_key(|(position, opening)| {
        let ply = (position.fullmove_number(), position.turn());
        (ply.0, ply.1 == tabiya_chess::Color::Black, &opening.name)
    });
    let mut codes = HashMap::new();
    for (position, opening) in named {
        let first = || (*position, opening.name.clone());
        codes.entry(opening.eco.clone()).or_insert_with(first);
    }
    codes
}

/// Everything that is answered, for a database in a folder. For those who have a server of their
/// own; [`Server`](crate::Server) also bounds connections, and follows a database that grows.
///
/// # Errors
/// If the database cannot be read.
pub fn router(path: impl AsRef<std::path::Path>, options: Options) -> Result<Router, Error> {
    // Nobody ever sends: what is served here ends with whoever serves it.
    let (_, stop) = watch::channel(false);
    Ok(routes(Arc::new(App::new(path.as_ref(), options, stop)?)))
}

pub fn routes(app: Shared) -> Router {
    Router::new()
        .route("/api/info", get(api::info::info))
        .route("/api/position", get(api::position::position))
        .route("/api/tree", get(api::tree::tree))
        .route("/api/games", get(api::games::games))
        .route("/api/games/{id}", get(api::game::game))
        .route("/api/players", get(api::players::players))
        .route("/api/player", get(api::players::player))
        .route("/api/opening", get(api::opening::opening))
        .route("/api/export", get(api::export::export))
        // Its own limit is told in words.
        .route(
            "/api/import",
            post(api::import::import.layer(DefaultBodyLimit::disable())),
        )
        .route("/api/events", get(api::events::events))
        .route("/api/openapi.json", get(openapi::document))
        .route("/lichess", get(explorer::lichess::lichess))
        .route("/masters", get(explorer::masters::masters))
        .route("/masters/pgn/{id}", get(explorer::masters::pgn))
        // As earlier descriptions of it had it, and clients that were made by them.
        .route("/master/pgn/{id}", get(explorer::masters::pgn))
        .route("/player", get(explorer::player::player))
        .route_layer(middleware::from_fn(openapi::check_parameters))
        .route("/healthz", get(metrics::health))
        .route("/metrics", get(metrics::metrics))
        .fallback(page::page)
        .method_not_allowed_fallback(page::wrong_method)
        .layer(middleware::from_fn_with_state(app.clone(), guard::check))
        .layer(middleware::from_fn(guard::headers))
        .layer(middleware::from_fn_with_state(app.clone(), metrics::note))
        .with_state(app)
}
