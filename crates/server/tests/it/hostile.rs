//! Those who mean no good, or do not know what they do.

use std::time::Duration;

use axum::{
    body::Body,
    http::{Method, Request, header},
};
use tabiya_server::{Limits, Options};

use crate::common::{GAMES, Site, request};

#[tokio::test]
async fn no_path_leads_out_of_the_page() {
    let site = Site::new();
    for path in [
        "/../Cargo.toml",
        "/page/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/..%2fCargo.toml",
        "/..%5cCargo.toml",
        "//etc/passwd",
        "/etc/passwd",
        "/.",
        "/..",
        "/index.html/",
        "/index.html%00.js",
        "/tsconfig.json",
        "/games.tabiya/manifest.json",
        "/api/../index.html",
        "/masters/pgn/..%2f..%2fetc%2fpasswd",
        "/api/games/..%2f1",
    ] {
        let reply = site.get(path).await;
        assert!(
            matches!(reply.status.as_u16(), 400 | 404),
            "{path}: {}",
            reply.status
        );
        assert!(reply.json()["error"].is_string(), "{path}");
    }
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_in_words() {
    let site = Site::new();
    for query in [
        "fen=nonsense",
        "fen=8/8/8/8/8/8/8/8",
        "fen=kkkkkkkk/8/8/8/8/8/8/KKKKKKKK",
        "fen=PPPPPPPP/k7/8/8/8/8/8/K7",
        "fen=%00",
        "fen=%ff",
        "fen=rnbqkbnr/pppppppp/8/8/9/8/PPPPPPPP/RNBQKBNR",
        "play=e2e5",
        "play=e2e4,,e7e5",
        "play=0000",
        "play=%F0%9F%98%80",
        "play=e7e8q",
        "fen=x&fen=y",
        "since=soon",
        "until=2024-99",
        "eco=Z",
        "eco=B90,",
        "result=2-0",
        "elo_min=x",
        "elo_min=70000",
        "elo_min=-1",
        "elo_min=2000&elo_max=1000",
        "time_control=never",
        "versus=tal",
        "elo=2500",
        "Player=tal",
    ] {
        for path in ["/api/tree", "/api/games"] {
            let words = site.refusal(&format!("{path}?{query}"), 400).await;
            assert!(words.len() > 10, "{query}: {words}");
        }
    }
    for query in [
        "sort=white",
        "limit=x",
        "limit=-1",
        "offset=-1",
        "limit=99999999999999999999",
        "any=maybe",
        "pattern=Nz9",
        "material=XY",
        "pawns=lonely",
        "manoeuvre=Nf3",
        "query=%7B",
        "query=%5B1,2",
        "query=%7B%22limit%22:3%7D",
    ] {
        site.refusal(&format!("/api/games?{query}"), 400).await;
    }
    let long = "e2e4,".repeat(10_000);
    site.refusal(&format!("/api/position?play={long}"), 400)
        .await;
    let deep = "%7B%22sequence%22:%5B".repeat(2_000);
    site.refusal(&format!("/api/games?query={deep}"), 400).await;
}

#[tokio::test]
async fn limits_hold_whatever_is_asked() {
    let limits = Limits {
        games: 2,
        exported: 2,
        moves: 3,
        ..Limits::default()
    };
    let options = Options {
        limits,
        ..Options::default()
    };
    let site = Site::with(GAMES, options);
    let games = site.json("/api/games?any=1&limit=500").await;
    assert_eq!(
        (&games["total"], games["games"].as_array().map(Vec::len)),
        (&5.into(), Some(2))
    );
    assert!(
        site.refusal("/api/export?any=1", 413)
            .await
            .contains("5 games")
    );
    assert!(
        site.refusal("/api/games/1", 413)
            .await
            .contains("/api/games/1.pgn")
    );
    assert_eq!(site.get("/api/games/1.pgn").await.status, 200);
}

/// The status of a question with other headers.
async fn asked_with(site: &Site, headers: &[(&str, &str)]) -> u16 {
    let mut request = Request::get("/api/info");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::empty()).expect("a request");
    site.send(request).await.status.as_u16()
}

#[tokio::test]
async fn only_our_own_names_are_answered() {
    let site = Site::new();
    for host in [
        "localhost",
        "LOCALHOST:8000",
        "127.0.0.1:8000",
        "[::1]:8000",
        "127.1.2.3",
    ] {
        assert_eq!(asked_with(&site, &[("host", host)]).await, 200, "{host}");
    }
    for host in [
        "example.com",
        "localhost.example.com",
        "127.0.0.1.nip.io",
        "0.0.0.0",
        "10.0.0.1:80",
    ] {
        assert_eq!(asked_with(&site, &[("host", host)]).await, 403, "{host}");
    }
    assert_eq!(asked_with(&site, &[]).await, 400);
    assert_eq!(asked_with(&site, &[("host", "")]).await, 400);
    assert_eq!(asked_with(&site, &[("host", "a b")]).await, 400);
    assert_eq!(
        asked_with(&site, &[("host", "localhost"), ("host", "evil.example")]).await,
        400
    );
}

#[tokio::test]
async fn pages_of_others_are_not_answered() {
    let site = Site::new();
    let host = ("host", "localhost:8000");
    let own = "http://localhost:8000";
    assert_eq!(asked_with(&site, &[host, ("origin", own)]).await, 200);
    for origin in [
        "http://evil.example",
        "http://localhost:9000",
        "http://localhost:8000.evil.example",
        "null",
        "",
    ] {
        assert_eq!(
            asked_with(&site, &[host, ("origin", origin)]).await,
            403,
            "{origin}"
        );
    }
    for site_of in ["cross-site", "same-site"] {
        assert_eq!(
            asked_with(&site, &[host, ("sec-fetch-site", site_of)]).await,
            403
        );
        let followed = [
            host,
            ("sec-fetch-site", site_of),
            ("sec-fetch-mode", "navigate"),
        ];
        assert_eq!(
            asked_with(&site, &followed).await,
            200,
            "a link may be followed"
        );
    }
    for site_of in ["same-origin", "none"] {
        assert_eq!(
            asked_with(&site, &[host, ("sec-fetch-site", site_of)]).await,
            200
        );
    }
}

#[tokio::test]
async fn every_answer_tells_browsers_what_not_to_do() {
    let site = Site::new();
    for path in ["/", "/api/info", "/nowhere", "/api/tree?fen=x", "/healthz"] {
        let reply = site.get(path).await;
        let policy = reply.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'self';"),
            "{path}: {policy}"
        );
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(reply.header("x-frame-options"), "DENY", "{path}");
        assert_eq!(reply.header("referrer-policy"), "no-referrer", "{path}");
        assert!(
            reply.headers.get("access-control-allow-origin").is_none(),
            "{path}"
        );
    }
    // Tags come as JSON, and as nothing else that a browser would run.
    let reply = site.get("/api/games/4").await;
    assert_eq!(reply.header("content-type"), "application/json");
}

#[tokio::test]
async fn a_token_is_needed_where_there_is_one() {
    let options = Options {
        token: Some("open-sesame".to_owned()),
        ..Options::default()
    };
    let site = Site::with(GAMES, options);
    let host = ("host", "games.example:8000");
    assert_eq!(asked_with(&site, &[host]).await, 401);
    for wrong in [
        "Bearer open",
        "Bearer open-sesame2",
        "Basic open-sesame",
        "open-sesame",
        "Bearer",
    ] {
        assert_eq!(
            asked_with(&site, &[host, ("authorization", wrong)]).await,
            401,
            "{wrong}"
        );
    }
    let bearer = ("authorization", "Bearer open-sesame");
    assert_eq!(asked_with(&site, &[host, bearer]).await, 200);
    assert_eq!(
        asked_with(&site, &[host, ("cookie", "a=b; tabiya_token=open-sesame")]).await,
        200
    );
    assert_eq!(
        asked_with(&site, &[host, ("cookie", "tabiya_token=open")]).await,
        401
    );
    let origin = ("origin", "http://evil.example");
    assert_eq!(asked_with(&site, &[host, bearer, origin]).await, 403);
    let reply = site.get("/?token=open-sesame").await;
    assert_eq!(
        (reply.status.as_u16(), reply.header("location")),
        (303, "/")
    );
    let cookie = reply.header("set-cookie");
    assert!(cookie.starts_with("tabiya_token=open-sesame;"), "{cookie}");
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
    assert_eq!(site.get("/?token=wrong").await.status, 401);
    assert_eq!(site.get("/api/info?token=open-sesame").await.status, 200);
    assert_eq!(site.get("/metrics").await.status, 401);
    assert_eq!(site.get("/healthz").await.status, 200);
}

/// A file that is sent.
fn sent(path: &str, body: impl Into<Body>) -> Request<Body> {
    let request = Request::post(path).header(header::HOST, "localhost:8000");
    request.body(body.into()).expect("a request")
}

#[tokio::test]
async fn nothing_is_written_unless_it_may_be() {
    let site = Site::new();
    let reply = site.send(sent("/api/import?name=a.pgn", GAMES)).await;
    assert_eq!(reply.status, 403);
    assert!(
        reply.json()["error"]
            .as_str()
            .is_some_and(|words| words.contains("--writable"))
    );
    assert_eq!(site.json("/api/info").await["games"], 5);
}

fn writable() -> Options {
    Options {
        writable: true,
        limits: Limits {
            import: 4_000,
            ..Limits::default()
        },
        ..Options::default()
    }
}

#[tokio::test]
async fn games_are_added_where_they_may_be() {
    let site = Site::with(GAMES, writable());
    let reply = site
        .send(sent("/api/import?name=../../week.pgn", GAMES))
        .await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(
        reply.json(),
        serde_json::json!({"read": 5, "written": 5, "refused": 0})
    );
    assert_eq!(site.json("/api/info").await["games"], 10);
    assert_eq!(site.json("/api/player?name=Tal").await["games"], 4);
}

#[tokio::test]
async fn files_that_are_no_games_or_too_large_are_refused() {
    let site = Site::with(GAMES, writable());
    let nothing = site
        .send(sent(
            "/api/import?name=a.png",
            &b"\x89PNG\r\n\x1a\n\0\0\0"[..],
        ))
        .await;
    assert_eq!(nothing.status, 400, "{}", nothing.text());
    assert!(!nothing.text().contains("/tmp"), "{}", nothing.text());
    let large = site
        .send(sent("/api/import?name=a.pgn", "1. e4 *\n\n".repeat(1_000)))
        .await;
    assert_eq!(large.status, 413, "{}", large.text());
    let mut elsewhere = sent("/api/import?name=a.pgn", GAMES);
    let origin = "http://evil.example".parse().expect("a header");
    elsewhere.headers_mut().insert(header::ORIGIN, origin);
    assert_eq!(site.send(elsewhere).await.status, 403);
    assert_eq!(site.json("/api/info").await["games"], 5);
}

#[tokio::test]
async fn other_methods_are_refused() {
    let site = Site::with(GAMES, writable());
    for (method, path) in [
        (Method::POST, "/api/tree"),
        (Method::DELETE, "/api/games/1"),
        (Method::PUT, "/api/import"),
        (Method::POST, "/"),
        (Method::OPTIONS, "/api/info"),
        (Method::TRACE, "/index.html"),
    ] {
        let mut request = request(path);
        *request.method_mut() = method.clone();
        let reply = site.send(request).await;
        assert_eq!(reply.status, 405, "{method} {path}");
    }
    let mut head = request("/api/info");
    *head.method_mut() = Method::HEAD;
    let reply = site.send(head).await;
    assert_eq!((reply.status.as_u16(), reply.body.len()), (200, 0));
}

#[tokio::test]
async fn many_questions_at_once_are_all_answered_or_refused() {
    let limits = Limits {
        work: 1,
        waiting: 20,
        time: Duration::from_secs(60),
        ..Limits::default()
    };
    let options = Options {
        limits,
        ..Options::default()
    };
    let site = std::sync::Arc::new(Site::with(GAMES, options));
    let questions = (0..200).map(|_| {
        let site = site.clone();
        tokio::spawn(async move { site.get("/api/tree?play=e2e4").await })
    });
    let (mut answered, mut refused) = (0, 0);
    for question in questions.collect::<Vec<_>>() {
        let reply = question.await.expect("a reply");
        match reply.status.as_u16() {
            200 => answered += 1,
            503 => {
                assert!(!reply.header("retry-after").is_empty());
                refused += 1;
            }
            status => panic!("{status}"),
        }
    }
    assert_eq!(answered + refused, 200);
    assert!(answered > 0);
    // Nobody has left a place behind.
    assert_eq!(site.get("/api/tree?play=e2e4").await.status, 200);
}
