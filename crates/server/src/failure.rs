//! Why there is no answer.

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use tabiya::{Error, ErrorKind};
use utoipa::ToSchema;

/// Why there is no answer: a status and words for people.
#[derive(Debug)]
pub struct Failure {
    status: StatusCode,
    words: String,
}

/// Why there is no answer.
#[derive(Serialize, ToSchema)]
pub struct ErrorAnswer {
    /// In words for people.
    #[schema(example = "fen: not a FEN")]
    error: String,
}

/// After so many seconds it is worth asking again.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("2");

impl Failure {
    pub fn new(status: StatusCode, words: impl Into<String>) -> Failure {
        let words = words.into();
        Failure { status, words }
    }

    /// The question makes no sense.
    pub fn wrong(words: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, words)
    }

    /// A parameter makes no sense.
    pub fn parameter(name: &str, why: impl std::fmt::Display) -> Failure {
        Failure::wrong(format!("{name}: {why}"))
    }

    pub fn not_found(words: impl Into<String>) -> Failure {
        Failure::new(StatusCode::NOT_FOUND, words)
    }

    /// There is too much to do.
    pub fn busy(words: impl Into<String>) -> Failure {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, words)
    }

    /// A mistake of ours, or of the machine.
    pub fn internal(words: impl Into<String>) -> Failure {
        Failure::new(StatusCode::INTERNAL_SERVER_ERROR, words)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let status = match error.kind() {
            ErrorKind::NoSuchGame | ErrorKind::NotAGame => StatusCode::NOT_FOUND,
            ErrorKind::Cancelled => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Failure::new(status, error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::internal(error.to_string())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let body = Json(ErrorAnswer { error: self.words });
        let mut response = (self.status, body).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, RETRY_AFTER);
        }
        response
    }
}
