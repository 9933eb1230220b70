//! Who is answered, and what every answer says to browsers.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse, Redirect, Response},
};
use serde::Deserialize;

use crate::{app::Shared, ask, failure::Failure};

/// What every answer says: the page runs nothing but itself, is shown in no frame, and tells nobody
/// where it was.
const HEADERS: [(header::HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        header::HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        header::HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
];

/// Adds the headers, and says that answers are not kept unless they say how long.
pub async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let unsaid = headers.entry(header::CACHE_CONTROL);
    unsaid.or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Refuses who is not meant.
pub async fn check(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let is_local = app.options.listen.ip().is_loopback();
    let authority = match authority(&request) {
        Ok(authority) => authority,
        Err(failure) => return failure.into_response(),
    };
    // A page elsewhere may make its own name lead here. A token keeps it out as well, and then the
    // server may have any name.
    if is_local && app.options.token.is_none() && !is_local_name(authority.host()) {
        let words = "this server answers only to localhost and 127.0.0.1";
        return Failure::new(StatusCode::FORBIDDEN, words).into_response();
    }
    if !is_own_origin(request.headers(), &authority) {
        let words = "pages of other origins are not answered";
        return Failure::new(StatusCode::FORBIDDEN, words).into_response();
    }
    match &app.options.token {
        Some(token) if request.uri().path() != "/healthz" => {
            with_token(&app, token, request, next).await
        }
        _ => next.run(request).await,
    }
}

/// What the client calls the server.
fn authority(request: &Request) -> Result<Authority, Failure> {
    let mut named = request.headers().get_all(header::HOST).iter();
    let host = match (named.next(), named.next()) {
        (Some(host), None) => host.to_str().ok().and_then(|host| host.parse().ok()),
        (None, _) => request.uri().authority().cloned(),
        (Some(_), Some(_)) => None,
    };
    host.ok_or_else(|| Failure::wrong("expected one Host"))
}

fn is_local_name(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let is_loopback = |ip: std::net::IpAddr| ip.is_loopback();
    host.eq_ignore_ascii_case("localhost") || host.parse().is_ok_and(is_loopback)
}

/// Whether a request is no page's, or that of a page from here. Browsers also say so in a header of
/// their own.
fn is_own_origin(headers: &HeaderMap, authority: &Authority) -> bool {
    let is_ours = |origin: &HeaderValue| {
        let origin = origin
            .to_str()
            .ok()
            .and_then(|text| text.parse::<Uri>().ok());
        origin.is_some_and(|origin| origin.authority() == Some(authority))
    };
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    let is_followed = headers
        .get("sec-fetch-mode")
        .is_some_and(|mode| mode == "navigate");
    let from_elsewhere = matches!(site, Some(b"cross-site" | b"same-site")) && !is_followed;
    headers.get_all(header::ORIGIN).iter().all(is_ours) && !from_elsewhere
}

#[derive(Deserialize)]
struct TokenParams {
    token: Option<String>,
}

/// The cookie that a browser has the token in, and a port.
const COOKIE: &str = "tabiya_token";

async fn with_token(app: &Shared, token: &str, request: Request, next: Next) -> Response {
    // Cookies know no ports: each server of a machine has one of its own.
    let name = format!("{COOKIE}_{}", app.options.listen.port());
    if has_token(token, &name, request.headers()) {
        return next.run(request).await;
    }
    let given = ask::read_from::<TokenParams>(request.uri()).and_then(|asked| asked.token);
    match given.filter(|given| is_same(given.as_bytes(), token.as_bytes())) {
        // A link with the token opens the page, and leaves it out of the address.
        Some(_) if request.uri().path() == "/" => {
            let cookie = format!("{name}={token}; Path=/; HttpOnly; SameSite=Lax");
            ([(header::SET_COOKIE, cookie)], Redirect::to("/")).into_response()
        }
        Some(_) => next.run(request).await,
        None => {
            let words =
                "a token is needed: Authorization: Bearer TOKEN, or /?token=TOKEN in a browser";
            let challenge = [(header::WWW_AUTHENTICATE, "Bearer")];
            let failure = Failure::new(StatusCode::UNAUTHORIZED, words);
            (challenge, failure).into_response()
        }
    }
}

fn has_token(token: &str, cookie_name: &str, headers: &HeaderMap) -> bool {
    let is_it = |given: &str| is_same(given.trim().as_bytes(), token.as_bytes());
    let bearer = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let bearer = bearer.and_then(|value| value.split_once(' '));
    let is_borne =
        bearer.is_some_and(|(scheme, given)| scheme.eq_ignore_ascii_case("bearer") && is_it(given));
    let cookies = headers.get_all(header::COOKIE).iter();
    let mut cookies = cookies
        .filter_map(|value| value.to_str().ok())
        .flat_map(|all| all.split(';'));
    is_borne
        || cookies.any(|cookie| {
            let cookie = cookie.trim().split_once('=');
            cookie.is_some_and(|(name, given)| name == cookie_name && is_it(given))
        })
}

/// Compares all bytes, so that the time does not tell how many are right.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let differ = one
        .iter()
        .zip(other)
        .fold(0, |differ, (one, other)| differ | (one ^ other));
    one.len() == other.len() && differ == 0
}

/// Whether a token can be a cookie and a header: anything else would lock everybody out.
pub fn is_token(token: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/".contains(&byte);
    token.len() >= 8 && token.bytes().all(is_plain)
}
