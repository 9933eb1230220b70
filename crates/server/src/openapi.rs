//! The interface in the words of OpenAPI, and what follows from them: a parameter that is not in
//! there is a mistake of whoever sends it.

use std::{
    collections::{BTreeSet, HashMap},
    sync::LazyLock,
};

use axum::{
    Json,
    extract::{MatchedPath, Request},
    middleware::Next,
    response::{IntoResponse, Response},
};
use utoipa::{
    OpenApi,
    openapi::{
        self, RefOr,
        path::{Operation, ParameterIn},
    },
};

use crate::{api, explorer, failure::Failure};

/// All that is documented.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "tabiya",
        description = "Chess games in a database: what is played, by whom, and how it went.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    paths(
        api::info::info,
        api::position::position,
        api::tree::tree,
        api::games::games,
        api::game::game,
        api::game::pgn,
        api::players::players,
        api::players::player,
        api::opening::opening,
        api::export::export,
        api::import::import,
        api::events::events,
        explorer::lichess::lichess,
        explorer::masters::masters,
        explorer::masters::pgn,
        explorer::player::player,
    )
)]
struct Document;

static DOCUMENT: LazyLock<openapi::OpenApi> = LazyLock::new(Document::openapi);

/// The parameters of the query that each path has.
static PARAMETERS: LazyLock<HashMap<String, BTreeSet<String>>> = LazyLock::new(|| {
    let paths = DOCUMENT.paths.paths.iter();
    paths
        .map(|(path, item)| {
            let operations = [&item.get, &item.post].into_iter().flatten();
            (path.clone(), operations.flat_map(in_query).collect())
        })
        .collect()
});

fn in_query(operation: &Operation) -> impl Iterator<Item = String> + '_ {
    let parameters = operation.parameters.iter().flatten();
    parameters.filter_map(|parameter| match parameter {
        RefOr::T(one) if one.parameter_in == ParameterIn::Query => Some(one.name.clone()),
        _ => None,
    })
}

/// The interface in the words of OpenAPI.
pub async fn document() -> Json<&'static openapi::OpenApi> {
    Json(&DOCUMENT)
}

/// Refuses parameters of our own interface that are not in it: a filter that is misspelled would let all
/// games through in silence. Lichess's explorer has had many, and its clients are left alone.
pub async fn check_parameters(request: Request, next: Next) -> Response {
    match unknown(&request) {
        Some(failure) => failure.into_response(),
        None => next.run(request).await,
    }
}

fn unknown(request: &Request) -> Option<Failure> {
    let path = request.extensions().get::<MatchedPath>()?.as_str();
    let known = path.starts_with("/api/").then(|| PARAMETERS.get(path))??;
    let query = request.uri().query()?;
    let given: Vec<(String, String)> = crate::ask::pairs(query)?;
    let wrong = given.iter().map(|(name, _)| name);
    let wrong = wrong
        .filter(|name| *name != "token")
        .find(|name| !known.contains(*name))?;
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let known = match known.is_empty() {
        true => "there are none here".to_owned(),
        false => format!("there are {}", known.join(", ")),
    };
    let shown: String = wrong.chars().take(40).collect();
    Some(Failure::wrong(format!(
        "no parameter is called {shown:?}: {known}"
    )))
}
