//! A database, and somebody who asks it without a network.
#![allow(dead_code, reason = "each test uses some of it")]

use std::path::PathBuf;

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Request, StatusCode, header},
};
use http_body_util::BodyExt;
use serde_json::Value;
use tabiya_server::{Options, router};
use tempfile::TempDir;
use tower::ServiceExt;

/// Four games: two from 1. e4 e5, one that comes to the same by another way, one with all that people
/// say about moves; and one that is broken.
pub const GAMES: &str = r#"[Event "Casual game"]
[Site "London"]
[Date "1851.06.21"]
[Round "1"]
[White "Anderssen, Adolf"]
[Black "Kieseritzky, Lionel"]
[Result "1-0"]
[ECO "C33"]

1. e4 e5 2. f4 exf4 1-0

[Event "Rated Blitz game"]
[Site "Riga"]
[Date "2024.05.31"]
[Round "2"]
[White "Tal"]
[Black "Keres"]
[Result "1/2-1/2"]
[WhiteElo "2500"]
[BlackElo "2400"]
[TimeControl "180+2"]
[ECO "C42"]
[Opening "Petrov"]

1. e4 e5 2. Nf3 Nf6 1/2-1/2

[Event "Match"]
[Site "Tallinn"]
[Date "2024.06.??"]
[Round "?"]
[White "Keres"]
[Black "Tal"]
[Result "0-1"]
[WhiteElo "2410"]
[BlackElo "2510"]
[ECO "C42"]

1. Nf3 e5 2. e4 Nf6 0-1

[Event "?"]
[White "<script>alert(1)</script>"]
[Black "\" onmouseover=\"x"]
[Result "*"]

{Before all} 1. d4 $1 {[%clk 0:01:30] [%eval 0.25] good [%cal Gd2d4,Rd7d5][%csl Yd4]} (1. c4 {other}
c5 (1... e5 $6 2. Nc3)) (1. b3) 1... d5 {[%eval #-3]} *

[White "Nobody"]
[Black "Somebody"]
[Result "*"]

1. e4 Ke4 2. d4 *
"#;

/// A database that is asked.
pub struct Site {
    pub router: Router,
    pub path: PathBuf,
    pub folder: TempDir,
}

/// What came back.
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Reply {
    #[track_caller]
    pub fn json(&self) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().expect("ASCII"))
    }
}

/// A folder with a database of some games.
pub fn database(pgn: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.tabiya");
    let text = folder.path().join("games.pgn");
    std::fs::write(&text, pgn).expect("a file");
    tabiya::convert(&text, &path).run().expect("a database");
    (folder, path)
}

impl Site {
    pub fn new() -> Site {
        Site::with(GAMES, Options::default())
    }

    pub fn with(pgn: &str, options: Options) -> Site {
        let (folder, path) = database(pgn);
        Site {
            router: router(&path, options).expect("a router"),
            path,
            folder,
        }
    }

    pub async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await;
        let (head, body) = response.expect("an answer").into_parts();
        Reply {
            status: head.status,
            headers: head.headers,
            body: body.collect().await.expect("a body").to_bytes().into(),
        }
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.send(request(path)).await
    }

    /// The answer to a question that makes sense.
    pub async fn json(&self, path: &str) -> Value {
        let reply = self.get(path).await;
        assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.text());
        assert_eq!(reply.header("content-type"), "application/json", "{path}");
        reply.json()
    }

    /// The words about a question that makes none.
    pub async fn refusal(&self, path: &str, status: u16) -> String {
        let reply = self.get(path).await;
        assert_eq!(reply.status.as_u16(), status, "{path}: {}", reply.text());
        let json = reply.json();
        json["error"]
            .as_str()
            .unwrap_or_else(|| panic!("{path}: {json}"))
            .to_owned()
    }
}

/// A request of somebody on this machine.
pub fn request(path: &str) -> Request<Body> {
    let request = Request::get(path).header(header::HOST, "localhost:8000");
    request
        .body(Body::empty())
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}
