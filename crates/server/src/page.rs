//! The page: files that are part of the program.

use axum::{
    http::{HeaderMap, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use rust_embed::RustEmbed;

use crate::failure::Failure;

/// The folder `page`. What is no part of the page, such as settings of those who write it, has no
/// type, and is not sent.
#[derive(RustEmbed)]
#[folder = "page"]
struct Files;

/// A file of the page; `/` is its index.
pub async fn page(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if !matches!(method, Method::GET | Method::HEAD) {
        return wrong_method().await;
    }
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    let Some((content_type, file)) = content_type(path).zip(Files::get(path)) else {
        return Failure::not_found("nothing is there; / is the page").into_response();
    };
    let hash = file.metadata.sha256_hash();
    let tag: String = hash[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let tag = format!("\"{tag}\"");
    let known = headers.get(header::IF_NONE_MATCH);
    let caching = [
        (header::ETAG, tag.clone()),
        // It is asked for again each time, and mostly not sent again.
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    if known.is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    let content_type = [(header::CONTENT_TYPE, content_type)];
    (caching, content_type, file.data).into_response()
}

/// Nobody answers to such a method.
pub async fn wrong_method() -> Response {
    Failure::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "this method is not answered here: see the header Allow",
    )
    .into_response()
}

fn content_type(path: &str) -> Option<&'static str> {
    Some(match path.rsplit('.').next()? {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "webmanifest" => "application/manifest+json",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        _ => return None,
    })
}
